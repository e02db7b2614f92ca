"""Passkeys: made, seen and dropped by whoever is signed in, and a way back for their person."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from rookery.server.api.people import Session, entered
from rookery.server.api.problems import Problem
from rookery.server.api.sessions import Number, number_of
from rookery.server.api.state import AppState
from rookery.server.registry.passkeys import ALGORITHMS, ANSWERED_IN, MOST, Made, Shown, Site, read
from rookery.server.table.state import Who

Base64 = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]+$", max_length=8192)]


class PasskeyListed(BaseModel):
    """A passkey of mine.

    ``id`` tells it from the others. ``device`` says with what it was made, as in a session.
    ``made`` and ``used`` are milliseconds since 1970.
    """

    id: Number
    device: str
    made: int
    used: int


class PasskeyWanted(BaseModel):
    """What a browser needs to make a passkey; everything of bytes is in base64url.

    ``handle`` is the name under which the device knows me, ``have`` the passkeys that I have.
    """

    challenge: str
    site: str
    handle: str
    name: str
    algorithms: list[int]
    have: list[str]
    seconds: int


class PasskeyMade(BaseModel, extra="forbid"):
    """What a browser says of a new passkey, in base64url."""

    credential: Base64
    client_data: Base64
    attestation: Base64


class PasskeyAsked(BaseModel):
    """What a browser needs to ask for a passkey, and for how many seconds it is good."""

    challenge: str
    site: str
    seconds: int


class PasskeyShown(BaseModel, extra="forbid"):
    """What a browser says where somebody shows a passkey, in base64url."""

    credential: Base64
    client_data: Base64
    device_data: Base64
    signature: Base64
    handle: Base64


async def passkeys(state: AppState, who: Who) -> list[PasskeyListed]:
    """Return my passkeys, the oldest first."""
    return [
        PasskeyListed(id=number_of(one.credential), device=one.device, made=one.made, used=one.used)
        for one in await state.registry.store.passkeys(who.id)
    ]


async def wanted(state: AppState, host: str, who: Who) -> PasskeyWanted:
    """Return what a browser needs to make a passkey of mine.

    Raises:
        Problem: there are none here, or I have enough; codes ``no-passkeys passkeys-full``.
    """
    site, own = _site(state, host), await state.registry.store.passkeys(who.id)
    if len(own) >= MOST:
        raise Problem("passkeys-full")
    return PasskeyWanted(
        challenge=await state.passkeys.challenge(who),
        site=site.name,
        handle=await state.passkeys.handle(who),
        name=who.name,
        algorithms=list(ALGORITHMS),
        have=[one.credential for one in own],
        seconds=ANSWERED_IN // 1000,
    )


async def make(
    state: AppState, host: str, who: Who, made: PasskeyMade, by: str, device: str
) -> list[PasskeyListed]:
    """Keep a new passkey of mine; return all of them. `by` is the token that asks.

    Raises:
        Problem: it is none, its challenge was not for me, or it was answered before; code
            ``bad-passkey``. There are none here; code ``no-passkeys``.
    """
    said = Made(*map(_bytes, (made.credential, made.client_data, made.attestation)))
    if not await state.passkeys.make(_site(state, host), who, said, by, device):
        raise Problem("bad-passkey")
    return await passkeys(state, who)


async def drop(state: AppState, who: Who, number: str) -> list[PasskeyListed]:
    """Delete a passkey of mine, if I have it; return those that are left."""
    for one in await state.registry.store.passkeys(who.id):
        if number_of(one.credential) == number:
            await state.registry.store.drop_passkey(who.id, one.credential)
    return await passkeys(state, who)


async def asked(state: AppState, host: str) -> PasskeyAsked:
    """Return what a browser needs to ask somebody for a passkey.

    Raises:
        Problem: there are none here; code ``no-passkeys``.
    """
    site = _site(state, host)
    challenge = await state.passkeys.challenge(None)
    return PasskeyAsked(challenge=challenge, site=site.name, seconds=ANSWERED_IN // 1000)


async def come_back(
    state: AppState, host: str, shown: PasskeyShown, old: str | None, device: str
) -> Session:
    """Become the person of a passkey; `old` is the token that the browser had until now.

    Raises:
        Problem: anything is wrong with it, whatever that is; code ``bad-passkey``. There are none
            here; code ``no-passkeys``.
    """
    parts = (shown.credential, shown.client_data, shown.device_data, shown.signature, shown.handle)
    said = Shown(*map(_bytes, parts))
    found = await state.passkeys.come_back(_site(state, host), said, device)
    if found is None:
        raise Problem("bad-passkey")
    return await entered(state, found, old)


def _site(state: AppState, host: str) -> Site:
    site = state.links.site(host) if state.passkeys.here else None
    if site is None:
        raise Problem("no-passkeys")
    return site


def _bytes(text: str) -> bytes:
    try:
        return read(text)
    except ValueError:
        raise Problem("bad-passkey") from None
