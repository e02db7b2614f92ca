"""Where somebody is signed in: seen and ended by whoever is one of these sessions."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import BaseModel, Field

from rookery.server.api.state import AppState
from rookery.server.cluster.pubsub import Ended, SignedOut
from rookery.server.names import token_hash
from rookery.server.table.state import Who

NUMBER: Final = 16  # digits of a hash that tell a person's sessions apart
# The first that a browser's own word for itself holds; most of them name others as well.
_BROWSERS: Final = (
    *(("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser", "Samsung Internet")),
    *(("Firefox/", "Firefox"), ("FxiOS", "Firefox"), ("CriOS", "Chrome"), ("Chrome/", "Chrome")),
    ("Safari/", "Safari"),
)
_SYSTEMS: Final = (
    *(("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("CrOS", "ChromeOS")),
    *(("Windows", "Windows"), ("Macintosh", "Mac"), ("Linux", "Linux")),
)
Number = Annotated[str, Field(pattern=rf"^[0-9a-f]{{{NUMBER}}}$")]


class SessionListed(BaseModel):
    """A session of mine.

    ``id`` tells it from the others. ``device`` is a browser and a system, such as
    ``Chrome · Android``, or empty. ``since`` and ``used`` are milliseconds since 1970: when I
    signed in there, null if that was not noted, and when it was last used, noted once a day.
    ``here`` says whether it is the session that asks.
    """

    id: Number
    device: str
    since: int | None
    used: int
    here: bool


def device_of(agent: str) -> str:
    """Return what somebody comes with, from the header ``User-Agent``; empty where it is unknown.

    No version, model or language is in it: only words that are written here.

    >>> device_of("Mozilla/5.0 (Linux; Android 10; K) Chrome/129.0.0.0 Mobile Safari/537.36")
    'Chrome · Android'
    >>> device_of("curl/8.5.0")
    ''
    """
    kinds = (_BROWSERS, _SYSTEMS)
    found = (next((word for mark, word in kind if mark in agent), "") for kind in kinds)
    return " · ".join(filter(None, found))


def number_of(secret: str) -> str:
    """Return what tells a session from a person's others, or a passkey."""
    return token_hash(secret)[:NUMBER]


async def sessions(state: AppState, who: Who, token: str) -> list[SessionListed]:
    """Return where I am signed in, the latest used first; fifty at most."""
    own = token_hash(token)
    return [
        SessionListed(
            id=one.hash[:NUMBER],
            device=one.device,
            since=one.begun or None,
            used=one.used,
            here=one.hash == own,
        )
        for one in await state.people.sessions(who)
    ]


async def sign_out(state: AppState, who: Who, token: str, number: str) -> list[SessionListed]:
    """Sign me out of one session but this one, if I have it; return those that are left.

    My return links until now are void as well: one of them may have been made there.
    """
    ended = await state.registry.store.sign_out(who.id, token_hash(token), number)
    state.sockets.cut_sessions(ended)
    for one in ended:
        state.registry.pubsub.publish(Ended(one))
    return await sessions(state, who, token)


async def sign_out_others(state: AppState, who: Who, token: str) -> list[SessionListed]:
    """Sign me out of all sessions but this one, and void my return links; return what is left."""
    own = token_hash(token)
    state.sockets.cut_sessions(await state.registry.store.sign_out(who.id, own))
    state.registry.pubsub.publish(SignedOut(who.id, own))
    return await sessions(state, who, token)
