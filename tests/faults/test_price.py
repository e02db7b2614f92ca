"""P25: whatever somebody asks for has a price, and is paid for; three faults are found out."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from pathlib import Path
from statistics import median
from typing import get_args
from unittest.mock import patch

import pytest
from tests.faults import whole_prices
from tests.faults.asker import ask
from tests.faults.deluge import Deluge
from tests.faults.price import DEAR, SAID, asks, costs, filled, unpaid, unpriced
from tests.faults.serving import PATIENCE, Server
from tests.server.http.served import listening
from tests.unicode.halves import holds_half

from rookery.server.table import commands as cm
from rookery.server.table import events as ev

HANDS = 12
MANY = 120  # replays, which take seconds of a core
A_WHILE = 4.0  # seconds
SHARE = 0.5  # of what a request takes, which its address pays at least
MOST = 3.0  # times what it takes
# What is refused is no price of what is asked for; of these there is nothing dearer here.
REFUSED = {"review": 404, "come_back": 410, "admin": 404, "talk": 404, "no_handshake": 404}
SLOW = 0.003  # seconds; beyond that a fixed price counts for little


def test_every_route_and_every_message_has_a_price_and_a_new_one_is_found() -> None:
    app = listening()
    assert unpriced(app) == set()
    app.add_api_route("/api/new", lambda: None)
    assert unpriced(app) == {("GET", "/api/new")}
    said = [one for name, each in SAID.items() if name != "odd messages" for one in each]
    kinds = {ev.tag(kind) for kind in get_args(cm.Command)}
    assert {json.loads(one)["type"] for one in said} == kinds


def test_an_address_pays_for_what_is_done_for_it_and_a_price_that_is_not_charged_is_found(
    tmp_path: Path,
) -> None:
    found = costs(tmp_path, HANDS)
    assert found.keys() == DEAR.keys()
    assert {name: cost.status for name, cost in found.items() if cost.status >= 400} == REFUSED
    assert {n: cost for n, cost in found.items() if cost.paid < SHARE * cost.taken} == {}
    assert {n: c for n, c in found.items() if c.taken > SLOW and c.paid > MOST * c.taken} == {}
    (tmp_path / "unpaid").mkdir()
    keyless = DEAR["evening_slips"]._replace(path=f"{DEAR['one_evening'].path}/slips")
    with unpaid(DEAR["replay"].path), patch.dict(DEAR, evening_slips=keyless):
        found = costs(tmp_path / "unpaid", HANDS, times=5)
    assert [n for n, cost in found.items() if cost.paid < SHARE * cost.taken] == ["replay"]
    refused = {name: cost.status for name, cost in found.items() if cost.status >= 400}
    assert refused == {**REFUSED, "evening_slips": 404}


@pytest.mark.parametrize(
    ("waits", "times", "middle"),
    [([9.0], 1, 9.0), ([99.0, 9.0, 8.0], 3, 9.0), ([99.0, 9.0, 88.0], 3, 88.0)],
    ids=["within its limit", "a moment of the machine", "a route that costs too much"],
)
def test_what_was_over_its_limit_is_measured_three_times(
    tmp_path: Path, waits: list[float], times: int, middle: float
) -> None:
    told = [Deluge(waits=[wait], busy=0.8, seconds=10.0) for wait in waits]
    with patch.object(whole_prices, "flooded", side_effect=told):
        found = whole_prices.measured(tmp_path, "replay", alone=0.02)
    assert len(found) == times
    assert median(one.waits[0] for one in found) == middle


def test_what_is_asked_for_is_odd_now_and_then() -> None:
    sent = [body for name in DEAR for _, _, body in asks(name) if body is not None]
    assert sum(holds_half(body) for body in sent) > 3
    assert max(map(len, sent)) > 15_000


async def asked(folder: Path, build: str, seconds: float) -> Counter[int]:
    """Return the answers to somebody who asks for many replays, in so many seconds at most."""

    def enough(answers: Counter[int]) -> bool:
        return answers.total() >= MANY

    cookies = await filled(folder, HANDS)
    server = Server(folder, build)
    server.believe_proxies()
    await server.start()
    try:
        more = {"cookies": cookies, "asks": list(asks("replay"))}
        return (await ask(server.port, "", seconds, 4, enough, more)).answers
    finally:
        await server.end()


@pytest.mark.slow
def test_what_is_dear_waits_and_the_control_gives_it_away(tmp_path: Path) -> None:
    for build in ("sound", "gratis"):
        (tmp_path / build).mkdir()
    sound = asyncio.run(asked(tmp_path / "sound", "sound", A_WHILE))
    assert 0 < sound[200] < MANY
    free = asyncio.run(asked(tmp_path / "gratis", "gratis", PATIENCE))
    assert free.keys() == {200}
    assert free[200] >= MANY
