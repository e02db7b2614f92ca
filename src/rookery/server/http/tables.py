"""REST: making a table, finding one, and its link as a picture."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from rookery.rules import RulesError
from rookery.server.http import qr
from rookery.server.http.errors import Problem, of_refusal
from rookery.server.http.middleware import stranger
from rookery.server.http.ratelimit import limited
from rookery.server.http.rules import read_rules
from rookery.server.http.state import AppState, parts
from rookery.server.registry import played
from rookery.server.registry.listing import TableSeen, seen
from rookery.server.settings import PaceName
from rookery.server.table.refusals import Refused

router = APIRouter(prefix="/api", tags=["tables"])

_PICTURE: Final[dict[int | str, dict[str, Any]]] = {
    200: {"content": {"image/svg+xml": {"schema": {"type": "string"}}}}
}
# Where a program goes on from here, for those that read the description of this API.
_AT_TABLE: Final[dict[int | str, dict[str, Any]]] = {
    201: {
        "links": {
            name: {"operationId": name, "parameters": {"code": "$response.body#/code"}}
            for name in ("one_table", "picture", "hands", "record")
        }
    }
}
_RECORD: Final[dict[int | str, dict[str, Any]]] = {
    200: {"content": {"application/json": {"schema": {"type": "object"}}}}
}


class TableWanted(BaseModel):
    """A new table; bots take the seats from seat 1 on, and `clock` is seconds for a turn."""

    model_config = ConfigDict(extra="forbid", strict=True)
    rules: Annotated[str, Field(max_length=64)] | dict[str, Any] = "kd_tournament"
    title: Annotated[str, Field(max_length=300)] = ""
    open: bool = False
    bots: Annotated[list[Annotated[str, Field(max_length=64)]], Field(max_length=8)] = []
    pace: PaceName = "normal"
    clock: Annotated[int, Field(ge=0, le=3600)] | None = None


class TableOpen(BaseModel):
    """A table that strangers may join: the name of its rules, its seats, and how many are free."""

    code: str
    title: str
    rules: str
    phase: str
    seats: int
    people: int
    free: int


class TableMade(BaseModel):
    """A new table: its code, and the link for friends."""

    code: str
    link: str


class HandListed(BaseModel):
    """A finished hand: its number at the table, its match and number there, and the score.

    ``bots`` says which of the players were bots, by id, and ``over`` whether the match is over, so
    that it can be looked at again.
    """

    number: int
    match: int
    hand: int
    dealer: int
    declarer: int | None
    bid: int | str | None
    call: str | None
    score: list[int]
    totals: list[int]
    players: list[str]
    bots: list[str | None]
    over: bool


class HandReplayed(HandListed):
    """A finished hand, step by step; `hands` numbers all that can be replayed."""

    code: str
    title: str
    hands: list[int]
    rules: dict[str, Any]
    seat: int | None
    deal: list[list[str]]
    nest: list[str]
    points: list[int] | None
    sides: list[list[int]] | None
    actions: list[str]
    steps: list[dict[str, Any]]
    proof: dict[str, Any] | None


@router.post("/tables", status_code=201, responses=_AT_TABLE, openapi_extra=limited("table"))
async def make(request: Request, wanted: TableWanted) -> TableMade:
    """Make a table; whoever makes it is host and has seat 0."""
    here = parts(request)
    who = await here.person(request)
    if not here.buckets.take("table", who.id):
        raise Problem("too-many")
    try:
        rules = await asyncio.to_thread(read_rules, wanted.rules)
    except RulesError as error:
        code = "unknown-rules" if error.code == "unknown-rules" else "bad-rules"
        raise Problem(code, "; ".join(error.problems[:5])[:600], 400) from None
    made = await here.registry.create(
        who,
        rules,
        title=wanted.title,
        listed=wanted.open,
        bots=wanted.bots,
        pace=wanted.pace,
        clock=wanted.clock or None,
    )
    if isinstance(made, Refused):
        raise of_refusal(made)
    code = made.table.code
    return TableMade(code=code, link=here.links.table(code))


@router.get("/tables")
async def open_tables(request: Request) -> list[TableOpen]:
    """Return the tables that are open to strangers, the liveliest first."""
    found = await parts(request).registry.open_tables()
    return [TableOpen(**table._asdict()) for table in found]


@router.get("/tables/{code}", openapi_extra=limited("look"))
async def one_table(request: Request, code: str) -> TableSeen:
    """Return what anybody may know of a table before sitting down."""
    here = _looked(request)
    table = await here.table(code)
    who = await here.sessions.who(request.scope)
    return seen(table, None if who is None else who.id, here.links.table(table.code))


@router.get(
    "/tables/{code}/qr.svg",
    response_class=Response,
    responses=_PICTURE,
    openapi_extra=limited("look"),
)
async def picture(request: Request, code: str) -> Response:
    """Return a table's link as a QR code."""
    here = _looked(request)
    table = await here.table(code)
    return Response(qr.svg(here.links.table(table.code)), media_type="image/svg+xml")


@router.get("/tables/{code}/hands", response_model=list[HandListed], openapi_extra=limited("look"))
async def hands(request: Request, code: str) -> list[dict[str, Any]]:
    """Return the finished hands of a table; never one that is under way."""
    past = await _looked(request).past(code)
    return await asyncio.to_thread(lambda: [played.line(one) for one in played.finished(past)])


@router.get(
    "/tables/{code}/record",
    response_class=Response,
    responses=_RECORD,
    openapi_extra=limited("look"),
)
async def record(
    request: Request, code: str, match: Annotated[int | None, Query(ge=0, le=999)] = None
) -> Response:
    """Return a match, its finished hands, as a ``rookery/1`` record to keep."""
    past = await _looked(request).past(code)
    text = await asyncio.to_thread(played.record_of, past, match)
    if text is None:
        raise Problem("no-hand")
    name = f"rookery-{past.table.code}.json"
    told = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type="application/json", headers=told)


@router.get("/replay/{code}/{hand}", response_model=HandReplayed, openapi_extra=limited("look"))
async def replay(
    request: Request,
    code: str,
    hand: int,
    seat: Annotated[int | None, Query(ge=0, le=7)] = None,
) -> dict[str, Any]:
    """Return one finished hand step by step, all open or as one seat saw it."""
    past = await _looked(request).past(code)
    if seat is not None and seat >= len(past.table.chairs):
        raise Problem("no-hand")
    found = await asyncio.to_thread(played.replayed, past, hand, seat)
    if found is None:
        raise Problem("no-hand")
    return found


def _looked(request: Request) -> AppState:
    here = parts(request)
    # Codes are short enough to be tried out, if trying were free.
    address = stranger(request.scope)
    if address is not None and not here.buckets.take("look", address):
        raise Problem("too-many")
    return here
