"""Taking back and claiming: who has to be asked, and what follows from the answers."""

from __future__ import annotations

from rookery.game import Hand, Verb
from rookery.server.table import events as ev
from rookery.server.table.claims import played_out, sure
from rookery.server.table.refusals import Refused, refused
from rookery.server.table.state import Pending, Table, without_last_act

Outcome = list[ev.Event] | Refused


def undo(table: Table, seat: int) -> Outcome:
    """A seat wants its last act back.

    An act that nobody has seen is simply taken back; one that was shown needs the yes of all other
    people there. What has shown anybody a card, or was answered, stays.
    """
    hand = table.hand
    if table.match is None or hand is None or not hand.actions or table.phase != "playing":
        return refused("nothing-to-undo", "nothing has been done yet")
    if _actor_of_last(table, hand) != seat:
        return refused("nothing-to-undo", "the last act is not yours")
    before = without_last_act(hand)
    if _revealed(before, hand):
        return refused("too-late")
    if len(hand.actions) == table.denied:
        return refused("asked-already")
    voters = others(table, seat)
    if not voters or not _was_shown(hand):
        return [ev.Undone(seat)]
    return [ev.VoteAsked("undo", seat, [], voters)]


def claim(table: Table, seat: int) -> Outcome:
    """A seat claims all the tricks that are left."""
    hand = table.hand
    if hand is None or table.phase != "playing" or hand.phase != "play":
        return refused("not-now", "a claim comes while tricks are played")
    if hand.to_act != seat:
        return refused("not-your-turn", "a claim is made on your own turn")
    bots = [
        other
        for other, chair in enumerate(table.chairs)
        if other != seat and chair.player is not None
    ]
    if bots and not sure(hand, seat):
        return refused("claim-unproven")
    voters = others(table, seat)
    asked = ev.VoteAsked("claim", seat, hand.names(hand.cards_held[seat]), voters)
    if voters:
        return [asked]
    return [asked, ev.VoteClosed("claim", seat, accepted=True), *_plays(hand, seat)]


def vote(table: Table, seat: int, *, yes: bool) -> Outcome:
    """A seat answers; one no closes the question, and so does the last yes."""
    asked = table.pending
    if asked is None or seat not in asked.voters or seat in asked.votes:
        return refused("no-vote", "nothing is asked of you")
    events: list[ev.Event] = [ev.Voted(seat, yes)]
    if not yes:
        return [*events, closed(asked, accepted=False)]
    if {*asked.votes, seat} >= set(asked.voters):
        events += [closed(asked, accepted=True), *_granted(table, asked)]
    return events


def closed(asked: Pending, *, accepted: bool) -> ev.VoteClosed:
    """Return the event that closes a question."""
    return ev.VoteClosed(asked.kind, asked.seat, accepted)


def others(table: Table, seat: int) -> list[int]:
    """Return the other people who play at the table themselves."""
    return [
        other
        for other, chair in enumerate(table.chairs)
        if other != seat and chair.kind == "person" and chair.stand_in is None
    ]


def _granted(table: Table, asked: Pending) -> list[ev.Event]:
    hand = table.hand
    if asked.kind == "undo":
        return [ev.Undone(asked.seat)]
    return [] if hand is None else _plays(hand, asked.seat)


def _plays(hand: Hand, seat: int) -> list[ev.Event]:
    actions = played_out(hand, seat).actions[len(hand.actions) :]
    return [ev.Acted(action.seat, str(action), "claim") for action in actions]


def _actor_of_last(table: Table, hand: Hand) -> int | None:
    """Return who decided the last act: the declarer for a card of the dummy."""
    last = hand.actions[-1]
    return hand.declarer if last.verb is Verb.PLAY and hand.dummy == last.seat else last.seat


def _revealed(before: Hand, after: Hand) -> bool:
    """Return whether an act showed anybody cards, besides the one that was played."""
    s, t, h, g = before.state, after.state, before.hidden, after.hidden
    return (
        after.over
        or len(after.tricks) > len(before.tricks)
        or g.pickup != h.pickup
        or g.blind_at != h.blind_at
        or bool(t.exposed & ~s.exposed)
        or bool(t.face_up & ~s.face_up)
        or (g.gift != h.gift and after.phase != before.phase)
    )


def _was_shown(hand: Hand) -> bool:
    return hand.actions[-1].verb.public or hand.nest_statement is not None
