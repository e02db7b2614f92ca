"""The clock behind every timer, and whether what it says is to be believed.

A timer needs no more than time that passes. What expires needs the right day: a server that is a
year ahead would delete everything. So the newest time that was believed is stored, as a `Mark`, and
a clock that is far from it expires nothing until it has been the same for a week.
"""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime
from typing import Final, NamedTuple

MINUTE: Final = 60_000  # milliseconds
WEEK: Final = 7 * 24 * 60 * MINUTE
# When this version was released, see scripts/release: no right clock says less.
RELEASED: Final = int(datetime.fromisoformat("2026-11-30T00:00Z").timestamp()) * 1000
APART: Final = 60 * MINUTE  # by which clocks of two servers may differ


class Clock:
    """The machine's clock, milliseconds since 1970; unless it is set, time only passes."""

    def __init__(self) -> None:
        self._ahead = self.wall() - self.running()

    def now(self) -> int:
        """Return the time that timers go by, and that is stored."""
        return self._ahead + self.running()

    def wall(self) -> int:
        """Return what the machine's clock says now, whatever it said before."""
        return time.time_ns() // 1_000_000

    def running(self) -> int:
        """Return a number that grows by the milliseconds that pass, whatever the clock says."""
        return time.monotonic_ns() // 1_000_000

    def set(self, moment: int) -> None:
        """Go on from a moment; no timer that runs already follows."""
        self._ahead = moment - self.running()

    async def until(self, moment: int) -> None:
        """Return once it is `moment`."""
        await asyncio.sleep(max(0, moment - self.now()) / 1000)


class Mark(NamedTuple):
    """What the servers of a database know of the time, milliseconds since 1970.

    Attributes:
        at: the newest time that was believed.
        doubted: the latest that a clock that is not believed has said; 0 where none is in doubt.
        ran: how long servers have run by that clock, or by several that are nearly the same.
        kept_at: by which time things are overwritten until `kept_until`.
        kept_until: when what was hidden all at once may be overwritten.
    """

    at: int
    doubted: int = 0
    ran: int = 0
    kept_at: int = 0
    kept_until: int = 0

    def gone(self, now: int) -> int:
        """Return the time by which things are overwritten."""
        return self.kept_at if now < self.kept_until else now


class Judged(NamedTuple):
    """What to make of a clock.

    Attributes:
        mark: what is known from now on.
        doubt: why the clock is not believed; empty where it is.
        since: what is stored with later times counts as stored at the mark; None to let it be.
    """

    mark: Mark
    doubt: str = ""
    since: int | None = None


def judged(mark: Mark | None, now: int, ran: int) -> Judged:
    """Return what to make of a clock that says `now`, by the `mark`: None where nothing is stored.

    The server has run for `ran` milliseconds since it asked before.

    >>> day = WEEK // 7
    >>> judged(Mark(RELEASED), RELEASED + 430 * day, 0).doubt.partition(" UTC, ")[2]
    '430 days after the newest stored time'
    >>> judged(Mark(RELEASED), RELEASED + 6 * day, 0).doubt
    ''
    """
    mark = mark or Mark(max(now, RELEASED))
    doubt = _doubt(mark, now, ran)
    if not doubt:
        # Whoever was in doubt until now may have stored anything.
        since = mark.at if mark.doubted else None
        kept = (mark.kept_at, mark.kept_until) if now < mark.kept_until else (0, 0)
        return Judged(Mark(max(now, mark.at), 0, 0, *kept), since=since)
    same = mark.doubted - APART <= now <= mark.doubted + ran + WEEK
    if same:
        # Several servers run at once, and by clocks that differ a little: no time counts twice.
        on = max(0, now - mark.doubted)
        mark = mark._replace(doubted=mark.doubted + on, ran=mark.ran + min(ran, on))
    else:
        mark = mark._replace(doubted=now, ran=0)
    if mark.ran < WEEK or now < RELEASED:
        return Judged(mark, doubt)
    # A clock that is behind what is stored may be the wrong one, so nothing stored follows it.
    return Judged(confirmed(mark, now).mark, since=mark.at if now > mark.at else None)


def confirmed(mark: Mark, now: int) -> Judged:
    """Return what is known once somebody says that a clock is right.

    >>> confirmed(Mark(5), 9).mark.kept_at
    5
    """
    if now < mark.at:
        return Judged(Mark(now), since=now)
    # All that is hidden at once may be missed at once, so it is overwritten a week later.
    return Judged(Mark(now, 0, 0, mark.gone(mark.at), now + WEEK), since=mark.at)


def _doubt(mark: Mark, now: int, ran: int) -> str:
    if now < RELEASED:
        return f"the clock says {shown(now)}, before this program was released"
    if now < mark.at - APART:
        return f"the clock says {shown(now)}, before the newest stored time, {shown(mark.at)}"
    if now > mark.at + ran + WEEK:
        days = (now - mark.at) // (WEEK // 7)
        return f"the clock says {shown(now)}, {days} days after the newest stored time"
    return ""


def shown(moment: int) -> str:
    """Return a moment for people.

    >>> shown(0)
    '1970-01-01 00:00 UTC'
    """
    return datetime.fromtimestamp(moment / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
