"""Networks and examples for tests of what learns."""

from __future__ import annotations

from functools import cache

from rookery.learn.examples import ExampleGenerator, Examples
from rookery.learn.inputs import CARD_INPUTS, TABLE_INPUTS
from rookery.learn.net import Net, random_net
from rookery.rules import load
from rookery.rules.table import compile_rules


def any_net(seed: int = 1, wide: int = 16, narrow: int = 8) -> Net:
    """Return a network that has learned nothing."""
    return random_net(len(TABLE_INPUTS), len(CARD_INPUTS), wide, narrow, seed)


@cache
def generator() -> ExampleGenerator:
    """Return the compiled generator, one for all tests."""
    return ExampleGenerator()


@cache
def some_examples(name: str = "kd_tournament", decisions: int = 40, worlds: int = 2) -> Examples:
    """Return examples of one rule set."""
    tables = [compile_rules(load(name))]
    return generator().examples(tables, decisions, 3, any_net(), worlds=worlds)
