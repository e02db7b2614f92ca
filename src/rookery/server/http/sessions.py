"""Who somebody is: a name, and a cookie with a random token of which only the hash is kept.

There are no accounts and no passwords. Whoever holds the token is the person; a return link, good
once and for 15 minutes, gives a token of the same person to another browser. A token that is used
lasts: once a day its time begins anew, and so does the cookie's.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from typing import Final, NamedTuple

from starlette.responses import Response
from starlette.types import Scope

from rookery.server import names as words
from rookery.server.http.middleware import cookie
from rookery.server.http.urls import Links
from rookery.server.settings import DAY, Settings
from rookery.server.store.base import Store, StoreError, Visitor
from rookery.server.table.pieces import Who

LINK_KEPT: Final = 15 * 60_000  # milliseconds
RENEW_AFTER: Final = DAY
TOKEN_MAX: Final = 64


class Entered(NamedTuple):
    """A person and the token of a new session."""

    person: Who
    token: str


def _wall() -> int:
    return time.time_ns() // 1_000_000


class Sessions:
    """The sessions of one server."""

    def __init__(
        self,
        store: Store,
        links: Links,
        clock: Callable[[], int] = _wall,
        kept: int = Settings().keep_person,
    ) -> None:
        """Begin; a token is good for `kept` milliseconds after it was last renewed."""
        self._kept = kept
        self._store = store
        self._links = links
        self._clock = clock

    @property
    def cookie(self) -> str:
        """The name of the cookie; behind https one that no other page can set."""
        return "__Host-rookery" if self._links.secure else "rookery"

    def token(self, scope: Scope) -> str | None:
        """Return the token that a request carries, well-formed or not; None for none."""
        found = cookie(scope, self.cookie)
        return found if found and len(found) <= TOKEN_MAX else None

    async def who(self, scope: Scope) -> Who | None:
        """Return whose the request or the socket is; None for a stranger."""
        token = self.token(scope)
        return None if token is None else await self.holder(token)

    async def holder(self, token: str) -> Who | None:
        """Return who holds a token; None where it opens nothing, or nothing any more."""
        return await self._store.person(words.token_hash(token), self._clock() - self._kept)

    async def visitor(self, token: str) -> Visitor | None:
        """Return who comes with a token, which is used by that; None where it opens nothing."""
        hashed, now = words.token_hash(token), self._clock()
        found = await self._store.visitor(hashed, now - self._kept)
        if found is not None and found.since <= now - RENEW_AFTER:
            await self.used(token)
        return found

    async def renew(self, scope: Scope, answer: Response) -> None:
        """Have a request's token last as if it were new, if a day has gone by since it was."""
        token = self.token(scope)
        if token is not None and await self.used(token):
            self.remember(answer, token)

    async def used(self, token: str) -> bool:
        """Have a token last as if it were new, at most once a day; return whether it does."""
        now = self._clock()
        with contextlib.suppress(StoreError):  # renewed the next time
            return await self._store.renew(words.token_hash(token), now, now - RENEW_AFTER)
        return False

    async def enter(self, name: str) -> Entered:
        """Return a new person of that name.

        Raises:
            BadWords: the name cannot be shown; code ``bad-name``.
        """
        person, token = Who(words.new_person(), words.name(name)), words.new_token()
        await self._store.add_person(person, words.token_hash(token), self._clock())
        return Entered(person, token)

    async def rename(self, person: Who, name: str) -> Who:
        """Return the person under another name.

        Raises:
            BadWords: the name cannot be shown; code ``bad-name``.
        """
        renamed = person._replace(name=words.name(name))
        if renamed != person:
            await self._store.rename(person.id, renamed.name)
        return renamed

    async def leave(self, token: str) -> None:
        """End the session of a token."""
        await self._store.drop_token(words.token_hash(token))

    async def link(self, person: Who) -> str:
        """Return the token of a new return link."""
        token = words.new_token()
        until = self._clock() + LINK_KEPT
        await self._store.add_return(person.id, words.token_hash(token), until)
        return token

    async def come_back(self, token: str) -> Entered | None:
        """Return the person whose return link it is, with a new session; None for a void link."""
        if len(token) > TOKEN_MAX:
            return None
        now = self._clock()
        person = await self._store.take_return(words.token_hash(token), now)
        if person is None:
            return None
        fresh = words.new_token()
        await self._store.add_token(person.id, words.token_hash(fresh), now)
        return Entered(person, fresh)

    def remember(self, answer: Response, token: str) -> None:
        """Have the browser keep a token."""
        answer.set_cookie(
            self.cookie,
            token,
            max_age=self._kept // 1000,
            path="/",
            secure=self._links.secure,
            httponly=True,
            samesite="lax",
        )

    def forget(self, answer: Response) -> None:
        """Have the browser drop its token."""
        answer.delete_cookie(
            self.cookie, path="/", secure=self._links.secure, httponly=True, samesite="lax"
        )
