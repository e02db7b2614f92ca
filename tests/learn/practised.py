"""Networks and lessons for tests of what learns."""

from __future__ import annotations

from functools import cache

from rookery.learn.inputs import CARD_INPUTS, TABLE_INPUTS
from rookery.learn.net import Net, fresh
from rookery.learn.practice import Lessons
from rookery.learn.school import School
from rookery.rules import load
from rookery.rules.table import compile_rules


def any_net(seed: int = 1, wide: int = 16, narrow: int = 8) -> Net:
    """Return a network that has learned nothing."""
    return fresh(len(TABLE_INPUTS), len(CARD_INPUTS), wide, narrow, seed)


@cache
def school() -> School:
    """Return the compiled school, one for all tests."""
    return School()


@cache
def some_lessons(name: str = "kd_tournament", decisions: int = 40, worlds: int = 2) -> Lessons:
    """Return lessons of one rule set."""
    tables = [compile_rules(load(name))]
    return school().lessons(tables, decisions, 3, any_net(), worlds=worlds)
