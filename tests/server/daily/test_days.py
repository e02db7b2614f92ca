"""Daily deals from one day to the next: keys, clocks, restores, and friends."""

from __future__ import annotations

import asyncio

import httpx
import pytest
from tests.server.daily.served import Server, finish, scene, told

from rookery.daily.day import FAMILIES, SHOWN, after, day_at
from rookery.server.clock import WEEK, Mark, confirmed
from rookery.server.registry.daily import NAME
from rookery.server.settings import DAY
from rookery.server.table import commands as cm


def test_the_key_is_promised_the_day_before_and_shown_when_the_day_has_ended() -> None:
    async def story(server: Server) -> None:
        async with server.browser() as nobody:
            before = await told(nobody.get("/api/daily"))
            assert before["since"] == before["day"]
            assert (await told(nobody.get("/api/daily/archive")))["days"] == []
            server.clock.turn(DAY)
            now = await told(nobody.get("/api/daily"))
            assert now["day"] == after(before["day"])
            promised = [one["tomorrow"] for one in before["families"]]
            assert [one["commitment"] for one in now["families"]] == promised
            assert [one["key"] for one in now["families"]] == [None] * len(FAMILIES)
            (past,) = (await told(nobody.get("/api/daily/archive")))["days"]
            for one, was in zip(past["families"], before["families"], strict=True):
                deal = await server.deal(one["family"], before["day"])
                assert one["key"] == deal.key.hex()
                assert one["commitment"] == was["commitment"] == deal.commitment
                assert one["tomorrow"] is None
            for _ in range(SHOWN + 2):
                server.clock.turn(DAY)
            days = (await told(nobody.get("/api/daily/archive")))["days"]
            assert [each["day"] for each in days] == [
                after(server.day, -back) for back in range(1, SHOWN + 1)
            ]

    scene(story)


def test_what_was_not_finished_in_its_day_is_late() -> None:
    async def story(server: Server) -> None:
        async with server.person("Ann") as ann, server.person("Bob") as bob:
            first = server.day
            await finish(ann, server)
            await told(bob.post(f"/api/daily/{first}/four"))
            server.clock.turn(DAY)
            # Whoever looks first, and plays then, is late too.
            found = await told(bob.get(f"/api/daily/{first}/four/results"))
            assert (found["mine"], found["record"]) == ([], None)
            assert found["deal"]["deal"][0]
            late = await finish(bob, server, day=first)
            assert late["late"]
            (mine,) = (await told(bob.get(f"/api/daily/{first}/four/results")))["mine"]
            assert mine["late"]
            (mine,) = (await told(ann.get(f"/api/daily/{first}/four/results")))["mine"]
            assert not mine["late"]
            (past,) = (await told(ann.get("/api/daily/archive")))["days"]
            (four,) = [one for one in past["families"] if one["family"] == "four"]
            assert (four["mine"]["late"], four["mine"]["attempts"]) == (False, 1)

    scene(story)


def test_an_attempt_that_was_begun_on_the_last_day_can_be_finished() -> None:
    async def story(server: Server) -> None:
        async with server.person("Ann") as ann, server.person("Bob") as bob:
            first = server.day
            at = f"/api/daily/{first}/four"
            for _ in range(SHOWN):
                server.clock.turn(DAY)
            await told(ann.post(at))
            server.clock.turn(DAY)
            assert (await told(ann.get(f"{at}/position")))["number"] == 1
            assert (await finish(ann, server, day=first))["late"]
            found = await told(ann.get(f"{at}/results"))
            assert (len(found["mine"]), found["again"]) == (1, False)
            # Nobody begins another one, and whoever has not begun has none to see.
            assert await told(ann.post(at), 404) == "no-daily"
            for asked in (bob.post(at), bob.get(f"{at}/position"), bob.get(f"{at}/results")):
                assert await told(asked, 404) == "no-daily"
            server.clock.turn(DAY)
            assert await told(ann.get(f"{at}/position"), 404) == "no-daily"

    scene(story)


def test_friends_are_shown_by_name_and_not_before_ones_own_end() -> None:
    async def story(server: Server) -> None:
        async with (
            server.person("Ann") as ann,
            server.person("Bob") as bob,
            server.person("Cy") as cy,
        ):
            made = await told_made(ann)
            for browser in (bob, cy, ann):
                await finish(browser, server)
            at = f"/api/daily/{server.day}/four/results"
            assert (await told(ann.get(at)))["friends"] == []
            await sit(server, made, bob)
            (friend,) = (await told(ann.get(at)))["friends"]
            assert friend["name"] == "Bob"
            (mine,) = (await told(bob.get(at)))["mine"]
            assert friend == {**mine, "name": "Bob"}
            # Who is forgotten is gone from there at once.
            await told(bob.delete("/api/session"))
            assert (await told(ann.get(at)))["friends"] == []

    scene(story)


async def told_made(browser: httpx.AsyncClient) -> str:
    answer = await browser.post("/api/tables", json={"rules": "kd_tournament", "bots": []})
    return str(answer.raise_for_status().json()["code"])


async def sit(server: Server, code: str, browser: httpx.AsyncClient) -> None:
    """Have somebody sit down at a table."""
    me = await told(browser.get("/api/session"))
    who = next(one for one in server.memory._people.values() if one.id == me["person"])
    (actor,) = [one for one in server.registry.actors if one.table.code == code]
    line = actor.connect(who)
    actor.take(line, cm.Hello())
    actor.take(line, cm.Sit("sit"))
    for _ in range(50):
        await asyncio.sleep(0)
    assert actor.table.seat_of(who.id) is not None


def test_a_clock_that_is_not_believed_gives_no_day_and_no_key() -> None:
    async def story(server: Server) -> None:
        async with server.person("Ann") as ann:
            await told(ann.post(f"/api/daily/{server.day}/four"))
            day = server.day
            # A year ahead: all keys until then would be shown.
            server.clock.wrong = 52 * WEEK
            await server.registry.calendar.look()
            server.clock.set(server.clock.wall())
            for asked in (
                ann.get("/api/daily"),
                ann.get("/api/daily/archive"),
                ann.post(f"/api/daily/{day}/four"),
                ann.get(f"/api/daily/{day}/four/results"),
                ann.get(f"/api/daily/{day_at(server.clock.now() - DAY)}/four/results"),
            ):
                assert await told(asked, 503) == "clock-doubted"
            server.clock.wrong = 0
            await server.registry.calendar.look()
            assert (await told(ann.get("/api/daily")))["day"] == day

    scene(story)


def test_a_day_that_has_ended_does_not_begin_again() -> None:
    async def story(server: Server) -> None:
        async with server.person("Ann") as ann:
            day = (await told(ann.get("/api/daily")))["day"]
            server.clock.turn(DAY // 2 + 60_000)
            await server.registry.calendar.look()
            assert (await told(ann.get("/api/daily")))["day"] == after(day)
            # Set back by a little, and started again.
            server.clock.wrong = -120_000
            server.clock.set(server.clock.wall())
            await server.registry.calendar.look()
            assert server.day == day
            assert (await told(ann.get("/api/daily")))["day"] == after(day)

    scene(story)


def test_a_secret_that_was_drawn_by_a_clock_far_ahead_serves_the_days_before() -> None:
    async def story(server: Server) -> None:
        kept = server.memory._secrets[NAME]
        later = day_at(server.clock.now() + 52 * WEEK)
        server.memory._secrets[NAME] = f"{later} {kept.partition(' ')[2]}"
        first = server.day
        async with server.person("Ann") as ann:
            for past in ([], [first]):
                now = await told(ann.get("/api/daily"))
                assert (now["day"], now["since"]) == (server.day, first)
                assert (await finish(ann, server))["over"]
                shown = (await told(ann.get("/api/daily/archive")))["days"]
                assert [each["day"] for each in shown] == past
                assert all(one["key"] for each in shown for one in each["families"])
                server.clock.turn(DAY)

    scene(story)


def test_the_days_before_stay_once_it_is_the_day_that_the_clock_had_said() -> None:
    async def story(server: Server) -> None:
        kept = server.memory._secrets[NAME]
        later = after(server.day, 2)
        server.memory._secrets[NAME] = f"{later} {kept.partition(' ')[2]}"
        first = server.day
        async with server.person("Ann") as ann:
            for gone in range(4):
                now = await told(ann.get("/api/daily"))
                assert (now["day"], now["since"]) == (after(first, gone), first)
                server.clock.turn(DAY)

    scene(story)


@pytest.mark.parametrize("ahead", [2, 90])
@pytest.mark.parametrize("noted", [False, True], ids=["new", "noted as the first day"])
def test_the_days_begin_when_the_clock_of_a_fresh_server_is_put_right(
    ahead: int, noted: bool
) -> None:
    async def story(server: Server) -> None:
        clock, calendar = server.clock, server.registry.calendar
        server.memory._secrets.clear()
        server.memory._mark = None
        first, clock.wrong = server.day, ahead * DAY
        await calendar.look()
        async with server.person("Ann") as ann:
            wrong = (await told(ann.get("/api/daily")))["day"]
            assert wrong == after(first, ahead)
            if noted:  # as older versions did
                await server.memory.secret(f"{NAME} since", wrong)
            clock.wrong = 0
            await calendar.look()
            await server.memory.know(lambda mark: confirmed(mark or Mark(0), clock.wall()))
            await calendar.look()
            for gone in range(4):
                now = await told(ann.get("/api/daily"))
                assert (now["day"], now["since"]) == (after(first, gone), first)
                shown = (await told(ann.get("/api/daily/archive")))["days"]
                assert [each["day"] for each in shown] == [
                    after(first, back) for back in range(gone - 1, -1, -1)
                ]
                if gone:  # what was begun the day before can be finished
                    assert (await finish(ann, server, day=after(first, gone - 1)))["over"]
                await told(ann.post(f"/api/daily/{now['day']}/four"))
                clock.turn(DAY)
                await calendar.look()

    scene(story)


@pytest.mark.parametrize("how", ["from a backup", "as files"])
def test_after_a_restore_the_deal_is_another_one_and_said_to_be(how: str) -> None:
    async def story(server: Server) -> None:
        async with server.person("Ann") as ann, server.person("Bob") as bob:
            await finish(ann, server)
            before = await told(ann.get("/api/daily"))
            if how == "from a backup":
                server.memory._secrets.clear()
            else:
                await server.memory.begin_timeline("")
            now = await told(ann.get("/api/daily"))
            theirs = await told(bob.get("/api/daily"))
            for one, was in zip(now["families"], before["families"], strict=True):
                assert one["commitment"] != was["commitment"]
                assert one["mine"] is None
                assert one["replaced"] == (one["family"] == "four")
            assert not any(one["replaced"] for one in theirs["families"])
            # It is a first attempt again: nobody has seen this deal.
            assert (await finish(ann, server))["number"] == 1

    scene(story)
