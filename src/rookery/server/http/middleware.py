"""What every answer carries, and what a request has to be before a route sees it.

Plain ASGI: a page's answer is never held back, and a socket passes through untouched.
"""

from __future__ import annotations

import asyncio
import ipaddress
import time
from functools import lru_cache
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rookery.server.counters import Tally
from rookery.server.http.addresses import Addresses
from rookery.server.http.errors import problem
from rookery.server.http.ratelimit import Buckets
from rookery.server.http.urls import Links

POLICY: Final = (
    "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; object-src 'none'; "
    "form-action 'self'"
)
BODY_MAX: Final = 32_768  # bytes; a whole rule set has 4,000
BODY_WAIT: Final = 10.0  # seconds for all of it
SAFE: Final = ("GET", "HEAD", "OPTIONS")
HEADERS: Final = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
# A browser complains about these where a page comes over plain http.
SECURE_HEADERS: Final = {
    "cross-origin-opener-policy": "same-origin",
    "strict-transport-security": "max-age=31536000",
}


class Guard:
    """The door: origin, size and rate of a request on the way in, headers on the way out."""

    def __init__(
        self, app: ASGIApp, links: Links, buckets: Buckets, tally: Tally | None = None
    ) -> None:
        self._app = app
        self._links = links
        self._addresses = Addresses(buckets)
        self._tally = tally or Tally()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or let it through."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        answer: ASGIApp | None = await self._over(scope) or self._refusal(scope)
        outward = self._dressed(scope, send)
        if answer is None and scope["method"] not in SAFE:
            body = await _body(receive)
            if isinstance(body, bytes):
                receive = _again(body, receive)
            else:
                answer = body
        await (answer or self._app)(scope, receive, outward)

    async def _over(self, scope: Scope) -> Response | None:
        who = stranger(scope)
        if who is None or await self._addresses.admits(who, scope["path"]):
            return None
        return problem("too-many")

    def _refusal(self, scope: Scope) -> Response | None:
        if scope["method"] in SAFE:
            return None
        headers = Headers(scope=scope)
        if not self._links.own(headers.get("origin"), headers.get("host", "")):
            return problem("bad-origin")
        length = headers.get("content-length", "0")
        if not length.isdecimal() or len(length) > 9 or int(length) > BODY_MAX:
            return problem("too-large")
        return None

    def _dressed(self, scope: Scope, send: Send) -> Send:
        began = time.monotonic()

        async def outward(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._tally.count("answers", str(message["status"]))
                self._tally.took("answer", time.monotonic() - began)
                headers = MutableHeaders(scope=message)
                more = SECURE_HEADERS if self._links.secure else {}
                for name, value in {**HEADERS, **more}.items():
                    headers.setdefault(name, value)
                if scope["path"].startswith("/api"):
                    headers.setdefault("cache-control", "no-store")
            await send(message)

        return outward


def stranger(scope: Scope) -> str | None:
    """Return the address a request comes from; None for this machine, which has no limit.

    Of an IPv6 address it is the network: one household has all the addresses of it.

    >>> stranger({"client": ("::1", 1)}) is stranger({"client": ("::ffff:127.0.0.1", 1)}) is None
    True
    >>> stranger({"client": ("2001:db8:1:2:3:4:5:6", 1)})
    '2001:db8:1:2::'
    """
    client = scope.get("client")
    return _household(str(client[0])) if client and client[0] else None


@lru_cache(maxsize=4096)
def _household(text: str) -> str | None:
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return text
    address = getattr(address, "ipv4_mapped", None) or address
    if address.is_loopback:
        return None
    if address.version == 4:
        return str(address)
    return str(ipaddress.ip_network((int(address), 64), strict=False).network_address)


def cookie(scope: Scope, name: str) -> str | None:
    """Return a cookie of a request; None where it is missing or stands there twice."""
    sent = Headers(scope=scope).getlist("cookie")
    if sum(part.strip().startswith(f"{name}=") for line in sent for part in line.split(";")) != 1:
        return None
    return cookie_parser("; ".join(sent)).get(name)


async def _body(receive: Receive) -> bytes | Response | Gone:
    parts: list[bytes] = []
    try:
        async with asyncio.timeout(BODY_WAIT):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    return Gone()
                parts.append(message.get("body", b""))
                if sum(map(len, parts)) > BODY_MAX:
                    return problem("too-large")
                if not message.get("more_body", False):
                    return b"".join(parts)
    except TimeoutError:
        return problem("too-slow")


class Gone:
    """The answer to somebody who has left: none."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Say nothing."""


def _again(body: bytes, receive: Receive) -> Receive:
    told = False

    async def once() -> Message:
        nonlocal told
        if told:
            return await receive()
        told = True
        return {"type": "http.request", "body": body, "more_body": False}

    return once
