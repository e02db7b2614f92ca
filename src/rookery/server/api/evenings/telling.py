"""What an evening tells: all of it, a round, a deal, a file to keep, and the links to it.

As long as others still play the same prepared deals, only those who run the evening see what was
scored with them, and everybody their own table, if they said who they are before it had a score.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Sequence
from functools import partial
from typing import Final, Literal, TypeAlias

from pydantic import BaseModel

from rookery.evening.log.fold import EveningLog
from rookery.evening.log.pairs import DealTold, deal_told
from rookery.evening.log.told import EveningTold, RoundTold, TableTold, VersionTold, table_told
from rookery.evening.movements.state import Table
from rookery.evening.versions import seen_by
from rookery.rules import Language
from rookery.server import names
from rookery.server.api.evenings.evening import Found, You, table_key
from rookery.server.api.links import mask_of, qr_svg
from rookery.server.api.problems import Problem
from rookery.server.api.rules import RulesOfSheet
from rookery.server.api.state import AppState
from rookery.server.work import in_pieces, in_thread

Form: TypeAlias = Literal["csv", "json", "text"]
PIECE: Final = 8  # pictures, after which others have their turn


class EveningSeen(BaseModel):
    """An evening as somebody sees it; ``entries`` is the newest, ``now`` in ms since 1970.

    ``own`` is the table of the last round that they score or sit at; null without one. In
    ``evening`` that of prepared deals has no score before the evening is over, but for hosts.
    """

    code: str
    rules: list[RulesOfSheet]
    agree: bool
    entries: int
    now: int
    you: You
    own: TableTold | None
    evening: EveningTold


class EveningMade(EveningSeen):
    """A new evening; with ``key``, others run it too."""

    key: str


class EveningLink(BaseModel):
    """The link to an evening, with the key that was shown or a table's, and its QR code, SVG."""

    link: str
    picture: str


class TableLink(EveningLink):
    """The link by which a table is scored."""

    table: int


class RoundLinks(BaseModel):
    """The links of all tables of a round."""

    links: list[TableLink]


def tell(state: AppState, found: Found) -> bytes:
    """Return all that an evening has to say, an `EveningSeen` as JSON."""
    held = found.held
    rounds = len(held.log.evening.rounds)
    own = _own(found, rounds) if rounds else None
    head = {
        "code": found.row.code,
        "rules": [
            RulesOfSheet(id=one.id, name=one.name, seats=one.seats, target=one.target).model_dump()
            for one in held.rules
        ],
        "agree": held.agree,
        "entries": held.entries,
        "now": state.registry.clock.now(),
        "you": found.you.model_dump(),
        "own": own and own.model_dump(),
    }
    told = held.told(veiled=not sees_all(found))
    return b'%b,"evening":%b}' % (json.dumps(head).encode()[:-1], told)


def tell_round(found: Found, number: int) -> RoundTold:
    """Return a round of an evening.

    Raises:
        Problem: it has not begun; code ``no-round``.
    """
    if not 1 <= number <= len(found.held.log.evening.rounds):
        raise Problem("no-round")
    told = found.held.round(number, veiled=not sees_all(found))
    own = _own(found, number)
    tables = [own if own and own.number == one.number else one for one in told.tables]
    return told.model_copy(update={"tables": tables})


async def tell_deal(state: AppState, found: Found, number: int) -> DealTold:
    """Return what all tables made of a prepared deal, by its number from 1.

    Raises:
        Problem: nobody has played it (``no-deal``), or others still may (``not-over``).
    """
    if not sees_all(found):
        raise Problem("not-over")
    told = await in_thread(deal_told, found.held.log, number)
    if told is None:
        raise Problem("no-deal")
    deals = found.held.deals()
    if deals is None or not found.held.log.is_open:
        return told
    # Imported late: a start loads only what a page needs.
    from rookery.server.api.evenings.deals import opened

    return told.model_copy(update={"open": await opened(state, deals, number)})


def sees_all(found: Found) -> bool:
    """Return whether somebody may see what all tables have scored."""
    log = found.held.log
    return found.you.host or log.is_open or not log.evening.planned


def sees_table(found: Found, table: Table, first: int) -> bool:
    """Return whether somebody may see what a table makes of its deals.

    Anybody may say that they are somebody who sits there. So where deals are prepared that counts
    only if they said so before it told anything: before entry number `first`, 0 for none so far.
    The table's link is for its newest round: whoever is there then may still play earlier deals.
    """
    you, log = found.you, found.held.log
    if sees_all(found) or not table.boards:
        return True
    there = [one for at in log.evening.rounds for one in at.tables if one.number == you.table]
    if there and (there[-1].number, there[-1].seats) == (table.number, table.seats):
        return True
    if you.person is None or you.person not in table.seats:
        return False
    return not first or log.phones.entry[you.person] < first


def _own(found: Found, number: int) -> TableTold | None:
    """Return the table of a round that somebody scores, or sits at."""
    you, held = found.you, found.held
    for table in held.log.evening.rounds[number - 1].tables:
        if table.number == you.table or (you.table is None and you.person in table.seats):
            first = next((one.number for one in held.log.written(number, table.number)), 0)
            veiled = not sees_table(found, table, first)
            told = held.made(table_told(held.log, number, table, held.by, veiled=veiled))
            return told if you.person is None else _chosen_by(held.log, number, told, you.person)
    return None


def _chosen_by(log: EveningLog, number: int, told: TableTold, person: int) -> TableTold:
    """Return a table with what a person settles who has no key."""

    def marked(one: VersionTold) -> VersionTold:
        said = None if one.rows is None else tuple(tuple(row) for row in one.rows)
        return one.model_copy(
            update={"settles": bool(seen_by(written, said, log.phones.of[person]))}
        )

    written = log.written(number, told.number)
    if told.state != "disputed" or told.said is None:
        return told
    others = [marked(one) for one in told.others]
    return told.model_copy(update={"said": marked(told.said), "others": others})


def file(found: Found, form: Form, language: Language) -> str:
    """Return an evening to keep, in a language but for JSON.

    Raises:
        Problem: others still play the same deals; code ``not-over``.
    """
    if not sees_all(found):
        raise Problem("not-over")
    # Imported late: a start loads only what a page needs.
    from rookery.evening.log.text import lines, table

    held = found.held
    if form == "json":
        return held.file()
    if form == "csv":
        return table(held.log, language)
    return "\n".join((*lines(held.log, held.name, language), ""))


def link(state: AppState, found: Found, key: str | None, table: int | None) -> EveningLink:
    """Return the link to an evening: to look, with its `key` to run it, or to score a `table`.

    Raises:
        Problem: the key is not its, or somebody else runs it; code ``bad-key``.
    """
    row = found.row
    if table is not None:
        if not found.you.host:
            raise Problem("bad-key")
        way = state.links.evening(row.code, table_key(row, table), table)
    else:
        if key is not None and not hmac.compare_digest(names.token_hash(key), row.key):
            raise Problem("bad-key")
        way = state.links.evening(row.code, key)
    return EveningLink(link=way, picture=qr_svg(way).decode())


async def round_links(state: AppState, found: Found, number: int) -> RoundLinks:
    """Return the links by which the tables of a round are scored, for paper.

    Raises:
        Problem: the round has not begun (``no-round``), or somebody else runs it (``bad-key``).
    """
    if not found.you.host:
        raise Problem("bad-key")
    if not 1 <= number <= len(found.held.log.evening.rounds):
        raise Problem("no-round")
    tables = [table.number for table in found.held.log.evening.rounds[number - 1].tables]
    ways = [state.links.evening(found.row.code, table_key(found.row, one), one) for one in tables]
    if not ways:  # rounds in which nobody plays were laid once
        return RoundLinks(links=[])
    mask = await in_thread(mask_of, ways[0])
    all_ways = list(zip(tables, ways, strict=True))
    return RoundLinks(links=await in_pieces(partial(_drawn, mask), all_ways, PIECE))


def _drawn(mask: int, ways: Sequence[tuple[int, str]]) -> list[TableLink]:
    return [
        TableLink(table=table, link=way, picture=qr_svg(way, mask).decode()) for table, way in ways
    ]
