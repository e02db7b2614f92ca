"""What a seat asks a search with: all that it knows, and nothing that it may not know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from rookery.bots.seat_info import SeatInfo, observe, observe_trick
from rookery.engine.state import PLAY, State
from rookery.game import Hand, Verb


class Call(NamedTuple):
    """A call of the auction: a bid in points, or 0 for a pass."""

    seat: int
    bid: int


@dataclass(slots=True)
class SearchRequest:
    """All that the seat to act knows: enough to search, and nothing that it may not know.

    Attributes:
        state: what lies open.
        mine: the seat's own cards, choices, dice and notes.
        calls: the bids and passes of the auction, in order.
        totals: each seat's total before this hand; empty if points are what counts.
        begun: what lay open before the first lead; None before it.
        played: the cards since then, in order.
    """

    state: State
    mine: SeatInfo
    calls: list[Call] = field(default_factory=list)
    totals: list[int] = field(default_factory=list)
    begun: State | None = None
    played: list[int] = field(default_factory=list)


def request_of(hand: Hand, mine: SeatInfo, totals: Sequence[int] = ()) -> SearchRequest:
    """Return what the seat to act knows; `mine` has its dice and notes, the rest is looked up."""
    from rookery.solver.constraints import note_own  # late: a server that starts asks nothing yet

    state = hand.state
    (observe_trick if state.phase == PLAY else observe)(hand.table, state, hand.hidden, mine)
    # Otherwise a declarer who begins with a card of the dummy would not know their own hand.
    note_own(hand.hidden, mine)
    return SearchRequest(state, mine, calls_of(hand), list(totals), hand.begun, hand.played)


def calls_of(hand: Hand) -> list[Call]:
    """Return the bids and passes of a hand's auction, in order, without other calls."""
    return [
        Call(action.seat, action.amount if isinstance(action.amount, int) else 0)
        for action in hand.actions
        if action.verb is Verb.PASS or isinstance(action.amount, int)
    ]
