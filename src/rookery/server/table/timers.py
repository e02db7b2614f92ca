"""What happens at a table without a command: absence, clocks, the next hand.

`due` returns the next such thing with its time, and `happens` its events. So timers are not stored:
after a restart they follow from the table.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from rookery.fairness.deal import Secret
from rookery.server.settings import PACES, Settings
from rookery.server.table import events as ev
from rookery.server.table.dealing import dealt
from rookery.server.table.seating import is_taken, next_host
from rookery.server.table.state import Table
from rookery.server.table.voting import rejected

What: TypeAlias = Literal["vote", "stand-in", "host", "deal", "clock", "bot"]


class Due(NamedTuple):
    """Something that is due at a time, and the seat that it concerns."""

    at: int
    what: What
    seat: int


def due(table: Table, settings: Settings, resumed: int, *, awaited: bool = False) -> Due | None:
    """Return what is due next; None where nothing is.

    Periods that began before `resumed`, when this server took over the table, count from there.
    Nothing moves unless somebody who sits there is there, or the end of the hand is `awaited`.
    """
    attended = awaited or bool(table.people_here)
    found = _absences(table, settings, resumed, attended=attended)
    if attended:
        found += _turns(table, settings, resumed)
    if (pending := table.pending) is not None:
        found.append(Due(max(pending.since, resumed) + settings.vote, "vote", pending.seat))
    return min(found, default=None)


def happens(table: Table, what: Due, settings: Settings, secret: Secret) -> list[ev.Event]:
    """Return the events of something that is due, except a bot's move or a clock's."""
    match what.what:
        case "vote":
            return rejected(table.pending)
        case "stand-in":
            pending = table.pending
            asked = pending is not None and what.seat in (pending.seat, *pending.voters)
            # The person who is away cannot answer, nor wait for the others' answers.
            stood_in = ev.StoodIn(what.seat, settings.default_bot)
            return [stood_in, *rejected(pending)] if asked else [stood_in]
        case "host":
            return [ev.HostPassed(next_host(table, what.seat))]
        case "deal":
            return dealt(table, secret)
        case _:
            return []


def disconnected(table: Table, person: str) -> list[ev.Event]:
    """Return the events when a person's last connection closes."""
    seat = table.seat_of(person)
    return [] if seat is None or not table.chairs[seat].here else [ev.Away(seat)]


def connected(table: Table, person: str, name: str) -> list[ev.Event]:
    """Return the events when a person's first connection opens."""
    seat = table.seat_of(person)
    if seat is None:
        return []
    chair = table.chairs[seat]
    back: list[ev.Event] = [] if chair.here else [ev.Back(seat)]
    if chair.name == name or is_taken(table, person, name):
        return back
    return [*back, ev.Renamed(seat, name)]


def bot_due(table: Table, resumed: int, *, awaited: bool = False) -> Due | None:
    """Return when a bot's next act may be shown; None where no bot has to act.

    Bots wait for people: with nobody at the table nothing moves, unless somebody has `awaited` the
    end of the hand, to sit down. The time follows from what
    everybody has seen, not from the bot's cards, so it does not reveal how long the bot thought.
    There are two exceptions: a bot that thinks longer than the pace is shown when it is done, and
    so is every bot at an ``instant`` table, whose pace is 0.
    """
    seat = table.to_act
    if seat is None or table.pending is not None or not (awaited or table.people_here):
        return None
    if table.chairs[seat].player is None:
        return None
    return Due(max(table.moved_at, resumed) + _pause(table), "bot", seat)


def _pause(table: Table) -> int:
    hand, pace = table.hand, PACES[table.pace]
    if hand is not None and hand.phase == "play" and hand.tricks and not hand.trick:
        return pace.trick
    return pace.move


def _absences(table: Table, settings: Settings, resumed: int, *, attended: bool) -> list[Due]:
    found = []
    for seat, chair in enumerate(table.chairs):
        if chair.kind != "person" or chair.away_since is None:
            continue
        at = max(chair.away_since, resumed) + settings.grace
        if table.phase == "playing" and chair.stand_in is None and attended:
            found.append(Due(at, "stand-in", seat))
        if table.host == seat and table.people_here:
            found.append(Due(at, "host", seat))
    return found


def _turns(table: Table, settings: Settings, resumed: int) -> list[Due]:
    since = max(table.moved_at, resumed)
    if table.hand is not None and table.between_hands:
        if table.host_asked:
            return []
        pace = PACES[table.pace]
        wait = pace.trick if table.hand.phase == "redealt" else pace.hand
        return [Due(since + wait, "deal", 0)]
    seat = table.to_act
    if table.turn_clock is None or seat is None or table.pending is not None:
        return []
    if table.chairs[seat].player is not None:
        return []
    # The turn has to reach the player, and the move has to come back.
    return [Due(since + 1000 * table.turn_clock + settings.lag, "clock", seat)]
