"""The same luck in every run: codes of tables, and with them deals, and the dice of bots.

A server draws all of these from the system's secure source. A test that meets other cards in every
run may fail in one of them, so tests of a server in this process get theirs from their own name.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from random import Random
from types import SimpleNamespace

import pytest

from rookery.server import names
from rookery.server.bots import engine as bots
from rookery.server.settings import PACES, Pace

UNHURRIED = Pace(0, 0, 3_600_000)


@contextlib.contextmanager
def same_codes(name: str) -> Iterator[None]:
    """Have tables made from now on get the codes that follow from `name`."""
    dice = Random(name)

    def code() -> str:
        return "".join(dice.choices(names.ALPHABET, k=names.CODE_LENGTH))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(names, "new_code", code)
        yield


@contextlib.contextmanager
def same_luck(name: str) -> Iterator[None]:
    """Have tables get the codes that follow from `name`, and bots the same dice.

    At the brisk pace a hand that is done stays until everybody wants the next one.
    """
    with same_codes(name), pytest.MonkeyPatch.context() as patch:
        patch.setattr(bots, "secrets", SimpleNamespace(randbits=lambda _: 1906))
        patch.setitem(PACES, "brisk", UNHURRIED)
        yield


@pytest.fixture(scope="module", autouse=True)
def luck_of_a_module(request: pytest.FixtureRequest) -> Iterator[None]:
    """Have what the fixtures of a module make be the same in every run."""
    with same_luck(request.node.name):
        yield


@pytest.fixture(autouse=True)
def luck_of_a_test(request: pytest.FixtureRequest, luck_of_a_module: None) -> Iterator[None]:
    """Have what a test meets be the same in every run, whatever ran before it."""
    with same_luck(request.node.name):
        yield
