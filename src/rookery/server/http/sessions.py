"""The routes by which somebody sees where they are signed in, and ends it there."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Depends, Path

from rookery.server.api import sessions
from rookery.server.api.sessions import NUMBER, SessionListed
from rookery.server.http.dependencies import LimitedRoute, Person, PersonLimit, State, Token

LIMITED: Final = [Depends(PersonLimit("sessions"))]
Number = Annotated[str, Path(pattern=rf"^[0-9a-f]{{{NUMBER}}}$")]

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
