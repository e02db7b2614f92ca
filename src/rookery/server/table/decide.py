"""What a command does: its events, or a refusal. No clock, no randomness, no I/O.

Random numbers come from `secret`, which the caller passes in.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from rookery.bots.birds import BIRDS
from rookery.fairness.deal import Secret
from rookery.game import BadAction, IllegalAction, Verb
from rookery.server.names import PHRASES, BadText, clean_chat
from rookery.server.table import absence, seating, voting
from rookery.server.table import commands as cm
from rookery.server.table import events as ev
from rookery.server.table.dealing import dealt
from rookery.server.table.refusals import Refused, refused
from rookery.server.table.state import Table, Who
from rookery.server.table.voting import Outcome


def decide(
    table: Table,
    who: Who,
    command: cm.Changing,
    secret: Secret,
    default_bot: str,
    now: int = 0,
) -> Outcome:
    """Return the events of a person's command that came at `now`, or the refusal.

    There are no events where nothing has to change.
    """
    seat = table.seat_of(who.id)
    if table.silenced.get(who.id) == "away":
        return refused("sent-away")
    match command:
        case cm.Sit():
            return seating.sit(table, who, command)
        case cm.Chat():
            return _chat(table, who, seat, command)
        case cm.Report() | cm.Block():
            return _about(table, who, command)
        case _:
            if seat is None:
                return refused("not-seated")
            return _seated(table, seat, command, secret, default_bot, now)


# What an evening says for its tables, and what would have the other tables wait.
_OfEvening = cm.Start | cm.Arrange | cm.Bot | cm.Replace | cm.Host | cm.Table | cm.Rematch | cm.Halt
_OfAnySeat = cm.StandIn | cm.Bot | cm.Replace | cm.Host
_Plays = cm.Act | cm.Challenge | cm.Undo | cm.Claim
_Seated = cm.Leave | cm.Face | cm.StandIn | cm.Halt | cm.Rematch | cm.PlayCommand | cm.HostCommand


def _seated(
    table: Table, seat: int, command: _Seated, secret: Secret, default_bot: str, now: int
) -> Outcome:
    if table.evening is not None and isinstance(command, _OfEvening):
        return refused("of-evening")
    if table.host != seat and isinstance(command, cm.HostCommand):
        return refused("not-host")
    if isinstance(command, cm.StandIn | cm.Rematch) and not seating.stands_for_host(table, seat):
        return refused("not-host")
    if isinstance(command, _OfAnySeat) and command.seat >= len(table.chairs):
        return seating.no_seat(table)
    if table.pending is not None and isinstance(command, _Plays):
        return refused("vote-pending")
    match command:
        case cm.Act():
            if not table.dealt_seq <= command.seen <= table.seq:
                return refused("late")
            return _in_time(table, seat, command.seen, act(table, seat, command.action, "person"))
        case cm.Leave():
            return seating.leave(table, seat, default_bot)
        case cm.Vote():
            return voting.vote(table, seat, yes=command.yes, seen=command.seen)
        case cm.Contribute():
            return _contribute(table, seat, command)
        case cm.Next():
            return _in_time(table, seat, command.seen, _next(table, seat, secret))
        case cm.Halt():
            if command.on and len(table.people_here) != 1:
                return refused("not-now", "others are here, and do not wait for one alone")
            return [] if command.on == table.halt else [ev.Halted(seat, command.on)]
        case cm.Face():
            if command.face != "" and command.face not in BIRDS:
                return refused("no-face")
            shown = table.faces.get(table.chairs[seat].person or "", "")
            return [] if command.face == shown else [ev.FaceChosen(seat, command.face)]
        case cm.Challenge():
            return act(table, seat, f"challenge {command.seat}", "person")
        case cm.Undo():
            return _in_time(table, seat, command.seen, voting.undo(table, seat))
        case cm.Claim():
            return _in_time(table, seat, command.seen, voting.claim(table, seat))
        case cm.Rematch():
            return seating.rematch(table, default_bot, secret)
        case cm.StandIn():
            return absence.stand_in(table, command, default_bot, now)
        case cm.Start():
            return seating.start(table, command, default_bot, secret)
        case cm.Arrange():
            return seating.arrange(table, command)
        case cm.Bot():
            return seating.bot(table, command)
        case cm.Replace():
            return seating.replace(table, command, default_bot)
        case cm.Host():
            return seating.hand_over(table, command)
        case cm.Mute() | cm.SendAway():
            return _silence(table, command)
        case cm.Table():
            return seating.settings(table, command)
        case _:
            assert_never(command)


def _in_time(table: Table, seat: int, seen: int | None, outcome: Outcome) -> Outcome:
    """Return what a command comes to; the refusal where it would be another thing than was meant.

    Since the table that was `seen` something may have been decided for the seat: by the clock, by
    a bot, or by its person on another device.
    """
    since = max(table.dealt_seq, table.decided.get(seat, 0))
    late = seen is not None and not since <= seen <= table.seq
    return refused("late") if late and not isinstance(outcome, Refused) else outcome


def act(table: Table, seat: int, action: str, by: ev.By) -> Outcome:
    """Return the event of an action of `seat`, or the refusal. A dummy's card is the dummy's."""
    hand = table.hand
    if table.match is None or hand is None or table.phase != "playing":
        return refused("not-now", "no hand is being played")
    try:
        done = hand.parse(f"{seat} {action}")
    except BadAction as error:
        return Refused(error.code, error.reason)
    turn = hand.turn
    if done.verb is Verb.PLAY and turn not in (None, seat) and hand.to_act == seat:
        done = replace(done, seat=turn)
    if done.verb is Verb.CHALLENGE and table.has_challenged(seat):
        return refused("challenged-already")
    try:
        after = table.match.tried(done)
    except IllegalAction as error:
        accused = done.target
        if error.code == "no-revoke" and accused is not None and accused in hand.may_accuse(seat):
            # Allowed, but everybody sees it: otherwise it would be a free look at the cards.
            return [ev.Challenged(seat, accused)]
        return Refused(error.code, error.reason)
    # In the record's spelling, whatever the client's was.
    return [ev.Acted(seat, str(after.hands[-1].actions[-1]), by)]


def _next(table: Table, seat: int, secret: Secret) -> Outcome:
    if not table.between_hands:
        return refused("not-now", "the next hand comes after this one")
    if table.host_asked:
        if seat != table.host:
            return refused("not-host", "nobody has played for many hands; the host decides")
        return [ev.Ready(seat), *dealt(table, secret)]
    if seat in table.ready:
        return refused("not-now", "the others have not seen the score yet")
    events: list[ev.Event] = [ev.Ready(seat)]
    waited_for = {*table.people_here} - table.ready - {seat}
    return events if waited_for else [*events, *dealt(table, secret)]


def _contribute(table: Table, seat: int, command: cm.Contribute) -> Outcome:
    promise = table.promise
    if table.evening is not None and table.evening.deals:
        return refused("bad-share", "these deals are the same at several tables")
    if promise is None or promise.number != command.number or seat in dict(promise.shares):
        return refused("bad-share")
    return [ev.Contributed(seat, command.share)]


def _silence(table: Table, command: cm.Mute | cm.SendAway) -> Outcome:
    line = next((line.said for line in table.lines if line.seq == command.line), None)
    if line is None or table.seat_of(line.person) is not None:
        return refused("no-watcher")
    if isinstance(command, cm.SendAway):
        return [ev.Silenced(line.person, "away")]
    if table.silenced.get(line.person) == "away":
        return refused("no-watcher")
    return [ev.Silenced(line.person, "muted" if command.on else "heard")]


def _chat(table: Table, who: Who, seat: int | None, command: cm.Chat) -> Outcome:
    if seat is not None:
        # Where somebody has the new name of whoever sits here, they go on under the old one.
        who = who._replace(name=table.chairs[seat].name)
    elif table.silenced.get(who.id) == "muted":
        return refused("muted")
    elif seating.is_taken(table, who.id, who.name) or seating.is_a_bots(table, who.name):
        return seating.name_taken(who.name)
    if (command.text is None) == (command.phrase is None):
        return refused("bad-text", "expected a text or a phrase")
    if command.phrase is not None:
        if command.phrase not in PHRASES:
            return refused("bad-text", "no such phrase")
        return [ev.Chatted(who.id, who.name, seat, phrase=command.phrase)]
    try:
        text = clean_chat(command.text or "")
    except BadText as error:
        return refused("bad-text", error.reason)
    return [ev.Chatted(who.id, who.name, seat, text=text)]


def _about(table: Table, who: Who, command: cm.Report | cm.Block) -> Outcome:
    seat = command.seat
    person = table.chairs[seat].person if seat < len(table.chairs) else None
    if person is None or person == who.id:
        return refused("no-person", "expected the seat of another person")
    if isinstance(command, cm.Block):
        return [ev.Blocked(who.id, person)]
    try:
        reason = clean_chat(command.reason) if command.reason.strip() else ""
    except BadText as error:
        return refused("bad-text", error.reason)
    return [ev.Reported(who.id, person, reason)]
