"""Who sat where in a match that is handed in: other bots may have come in its middle."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from tests.faults.handed import match_by
from tests.server.http.served import QUICK, Here
from tests.server.offline.device import Drawer, Page
from tests.server.offline.test_handed import Document, code_of, hand_in, named

from rookery.server.registry.handed_match import BadMatch, read

LONGER: Document = {**QUICK, "target": 250}


async def changed() -> Document:
    """Return the record of a match on a device, at whose second hand another bot came."""
    page = await Page(Drawer()).begin()
    code = await page.table(rules=LONGER, bots=["club", "random", "papa"])
    socket = page.open(code)
    await socket.hear("welcome")
    assert (await socket.do(type="start"))["type"] == "ack"
    await socket.play(hands=1)
    seat = next(at for at, one in enumerate(socket.table["seats"]) if one["bot"] == "club")
    assert (await socket.do(type="bot", seat=seat, bot="hog"))["type"] == "ack"
    await socket.play()
    socket.close()
    written: Document = await page.get(f"/api/tables/{code}/record")
    await page.end()
    return written


def bots_of(written: Document) -> list[Any]:
    return [hand.get("bots", written["bots"]) for hand in written["hands"]]


def test_a_bot_that_came_in_the_middle_is_kept() -> None:
    async def story() -> None:
        written = await changed()
        code, server = code_of(written), Here()
        # The control: it came, and was not there from the beginning.
        assert "hog" not in written["bots"]
        assert "hog" in bots_of(written)[-1]
        async with server.running(), server.browser() as browser:
            await hand_in(await named(browser), written)
            kept = (await browser.get(f"/api/tables/{code}/record")).json()
            assert (kept["bots"], bots_of(kept)) == (written["bots"], bots_of(written))
            names = [hand.get("players", kept["players"]) for hand in kept["hands"]]
            assert all(one == kept["players"] for one in names)  # a bot keeps its bird
            hands = (await browser.get(f"/api/tables/{code}/hands")).json()
            assert hands[-1]["bots"] == bots_of(written)[-1]
            assert (await hand_in(browser, written))["match"] == 0  # is that match

    asyncio.run(story())


@pytest.mark.parametrize(
    ("bots", "told"),
    [
        ([None, "club", "nobody", "club"], "hand 1: bots: no bot is called nobody"),
        ([None, "club", None, "club"], "hand 1: bots: expected a bot at each seat but one"),
        ([None, "club"], "hand 1: bots: expected a bot at each seat but one"),
        ("club", "hand 1: bots: expected a bot at each seat but one"),
        (["club", None, "club", "club"], "hand 1: bots: expected the player at seat 0, as before"),
    ],
)
def test_a_hand_names_a_bot_at_each_seat_but_that_of_its_person(bots: object, told: str) -> None:
    written = json.loads(json.dumps(match_by({**QUICK, "target": 200})))
    assert len(written["hands"]) > 1
    assert read(written).bots == (None, "club", "club", "club")  # the control
    written["hands"][1] |= {"players": written["players"], "bots": bots}
    with pytest.raises(BadMatch, match=told):
        read(written)
