"""Revokes that the cards on the table prove, so that bots can challenge them as people do."""

from __future__ import annotations

from rookery.cards import Seat
from rookery.engine.score import side_of
from rookery.engine.trick import following
from rookery.game.action import Action, Verb
from rookery.game.hand import Hand


def shown_revoke(hand: Hand) -> Seat | None:
    """Return a seat that has revoked, as what it has played since then shows; None without one.

    It has played a card beside which another one, that all have seen by now, had to be played.
    """
    table = hand.table
    if not table.penalised or hand.phase != "play":
        return None
    revoked = hand.hidden.revoked
    if not revoked:
        return None
    now = hand.state
    for before, action in zip(hand.positions(), hand.actions, strict=False):
        s, place = before.state, before.state.turn
        if action.verb is Verb.PLAY and revoked >> place & 1:
            held = before.hidden.hand[place]
            # What is open may leave a choice that the hand as a whole had not, or the other way.
            if not any(
                following(table, s, cards) >> action.card & 1
                for cards in (held, held & now.played_by[place])
            ):
                return place
    return None


def challenge_of(hand: Hand, seats: int) -> Action | None:
    """Return the challenge of a revoke that the cards have shown; None without one.

    It comes from the first of some seats, a set, that is not on the side that revoked.
    """
    offender = shown_revoke(hand)
    if offender is None:
        return None
    against = seats & ~side_of(hand.table, hand.hidden, offender)
    for seat in range(hand.rules.seats):
        if against >> seat & 1:
            return hand.parse(f"{seat} {Verb.CHALLENGE} {offender}")
    return None
