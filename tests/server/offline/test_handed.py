"""A match that was played on a device is handed to a server, which plays it again."""

from __future__ import annotations

import asyncio
import dataclasses
import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from tests.faults.handed import CODE, match_by
from tests.server.http.served import QUICK, Here
from tests.server.offline.device import Drawer, Page
from tests.server.offline.test_host import matched

from rookery.bots.player import KernelPlayer
from rookery.fairness import day, evening
from rookery.fairness.check import checked
from rookery.fairness.day import DayDeal
from rookery.fairness.deal import secret
from rookery.fairness.evening import EveningDeals
from rookery.game import Hand
from rookery.record import loads, of_hand
from rookery.rules import variant
from rookery.server.registry.calendar import HIDDEN
from rookery.server.registry.handed_match import BadMatch, read
from rookery.server.registry.ratings import counting
from rookery.server.registry.tables import TableRegistry
from rookery.server.settings import DAY
from rookery.server.store.base import Fenced, InDoubt, StoreError, row_of
from rookery.server.store.leases import UNOWNED, Lease
from rookery.server.table import events as ev
from rookery.server.table.dealing import begun, dealt
from rookery.server.table.events import entered
from rookery.server.table.fold import evolve

Document = dict[str, Any]
BIDS: Document = {"bid_minimum": 5, "bid_maximum": 20, "target": 5}
REDEALT: Document = {"redeal": "auto", "counters": {"5": 5}, "rook_value": 0, **BIDS}


async def played(matches: int = 1) -> list[Document]:
    """Return the records of matches that somebody played on a device, at one table."""
    page = await Page(Drawer()).begin()
    code = await matched(page)
    for _ in range(matches - 1):
        socket = page.open(code)
        await socket.hear("welcome")
        assert (await socket.do(type="rematch"))["type"] == "ack"
        while socket.table["phase"] == "over":
            await socket.hear("update")
        await socket.play()
    found = [await page.get(f"/api/tables/{code}/record?match={n}") for n in range(matches)]
    await page.end()
    return found


def code_of(written: Document) -> str:
    return str(written["hands"][0]["proof"]["table"])


async def hand_in(browser: httpx.AsyncClient, written: Document) -> Document:
    answer = await browser.post("/api/matches", json={"record": written})
    assert answer.status_code == 201, answer.text
    kept: Document = answer.json()
    return kept


async def named(browser: httpx.AsyncClient, name: str = "Annette") -> httpx.AsyncClient:
    assert (await browser.post("/api/session", json={"name": name})).status_code == 200
    return browser


def test_a_match_is_kept_once_as_if_it_had_been_played_here(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def story() -> None:
        [written] = await played()
        code, server = code_of(written), Here()

        async def take(table: str) -> Lease | None:  # as where servers share a database
            return UNOWNED if await server.store.row(table) else None

        monkeypatch.setattr(server.registry.leases, "take", take)
        async with server.running(), server.browser() as browser, server.browser() as other:
            await named(browser)
            # Tapped twice, and once more because the answer was lost.
            twice = await asyncio.gather(hand_in(browser, written), hand_in(browser, written))
            again = await hand_in(browser, written)
            assert twice[0] == twice[1] == again
            assert again["code"] == code
            assert again["match"] == 0
            assert again["link"].endswith(f"/replay/{code}")
            # Whoever has the link sees the hands, and can check how they were dealt.
            hands = (await other.get(f"/api/tables/{code}/hands")).json()
            assert len(hands) == sum(one.get("actions") != [] for one in written["hands"])
            assert (await other.get(f"/api/replay/{code}/0")).status_code == 200
            kept = (await other.get(f"/api/tables/{code}/record")).json()
            assert kept["hands"] == written["hands"]
            assert checked(loads(json.dumps(kept))).good
            assert "Annette" in kept["players"]  # as the server knows them
            mine = (await browser.get("/api/session/statistics")).json()
            assert (mine["matches"], mine["hands"]) == (1, len(hands))
            me = (await browser.get("/api/session")).json()
            assert [one["code"] for one in me["tables"]] == [code]

    asyncio.run(story())


def test_the_next_match_of_the_same_table_is_added_to_it() -> None:
    async def story() -> None:
        first, second = await played(2)
        code, server = code_of(first), Here()
        async with server.running(), server.browser() as browser, server.browser() as other:
            await named(browser)
            assert (await hand_in(browser, second))["match"] == 0  # in any order
            assert (await hand_in(browser, first))["match"] == 1
            assert (await hand_in(browser, second))["match"] == 0
            for number, written in enumerate((second, first)):
                kept = (await other.get(f"/api/tables/{code}/record?match={number}")).json()
                assert kept["hands"] == written["hands"]
            # Nobody else writes at this table.
            await named(other, "Eve")
            answer = await other.post("/api/matches", json={"record": first})
            assert (answer.status_code, answer.json()["error"]["code"]) == (422, "bad-match")
            assert "another one" in answer.json()["error"]["reason"]

    asyncio.run(story())


def _changed(change: Callable[[Document], object]) -> Callable[[Document], Document]:
    def changed(written: Document) -> Document:
        made: Document = json.loads(json.dumps(written))
        change(made)
        return made

    return changed


BAD: dict[str, tuple[Callable[[Document], Document], str]] = {
    "an act": (
        _changed(lambda one: one["hands"][0]["actions"].__setitem__(-1, "0 bid 5")),
        "hand 0",
    ),
    "a card": (
        _changed(lambda one: one["hands"][0]["deal"][0].reverse()),
        "hand 0: the cards do not follow from the key and the shares",
    ),
    "no proof": (_changed(lambda one: one["hands"][0].pop("proof")), "hand 0: the record has no"),
    "its last card": (_changed(lambda one: one["hands"][-1]["actions"].pop()), "nobody has won"),
    "no hands": (_changed(lambda one: one["hands"].clear()), "the record has no hands"),
    "nobody's seat": (_changed(lambda one: one.pop("bots")), "bots: expected a bot at each seat"),
    "a bot that is none": (
        _changed(lambda one: one["bots"].__setitem__(-1, "nobody")),
        "bots: ",
    ),
    "two people": (_changed(lambda one: one["bots"].__setitem__(-1, None)), "bots: expected"),
    "no record": (lambda _: {"format": "other"}, "bad-format"),
    "a number that is a text": (
        _changed(lambda one: _number_deals(one, str)),
        "the number of a deal: expected a whole number from 0 to 9007199254740990",
    ),
    "a number that is half one": (
        _changed(lambda one: _number_deals(one, lambda number: number + 0.5)),
        "the number of a deal",
    ),
    "a number below 0": (lambda _: match_by(QUICK, -1), "the number of a deal"),
    # Browsers read it, whose whole numbers end there.
    "a number beyond all": (lambda _: match_by(QUICK, (1 << 53) - 1), "the number of a deal"),
    "a daily deal": (lambda _: _of_a_day(), "hand 0: this deal is of no table"),
    "a deal of an unknown kind": (
        _changed(lambda one: one["hands"][-1]["proof"].update(scheme="rook-set-2")),
        "this deal is of no table",
    ),
    "rules that nobody may begin": (lambda _: match_by(REDEALT), "one deal in 16"),
}


def _of_a_day() -> Document:
    deal = DayDeal(variant("kd_tournament"), "2026-11-23", "four", bytes(32))
    hand = {**of_hand(deal.hand()).written(), "proof": deal.proof(ended=True)}
    return {"format": "rookery/1", "rules": "kd_tournament", "hands": [hand]}


def test_no_deal_of_a_day_or_an_evening_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """By rules that throw in nearly all, one request could have many thousands dealt."""

    def look(*_: object) -> Hand:
        raise AssertionError("a deal is looked for")

    deals = EveningDeals(variant("kd_tournament"), "Friday", 24, bytes(32))
    of_evening = {**of_hand(deals.hand(1)).written(), "proof": deals.proof(1, ended=True)}
    of_day = _of_a_day()
    documents = [of_day, {**of_day, "hands": [of_evening]}]
    monkeypatch.setattr(day, "dealt", look)
    monkeypatch.setattr(evening, "dealt", look)
    for document in documents:
        with pytest.raises(BadMatch, match="hand 0: this deal is of no table"):
            read(document)


def _number_deals(written: Document, kind: Callable[[int], object]) -> None:
    for hand in written["hands"]:
        hand["proof"]["number"] = kind(hand["proof"]["number"])


def test_what_is_no_such_match_is_refused_in_one_line_and_nothing_is_kept() -> None:
    async def story() -> None:
        [written] = await played()
        code, server = code_of(written), Here()
        async with server.running(), server.browser() as browser:
            answer = await browser.post("/api/matches", json={"record": written})
            assert answer.json()["error"]["code"] == "no-session"
            await named(browser)
            for what, (change, told) in BAD.items():
                answer = await browser.post("/api/matches", json={"record": change(written)})
                assert answer.status_code == 422, what
                error = answer.json()["error"]
                assert error["code"] == "bad-match", what
                assert told in error["reason"], what
                assert "\n" not in error["reason"]
            assert (await browser.get(f"/api/tables/{code}")).status_code == 404
            long = {**written, "hands": written["hands"] * 60}
            answer = await browser.post("/api/matches", json={"record": long})
            assert answer.json()["error"]["code"] == "too-large"
            assert (await hand_in(browser, written))["code"] == code  # the control

    asyncio.run(story())


def test_what_its_rules_say_of_themselves_is_made_fit_to_be_shown() -> None:
    async def story() -> None:
        own = {**QUICK, "id": "mine", "notes": "n" * 700, "origin": "\u202e<b>"}
        written = match_by({**own, "name": "Our\u202e\x07 rules" + "s" * 100})
        async with Here().running() as server, server.browser() as browser:
            await hand_in(await named(browser), written)
            shown = (await browser.get(f"/api/tables/{CODE}")).json()
            assert shown["rules"]["id"] is None
            assert shown["rules"]["name"] == "Our rules" + "s" * 70 + "…"
            table = await server.registry.table(CODE)
            assert table is not None
            kept = table.rules
            assert (kept.origin, len(kept.notes or "")) == ("<b>", 600)
            again = await browser.post("/api/matches", json={"record": written})
            assert again.json()["match"] == 0  # is the same match all the same

    asyncio.run(story())


@pytest.mark.parametrize("error", [InDoubt("no answer"), Fenced("another server has it")])
def test_a_match_of_which_nobody_knows_whether_it_is_kept_is_handed_in_again(
    error: StoreError, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        [written] = await played()
        server = Here()

        async def append(*_: object) -> None:
            raise error

        async with server.running(), server.browser() as browser:
            await named(browser)
            with monkeypatch.context() as patched:
                patched.setattr(server.store, "append", append)
                answer = await browser.post("/api/matches", json={"record": written})
                assert (answer.status_code, answer.json()["error"]["code"]) == (503, "not-ready")
            assert (await hand_in(browser, written))["match"] == 0

    asyncio.run(story())


def test_a_match_that_was_about_to_go_is_found_again_where_it_is_handed_in_again() -> None:
    async def story() -> None:
        [written] = await played()
        code, server = code_of(written), Here()
        clock, kept = server.registry.clock, server.settings.keep_table
        async with server.running(), server.browser() as browser:
            await named(browser)
            await hand_in(browser, written)
            clock.set(clock.now() + kept - DAY)
            assert (await browser.get(f"/api/replay/{code}/0")).status_code == 404
            assert (await hand_in(browser, written))["match"] == 0
            assert (await browser.get(f"/api/replay/{code}/0")).status_code == 200
            clock.set(clock.now() + kept - HIDDEN - DAY)
            assert (await browser.get(f"/api/replay/{code}/0")).status_code == 200
            await server.registry.sweep()
            assert await server.registry.place(code) is not None  # and it can be played at

    asyncio.run(story())


def test_a_match_that_is_handed_in_at_two_servers_at_once_is_kept_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def story() -> None:
        [written] = await played()
        server = Here()
        other = Here(registry=TableRegistry(server.store, server.settings))
        sound = server.store.read

        async def read(code: str, *more: int) -> list[ev.Entry]:
            found = await sound(code, *more)
            monkeypatch.undo()
            assert (await hand_in(elsewhere, written))["match"] == 0
            return found

        async with server.running(), server.browser() as browser, other.browser() as elsewhere:
            await named(browser)
            elsewhere.cookies = browser.cookies
            monkeypatch.setattr(server.store, "read", read)
            assert (await hand_in(browser, written))["match"] == 0

    asyncio.run(story())


def test_a_match_that_is_under_way_there_is_not_disturbed() -> None:
    async def story() -> None:
        first, second = await played(2)
        server = Here()
        async with server.running(), server.browser() as browser:
            await named(browser)
            await hand_in(browser, first)
            code = code_of(first)
            history = await server.registry.history(code)
            assert history is not None
            table = history.table
            events = begun(table, [chair.name for chair in table.chairs], secret)
            await server.store.append(row_of(table, 0), entered(events, table.seq + 1, 0))
            answer = await browser.post("/api/matches", json={"record": second})
            assert "another match is under way" in answer.json()["error"]["reason"]

    asyncio.run(story())


def test_what_a_device_says_is_put_beside_nothing_that_others_have_played() -> None:
    async def story() -> None:
        first, second = await played(2)
        code, server = code_of(first), Here()
        async with server.running(), server.browser() as browser, server.browser() as other:
            await named(browser)
            await named(other, "Bob")
            await hand_in(browser, first)
            me = (await browser.get("/api/session")).json()
            history = await server.registry.history(code)
            assert history is not None
            seat = history.table.seat_of(me["person"])
            assert seat is not None
            bob = (await other.get("/api/session")).json()["person"]
            events: list[ev.Event] = [
                ev.Sat((seat + 1) % 4, bob, "Bob"),
                *begun(history.table, list(first["players"]), secret),
            ]
            table = history.table
            kept = entered(events, table.seq + 1, 0)
            for entry in kept:
                table = evolve(table, entry)
            while table.phase == "playing":
                dealt_on = [] if table.in_hand else dealt(table, secret)
                acts = [] if dealt_on or table.hand is None else [club_act(table.hand)]
                for entry in entered(dealt_on or acts, table.seq + 1, 0):
                    table = evolve(table, entry)
                    kept.append(entry)
            for entry in entered([ev.Left((seat + 1) % 4)], table.seq + 1, 0):
                table = evolve(table, entry)
                kept.append(entry)
            await server.store.append(row_of(table, 0), kept)
            server.registry.recall(code)
            answer = await browser.post("/api/matches", json={"record": second})
            assert answer.json()["error"]["code"] == "bad-match", answer.text
            assert "others have played" in answer.json()["error"]["reason"]
            assert (await hand_in(browser, first))["match"] == 0  # what is there already stays

    asyncio.run(story())


def club_act(hand: Hand) -> ev.Acted:
    # Not any legal act: who bids too much is set, and a match of those may never end.
    seat = hand.to_act or 0
    return ev.Acted(seat, str(KernelPlayer("club", seed=1, seat=seat).act(hand)), "bot")


def test_no_rating_counts_what_a_device_has_dealt() -> None:
    async def story() -> None:
        [written] = await played()
        written["bots"] = [bot and "club" for bot in written["bots"]]  # whose worth is known
        code, server = code_of(written), Here()
        async with server.running(), server.browser() as browser:
            await named(browser)
            await hand_in(browser, written)
            history = await server.registry.history(code)
            assert history is not None
            person = (await browser.get("/api/session")).json()["person"]
            assert counting(history, {person: 0}) == []
            [match] = history.matches
            here = dataclasses.replace(history, matches=(dataclasses.replace(match, handed=False),))
            assert counting(here, {person: 0})  # the control

    asyncio.run(story())
