"""A whole match through real sockets: people who only know what they are told, and bots."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest
from tests.server.http.served import QUICK, Line, Served, first_legal, line, served, table_for

from rookery import record


async def play_on(one: Line) -> None:
    """Play legally, and ask for the next hand, until the match is over."""
    asked = (-1, -1)
    while True:
        table = one.table
        if table["phase"] == "over":
            return
        view, hand = table["view"], (table["match_number"], table["hand_number"])
        if view["phase"] in ("done", "redealt"):
            if asked != hand and table["you"] not in table["ready"]:
                asked = hand
                await one.say(type="next", id=f"next-{hand[0]}-{hand[1]}")
        elif view["legal"] and view["to_act"] == table["you"] and table["pending"] is None:
            seq = table["seq"]
            answer = await one.do(type="act", action=first_legal(view), seen=seq)
            assert answer["type"] == "ack", answer
            while one.table["seq"] <= seq:
                await one.hear()
            continue
        await one.hear_type("update")


async def a_match(here: Served, people: list[httpx.Client], code: str) -> list[Line]:
    async with asyncio.TaskGroup() as opening:
        seated = asyncio.Barrier(len(people))

        async def sits(browser: httpx.Client, seat: int) -> Line:
            async with line(here, browser, code) as one:
                if one.table["you"] is None:
                    answer = await one.do(type="sit", id=f"sit-{seat}", seat=seat)
                    assert answer["type"] == "ack", answer
                await seated.wait()
                if seat == 0:
                    await one.do(type="start", id="start")
                while one.table["phase"] == "lobby":
                    await one.hear_type("update")
                await play_on(one)
                return one

        playing = [opening.create_task(sits(browser, seat)) for seat, browser in enumerate(people)]
    return [task.result() for task in playing]


def assert_in_order(one: Line) -> None:
    """Every event once, none left out, from the first update on."""
    told = [
        event["seq"] for said in one.heard if said["type"] == "update" for event in said["events"]
    ]
    assert told == list(range(told[0], told[0] + len(told)))


def assert_replayed(browser: httpx.Client, code: str, hand: dict[str, Any]) -> None:
    """A finished hand is told from the deal to the score, all open or as a seat saw it."""
    told = browser.get(f"/api/replay/{code}/{hand['number']}").json()
    assert {name: told[name] for name in hand} == hand
    assert [step["action"] for step in told["steps"]] == [None, *told["actions"]]
    first, last = told["steps"][0], told["steps"][-1]
    assert sorted(sum(first["cards"], first["nest"])) == sorted(sum(told["deal"], told["nest"]))
    assert not any(last["cards"])
    for seat in range(4):
        seen = browser.get(f"/api/replay/{code}/{hand['number']}?seat={seat}").json()
        assert seen["steps"][0]["view"]["hand"] == first["cards"][seat]
        assert all("cards" not in step for step in seen["steps"])


@pytest.mark.slow
@pytest.mark.parametrize("people", [4, 2])
def test_people_and_bots_play_a_match_to_the_end(people: int) -> None:
    names = ["Ann", "Bob", "Cy", "Dee"][:people]
    with served() as here:
        browsers = [here.browser(name) for name in names]
        code = table_for(browsers[0], rules=QUICK)
        lines = asyncio.run(a_match(here, browsers, code))
        tables: list[dict[str, Any]] = [one.table for one in lines]
        assert {tuple(table["winners"]) for table in tables} == {tuple(tables[0]["winners"])}
        for one in lines:
            assert_in_order(one)
        written = browsers[0].get(f"/api/tables/{code}/record")
        hands = browsers[1].get(f"/api/tables/{code}/hands").json()
        for hand in hands:
            assert_replayed(browsers[0], code, hand)
        assert all(hand["over"] for hand in hands)
        mine = browsers[0].get("/api/session/statistics").json()
    again = record.replay(record.loads(written.content))
    assert list(again.totals) == hands[-1]["totals"] == [s["total"] for s in tables[0]["seats"]]
    assert again.winners == tuple(tables[0]["winners"])
    assert mine["hands"] == len(hands)
    assert mine["matches"] == 1
    assert mine["matches_won"] == (0 in tables[0]["winners"])
