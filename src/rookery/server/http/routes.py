"""The routes of the API: each is its limit, a plain function of `server.api`, and the answer."""

from __future__ import annotations

from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from pydantic import BaseModel, TypeAdapter
from starlette.responses import JSONResponse

from rookery.rules import Language, rules_schema
from rookery.server.api import admin, bots, people, rules, tables
from rookery.server.api.problems import Answer, Problem
from rookery.server.http import dependencies as needs
from rookery.server.http.dependencies import (
    AddressLimit,
    AdminLimit,
    Cookie,
    Count,
    CountedByGuard,
    CountedByRoute,
    Device,
    Known,
    LimitedRoute,
    Person,
    PersonLimit,
    State,
    Token,
    Visitor,
)
from rookery.server.http.sessions import back, mine
from rookery.server.http.static import kept
from rookery.server.registry.listing import TableOpen, TableSeen
from rookery.server.registry.played import HandListed, HandReplayed, Statistics
from rookery.server.registry.regulars import Regulars
from rookery.server.registry.reviews import ReviewAtWork
from rookery.server.work import in_thread

router = APIRouter(route_class=LimitedRoute)
In = Annotated[Language, Query(description="The language of the words.")]
AGAIN: Final = "1"  # seconds until it is worth asking again how far a review is
CHECK: Final = [Depends(AddressLimit("check"))]
MADE: Final = [Depends(AddressLimit("tables")), Depends(PersonLimit("table"))]
Responses = dict[int | str, dict[str, Any]]

_HANDS: Final = TypeAdapter(list[HandListed])
_REPLAYED: Final = TypeAdapter(HandReplayed)
_PICTURE: Final[Responses] = {200: {"content": {"image/svg+xml": {"schema": {"type": "string"}}}}}
_JSON: Final = {"content": {"application/json": {"schema": {"type": "object"}}}}
_REVIEW: Final[Responses] = {
    200: {"description": "The review, as `rookery schema review` describes it.", **_JSON},
    202: {"model": ReviewAtWork, "description": "It is being made; ask again."},
}
# Where a program goes on from here, for those that read the description of this API.
_AT_TABLE: Final[Responses] = {
    201: {
        "links": {
            name: {"operationId": name, "parameters": {"code": "$response.body#/code"}}
            for name in ("one_table", "picture", "hands", "regulars", "record")
        }
    }
}
_COME_BACK: Final = {
    "operationId": "come_back",
    "requestBody": {"token": "$response.body#/token"},
}


class Health(BaseModel):
    """Whether the server is well."""

    ok: bool


class Ready(Health):
    """Whether the server is ready; ``nothing_expires`` says why, while its clock is in doubt."""

    nothing_expires: str | None = None


@router.get("/api/variants", tags=["rules"], response_model=list[rules.Variant])
async def variants(request: Request, lang: In = "en") -> Response:
    """Return the catalogue."""
    return await kept(request, rules.catalogue, lang)


@router.get("/api/variants/{variant_id}", tags=["rules"], response_model=rules.VariantInFull)
async def one_variant(variant_id: str, request: Request, lang: In = "en") -> Response:
    """Return one variant in full."""
    return await kept(request, rules.in_full, variant_id, lang)


@router.get("/api/rules/names", tags=["rules"], response_model=dict[str, str])
async def names(request: Request, lang: In = "en") -> Response:
    """Return the names of games in another language, by the English name that a table keeps.

    House rules without a name of their own are called after their base, and are here too.
    """
    return await kept(request, rules.translated_names, lang)


@router.get("/api/rules/schema", tags=["rules"], response_model=dict[str, Any])
async def schema(request: Request, lang: In = "en") -> Response:
    """Return the JSON schema of a rule set, with the options in words."""
    return await kept(request, rules_schema, lang)


@router.post("/api/rules/check", tags=["rules"], dependencies=CHECK)
async def check(written: rules.RulesWritten, lang: In = "en") -> rules.RulesChecked:
    """Return whether rules fit together, the problems, and the rules in words."""
    return await in_thread(rules.check, written.rules, lang)


@router.post("/api/rules/parse", tags=["rules"], dependencies=CHECK)
async def parse_file(file: rules.RulesFile, lang: In = "en") -> rules.RulesParsed:
    """Return what a house-rule file holds: a base and options, which may not fit together."""
    return await in_thread(rules.parse_file, file, lang)


@router.get("/api/bots", tags=["bots"], name="bots")
async def all_bots(state: State) -> list[bots.BotListed]:
    """Return the bots, with a description for people, and whether each is ready."""
    return bots.bots(state)


@router.get("/api/session", tags=["people"])
async def me(state: State, known: Known, answer: Response, cookie: Cookie) -> people.Me:
    """Return who you are; ``person`` is null if you have no name yet."""
    if known is None:
        return await people.me(state, None)
    sent, who = known
    if await state.people.use(sent.token) or sent.name != cookie.name:
        cookie.set(answer, sent.token)
    return await people.me(state, who)


@router.post("/api/session", tags=["people"], dependencies=[Depends(PersonLimit("rename"))])
async def name_me(
    state: State,
    who: Visitor,
    named: people.Named,
    count: Annotated[Count, Depends(CountedByRoute("person"))],
    device: Device,
    answer: Response,
    cookie: Cookie,
) -> people.Me:
    """Take a name; or change it, at most ten times in 60 s, five at once."""
    if who is None:
        count()
    return cookie.remembered(await people.take_name(state, who, named.name, device), answer)


@router.delete("/api/session", tags=["people"])
async def forget_me(
    state: State,
    who: Visitor,
    count: Annotated[Count, Depends(CountedByRoute("forget"))],
    answer: Response,
    cookie: Cookie,
) -> people.Me:
    """Forget you: in every browser, and your name and words at every table where you have been."""
    if who is not None:
        count()
        await people.forget_me(state, who)
    cookie.drop(answer)
    return await people.me(state, None)


@router.post(
    "/api/session/return",
    tags=["people"],
    responses={200: {"links": {"come_back": _COME_BACK}}},
    dependencies=[Depends(PersonLimit("link"))],
)
async def link_me(state: State, who: Person, token: Token) -> people.ReturnLink:
    """Make a link that moves you to another browser."""
    return await people.return_link(state, who, token)


@router.post("/api/return", tags=["people"], dependencies=[Depends(AddressLimit("link"))])
async def come_back(
    state: State,
    returning: people.Returning,
    known: Known,
    device: Device,
    answer: Response,
    cookie: Cookie,
) -> people.Me:
    """Become the person of a return link."""
    old = known and known[0].token
    found = await people.come_back(state, returning.token, old, device)
    return cookie.remembered(found, answer)


@router.get("/api/session/statistics", tags=["people"], dependencies=CHECK)
async def statistics(state: State, who: Person) -> Statistics:
    """Return what you have played on this server, at your latest 100 tables."""
    return await people.statistics(state, who)


router.routes += back.routes + mine.routes


@router.post(
    "/api/tables", tags=["tables"], status_code=201, responses=_AT_TABLE, dependencies=MADE
)
async def make(state: State, who: Person, wanted: tables.TableWanted) -> tables.TableMade:
    """Make a table; whoever makes it is host and has seat 0."""
    return await tables.make(state, who, wanted)


@router.get("/api/tables", tags=["tables"])
async def open_tables(state: State) -> list[TableOpen]:
    """Return the tables that are open to strangers, the liveliest first."""
    return await state.registry.lobby.tables()


@router.post("/api/tables/quick", tags=["tables"], dependencies=MADE)
async def play_with_others(
    state: State, who: Person, wanted: tables.QuickWanted
) -> tables.QuickFound:
    """Return a public table where others sit, or a new one; then `sit` there with `matched`."""
    return await tables.quick(state, who, wanted)


# Codes are short enough to be tried out, if trying were free.
LOOK: Final = [Depends(AddressLimit("look"))]
at_table = APIRouter(route_class=LimitedRoute, tags=["tables"], dependencies=LOOK)


@at_table.get("/api/tables/{code}")
async def one_table(state: State, code: str, who: Visitor) -> TableSeen:
    """Return what everybody may know of a table before sitting down."""
    return await tables.one_table(state, code, who)


@at_table.get("/api/tables/{code}/qr.svg", response_class=Response, responses=_PICTURE)
async def picture(state: State, code: str) -> Response:
    """Return a table's link as a QR code."""
    return Response(await tables.picture(state, code), media_type="image/svg+xml")


@at_table.get("/api/tables/{code}/hands", response_model=list[HandListed])
async def hands(state: State, code: str) -> Response:
    """Return the finished hands of a table; never one that is under way."""
    return await _written(_HANDS, await tables.hands(state, code))


@at_table.get("/api/tables/{code}/statistics")
async def regulars(state: State, code: str) -> Regulars:
    """Return how the people of a table, and each pair of partners, did in its matches."""
    return await tables.regulars(state, code)


@at_table.get("/api/tables/{code}/ratings")
async def ratings(state: State, code: str, who: Visitor) -> tables.RatingsSeen:
    """Return the ratings of those at a table who want to be rated, as far as they are known.

    What is new is worked out meanwhile; ask again until `done` is `whole`.
    """
    return await tables.ratings(state, code, who)


@at_table.put("/api/tables/{code}/ratings", dependencies=[Depends(PersonLimit("table"))])
async def rate_me(
    state: State, code: str, who: Person, wanted: people.RatingWanted
) -> tables.RatingsSeen:
    """Be rated at a table where you have played, from the next hand on, or stop."""
    return await tables.rate_me(state, code, who, wanted)


@at_table.get(
    "/api/tables/{code}/record",
    response_class=Response,
    responses={200: _JSON},
    dependencies=[Depends(AddressLimit("record"))],
)
async def record(
    state: State, code: str, match: Annotated[int | None, Query(ge=0, le=999)] = None
) -> Response:
    """Return the finished hands of a match as a ``rookery/1`` record to keep."""
    name, text = await tables.record(state, code, match)
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type="application/json", headers=headers)


@at_table.get("/api/replay/{code}/{hand}", response_model=HandReplayed)
async def replay(
    state: State,
    code: str,
    hand: int,
    seat: Annotated[int | None, Query(ge=0, le=7)] = None,
) -> Response:
    """Return one finished hand step by step, all open or as one seat saw it."""
    return await _written(_REPLAYED, await tables.replay(state, code, hand, seat))


@at_table.get(
    "/api/tables/{code}/matches/{match}/review", response_class=Response, responses=_REVIEW
)
async def review(
    state: State,
    code: str,
    match: Annotated[int, Path(ge=0, le=999)],
    count: Annotated[Count, Depends(CountedByRoute("review"))],
) -> Response:
    """Return the review of a finished match, to whoever may read its record.

    It is made when it is first asked for, which takes from seconds to minutes.
    """
    found = await tables.review(state, code, match, count)
    if isinstance(found, ReviewAtWork):
        return JSONResponse(found.model_dump(), 202, {"retry-after": AGAIN})
    return Response(found, media_type="application/json")


router.routes += at_table.routes


@router.get("/api/protocol.json", tags=["socket"])
async def socket_schemas() -> dict[str, Any]:
    """Return the JSON schemas of the messages on the socket of a table."""
    return tables.socket_schemas()


ADMIN: Final = [
    Depends(needs.has_admin_page),
    Depends(AdminLimit("admin")),
    Depends(needs.admin),
]


@router.get("/api/admin", tags=["admin"], dependencies=ADMIN)
async def overview(state: State) -> admin.Overview:
    """Return the figures of this server, to whoever has the secret of its admin page."""
    return await admin.overview(state)


@router.get("/api/admin/talk", tags=["admin"], dependencies=ADMIN)
async def talk(
    state: State, code: str, seq: Annotated[int, Query(ge=1, le=1 << 53)]
) -> list[admin.LineSaid]:
    """Return the talk before a report, by the `code` and `seq` that the figures give."""
    return await admin.talk(state, code, seq)


@router.get("/healthz", tags=["health"], dependencies=[Depends(CountedByGuard("health"))])
async def alive() -> Health:
    """Answer that the process runs."""
    return Health(ok=True)


@router.get(
    "/readyz",
    tags=["health"],
    dependencies=[Depends(CountedByGuard("health"))],
    response_model_exclude_none=True,
    responses={503: {"model": Answer, "description": "It takes no writes, or seems dead."}},
)
async def at_work(state: State) -> Ready:
    """Answer that the store takes writes and this server counts as alive; otherwise 503."""
    if not await state.readiness.here():
        raise Problem("not-ready")
    return Ready(ok=True, nothing_expires=state.registry.calendar.advice)


async def _written(kind: TypeAdapter[Any], value: object) -> Response:
    """Return a long answer as JSON; to write it takes so long that others would wait."""
    return Response(await in_thread(kind.dump_json, value), media_type="application/json")
