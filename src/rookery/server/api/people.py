"""Who I am, return links, and what I have played."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Annotated, Final, NamedTuple

from pydantic import BaseModel, Field

from rookery.server.api.problems import Problem
from rookery.server.api.state import AppState
from rookery.server.cluster.pubsub import Ended, Renamed
from rookery.server.names import BadText, token_hash
from rookery.server.registry.listing import TableListed, listed, passing_over
from rookery.server.registry.people import LINK_KEPT, Entered
from rookery.server.registry.played import Statistics, statistics_of
from rookery.server.registry.ratings import MILLION, newcomers
from rookery.server.store.base import StoreError
from rookery.server.store.people.rated import Stranger
from rookery.server.table.state import Who
from rookery.server.work import ACCOUNT, Tab, in_thread, paid_by

Z95: Final = 1.96  # errors to either side of what is estimated, for an interval of 95 %
MINE: Final = 8  # of my tables, the last ones are listed


class Named(BaseModel, extra="forbid"):
    """The name that others read."""

    name: Annotated[str, Field(max_length=200)]


class Me(BaseModel):
    """Who I am: a public number, a name, and the latest eight tables where I sat, the last first.

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


class Returning(BaseModel, extra="forbid"):
    """The token of a return link."""

    token: Annotated[str, Field(max_length=200)]


class StrangerRated(BaseModel):
    """How well somebody plays with strangers in a family of rules, by the matches that count.

    ``points`` is how much more their side scores than with an unknown stranger, in hundredths of
    the points in the cards, a hand. The truth is mostly within
    ``ci95``: of 100 simulated cases in 75 to 99, by family and number of matches.
    """

    name: str
    family: str
    points: float
    ci95: float
    matches: int


class StrangerRatings(BaseModel):
    """How well I play with strangers, if I want to know.

    Attributes:
        on: whether I want to be rated.
        mine: what is known of me, by family.
        others: what is known of the strangers with whom I sit at a table, who want it too.
    """

    on: bool
    mine: list[StrangerRated]
    others: list[StrangerRated]


class RatingWanted(BaseModel, extra="forbid", strict=True):
    """Whether you want to be rated."""

    on: bool


class Session(NamedTuple):
    """Who I am, and the token that the browser has to keep; None where it has it already."""

    me: Me
    token: str | None


async def me(state: AppState, who: Who | None) -> Me:
    """Return who I am; ``person`` is null for somebody without a name yet."""
    base, passkeys = state.links.base, state.passkeys.here
    if who is None:
        return Me(person=None, name="", tables=[], base=base, passkeys=passkeys)
    tables = list[TableListed]()
    for row in await state.registry.tables_of(who.id):
        if len(tables) == MINE:
            break
        with passing_over(row.code), paid_by(Tab()):  # one's own past is read for nothing
            table = await state.registry.table(row.code)
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
        await state.registry.retention.forget(who.id, also)


async def return_link(state: AppState, who: Who, by: str) -> ReturnLink:
    """Make a link that moves me to another browser; `by` is the token of the session that asks."""
    token = await state.people.link(who, by)
    return ReturnLink(link=state.links.returning(token), token=token, seconds=LINK_KEPT // 1000)


async def come_back(state: AppState, token: str, old: str | None, device: str = "") -> Session:
    """Become the person of a return link's `token`; the session of the browser's `old` one ends.

    Raises:
        Problem: the link is not good any more; code ``bad-link``.
    """
    found = await state.people.come_back(token, device)
    if found is None:
        raise Problem("bad-link")
    return await entered(state, found, old)


async def entered(state: AppState, found: Entered, old: str | None) -> Session:
    """Return the session of somebody who has come back; that of the `old` token ends.

    Their link is used up and the session stored. So whatever fails from here on, they get it.
    """
    if old is not None:
        with suppress(StoreError):  # nobody has that token any more
            await state.people.leave(old)
        state.sockets.cut_sessions([token_hash(old)])
        state.registry.pubsub.publish(Ended(token_hash(old)))
    who, links = found.person, state.links.base
    told = Me(person=who.id, name=who.name, tables=[], base=links, passkeys=state.passkeys.here)
    with suppress(Problem, StoreError):
        told = await me(state, who)
    return Session(told, found.token)


async def statistics(state: AppState, who: Who) -> Statistics:
    """Return what I have played on this server."""
    return await statistics_of(who.id, state.registry)


async def stranger_ratings(state: AppState, who: Who, code: str | None = None) -> StrangerRatings:
    """Return how well I play with strangers, and those who sit with me at the table of a code.

    Of others I am told only while I am rated myself, and all of us came by quick match.

    Raises:
        Problem: there is no such table; code ``no-table``.
    """
    held, beside = state.registry.store.rated, dict[str, str]()
    if code is not None:
        table = await state.table(code, who)
        seat = table.seat_of(who.id)
        if seat is not None and table.chairs[seat].matched:
            beside = {one.person: one.name for one in table.chairs if one.person and one.matched}
    found = await held.strangers({who.id, *beside})
    mine = found.pop(who.id, None)
    if mine is None:
        return StrangerRatings(on=False, mine=[], others=[])
    others = [line for one, rows in found.items() for line in _standings(beside[one], rows)]
    others.sort(key=lambda one: (one.name, one.family))
    return StrangerRatings(on=True, mine=_standings(who.name, mine), others=others)


def _standings(name: str, rows: Mapping[str, Stranger]) -> list[StrangerRated]:
    """Return what is shown of a person: the families in which a match has counted."""
    return [
        StrangerRated(
            name=name,
            family=family,
            points=round(row.points / MILLION, 1),
            ci95=round(Z95 * row.error / MILLION, 1),
            matches=row.matches,
        )
        for family, row in sorted(rows.items())
        if row.matches
    ]


async def rate_with_strangers(state: AppState, who: Who, wanted: RatingWanted) -> StrangerRatings:
    """Rate me in the matches with strangers that begin from now on, or no more.

    Raises:
        Problem: I am being forgotten; code ``no-session``.
    """
    now = state.registry.clock.now()
    new = await in_thread(newcomers, now) if wanted.on else None
    if not await state.registry.store.rated.meet(who.id, new):
        raise Problem("no-session")
    return await stranger_ratings(state, who)
