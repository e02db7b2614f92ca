"""A bot that sees all cards is found, bots that do not are not: on fixed deals, the same always.

Figures of hundreds of hands are in the documentation; here are few, with fewer worlds and tricks.
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from math import sqrt
from typing import NamedTuple

import pytest

from rookery.bots.names import bot
from rookery.engine.rng import seeded
from rookery.game import Hand
from rookery.lab.observations import Observer, foresight
from rookery.rules import load

TABLES = {("open-hand",): 28, ("club", "expert:rollouts=100", "papa"): 14}  # bots, hands
CLEAR = 3.0  # standard errors


class Found(NamedTuple):
    """What is seen of a bot, in standard errors of the mean over the hands of its seats.

    Attributes:
        truth: where the true hand is the true one.
        planted: where a drawn hand is put in its place.
    """

    truth: float
    planted: float


@lru_cache(maxsize=1)
def found() -> dict[str, Found]:
    """Return what is seen of four bots at two tables."""
    sums: dict[tuple[str, bool, int, int], int] = defaultdict(int)
    rules = load("kd_tournament")
    for table, hands in TABLES.items():
        names = (table * 4)[:4]
        players = [bot(name).seated(rules, seat, 600_000) for seat, name in enumerate(names)]
        observer = Observer(rules, worlds=6, tricks=7)
        for number in range(hands):
            hand = Hand.shuffled(rules, number % 4, seeded(3, number) >> 1)
            for seat, player in enumerate(players):
                player.begin(hand, seeded(number, seat) >> 1)
            while not hand.over:
                hand = hand.act(players[hand.to_act or 0].act(hand))
            for step, values, done in observer.choices(hand):
                seat = step.before.to_act or 0
                sums[names[seat], True, number, seat] += foresight(values, done)
                sums[names[seat], False, number, seat] += foresight(values[1:], done)
    return {
        name.split(":")[0]: Found(*(errors(sums, name, truth=truth) for truth in (True, False)))
        for name in {key[0] for key in sums}
    }


def errors(sums: dict[tuple[str, bool, int, int], int], name: str, *, truth: bool) -> float:
    """Return the mean of a bot's hands in standard errors."""
    gains = [value for key, value in sums.items() if key[:2] == (name, truth)]
    mean = sum(gains) / len(gains)
    return mean / sqrt(sum((gain - mean) ** 2 for gain in gains)) * len(gains)


def test_the_bot_that_sees_all_cards_is_found() -> None:
    assert found()["open-hand"].truth > CLEAR


@pytest.mark.parametrize("name", ["club", "papa", "expert"])
def test_bots_that_do_not_are_not(name: str) -> None:
    assert abs(found()[name].truth) < CLEAR


@pytest.mark.parametrize("name", ["open-hand", "club", "papa", "expert"])
def test_nobody_foresees_a_hand_that_is_put_in_the_place_of_the_true_one(name: str) -> None:
    assert abs(found()[name].planted) < CLEAR
