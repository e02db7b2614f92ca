"""What every answer carries, and what a request has to be before a route sees it.

Plain ASGI: a page's answer is never held back, and a socket passes through untouched.
"""

from __future__ import annotations

import asyncio
import time
from typing import Final
from urllib.parse import unquote_to_bytes

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rookery.server.api.problems import Problem
from rookery.server.api.state import AppState
from rookery.server.http.errors import answer_to
from rookery.server.http.ratelimit import (
    HEALTH,
    LEAST,
    PROXIED,
    REQUEST,
    RESERVED,
    Addresses,
    Payer,
    household,
)
from rookery.server.work import ACCOUNT, metered
from rookery.unicode.halves import half_at, where_half

POLICY: Final = (
    "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; object-src 'none'; "
    "form-action 'none'"
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
    """Checks the host, origin, size and rate of each request, and adds headers to each answer.

    Attributes:
        sockets: serves the sockets; at first the application does that too.
    """

    def __init__(self, app: ASGIApp, state: AppState, addresses: Addresses) -> None:
        self._app = self.sockets = app
        self._state, self.addresses = state, addresses

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or let it through."""
        scope[PROXIED] = self._state.links.proxied
        _plain_cookies(scope)
        who = household(scope)
        is_socket = scope["type"] != "http"
        payer = None if who is None else Payer(who, self.addresses, patient=is_socket)
        ACCOUNT.set(payer)
        await metered(payer, self._answer(payer, scope, receive, send))

    async def _answer(
        self, payer: Payer | None, scope: Scope, receive: Receive, send: Send
    ) -> None:
        if scope["type"] != "http":
            serves = self.sockets if scope["type"] == "websocket" else self._app
            await serves(scope, receive, send)
            return
        problem, reserved = None, 0.0
        if payer is not None:
            problem = await self.addresses.admit(payer.who, scope["path"])
            if problem is not None or scope["path"] in HEALTH:
                payer.least = LEAST
            else:  # so of those that come at once only as many are begun as can be paid for
                reserved = RESERVED
            payer.pay(REQUEST + reserved)
        try:
            await self._let_in(scope, receive, send, problem)
        finally:
            if payer is not None and reserved:
                payer.pay(-reserved)

    async def _let_in(
        self, scope: Scope, receive: Receive, send: Send, problem: Problem | None
    ) -> None:
        problem = problem or self._refusal(scope) or bad_address(scope)
        outward = self._dressed(scope, send)
        if scope["method"] == "HEAD":  # as GET; whoever writes the answer leaves the body out
            scope = {**scope, "method": "GET"}
        if problem is None and scope["method"] not in SAFE:
            body = await _body(receive)
            if body is None:
                return  # the client has gone; nobody waits for an answer
            if isinstance(body, bytes):
                receive, problem = _again(body, receive), _bad_body(body)
            else:
                problem = body
        if problem is not None:
            self._state.security.refused(problem.code, household(scope))
        answer = self._app if problem is None else answer_to(problem)
        await answer(scope, receive, outward)

    def _refusal(self, scope: Scope) -> Problem | None:
        headers, links = Headers(scope=scope), self._state.links
        if not links.serves(headers.get("host", "")):
            return Problem("bad-host")
        if scope["method"] in SAFE:
            return None
        if not links.own(headers.get("origin"), headers.get("host", "")):
            return Problem("bad-origin")
        length = headers.get("content-length", "0")
        if not length.isdecimal() or len(length) > 9 or int(length) > BODY_MAX:
            return Problem("too-large")
        return None

    def _dressed(self, scope: Scope, send: Send) -> Send:
        began, tally = time.monotonic(), self._state.registry.tally

        async def outward(message: Message) -> None:
            if message["type"] == "http.response.start":
                tally.count("answers", str(message["status"]))
                tally.took("answer", time.monotonic() - began)
                headers = MutableHeaders(scope=message)
                more = SECURE_HEADERS if self._state.links.secure else {}
                for name, value in {**HEADERS, **more}.items():
                    headers.setdefault(name, value)
                if scope["path"].startswith("/api"):
                    headers.setdefault("cache-control", "no-store")
            await send(message)

        return outward


def _plain_cookies(scope: Scope) -> None:
    """Take the backslashes out of cookies; in those of this server there is none.

    Python before 3.11.10, or 3.12.6, goes through the rest of a cookie at each of them: for one
    request no table would be served for a minute. FastAPI has all cookies read for any route.
    """
    headers = scope.get("headers", ())
    if any(name == b"cookie" and b"\\" in value for name, value in headers):
        scope["headers"] = [
            (name, value.replace(b"\\", b"_") if name == b"cookie" else value)
            for name, value in headers
        ]


def bad_address(scope: Scope) -> Problem | None:
    """Return why a request's path and query are no text; None where they are."""
    asked = scope.get("raw_path") or scope["path"].encode()
    try:
        unquote_to_bytes(asked + b"?" + scope.get("query_string", b"")).decode()
    except UnicodeDecodeError:
        return Problem("not-unicode", "the address is no UTF-8; expected text in Unicode")
    return None


def _bad_body(body: bytes) -> Problem | None:
    try:
        # By a zero, whoever reads JSON takes the body for UTF-16, and half a pair for a character.
        half = -1 if b"\0" in body else half_at(body.decode())
    except UnicodeDecodeError:
        half = -1
    if half is None:
        return None
    if half < 0:
        return Problem("not-unicode", "the body is no UTF-8; expected text in Unicode")
    where = where_half(body.decode())
    return Problem("not-unicode", f"{where}: half a surrogate pair; expected text in Unicode")


async def _body(receive: Receive) -> bytes | Problem | None:
    """Return the whole body of a request; None where the client has gone."""
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_WAIT):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    return None
                body += message.get("body", b"")
                if len(body) > BODY_MAX:
                    return Problem("too-large")
                if not message.get("more_body", False):
                    return bytes(body)
    except TimeoutError:
        return Problem("too-slow")


def _again(body: bytes, receive: Receive) -> Receive:
    """Return what gives an application a body that was received already."""
    given = False

    async def once() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return once
