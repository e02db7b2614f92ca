"""Questions of different length in one pool: short ones go first, and nobody takes their turn."""

from __future__ import annotations

import asyncio

import pytest
from tests.server.bots.workers import Said, Worker, pool, until, weighed

from rookery.bots.seat_info import SeatInfo
from rookery.game import Hand
from rookery.rules import load
from rookery.server.bots import wire as bm
from rookery.server.bots.engine import Unanswered
from rookery.server.bots.pool import Question
from rookery.server.bots.searching import question

HAND = Hand.shuffled(load("kd_tournament"), dealer=0, seed=7)


asked = question(HAND, SeatInfo(), {"rollouts": "8"}, (), 1000)
record = bm.Look(b"{}")
dear = question(HAND, SeatInfo(), {"rollouts": "12800", "version": "3", "ms": "900"}, (), 1000)


def test_whoever_asks_for_much_time_gives_way_and_takes_nobody_elses_turn() -> None:
    async def story() -> None:
        held: list[bm.Asked] = []

        async def slow(said: Said) -> None:
            said.say(bm.Ready(0.0))
            while True:
                held.append(await said.hear())
                await until(lambda: answered >= len(held))
                said.say(weighed(held[-1]))

        answered = 0
        workers = pool(Worker(slow))
        await workers.settled()
        workers._paces |= {"3:12800": 0.3, ":8": 0.01}
        asking = [asyncio.create_task(workers.ask(dear, 60.0)) for _ in range(2)]
        await until(lambda: len(held) == 1 and len(workers._waiting) == 1)  # 0.3 s of work
        with pytest.raises(Unanswered, match="busy"):
            await workers.ask(dear, 60.0)
        asking.append(asyncio.create_task(workers.ask(asked, 60.0)))
        await until(lambda: len(workers._waiting) == 2)
        for answered in range(1, 4):
            await until(lambda: len(held) == min(3, answered + 1))  # noqa: B023  (at once)
        await asyncio.gather(*asking)
        told = [one.options for one in held if isinstance(one, bm.Weigh)]
        assert [one["rollouts"] for one in told] == ["12800", "8", "12800"]
        await workers.close()

    asyncio.run(story())


def test_what_a_question_waits_for_is_taken_off_its_time() -> None:
    async def story() -> None:
        answer: asyncio.Future[bm.Weighed | bm.Reviewed] = asyncio.Future()
        for waited, ms in ((0.0, "900"), (0.04, "900"), (0.31, "600"), (5.0, "1")):
            sent = Question(dear, answer, print, 1.0, "3:12800", 7.0).sent(7.0 + waited)
            assert isinstance(sent, bm.Weigh)
            assert sent.options == {**dear.options, "ms": ms}
        assert Question(record, answer, print, 1.0, "review", 7.0).sent(9.0) == record

    asyncio.run(story())
