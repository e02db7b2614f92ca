"""The routes of what is mine: sessions, passkeys, how somebody comes back, and their ratings."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Depends, Header, Query, Response

from rookery.server.api import passkeys, people, sessions
from rookery.server.api.passkeys import PasskeyListed
from rookery.server.api.sessions import Number, SessionListed
from rookery.server.http.dependencies import (
    AddressLimit,
    Cookie,
    Device,
    Known,
    LimitedRoute,
    Person,
    PersonLimit,
    State,
    Token,
)

LIMITED: Final = [Depends(PersonLimit("sessions"))]
AtTable = Annotated[str | None, Query(max_length=64, description="A table where you sit.")]
Host = Annotated[str, Header(include_in_schema=False)]

mine = APIRouter(route_class=LimitedRoute, tags=["people"], dependencies=LIMITED)


@mine.get("/api/sessions")
async def all_sessions(state: State, who: Person, token: Token) -> list[SessionListed]:
    """Return where you are signed in, the latest used first; fifty at most."""
    return await sessions.sessions(state, who, token)


@mine.delete("/api/sessions")
async def sign_out_others(state: State, who: Person, token: Token) -> list[SessionListed]:
    """Sign you out everywhere else, and void your return links; return what is left."""
    return await sessions.sign_out_others(state, who, token)


@mine.delete("/api/sessions/{number}")
async def sign_out(state: State, who: Person, token: Token, number: Number) -> list[SessionListed]:
    """End one of your other sessions, and void your return links; return what is left."""
    return await sessions.sign_out(state, who, token, number)


@mine.get("/api/passkeys")
async def all_passkeys(state: State, who: Person) -> list[PasskeyListed]:
    """Return your passkeys, the oldest first; ten at most."""
    return await passkeys.passkeys(state, who)


@mine.post("/api/passkeys/wanted")
async def want_passkey(state: State, who: Person, host: Host = "") -> passkeys.PasskeyWanted:
    """Return what a browser needs to make a passkey of yours; valid for five minutes."""
    return await passkeys.wanted(state, host, who)


@mine.post("/api/passkeys")
async def make_passkey(
    state: State,
    who: Person,
    token: Token,
    made: passkeys.PasskeyMade,
    device: Device,
    host: Host = "",
) -> list[PasskeyListed]:
    """Keep a new passkey of yours; return all of them."""
    return await passkeys.make(state, host, who, made, token, device)


@mine.delete("/api/passkeys/{number}")
async def drop_passkey(state: State, who: Person, number: Number) -> list[PasskeyListed]:
    """Delete one of your passkeys; return what is left."""
    return await passkeys.drop(state, who, number)


@mine.get("/api/session/ratings", dependencies=[Depends(AddressLimit("look"))])
async def stranger_ratings(
    state: State, who: Person, table: AtTable = None
) -> people.StrangerRatings:
    """Return how well you play with strangers; with `table`, also those who sit there with you.

    Of others you are told only while you are rated, and only of those who are too.
    """
    return await people.stranger_ratings(state, who, table)


@mine.put("/api/session/ratings")
async def rate_with_strangers(
    state: State, who: Person, wanted: people.RatingWanted
) -> people.StrangerRatings:
    """Be rated in matches with strangers that begin from now on, or stop."""
    return await people.rate_with_strangers(state, who, wanted)


back = APIRouter(
    route_class=LimitedRoute, tags=["people"], dependencies=[Depends(AddressLimit("passkey"))]
)


@back.post("/api/return/wanted")
async def ask_passkey(state: State, host: Host = "") -> passkeys.PasskeyAsked:
    """Return what a browser needs to ask you for a passkey; valid for five minutes."""
    return await passkeys.asked(state, host)


@back.post("/api/return/passkey")
async def show_passkey(
    state: State,
    shown: passkeys.PasskeyShown,
    known: Known,
    device: Device,
    answer: Response,
    cookie: Cookie,
    host: Host = "",
) -> people.Me:
    """Become the person of a passkey."""
    old = known and known[0].token
    return cookie.remembered(await passkeys.come_back(state, host, shown, old, device), answer)
