"""Evenings on screens: each table of a round is a table of this server, which scores by itself.

Whatever is due is done when somebody looks, at most once a second, and when a table is done. So
nothing has to be kept of what was begun: after a crash it is found undone, and done. An entry of
the log has an id that follows from round and table, and so has a table's code, so that nothing is
done twice. That a table is opened is written down before the table is made.
"""

from __future__ import annotations

import hmac
import logging
import time
from collections.abc import Sequence
from functools import partial
from typing import Any, Final, cast

from pydantic import field_validator

from rookery.bots.birds import flock
from rookery.evening.log.changes import (
    MOST_ENTRIES,
    MOST_ROUNDS,
    End,
    Kept,
    NextRound,
    Opened,
    Played,
)
from rookery.evening.log.screens import Screens
from rookery.evening.movements.register import MOVEMENTS
from rookery.evening.movements.state import EveningError, Game, Table
from rookery.fairness.deal import secret
from rookery.server import names
from rookery.server.api.evenings.care import AGAIN, EVERY, Care
from rookery.server.api.evenings.held import Held
from rookery.server.api.state import AppState
from rookery.server.live.actor import Actor
from rookery.server.settings import PACES, PaceName
from rookery.server.store.base import Conflict, StoreError, Unreadable
from rookery.server.store.people.sheets import SheetEntry, SheetRow
from rookery.server.table import events as ev
from rookery.server.table import seating
from rookery.server.table.dealing import frozen_rules
from rookery.server.table.evening import points
from rookery.server.table.refusals import Refused
from rookery.server.work import ACCOUNT, Account, in_thread, metered

log = logging.getLogger(__name__)

# Shorter than an id that a phone makes up, so that no phone sends one of these.
IDS: Final = {"opened": "t-{}-{}-{}", "played": "s-{}-{}", "round": "r-{}-{}", "end": "e-{}"}


class ScreensWanted(Screens):
    """How tables on screens play, as it is asked for; see `Screens`."""

    @field_validator("bot")
    @classmethod
    def _known_bot(cls, bot: str) -> str:
        found = seating.known_bot(bot)
        if isinstance(found, Refused):
            raise ValueError(found.reason)
        return found

    @field_validator("pace")
    @classmethod
    def _known_pace(cls, pace: str) -> str:
        if pace not in PACES:
            raise ValueError(f"expected one of {', '.join(PACES)}")
        return pace


def bots_among(wanted: Screens, movement: str, people: int, games: Sequence[Game]) -> int:
    """Return how many bots join the people, so that fixed teams fill all tables."""
    fixed = movement in MOVEMENTS and MOVEMENTS[movement].fixed_teams
    return -people % games[0].seats if wanted.fill and fixed and games else 0


def on_screens(
    wanted: Screens, movement: str, code: str, people: list[str], games: Sequence[Game]
) -> dict[str, Any]:
    """Return what is kept of an evening on screens, beside its people and rules; for JSON.

    Bots join fixed teams. In other movements they stand in, where somebody would have to sit out.
    """
    joining = bots_among(wanted, movement, len(people), games)
    fixed = MOVEMENTS[movement].fixed_teams
    helping = max(game.seats for game in games) - 1 if wanted.fill and not fixed else 0
    birds = flock(code, joining + helping, people)
    return {
        "screens": wanted.model_dump(),
        "people": [*people, *birds[:joining]],
        "bots": joining,
        "helpers": birds[joining:],
        "key": secret().hex() if MOVEMENTS[movement].plan is not None else None,
    }


def look_after(state: AppState, held: Held, *, host: bool, at_once: bool = False) -> None:
    """See to it that the tables of an evening are opened and scored, and that it goes on.

    Nobody waits for that. Whoever runs the evening, as its `host`, pays for the tables that are
    opened; as long as they have not looked, whoever looks does.
    """
    if held.log.screens is None:
        return
    cares, now = state.evenings.cares, time.monotonic()
    care = cares.looked(held.code, ACCOUNT.get(), host=host)
    if at_once or now >= care.due:
        care.due = now + EVERY
        cares.begin(care, partial(_look, state, held.code))


async def see_made(state: AppState, held: Held) -> None:
    """Have an evening tell the codes of those tables that are there by now."""
    if not held.coming:
        return
    at_play = {held.log.codes[at, table.number] for at, table in held.log.at_play}
    held.coming -= {*held.log.codes.values()} - at_play
    for code in held.coming & at_play:
        try:
            if await state.registry.store.row(code) is not None:
                held.coming.discard(code)
        except StoreError:
            if not names.place_of(code):
                raise
            # Its database is lost, and not that of the evening: it stays one that is coming.


def table_done(state: AppState, joined: ev.EveningJoined) -> None:
    """See to it that an evening goes on once a table of it is done, though nobody looks now.

    If nobody has looked for long it waits: a hall of bots plays for nobody.
    """
    cares = state.evenings.cares
    if (care := cares.of(joined.evening) or cares.since_start(joined.evening)) is not None:
        cares.begin(care, partial(_look, state, joined.evening))


async def _look(state: AppState, code: str, care: Care) -> float | None:
    """Do what is due at an evening; return after how many seconds more is due, if anything."""
    try:
        while await tend(state, code, care.payer):
            pass
        held, now = await state.evenings.at(code), state.registry.clock.now()
    except _Unpaid:
        return AGAIN
    except StoreError as error:
        log.warning("evening %s is not looked after: %s", code, error)
        return AGAIN
    except Exception as error:  # whoever looks next has it tried again
        log.error("evening %s is not looked after: %s", code, type(error).__name__)
        return None
    at = None if held is None else held.log.next_at
    return None if at is None or at <= now else (at - now) / 1000


async def tend(state: AppState, code: str, account: Account | None) -> bool:
    """Do what is due at an evening; return whether something has changed.

    The account pays for the tables that are opened: each when the ones before it are paid.
    """
    store = state.registry.store.sheets
    found = await store.of(code, 0)
    held = None if found is None else await state.evenings.of(found)
    if found is None or held is None or held.log.screens is None:
        return False
    row, now, changed = found.sheet, state.registry.clock.now(), False

    async def write(id_: str, change: Kept) -> None:
        nonlocal changed
        if id_ not in held.known:
            entry = SheetEntry(0, id_, row.person, "", 0, 0, 0, change.model_dump_json())
            changed = bool(await store.write(code, entry, now, MOST_ENTRIES)) or changed

    for at, table in held.log.at_play:
        try:
            rows = await _rows(state, row, held, at, table, account)
        except StoreError as error:
            lost = names.place_of(held.log.codes[at, table.number])
            if not lost and not isinstance(error, Unreadable):
                raise
            log.warning("a table of evening %s is not looked after: %s", code, error)
            continue  # it alone, or one of several databases; the others may be well
        if rows is not None:
            scored = Played(do="played", round=at, table=table.number, rows=rows, at=now)
            await write(IDS["played"].format(at, table.number), scored)
    number = len(held.log.evening.rounds)
    for table in held.log.evening.rounds[-1].tables if number and not held.log.over else ():
        known = (number, table.number) in held.log.codes
        if not known and held.log.plays_on_screens(number, table.number):
            turn = held.log.turns[-1]  # a round that was undone and begun again has another one
            opened = _code(row, number, table.number, turn) + state.registry.store.new_place()
            found_open = Opened(do="opened", round=number, table=table.number, code=opened)
            id_ = IDS["opened"].format(number, table.number, turn)
            if account is not None and not await account.turn():
                raise _Unpaid
            # What came after the end opened nothing, and then the evening went on after all.
            while id_ in held.refused:
                id_ += "."
            await write(id_, found_open)
            return changed  # it is made, and paid, before the next one is opened
    if not changed and held.log.next_at is not None and now >= held.log.next_at:
        for id_, change in await in_thread(_next, held, now):
            await write(id_, change)
    return changed


async def _rows(
    state: AppState, row: SheetRow, held: Held, at: int, table: Table, account: Account | None
) -> list[list[int]] | None:
    """Return what the seats of a table have scored, once it is done; a row for each prepared deal.

    It is made where it is not there yet. One that sleeps is woken: bots play for whoever has gone.
    """
    code = held.log.codes[at, table.number]
    found, there = await state.registry.place(code), None
    if found is None and at == len(held.log.evening.rounds):
        if account is not None and not await account.turn():
            raise _Unpaid
        await metered(account, _open(state, row, held, at, table, code))
        found = await state.registry.place(code)
    if isinstance(found, Actor):
        there = found.table
    elif found is not None:  # another server has it; its row says whether it is worth reading
        stored = await state.registry.store.row(code)
        if stored is not None and stored.phase == "over":
            there = await state.registry.table(code)
    if there is None or there.phase != "over" or there.match is None or there.evening is None:
        return None
    return [list(row) for row in points(there.evening, there.rows, there.match)]


class _Unpaid(Exception):
    """Too much waits for the account that pays."""


def _next(held: Held, now: int) -> list[tuple[str, Kept]]:
    """Return the next round of an evening, or its end; nothing where its host has to decide."""
    number, screens = len(held.log.evening.rounds) + 1, held.log.screens
    most = None if screens is None else screens.rounds
    if number <= (most or MOST_ROUNDS):
        try:
            laid = held.log.asked(NextRound(do="round", round=number), now)
            # If people come in this moment it counts for nothing, and is tried anew.
            return [(IDS["round"].format(number, held.entries), laid)]
        except EveningError as error:
            if error.code != "over":
                return []
    return [(IDS["end"].format(held.entries), End(do="end", over=True))]


async def _open(
    state: AppState, row: SheetRow, held: Held, number: int, table: Table, code: str
) -> None:
    """Make a table on screens, if it is not there yet."""
    screens = held.log.screens
    if screens is None:
        raise ValueError("an evening with real cards")
    rules = next(one for one in held.rules if one.seats == len(table.seats))
    # Without a name, pages say which table of the evening it is, in whatever language.
    title = f"{held.name[: names.TITLE_MAX - 6]} · {table.number}" if held.name else ""
    pace = cast(PaceName, screens.pace)  # it was looked at when it was asked for
    made = ev.TableMade(code, title, False, frozen_rules(rules), pace, screens.clock)
    hands = len(table.boards) or screens.hands or 0
    deals = list(table.boards)
    joined = ev.EveningJoined(row.code, number, table.number, screens.bot, hands, deals)
    sitting = [_sitting(held, person) for person in table.seats]
    try:
        key = held.key if deals else None
        await state.registry.for_evening(made, row.person, joined, sitting, key)
    except Conflict as error:
        log.info("table %s of an evening is not made here: %s", code, error)


def _sitting(held: Held, number: int) -> seating.Sitting:
    """Return who has the seat of a person of an evening: they, or a bot until they are there."""
    name, person = held.log.names[number], held.person(number)
    if number in held.log.bots or (person is not None and name):
        return seating.Sitting(name[: names.NAME_MAX], person)
    return seating.Sitting("")


def _code(row: SheetRow, number: int, table: int, turn: int) -> str:
    """Return the code of a table on screens; nobody can guess it without the evening's secret.

    Where there are several databases, what is told of the code also says in which one it is.
    """
    about = f"screens {row.code} {number} {table} {turn}"
    return names.code_from(hmac.digest(row.key.encode(), about.encode(), "sha256"))
