"""What a seat knows of a hand, apart from the hand: enough to search, and nothing that it may not.

Whoever has the hand takes `seen_by` of it and hands that to somebody who never sees the hand, in
another process or on another machine: `weigh`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, cast

from rookery.bots.club.counting import OWN
from rookery.bots.seat_info import SeatInfo, observe, observe_trick
from rookery.engine.state import PLAY, State
from rookery.game import Action, Hand, Verb
from rookery.rules import Rules
from rookery.search.choice import Choice
from rookery.search.desk import Call, Desk
from rookery.search.mover import Searcher, calls_of


@dataclass(slots=True)
class Seen:
    """All that the seat to act knows.

    Attributes:
        state: what lies open.
        mine: its own cards, choices, dice and notes.
        calls: the bids and passes of the auction, in order; a bid in points, 0 for a pass.
        totals: each seat's total before this hand; empty where points are what counts.
        begun: what lay open before the first lead, None before it.
        played: the cards since, in order.
    """

    state: State
    mine: SeatInfo
    calls: list[Call] = field(default_factory=list)
    totals: list[int] = field(default_factory=list)
    begun: State | None = None
    played: list[int] = field(default_factory=list)


class Thoughts(NamedTuple):
    """What came of thinking.

    Attributes:
        choices: the best first.
        rng: where the seat's dice have got to.
        memo: its notes.
    """

    choices: list[Choice]
    rng: int
    memo: list[int]


def seen_by(hand: Hand, mine: SeatInfo, totals: Sequence[int] = ()) -> Seen:
    """Return what the seat to act knows; `mine` has its dice and notes, the rest is looked up."""
    state = hand.state
    (observe_trick if state.phase == PLAY else observe)(hand.table, state, hand.hidden, mine)
    mine.memo[OWN] = hand.hidden.hand[mine.seat]  # as `Searcher` notes it
    return Seen(state, mine, calls_of(hand), list(totals), hand.begun, hand.played)


def weigh(
    rules: Rules, options: Mapping[str, str], seen: Seen, desk: Desk, *, even: bool = False
) -> Thoughts:
    """Return the choices of the seat to act; of a discard, of its next card.

    Args:
        rules: those that `desk` was made for.
        options: of the searching bot, by name.
        seen: what the seat knows.
        desk: where to think.
        even: let all choices meet the same worlds; see `Searcher.weigh`.
    """
    searcher = _Handed(rules, seen, options, desk)
    desk.stakes(tuple(seen.totals))
    # The open table and the calls are all that a searcher takes from a hand besides its own look.
    choices = searcher.weigh(cast(Hand, _OpenTable(seen)), even=even)
    return Thoughts(choices, seen.mine.rng, list(seen.mine.memo))


class _Handed(Searcher):
    """A searcher that is handed what it would have seen."""

    def __init__(self, rules: Rules, seen: Seen, options: Mapping[str, str], desk: Desk) -> None:
        super().__init__(rules, seen.mine.seat, options, desk)
        self._seen = seen

    def _look(self, hand: Hand) -> tuple[State, SeatInfo]:
        return self._seen.state, self._seen.mine


class _OpenTable:
    """The part of a hand that everybody has seen."""

    def __init__(self, seen: Seen) -> None:
        self.state, self.begun, self.played = seen.state, seen.begun, seen.played
        self.actions = tuple(
            Action(call.seat, Verb.BID, amount=call.bid)
            if call.bid
            else Action(call.seat, Verb.PASS)
            for call in seen.calls
        )
