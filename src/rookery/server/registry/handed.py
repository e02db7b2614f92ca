"""Matches that are handed in: kept at a table of their own, each once, as if played here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rookery.record import HandRecord, loads
from rookery.server.cluster.pubsub import Changed
from rookery.server.live.actor import MOVED
from rookery.server.registry.handed_match import BadMatch, Handed, added, begun, check
from rookery.server.registry.history import History, history_of
from rookery.server.registry.played import record_of
from rookery.server.registry.tables import TableRegistry
from rookery.server.store.base import Conflict, Fenced, InDoubt, StoreError, TableRow, row_of
from rookery.server.store.leases import Lease
from rookery.server.table import events as ev
from rookery.server.table.fold import evolve
from rookery.server.table.state import Table, Who
from rookery.server.work import in_thread


class _Added(NamedTuple):
    number: int  # of the match at its table
    row: TableRow
    entries: list[ev.Entry]  # what is new


async def keep(tables: TableRegistry, who: Who, handed: Handed) -> int:
    """Keep a match at the table of its code; return its number there, from 0.

    A match that is there already is not added again, so it may be handed in as often as it takes.

    Raises:
        BadMatch: it is not kept; its text says why.
        Fenced: another server has the table.
        StoreError: the store cannot be written.
    """
    try:
        return await _kept(tables, who, handed)
    except (Fenced, InDoubt):  # whoever hands it in again learns which
        raise
    except Conflict:  # in the same moment it was handed in at another server
        return await _kept(tables, who, handed)


async def _kept(tables: TableRegistry, who: Who, handed: Handed) -> int:
    """Do once what `keep` does; raise `Conflict` where another server has just written there."""
    history = await tables.history(handed.code)
    if history is not None:
        # Nobody there is disturbed for nothing.
        check(history.table, handed, who)
        there = await in_thread(_number, history, handed)
        if there is not None:
            return there
        _alone(history, who)
    async with tables.lock(handed.code):
        await tables.stop(handed.code, MOVED, "a match was handed in")
        lease = await tables.leases.take(handed.code)
        if lease is not None and not isinstance(lease, Lease):
            raise Fenced(f"another server has table {handed.code}")
        lease = lease or tables.leases.fresh()
        timeline, now = await tables.store.timeline(), tables.clock.now()
        kept, row = await tables.store.read(handed.code), await tables.store.row(handed.code)
        hidden = row is not None and tables.calendar.hides(row)
        try:
            found = await in_thread(_added, kept, who, handed, timeline.id, now, hidden)
            if found.entries:
                await tables.store.append(found.row, found.entries, lease)
                notice = Changed(handed.code, lease, found.entries[-1].seq)
                tables.pubsub.publish(notice)
        finally:
            tables.recall(handed.code)
            await tables.leases.give_back(handed.code, lease)
    return found.number


def _number(history: History, handed: Handed) -> int | None:
    """Return the number of the match at a table, if it is there."""
    proof = handed.proof(0)
    for number, match in enumerate(history.matches):
        first = match.hands[0].proof if match.hands else None
        if first is None or (first.number, first.key) != (proof["number"], proof["key"]):
            continue
        if not _is_written(history, number, handed):
            raise BadMatch(f"of table {handed.code} another match with these deals is kept here")
        return number
    return None


def _alone(history: History, who: Who) -> None:
    """Do nothing where nobody else has played: a device may have chosen what it says was dealt."""
    hands = (hand for match in history.matches for hand in match.hands)
    if any(person != who.id for hand in hands for person, _ in hand.people):
        raise BadMatch(f"others have played at table {history.table.code} of this server")


def _is_written(history: History, number: int, handed: Handed) -> bool:
    """Return whether a match of a table is the one of the record."""
    text = record_of(history, number)
    if text is None or history.matches[number].winners != handed.match.winners:
        return False
    hands = zip(loads(text).hands, handed.kept.hands, strict=False)
    same = [_told(one) == _told(other) for one, other in hands]
    return len(same) == len(handed.kept.hands) and all(same)


def _told(hand: HandRecord) -> tuple[object, ...]:
    return hand.dealer, hand.deal, hand.nest, hand.actions, hand.extra["proof"]


def _added(
    kept: Sequence[ev.Entry], who: Who, handed: Handed, timeline: str, now: int, hidden: bool
) -> _Added:
    """Return what is added to the events of a table; nothing where the match is there already.

    But at a table that is hidden, because its time is up, its person is back by that.
    """
    history = history_of(kept)
    there = _number(history, handed)
    if there is not None:
        back = [ev.Back(check(history.table, handed, who))] if hidden else []
        return _Added(there, row_of(history.table, now), ev.entered(back, len(kept) + 1, now))
    _alone(history, who)
    table, events = history.table, list[ev.Event]()
    if not kept:
        events = begun(handed, who)
        events += [ev.TimelineBegun(timeline)] if timeline else []
        table = Table(handed.code)
        for entry in ev.entered(events, 1, now):
            table = evolve(table, entry)
    events += added(table, handed, who)
    entries = ev.entered(events, len(kept) + 1, now)
    try:
        after = history_of(entries, history)
    except StoreError:
        raise BadMatch("no table deals and plays hands in this way") from None
    number = len(after.matches) - 1
    match = after.matches[number]
    bots = (match.bots, tuple(hand.bots for hand in match.hands))
    if bots != (handed.bots, handed.seated) or not _is_written(after, number, handed):
        raise BadMatch("no table writes such a record")
    return _Added(number, row_of(after.table, now), entries)
