"""OpenSpiel's own tests of what every game of its owes, on Rook: its classes, run here."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

pytest.importorskip("pyspiel")

import pyspiel
from open_spiel.integration_tests import api_test

import rookery.envs.open_spiel

__all__ = ["rookery"]  # registers the games

# Chance nodes, decisions and ends of Mini-Rook, and the information sets of both players.
NODES = (1, 15_228, 5_184)
SETS = 9_508


@pytest.mark.slow
class TestMiniRook(api_test.EnforceAPIOnFullTreeBase):  # type: ignore[misc]
    """The whole tree: perfect recall, no set of two players, sums of 0, sizes."""

    game_name: ClassVar[str] = "mini_rook"
    game: ClassVar[Any] = pyspiel.load_game("mini_rook")

    @classmethod
    def setUpClass(cls) -> None:
        api_test.TOTAL_NUM_STATES[cls.game_name] = NODES
        api_test.PERFECT_RECALL_NUM_STATES[cls.game_name] = SETS
        super().setUpClass()


class TestRook(api_test.EnforceAPIOnPartialTreeBase):  # type: ignore[misc]
    """Some hundred states of a game of usual size."""

    game_name: ClassVar[str] = "rook"
    game: ClassVar[Any] = pyspiel.load_game("rook(deals=8)")


class TestRookForFive(api_test.EnforceAPIOnPartialTreeBase):  # type: ignore[misc]
    """The same with partners that are called."""

    game_name: ClassVar[str] = "rook"
    game: ClassVar[Any] = pyspiel.load_game("rook(deals=8,rules=call_partner_5)")
