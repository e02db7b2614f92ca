"""What routes depend on: the server's state, the cookie, the person who asks, and limits.

A limit is declared beside its route, as a dependency. It counts the request, and it writes the
answer 429 into the description of the API.
"""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator
from functools import partial
from typing import Annotated, Any, Final, NamedTuple, TypeVar, cast

from fastapi import Depends, Request
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection, cookie_parser
from starlette.responses import Response
from starlette.types import Scope

from rookery.server.api.links import Links
from rookery.server.api.people import Me, Session
from rookery.server.api.problems import Problem
from rookery.server.api.sessions import device_of
from rookery.server.api.state import AppState
from rookery.server.http.ratelimit import RATES, Addresses, household
from rookery.server.registry.people import TOKEN_MAX
from rookery.server.settings import Settings
from rookery.server.table.state import Who

T = TypeVar("T")
Count = Callable[[], None]
SENT_MAX: Final = 4  # tokens of a request that are looked up
_COOKIES: Final = (b"rookery", b"__Host-rookery")  # with these begin the names of all of ours
# `Answer` is described with the one route that says it is its answer; for each it takes as long.
_REFUSED: Final = {
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Answer"}}}
}
_REFUSALS: Final[dict[int | str, dict[str, Any]]] = {
    "4XX": {"description": "It cannot be done.", **_REFUSED},
    "5XX": {"description": "The server is at fault, or its disk.", **_REFUSED},
}
_TOO_MANY: Final[dict[str, Any]] = {
    "description": "Too many requests.",
    "headers": {
        "Retry-After": {
            "description": "After how many seconds to ask again.",
            "schema": {"type": "integer", "minimum": 1},
        }
    },
    **_REFUSED,
}


class Sent(NamedTuple):
    """A token that a request carries, and the name of the cookie under which it came."""

    token: str
    name: str


class SessionCookie:
    """The cookie that holds a person's token.

    A browser sends a cookie to all the ports of a machine. So one server of several there has a
    name of its own for it, and still understands the name that all of them used to have. After a
    move, to another folder or a database, its name is another: so where its own says nobody, a
    token under any server's name is looked up. One of another server is unknown here.

    Attributes:
        name: its name; behind https one that no page of another site can set.
        shared: the name that every server understands.
    """

    def __init__(self, links: Links, kept: int = Settings().keep_person) -> None:
        """Have browsers keep a token for `kept` milliseconds after it was set."""
        self.shared = "__Host-rookery" if links.secure else "rookery"
        self.name = self.shared if links.mark is None else f"{self.shared}-{links.mark}"
        self._secure, self._shares, self._kept = links.secure, links.shares, kept
        self._where: dict[str, Any] = {
            "path": "/",
            "secure": links.secure,
            "httponly": True,
            "samesite": "lax",
        }

    def sent(self, scope: Scope) -> list[Sent]:
        """Return the tokens that a request carries, `SENT_MAX` at most, the likeliest first.

        A name that is sent twice has none; and where it is the server's own, no other counts.
        """
        lines = Headers(scope=scope).getlist("cookie")
        held = cookie_parser("; ".join(lines))
        parts = (part for each in lines for part in each.split(";"))
        names = Counter(part.partition("=")[0].strip() for part in parts)
        if names[self.name] > 1:
            return []
        # Behind https there never was a name with a mark.
        others = [each for each in held if not self._secure and each.startswith(f"{self.shared}-")]
        found = dict[str, Sent]()
        for name in (self.name, self.shared, *others):
            token = held.get(name, "")
            if names[name] == 1 and 0 < len(token) <= TOKEN_MAX:
                found.setdefault(token, Sent(token, name))
        return list(found.values())[:SENT_MAX]

    def is_guess(self, unknown: Sent) -> bool:
        """Return whether a token that is nobody's is none of another server on this machine."""
        return self._shares or unknown.name in (self.name, self.shared)

    def set(self, answer: Response, token: str) -> None:
        """Have the browser keep a token."""
        answer.set_cookie(self.name, token, max_age=self._kept // 1000, **self._where)

    def remembered(self, session: Session, answer: Response) -> Me:
        """Have the browser keep the token of a session, if it is new; return who it is."""
        if session.token is not None:
            self.set(answer, session.token)
        return session.me

    def drop(self, answer: Response) -> None:
        """Have the browser drop its token."""
        answer.delete_cookie(self.name, **self._where)


def for_socket(headers: Iterable[tuple[bytes, bytes]]) -> Iterator[tuple[bytes, bytes]]:
    """Yield a head without other sites' cookies: a line of a socket's may have half its length.

    >>> list(for_socket([(b"cookie", b"a=1; rookery-8001=T; b=2"), (b"host", b"here")]))
    [(b'cookie', b'rookery-8001=T'), (b'host', b'here')]
    """
    for name, value in headers:
        if name == b"cookie":
            own = [
                part for each in value.split(b";") if (part := each.strip()).startswith(_COOKIES)
            ]
            if own:
                yield name, b"; ".join(own)
        else:
            yield name, value


def state_of(connection: HTTPConnection) -> AppState:
    """Return the state of the server that a request or a socket has come to."""
    return cast(AppState, connection.app.state.rookery)


def addresses_of(connection: HTTPConnection) -> Addresses:
    """Return what addresses may take of this server."""
    return cast(Addresses, connection.app.state.addresses)


def cookie_of(connection: HTTPConnection) -> SessionCookie:
    """Return the cookie by which browsers say who somebody is."""
    return cast(SessionCookie, connection.app.state.cookie)


async def known(
    connection: HTTPConnection,
    look: Callable[[str], Awaitable[T | None]],
    number: Callable[[T], str],
    home: str | None,
) -> tuple[Sent, T] | None:
    """Return the token by which a request or a socket is somebody's, and whose; None for nobody's.

    The server's own name says it alone. Under other names there may be tokens of several people:
    then nobody knows who is meant.

    Here `look` finds somebody by a token, whose `number` tells them from others, and `home` is the
    household from which they come.
    """
    cookie, found = cookie_of(connection), list[tuple[Sent, T]]()
    for sent in cookie.sent(connection.scope):
        holder = await look(sent.token)
        if holder is not None:
            found.append((sent, holder))
            if sent.name == cookie.name:
                break
        elif cookie.is_guess(sent):
            state_of(connection).security.note("token-guess", home)
    return found[0] if len({number(holder) for _, holder in found}) == 1 else None


async def _known(request: Request) -> tuple[Sent, Who] | None:
    look = state_of(request).people.holder
    return await known(request, look, lambda who: who.id, household(request.scope))


Known = Annotated[tuple[Sent, Who] | None, Depends(_known)]


async def visitor(found: Known) -> Who | None:
    """Return who asks; None for somebody without a name."""
    return None if found is None else found[1]


async def person(who: Annotated[Who | None, Depends(visitor)]) -> Who:
    """Return who asks; somebody without a name is answered ``no-session``."""
    if who is None:
        raise Problem("no-session")
    return who


# FastAPI hands a plain function to a thread, which takes longer than all the rest.
async def _state(connection: HTTPConnection) -> AppState:
    return state_of(connection)


async def _cookie(connection: HTTPConnection) -> SessionCookie:
    return cookie_of(connection)


async def _token(found: Known) -> str:
    if found is None:
        raise Problem("no-session")
    return found[0].token


async def _device(connection: HTTPConnection) -> str:
    return device_of(connection.headers.get("user-agent", ""))


State = Annotated[AppState, Depends(_state)]
Cookie = Annotated[SessionCookie, Depends(_cookie)]
Visitor = Annotated[Who | None, Depends(visitor)]
Person = Annotated[Who, Depends(person)]
Token = Annotated[str, Depends(_token)]  # of the session that asks
Device = Annotated[str, Depends(_device)]  # with which somebody comes


class Limit:
    """A limit that a route declares; the kinds below say who is counted, and when."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def described(self) -> dict[str, Any]:
        """Return the limit as the description of the API has it.

        >>> Limit("forget").described()
        {'name': 'forget', 'often': 3, 'seconds': 60, 'at_once': 3}
        """
        often, seconds, at_once = RATES[self.kind]
        return {"name": self.kind, "often": often, "seconds": seconds, "at_once": at_once}


class AddressLimit(Limit):
    """Counts the requests of one address, or household."""

    async def __call__(self, request: Request) -> None:
        """Count a request, or end it with ``too-many``."""
        addresses_of(request).buckets.check(self.kind, household(request.scope))


class PersonLimit(Limit):
    """Counts the requests of one person. The route itself refuses whoever has no name yet."""

    async def __call__(self, request: Request, who: Visitor) -> None:
        """Count a request, or end it with ``too-many``."""
        addresses_of(request).buckets.check(self.kind, None if who is None else who.id)


class AdminLimit(Limit):
    """Counts the requests of one address, this machine too: a proxy may send others' guesses."""

    async def __call__(self, request: Request) -> None:
        """Count a request, or end it with ``too-many``."""
        addresses_of(request).buckets.check(self.kind, household(request.scope) or "here")


class CountedByRoute(Limit):
    """Gives the route a function, which it calls for the requests that count."""

    async def __call__(self, request: Request) -> Count:
        """Return what counts the request, or ends it with ``too-many``."""
        return partial(addresses_of(request).buckets.check, self.kind, household(request.scope))


class CountedByGuard(Limit):
    """Describes a limit that is counted already, by the guard before all routes."""

    async def __call__(self) -> None:
        """Do nothing."""


class LimitedRoute(APIRoute):
    """A route that writes its limits into the description of the API; of two, the last one.

    There it is called as its function is, and how it refuses is said.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401  (FastAPI's own)
        named = {"generate_unique_id_function": lambda route: route.name}
        super().__init__(*args, **kwargs | named)
        self.responses = _REFUSALS | self.responses
        for limit in _limits(self.dependant):
            self.openapi_extra = {**(self.openapi_extra or {}), "x-limit": limit.described()}
            self.responses = {**self.responses, 429: _TOO_MANY}


def _limits(dependant: Dependant) -> Iterator[Limit]:
    for inner in dependant.dependencies:
        if isinstance(inner.call, Limit):
            yield inner.call
        yield from _limits(inner)


async def has_admin_page(state: State) -> None:
    """End the request with ``not-found`` where this server has no admin page."""
    if state.registry.settings.admin_secret is None:
        raise Problem("not-found")


async def admin(request: Request, state: State) -> None:
    """End a request that lacks the secret of the admin page, or comes from another site's page.

    The secret comes as ``Authorization: Bearer``, never as a cookie, so that no page of another
    site can send it along.
    """
    headers = request.headers
    origin = headers.get("origin")
    foreign = origin is not None and not state.links.own(origin, headers.get("host", ""))
    if foreign or headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise Problem("bad-origin")
    scheme, _, secret = headers.get("authorization", "").partition(" ")
    right = _digest(state.registry.settings.admin_secret or "")
    if scheme.lower() != "bearer" or not hmac.compare_digest(_digest(secret.strip()), right):
        if secret:
            state.security.note("secret-guess", household(request.scope))
        raise Problem("bad-secret")


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).digest()
