"""What happens at a table without a command: absence, clocks, the next hand.

`due` returns the next such thing with its time, and `happens` its events. So timers are not stored:
after a restart they follow from the table.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple, TypeAlias

from rookery.fairness.deal import Secret
from rookery.server.settings import PACES, Settings
from rookery.server.table import events as ev
from rookery.server.table.absence import stand_ins, stood_in
from rookery.server.table.dealing import dealt
from rookery.server.table.seating import is_taken, making_way, next_host
from rookery.server.table.state import Table
from rookery.server.table.voting import rejected

# After a match whoever is away may be reading its review, which costs no host their place; but
# somebody has to be able to mute and to send away. For the next match see `stands_for_host`.
READING: Final = 600_000  # milliseconds; a review takes a few minutes to make and to read
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
    return min(_coming(table, settings, resumed, awaited=awaited), default=None)


def _coming(table: Table, settings: Settings, resumed: int, *, awaited: bool) -> Iterator[Due]:
    for seat, at in stand_ins(table, settings, resumed, awaited=awaited).items():
        yield Due(at, "stand-in", seat)
    away = None if table.host is None else table.chairs[table.host].away_since
    if table.host is not None and away is not None and table.people_here:
        wait = max(READING, settings.grace) if table.phase == "over" else settings.grace
        yield Due(max(away, resumed) + wait, "host", table.host)
    if table.pending is not None:
        asked = max(table.pending.since, resumed)
        yield Due(asked + settings.vote, "vote", table.pending.seat)
    if not (awaited or table.attended):
        return
    since, read, actor = max(table.moved_at, resumed), pause(table), table.to_act
    if read is not None:
        yield Due(since + read, "deal", 0)
    if actor is None or table.turn_clock is None or table.pending is not None:
        return
    if table.chairs[actor].player is None:
        # The turn has to reach the player, and the move has to come back.
        yield Due(since + 1000 * table.turn_clock + settings.lag, "clock", actor)


def happens(table: Table, what: Due, settings: Settings, secret: Secret) -> list[ev.Event]:
    """Return the events of something that is due, except a bot's move or a clock's."""
    match what.what:
        case "vote":
            return rejected(table.pending)
        case "stand-in":
            return stood_in(table, what.seat, table.bot or settings.default_bot)
        case "host":
            return [ev.HostPassed(next_host(table, what.seat))]
        case "deal":
            return dealt(table, secret)
        case _:
            return []


def pause(table: Table) -> int | None:
    """Return after how long the next hand is dealt by itself, milliseconds since the last event.

    None where no hand is over, nobody is here, or the next one waits until somebody asks for it.
    Whoever is alone with bots reads the result as long as they like. Once they have asked for the
    next hand, as whoever was here then may have gone without a word, they do not wait for ever.
    """
    if table.hand is None or not table.between_hands or table.host_asked:
        return None
    times = PACES[table.pace]
    if table.hand.phase == "redealt":
        return times.trick
    here = table.people_here
    if table.evening is not None:
        return times.hand  # the other tables wait for this one
    return times.hand if len(here) > 1 or table.ready.intersection(here) else None


def halted(table: Table) -> bool:
    """Return whether bots wait: the auction is over, and who is alone with them has not read."""
    hand = table.hand if table.halt and table.in_hand else None
    return hand is not None and hand.declarer is not None and len(table.people_here) == 1


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
    return [*back, ev.Renamed(seat, name), *making_way(table, name)]


def bot_due(table: Table, resumed: int, *, awaited: bool = False) -> Due | None:
    """Return when a bot's next act may be shown; None where no bot has to act.

    Bots wait for people: with nobody at the table nothing moves, nor where it is `halted`, unless
    somebody has `awaited` the end of the hand, to sit down. The time follows from what
    everybody has seen, not from the bot's cards, so it does not reveal how long the bot thought.
    There are two exceptions: a bot that thinks longer than the pace is shown when it is done, and
    so is every bot at an ``instant`` table, whose pace is 0.
    """
    seat = table.to_act
    if seat is None or table.pending is not None or not (awaited or table.attended):
        return None
    if table.chairs[seat].player is None or (halted(table) and not awaited):
        return None
    hand, pace = table.hand, PACES[table.pace]
    trick_lies = hand is not None and hand.phase == "play" and hand.tricks and not hand.trick
    wait = pace.trick if trick_lies else pace.move
    return Due(max(table.moved_at, resumed) + wait, "bot", seat)
