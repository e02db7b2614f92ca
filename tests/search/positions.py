"""Decisions on the way through a hand, for tests of what searches."""

from __future__ import annotations

from collections.abc import Iterator

from rookery.bots.dispatch import SILENT_CLUB, decide, decide_card
from rookery.bots.seat_info import SeatInfo, observe, observe_trick
from rookery.engine.rng import seeded
from rookery.engine.state import PLAY
from rookery.game import Hand
from rookery.rules import Rules
from rookery.search.search import Search
from rookery.search.searcher import Searcher

FEW: dict[str, str] = {"rollouts": "24", "ms": "600000"}


def searchers(
    rules: Rules, options: dict[str, str] = FEW, search: Search | None = None
) -> list[Searcher]:
    """Return a searching bot for each seat, with one search for all if given."""
    return [Searcher(rules, seat, options, search) for seat in range(rules.seats)]


def seated_anew(players: list[Searcher], hand: Hand, seed: int) -> None:
    """Let the bots begin a hand with dice of their own."""
    for seat, player in enumerate(players):
        player.begin(hand, seeded(seed, seat))


def scripted(hand: Hand) -> Iterator[Hand]:
    """Yield the hand at each decision while the script plays it."""
    mine = [SeatInfo() for _ in range(hand.rules.seats)]
    while not hand.over:
        yield hand
        seat, state = hand.to_act or 0, hand.state
        if state.phase == PLAY:
            observe_trick(hand.table, state, hand.hidden, mine[seat])
            hand = hand.do(decide_card(hand.table, state, mine[seat], SILENT_CLUB))
        else:
            observe(hand.table, state, hand.hidden, mine[seat])
            hand = hand.do(decide(hand.table, state, mine[seat], SILENT_CLUB))
