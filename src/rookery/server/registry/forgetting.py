"""What is left of somebody who asks to be forgotten, and of what was said long ago."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec.structs import replace

from rookery.rules import Rules
from rookery.server.table import events as ev
from rookery.server.table.state import Table, evolve

SOMEBODY: Final = "Somebody"
UNSAID: Final = "..."
# What rules of one's own say of themselves; of the catalogue's nobody here is the author.
_RULES_SAY: Final = {
    name: Rules.model_fields[name].default
    for name in ("id", "name", "origin", "reconstructed", "notes")
}


def without(entries: Sequence[ev.Entry], person: str) -> list[ev.Entry]:
    """Return those entries of a table that hold something of a person's, without it.

    That is the name, what the person said at the table or in a report, the title and the name of
    house rules if they are the person's, and the ids that the person's program made up. Every card
    stays where it was played: put in their place, they fold to the same table but for these words.

    >>> log = [ev.Entry(1, 0, ev.Sat(0, "p", "Ann")), ev.Entry(2, 0, ev.Sat(1, "q", "Bob"))]
    >>> [entry.event.name for entry in without(log, "p")]
    ['Somebody']
    """
    return [after for before, after in _pairs(entries, person) if after != before]


def hushed(entries: Sequence[ev.Entry], until: int) -> list[ev.Entry]:
    """Return what somebody wrote at a table until then, without the words.

    `until` in milliseconds since 1970. Quick phrases, of which there are few, stay.

    >>> log = [ev.Entry(1, 5, ev.Chatted("p", "Ann", 0, "hi")), ev.Entry(2, 9, ev.Left(0))]
    >>> [entry.event.text for entry in hushed(log, 5)], hushed(log, 4)
    ([''], [])
    """
    found = []
    for entry in entries:
        event = entry.event
        if isinstance(event, ev.Chatted) and event.text and entry.at <= until:
            found.append(replace(entry, event=replace(event, text="")))
    return found


def _pairs(entries: Sequence[ev.Entry], person: str) -> Iterator[tuple[ev.Entry, ev.Entry]]:
    first = next((entry.event.person for entry in entries if isinstance(entry.event, ev.Sat)), None)
    # Whoever makes a table sits down at once.
    made = titled = first == person
    table = Table("")
    for entry in entries:
        theirs = entry.client is not None and entry.client.startswith(f"{person}:")
        event = _nameless(table.seat_of(person), entry.event, person)
        if isinstance(event, ev.SettingsChanged):
            titled = theirs if event.title != table.title else titled
        if titled and isinstance(event, ev.TableMade | ev.SettingsChanged):
            event = replace(event, title="")
        if made and isinstance(event, ev.TableMade | ev.MatchBegun):
            event = replace(event, rules=_plain(event.rules))
        yield entry, replace(entry, event=event, client=None if theirs else entry.client)
        table = evolve(table, entry)


def _plain(rules: dict[str, Any]) -> dict[str, Any]:
    return rules if rules.get("id") is not None else {**rules, **_RULES_SAY}


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
