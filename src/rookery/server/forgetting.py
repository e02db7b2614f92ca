"""What is left of somebody who asks to be forgotten: a seat among others, under no name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from rookery.server import events as ev
from rookery.server.table import Table, evolve

SOMEBODY: Final = "Somebody"
UNSAID: Final = "..."


def without(entries: Sequence[ev.Entry], person: str) -> list[ev.Entry]:
    """Return those events of a table that name a person or hold the person's words, without them.

    Every card stays where it was played: put in their place, they fold to the same table but for
    the name.

    >>> log = [ev.Entry(1, 0, ev.Sat(0, "p", "Ann")), ev.Entry(2, 0, ev.Sat(1, "q", "Bob"))]
    >>> [entry.event.name for entry in without(log, "p")]
    ['Somebody']
    """
    table, changed = Table(""), list[ev.Entry]()
    for entry in entries:
        event = _nameless(table.seat_of(person), entry.event, person)
        if event != entry.event:
            changed.append(replace(entry, event=event))
        table = evolve(table, entry)
    return changed


def _nameless(seat: int | None, event: ev.Event, person: str) -> ev.Event:
    match event:
        case ev.Sat(person=who) if who == person:
            return replace(event, name=SOMEBODY)
        case ev.Renamed(seat=place) if place == seat:
            return replace(event, name=SOMEBODY)
        case ev.MatchBegun() if seat is not None:
            names = [SOMEBODY if i == seat else name for i, name in enumerate(event.players)]
            return replace(event, players=names)
        case ev.Chatted(person=who) if who == person:
            text = event.text and UNSAID
            return replace(event, name=SOMEBODY, text=text)
        case ev.Reported(person=who) if who == person:
            return replace(event, reason="")
        case _:
            return event
