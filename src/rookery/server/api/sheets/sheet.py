"""Score sheets of games with real cards, which several phones write."""

from __future__ import annotations

import hmac
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from rookery.about import version
from rookery.evening.score_sheet import ScoreSheet, meaning, sheet_of
from rookery.evening.sheet_file import HandSaid, said_of, seen, tally_of
from rookery.evening.tally import BadTally, Tally, askable, asked, bids, has_rest, scored, sides
from rookery.evening.versions import Shared, Version, Written, folded
from rookery.rules import Language, Rules
from rookery.server import names
from rookery.server.api.evenings import table_sheet
from rookery.server.api.evenings.table_sheet import AtTable
from rookery.server.api.evenings.telling import Form
from rookery.server.api.links import qr_svg
from rookery.server.api.problems import Problem, Where
from rookery.server.api.rules import RulesOfSheet, asked_rules
from rookery.server.api.sheets.told import (
    ENTRIES,
    Asks,
    EntryWanted,
    HandChecked,
    HandTold,
    OtherVersion,
    ResultWanted,
    SheetGone,
    SheetLink,
    SheetMade,
    SheetTold,
    SheetWanted,
)
from rookery.server.api.state import KEY_MAX, AppState, Reader
from rookery.server.registry.calendar import HIDDEN
from rookery.server.store.people.sheets import SheetEntry, SheetFound, SheetRow
from rookery.server.table.state import Who
from rookery.server.work import in_thread

SAID_AGAIN: Final = 5  # times at most, while others write
# What is said of each hand, the sheet of those that count, and their numbers.
Folded: TypeAlias = tuple[dict[int, Shared[Tally]], ScoreSheet, list[int]]


class Sheet(NamedTuple):
    """A sheet as it is found, with what whoever asks may do."""

    found: SheetFound
    rules: Rules
    players: list[str]
    hands: int | None
    dealer: int
    agree: bool
    mine: bool
    may_write: bool
    who: str
    at: AtTable | None = None

    @property
    def tag(self) -> str:
        """Changes with what is told."""
        (sheet, entries, nameless), may = self.found, f"{self.mine:d}{self.may_write:d}"
        at = "" if self.at is None else f"-{self.at.tag}"
        who = names.token_hash(self.who)[:8]
        # With the time: after a backup is restored, a number of entries comes again. And another
        # version tells the same otherwise.
        return f"{version()}-{sheet.code}-{sheet.touched}-{entries}-{nameless}-{may}{at}-{who}"


async def make(state: AppState, who: Who, wanted: SheetWanted) -> SheetMade:
    """Make a sheet.

    Raises:
        Problem: there is no such game, or these are not its players; codes
            ``bad-rules unknown-rules bad-name``.
    """
    body = await in_thread(_body, wanted)
    key, now = names.new_token(), state.registry.clock.now()
    row = SheetRow(names.new_code(), who.id, names.token_hash(key), body, now)
    while not await state.registry.store.sheets.add(row):
        if await state.registry.store.sheets.of(row.code, 0) is None:  # they are being forgotten
            raise Problem("no-session")
        row = row._replace(code=names.new_code())
    sheet = await find(state, row.code, Reader(who, None))
    told = await tell(state, sheet)
    return SheetMade(**dict(told), key=key)


async def find(state: AppState, code: str, reader: Reader) -> Sheet:
    """Return the sheet of a code.

    Raises:
        Problem: there is none, or nobody wrote on it for too long; code ``no-sheet``.
    """
    registry, code = state.registry, code.strip().upper()
    since = registry.calendar.hidden_by() - (registry.settings.keep_sheet - HIDDEN)
    found = await registry.store.sheets.of(code, since) if names.is_code(code) else None
    if found is None:
        raise Problem("no-sheet")
    sheet, place = await in_thread(_sheet, found, reader)
    if place is None:
        return sheet
    at = await table_sheet.at_table(state, code, place, reader)
    # Whoever may say what the table scored may say of what.
    return sheet._replace(at=at, players=at.players, may_write=sheet.may_write or at.may_score)


async def tell(state: AppState, sheet: Sheet) -> SheetTold:
    """Return all that a sheet has to say."""
    log = await state.registry.store.sheets.entries(sheet.found.sheet.code)
    return await in_thread(lambda: _told(sheet, log, _folded(sheet, log)))


async def write(state: AppState, sheet: Sheet, who: Who, wanted: EntryWanted) -> SheetTold:
    """Write an entry, once; return the sheet with it.

    Where the game is over by that, its table at the evening has the total as its score.

    Raises:
        Problem: what is said of a hand cannot be (``bad-tally``), the one who says it lacks the
            key (``bad-key``), or there is no room (``sheet-full``), or no sheet any more
            (``no-sheet``).
    """
    if not sheet.may_write:
        raise Problem("bad-key")
    body = await in_thread(_kept, sheet, wanted.said)
    entry = SheetEntry(0, wanted.id, who.id, who.name, 0, wanted.hand, wanted.over, body)
    code, now = sheet.found.sheet.code, state.registry.clock.now()
    number = await state.registry.store.sheets.write(code, entry, now, ENTRIES)
    if not number:
        raise Problem("no-sheet" if number is None else "sheet-full")
    # What is written stands, whether its table can have the score or not.
    return await _said(state, sheet, who, None)


async def result(state: AppState, sheet: Sheet, who: Who, wanted: ResultWanted) -> SheetTold:
    """Have the total be what the table scored, once; return the sheet.

    Raises:
        Problem: the sheet is of no table (``no-evening``), whoever asks may not score it
            (``bad-key``), or what the evening says against it.
    """
    if sheet.at is None:
        raise Problem("no-evening")
    return await _said(state, sheet, who, wanted.over)


async def _said(state: AppState, sheet: Sheet, who: Who, over: int | None) -> SheetTold:
    """Say the total at the sheet's table, if it has one; return the sheet."""
    sheets, code = state.registry.store.sheets, sheet.found.sheet.code
    log = await sheets.entries(code)
    read = await in_thread(_folded, sheet, log)
    for _ in range(SAID_AGAIN):
        if (before := sheet.at) is None:
            break
        try:
            at = await table_sheet.say(state, before, who, *read, over)
        except Problem:
            if over is not None:
                raise
            break
        sheet, over = sheet._replace(at=at), None
        # What others wrote meanwhile they may have said before this was, which is older.
        newer = [] if at is before else await sheets.entries(code, len(log))
        if not newer:
            break
        log = [*log, *newer]
        read = await in_thread(_folded, sheet, log)
    return await in_thread(_told, sheet, log, read)


async def link(state: AppState, sheet: Sheet, key: str | None) -> SheetLink:
    """Return the link to a sheet, for those who may write if its `key` is shown.

    Raises:
        Problem: the key is not its; code ``bad-key``.
    """
    row = sheet.found.sheet
    if key is not None and not hmac.compare_digest(names.token_hash(key), row.key):
        raise Problem("bad-key")
    way = state.links.sheet(row.code, key)
    return SheetLink(link=way, picture=qr_svg(way).decode())


async def drop(state: AppState, sheet: Sheet) -> SheetGone:
    """Delete a sheet; return its code.

    Raises:
        Problem: somebody else has made it; code ``bad-key``.
    """
    row = sheet.found.sheet
    if not sheet.mine:
        raise Problem("bad-key")
    await state.registry.store.sheets.drop(row.code, row.person)
    await state.registry.store.dropping(state.registry.clock.now())
    return SheetGone(code=row.code)


async def file(state: AppState, sheet: Sheet, form: Form, language: Language) -> str:
    """Return a sheet to keep, as `rookery evening score` prints it."""
    log = await state.registry.store.sheets.entries(sheet.found.sheet.code)
    return await in_thread(_file, sheet, log, form, language)


def _body(wanted: SheetWanted) -> str:
    rules = asked_rules(wanted.rules)
    try:
        players = [names.clean_name(name) for name in wanted.players]
    except names.BadText as error:
        raise Problem("bad-name", error.reason) from None
    if len(players) != rules.seats or len({*players}) < len(players):
        raise Problem("bad-name", f"expected {rules.seats} different names")
    if any(name.isdecimal() for name in players):
        raise Problem("bad-name", "a number is a seat's; expected a name")
    if wanted.dealer >= rules.seats:
        raise Problem("bad-request", f"dealer: expected 0 to {rules.seats - 1}")
    told = wanted.model_dump(include={"hands", "dealer", "agree"})
    return json.dumps({**told, "rules": rules.model_dump(mode="json"), "players": players})


def _sheet(found: SheetFound, reader: Reader) -> tuple[Sheet, Mapping[str, Any] | None]:
    """Return a sheet, and where it is kept if that is at an evening: there the players stand."""
    body = json.loads(found.sheet.body)
    if "kind" in body:  # an evening's code
        raise Problem("no-sheet")
    place, rules = body.pop("at", None), Rules.model_validate(body.pop("rules"))
    body.setdefault("players", [])
    who = "" if reader.who is None else reader.who.id
    mine = who == found.sheet.person
    shown = names.token_hash((reader.key or "")[: KEY_MAX + 1])
    may_write = mine or hmac.compare_digest(shown, found.sheet.key)
    return Sheet(found=found, rules=rules, **body, mine=mine, may_write=may_write, who=who), place


def _kept(sheet: Sheet, said: HandSaid | None) -> str:
    """Return what is said as it is stored, by seats."""
    if said is None:
        return "null"
    try:
        tally = tally_of(said, sheet.rules, sheet.players)
        scored(sheet.rules, tally)
    except BadTally as error:
        raise Problem("bad-tally", where=_where(error, sheet.players)) from None
    return said_of(tally, sheet.rules.seats).model_dump_json(exclude_defaults=True)


def _where(error: BadTally, players: Sequence[str]) -> Where:
    return Where(part=error.code, reason=error.to(players), seats=list(error.side))


def check(sheet: Sheet, said: HandSaid) -> HandChecked:
    """Return what is asked of a hand, what is wrong with it, and what it would score."""
    rules, players = sheet.rules, sheet.players
    tally, problem, one = Tally(), None, None
    try:
        tally = tally_of(said, rules, players)
        one = seen(ScoreSheet(rules, (tally,)), players).hands[0]
    except BadTally as error:
        problem = _where(error, players)
    return HandChecked(
        asked=list(asked(rules, tally)),
        rest=list(has_rest(rules, tally)),
        sides=[list(side) for side in sides(rules, tally.declarer, tally.partners)],
        problem=problem,
        scored=one,
    )


def _read(sheet: Sheet, log: Sequence[SheetEntry]) -> list[Written[Tally]]:
    """Return what was written on a sheet, in order."""
    known: dict[str, Tally | None] = {"null": None}  # the same is said more than once
    for one in log:
        if one.body not in known:
            said = HandSaid.model_validate_json(one.body)
            known[one.body] = tally_of(said, sheet.rules, sheet.players)
    return [
        Written(one.number, one.id, one.hand, one.over, known[one.body], one.writer) for one in log
    ]


def _folded(sheet: Sheet, log: Sequence[SheetEntry]) -> Folded:
    hands = folded(_read(sheet, log), meaning(sheet.rules), agree=sheet.agree)
    return hands, *sheet_of(hands, sheet.rules, wanted=sheet.hands, dealer=sheet.dealer)


def _told(sheet: Sheet, log: Sequence[SheetEntry], read: Folded) -> SheetTold:
    rules, players = sheet.rules, sheet.players
    hands, scores, numbers = read
    shown = seen(scores, players)
    lines_of = {
        number: one.model_copy(update={"hand": number})
        for number, one in zip(numbers, shown.hands, strict=True)
    }
    you = next((one.writer for one in log if one.person and one.person == sheet.who), 0)

    def version(one: Version[Tally]) -> dict[str, Any]:
        said = None if one.said is None else said_of(one.said, rules.seats)
        return {"said": said, "by": log[one.entry - 1].name}

    return SheetTold(
        code=sheet.found.sheet.code,
        rules=RulesOfSheet(id=rules.id, name=rules.name, seats=rules.seats, target=rules.target),
        players=players,
        agree=sheet.agree,
        hands_wanted=sheet.hands,
        dealer=scores.dealer,
        asks=Asks(first=list(asked(rules)), all=list(askable(rules))),
        bids=bids(rules),
        total_points=sum(rules.card_points.values()),
        sides=[list(side) for side in rules.fixed_sides or [(i,) for i in range(rules.seats)]],
        nobody=rules.all_pass == "no_contract" and not rules.dealer_bids,  # noqa: S105  (of a game)
        blind=bool(rules.blind),
        hands=[
            HandTold(
                number=number,
                **version(hand.stands),
                state=hand.state,
                others=[OtherVersion(**version(one), entry=one.entry) for one in hand.others],
                entry=hand.newest,
                scored=lines_of.get(number),
                yours=you in hand.stands.writers,
            )
            for number, hand in hands.items()
        ],
        totals=shown.totals,
        winners=shown.winners,
        entries=len(log),
        may_write=sheet.may_write,
        mine=sheet.mine,
        table=None if sheet.at is None else table_sheet.told(sheet.at, scores, numbers),
    )


def _file(sheet: Sheet, log: Sequence[SheetEntry], form: Form, language: Language) -> str:
    # Imported late: a start loads only what a page needs.
    from rookery.evening.sheet_text import lines, table

    _, scores, numbers = _folded(sheet, log)
    if form == "csv":
        return table(scores, sheet.players, numbers, language)
    if form == "json":
        return seen(scores, sheet.players).model_dump_json(indent=2)
    return "\n".join((*lines(scores, sheet.players, numbers, language), ""))
