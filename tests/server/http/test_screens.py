"""An evening on screens: tables open, play, score and go on by themselves; deals stay secret."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from tests.server.http.served import Here, Served, line, served, wait_for
from tests.server.http.test_evenings import NAMES, done, made, refusal

from rookery.evening.log import fold
from rookery.fairness.check import checked
from rookery.record import loads
from rookery.server.api.evenings import screens

PATIENCE = 60.0
FAST = {"hands": 1, "bot": "papa", "pace": "instant", "auto": False}


async def until(
    browser: httpx.AsyncClient, at: str, there: Callable[[dict[str, Any]], bool]
) -> dict[str, Any]:
    """Look at an evening, as a phone does, until something is there."""
    async with asyncio.timeout(PATIENCE):
        while True:
            told = dict((await browser.get(at)).json())
            if there(told["evening"]):
                return told
            await asyncio.sleep(0.02)


def all_scored(evening: dict[str, Any]) -> bool:
    return evening["rounds"] > 0 and not evening["missing"]


@pytest.fixture(autouse=True)
def looks_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Phones in these tests look often, and so does the server."""
    monkeypatch.setattr(screens, "EVERY", 0.0)


def test_an_evening_of_which_nobody_plays_goes_on_by_itself_until_it_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fold, "PAUSE", 0)

    async def story() -> None:
        here = Here()
        async with here.running(), here.person("Ann") as ann:
            wanted = {**FAST, "auto": True, "rounds": 3}
            evening = await made(ann, screens=wanted, people=NAMES[:6])
            at = f"/api/evenings/{evening['code']}"
            assert sum(one["bot"] for one in evening["evening"]["people"]) == 3
            assert (await done(ann, evening, {"do": "round", "round": 1})).is_success
            told = (await until(ann, at, lambda one: bool(one["over"])))["evening"]
            assert told["rounds"] == 3
            assert not told["missing"]
            rounds = [(await ann.get(f"{at}/rounds/{n}")).json() for n in (1, 2, 3)]
            codes = [table["code"] for one in rounds for table in one["tables"]]
            assert len({*codes}) == len(codes) == 6
            for one in rounds:
                assert not one["byes"]  # bots fill up
                for table in one["tables"]:
                    hands = (await ann.get(f"/api/tables/{table['code']}/hands")).json()
                    assert [hand["score"] for hand in hands] == [table["scores"]]
                    assert table["said"]["by"] == ""

    asyncio.run(story())


def test_a_seat_is_for_whom_the_evening_says_and_for_nobody_else() -> None:
    async def story(here: Served) -> None:
        browsers = {name: here.browser(name) for name in ("Ann", "Bob", "Eve")}
        host = browsers["Ann"]
        wanted = {"name": "Friday", "movement": "individual", "people": NAMES[:4], "screens": FAST}
        evening = host.post("/api/evenings", json=wanted).json()
        at = f"/api/evenings/{evening['code']}"

        def change(who: str, **said: Any) -> httpx.Response:  # noqa: ANN401
            body = {"id": f"{len(sent):016}", "change": said}
            sent.append(body)
            return browsers[who].post(f"{at}/changes", json=body)

        def opened() -> str | None:
            code = host.get(at).json()["evening"]["round"]["tables"][0]["code"]
            return None if code is None else str(code)

        sent = list[dict[str, Any]]()
        assert change("Ann", do="claim", person=0).is_success
        assert change("Ann", do="round", round=1).is_success
        wait_for(lambda: opened() is not None)
        code = str(opened())
        seats = host.get(at).json()["evening"]["round"]["tables"][0]["seats"]
        async with line(here, host, code) as ann, line(here, browsers["Eve"], code) as eve:
            assert ann.table["you"] == seats.index(0)
            assert ann.table["evening"]["code"] == evening["code"]
            assert eve.table["you"] is None
            for seat in range(4):
                if seat != seats.index(0):
                    refused = await eve.do(type="sit", id=f"e{seat}", seat=seat, wait=True)
                    assert (refused["type"], refused["code"]) == ("refused", "not-your-table")
            for said in ({"type": "bot", "seat": 1, "bot": None}, {"type": "rematch"}):
                refused = await ann.do(id=f"h{said['type']}", **said)
                assert (refused["type"], refused["code"]) == ("refused", "of-evening")
            # Who says only now who they are has their seat all the same, but no other.
            assert change("Bob", do="claim", person=1).is_success
            async with line(here, browsers["Bob"], code) as bob:
                wrong = await bob.do(type="sit", id="b1", seat=seats.index(2), wait=True)
                assert wrong["code"] == "not-your-table"
                await bob.say(type="sit", id="b2", seat=seats.index(1), wait=True)
                assert bob.table["you"] is None

    with served(grace=200) as here:
        asyncio.run(story(here))


async def _first_round(
    ann: httpx.AsyncClient,
) -> tuple[dict[str, Any], dict[str, list[int]]]:
    """Return an evening after a round of prepared deals, and the deals of its tables, by code."""
    evening = await made(ann, movement="mitchell", people=[*NAMES, *"abcd"], screens=FAST)
    at = f"/api/evenings/{evening['code']}"
    await done(ann, evening, {"do": "round", "round": 1})
    told = await until(ann, at, all_scored)
    tables = told["evening"]["round"]["tables"]
    return evening, {table["code"]: table["deals"] for table in tables}


def _cards_in(text: str) -> set[str]:
    return set(re.findall(r"\b(?:[RGYB]\d{1,2}|RK)\b", text))


async def _looked(browser: httpx.AsyncClient, code: str) -> str:
    """Return all that a table tells to whoever asks."""
    at = f"/api/tables/{code}"
    paths = [at, f"{at}/hands", f"{at}/record", f"{at}/regulars", f"/api/replay/{code}/0"]
    return "\n".join([(await browser.get(path)).text for path in paths])


def test_prepared_deals_show_no_card_before_the_evening_is_over_and_can_be_proven_then() -> None:
    async def story() -> None:
        here = Here()
        async with here.running(), here.person("Ann") as ann, here.browser() as eve:
            evening, codes = await _first_round(ann)
            at = f"/api/evenings/{evening['code']}"
            for code in codes:
                for who in (ann, eve):
                    assert _cards_in(await _looked(who, code)) == set()
                    answer = await who.get(f"/api/tables/{code}/record")
                    assert refusal(answer)[:2] == (403, "not-over")
            told = (await eve.get(at)).json()["evening"]["screens"]
            assert told["key"] is None
            commitment = told["commitment"]
            assert (await done(ann, evening, {"do": "end", "over": True})).is_success
            told = (await eve.get(at)).json()["evening"]["screens"]
            assert told["commitment"] == commitment
            cards = dict[int, Any]()
            for code, deals in codes.items():
                assert len(_cards_in(await _looked(eve, code))) > 30  # the control
                record = (await eve.get(f"/api/tables/{code}/record")).json()
                hands = (await eve.get(f"/api/tables/{code}/hands")).json()
                assert [hand["match"] for hand in hands] == [0, 1]  # a match each
                last = record["hands"][0]
                assert (last["proof"]["number"], last["proof"]["key"]) == (deals[-1], told["key"])
                assert cards.setdefault(deals[-1], last["deal"]) == last["deal"]
                assert checked(loads(json.dumps(record)), [commitment]).good
                record["hands"][0]["deal"].reverse()
                assert not checked(loads(json.dumps(record)), [commitment]).good
            assert len(cards) == 3  # at each table others, in this round
            again = await done(ann, evening, {"do": "end", "over": False})
            assert refusal(again) == (422, "bad-change", "opened")

    asyncio.run(story())
