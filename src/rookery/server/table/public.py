"""What a seat is told of an event: a case for every kind, so that a new one cannot slip through."""

from __future__ import annotations

from typing import Any, assert_never

from rookery.game import Verb
from rookery.server.table import events as ev


def told(entry: ev.Entry, seat: int | None) -> dict[str, Any]:
    """Return an event as `seat`, or a watcher where it is None, is told it; ready for JSON."""
    event = entry.event
    head = {"seq": entry.seq, "at": entry.at}
    match event:
        case ev.TableMade():
            return {**head, "type": "table_made", "code": event.code}
        case ev.Sat():
            return {**head, "type": "sat", "seat": event.seat, "name": event.name}
        case ev.Left():
            return {**head, "type": "left", "seat": event.seat}
        case ev.BotSeated():
            return {**head, "type": "bot_seated", "seat": event.seat, "bot": event.bot}
        case ev.BotRemoved():
            return {**head, "type": "bot_removed", "seat": event.seat}
        case ev.Arranged():
            return {**head, "type": "arranged", "seats": event.seats}
        case ev.HostPassed():
            return {**head, "type": "host_passed", "seat": event.seat}
        case ev.SettingsChanged():
            return {**head, "type": "settings_changed"}
        case ev.Renamed():
            return {**head, "type": "renamed", "seat": event.seat, "name": event.name}
        case ev.DealPromised():
            bound = {"scheme": event.scheme, "commitment": event.commitment}
            return {**head, "type": "deal_promised", "number": event.number, **bound}
        case ev.Contributed():
            return {**head, "type": "contributed", "seat": event.seat}
        case ev.MatchBegun():
            return {**head, "type": "match_begun", "number": event.number}
        case ev.HandDealt():
            return {**head, "type": "hand_dealt", "number": event.number, "dealer": event.dealer}
        case ev.Acted():
            return {**head, **_acted(event, seat)}
        case ev.Challenged():
            return {**head, "type": "challenged", "seat": event.seat, "accused": event.accused}
        case ev.VoteAsked():
            asked = {"kind": event.kind, "seat": event.seat, "shown": event.shown}
            return {**head, "type": "vote_asked", **asked}
        case ev.Voted():
            return {**head, "type": "voted", "seat": event.seat, "yes": event.yes}
        case ev.VoteClosed():
            closed = {"kind": event.kind, "seat": event.seat, "accepted": event.accepted}
            return {**head, "type": "vote_closed", **closed}
        case ev.Undone():
            return {**head, "type": "undone", "seat": event.seat}
        case ev.Ready():
            return {**head, "type": "ready", "seat": event.seat}
        case ev.Rematched():
            return {**head, "type": "rematched", "seats": event.seats}
        case ev.Away():
            return {**head, "type": "away", "seat": event.seat}
        case ev.Back():
            return {**head, "type": "back", "seat": event.seat}
        case ev.StoodIn():
            return {**head, "type": "stood_in", "seat": event.seat, "bot": event.bot}
        case ev.Chatted() | ev.Reported() | ev.Blocked():
            # A line of chat is a message of its own; the rest is between one person and the server.
            return {**head, "type": "noted"}
        case _:
            assert_never(event)


def _acted(event: ev.Acted, seat: int | None) -> dict[str, Any]:
    """Return an act: laid face down, its cards are the actor's alone."""
    verb = Verb.of(event.text)
    text = event.text if verb.public or seat == event.seat else None
    return {"type": "acted", "seat": event.seat, "verb": verb, "text": text, "by": event.by}
