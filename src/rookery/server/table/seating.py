"""The commands of the lobby: who sits where, and what a host may do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rookery.bots.birds import flock
from rookery.bots.names import table_bot
from rookery.bots.register import UnknownBot
from rookery.fairness.deal import Secret
from rookery.rules import Rules
from rookery.server.names import BadText, clean_title
from rookery.server.table import commands as cm
from rookery.server.table import events as ev
from rookery.server.table.dealing import begun, prepared, promised, redrawn
from rookery.server.table.fold import evolve
from rookery.server.table.refusals import Refused, refused
from rookery.server.table.state import Table, Who
from rookery.server.table.voting import Outcome, rejected
from rookery.unicode.looks import alike


def sit(table: Table, who: Who, command: cm.Sit) -> Outcome:
    """Return the events of taking a seat: an empty one, or between hands a spare bot's.

    During a hand a person can only come back to the seat that they held in it. Where nobody sits
    any more, there is nobody from whom cards are to be hidden, and anybody may play on. At a table
    of an evening, whoever has held no other seat plays the rest of the hand for their bot: it may
    be the only one of the round, and the seat is for them alone.
    """
    if table.seat_of(who.id) is not None:
        return refused("already-seated")
    # At an evening there may be two of a name, and each has a seat of their own.
    if table.evening is None and is_taken(table, who.id, who.name):
        return name_taken(who.name)
    if who.id in table.removed:
        return refused("removed", "the host has removed you from this table")
    seat = command.seat if command.seat is not None else _first_free(table, who)
    if seat is None:
        return refused("table-full")
    if seat >= len(table.chairs):
        return no_seat(table)
    if not table.chairs[seat].free:
        return refused("seat-taken", f"{table.chairs[seat].name} sits there")
    seated = any(chair.kind == "person" for chair in table.chairs)
    if table.in_hand and seated and not _may_play_on(table, who, seat):
        return refused("hand-under-way", "this seat is free after the hand that is being played")
    return [ev.Sat(seat, who.id, who.name, command.matched), *making_way(table, who.name, seat)]


def _may_play_on(table: Table, who: Who, seat: int) -> bool:
    """Return whether somebody may take a seat during a hand that others play too."""
    knows_none = all(person != who.id for person, _ in table.seen_by)
    return (who.id, seat) in table.seen_by or (table.evening is not None and knows_none)


class Sitting(NamedTuple):
    """Who has a seat at a table of an evening: a person, or a bot where `person` is None.

    A bot without a name gets a bird's; it makes room for whoever the evening has given its seat.
    """

    name: str
    person: str | None = None


def opened(
    made: ev.TableMade,
    joined: ev.EveningJoined,
    sitting: Sequence[Sitting],
    key: str | None,
    secret: Secret,
) -> list[ev.Event]:
    """Return the events that follow `made`: people sit down, and the first hand is dealt.

    `key` is that of the evening's prepared deals, in hexadecimal; None without any.
    """
    table, rules = Table(made.code), Rules.model_validate(made.rules)
    seats = list(enumerate(sitting))
    people = [ev.Sat(seat, one.person, one.name) for seat, one in seats if one.person is not None]
    bots = [ev.BotSeated(seat, joined.bot, True) for seat, one in seats if one.person is None]
    given = [one.name for one in sitting if one.name]
    birds = iter(flock(made.code, len(bots), given))
    named = [ev.Renamed(bot.seat, sitting[bot.seat].name or next(birds)) for bot in bots]
    promise = prepared(joined, rules, 0, key) if key else [promised(made.code, 0, secret)]
    events: list[ev.Event] = [joined, *people, *bots, *named, *promise]
    for entry in ev.entered([made, *events], 1, 0):
        table = evolve(table, entry)
    return [*events, *begun(table, [chair.name for chair in table.chairs], secret)]


def is_taken(table: Table, person: str, name: str) -> bool:
    """Return whether somebody else sits, or talks, here whose name can be taken for `name`."""
    return any(who != person and alike(other, name) for who, other in _people(table).items())


def is_a_bots(table: Table, name: str) -> bool:
    """Return whether a bot here has this name; it makes way for who sits down, not for talk."""
    return any(chair.has_own_name and alike(chair.name, name) for chair in table.chairs)


def _people(table: Table) -> dict[str, str]:
    """Return the names of those who sit or talk here, by the person."""
    names = {line.said.person: line.said.name for line in table.lines}
    names = {who: said for who, said in names.items() if table.silenced.get(who) != "away"}
    return names | {chair.person: chair.name for chair in table.chairs if chair.person is not None}


def named(bots: Sequence[ev.BotSeated], code: str, taken: Iterable[str]) -> list[ev.Event]:
    """Return the events of seating bots, each with a name that nobody has at the table `code`."""
    names = flock(code, len(bots), taken)
    return [*bots, *(ev.Renamed(bot.seat, name) for bot, name in zip(bots, names, strict=True))]


def seated(table: Table, bots: Sequence[ev.BotSeated]) -> list[ev.Event]:
    """Return the events of seating bots beside everybody who is at a table."""
    return named(bots, table.code, _names(table))


def instead(table: Table, seat: int, bot: str) -> list[ev.Event]:
    """Return the events of seating another bot at a seat; it keeps the name of the one before."""
    chair = table.chairs[seat]
    another = ev.BotSeated(seat, bot, spare=chair.spare)
    if chair.has_own_name:
        return [another, ev.Renamed(seat, chair.name)]
    return seated(table, [another])


def _names(table: Table) -> list[str]:
    # A bot that comes takes no bird whose face somebody shows here.
    faces = [table.faces.get(chair.person or "", "") for chair in table.chairs]
    return [*(chair.name for chair in table.chairs), *_people(table).values(), *filter(None, faces)]


def making_way(table: Table, name: str, seat: int | None = None) -> list[ev.Event]:
    """Return the events by which a bot takes another name because a person comes with its own.

    The bot at `seat` goes, and needs none.
    """
    bots = [place for place, chair in enumerate(table.chairs) if chair.has_own_name]
    known_as = [place for place in bots if place != seat and alike(table.chairs[place].name, name)]
    birds = flock(table.code, len(known_as), [name, *_names(table)])
    return [ev.Renamed(place, bird) for place, bird in zip(known_as, birds, strict=True)]


def name_taken(name: str) -> Refused:
    """Return the refusal of a name that somebody here has, or one that looks like it."""
    line = f"somebody at this table has the name {name}, or one that looks like it"
    return refused("name-taken", f"{line}; take another")


def leave(table: Table, seat: int, default_bot: str) -> list[ev.Event]:
    """Return the events of leaving a seat. During a match a spare bot takes it."""
    events = [*rejected(table.pending), ev.Left(seat)]
    if table.phase == "playing":
        events += seated(table, [ev.BotSeated(seat, default_bot, spare=True)])
    if table.host == seat:
        events.append(ev.HostPassed(next_host(table, seat)))
    return events


def next_host(table: Table, seat: int) -> int | None:
    """Return the host after `seat`: the next person who is connected, else the next person."""
    around = [(seat + i) % len(table.chairs) for i in range(1, len(table.chairs))]
    people = [other for other in around if table.chairs[other].kind == "person"]
    there = [other for other in people if table.chairs[other].here]
    return next(iter(there or people), None)


def start(table: Table, command: cm.Start, default_bot: str, secret: Secret) -> Outcome:
    """Return the events of starting the match."""
    if table.phase != "lobby":
        return refused("not-now", "the match has already begun")
    bot = known_bot(command.bot or default_bot)
    if isinstance(bot, Refused):
        return bot
    return _with_bots(table, bot, secret)


def stands_for_host(table: Table, seat: int) -> bool:
    """Return whether a seat may begin a rematch, or have a bot step in for somebody who is away.

    The host's may, and any while the host is away.
    """
    return seat == table.host or table.host is None or not table.chairs[table.host].here


def rematch(table: Table, default_bot: str, secret: Secret) -> Outcome:
    """Return the events of a rematch among the same people."""
    if table.phase != "over":
        return refused("not-now", "a rematch comes after the match")
    moved = ev.Rematched(redrawn(table, secret))
    # A share for the first deal goes with whoever added it.
    [entry] = ev.entered([moved], table.seq + 1, table.touched_at)
    return [moved, *_with_bots(evolve(table, entry), default_bot, secret)]


def _with_bots(table: Table, default_bot: str, secret: Secret) -> list[ev.Event]:
    empty = [seat for seat, chair in enumerate(table.chairs) if chair.kind == "empty"]
    bots = seated(table, [ev.BotSeated(seat, default_bot, spare=True) for seat in empty])
    names = [chair.name for chair in table.chairs]
    for event in bots:
        if isinstance(event, ev.Renamed):
            names[event.seat] = event.name
    return [*bots, *begun(table, names, secret)]


def arrange(table: Table, command: cm.Arrange) -> Outcome:
    """Return the event of rearranging the seats."""
    if table.phase != "lobby":
        return refused("not-now", "seats are arranged before the match")
    if sorted(command.seats) != list(range(len(table.chairs))):
        return refused("bad-seats", f"expected the seats 0 to {len(table.chairs) - 1} once each")
    return [ev.Arranged(command.seats)]


def bot(table: Table, command: cm.Bot) -> Outcome:
    """Return the event of seating, replacing or removing a bot."""
    seat = command.seat
    chair = table.chairs[seat]
    if chair.kind == "person":
        return refused("seat-taken", f"{chair.name} sits there")
    if command.bot is None:
        if chair.kind != "bot":
            return refused("not-a-bot")
        if table.phase == "playing":
            return refused("not-now", "during a match somebody must play; seat another bot")
        return [ev.BotRemoved(seat)]
    name = known_bot(command.bot)
    if isinstance(name, Refused):
        return name
    return instead(table, seat, name)


def replace(table: Table, command: cm.Replace, default_bot: str) -> Outcome:
    """Return the events of giving a person's seat to a bot for good.

    During a match only a person can be replaced who has been away so long that a bot stands in
    without being called.
    Outside a match any other person can, and cannot sit down again.
    """
    seat = command.seat
    chair = table.chairs[seat]
    if chair.kind != "person":
        return refused("no-person")
    if chair.here and (table.phase == "playing" or seat == table.host):
        return refused("not-away", f"{chair.name} is there")
    if table.phase == "playing" and (chair.stand_in is None or chair.called):
        return refused("may-return", f"{chair.name} may come back; wait until their time is over")
    name = known_bot(command.bot or default_bot)
    if isinstance(name, Refused):
        return name
    left, bot = ev.Left(seat, removed=chair.here), ev.BotSeated(seat, name, spare=True)
    # A host who is away may give their own seat away.
    passes = [ev.HostPassed(next_host(table, seat))] if seat == table.host else []
    return [*rejected(table.pending), left, *seated(table, [bot]), *passes]


def hand_over(table: Table, command: cm.Host) -> Outcome:
    """Return the event of making another person host."""
    if table.chairs[command.seat].kind != "person":
        return refused("no-person")
    return [ev.HostPassed(command.seat)]


def settings(table: Table, command: cm.Table) -> Outcome:
    """Return the event of changing the settings."""
    title = table.title
    if command.title is not None:
        try:
            title = clean_title(command.title)
        except BadText as error:
            return refused("bad-title", error.reason)
    clock = table.clock
    if command.clock is not None:
        if 0 < command.clock < 5:
            return refused("bad-setting", "a clock gives at least 5 seconds; 0 means no clock")
        clock = command.clock or None
    listed = table.open if command.open is None else command.open
    return [ev.SettingsChanged(title, listed, command.pace or table.pace, clock)]


def _first_free(table: Table, who: Who) -> int | None:
    own = [seat for person, seat in table.seen_by if person == who.id and table.chairs[seat].free]
    empty = [seat for seat, chair in enumerate(table.chairs) if chair.kind == "empty"]
    spare = [seat for seat, chair in enumerate(table.chairs) if chair.spare]
    return next(iter(own + empty + spare), None)


def no_seat(table: Table) -> Refused:
    """Return the refusal of a seat that the table does not have."""
    return refused("no-seat", f"expected a seat from 0 to {len(table.chairs) - 1}")


def known_bot(name: str) -> str | Refused:
    """Return the bot's name as it is stored, or the refusal where no table seats it.

    >>> known_bot(" Papa "), known_bot("strong:style=bold"), known_bot("open-hand").code
    ('papa', 'strong:style=bold', 'unknown-bot')
    >>> known_bot("expert:tries=9").reason
    'expert: tries is for the level to say, not for a table'
    """
    try:
        return table_bot(name).name
    except UnknownBot as error:
        return refused("unknown-bot", str(error))
