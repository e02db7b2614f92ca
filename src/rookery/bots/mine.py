"""What a kernel bot is handed besides the open table: its cards, choices, memory."""

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
class Mine:
    """One seat's private knowledge. Together with `State` it is all that a bot sees."""

    seat: int = 0
    rng: int = 1  # the bot's own generator
    hand: int = 0
    nest: int = 0  # the discards, for the declarer
    pickup: int = 0  # the nest as it was found, for the declarer
    cards: int = 0  # the cards that may now be played, discarded, called or given
    floor: int = 0  # the lowest bid that is high enough, points
    memo: list[int] = cells(8)  # the bot's notes; all 0 at the start of a hand


@kernel
def forget(m: Mine) -> None:
    """Wipe a bot's notes for a new hand."""
    for i in range(8):
        m.memo[i] = 0


@kernel
def discards_of(s: State, h: Hidden, seat: int) -> int:
    """Return what a seat has laid into the nest: nothing before the declarer has taken it up."""
    return h.nest if seat == s.declarer and h.pickup else 0


@kernel
def look(table: RuleTable, s: State, h: Hidden, m: Mine) -> None:
    """Let the seat to act see its cards and its choices, in any phase but the play."""
    m.seat = s.turn
    m.hand = h.hand[s.turn]
    m.cards = legal_cards(table, s, h)
    m.floor = bid_floor(table, s)
    m.nest = discards_of(s, h, s.turn)
    m.pickup = h.pickup if s.turn == s.declarer else 0


@kernel
def look_at_trick(table: RuleTable, s: State, h: Hidden, m: Mine) -> None:
    """Let the seat to act see the hand it plays from and the cards that follow.

    Where revokes are penalised rather than prevented a bot is offered the same cards: bots do not
    revoke.
    """
    m.seat = actor(s) if table.dummy else s.turn
    m.hand = h.hand[s.turn]
    m.cards = following(table, s, m.hand)
    m.nest = discards_of(s, h, m.seat)
    m.pickup = h.pickup if m.seat == s.declarer else 0
