"""A bot that plays for nobody who waits: it asks the worker of the reviews, and takes its time."""

from __future__ import annotations

import asyncio

import pytest
from tests.server.bots.workers import (
    HOUR,
    PATIENCE,
    Said,
    Worker,
    good,
    pool,
    silent,
    until,
    weighed,
)

from rookery.bots.names import bot
from rookery.bots.seat_info import SeatInfo
from rookery.game import Hand
from rookery.rules import load
from rookery.server.bots import wire as bm
from rookery.server.bots.engine import BotThreads, Unanswered
from rookery.server.bots.searching import LEISURE, Searching

EXPERT = bot("expert:rollouts=1600:ms=600000")
HAND = Hand.shuffled(load("kd_tournament"), dealer=0, seed=7)


def test_it_takes_no_worker_from_those_who_play_and_goes_on_with_its_own_dice() -> None:
    heard: list[bm.Asked] = []

    async def hears(said: Said) -> None:
        said.say(bm.Ready(0.0))
        while True:
            heard.append(await said.hear())
            said.say(weighed(heard[-1]))

    async def story() -> None:
        plays = Worker(silent)
        bots = Searching(pool(plays), pool(Worker(hears)), 1, HOUR)
        mine = SeatInfo(rng=5)
        async with asyncio.timeout(PATIENCE):
            after = await bots.at_leisure(HAND, mine, EXPERT)
            await bots.at_leisure(after, mine, EXPERT)
        assert [str(action) for action in after.actions] == ["1 pass"]
        assert plays.begun == 0
        await bots.leave()

    asyncio.run(story())
    first, second = heard
    assert isinstance(first, bm.Weigh)
    assert isinstance(second, bm.Weigh)
    # So many tries, however long they take: what it does follows from them and the dice.
    assert (first.options["rollouts"], first.options["ms"]) == ("1600", str(LEISURE))
    assert (first.request.mine.rng, second.request.mine.rng) == (5, 77)


async def lost(said: Said) -> None:
    said.say(bm.Ready(0.0))
    await said.hear()
    said.end()


async def unable(said: Said) -> None:
    said.say(bm.Unable("numba is not installed"))


def test_a_worker_that_is_lost_gives_no_answer() -> None:
    async def story() -> None:
        worker = Worker(lost, silent)
        bots = Searching(pool(Worker(good)), pool(worker), 1, HOUR)
        async with asyncio.timeout(PATIENCE):
            with pytest.raises(Unanswered, match="gone"):
                await bots.at_leisure(HAND, SeatInfo(), EXPERT)
            await until(lambda: worker.begun == 2)
            assert await bots._reviews.settled() == "ready"
        await bots.leave()

    asyncio.run(story())


def test_a_worker_that_can_never_think_gives_none() -> None:
    async def story() -> None:
        bots = Searching(pool(Worker(good)), pool(Worker(unable)), 1, HOUR)
        async with asyncio.timeout(PATIENCE):
            with pytest.raises(Unanswered, match="absent"):
                await bots.at_leisure(HAND, SeatInfo(), EXPERT)
        await bots.leave()

    asyncio.run(story())


def test_without_workers_there_is_no_such_bot() -> None:
    async def told() -> None:
        bots = BotThreads()
        with pytest.raises(Unanswered, match="absent"):
            await bots.at_leisure(HAND, SeatInfo(), EXPERT)
        await bots.leave()

    asyncio.run(told())
