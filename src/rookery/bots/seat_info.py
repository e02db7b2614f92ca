"""What a kernel bot is given besides the open table: its cards, its choices and its notes."""

from __future__ import annotations

from dataclasses import dataclass

from rookery.engine.actions import actor, legal_cards
from rookery.engine.auction import bid_floor
from rookery.engine.kernel import kernel
from rookery.engine.state import Hidden, State
from rookery.engine.trick import following
from rookery.rules.fields import cells
from rookery.rules.table import RuleTable


@dataclass(slots=True)
class SeatInfo:
    """What one seat knows. Together with `State` it is all that a bot sees.

    Attributes:
        seat: the seat that decides.
        rng: the state of the bot's own generator.
        hand: the cards of the hand that it plays from.
        nest: the discards, for the declarer alone.
        pickup: the nest before the declarer took it up, for the declarer alone.
        cards: the cards that may be played, discarded, called or given now.
        floor: the lowest bid that is high enough, points.
        memo: the bot's notes, all 0 at the start of a hand.
    """

    seat: int = 0
    rng: int = 1
    hand: int = 0
    nest: int = 0
    pickup: int = 0
    cards: int = 0
    floor: int = 0
    memo: list[int] = cells(8)


@kernel
def clear_notes(m: SeatInfo) -> None:
    """Set a bot's notes to 0 for a new hand."""
    for i in range(8):
        m.memo[i] = 0


@kernel
def observe(table: RuleTable, s: State, h: Hidden, m: SeatInfo) -> None:
    """Write down the cards and the choices of the seat to act, in any phase but the play."""
    m.seat = s.turn
    m.hand = h.hand[s.turn]
    m.cards = legal_cards(table, s, h)
    m.floor = bid_floor(table, s)
    observe_nest(s, h, m, s.turn)


@kernel
def observe_trick(table: RuleTable, s: State, h: Hidden, m: SeatInfo) -> None:
    """Write down the hand that the seat to act plays from, and the cards that follow suit.

    Bots never revoke, even where the rules penalise a revoke and do not prevent it.
    """
    observe_cards(table, s, h, m)
    observe_nest(s, h, m, m.seat)


@kernel
def observe_cards(table: RuleTable, s: State, h: Hidden, m: SeatInfo) -> None:
    """Write down what `observe_trick` does, but for the nest: that stays as it is in the play."""
    m.seat = actor(s) if table.dummy else s.turn
    m.hand = h.hand[s.turn]
    m.cards = following(table, s, m.hand)


@kernel
def observe_nest(s: State, h: Hidden, m: SeatInfo, seat: int) -> None:
    """Write down the nest as far as a seat knows it: as declarer, from when it was taken up on."""
    m.pickup = h.pickup if seat == s.declarer else 0
    m.nest = h.nest if m.pickup else 0
