"""What whoever means harm does at a server, a story a kind: from an address, by a proxy's word."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
from tests.server.http.served import PATIENCE, Line, Served, cookies, table_for
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin

from rookery.server.http import websocket

GUESS = "guess" * 8
EVIL = "https://evil.example"
NOWHERE = "ZZZZZZ9"


class Stranger:
    """Somebody at an address, by a proxy's word."""

    def __init__(self, here: Served, address: str) -> None:
        self.here, self.address = here, address
        self.browser = here.browser()
        self.browser.headers["x-forwarded-for"] = address

    def named(self, name: str) -> Stranger:
        """Take a name."""
        self.browser.post("/api/session", json={"name": name}).raise_for_status()
        return self

    @contextlib.asynccontextmanager
    async def socket(self, code: str, origin: str | None = None) -> AsyncIterator[Line]:
        """Open a socket to a table, and say nothing yet."""
        async with connect(
            f"{self.here.url.replace('http', 'ws', 1)}/ws/{code}",
            origin=Origin(origin or self.here.url),
            additional_headers={**cookies(self.browser), "x-forwarded-for": self.address},
            compression=None,
            open_timeout=PATIENCE,
            proxy=None,
        ) as socket:
            yield Line(socket)

    async def ends(self, code: str, *said: str) -> int:
        """Return the code with which a socket is closed that says these things."""
        async with self.socket(code) as line:
            for text in said:
                await line.socket.send(text)
            return int((await line.hear_type("closing"))["code"])


async def other_site(here: Served, eve: Stranger) -> None:
    answer = eve.browser.post("/api/session", json={"name": "Eve"}, headers={"origin": EVIL})
    assert answer.status_code == 403
    with pytest.raises(InvalidStatus):
        async with eve.socket(NOWHERE, EVIL):
            pass


async def other_name(here: Served, eve: Stranger) -> None:
    assert eve.browser.get("/", headers={"host": "evil.example"}).status_code == 421


async def code_guess(here: Served, eve: Stranger) -> None:
    assert eve.browser.get(f"/api/tables/{NOWHERE}").status_code == 404
    assert await eve.named("Eve Nobody").ends(NOWHERE) == 4004


async def token_guess(here: Served, eve: Stranger) -> None:
    eve.browser.cookies.set("rookery", GUESS)
    assert eve.browser.get("/api/session").json()["person"] is None
    assert await eve.ends(NOWHERE) == 4003


async def link_guess(here: Served, eve: Stranger) -> None:
    assert eve.browser.post("/api/return", json={"token": GUESS}).status_code == 410


async def passkey_guess(here: Served, eve: Stranger) -> None:
    said = ("credential", "client_data", "device_data", "signature", "handle")
    answer = eve.browser.post("/api/return/passkey", json=dict.fromkeys(said, "A"))
    assert answer.json()["error"]["code"] == "bad-passkey"


async def secret_guess(here: Served, eve: Stranger) -> None:
    # Whoever only looks whether there is a page has guessed nothing.
    assert eve.browser.get("/api/admin").status_code == 401
    guess = {"authorization": f"Bearer {GUESS}"}
    assert eve.browser.get("/api/admin", headers=guess).status_code == 401


async def flood(here: Served, eve: Stranger) -> None:
    rules = {"rules": {"base": "boston"}}
    asked = [eve.browser.post("/api/rules/check", json=rules).status_code for _ in range(3)]
    assert asked[-1] == 429


async def cut_fast(here: Served, eve: Stranger) -> None:
    code = table_for(eve.named("Eve Nobody").browser)
    assert await eve.ends(code, '{"type":"hello"}', "nonsense", "nonsense") == 4029


async def cut_slow(here: Served, eve: Stranger) -> None:
    code = table_for(eve.named("Eve Nobody").browser)
    with pytest.MonkeyPatch.context() as quick:
        quick.setattr(websocket, "HELLO_WAIT", 0.01)
        assert await eve.ends(code) == 4005


async def put_out(here: Served, eve: Stranger) -> None:
    code = table_for(eve.named("Eve Nobody").browser)
    async with contextlib.AsyncExitStack() as tabs:
        first, *_ = [await tabs.enter_async_context(eve.socket(code)) for _ in range(7)]
        assert (await first.hear_type("closing"))["code"] == 4001


async def seat_taken(here: Served, eve: Stranger) -> None:
    code = table_for(eve.named("Eve Nobody").browser)
    bob = Stranger(here, "198.51.100.7").named("Bob Somebody")
    async with eve.socket(code) as host, bob.socket(code) as other:
        await host.say(type="hello")
        await other.say(type="hello")
        assert (await other.do(type="sit"))["type"] == "ack"
        # What is refused takes nobody's seat.
        assert (await host.do(type="replace", seat=3))["code"] == "no-person"
        assert (await host.do(type="replace", seat=1))["type"] == "ack"


async def _silenced(here: Served, eve: Stranger, act: dict[str, Any]) -> None:
    code = table_for(eve.named("Eve Nobody").browser)
    bob = Stranger(here, "198.51.100.7").named("Bob Somebody")
    async with eve.socket(code) as host, bob.socket(code) as other:
        await host.say(type="hello")
        await other.say(type="hello")
        assert (await other.do(type="chat", text="a rude word"))["type"] == "ack"
        line = (await host.hear_type("chat"))["seq"]
        assert (await host.do(**act, line=line))["type"] == "ack"
        if act["type"] == "mute":
            assert (await host.do(**act, line=line, on=False))["type"] == "ack"


async def muted(here: Served, eve: Stranger) -> None:
    await _silenced(here, eve, {"type": "mute"})


async def sent_away(here: Served, eve: Stranger) -> None:
    await _silenced(here, eve, {"type": "send_away"})


# Every kind there is, how often it happens in the story, and the story.
STORIES: dict[str, tuple[int, Callable[[Served, Stranger], Awaitable[None]]]] = {
    "other-site": (2, other_site),
    "other-name": (1, other_name),
    "code-guess": (2, code_guess),
    "token-guess": (2, token_guess),
    "link-guess": (1, link_guess),
    "passkey-guess": (1, passkey_guess),
    "secret-guess": (1, secret_guess),
    "flood": (2, flood),
    "cut-fast": (1, cut_fast),
    "cut-slow": (1, cut_slow),
    "put-out": (1, put_out),
    "seat-taken": (1, seat_taken),
    "muted": (1, muted),
    "sent-away": (1, sent_away),
}
