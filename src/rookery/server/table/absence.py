"""Somebody is away in a match: when a bot steps in, and who may have it step in now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from rookery.server.settings import Settings
from rookery.server.table import commands as cm
from rookery.server.table import events as ev
from rookery.server.table.refusals import refused
from rookery.server.table.seating import stands_for_host
from rookery.server.table.state import Table
from rookery.server.table.voting import Outcome, rejected

RELOADING: Final = 10_000  # milliseconds; after that nobody is thought to be loading the page again


class AbsentSeen(msgspec.Struct, frozen=True):
    """Somebody who is away: when a bot steps in, and from when on I may have one step in.

    Both are moments by the server's clock; `now_from` is null where I may not.
    """

    seat: int
    bot_at: int
    now_from: int | None


def stand_ins(
    table: Table, settings: Settings, resumed: int, *, awaited: bool = False
) -> dict[int, int]:
    """Return when a bot steps in for those who are away, by the seat: moments by our clock.

    Where one was called earlier, it is when the person's time is over. Empty where nothing moves,
    because nobody is there.
    """
    if table.phase != "playing":
        return {}
    found = {
        seat: max(chair.away_since, resumed) + settings.grace
        for seat, chair in enumerate(table.chairs)
        if chair.away_since is not None and (chair.stand_in is None or chair.called)
    }
    return found if awaited or table.attended else {}


def absent(table: Table, steps_in: Mapping[int, int], you: int | None) -> list[AbsentSeen]:
    """Return what the seat `you`, or a watcher, is told of `stand_ins`."""
    found = []
    for seat, at in steps_in.items():
        since, plays = table.chairs[seat].away_since, table.chairs[seat].stand_in
        if plays is not None:
            continue
        may = since is not None and you is not None and stands_for_host(table, you)
        found.append(AbsentSeen(seat, at, since + RELOADING if since and may else None))
    return found


def stood_in(table: Table, seat: int, bot: str, *, called: bool = False) -> list[ev.Event]:
    """Return the events of a bot that plays for somebody who is away, until they are back.

    Where it was `called` before their time was over, they keep the seat until it is.
    """
    pending = table.pending
    asked = pending is not None and seat in (pending.seat, *pending.voters)
    # The person who is away cannot answer, nor wait for the others' answers.
    return [ev.StoodIn(seat, bot, called), *(rejected(pending) if asked else ())]


def stand_in(table: Table, command: cm.StandIn, default_bot: str, now: int) -> Outcome:
    """Return the events of having a bot play for somebody away before their time is over.

    Not at once: a page that is being reloaded is absent too.
    """
    seat = command.seat
    chair = table.chairs[seat]
    if chair.kind != "person":
        return refused("no-person")
    if chair.away_since is None:
        return refused("not-away", f"{chair.name} is there")
    if table.phase != "playing" or chair.stand_in is not None:
        return refused("not-now", "no seat is waited for, or a bot plays there already")
    if now < chair.away_since + RELOADING:
        return refused("may-return", f"{chair.name} may come back; wait a few seconds")
    return stood_in(table, seat, default_bot, called=True)
