"""REST: who I am, return links, and what I have played."""

from __future__ import annotations

from typing import Annotated, Any, Final

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import JSONResponse

from rookery.server.cluster.pubsub import Ended, Gone, Renamed
from rookery.server.http.errors import Problem
from rookery.server.http.middleware import stranger
from rookery.server.http.ratelimit import limited
from rookery.server.http.sessions import LINK_KEPT
from rookery.server.http.state import parts
from rookery.server.names import BadWords, token_hash
from rookery.server.registry.listing import TableListed, listed
from rookery.server.registry.statistics import Statistics
from rookery.server.table.pieces import Who

router = APIRouter(prefix="/api", tags=["people"])
MINE: Final = 8  # of my tables, the last ones are listed

_COMING_BACK: Final[dict[int | str, dict[str, Any]]] = {
    200: {
        "links": {
            "come_back": {
                "operationId": "come_back",
                "requestBody": {"token": "$response.body#/token"},
            }
        }
    }
}


class Named(BaseModel):
    """The name that others read."""

    model_config = ConfigDict(extra="forbid")
    name: Annotated[str, Field(max_length=200)]


class Me(BaseModel):
    """Who I am: a public number, a name, and the tables where I have sat, the last one first.

    ``base`` is what a link to this server begins with that somebody else can follow.
    """

    person: str | None
    name: str
    tables: list[TableListed]
    base: str


class ReturnLink(BaseModel):
    """A link that makes another browser the same person, once, and for how many seconds."""

    link: str
    token: str
    seconds: int


class Returning(BaseModel):
    """The token of a return link."""

    model_config = ConfigDict(extra="forbid")
    token: Annotated[str, Field(max_length=200)]


@router.get("/session")
async def me(request: Request, answer: Response) -> Me:
    """Return who I am; ``person`` is null for somebody without a name yet."""
    sessions = parts(request).sessions
    who = await sessions.who(request.scope)
    if who is not None:
        await sessions.renew(request.scope, answer)
    return await _me(request, who)


@router.post("/session", response_model=Me, openapi_extra=limited("person"))
async def name_me(request: Request, named: Named) -> Response:
    """Take a name, the first or another one."""
    here = parts(request)
    who = await here.sessions.who(request.scope)
    try:
        if who is not None:
            renamed = await here.sessions.rename(who, named.name)
            here.sockets.renamed(renamed)
            here.registry.pubsub.publish(Renamed(renamed.id))
            return JSONResponse((await _me(request, renamed)).model_dump())
        address = stranger(request.scope)
        if address is not None and not here.buckets.take("person", address):
            raise Problem("too-many")
        entered = await here.sessions.enter(named.name)
    except BadWords as error:
        raise Problem(error.code, error.reason) from None
    answer = JSONResponse((await _me(request, entered.person)).model_dump())
    here.sessions.remember(answer, entered.token)
    return answer


@router.delete("/session", response_model=Me, openapi_extra=limited("forget"))
async def forget_me(request: Request) -> Response:
    """Forget me: in every browser, and my name and words at every table where I have been."""
    here = parts(request)
    who = await here.sessions.who(request.scope)
    if who is not None:
        address = stranger(request.scope)
        if address is not None and not here.buckets.take("forget", address):
            raise Problem("too-many")
        also = here.sockets.cut_person(who.id)
        here.registry.pubsub.publish(Gone(who.id))
        await here.registry.forget(who.id, also)
    answer = JSONResponse((await _me(request, None)).model_dump())
    here.sessions.forget(answer)
    return answer


@router.post("/session/return", responses=_COMING_BACK, openapi_extra=limited("link"))
async def link_me(request: Request) -> ReturnLink:
    """Make a link that moves me to another browser."""
    here = parts(request)
    who = await here.person(request)
    if not here.buckets.take("link", who.id):
        raise Problem("too-many")
    token = await here.sessions.link(who)
    return ReturnLink(link=here.links.returning(token), token=token, seconds=LINK_KEPT // 1000)


@router.post("/return", response_model=Me, openapi_extra=limited("link"))
async def come_back(request: Request, returning: Returning) -> Response:
    """Become the person of a return link."""
    here = parts(request)
    address = stranger(request.scope)
    if address is not None and not here.buckets.take("link", address):
        raise Problem("too-many")
    entered = await here.sessions.come_back(returning.token)
    if entered is None:
        raise Problem("bad-link")
    # The browser's old token is about to be overwritten: nobody holds it any more.
    old = here.sessions.token(request.scope)
    if old is not None:
        await here.sessions.leave(old)
        here.sockets.cut(old)
        here.registry.pubsub.publish(Ended(token_hash(old)))
    answer = JSONResponse((await _me(request, entered.person)).model_dump())
    here.sessions.remember(answer, entered.token)
    return answer


@router.get("/session/statistics", openapi_extra=limited("look"))
async def statistics(request: Request) -> Statistics:
    """Return what I have played on this server."""
    here = parts(request)
    who = await here.person(request)
    if not here.buckets.take("look", who.id):
        raise Problem("too-many")
    return await here.counting.of(who.id)


async def _me(request: Request, who: Who | None) -> Me:
    if who is None:
        return Me(person=None, name="", tables=[], base=parts(request).links.base)
    here = parts(request)
    tables = []
    for code in (await here.store.tables_of(who.id))[:MINE]:
        table = await here.registry.table(code)
        if table is not None:
            tables.append(listed(table, who.id))
    return Me(person=who.id, name=who.name, tables=tables, base=here.links.base)
