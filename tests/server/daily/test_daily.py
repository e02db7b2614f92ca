"""The daily deals by REST, as somebody plays them."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx
import pytest
from tests.server.daily.served import Server, begin, finish, scene, told
from tests.server.daily.tried import played
from tests.server.http.served import HOME

from rookery.daily import sitting
from rookery.daily.day import FAMILIES, after
from rookery.fairness.check import checked
from rookery.record import loads
from rookery.server.http.ratelimit import RATES, Buckets, Rate
from rookery.server.registry.daily import MOST
from rookery.server.settings import DAY


@pytest.mark.parametrize("family", FAMILIES)
def test_a_deal_is_played_from_its_first_card_to_its_record(family: str) -> None:
    async def story(server: Server) -> None:
        async with server.person("Ann") as ann:
            listed = await told(ann.get("/api/daily"))
            (mine,) = [one for one in listed["families"] if one["family"] == family]
            assert mine["mine"] is None
            at = f"/api/daily/{listed['day']}/{family}"
            assert await told(ann.get(f"{at}/position"), 404) == "no-attempt"
            assert await told(ann.get(f"{at}/results"), 403) == "daily-not-over"
            begun = await told(ann.post(at))
            assert begun["steps"][0]["action"] is None
            assert begun["steps"][-1]["view"] == begun["view"]
            assert len(begun["steps"]) == begun["seen"] + 1
            assert begun["view"]["to_act"] == begun["seat"] == 0
            assert await told(ann.post(at)) == begun | {"steps": []}
            last = await finish(ann, server, family)
            assert last["over"]
            assert last["view"]["laid_open"] is not None
            assert await told(ann.get(f"{at}/position")) == last | {"steps": []}
            whole = await told(ann.get(f"{at}/position?seen=0"))
            deal = await server.deal(family)
            assert [step["action"] for step in whole["steps"]] == [None, *played(deal)]
            found = await told(ann.get(f"{at}/results"))
            assert (found["key"], found["ended"], found["friends"]) == (None, False, [])
            assert found["commitment"] == mine["commitment"] == deal.commitment
            assert (found["expert"], found["expert_state"]) == (None, "absent")
            (row,) = found["mine"]
            assert row["points"] == last["view"]["score"][0]
            assert (row["number"], row["second"], row["late"]) == (1, False, False)
            assert found["record"]["hands"][0]["actions"] == list(played(deal))
            listed = await told(ann.get("/api/daily"))
            (mine,) = [one for one in listed["families"] if one["family"] == family]
            assert mine["mine"] == {**row, "over": True, "open": False, "attempts": 1}
            # When the day has ended the record holds its key, and checks.
            server.clock.turn(DAY)
            found = await told(ann.get(f"{at}/results"))
            assert found["key"] == deal.key.hex()
            kept = checked(loads(json.dumps(found["record"])), [deal.commitment])
            assert kept.good, kept

    scene(story)


def test_an_act_that_comes_twice_or_late_is_played_once() -> None:
    async def story(server: Server) -> None:
        async with server.person("Ann") as ann:
            at, begun = await begin(ann, server)
            legal = begun["view"]["legal"]
            body = {"action": legal[-1], "seen": begun["seen"]}
            answers = await asyncio.gather(
                *(told(ann.post(f"{at}/act", json=body)) for _ in range(9))
            )
            position = await told(ann.get(f"{at}/position"))
            assert all(one | {"steps": []} == position for one in answers)
            assert position["seen"] > begun["seen"]
            # A browser that has missed something gets it, and nothing is played.
            stale = await told(ann.post(f"{at}/act", json={"action": "pass", "seen": 0}))
            assert stale | {"steps": []} == position
            assert len(stale["steps"]) == position["seen"]
            ahead = {"action": "pass", "seen": position["seen"] + 1}
            assert await told(ann.post(f"{at}/act", json=ahead)) == position

    scene(story)


def test_of_two_tabs_that_play_at_once_one_is_heard_and_both_are_told() -> None:
    async def story(server: Server) -> None:
        async with server.person("Ann") as ann:
            at, begun = await begin(ann, server)
            sent = [{"action": text, "seen": begun["seen"]} for text in begun["view"]["legal"]]
            assert len(sent) > 3
            answers = await asyncio.gather(
                *(told(ann.post(f"{at}/act", json=body)) for body in sent)
            )
            position = await told(ann.get(f"{at}/position"))
            own = {one["steps"][0]["action"] for one in answers}
            assert len(own) == 1
            assert all(one | {"steps": []} == position for one in answers)

    scene(story)


def test_what_is_meant_for_an_earlier_attempt_is_not_played_in_this_one() -> None:
    async def story(server: Server) -> None:
        async with server.person("Ann") as ann:
            at, first = await begin(ann, server, "two")
            body = {"action": first["view"]["legal"][-1], "seen": first["seen"], "number": 1}
            await finish(ann, server, "two")
            second = await told(ann.post(at))
            assert (second["number"], second["seen"]) == (2, first["seen"])
            position = await told(ann.get(f"{at}/position"))
            assert await told(ann.post(f"{at}/act", json=body)) == position
            assert position["steps"] == []
            played = await told(ann.post(f"{at}/act", json=body | {"number": 2}))
            assert played["seen"] > position["seen"]

    scene(story)


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"action": "bid 999", "seen": -1}, 400, "bad-request"),
        ({"action": "x" * 201, "seen": 3}, 400, "bad-request"),
        ({"action": "pass", "seen": 3, "seat": 1}, 400, "bad-request"),
        ({"action": "pass"}, 400, "bad-request"),
        ({"action": "dance", "seen": 3}, 400, "bad-action"),
        ({"action": "1 bid 90", "seen": 3}, 400, "bad-action"),
        ({"action": "play ZZ", "seen": 3}, 400, "unknown-card"),
        ({"action": "play RK", "seen": 3}, 409, "not-now"),
        ({"action": "redeal", "seen": 3}, 409, "no-redeal"),
        ({"action": "challenge 1", "seen": 3}, 409, "not-now"),
    ],
)
def test_what_may_not_be_done_is_refused_and_nothing_is_played(
    body: dict[str, Any], status: int, code: str
) -> None:
    async def story(server: Server) -> None:
        async with server.person("Ann") as ann:
            at, begun = await begin(ann, server)
            sent = {**body, "seen": begun["seen"]} if body.get("seen") == 3 else body
            assert await told(ann.post(f"{at}/act", json=sent), status) == code
            assert await told(ann.get(f"{at}/position")) == begun | {"steps": []}

    scene(story)


def test_a_day_that_is_no_day_has_no_deal() -> None:
    async def story(server: Server) -> None:
        async with server.person("Ann") as ann:
            await told(ann.get("/api/daily"))
            today, tomorrow = server.day, after(server.day)
            wrong = [
                *(f"{day}/four" for day in (tomorrow, after(today, -1), "2026-11-31", "today")),
                *(f"{today}/{family}" for family in ("six", "FOUR", "%00")),
                *(f"{day}/four" for day in ("20261123", "0001-01-01", "9999-12-31")),
            ]
            for each in wrong:
                at = f"/api/daily/{each}"
                for asked in (ann.post(at), ann.get(f"{at}/position"), ann.get(f"{at}/results")):
                    assert await told(asked, 404) == "no-daily", each
                body = {"action": "pass", "seen": 0}
                assert await told(ann.post(f"{at}/act", json=body), 404) == "no-daily"
            # A day between two others that no calendar has.
            server.clock.turn(DAY)
            while server.day[-2:] != "01" or after(server.day, -1).endswith("31"):
                server.clock.turn(DAY)
            none = f"{after(server.day, -1)[:-2]}31"
            assert today < none < server.day
            assert await told(ann.post(f"/api/daily/{none}/four"), 404) == "no-daily"
            # Of a longer one nothing is looked at.
            assert await told(ann.post(f"/api/daily/{'1' * 11}/four"), 400) == "bad-request"

    scene(story)


def test_nobody_sees_more_than_their_own_seat_before_they_have_finished() -> None:
    async def story(server: Server) -> None:
        async with server.person("Ann") as ann, server.person("Bob") as bob:
            await finish(bob, server)
            at, deal = f"/api/daily/{server.day}/four", await server.deal()
            await told(ann.post(at))
            pages = [await ann.get(f"/api/daily{rest}") for rest in ("", "/archive")]
            pages += [await ann.get(f"{at}/{page}") for page in ("position?seen=0", "results")]
            text = "".join(page.text for page in pages)
            hand = sitting.dealt(deal)
            for seat in (1, 2, 3):
                for card in hand.names(hand.dealt[seat]):
                    assert f'"{card}"' not in text
            assert deal.key.hex() not in text
            assert "Bob" not in text

    scene(story)


def test_a_second_attempt_is_marked_and_they_are_not_without_end() -> None:
    async def story(server: Server) -> None:
        async with server.person("Ann") as ann:
            at = f"/api/daily/{server.day}/two"
            for number in range(1, MOST + 1):
                assert (await finish(ann, server, "two"))["number"] == number
                found = await told(ann.get(f"{at}/results"))
                assert found["again"] == (number < MOST)
            assert await told(ann.post(at), 409) == "attempts-spent"
            assert [one["second"] for one in found["mine"]] == [False] + [True] * (MOST - 1)

    scene(story)


def test_many_who_begin_at_once_have_begun_once() -> None:
    async def story(server: Server) -> None:
        async with server.person("Ann") as ann:
            at = f"/api/daily/{server.day}/four"
            answers = await asyncio.gather(*(told(ann.post(at)) for _ in range(9)))
            assert {one["number"] for one in answers} == {1}
            assert sum(bool(one["steps"]) for one in answers) == 1

    scene(story)


def test_somebody_without_a_name_sees_the_list_alone() -> None:
    async def story(server: Server) -> None:
        async with server.browser() as nobody:
            listed = await told(nobody.get("/api/daily"))
            assert [one["mine"] for one in listed["families"]] == [None] * len(FAMILIES)
            at = f"/api/daily/{listed['day']}/four"
            for asked in (
                nobody.post(at),
                nobody.get(f"{at}/position"),
                nobody.get(f"{at}/results"),
            ):
                assert await told(asked, 401) == "no-session"

    scene(story)


def test_nobody_plays_in_the_attempt_of_somebody_else() -> None:
    async def story(server: Server) -> None:
        async with server.person("Ann") as ann, server.person("Bob") as bob:
            at, begun = await begin(ann, server)
            body = {"action": "pass", "seen": begun["seen"]}
            assert await told(bob.post(f"{at}/act", json=body), 404) == "no-attempt"
            assert await told(ann.get(f"{at}/position")) == begun | {"steps": []}

    scene(story)


def test_an_address_begins_so_many_attempts_whoever_they_are_and_plays_on() -> None:
    async def story() -> None:
        rates = dict.fromkeys(RATES, Rate(1e9, 1, 1e9)) | {"attempts": Rate(1, 60, 2)}
        here = Server(buckets=Buckets(rates))

        def of(address: str) -> httpx.AsyncClient:
            transport = httpx.ASGITransport(app=here.app, client=(address, 1))
            return httpx.AsyncClient(transport=transport, base_url=HOME, headers={"origin": HOME})

        async with here.running(), of("203.0.113.5") as eve, of("203.0.113.6") as ann:
            at = f"/api/daily/{here.day}/four"
            for number in range(3):
                eve.cookies.clear()
                await told(eve.post("/api/session", json={"name": f"Eve {number}"}))
                begun = await eve.post(at)
                assert begun.status_code == (200 if number < 2 else 429)
                if number == 1:
                    body = {"action": begun.json()["view"]["legal"][0], "seen": 0}
                    assert await told(eve.post(f"{at}/act", json=body))
            await told(ann.post("/api/session", json={"name": "Ann"}))
            assert await told(ann.post(at))

    asyncio.run(story())
