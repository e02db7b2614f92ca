"""Hands and matches as pictures and tables, for a notebook or a page."""

from rookery.show.felt import Row, drawn
from rookery.show.sheet import Line, sheet

__all__ = ["Line", "Row", "drawn", "sheet"]
