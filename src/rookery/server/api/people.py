"""Who I am, return links, and what I have played."""

from __future__ import annotations

from typing import Annotated, Final, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from rookery.server.api.problems import Problem
from rookery.server.api.state import AppState
from rookery.server.cluster.pubsub import Ended, Gone, Renamed
from rookery.server.names import BadText, token_hash
from rookery.server.registry.listing import TableListed, listed
from rookery.server.registry.people import LINK_KEPT, Entered
from rookery.server.registry.played import Statistics, statistics_of
from rookery.server.table.state import Who
from rookery.server.work import ACCOUNT, Tab

MINE: Final = 8  # of my tables, the last ones are listed


class Named(BaseModel):
    """The name that others read."""

    model_config = ConfigDict(extra="forbid")
    name: Annotated[str, Field(max_length=200)]


class Me(BaseModel):
    """Who I am: a public number, a name, and the tables where I have sat, the last one first.

    ``base`` is what a link to this server begins with that somebody else can follow. ``passkeys``
    says whether this server knows passkeys.
    """

    person: str | None
    name: str
    tables: list[TableListed]
    base: str
    passkeys: bool


class ReturnLink(BaseModel):
    """A link that makes another browser the same person, once, and for how many seconds."""

    link: str
    token: str
    seconds: int


class Returning(BaseModel):
    """The token of a return link."""

    model_config = ConfigDict(extra="forbid")
    token: Annotated[str, Field(max_length=200)]


class Session(NamedTuple):
    """Who I am, and the token that the browser has to keep; None where it has it already."""

    me: Me
    token: str | None


async def me(state: AppState, who: Who | None) -> Me:
    """Return who I am; ``person`` is null for somebody without a name yet."""
    base, passkeys = state.links.base, state.passkeys.here
    if who is None:
        return Me(person=None, name="", tables=[], base=base, passkeys=passkeys)
    tables = []
    for code in (await state.registry.store.tables_of(who.id))[:MINE]:
        table = await state.registry.table(code)
        if table is not None:
            tables.append(listed(table, who.id))
    return Me(person=who.id, name=who.name, tables=tables, base=base, passkeys=passkeys)


async def take_name(state: AppState, who: Who | None, name: str, device: str = "") -> Session:
    """Take a name, the first with a `device` or another one.

    Raises:
        Problem: the name cannot be shown; code ``bad-name``.
    """
    try:
        if who is None:
            made = await state.people.enter(name, device)
            return Session(await me(state, made.person), made.token)
        renamed = await state.people.rename(who, name)
    except BadText as error:
        raise Problem(error.code, error.reason) from None
    state.sockets.rename(renamed)
    state.registry.pubsub.publish(Renamed(renamed.id))
    return Session(await me(state, renamed), None)


async def forget_me(state: AppState, who: Who) -> None:
    """Forget me: in every browser, and my name and words at every table where I have been."""
    async with (ACCOUNT.get() or Tab()).alone("forget"):
        also = state.sockets.cut_person(who.id)
        state.registry.pubsub.publish(Gone(who.id))
        await state.registry.retention.forget(who.id, also)


async def return_link(state: AppState, who: Who, by: str) -> ReturnLink:
    """Make a link that moves me to another browser; `by` is the token of the session that asks."""
    token = await state.people.link(who, by)
    return ReturnLink(link=state.links.returning(token), token=token, seconds=LINK_KEPT // 1000)


async def come_back(state: AppState, token: str, old: str | None, device: str = "") -> Session:
    """Become the person of a return link.

    Args:
        state: the server.
        token: of the link.
        old: the token that the browser had until now, whose session ends.
        device: what somebody comes back with.

    Raises:
        Problem: the link is not good any more; code ``bad-link``.
    """
    found = await state.people.come_back(token, device)
    if found is None:
        raise Problem("bad-link")
    return await entered(state, found, old)


async def entered(state: AppState, found: Entered, old: str | None) -> Session:
    """Return the session of somebody who has come back; that of the `old` token ends."""
    if old is not None:
        await state.people.leave(old)
        state.sockets.cut_sessions([token_hash(old)])
        state.registry.pubsub.publish(Ended(token_hash(old)))
    return Session(await me(state, found.person), found.token)


async def statistics(state: AppState, who: Who) -> Statistics:
    """Return what I have played on this server."""
    return await statistics_of(who.id, state.registry)
