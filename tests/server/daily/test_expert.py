"""What `expert` does with the daily deals: once, at nobody's cost, and not where it cannot."""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import Any

import pytest
from tests.server.clock import HandTurnedClock
from tests.server.daily.served import Server, finish, scene, told
from tests.server.daily.tried import SECRET
from tests.server.memory.store import MemoryStore

from rookery.daily import sitting
from rookery.daily.day import deal_of
from rookery.game import Hand
from rookery.server.api.problems import Problem
from rookery.server.bots import engine
from rookery.server.bots.engine import KEPT, AtLeisure, BotThreads, Unanswered
from rookery.server.registry.calendar import Calendar
from rookery.server.registry.daily import DailyDeals
from rookery.server.settings import Settings
from rookery.server.work import ACCOUNT, Tab


class Careful(BotThreads):
    """Has a bot that searches, and does the first thing that is legal; it fails when told to."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[int | None, str, int]] = []
        self.fails: Exception | None = None

    def state(self, bot: str) -> Any:  # noqa: ANN401
        return "ready"

    async def at_leisure(self, hand: Hand, mine: Any, chosen: Any) -> Hand:  # noqa: ANN401
        self.asked.append((hand.to_act, str(chosen), mine.rng))
        await asyncio.sleep(0)
        if self.fails is not None:
            raise self.fails
        legal = hand.legal_numbers()
        written = len(hand.actions)
        while len(hand.actions) == written:
            hand = hand.do(legal[0])
            legal = hand.legal_numbers() if not hand.over else []
        return hand


async def tried() -> None:
    """Return once the bot that has begun has played, or failed."""
    begun = [task for task in asyncio.all_tasks() if task.get_name().startswith("expert ")]
    await asyncio.gather(*begun, return_exceptions=True)


def test_the_expert_plays_a_deal_once_for_all_who_may_see_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    thinker = Careful()
    monkeypatch.setattr(engine, "REST", 0.0)

    async def story(server: Server) -> None:
        async with server.person("Ann") as ann, server.person("Bob") as bob:
            at = f"/api/daily/{server.day}/four/results"
            assert await told(ann.get(at), 403) == "daily-not-over"
            assert thinker.asked == []
            await finish(ann, server)
            await finish(bob, server)
            thinker.fails = Unanswered("gone")
            assert (await told(ann.get(at)))["expert_state"] == "working"
            await tried()
            thinker.fails = None
            thinker.asked.clear()
            found = await told(ann.get(at))
            while found["expert_state"] == "working":
                await tried()
                found = await told(bob.get(at))
            assert found["expert"]["bot"] == "expert:version=2:rollouts=1600"
            assert isinstance(found["expert"]["points"], int)
            asked = list(thinker.asked)
            assert {seat for seat, _, _ in asked} == {0}
            assert {bot for _, bot, _ in asked} == {"expert:ms=600000"}
            assert (await told(ann.get(at)))["expert"] == found["expert"]
            assert thinker.asked == asked
            assert asked[0][2] == sitting.thinker(await server.deal()).rng

    scene(story, thinker)


@pytest.mark.parametrize("error", [Unanswered("failed"), ValueError("what nobody foresaw")])
def test_an_expert_that_fails_is_not_asked_again_at_every_look(
    error: Exception, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    thinker = Careful()
    thinker.fails = error

    async def story(server: Server) -> None:
        async with server.person("Ann") as ann:
            await finish(ann, server)
            at = f"/api/daily/{server.day}/four/results"
            for _ in range(5):
                assert (await told(ann.get(at)))["expert_state"] == "working"
                await tried()
            assert len(thinker.asked) == 1
            monkeypatch.setattr(engine, "REST", 0.0)
            for _ in range(5):
                await told(ann.get(at))
                await tried()
            assert len(thinker.asked) > 1

    with caplog.at_level(logging.WARNING, engine.__name__):
        scene(story, thinker)
    (line,) = [one for one in caplog.records if one.name == engine.__name__]
    assert "expert" in line.getMessage()


def test_of_deals_that_wait_the_one_that_was_asked_for_last_comes_first() -> None:
    async def story() -> None:
        experts, played, begin = AtLeisure[str](Careful()), list[str](), asyncio.Event()

        async def play(deal: str) -> str:
            await begin.wait()
            played.append(deal)
            return deal

        for deal in "abcdb":  # b is looked at again, and a is under way by then
            assert experts.of(deal, deal, partial(play, deal)) == ("working", None)
            await asyncio.sleep(0)
        begin.set()
        await tried()
        assert played == ["a", "b", "d", "c"]
        assert experts.of("c", "c", partial(play, "c")) == ("played", "c")

    asyncio.run(story())


def test_whoever_fills_the_queue_keeps_nobody_out() -> None:
    async def story() -> None:
        experts, played, begin = AtLeisure[int](Careful()), list[int](), asyncio.Event()

        async def play(deal: int) -> int:
            await begin.wait()
            played.append(deal)
            return deal

        for deal in range(KEPT + 3):  # the first is under way, and then as many wait as may
            assert experts.of(str(deal), "", partial(play, deal)) == ("working", None)
            await asyncio.sleep(0)
        begin.set()
        await tried()
        assert played == [0, *range(KEPT + 2, 2, -1)]

    asyncio.run(story())


def test_where_no_worker_can_think_the_expert_is_absent_once_that_is_known() -> None:
    thinker = Careful()
    thinker.fails = Unanswered("absent")

    async def story(server: Server) -> None:
        async with server.person("Ann") as ann:
            await finish(ann, server)
            at = f"/api/daily/{server.day}/four/results"
            await told(ann.get(at))
            await tried()
            for _ in range(3):
                assert (await told(ann.get(at)))["expert_state"] == "absent"
            assert len(thinker.asked) == 1

    scene(story, thinker)


class Spent(Tab):
    """The account of somebody who has nothing left."""

    async def run(self, make: Any) -> Any:  # noqa: ANN401
        raise Problem("too-many", wait=9)


@pytest.mark.parametrize("asker", [Tab(), Spent()])
def test_whoever_asks_first_does_not_pay_for_what_the_expert_does(asker: Tab) -> None:
    async def story() -> None:
        memory = MemoryStore()
        deals = DailyDeals(memory, Calendar(memory, HandTurnedClock(), Settings()), Careful())
        deal = deal_of(SECRET, "2026-11-23", "four")
        ACCOUNT.set(asker)
        assert deals.expert(deal)[0] == "working"
        await tried()
        assert deals.expert(deal)[0] == "played"
        assert asker.seconds == 0

    asyncio.run(story())
