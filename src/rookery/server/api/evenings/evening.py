"""An evening of many tables: made by a host, written by many phones."""

from __future__ import annotations

import hmac
import json
import re
from secrets import randbelow
from typing import Annotated, Any, Final, NamedTuple

from pydantic import BaseModel, Field

from rookery.about import version
from rookery.evening.log import changes as ch
from rookery.evening.log.names import READING, rewrites
from rookery.evening.movements.changes import MOST_BOARDS, begin
from rookery.evening.movements.register import MOVEMENTS
from rookery.evening.movements.state import BOARDS, FOUR, EveningError, game_of
from rookery.evening.movements.suited import Choice, suited
from rookery.evening.versions import seen_by
from rookery.fairness.deal import secret
from rookery.rules import unprepared
from rookery.server import names
from rookery.server.api.evenings import screens
from rookery.server.api.evenings.held import Held
from rookery.server.api.evenings.screens import ScreensWanted, bots_among, on_screens
from rookery.server.api.problems import Problem, Where
from rookery.server.api.rules import asked_rules
from rookery.server.api.state import KEY_MAX, AppState, Reader
from rookery.server.registry.calendar import HIDDEN
from rookery.server.store.people.sheets import SheetEntry, SheetRow
from rookery.server.table.state import Who
from rookery.server.work import in_thread

MOST_GAMES: Final = 3
SEEDS: Final = 1 << 31
FOR_EACH: Final = 400  # entries of somebody who does not run the evening
FOR_HOSTS: Final = 4_000  # entries that are left for those who do
TABLE_KEY: Final = 32  # hexadecimal digits
_BEGIN: Final = '{"kind": "evening"'  # how what is kept of it begins
_OF_TABLE: Final = re.compile(rf"([1-9][0-9]{{0,2}})-([0-9a-f]{{{TABLE_KEY}}})")


class EveningWanted(BaseModel, extra="forbid", strict=True):
    """A new evening; ``people`` are seeded in this order, and fixed teams are neighbours.

    ``rules`` are the games, one for each size of table; ``best_of`` is for knockouts, ``boards``
    for prepared deals, and with ``agree`` a score counts when a second person says the same.
    ``hands`` are played in each round, null for a whole game: a table's score sheet ends after so
    many. ``screens`` is null with real cards, and says itself how many hands there are; with
    ``slips`` the server deals prepared ones, on slips that whoever runs the evening prints.
    """

    name: Annotated[str, Field(max_length=300)] = ""
    movement: Annotated[str, Field(max_length=20)]
    people: ch.Names
    rules: Annotated[
        list[Annotated[str, Field(max_length=64)] | dict[str, Any]],
        Field(min_length=1, max_length=MOST_GAMES),
    ] = ["kd_tournament"]
    best_of: Annotated[int, Field(ge=1, le=9)] = 1
    boards: Annotated[int, Field(ge=1, le=MOST_BOARDS)] = BOARDS
    hands: Annotated[int, Field(ge=1, le=ch.MOST_ROWS)] | None = None
    agree: bool = False
    slips: bool = False
    screens: ScreensWanted | None = None


class ChangeWanted(BaseModel, extra="forbid", strict=True):
    """Something that happens; ``id`` is random, so that what is sent twice arrives once."""

    id: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{16,40}$")]
    change: ch.AnyChange


class You(BaseModel):
    """What whoever asks may do: all as ``host``, score ``table``, be and score as ``person``.

    ``mine`` says whether they have made it; they alone delete it. ``writer`` is the number of the
    first entry that they have written, null before.
    """

    mine: bool
    host: bool
    table: int | None
    person: int | None
    writer: int | None


class Choices(BaseModel):
    """The movements that can seat so many people, those that suit them best first."""

    choices: list[Choice]


class EveningGone(BaseModel):
    """The code of an evening that has been deleted."""

    code: str


class Found(NamedTuple):
    """An evening as it is found, with what whoever asks may do."""

    row: SheetRow
    held: Held
    you: You

    @property
    def tag(self) -> str:
        """Changes with what is told, and with the version of the program that tells it."""
        you, held = self.you, self.held
        may = f"{you.mine:d}{you.host:d}.{you.table}.{you.person}.{you.writer}"
        return f"{version()}-{self.row.code}-{self.row.touched}-{held.tag}-{may}"


def choices(people: int, rounds: int | None, games: list[str]) -> Choices:
    """Return the movements that suit so many people, rounds and games of the catalogue.

    Raises:
        Problem: none can seat them (``bad-change``), or there is no such game.
    """
    try:
        found = suited(people, rounds, tuple(game_of(asked_rules(one)) for one in games) or (FOUR,))
    except EveningError as error:
        raise refused(error) from None
    return Choices(choices=list(found))


def table_key(row: SheetRow, table: int) -> str:
    """Return the key by which scores of a table are written, on any evening's round."""
    secret = hmac.digest(row.key.encode(), f"table {table}".encode(), "sha256").hex()
    return f"{table}-{secret[:TABLE_KEY]}"


async def make(state: AppState, who: Who, wanted: EveningWanted) -> tuple[Found, str]:
    """Make an evening; return it with its key.

    Raises:
        Problem: there is no such game, movement or bot, or it does not seat these people; codes
            ``bad-rules unknown-rules bad-name bad-change``.
    """
    code = names.new_code()
    body = await in_thread(_body, wanted, code)
    key, now = names.new_token(), state.registry.clock.now()
    row = SheetRow(code, who.id, names.token_hash(key), body, now)
    while not await state.registry.store.sheets.add(row):
        if await state.registry.store.sheets.of(row.code, 0) is None:  # they are being forgotten
            raise Problem("no-session")
        row = row._replace(code=names.new_code())
    return await find(state, row.code, Reader(who, None)), key


async def find(state: AppState, code: str, reader: Reader) -> Found:
    """Return the evening of a code.

    Raises:
        Problem: there is none, or nobody wrote on it for too long; code ``no-evening``.
    """
    registry, code = state.registry, code.strip().upper()
    since = registry.calendar.hidden_by() - (registry.settings.keep_sheet - HIDDEN)
    found = await registry.store.sheets.of(code, since) if names.is_code(code) else None
    if found is None or not found.sheet.body.startswith(_BEGIN):  # it is a score sheet
        raise Problem("no-evening")
    held = await state.evenings.of(found)
    you = _you(found.sheet, held, reader)
    screens.look_after(state, held, host=you.host)
    return Found(found.sheet, held, you)


def _you(row: SheetRow, held: Held, reader: Reader) -> You:
    mine = reader.who is not None and reader.who.id == row.person
    shown = (reader.key or "")[: KEY_MAX + 1]
    is_key = hmac.compare_digest(names.token_hash(shown), row.key)
    of_table = _OF_TABLE.fullmatch(shown)
    table = int(of_table[1]) if of_table else None
    if table is not None and not hmac.compare_digest(table_key(row, table), shown):
        table = None
    you = You(mine=mine, host=mine or is_key, table=table, person=None, writer=None)
    return you if reader.who is None else _known(you, held, reader.who)


def _known(you: You, held: Held, who: Who) -> You:
    """Return the same with who somebody says they are, and what they have written."""
    who_they_are = {"person": held.number_of(who.id), "writer": held.writers.get(who.id)}
    return you.model_copy(update=who_they_are)


async def change(state: AppState, found: Found, who: Who, wanted: ChangeWanted) -> Found:
    """Have something happen, once; return the evening with it.

    Raises:
        Problem: it cannot be (``bad-change``, ``round-begun``, ``bad-name``), is not for whoever
            asks (``bad-key``), or there is no room (``evening-full``), or no evening any more
            (``no-evening``).
    """
    held, row = found.held, found.row
    if wanted.id not in held.known:
        _check_may(found, wanted.change)
        kept = await in_thread(_kept, found, who, wanted, state.registry.clock.now())
        # What nobody has asked for is not written, so that a server of before can read the rest.
        body = kept.model_dump_json(exclude_defaults=True)
        over = kept.over if isinstance(kept, ch.Score) else 0
        entry = SheetEntry(0, wanted.id, who.id, who.name, 0, 0, over, body)
        now = state.registry.clock.now()
        # Whoever runs the evening has room left, whatever others write.
        room = ch.MOST_ENTRIES if found.you.host else ch.MOST_ENTRIES - FOR_HOSTS
        # What somebody was called before is in no entry any more.
        old = held.places.old | {
            *(held.places.of(kept.person) if isinstance(kept, ch.Rename) else ())
        }
        anew = rewrites(old)
        number = await state.registry.store.sheets.write(row.code, entry, now, room, anew)
        if not number:
            raise Problem("no-evening" if number is None else "evening-full")
        if old:
            await state.registry.store.dropping(now)
        written = await state.registry.store.sheets.of(row.code, 0)
        if written is None:
            raise Problem("no-evening")
        held = await state.evenings.of(written)
        held.places.old -= old
        if isinstance(kept, ch.Rename):
            await _blank(state, held)
    if (error := held.refused.get(wanted.id)) is not None:
        raise refused(error)
    screens.look_after(state, held, host=found.you.host, at_once=True)
    # Whoever has just said who they are may do more.
    return found._replace(held=held, you=_known(found.you, held, who))


async def _blank(state: AppState, held: Held) -> None:
    """Blank the names that another host has given meanwhile, and nobody has any more."""
    left = {*held.places.old}
    if left:
        registry = state.registry
        await registry.store.sheets.wipe(held.code, rewrites(left), (), held.entries)
        await registry.store.dropping(registry.clock.now())
        held.places.old -= left


async def drop(state: AppState, found: Found) -> EveningGone:
    """Delete an evening; return its code.

    Raises:
        Problem: somebody else has made it; code ``bad-key``.
    """
    row = found.row
    if not found.you.mine:
        raise Problem("bad-key")
    # The sheets of its tables belong to the same person.
    also = json.dumps({"at": {"evening": row.code}})[:-2]
    await state.registry.store.sheets.drop(row.code, row.person, also)
    state.evenings.drop(row.code)
    await state.evenings.cares.drop(row.code)
    # Bots play at a table of an evening though nobody is there; nobody waits for this one now.
    # One whose score somebody has typed may play on as well.
    for code in found.held.log.codes.values():
        await state.registry.put_away(code)
    await state.registry.store.dropping(state.registry.clock.now())
    return EveningGone(code=row.code)


def _check_may(found: Found, wanted: ch.Change) -> None:
    """Refuse what is not for whoever asks; code ``bad-key``."""
    you = found.you
    match wanted:
        case ch.Claim():
            may = True
        case ch.Leave() if found.held.had_another_leave(wanted.person):
            may = False  # by one name after the other a phone could send everybody home
        case ch.Leave() | ch.Free():
            may = wanted.person == you.person
        case ch.Score():
            may = may_score(found, wanted.round, wanted.table)
        case _:
            may = False
    if not (may or you.host):
        raise Problem("bad-key")


def may_score(found: Found, round_: int, table: int) -> bool:
    """Return whether whoever asks may say what a table scored: with a key, or where they sit.

    A table on screens says so by itself, and those who run the evening may correct it.
    """
    you, log = found.you, found.held.log
    if you.host:
        return True
    if log.plays_on_screens(round_, table):
        return False
    if you.table == table:
        return True
    try:
        if you.person is None or you.person not in log.evening.table(round_, table).seats:
            return False
        # By one name after the other a phone could score everywhere.
        return not found.held.said_elsewhere(you.person, round_, table)
    except EveningError:
        return False


def _kept(found: Found, who: Who, wanted: ChangeWanted, now: int) -> ch.Kept:
    """Return a change as it is kept, after it was tried."""
    held = found.held
    next_one = held.entries + 1
    writer = held.writers.get(who.id, next_one)
    if not found.you.host and held.wrote[writer] >= FOR_EACH:
        raise Problem("evening-full", f"you have made {FOR_EACH} entries; that is all")
    try:
        kept = held.log.asked(_cleaned(wanted.change), now)
        if isinstance(kept, ch.Score) and not (found.you.host or kept.table == found.you.table):
            # Anybody may say that they are somebody who sits there.
            written = held.log.written(kept.round, kept.table)
            person, seen = found.you.person, seen_by(written, ch.rows_of(kept), writer)
            waits = person is not None and held.log.phones.is_late(person, kept.round)
            kept = kept.model_copy(update={"over": seen, "waits": waits})
        trial = held.log.copy()
        trial.take(next_one, wanted.id, kept, writer)
    except EveningError as error:
        raise refused(error) from None
    return kept


def _cleaned(wanted: ch.Change) -> ch.Change:
    """Return a change whose names are fit to be shown; code ``bad-name``."""
    try:
        if isinstance(wanted, ch.Arrive):
            return wanted.model_copy(update={"names": list(map(names.clean_name, wanted.names))})
        if isinstance(wanted, ch.StandIn | ch.Rename):
            return wanted.model_copy(update={"name": names.clean_name(wanted.name)})
    except names.BadText as error:
        raise Problem("bad-name", error.reason) from None
    return wanted


def refused(error: EveningError) -> Problem:
    """Return what is told of a change that cannot be."""
    where = Where(part=error.code, reason=str(error), seats=[])
    return Problem("round-begun" if error.code == "round-begun" else "bad-change", where=where)


def _body(wanted: EveningWanted, code: str) -> str:
    """Return an evening as it is kept."""
    rules = [asked_rules(one) for one in wanted.rules]
    try:
        people = [names.clean_name(name) for name in wanted.people]
        name = names.clean_title(wanted.name)
    except names.BadText as error:
        raise Problem("bad-name", error.reason) from None
    if wanted.hands is not None and wanted.screens is not None:
        raise Problem("bad-request", "hands: expected null, for `screens` says how many there are")
    seed, size = randbelow(SEEDS), len(people)
    games = [game_of(one) for one in rules]
    if wanted.screens is not None:
        size += bots_among(wanted.screens, wanted.movement, size, games)
    try:
        begin(wanted.movement, size, games, seed, wanted.best_of, wanted.boards)
    except EveningError as error:
        raise refused(error) from None
    told = wanted.model_dump(include={"movement", "best_of", "boards", "hands", "agree"})
    kept = [one.model_dump(mode="json") for one in rules]
    about: dict[str, Any] = {"name": name, "people": people, "rules": kept, "seed": seed}
    if wanted.screens is not None:
        # A score that a table brings needs nobody who agrees.
        about |= on_screens(wanted.screens, wanted.movement, code, people, games) | {"agree": False}
    elif wanted.slips and MOVEMENTS[wanted.movement].plan is not None:
        about["key"] = secret().hex()
    if about.get("key") and (found := unprepared(rules[0])):
        raise Problem("bad-rules", str(found[0]), 400)
    return json.dumps({"kind": "evening", "reading": READING, **told, **about})
