"""An evening on screens: tables open, play, score and go on by themselves; deals stay secret."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from msgspec.structs import replace
from tests.server.http.served import Here, Line, Served, line, served, wait_for
from tests.server.http.test_evenings import IDS, NAMES, done, made, refusal
from websockets.exceptions import ConnectionClosed

from rookery.evening.log import fold
from rookery.fairness.check import checked
from rookery.record import loads
from rookery.server.api.evenings import screens
from rookery.server.api.evenings.held import Evenings
from rookery.server.live.admission import Admission
from rookery.server.live.sockets import NOT_OVER
from rookery.server.registry import listing
from rookery.server.table import seating
from rookery.server.table.commands import Sit
from rookery.server.table.state import Table, Who
from rookery.server.table.voting import Outcome

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


async def _seats_taken(here: Served) -> dict[str, list[str]]:
    """Return what others than whom the evening says are told who want a seat, and what hosts are.

    A stranger tries each seat; whoever says late who they are tries another's, then their own.
    """
    browsers = {name: here.browser(name) for name in ("Ann", "Bob", "Eve")}
    host, answers = browsers["Ann"], dict[str, list[str]]()
    wanted = {"name": "Friday", "movement": "individual", "people": NAMES[:4], "screens": FAST}
    evening = host.post("/api/evenings", json=wanted).json()
    at = f"/api/evenings/{evening['code']}"

    def change(who: str, **said: Any) -> None:  # noqa: ANN401
        body = {"id": f"{next(IDS):016}", "change": said}
        browsers[who].post(f"{at}/changes", json=body).raise_for_status()

    def opened() -> str | None:
        code = host.get(at).json()["evening"]["round"]["tables"][0]["code"]
        return None if code is None else str(code)

    change("Ann", do="claim", person=0)
    change("Ann", do="round", round=1)
    wait_for(lambda: opened() is not None)
    code = str(opened())
    seats = host.get(at).json()["evening"]["round"]["tables"][0]["seats"]
    others = [seat for seat in range(4) if seat != seats.index(0)]

    async def asked(one: Line, **said: Any) -> str:  # noqa: ANN401
        answer = await one.do(**said)
        return str(answer.get("code", "ack"))

    async with line(here, host, code) as ann, line(here, browsers["Eve"], code) as eve:
        assert ann.table["you"] == seats.index(0)
        assert ann.table["evening"]["code"] == evening["code"]
        assert eve.table["you"] is None
        answers["stranger"] = [await asked(eve, type="sit", seat=at) for at in others]
        host_wants = ({"type": "bot", "seat": 1, "bot": None}, {"type": "rematch"})
        answers["host"] = [await asked(ann, **said) for said in host_wants]
        # Who says only now who they are has their seat all the same, but no other.
        change("Bob", do="claim", person=1)
        async with line(here, browsers["Bob"], code) as bob:
            for who in (2, 1):
                seat = seats.index(who)
                said = await asked(bob, type="sit", seat=seat, wait=True)
                answers.setdefault("late", []).append(said)
            async with line(here, browsers["Bob"], code) as again:
                sits, view = again.table["you"], again.table["view"]
                answers["late"].append("no seat" if sits is None else f"seat of {seats[sits]}")
                # Of the hand that began without them.
                answers["late"].append("cards" if view["hand"] else "no cards")
    return answers


def test_a_seat_is_for_whom_the_evening_says_and_for_nobody_else() -> None:
    with served(grace=200) as here:
        answers = asyncio.run(_seats_taken(here))
    assert answers["stranger"] == ["not-your-table"] * 3
    assert answers["host"] == ["of-evening"] * 2
    assert answers["late"] == ["not-your-table", "ack", "seat of 1", "cards"]


async def anybody(
    self: Admission, table: Table, who: Who, command: Sit, outcome: Outcome
) -> Outcome:
    """Seat whoever comes."""
    return outcome


def test_the_control_a_table_that_seats_strangers_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Admission, "checked", anybody)
    with served(grace=200) as here:
        answers = asyncio.run(_seats_taken(here))
    assert answers["stranger"] == ["ack", "already-seated", "already-seated"]
    assert "not-your-table" not in answers["late"]


def test_the_control_a_late_person_who_waits_for_the_next_hand_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(seating, "_may_play_on", lambda table, who, seat: False)

    async def one(here: Served) -> None:
        async with asyncio.timeout(5):
            await _seats_taken(here)

    with served(grace=200) as here, pytest.raises(TimeoutError):
        asyncio.run(one(here))


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


def _points_in(looked: list[str]) -> list[object]:
    """Return what tables tell of their points, where they tell any."""
    told = [json.loads(one.splitlines()[0]) for one in looked]
    return [one["totals"] for one in told if one["totals"] is not None]


def _cards_in(text: str) -> set[str]:
    return set(re.findall(r"\b(?:[RGYB]\d{1,2}|RK)\b", text))


async def _looked(browser: httpx.AsyncClient, code: str) -> str:
    """Return all that a table tells to whoever asks."""
    at = f"/api/tables/{code}"
    paths = [at, f"{at}/hands", f"{at}/record", f"{at}/regulars", f"/api/replay/{code}/0"]
    return "\n".join([(await browser.get(path)).text for path in paths])


async def _told_before_the_end(here: Here, codes: dict[str, list[int]]) -> set[str]:
    """Return the cards that anybody is told of tables whose deals others may still play.

    And that points are told, if they are.
    """
    async with here.person("Gus") as gus, here.browser() as eve:
        looked = [await _looked(who, code) for code in codes for who in (gus, eve)]
    return _cards_in("\n".join(looked)) | ({"points"} if _points_in(looked) else set())


def test_prepared_deals_show_no_card_before_the_evening_is_over_and_can_be_proven_then() -> None:
    async def story() -> None:
        here = Here()
        async with here.running(), here.person("Ann") as ann, here.browser() as eve:
            evening, codes = await _first_round(ann)
            at = f"/api/evenings/{evening['code']}"
            assert await _told_before_the_end(here, codes) == set()
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


def test_the_control_points_of_a_prepared_deal_that_anybody_reads_are_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sound = listing.listed

    def told(table: Table, person: str | None) -> listing.TableListed:
        return sound(replace(table, evening=None), person)

    monkeypatch.setattr(listing, "listed", told)

    async def story() -> set[str]:
        here = Here()
        async with here.running(), here.person("Ann") as ann:
            _, codes = await _first_round(ann)
            return await _told_before_the_end(here, codes)

    assert asyncio.run(story()) == {"points"}


async def never(self: Evenings, table: Table) -> bool:
    """Hide nothing."""
    return False


def test_the_control_a_table_that_shows_a_prepared_deal_too_early_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Evenings, "hides", never)

    async def story() -> set[str]:
        here = Here()
        async with here.running(), here.person("Ann") as ann:
            _, codes = await _first_round(ann)
            return await _told_before_the_end(here, codes)

    assert len(asyncio.run(story())) > 30


async def _closed_with(here: Served) -> dict[str, int | str]:
    """Return with what the sockets of those are closed who come to a table of prepared deals.

    Or what they are told first: of somebody who sits there, and of a stranger.
    """
    browsers = {name: here.browser(name) for name in ("Ann", "Eve")}
    people = [*NAMES, *"abcd"]
    wanted = {"movement": "mitchell", "people": people, "screens": {**FAST, "pace": "calm"}}
    evening = browsers["Ann"].post("/api/evenings", json=wanted).json()
    at, told = f"/api/evenings/{evening['code']}", dict[str, int | str]()
    for said in ({"do": "claim", "person": 0}, {"do": "round", "round": 1}):
        body = {"id": f"{next(IDS):016}", "change": said}
        browsers["Ann"].post(f"{at}/changes", json=body).raise_for_status()

    def mine() -> dict[str, Any]:
        return dict(browsers["Ann"].get(at).json()["own"])

    wait_for(lambda: mine()["code"] is not None)
    for name, browser in browsers.items():
        async with line(here, browser, mine()["code"], hello=False) as one:
            try:
                await one.say(type="hello")
                told[name] = (await one.hear_type("welcome"))["type"]
            except ConnectionClosed as closed:
                told[name] = closed.rcvd.code if closed.rcvd else 0
    return told


def test_whoever_does_not_sit_at_a_table_of_prepared_deals_is_sent_away() -> None:
    with served() as here:
        assert asyncio.run(_closed_with(here)) == {"Ann": "welcome", "Eve": NOT_OVER}


async def everybody(self: Evenings, table: Table, person: str) -> bool:
    """Let anybody look on."""
    return True


def test_the_control_a_table_of_prepared_deals_that_anybody_watches_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Evenings, "shows", everybody)
    with served() as here:
        assert asyncio.run(_closed_with(here)) == {"Ann": "welcome", "Eve": "welcome"}
