"""What another call would have brought: nothing for a good bot, much for one that calls badly."""

from __future__ import annotations

from statistics import mean

import pytest
from benchmarks.deviations import Deviation, by_kind, deviations

from rookery.game import Hand
from rookery.rules import load
from rookery.search.choice import Choice
from rookery.search.searcher import Searcher

RULES = load("kd_tournament")
FEW = {"rollouts": "60", "ms": "600000"}


class Backwards(Searcher):
    """A bot that makes the worst call that it finds."""

    def weigh(self, hand: Hand, *, also: int | None = None, even: bool = False) -> list[Choice]:
        choices = super().weigh(hand, also=also, even=even)
        return choices[::-1] if hand.phase == "auction" else choices


def found(caller: type[Searcher]) -> list[Deviation]:
    callers = [caller(RULES, seat, FEW) for seat in range(RULES.seats)]
    players = [Searcher(RULES, seat, FEW) for seat in range(RULES.seats)]
    return list(deviations(RULES, range(40), 5, callers, players))


@pytest.mark.slow
def test_another_call_is_worse_than_the_bots() -> None:
    calls = found(Searcher)
    assert {one.kind for one in calls} == {"pass-bid", "bid-pass", "bid-higher", "bid-lower"}
    assert mean(one.came for one in calls) < 0
    whole = [one for one in by_kind(calls) if one["below"] is None]
    assert sum(int(str(one["calls"])) for one in whole) == len(calls)


@pytest.mark.slow
def test_the_control_a_bot_that_calls_badly_is_beaten_by_other_calls() -> None:
    assert mean(one.came for one in found(Backwards)) > 10
