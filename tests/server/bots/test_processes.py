"""Workers as processes: here without compiled code, so that they are ready at once."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tests.server.bots.workers import HOUR, PATIENCE, until

from rookery.bots.seat_info import SeatInfo
from rookery.game import Hand
from rookery.rules import load
from rookery.server.bots import wire as bm
from rookery.server.bots.engine import BotTally, Unanswered
from rookery.server.bots.pool import Opened, Pool
from rookery.server.bots.searching import question
from rookery.server.bots.transport import BotServer, child, elsewhere
from rookery.server.bots.worker import give_way

HAND = Hand.shuffled(load("kd_tournament"), dealer=0, seed=7)
SECRET = b"a secret among friends"
# A server that begins a worker, says which, and is then killed.
PARENT = """
import asyncio
from rookery.server.bots.transport import child
async def main():
    await child(plain=True)
    children = open(f"/proc/self/task/{__import__('os').getpid()}/children").read()
    print(children, flush=True)
    await asyncio.sleep(3600)
asyncio.run(main())
"""


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a busy machine take its time to let somebody in."""
    monkeypatch.setattr("rookery.server.bots.transport.GREETING", PATIENCE)


asked = question(HAND, SeatInfo(rng=5), {"rollouts": "4", "ms": "600000"}, (), HOUR)
puzzle = bm.Weigh(b"no rules", {}, asked.request, HOUR)


def workers(name: str, begin: Callable[[], Awaitable[Opened]]) -> Pool:
    return Pool({name: begin}, stuck=HOUR)


def plain() -> Pool:
    return workers("worker", lambda: child(0, plain=True))


async def ready(pool: Pool) -> Pool:
    async with asyncio.timeout(PATIENCE):
        assert await pool.settled() == "ready"
    return pool


@asynccontextmanager
async def relay(address: str = "127.0.0.1:0") -> AsyncIterator[tuple[BotServer, str]]:
    here = BotServer(SECRET, 1, plain=True)
    found = await here.listen(address)
    try:
        async with asyncio.timeout(PATIENCE):
            assert await here.ready()
        yield here, found
    finally:
        await here.close()


def test_a_process_thinks_and_ends_with_the_pool() -> None:
    async def story() -> None:
        pool = await ready(plain())
        answer = await pool.ask(asked)
        assert isinstance(answer, bm.Weighed)
        assert HAND.do(answer.choices[0].action).actions
        with pytest.raises(Unanswered, match="failed"):
            await pool.ask(puzzle)
        assert isinstance(await pool.ask(asked), bm.Weighed)  # it goes on
        await pool.close()

    asyncio.run(story())


def test_the_same_question_has_the_same_answer() -> None:
    async def story() -> None:
        pool = await ready(plain())
        found = [await pool.ask(asked) for _ in range(2)]
        assert isinstance(found[0], bm.Weighed)
        assert isinstance(found[1], bm.Weighed)
        assert found[0].choices == found[1].choices
        assert (found[0].rng, found[0].memo) == (found[1].rng, found[1].memo)
        await pool.close()

    asyncio.run(story())


def test_a_process_that_is_killed_is_begun_again() -> None:
    async def story() -> None:
        begun: list[Opened] = []

        async def begin() -> Opened:
            begun.append(await child(0, plain=True))
            return begun[-1]

        pool = workers("worker", begin)
        pool._links[0]._first_wait = 0.0
        await ready(pool)
        await begun[0].end()
        await until(lambda: len(begun) == 2)
        await ready(pool)
        assert isinstance(await pool.ask(asked), bm.Weighed)
        await pool.close()

    asyncio.run(story())


def test_a_process_that_does_not_become_ready_is_killed_and_begun_again() -> None:
    async def story() -> None:
        begun: list[Opened] = []

        async def begin() -> Opened:
            begun.append(await child(0, plain=True))
            pool.slowest = 0.0 if len(begun) == 1 else HOUR
            return begun[-1]

        tally = BotTally()
        pool = Pool({"worker": begin}, HOUR, given_up=tally.given_up)
        pool._links[0]._first_wait = 0.0
        await ready(pool)
        assert len(begun) == 2
        assert begun[0].reader.at_eof()  # nothing holds the other end of it any more
        assert tally.given_up == {"warming": 1}
        assert isinstance(await pool.ask(asked), bm.Weighed)
        await pool.close()

    asyncio.run(story())


@pytest.mark.skipif(sys.platform != "linux", reason="looks for the process in /proc")
def test_a_process_ends_when_its_server_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        process = int(server.stdout.readline())
        os.kill(server.pid, signal.SIGKILL)
        server.wait(PATIENCE)

    async def story() -> None:
        await until(lambda: not running(process))

    asyncio.run(story())


def running(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"  # nobody may be there to bury it


def test_a_process_is_told_none_of_our_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    from rookery.server.bots.transport import _environment

    monkeypatch.setenv("ROOKERY_BOTS_SECRET", "s" * 16)
    monkeypatch.setenv("ROOKERY_CACHE", "here")
    found = _environment(os.environ)
    assert found["ROOKERY_CACHE"] == "here"
    assert "ROOKERY_BOTS_SECRET" not in found


def test_a_process_that_may_not_give_way_thinks_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked_for: list[int] = []

    def refused(by: int) -> int:
        asked_for.append(by)
        raise PermissionError

    monkeypatch.setattr(os, "nice", refused)
    give_way(5)
    assert asked_for == [5]


@pytest.mark.parametrize("kind", ["tcp", "unix"])
def test_whoever_knows_the_secret_is_answered(kind: str, tmp_path: Path) -> None:
    async def story() -> None:
        address = "127.0.0.1:0" if kind == "tcp" else f"unix:{tmp_path}/bots"
        async with relay(address) as (_, found):
            pool = await ready(workers("there", lambda: elsewhere(found, SECRET, "play")))
            answers = await asyncio.gather(*(pool.ask(asked) for _ in range(5)))
            assert all(isinstance(answer, bm.Weighed) for answer in answers)
            with pytest.raises(Unanswered, match="failed"):
                await pool.ask(puzzle)
            await pool.close()

    asyncio.run(story())


def test_a_health_check_is_greeted() -> None:
    async def story() -> None:
        async with relay() as (_, found):
            program = Path(__file__).parents[3] / "deploy" / "healthy.py"
            for address, status in ((f"tcp://{found}", 0), ("tcp://127.0.0.1:9", 1)):
                found_out = [
                    await (
                        await asyncio.create_subprocess_exec(
                            sys.executable, str(program), address, stderr=subprocess.DEVNULL
                        )
                    ).wait()
                    for _ in range(1 if status else 3)  # it has 5 s, and the machine may be busy
                ]
                assert status in found_out

    asyncio.run(story())


def test_whoever_does_not_is_not() -> None:
    async def story() -> None:
        async with relay() as (_, found):
            with pytest.raises(bm.Garbled, match="secret"):
                await elsewhere(found, b"another secret", "play")
            host, port = found.split(":")
            for nonsense in (b"GET / HTTP/1.1\r\n\r\n", b"\0\0\0\1\xc1", bm.written(asked)):
                reader, writer = await asyncio.open_connection(host, int(port))
                greeting = await bm.receive(reader)
                assert isinstance(greeting, bm.Greeting)
                writer.write(nonsense)
                assert await reader.read() == b""  # told nothing, and hung up on
                writer.close()
            # And it goes on for those who do.
            opened = await elsewhere(found, SECRET, "play")
            assert isinstance(await bm.receive(opened.reader), bm.Ready)
            await opened.end()

    asyncio.run(story())


def test_a_worker_that_does_not_know_the_secret_is_no_worker() -> None:
    async def story() -> None:
        async def impostor(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(bm.written(bm.Greeting(bm.PROTOCOL, b"0" * 32)))
            await bm.receive(reader)
            writer.write(bm.written(bm.Welcome(b"x" * 32, 1)))
            writer.close()

        server = await asyncio.start_server(impostor, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(bm.Garbled, match="another secret"):
            await elsewhere(f"127.0.0.1:{port}", SECRET, "play")
        server.close()

    asyncio.run(story())


@pytest.mark.parametrize("greets", [False, True])
def test_nobody_sends_much_before_they_have_proved_that_they_know_the_secret(greets: bool) -> None:
    async def story() -> None:
        async def impostor(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            if greets:
                writer.write(bm.written(bm.Greeting(bm.PROTOCOL, b"0" * 32)))
                await bm.receive(reader)
            writer.write((bm.SHORT + 1).to_bytes(4, "big"))  # and nothing else
            writer.close()

        server = await asyncio.start_server(impostor, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(bm.Garbled, match="too long"):
            await elsewhere(f"127.0.0.1:{port}", SECRET, "play")
        server.close()

    asyncio.run(story())


def test_workers_of_another_version_are_left_alone() -> None:
    async def story() -> None:
        async def newer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(bm.written(bm.Greeting(bm.PROTOCOL + 1, b"0" * 32)))
            writer.close()

        server = await asyncio.start_server(newer, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(bm.Garbled, match=f"protocol {bm.PROTOCOL + 1}, not {bm.PROTOCOL}"):
            await elsewhere(f"127.0.0.1:{port}", SECRET, "play")
        server.close()

    asyncio.run(story())


def test_a_line_is_opened_anew_now_and_then_and_nothing_is_lost() -> None:
    async def story() -> None:
        here = BotServer(SECRET, 1, plain=True, life=0.0)
        found = await here.listen("127.0.0.1:0")
        async with asyncio.timeout(PATIENCE):
            assert await here.ready()
        opened: list[Opened] = []

        async def begin() -> Opened:
            opened.append(await elsewhere(found, SECRET, "play"))
            return opened[-1]

        pool = workers("there", begin)
        pool.begin()
        await until(lambda: len(opened) > 3)
        await pool.close()
        await here.close()

    asyncio.run(story())


def test_workers_that_end_answer_what_they_have() -> None:
    async def story() -> None:
        here = BotServer(SECRET, 1, plain=True)
        found = await here.listen("127.0.0.1:0")
        pool = await ready(workers("there", lambda: elsewhere(found, SECRET, "play")))
        asking = asyncio.create_task(pool.ask(asked))
        await until(lambda: here._pools["play"]._links[0].busy == 1)
        await here.close()
        assert isinstance(await asking, bm.Weighed)
        with pytest.raises(Unanswered, match="warming"):
            await pool.ask(asked)
        await pool.close()

    asyncio.run(story())
