"""What only a device answers: matches that it has a record of, and odds."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from tests.server.offline.device import Drawer, Page
from tests.server.offline.test_host import matched
from typer.testing import CliRunner

from rookery.cli.lab.odds import app
from rookery.fairness.check import checked
from rookery.record import HandRecord, Record, dumps, loads, replay
from rookery.rules import load
from rookery.server.offline.told import LONGEST, MOST

HAND = "R14 R10 R5 G14 G13 G9 G6 Y8 B11"
KEPT = Path(__file__).parents[2] / "kept"


async def given(page: Page, text: str) -> dict[str, Any]:
    status, told = await page.ask("POST", "/api/records", text=text)
    assert status == 200, told
    return dict(told)


def bare(number: int) -> str:
    """Return a record of one hand, dealt from a seed, that nobody has acted in."""
    rules = load("kd_tournament")
    return dumps(Record(rules, "kd_tournament", None, [HandRecord(0, seed=number)]))


def test_a_record_shows_what_its_table_shows() -> None:
    async def story() -> None:
        page = await Page(Drawer()).begin()
        code = await matched(page)
        text = json.dumps(await page.get(f"/api/tables/{code}/record"))
        hands = await page.get(f"/api/tables/{code}/hands")
        played = await page.get(f"/api/replay/{code}/{hands[-1]['number']}?seat=1")
        drawer = Drawer()
        other = await Page(drawer).begin()
        told = (await given(other, text))["code"]
        # It is found again after a reload, under the same code, and however it is given.
        again = await Page(drawer).begin()
        assert (await given(again, text))["code"] == told
        assert await again.get(f"/api/tables/{told}/hands") == hands
        number = hands[-1]["number"]
        replayed = await again.get(f"/api/replay/{told.lower()}/{number}?seat=1")
        assert replayed == {**played, "code": told}
        assert replayed["proof"]["key"]
        kept = await again.get(f"/api/tables/{told}/record?match=0")
        assert kept == json.loads(text)
        assert checked(loads(json.dumps(kept))).good
        seen = await again.get(f"/api/tables/{told}")
        assert seen["phase"] == "over"
        assert seen["you"] is None
        assert seen["seats"][0]["name"] == "Ann"
        status, review = await again.ask("GET", f"/api/tables/{told}/matches/0/review")
        assert status == 202, review
        # Nobody sits down there, and it is no table of mine.
        closing = await again.open(told).hear("closing")
        assert closing["code"] == 4004
        assert (await again.get("/api/session"))["tables"] == []
        for one in (page, other, again):
            await one.end()

    asyncio.run(story())


def records() -> list[Path]:
    """Return the records that users of earlier versions have."""
    paths = sorted(KEPT.rglob("*.json"))
    return [path for path in paths if '"format": "rookery/1"' in path.read_text("utf-8")[:100]]


def test_there_are_records_of_earlier_versions() -> None:
    assert len(records()) >= 3


@pytest.mark.parametrize("path", records(), ids=lambda path: path.stem)
def test_records_of_every_version_are_taken(path: Path) -> None:
    text = path.read_text("utf-8")

    async def story() -> None:
        page = await Page(Drawer()).begin()
        told = await given(page, text)
        assert told["problem"] is None
        record = loads(text)
        hands = await page.get(f"/api/tables/{told['code']}/hands")
        redealt = [hand for hand in replay(record).hands if hand.phase == "redealt"]
        # Those that stop somewhere are among them.
        assert len(hands) == len(record.hands) - len(redealt)
        for hand in hands:
            replayed = await page.get(f"/api/replay/{told['code']}/{hand['number']}")
            assert len(replayed["steps"]) == len(record.hands[hand["number"]].actions) + 1
        await page.get(f"/api/tables/{told['code']}/statistics")
        kept = await page.get(f"/api/tables/{told['code']}/record")
        assert [hand["actions"] for hand in kept["hands"]] == [h.actions for h in record.hands]
        assert [hand.get("proof") for hand in kept["hands"]] == [
            hand.extra.get("proof") for hand in record.hands
        ]
        assert all(hand.get("proof", {}) is not None for hand in kept["hands"])
        await page.end()

    asyncio.run(story())


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "bad-json"),
        ('{"format": "rookery/9"}', "bad-format"),
        (
            bare(7).replace('"actions": []', '"actions": ["1 bid 7"]'),
            "hand 0, action 0 ('1 bid 7')",
        ),
        (bare(7).replace('"dealer": 0', '"dealer": 7'), "hand 0: bad-deal"),
        ('{"format": "rookery/1", "rules": "whist", "hands": []}', "unknown-rules"),
        pytest.param(" " * (LONGEST + 1), "more than 4,000,000 characters", id="too long"),
        pytest.param("{" + " " * (LONGEST - 1), "bad-json", id="as long as it may be"),
    ],
)
def test_what_is_no_record_is_told_in_one_line_and_not_kept(text: str, says: str) -> None:
    async def story() -> None:
        drawer = Drawer()
        page = await Page(drawer).begin()
        told = await given(page, text)
        assert told["code"] is None
        assert says in told["problem"]
        assert "\n" not in told["problem"]
        assert not [key for key in drawer.kept if key.startswith("record/")]
        await page.end()

    asyncio.run(story())


def test_the_latest_records_are_kept() -> None:
    async def story() -> None:
        drawer = Drawer()
        page = await Page(drawer).begin()
        codes = [(await given(page, bare(n)))["code"] for n in range(MOST + 3)]
        kept = {key.removeprefix("record/") for key in drawer.kept if key.startswith("record/")}
        assert len(kept) == MOST
        assert codes[-1] in kept
        assert len(set(codes)) == len(codes)
        await page.end()

    asyncio.run(story())


@pytest.mark.parametrize(
    ("asked", "command"),
    [
        ({"question": "partner-trumps", "trump": "green"}, ["partner-trumps", "--trump", "green"]),
        ({"question": "nest"}, ["nest"]),
        (
            {"question": "split", "trump": "green", "suit": "red", "voids": ["left red"]},
            ["split", "red", "--trump", "green", "--void", "left red"],
        ),
    ],
)
def test_odds_are_those_of_the_command(asked: dict[str, Any], command: list[str]) -> None:
    async def story() -> None:
        page = await Page(Drawer()).begin()
        status, found = await page.ask("POST", "/api/odds", hand=HAND, **asked)
        assert status == 200
        assert found["problem"] is None
        printed = CliRunner().invoke(app, [*command, "--hand", HAND, "--json"]).output
        assert found["answer"] == json.loads(printed)
        await page.end()

    asyncio.run(story())


def test_a_question_that_cannot_be_asked_says_why() -> None:
    async def story() -> None:
        page = await Page(Drawer()).begin()
        for asked, says in (
            ({"hand": "X9"}, "X9"),
            ({"hand": HAND}, "trump"),
            ({"hand": HAND, "trump": "green", "called": "B14"}, "called"),
        ):
            wanted = {"question": "partner-trumps", **asked}
            status, found = await page.ask("POST", "/api/odds", **wanted)
            assert status == 200
            assert found["answer"] is None
            assert says in found["problem"]
            assert "--" not in found["problem"]
        status, refused = await page.ask("POST", "/api/odds", question="weather", hand=HAND)
        assert (status, refused["error"]["code"]) == (400, "bad-request")
        await page.end()

    asyncio.run(story())
