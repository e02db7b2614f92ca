"""Workers together: balanced, given up when they hang or talk nonsense, and begun again."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter

import pytest
from tests.server.bots.workers import Said, Worker, good, pool, silent, until, warming, weighed

from rookery.bots.seat_info import SeatInfo
from rookery.game import Hand
from rookery.rules import load
from rookery.server.bots import wire as bm
from rookery.server.bots.engine import Unanswered
from rookery.server.bots.pool import SLOWEST, WAITING, Pool
from rookery.server.bots.searching import question

HAND = Hand.shuffled(load("kd_tournament"), dealer=0, seed=7)


asked = question(HAND, SeatInfo(), {"rollouts": "8"}, (), 1000)
record = bm.Look(b"{}")


async def refusal(workers: Pool, seconds: float | None = None, patience: float = 60.0) -> str:
    with pytest.raises(Unanswered) as found:
        await workers.ask(asked, seconds, patience=patience)
    return found.value.why


def test_nobody_is_begun_before_somebody_is_needed() -> None:
    async def story() -> None:
        worker = Worker(good)
        workers = pool(worker)
        assert (workers.state, worker.begun) == ("warming", 0)
        assert await refusal(workers) == "warming"
        assert await workers.settled() == "ready"
        answer = await workers.ask(asked)
        assert isinstance(answer, bm.Weighed)
        assert answer.choices[0].margin == 12.5
        assert worker.begun == 1
        await workers.close()

    asyncio.run(story())


def test_without_workers_there_is_no_answer() -> None:
    async def story() -> None:
        assert await refusal(Pool({})) == "absent"

    asyncio.run(story())


def test_questions_go_to_whoever_has_room() -> None:
    async def story() -> None:
        held: list[tuple[Said, bm.Asked]] = []

        async def slow(said: Said) -> None:
            said.say(bm.Ready(0.0))
            while True:
                held.append((said, await said.hear()))

        workers = pool(Worker(slow), Worker(slow))
        workers.begin()
        await until(lambda: [link.state for link in workers._links] == ["ready"] * 2)
        asking = [asyncio.create_task(workers.ask(asked)) for _ in range(3)]
        await until(lambda: len(held) == 2)
        assert held[0][0] is not held[1][0]
        # The third waits until one of them is done, and goes there.
        said, first = held[0]
        said.say(weighed(first))
        await until(lambda: len(held) == 3)
        assert held[2][0] is said
        for one, number in held[1:]:
            one.say(weighed(number))
        assert len(await asyncio.gather(*asking)) == 3
        await workers.close()

    asyncio.run(story())


def test_nobody_waits_behind_one_that_hangs() -> None:
    async def story() -> None:
        workers = pool(Worker(silent), Worker(good))
        workers.begin()
        await until(lambda: [link.state for link in workers._links] == ["ready"] * 2)
        hanging = asyncio.create_task(workers.ask(asked))
        await until(lambda: workers._links[0].busy == 1)
        for _ in range(5):
            assert isinstance(await workers.ask(asked), bm.Weighed)
        assert not hanging.done()
        hanging.cancel()
        await workers.close()

    asyncio.run(story())


def test_one_that_hangs_for_too_long_is_begun_again(caplog: pytest.LogCaptureFixture) -> None:
    async def story() -> None:
        worker = Worker(silent, good)
        told = Counter[str]()
        workers = pool(worker, stuck=0.0, given_up=told)
        await workers.settled()
        assert await refusal(workers, seconds=0.0, patience=0.0) == "late"
        await until(lambda: worker.begun == 2)
        assert told == {"stuck": 1}
        await workers.settled()
        assert isinstance(await workers.ask(asked), bm.Weighed)
        await workers.close()

    with caplog.at_level(logging.CRITICAL):
        asyncio.run(story())


class Passing:
    """Time as a loop's timers see it, some of which can pass at once."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        real, self.ahead = loop.time, 0.0
        loop.time = lambda: real() + self.ahead  # type: ignore[method-assign]

    async def by(self, seconds: float) -> None:
        self.ahead += seconds
        for _ in range(10):  # whoever it wakes has its turn
            await asyncio.sleep(0)


def test_one_that_does_not_become_ready_is_begun_again(caplog: pytest.LogCaptureFixture) -> None:
    told = Counter[str]()

    async def story() -> None:
        time = Passing()
        worker = Worker(warming, warming, good)
        workers = pool(worker, slowest=SLOWEST, given_up=told)
        workers.begin()
        while told.total() < 2:
            begun = told.total() + 1
            await until(lambda: worker.begun > told.total() and workers.room == 1)
            await time.by(SLOWEST - 60)
            assert (await refusal(workers), worker.begun) == ("warming", begun)
            await time.by(60)
        assert await workers.settled() == "ready"
        assert isinstance(await workers.ask(asked), bm.Weighed)
        assert worker.begun == 3
        await workers.close()

    with caplog.at_level(logging.WARNING):
        asyncio.run(story())
    assert told == {"warming": 2}
    said = [line.message for line in caplog.records]
    assert said == ["worker 1 is not ready after 1200 s; it is started again"] * 2


def test_one_that_is_ready_is_never_late_with_that() -> None:
    async def story() -> None:
        told = Counter[str]()
        time = Passing()
        worker = Worker(good)
        workers = pool(worker, slowest=SLOWEST, given_up=told)
        await workers.settled()
        await time.by(100 * SLOWEST)
        assert (workers.state, worker.begun, told) == ("ready", 1, {})
        assert isinstance(await workers.ask(asked), bm.Weighed)
        await workers.close()

    asyncio.run(story())


@pytest.mark.parametrize(
    "nonsense",
    [
        b"\x00\x00\x00\x03abc",
        b"\xff\xff\xff\xff",
        bm.written(bm.Weighed(999, [], 1, [], 0.0)),
        bm.written(bm.Reviewed(1, b"{}")),
        bm.written(bm.Progress(999, 1, 2)),
        bm.written(bm.Greeting(1, b"0" * 32)),
        bm.written(bm.Proof(b"", b"0" * 32, "play")),
    ],
)
def test_one_that_talks_nonsense_is_begun_again(
    nonsense: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    async def story() -> None:
        async def garbled(said: Said) -> None:
            said.say(bm.Ready(0.0))
            await said.hear()
            said.say_raw(nonsense)
            await said.hear()

        worker = Worker(garbled, good)
        workers = pool(worker)
        await workers.settled()
        assert await refusal(workers) in ("gone", "failed")
        await until(lambda: worker.begun == 2)
        await workers.settled()
        assert isinstance(await workers.ask(asked), bm.Weighed)
        await workers.close()

    with caplog.at_level(logging.CRITICAL):
        asyncio.run(story())


def test_one_that_dies_is_begun_again(caplog: pytest.LogCaptureFixture) -> None:
    async def story() -> None:
        async def dies(said: Said) -> None:
            said.say(bm.Ready(0.0))
            await said.hear()
            said.end()

        worker = Worker(dies, good)
        workers = pool(worker)
        await workers.settled()
        assert await refusal(workers) == "gone"
        await until(lambda: workers.state == "ready")
        assert (worker.begun, isinstance(await workers.ask(asked), bm.Weighed)) == (2, True)
        await workers.close()

    with caplog.at_level(logging.CRITICAL):
        asyncio.run(story())


def test_one_that_cannot_be_begun_is_tried_again(caplog: pytest.LogCaptureFixture) -> None:
    async def story() -> None:
        worker = Worker(good)
        tried = []

        async def begin() -> object:
            tried.append(1)
            if len(tried) < 3:
                raise ConnectionRefusedError
            return await worker()

        workers = Pool({"far away": begin})  # type: ignore[dict-item]
        workers._links[0]._first_wait = 0.0
        assert await workers.settled() == "ready"
        assert len(tried) == 3
        await workers.close()

    with caplog.at_level(logging.CRITICAL):
        asyncio.run(story())


def test_one_that_never_can_think_is_left_alone(caplog: pytest.LogCaptureFixture) -> None:
    async def story() -> None:
        async def unable(said: Said) -> None:
            said.say(bm.Unable("numba is not installed"))

        worker = Worker(unable)
        workers = pool(worker)
        assert await workers.settled() == "absent"
        assert await refusal(workers) == "absent"
        assert worker.begun == 1
        await workers.close()

    with caplog.at_level(logging.WARNING):
        asyncio.run(story())
    assert "numba is not installed" in caplog.text


def test_one_that_is_asked_to_end_finishes_what_it_has() -> None:
    async def story() -> None:
        async def ends(said: Said) -> None:
            said.say(bm.Ready(0.0))
            question = await said.hear()
            said.say(bm.Ending())
            said.say(weighed(question))

        worker = Worker(ends, warming)
        workers = pool(worker)
        await workers.settled()
        assert isinstance(await workers.ask(asked), bm.Weighed)
        # It gets no other question: whoever comes now is told that it is being begun.
        await until(lambda: worker.begun == 2)
        assert await refusal(workers) == "warming"
        await workers.close()

    asyncio.run(story())


def test_what_nobody_waits_for_any_more_is_not_asked() -> None:
    async def story() -> None:
        heard: list[int] = []
        go = asyncio.Event()

        async def slow(said: Said) -> None:
            said.say(bm.Ready(0.0))
            while True:
                question = await said.hear()
                heard.append(question.number)
                await go.wait()
                said.say(weighed(question))

        workers = pool(Worker(slow))
        await workers.settled()
        asking = [asyncio.create_task(workers.ask(asked)) for _ in range(3)]
        await until(lambda: len(heard) == 1)
        asking[1].cancel()
        await asyncio.gather(asking[1], return_exceptions=True)
        go.set()
        await asyncio.gather(asking[0], asking[2])
        assert heard == [1, 3]
        await workers.close()

    asyncio.run(story())


def test_more_than_can_wait_is_refused_at_once() -> None:
    async def story() -> None:
        workers = pool(Worker(silent))
        await workers.settled()
        asking = [asyncio.create_task(workers.ask(asked)) for _ in range(WAITING + 1)]
        await until(lambda: len(workers._waiting) == WAITING)
        assert await refusal(workers) == "busy"
        for task in asking:
            task.cancel()
        await asyncio.gather(*asking, return_exceptions=True)
        await workers.close()

    asyncio.run(story())


def test_nobody_queues_for_longer_than_a_table_should_wait() -> None:
    async def story() -> None:
        workers = pool(Worker(silent))
        await workers.settled()
        workers._paces[":8"] = 0.1
        asking = [asyncio.create_task(workers.ask(asked, 60.0)) for _ in range(4)]
        await until(lambda: len(workers._waiting) == 3)  # 0.3 s of work
        assert await refusal(workers, seconds=60.0) == "busy"
        # What nobody at a table waits for may take its time.
        looking = asyncio.create_task(workers.ask(record, patience=60.0))
        await until(lambda: len(workers._waiting) == 4)
        for task in (*asking, looking):
            task.cancel()
        await asyncio.gather(*asking, looking, return_exceptions=True)
        await workers.close()

    asyncio.run(story())


def test_the_pace_of_a_kind_is_that_of_its_answers() -> None:
    async def story() -> None:
        workers = pool(Worker(good))
        await workers.settled()
        assert workers._paces == {}
        await workers.ask(asked)
        assert set(workers._paces) == {":8"}
        assert workers._paces[":8"] > 0.0
        await workers.close()

    asyncio.run(story())


def test_a_long_answer_says_how_far_it_is() -> None:
    async def story() -> None:
        told: list[bm.Progress] = []
        workers = pool(Worker(good))
        await workers.settled()
        answer = await workers.ask(record, progress=told.append, patience=60.0)
        assert isinstance(answer, bm.Reviewed)
        assert [(one.done, one.whole) for one in told] == [(1, 2)]
        await workers.close()

    asyncio.run(story())


def test_whoever_waits_at_the_end_is_answered() -> None:
    async def story() -> None:
        workers = pool(Worker(silent))
        await workers.settled()
        asking = [asyncio.create_task(workers.ask(asked)) for _ in range(2)]
        await until(lambda: workers._links[0].busy == 1)
        await workers.close()
        found = await asyncio.gather(*asking, return_exceptions=True)
        assert [str(one) for one in found] == ["gone", "gone"]

    asyncio.run(story())
