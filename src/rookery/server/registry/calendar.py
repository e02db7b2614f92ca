"""By which time things expire: the clock's, for as long as it is believed.

Expiry hides at once, and overwrites `HIDDEN` later. Hiding writes nothing: what is past its time is
left out wherever it is read. So what a wrong clock has hidden is there again by a right one.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import partial
from typing import Final

from msgspec import structs

from rookery.server.clock import APART, MINUTE, RELEASED, WEEK, Clock, Mark, judged
from rookery.server.settings import Settings
from rookery.server.store.base import Store, TableRow
from rookery.server.table import events as ev
from rookery.server.table.state import Table

log = logging.getLogger(__name__)

HIDDEN: Final = WEEK  # milliseconds between hiding and overwriting
CONFIRM: Final = "rookery database confirm-clock"


class Calendar:
    """What has expired, by the store's knowledge of the time.

    Attributes:
        doubt: why nothing expires; empty where things do.
    """

    def __init__(self, store: Store, clock: Clock, settings: Settings) -> None:
        """Believe the clock until `look` has asked the store."""
        self._store, self._clock, self._settings = store, clock, settings
        self._ran = clock.running()
        self._mark: Mark | None = None
        self._expired_by: int | None = None  # None where that is now
        self.doubt = ""

    @property
    def advice(self) -> str | None:
        """Why nothing expires, and what to do about it; None where things do expire."""
        end = f"until it has gone on so for a week, or you confirm it with: {CONFIRM}"
        return f"{self.doubt}; {end}" if self.doubt else None

    async def look(self) -> bool:
        """Compare the clock with what the store knows of the time, and note it there.

        Return whether the time had to go back, so that timers have to begin anew.
        """
        now, running = self._clock.wall(), self._clock.running()
        found = await self._store.know(partial(judged, now=now, ran=running - self._ran))
        doubted, self.doubt = self.doubt, found.doubt
        self._ran, self._mark = running, found.mark
        if doubted and not self.doubt:
            log.warning("things expire again: the clock is believed")
        elif self.doubt and not doubted:
            log.warning("nothing expires: %s", self.advice)
        before, at = self._clock.now(), found.mark.at
        if found.doubt:
            # What is stored now must not be older than what was stored before.
            self._clock.set(max(before, at))
            self._expired_by = at if now < RELEASED else min(at, now)
            return False
        self._expired_by = None
        # The machine has slept, or its clock was set; a small step back is waited for.
        if not -MINUTE <= before - now <= APART:
            self._clock.set(now)
        if before - now <= APART:
            return False
        if found.since is not None:  # something may have been stored since the store was asked
            await self._store.know(lambda mark: found._replace(mark=mark or found.mark))
        return True

    def believed(self) -> int | None:
        """Return the newest time that is believed; None while the clock is in doubt."""
        if self.doubt:
            return None
        return max(self._clock.now(), 0 if self._mark is None else self._mark.at)

    def hidden_by(self) -> int:
        """Return the time by which things are hidden."""
        return self._clock.now() if self._expired_by is None else self._expired_by

    def gone_by(self) -> int:
        """Return the time by which things are overwritten."""
        now = self.hidden_by()
        return now if self._mark is None else self._mark.gone(now)

    def hides(self, row: TableRow) -> bool:
        """Return whether nobody is to find a table any more."""
        settings = self._settings
        kept = settings.keep_lobby if row.phase == "lobby" else settings.keep_table
        return self.hidden_by() - row.touched_at >= kept - HIDDEN

    def shown(self, table: Table) -> Table:
        """Return a table without what was said too long ago, and with no time that is to come."""
        until, now = self._hushed_to(), self._clock.now()
        lines = (line for line in table.lines if line.at > until or not line.said.text)
        # A clock that was ahead has left times that no timer would reach.
        chairs = (
            chair._replace(away_since=chair.away_since and min(chair.away_since, now))
            for chair in table.chairs
        )
        asked = table.pending
        return structs.replace(
            table,
            lines=tuple(line._replace(at=min(line.at, now)) for line in lines),
            chairs=tuple(chairs),
            pending=asked and asked._replace(since=min(asked.since, now)),
            made_at=min(table.made_at, now),
            moved_at=min(table.moved_at, now),
            touched_at=min(table.touched_at, now),
        )

    def still_said(self, entries: Sequence[ev.Entry]) -> list[ev.Entry]:
        """Return a table's events without what was said too long ago."""
        silent = {entry.seq: entry for entry in hushed(entries, self._hushed_to())}
        return [silent.get(entry.seq, entry) for entry in entries]

    def _hushed_to(self) -> int:
        return self.hidden_by() - (self._settings.keep_chat - HIDDEN)


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
            found.append(structs.replace(entry, event=structs.replace(event, text="")))
    return found
