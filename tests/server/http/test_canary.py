"""P7 over the wire: the key of a deal, from which every hand follows, is a canary in its cage.

Everything that comes out of a server is caught while people play: each byte of each socket, every
route that anybody may ask, and the log. A key may be in none of it before its hand is over.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from tests.server.core.tables import Chances
from tests.server.http.served import Line, Served, first_legal, line, served, table_for
from tests.server.http.test_doors import reading

from rookery.server.api import admin
from rookery.server.live import connection
from rookery.server.live.actor import Actor
from rookery.server.monitoring import metrics
from rookery.server.registry import listing
from rookery.server.table import events as ev
from rookery.server.table import projection as public
from rookery.server.table.fold import evolve
from rookery.server.table.state import Table

HANDS = 2
SECRET = "s" * 32
RULES = {"base": "kd_tournament", "target": 100_000}


@dataclass
class Caught:
    """What came out, with the number of the last event that was done by then."""

    told: list[tuple[int, str]] = field(default_factory=list)
    logged: list[tuple[int, str]] = field(default_factory=list)
    entries: list[ev.Entry] = field(default_factory=list)


class Catcher(logging.Handler):
    """Keeps every line of the server's log, at the lowest level."""

    def __init__(self, caught: Caught, seq: Callable[[], int]) -> None:
        super().__init__(logging.DEBUG)
        self._caught, self._seq = caught, seq

    def emit(self, record: logging.LogRecord) -> None:
        self._caught.logged.append((self._seq(), self.format(record)))


async def play(one: Line, caught: Caught) -> None:
    """Play what is legal, ask for hints, and keep all that is said."""
    tries, waiting = 0, False
    while len(one.table["hands"]) < HANDS:
        table, view = one.table, one.table["view"]
        if not waiting and view is not None and view["legal"] and view["to_act"] == table["you"]:
            if tries % 7 == 0:
                await one.say(type="hint")
            action = first_legal(view)
            await one.say(type="act", id=f"act-{tries}", action=action, seen=table["seq"])
            tries, waiting = tries + 1, True
        message = await one.hear()
        caught.told.append((one.table["seq"], json.dumps(message)))
        if message["type"] in ("ack", "refused") and message["id"] == f"act-{tries - 1}":
            waiting = False


def looked_at(browser: httpx.Client, code: str) -> str:
    """Return everything that a caller is told of a table."""
    found = [browser.get(path).text for path in (*reading(code), "/healthz", "/readyz")]
    return "\n".join([*found, browser.post("/api/return", json={"token": "x"}).text])


def overseen(here: Served, browser: httpx.Client) -> str:
    """Return everything that whoever runs the server is told: its figures and its admin page."""
    collectors = CollectorRegistry()
    metrics.measured(here.registry, collectors)
    answer = browser.get("/api/admin", headers={"authorization": f"Bearer {SECRET}"})
    assert answer.status_code == 200
    return "\n".join([generate_latest(collectors).decode(), answer.text])


async def caught_at(here: Served) -> Caught:
    """Play some hands with two people, two bots and somebody who watches; return what came out."""
    ann, bob, eve = (here.browser(name) for name in ("Ann", "Bob", "Eve"))
    caught, code = Caught(), table_for(ann, rules=RULES, open=True)

    def seq() -> int:
        return int(here.registry._actors[code].table.seq)

    catcher = Catcher(caught, seq)
    logger = logging.getLogger("rookery")
    level = logger.level
    logger.addHandler(catcher)
    logger.setLevel(logging.DEBUG)
    try:
        async with (
            line(here, ann, code) as one,
            line(here, bob, code) as two,
            line(here, eve, code) as watching,
        ):
            assert (await two.do(type="sit"))["type"] == "ack"
            assert (await one.do(type="start"))["type"] == "ack"
            playing = [asyncio.create_task(play(each, caught)) for each in (one, two)]
            playing.append(asyncio.create_task(watch(watching, caught)))
            for browser in (eve, ann, here.browser()):
                told = await asyncio.to_thread(looked_at, browser, code)
                caught.told.append((seq(), told))
                told = await asyncio.to_thread(overseen, here, browser)
                caught.told.append((seq(), told))
            await asyncio.gather(*playing)
            caught.entries = await here.registry.store.read(code)
    finally:
        logger.removeHandler(catcher)
        logger.setLevel(level)
    return caught


async def watch(one: Line, caught: Caught) -> None:
    """Only listen, and try what a watcher may not."""
    await one.say(type="hint")
    await one.say(type="claim", id="mine")
    while len(one.table["hands"]) < HANDS:
        message = await one.hear()
        caught.told.append((one.table["seq"], json.dumps(message)))


def public_keys(entries: Sequence[ev.Entry]) -> dict[int, set[str]]:
    """Return the keys that everybody may know, by the number of the last event."""
    table, found = Table(""), dict[int, set[str]]()
    shown: set[str] = set()
    for entry in entries:
        table = evolve(table, entry)
        if table.proof is not None and table.hand is not None and table.hand.over:
            shown.add(table.proof.key)
        found[entry.seq] = set(shown)
    return found


def leaks(caught: Caught) -> Iterator[str]:
    """Yield where a key came out before its hand was over, and which acts are in the log."""
    keys = {e.event.key for e in caught.entries if isinstance(e.event, ev.DealPromised)}
    public = public_keys(caught.entries)
    for seq, text in (*caught.told, *caught.logged):
        if any(key in text for key in keys - public[min(seq, len(public))]):
            yield f"a key at event {seq}"
    acts = {e.event.text for e in caught.entries if isinstance(e.event, ev.Acted)}
    for seq, text in caught.logged:
        if any(act in text for act in acts):
            yield f"an act in the log at event {seq}"


def found_in() -> tuple[Caught, list[str]]:
    with served(admin_secret=SECRET) as here:
        here.registry._chance = Chances(5)
        caught = asyncio.run(caught_at(here))
    return caught, list(leaks(caught))


def test_no_key_comes_out_before_its_hand_is_over() -> None:
    caught, found = found_in()
    assert found == []
    assert len(caught.told) > 50
    keys = {e.event.key for e in caught.entries if isinstance(e.event, ev.DealPromised)}
    assert len(keys) > HANDS
    # And afterwards it does, so that the deal can be checked.
    assert any(key in text for _, text in caught.told for key in keys)


def tell_the_key(whole: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    def told(entry: ev.Entry, seat: int | None) -> dict[str, Any]:
        event = entry.event
        more = {"key": event.key} if isinstance(event, ev.DealPromised) else {}
        return {**whole(entry, seat), **more}

    return told


def test_the_control_a_key_that_is_told_with_its_promise_is_caught(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connection, "public_event", tell_the_key(public.public_event))
    assert any(leak.startswith("a key") for leak in found_in()[1])


def key_of(table: Table) -> str:
    """Return the key of the hand that is under way, or of the next one."""
    proof = table.proof
    return "none" if proof is None else proof.key


def told_by_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = metrics.Figures.collect

    def collect(self: metrics.Figures) -> Iterator[Metric]:
        yield from whole(self)
        more = GaugeMetricFamily("rookery_deals", "The deals.", labels=["key"])
        for actor in self._registry.actors:
            more.add_metric([key_of(actor.table)], 1)
        yield more

    monkeypatch.setattr(metrics.Figures, "collect", collect)


def told_by_the_admin_page(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = listing.watched

    def watched(table: Table, watchers: int) -> listing.TableWatched:
        return whole(table, watchers).model_copy(update={"rules": key_of(table)})

    monkeypatch.setattr(admin, "watched", watched)


@pytest.mark.parametrize("plant", [told_by_figures, told_by_the_admin_page])
def test_the_control_a_key_that_whoever_runs_the_server_is_told_is_caught(
    plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    assert any(leak.startswith("a key") for leak in found_in()[1])


def test_the_control_an_act_in_the_log_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Actor._commit

    async def chatty(self: Actor, events: Sequence[ev.Event], client: str | None = None) -> Any:  # noqa: ANN401
        logging.getLogger("rookery.server.live.actor").debug("%s", events)
        return await whole(self, events, client)

    monkeypatch.setattr(Actor, "_commit", chatty)
    assert any(leak.startswith("an act") for leak in found_in()[1])
