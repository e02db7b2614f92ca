"""The cookie by which a browser says who somebody is."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.responses import Response
from starlette.types import Scope

from rookery.server.api.links import Links
from rookery.server.registry.people import TOKEN_MAX
from rookery.server.settings import Settings


class SessionCookie:
    """The cookie that holds a person's token.

    Attributes:
        name: its name; behind https one that no page of another site can set.
    """

    def __init__(self, links: Links, kept: int = Settings().keep_person) -> None:
        """Have browsers keep a token for `kept` milliseconds after it was set."""
        self.name = "__Host-rookery" if links.secure else "rookery"
        self._secure, self._kept = links.secure, kept

    def token(self, scope: Scope) -> str | None:
        """Return the token that a request carries; None for none, or for two."""
        found = cookie(scope, self.name)
        return found if found and len(found) <= TOKEN_MAX else None

    def set(self, answer: Response, token: str) -> None:
        """Have the browser keep a token."""
        answer.set_cookie(
            self.name,
            token,
            max_age=self._kept // 1000,
            path="/",
            secure=self._secure,
            httponly=True,
            samesite="lax",
        )

    def drop(self, answer: Response) -> None:
        """Have the browser drop its token."""
        answer.delete_cookie(
            self.name, path="/", secure=self._secure, httponly=True, samesite="lax"
        )


def cookie(scope: Scope, name: str) -> str | None:
    """Return a cookie of a request; None where it is missing or stands there twice."""
    sent = Headers(scope=scope).getlist("cookie")
    if sum(part.strip().startswith(f"{name}=") for line in sent for part in line.split(";")) != 1:
        return None
    return cookie_parser("; ".join(sent)).get(name)
