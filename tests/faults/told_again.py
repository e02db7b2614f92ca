"""P11: what was stored tells the table again, and what a record says is what was played."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from tests.server.core.tables import Sheet, hands_of, looks, seen_hands, started

from rookery import record
from rookery.rules import Rules, RulesError, catalog, load
from rookery.server.registry.history import History, history_of
from rookery.server.registry.played import record_of
from rookery.server.table import events as ev
from rookery.server.table.state import Table

SHORT = (10, 50, 100)  # targets: a match of a hand or some
HANDS = 12  # of a match at most; where it goes on, the hands so far are looked at


def complaints(number: int, *, lossy: bool = False) -> Iterator[str]:
    """Play match `number` at random at a table of its variant; yield what is not told again.

    `lossy` is the control: the log lost what its last act said.
    """
    sheet = match_at(rules_of(number), number)
    stored = [ev.Entry(e.seq, e.at, ev.read(ev.written(e.event)), e.client) for e in sheet.entries]
    if lossy:
        stored = _without_a_card(stored)
    try:
        again = history_of(stored)
    except ValueError as error:
        yield f"match {number}: {error}"
        return
    if looks(again.table) != looks(sheet.table):
        yield f"match {number}: the fold of the events is another table"
    if hands_of(again) != seen_hands(sheet.hands):
        yield f"match {number}: the fold of the events has other hands"
    yield from _record_complaints(number, again, sheet)


def rules_of(number: int) -> Rules:
    """Return a variant of the catalogue, with a target near enough where it may have one."""
    name = catalog()[number % len(catalog())]
    target = SHORT[number // len(catalog()) % len(SHORT)]
    try:
        return load({"base": name, "target": target})
    except RulesError:
        return load(name)


def match_at(rules: Rules, seed: int) -> Sheet:
    """Return a table at which a match was played at random."""
    sheet, rng = started(rules, seed=seed), Random(seed)
    sheet.play(rng, lambda hand: hand.over and _hands(sheet.table) >= HANDS)
    return sheet


def _hands(table: Table) -> int:
    return table.place + 1


def _record_complaints(number: int, again: History, sheet: Sheet) -> Iterator[str]:
    text, live = record_of(again), sheet.table
    if text is None:
        if any(hand.phase == "done" for hand in sheet.hands):
            yield f"match {number}: there is no record"
        return
    kept = record.loads(text)
    played = [record.of_hand(hand) for hand in sheet.hands if hand.over]
    if [replace(hand, extra={}) for hand in kept.hands] != played:
        yield f"match {number}: the record is another one"
    if record.dumps(kept) != text:
        yield f"match {number}: the record is not printed as it is read"
    try:
        told = record.replay(kept)
    except record.RecordError as error:
        yield f"match {number}: {error}"
        return
    if live.match is None or told.totals != live.match.totals:
        yield f"match {number}: the record comes to other totals"


def _without_a_card(entries: list[ev.Entry]) -> list[ev.Entry]:
    """Return a log without its last act, its numbers closed up."""
    last = max(at for at, entry in enumerate(entries) if isinstance(entry.event, ev.Acted))
    after = (
        ev.Entry(entry.seq - 1, entry.at, entry.event, entry.client)
        for entry in entries[last + 1 :]
    )
    return [*entries[:last], *after]
