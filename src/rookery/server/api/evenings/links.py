"""The links to an evening: to look, to run it, and to score one of its tables."""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from functools import partial
from typing import Final

from pydantic import BaseModel

from rookery.server import names
from rookery.server.api.evenings.evening import Found, table_key
from rookery.server.api.links import mask_of, qr_svg
from rookery.server.api.problems import Problem
from rookery.server.api.state import AppState
from rookery.server.work import in_pieces, in_thread

PIECE: Final = 8  # pictures, after which others have their turn


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
