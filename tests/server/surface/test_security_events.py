"""Security events: each is told when it happens, nobody is named, and a flood is a few lines."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import re
from collections import Counter
from collections.abc import Callable, Iterator, MutableMapping
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from tests.server.http.served import Here, Served, no_limits, served, table_for
from tests.server.surface.attacks import GUESS, NOWHERE, STORIES, Stranger
from tests.server.surface.test_doorway import Line as Cable

from rookery.server import serving
from rookery.server.counters import Tally
from rookery.server.http.ratelimit import CONNECTIONS_PER_HOUSEHOLD, RATES, Buckets, Rate
from rookery.server.monitoring import security
from rookery.server.monitoring.logs import JsonLine, TextLine
from rookery.server.monitoring.security import APART, SecurityLog
from rookery.server.settings import DAY, Settings

PAGE = Path(__file__).parents[3] / "docs/how-to/monitor-a-server.md"
SECRET = "a secret of more than sixteen"  # noqa: S105
# Two ways to write one address, and a third that shares nothing with it.
ADDRESSES = ("203.0.113.9", "::ffff:203.0.113.9", "2001:db8:1:2:3:4:5:6")
NETWORK = "2001:db8:1:2::"
HASH = re.compile(r"[0-9a-f]{12}")


class Lines(logging.Handler):
    """Keeps what the server's log says, as text and as JSON."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.all: list[str] = []
        self.events: list[dict[str, Any]] = []

    def emit(self, record: logging.LogRecord) -> None:
        told = JsonLine().format(record)
        self.all += [TextLine().format(record), told]
        if record.name == "rookery.security":
            self.events.append(json.loads(told))

    def times(self) -> Counter[str]:
        """Return how many events there were of each kind."""
        found: Counter[str] = Counter()
        for event in self.events:
            found[event["kind"]] += event["times"]
        return found


@contextlib.contextmanager
def logged() -> Iterator[Lines]:
    """Keep what the log says meanwhile, at the lowest level."""
    lines, logger = Lines(), logging.getLogger("rookery")
    level = logger.level
    logger.addHandler(lines)
    logger.setLevel(logging.DEBUG)
    try:
        yield lines
    finally:
        logger.removeHandler(lines)
        logger.setLevel(level)


ACROSS = {"check": Rate(1, 1e9, 1), "garbage": Rate(1, 1e9, 1)}


def told(kind: str) -> tuple[Lines, list[str], dict[str, Any]]:
    """Return what is logged of a story told from each address, what is secret, and the figures."""

    async def story(here: Served) -> None:
        for address in ADDRESSES:
            await STORIES[kind][1](here, Stranger(here, address))

    limits = Buckets(dict.fromkeys(RATES, Rate(1e9, 1, 1e9)) | ACROSS, lambda: 0.0)
    with (
        logged() as lines,
        served(public_url="http://rook.example", admin_secret=SECRET, buckets=limits) as here,
    ):
        asyncio.run(story(here))
        right = {"authorization": f"Bearer {SECRET}"}
        figures = dict(here.browser().get("/api/admin", headers=right).json())
        names = [value for one in here.open for value in one.cookies.values()]
        codes = [actor.table.code for actor in here.registry.actors]
    secrets = [*names, *codes, *ADDRESSES, NETWORK, GUESS, NOWHERE, SECRET, "198.51.100.7"]
    return lines, [*secrets, "127.0.0.1", "Nobody", "Somebody", "rude word"], figures


def leaks(lines: Lines, secrets: list[str]) -> list[str]:
    """Return the lines that say who somebody is, or what only they know."""
    return [line for line in lines.all if any(secret in line for secret in secrets)]


@pytest.mark.parametrize("kind", STORIES)
def test_each_kind_is_told_when_it_happens_and_nobody_is_named(kind: str) -> None:
    lines, secrets, figures = told(kind)
    times = STORIES[kind][0]
    # Of the limits one address has one, however it is written.
    expected = 3 * times + (kind == "flood")
    assert lines.times() == {kind: expected}
    assert leaks(lines, secrets) == []
    whose = [event["who"] for event in lines.events]
    assert all(HASH.fullmatch(who) for who in whose)
    assert len(set(whose)) == 2
    for event in lines.events:
        assert event.keys() == {"at", "level", "part", "text", "kind", "who", "times"}
        assert (event["level"], event["part"]) == ("warning", "rookery.security")
        assert event["text"].startswith(f"{kind} by {event['who']}, times {event['times']}: ")
    shown = [(one["kind"], one["who"]) for one in figures["security"]]
    assert shown[::-1] == [(kind, who) for who in whose[: len(shown)]]
    assert len(shown) >= 2


async def _replaced(here: Served, *after: str) -> None:
    """Replace a player while the store is slow, say something, and leave before the answer."""
    code = table_for((eve := Stranger(here, ADDRESSES[0]).named("Eve")).browser)
    bob, append = Stranger(here, "198.51.100.7").named("Bob"), here.registry.store.append

    async def slow(*told: Any) -> None:  # noqa: ANN401  (passed on)
        await asyncio.sleep(0.3)
        await append(*told)

    async with bob.socket(code) as other:
        await other.say(type="hello")
        assert (await other.do(type="sit"))["type"] == "ack"
        with pytest.MonkeyPatch.context() as late:
            late.setattr(here.registry.store, "append", slow)
            async with eve.socket(code) as host:
                await host.say(type="hello")
                await host.hear_type("welcome")
                await host.say(type="replace", seat=1, id="x")
                for text in after:
                    await host.socket.send(text)
                    await host.hear_type("refused")
            while True:
                table = (await other.hear_type("update"))["table"]
                if table["seats"][1]["kind"] == "bot":
                    break


@pytest.mark.parametrize("after", [[], ['{"type":"nothing","id":"x"}']])
def test_a_host_who_does_not_wait_for_the_answer_is_told_of_too(after: list[str]) -> None:
    limits, url = no_limits(), "http://rook.example"
    with logged() as lines, served(public_url=url, buckets=limits) as here:
        asyncio.run(_replaced(here, *after))
    assert lines.times()["seat-taken"] == 1


def test_these_are_all_of_them_and_the_page_explains_each() -> None:
    assert list(security.KINDS) == list(STORIES)
    part = PAGE.read_text("utf-8").partition("<!-- security -->")[2].partition("<!-- end -->")[0]
    assert re.findall(r"^\| `([\w-]+)` \|", part, re.MULTILINE) == list(STORIES)


@pytest.mark.parametrize("kind", ["other-name", "put-out"])
def test_the_control_an_address_in_a_line_is_found(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SecurityLog, "_who", lambda _, household: str(household))
    lines, secrets, _ = told(kind)
    found = "\n".join(leaks(lines, secrets))
    assert ADDRESSES[0] in found
    assert NETWORK in found


async def _asks(app: Any, address: str) -> None:  # noqa: ANN401
    async def receive() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    async def send(message: MutableMapping[str, Any]) -> None:
        assert message.get("status", 421) == 421

    scope = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "raw_path": b"/"}
    headers = [(b"host", b"evil.example")]
    await app({**scope, "headers": headers, "client": (address, 1)}, receive, send)


@pytest.mark.parametrize(("many", "most"), [(1, 2), (10_000, 2 * APART + 1)])
def test_ten_thousand_events_are_a_few_lines(many: int, most: int) -> None:
    async def story() -> None:
        app: Any = Here().app
        for number in range(10_000):
            await _asks(app, f"2001:db8:{number % many:x}::1")
        app._app.state.rookery.security.tell()

    with logged() as lines:
        asyncio.run(story())
    assert len(lines.events) <= most
    assert lines.times() == {"other-name": 10_000}


class Later:
    """What is to be called later, called when the test says so."""

    def __init__(self) -> None:
        self.calls: list[Callable[[], None]] = []

    def __call__(self, seconds: float, call: Callable[[], None]) -> None:
        assert seconds == 60
        self.calls.append(call)

    def over(self) -> None:
        """Have the minute be over."""
        calls, self.calls = self.calls, []
        for call in calls:
            call()


def test_the_first_is_told_at_once_and_those_of_each_minute_after_it_together() -> None:
    later = Later()
    log = SecurityLog(Tally(), lambda: 0, later)
    with logged() as lines:

        def times() -> list[int]:
            found = [event["times"] for event in lines.events]
            lines.events.clear()
            return found

        log.note("flood", "203.0.113.9")
        assert times() == [1]
        for _ in range(5):
            log.note("flood", "203.0.113.9")
        assert times() == []
        later.over()
        assert times() == [5]
        log.note("flood", "203.0.113.9")
        assert times() == []
        later.over()
        assert times() == [1]
        later.over()
        assert (times(), later.calls) == ([], [])
        # Whoever was quiet for a minute is told of at once again.
        log.note("flood", "203.0.113.9")
        assert times() == [1]


def test_another_day_another_hash_and_another_server_too() -> None:
    now = 20_000 * DAY
    logs = [SecurityLog(Tally(), lambda: now, Later()) for _ in range(2)]
    with logged() as lines:

        def hashes() -> list[str]:
            for log in logs:
                log.note("flood", ADDRESSES[0])
                log.tell()
                log.tell()
            found = [event["who"] for event in lines.events]
            lines.events.clear()
            return found

        first = hashes()
        now += DAY - 1
        assert hashes() == first
        now += 1
        second = hashes()
        now -= DAY  # a clock that is set back brings no key back
        assert len({*first, *second, *hashes()}) == 6


def test_a_server_tells_of_connections_that_are_cut_before_they_ask_anything(
    tmp_path: Path,
) -> None:
    async def story() -> None:
        server = serving._server(Settings(data=tmp_path), None, lambda: None, lambda _: None)
        server.config.load()
        made: Any = server.config.http_protocol_class
        state = uvicorn.server.ServerState()
        opened = []
        for _ in range(CONNECTIONS_PER_HOUSEHOLD + 1):
            one = made(config=server.config, server_state=state, app_state={})
            one.connection_made(Cable(ADDRESSES[0]))
            opened.append(one)
        opened[0]._late()
        for one in opened:
            one.connection_lost(None)
        await server._registry.close()

    with logged() as lines:
        asyncio.run(story())
    assert lines.times() == {"put-out": 1, "cut-slow": 1}
    assert {len(event["who"]) for event in lines.events} == {12}


def test_what_this_machine_does_has_no_hash() -> None:
    async def story() -> None:
        async with Here().browser() as browser:
            answer: httpx.Response = await browser.get(f"/api/tables/{NOWHERE}")
            assert answer.status_code == 404

    with logged() as lines:
        asyncio.run(story())
    (event,) = lines.events
    assert (event["kind"], event["who"], event["times"]) == ("code-guess", "inside", 1)
