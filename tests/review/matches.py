"""Matches to look at, played by the kernel bots."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from rookery.bots.player import KernelPlayer
from rookery.game import Hand, Match
from rookery.review.document import Review
from rookery.review.match_review import review
from rookery.rules import Rules, load

FEW = 160


def played(rules: Rules, bots: Sequence[str], seed: int, actions: int = 1000) -> Hand:
    """Return a hand that the bots play, broken off after so many actions."""
    players = [KernelPlayer(name, seed, seat) for seat, name in enumerate(bots)]
    hand = Hand.shuffled(rules, seed % rules.seats, seed)
    while not hand.over and len(hand.actions) < actions:
        hand = players[hand.to_act or 0].move(hand)
    return hand


def match_of(rules: Rules, *hands: Hand) -> Match:
    names = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal"]
    match = Match(rules, names[: rules.seats])
    for hand in hands:
        match = match.begin(hand)
    return match


@lru_cache(maxsize=1)
def example() -> Match:
    """Return two hands of the tournament game: one played by two good and two wild players."""
    rules = load("kd_tournament")
    return match_of(
        rules,
        played(rules, ["club", "random"] * 2, 3),
        played(rules, ["club"] * 4, 8, actions=30),
    )


@lru_cache(maxsize=1)
def reviewed() -> Review:
    """Return the review of the example."""
    return review(example(), rollouts=FEW, seed=5)
