"""What a database knows of the time, and how a wrong time is taken out of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from sqlalchemy import Connection, delete, func, or_, select, update

from rookery.server.clock import APART, Judged, Mark
from rookery.server.store import schema as db

_C: Final = db.clock.c
_KNOWN: Final = select(_C.at, _C.doubted, _C.ran, _C.kept_at, _C.kept_until).with_for_update()
_STAMPS: Final = (
    db.tables.c.touched_at,
    db.tables.c.made_at,
    db.people.c.made_at,
    db.sessions.c.made_at,
    db.reports.c.at,
    db.forgotten.c.at,
    db.sessions.c.begun,
    db.passkeys.c.made_at,
    db.passkeys.c.used_at,
    db.attempts.c.begun,
    db.attempts.c.ended,
    db.mistakes.c.changed,
    db.sheets.c.touched_at,
    db.rated_strangers.c.since,
)
# The time of whoever comes and plays; without a mark, the latest of these is the newest.
_NEWEST: Final = (*_STAMPS[:1], *_STAMPS[2:5])


def noted(connection: Connection, judge: Callable[[Mark | None], Judged]) -> Judged:
    """Return what `judge` makes of what is known of the time, and note it.

    Other servers wait until the transaction ends.
    """
    known = Mark(*connection.execute(_KNOWN).one())
    found = judge(known if known.at else _newest(connection))
    connection.execute(update(db.clock).values(found.mark._asdict()))
    if found.since is not None:
        _restamp(connection, found.since, found.mark.at)
    return found


def forgotten(connection: Connection) -> None:
    """Know nothing of the time but what the times of other rows say."""
    connection.execute(update(db.clock).values(Mark(0)._asdict()))


def _newest(connection: Connection) -> Mark | None:
    times = [connection.scalar(select(func.max(stamp))) for stamp in _NEWEST]
    newest = max((moment for moment in times if moment is not None), default=None)
    return None if newest is None else Mark(newest)


def _restamp(connection: Connection, since: int, now: int) -> None:
    """Have what was stored with times later than `since` count as stored now.

    Of the events only what was said has a time of its own to expire.
    """
    t, e, r = db.tables.c, db.events.c, db.returns.c
    lately = select(t.table_id).where(t.touched_at > since)
    said = update(db.events).where(e.table_id.in_(lately), e.at > since)
    words = or_(*(e.body.like(f'{{"type":"{one}"%') for one in ("chatted", "reported")))
    connection.execute(said.where(words).values(at=now))
    for stamp in _STAMPS:
        connection.execute(update(stamp.table).where(stamp > since).values({stamp.name: now}))
    connection.execute(delete(db.returns).where(r.expires > now + APART))
