"""Lessons: short pieces of play with goals that the engine checks, made into trees for a page."""

from rookery.lessons.source import IDS, Lesson, LessonError, load, read
from rookery.lessons.tree import made

__all__ = ["IDS", "Lesson", "LessonError", "load", "made", "read"]
