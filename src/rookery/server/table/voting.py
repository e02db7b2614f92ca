"""Undo and claims: whom to ask, and what follows from the answers."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Final

import msgspec

from rookery.cards import CARDS, ROOK, CardSet, pack_cards, unpack
from rookery.engine.state import PLAY
from rookery.engine.trick import following
from rookery.game import Hand, Verb
from rookery.rules.order import BLACK_2, SUITS, TRUMP
from rookery.rules.table import RuleTable
from rookery.server.table import events as ev
from rookery.server.table.refusals import Refused, refused
from rookery.server.table.state import Table

CLAIMS: Final = 3  # that are refused, of one seat in one hand
_DOUBTS: Final = {"lead": "you do not lead now", "dummy": "a hand lies open"}


def doubt(hand: Hand, seat: int) -> str | None:
    """Return why `seat` is not certain to win every remaining trick; None where it is.

    ``dummy`` where a hand lies open, ``lead`` where the seat does not lead now, else the name of
    its weakest card that may be beaten. Only the claimer's knowledge counts: any other unplayed
    card could be in any hand. While one of those is a trump, no plain card is certain.
    """
    s, h, table = hand.state, hand.hidden, hand.table
    if s.dummy >= 0:
        return "dummy"
    if s.phase != PLAY or s.turn != seat or s.trick_size:
        return "lead"
    mine = h.hand[seat]
    seen = mine | reduce(or_, s.captured)
    if seat == s.declarer:
        seen |= h.nest
    unseen = pack_cards(hand.rules.deck) & ~seen
    open_to = [card for card in unpack(mine) if not _boss(table, s.row, card, unseen)]
    if table.black_2_beats_rook and mine >> ROOK & 1 and unseen >> BLACK_2 & 1:
        open_to.append(ROOK)
    if not open_to:
        return None
    return hand.names([min(open_to, key=lambda card: _worth(table, s.row, card))])[0]


def played_out(hand: Hand, seat: int) -> Hand:
    """Return the finished hand: `seat` plays its highest cards, the others their lowest."""
    while not hand.over:
        hand = hand.do(_card(hand, seat))
    return hand


def _card(hand: Hand, seat: int) -> int:
    s, h, table = hand.state, hand.hidden, hand.table
    cards = unpack(following(table, s, h.hand[s.turn]))
    chosen = max if hand.to_act == seat else min
    return chosen(cards, key=lambda card: _worth(table, s.row, card))


def _worth(table: RuleTable, row: int, card: int) -> tuple[int, int]:
    return table.strength[row * CARDS + card], -card


def _boss(table: RuleTable, row: int, card: int, unseen: CardSet) -> bool:
    suit = table.suit[row * CARDS + card]
    rivals = unseen & (table.mask[row * SUITS + suit] | table.mask[row * SUITS + TRUMP])
    strength = table.strength[row * CARDS + card]
    return all(table.strength[row * CARDS + rival] < strength for rival in unpack(rivals))


Outcome = list[ev.Event] | Refused


def undo(table: Table, seat: int) -> Outcome:
    """Return the events of asking for an undo, or the refusal.

    An act that nobody has seen is taken back at once. One that was shown needs the yes of all other
    people who are there. An act that revealed a card, or that was answered, stays.
    """
    hand = table.hand
    if hand is None or not hand.actions or table.phase != "playing":
        return refused("nothing-to-undo")
    if actor_of_last(hand) != seat:
        return refused("nothing-to-undo", "the last move is not yours")
    before = hand.without_last()
    if _revealed(before, hand):
        return refused("too-late")
    was_shown = hand.actions[-1].verb.public or hand.nest_statement is not None
    if not may_ask(table, "undo", seat):
        return refused("asked-already", None if was_shown else "you have taken that back before")
    voters = others(table, seat)
    if not voters or not was_shown:
        return [ev.Undone(seat)]
    return [ev.VoteAsked("undo", seat, [], voters)]


def claim(table: Table, seat: int) -> Outcome:
    """Return the events of claiming the remaining tricks, or the refusal."""
    hand = table.hand
    if hand is None or hand.phase != "play":
        return refused("not-now", "you can claim only while tricks are played")
    if table.to_act != seat:
        return refused("not-your-turn", "you can claim only on your own turn")
    if not may_ask(table, "claim", seat):
        return refused("asked-already", f"one claim a turn, and {CLAIMS} a hand that are refused")
    bots = any(chair.player for other, chair in enumerate(table.chairs) if other != seat)
    if bots and (why := doubt(hand, seat)) is not None:
        told = _DOUBTS.get(why, f"{why} may be beaten by a card that you have not seen")
        return Refused("claim-unproven", f"you cannot prove that yet: {told}; play on", why)
    voters = others(table, seat)
    asked = ev.VoteAsked("claim", seat, hand.names(hand.cards_held[seat]), voters)
    if voters:
        return [asked]
    return [asked, ev.VoteClosed("claim", seat, accepted=True), *_plays(hand, seat)]


def vote(table: Table, seat: int, *, yes: bool, seen: int | None = None) -> Outcome:
    """Return the events of an answer. One no closes the question, and so does the last yes.

    It is late where the table that was `seen` is older than the question.
    """
    pending = table.pending
    if pending is None or seat not in pending.voters or seat in pending.votes:
        return refused("no-vote", "there is nothing for you to answer")
    if seen is not None and not pending.seq <= seen <= table.seq:
        return refused("late")
    events: list[ev.Event] = [ev.Voted(seat, yes)]
    if not yes:
        return [*events, *rejected(pending)]
    if {*pending.votes, seat} >= set(pending.voters):
        events.append(ev.VoteClosed(pending.kind, pending.seat, accepted=True))
        if pending.kind == "undo":
            events.append(ev.Undone(pending.seat))
        elif table.hand is not None:
            events += _plays(table.hand, pending.seat)
    return events


def rejected(pending: ev.Pending | None) -> list[ev.Event]:
    """Return the event that closes an open question without a yes; none where none is open."""
    if pending is None:
        return []
    return [ev.VoteClosed(pending.kind, pending.seat, accepted=False)]


def others(table: Table, seat: int) -> list[int]:
    """Return the other seats that people play themselves."""
    return [
        other
        for other, chair in enumerate(table.chairs)
        if other != seat and chair.kind == "person" and chair.stand_in is None
    ]


def _plays(hand: Hand, seat: int) -> list[ev.Event]:
    actions = played_out(hand, seat).actions[len(hand.actions) :]
    return [ev.Acted(action.seat, str(action), "claim") for action in actions]


def may_ask(table: Table, kind: ev.Kind, seat: int) -> bool:
    """Return whether the others have not said no to this, nor to too many claims in this hand.

    Otherwise the time of a turn would have no end: it does not run while a question is open.
    """
    acts = -1 if table.hand is None else len(table.hand.actions)
    claims = [asked for asked in table.denied if asked[:2] == ("claim", seat)]
    return (kind, seat, acts) not in table.denied and (kind != "claim" or len(claims) < CLAIMS)


def actor_of_last(hand: Hand) -> int | None:
    """Return who decided the last act: for a dummy's card, the declarer."""
    last = hand.actions[-1]
    return hand.declarer if last.verb is Verb.PLAY and hand.dummy == last.seat else last.seat


def _revealed(before: Hand, after: Hand) -> bool:
    """Return whether an act revealed cards other than the one that was played."""
    s, t, h, g = before.state, after.state, before.hidden, after.hidden
    return (
        after.over
        or len(after.tricks) > len(before.tricks)
        or bool(g.pickup & ~h.pickup & ~s.face_up)
        or g.blind_at != h.blind_at
        or bool(t.exposed & ~s.exposed)
        or bool(t.face_up & ~s.face_up)
        or (g.gift != h.gift and after.phase != before.phase)
    )


def asker(table: Table, kind: ev.Kind) -> int | None:
    """Return who may be offered an undo or a claim, as far as all can see; None for nobody."""
    hand, seat = table.hand, None
    if hand is None or table.pending is not None or hand.over:
        return None
    if kind == "claim":
        seat = table.to_act if hand.phase == "play" else None
    elif hand.actions and (hand.actions[-1].verb is not Verb.PLAY or hand.trick):
        seat = actor_of_last(hand)
    return seat if seat is not None and may_ask(table, kind, seat) else None


class PendingSeen(msgspec.Struct, frozen=True):
    """An open question: who is asked, who has said yes, and the cards that a claimer shows."""

    kind: str
    by: int
    since: int
    voters: list[int]
    votes: dict[str, bool]
    cards: list[str]


def pending_seen(pending: ev.Pending | None) -> PendingSeen | None:
    """Return what everybody is shown of an open question."""
    if pending is None:
        return None
    votes = {str(seat): True for seat in sorted(pending.votes)}  # as browsers sort them
    return PendingSeen(
        pending.kind, pending.seat, pending.since, list(pending.voters), votes, list(pending.shown)
    )
