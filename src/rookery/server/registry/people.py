"""Who somebody is: a name, and a random token of which only the hash is kept.

There are no accounts and no passwords. Whoever has the token is the person. A return link, good
once and for 15 minutes, gives a token of the same person to another browser. A token expires when
it was not used for `Settings.keep_person`.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Collection
from typing import Final, NamedTuple

from rookery.server import names
from rookery.server.settings import DAY, Settings
from rookery.server.store.base import Store, StoreError, Token, Visitor
from rookery.server.table.state import Who

LINK_KEPT: Final = 15 * 60_000  # milliseconds
RENEW_AFTER: Final = DAY  # a token's time begins anew at most so often
TOKEN_MAX: Final = 64  # characters
LISTED: Final = 50  # sessions


class Entered(NamedTuple):
    """A person and the token of a new session."""

    person: Who
    token: str


def _now() -> int:
    return time.time_ns() // 1_000_000


class People:
    """The people of one server, and their sessions."""

    def __init__(
        self,
        store: Store,
        clock: Callable[[], int] = _now,
        kept: int = Settings().keep_person,
        expired_by: Callable[[], int] | None = None,
    ) -> None:
        """Keep people in `store`; an unused token is good for `kept` milliseconds.

        Where the clock is in doubt, that is by another time, which `expired_by` returns.
        """
        self._store, self._clock, self._kept = store, clock, kept
        self._expired_by = expired_by or clock

    async def holder(self, token: str) -> Who | None:
        """Return the person of a token; None where it is no token, or has expired."""
        return await self._store.person(names.token_hash(token), self._expired_by() - self._kept)

    async def visitor(self, token: str) -> Visitor | None:
        """Return the person of a token with whom they have blocked; this uses the token.

        None where it is no token, or has expired.
        """
        hashed, now = names.token_hash(token), self._clock()
        found = await self._store.visitor(hashed, self._expired_by() - self._kept)
        if found is not None and found.since <= now - RENEW_AFTER:
            await self.use(token)
        return found

    async def use(self, token: str) -> bool:
        """Have a token's time begin anew, at most once a day; return whether it did."""
        now = self._clock()
        with contextlib.suppress(StoreError):  # renewed the next time
            return await self._store.renew(names.token_hash(token), now, now - RENEW_AFTER)
        return False

    async def enter(self, name: str, device: str = "") -> Entered:
        """Return a new person of that name, signed in with a device.

        Raises:
            BadText: the name cannot be shown; code ``bad-name``.
        """
        person, token = Who(names.new_person(), names.clean_name(name)), names.new_token()
        await self._store.add_person(person, names.token_hash(token), self._clock(), device)
        return Entered(person, token)

    async def rename(self, person: Who, name: str) -> Who:
        """Return the person under another name.

        Raises:
            BadText: the name cannot be shown; code ``bad-name``.
        """
        renamed = person._replace(name=names.clean_name(name))
        if renamed != person:
            await self._store.rename(person.id, renamed.name)
        return renamed

    async def leave(self, token: str) -> None:
        """End the session of a token."""
        await self._store.drop_token(names.token_hash(token))

    async def sessions(self, person: Who) -> list[Token]:
        """Return where a person is signed in, the latest used first; `LISTED` at most."""
        return await self._store.tokens(person.id, self._expired_by() - self._kept, LISTED)

    async def ended(self, sessions: Collection[str]) -> set[str]:
        """Return those sessions, by the hashes of their tokens, that have ended or expired."""
        valid = await self._store.valid(sessions, self._expired_by() - self._kept)
        return set(sessions) - valid

    async def link(self, person: Who, by: str = "") -> str:
        """Return the token of a new return link, asked for `by` the session of a token.

        Should that session be over, the link is good for nothing.
        """
        token = names.new_token()
        until = self._clock() + LINK_KEPT
        asked = by and names.token_hash(by)
        await self._store.add_return(person.id, names.token_hash(token), until, asked)
        return token

    async def come_back(self, token: str, device: str = "") -> Entered | None:
        """Return the person of a return link, with a new session; None where it is not good."""
        if len(token) > TOKEN_MAX:
            return None
        fresh, now = names.new_token(), self._clock()
        session = Token(names.token_hash(fresh), now, now, device)
        hashed = names.token_hash(token)
        person = await self._store.take_return(hashed, now, session)
        return None if person is None else Entered(person, fresh)
