"""What servers tell each other comes at once, and when it does not come nothing is lost."""

from __future__ import annotations

import asyncio
import signal

import pytest
from tests.server.core.tables import KENTUCKY, PEOPLE, find, running
from tests.server.growth.engines import Engine
from tests.server.growth.registries import HOUR, eventually, registry, sharing, until

from rookery.server.cluster import pubsub
from rookery.server.cluster.pubsub import CHANNEL, RedisPubSub
from rookery.server.live.actor import Actor
from rookery.server.store.base import StoreError
from rookery.server.store.leases import Lease
from rookery.server.table import messages as ms


def at(herald: Engine) -> RedisPubSub:
    return RedisPubSub(f"redis://127.0.0.1:{herald.port}/0")


def test_what_one_tells_all_hear(herald: Engine) -> None:
    async def scene() -> None:
        first, second = at(herald), at(herald)
        heard: list[pubsub.Notice] = []
        first.subscribe(lambda notice: None)
        second.subscribe(heard.append)
        await until(lambda: first.connected and second.connected)
        told: list[pubsub.Notice] = [
            pubsub.Changed("ABCDEF2", Lease("a:1", 3), 41, listed=True),
            pubsub.Gone("p1"),
            pubsub.Renamed("p2"),
            pubsub.Ended("hash"),
            pubsub.SignedOut("p3", "hash"),
        ]
        first.publish(pubsub.Changed("ABCDEF2", Lease("a:1", 3), 40))
        for notice in told:
            first.publish(notice)
        await until(lambda: len(heard) == len(told))
        assert heard == told  # of a table the last notice only
        # Words of a later version, or of nobody, are passed over.
        for wrong in (b"?", b'{"type":"later"}', b'{"type":"gone"}', b"\xff"):
            await first._redis.publish(CHANNEL, wrong)
        first.publish(pubsub.Gone("p3"))
        await until(lambda: pubsub.Gone("p3") in heard)
        assert len(heard) == len(told) + 1
        await first.close()
        await second.close()

    running(scene)


def test_what_is_nested_too_deep_is_no_notice() -> None:
    notice = b'{"type":"gone","person":"p1","more":%b%b}'
    assert pubsub.read(notice % (b"[" * 999_999, b"]" * 999_999)) is None
    assert pubsub.read(notice % (b"[", b"]")) == pubsub.Gone("p1")  # the control


def test_the_last_notice_on_a_table_outlives_a_broken_connection(herald: Engine) -> None:
    """A batch whose sending failed is sent again, unless a later notice has taken its place."""

    async def scene() -> None:
        first, second = at(herald), at(herald)
        heard: list[pubsub.Notice] = []
        first.subscribe(lambda notice: None)
        second.subscribe(heard.append)
        await until(lambda: first.connected and second.connected)
        await asyncio.to_thread(herald.stop, signal.SIGKILL)
        try:
            await until(lambda: not first.connected and not second.connected)
            lease = Lease("a:1", 3)
            sound, tries = first._redis.pipeline, []

            def counted(**options: bool) -> object:
                tries.append(1)
                return sound(**options)

            first._redis.pipeline = counted
            first.publish(pubsub.Changed("ABCDEF2", lease, 40))
            await until(lambda: len(tries) == 1)
            first.publish(pubsub.Changed("ABCDEF2", lease, 41))
            await until(lambda: len(tries) == 2)
            await asyncio.sleep(0.3)  # nobody listens there, so it has failed by now
            first.publish(pubsub.Changed("ABCDEF3", lease, 7))
        finally:
            await asyncio.to_thread(herald.start)
        await until(lambda: len({n.code for n in heard if isinstance(n, pubsub.Changed)}) == 2)
        last = {n.code: n.seq for n in heard if isinstance(n, pubsub.Changed)}
        assert last == {"ABCDEF2": 41, "ABCDEF3": 7}
        await first.close()
        await second.close()

    running(scene)


class Failing:
    """Redis that takes no notice; `held` are those that it was to send last."""

    def __init__(self) -> None:
        self.held: list[pubsub.Notice | None] = []
        self._tries = 0

    def pipeline(self, *, transaction: bool) -> Failing:
        self.held = []
        self._tries += 1
        return self

    async def tried(self) -> None:
        """Return once it was asked to send all that waits now."""
        tries = self._tries
        await until(lambda: self._tries > tries + 1)

    async def __aenter__(self) -> Failing:
        return self

    async def __aexit__(self, *_: object) -> None: ...

    async def aclose(self) -> None: ...

    def publish(self, channel: str, sent: bytes) -> None:
        self.held.append(pubsub.read(sent))

    async def execute(self) -> None:
        await asyncio.sleep(0.01)
        raise OSError("it does not answer")


def test_notices_that_are_not_sent_wait_and_are_not_more_and_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pubsub, "_WAITING", 8)
    monkeypatch.setattr(pubsub, "_AGAIN", 0.01)
    monkeypatch.setattr(pubsub, "_GATHER", 0.001)

    async def scene() -> None:
        one, failing = RedisPubSub("redis://127.0.0.1:1/0"), Failing()
        one._redis = failing
        sending = asyncio.create_task(one._send())
        for number in range(64):
            one.publish(pubsub.Renamed(f"p{number}"))
            await asyncio.sleep(0.002)
        await failing.tried()
        assert len(failing.held) == 8
        sending.cancel()

    running(scene)


def test_one_that_never_answers_is_told_of_once_each_way(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(pubsub, "_AGAIN", 0.01)

    async def scene() -> None:
        one = RedisPubSub("redis://:wrong@127.0.0.1:1/0")
        tries = {"send": 0, "receive": 0}
        works = one._works

        def counted(way: str, error: BaseException | None = None) -> None:
            tries[way] += 1
            works(way, error)

        monkeypatch.setattr(one, "_works", counted)
        one.subscribe(lambda notice: None)
        await until(lambda: tries["receive"] > 2)
        assert len(caplog.messages) == 1
        one.publish(pubsub.Gone("p1"))
        await until(lambda: tries["send"] > 2)
        assert len(caplog.messages) == 2
        assert "wrong" not in caplog.text
        assert not one.connected
        await one.close()

    running(scene)


def test_of_a_listed_table_a_later_notice_says_so_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pubsub, "_AGAIN", 0.01)
    lease = Lease("a:1", 3)

    async def scene() -> None:
        one, failing = RedisPubSub("redis://127.0.0.1:1/0"), Failing()
        one._redis = failing
        sending = asyncio.create_task(one._send())
        for code in ("ABCDEF2", "ABCDEF3"):
            one.publish(pubsub.Changed(code, lease, 40, listed=True))
            await failing.tried()
            one.publish(pubsub.Changed(code, lease, 41))
        told = [pubsub.Changed(code, lease, 41, listed=True) for code in ("ABCDEF2", "ABCDEF3")]
        await failing.tried()
        assert failing.held == told
        sending.cancel()

    running(scene)


def test_a_table_that_was_taken_is_given_up_at_once(herald: Engine, database: str) -> None:
    async def scene() -> None:
        # No sign of life but the first, so that only a notice can bring it about.
        first = registry(database, "a:1", every=HOUR, pubsub=at(herald))
        second = registry(database, "b:1", every=HOUR, pubsub=at(herald))
        async with sharing(first, second):
            await until(lambda: first.pubsub.connected and second.pubsub.connected)
            actor = await first.create(PEOPLE[0], KENTUCKY, listed=True)
            assert isinstance(actor, Actor)
            line = actor.connect(PEOPLE[0])
            await second.leases.take(actor.table.code, by_force=True)
            assert await find(second, actor.table.code) is not None
            while not isinstance(message := await line.outbox.get(), ms.Closing):
                pass
            assert message.code == 4012

    running(scene)


def test_the_list_of_tables_is_new_at_once_with_news_and_soon_without(
    herald: Engine, database: str
) -> None:
    async def scene() -> None:
        first = registry(database, "a:1", pubsub=at(herald))
        second = registry(database, "b:1", pubsub=at(herald))
        async with sharing(first, second):
            await until(lambda: first.pubsub.connected and second.pubsub.connected)
            assert await second.lobby.tables() == []
            second.lobby._until += HOUR  # no time makes this list old
            made = await first.create(PEOPLE[0], KENTUCKY, listed=True)
            assert isinstance(made, Actor)
            await until(lambda: second.lobby._until == 0.0)
            assert [one.code for one in await second.lobby.tables()] == [made.table.code]
            # Without pubsub a list is good for a second.
            await asyncio.to_thread(herald.stop, signal.SIGKILL)
            try:
                await until(lambda: not second.pubsub.connected)
                other = await first.create(PEOPLE[1], KENTUCKY, listed=True)
                assert isinstance(other, Actor)
                second.lobby.changed()
                await second.lobby.tables()
                again = await first.create(PEOPLE[2], KENTUCKY, listed=True)
                assert isinstance(again, Actor)

                async def all_three() -> bool | None:
                    return len(await second.lobby.tables()) == 3 or None

                await eventually(all_three)
            finally:
                await asyncio.to_thread(herald.start)
            await until(lambda: first.pubsub.connected and second.pubsub.connected)

    running(scene)


@pytest.mark.parametrize("url", ["", "http://nobody", "redis://host:port", "redis://a..b:1/0"])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(StoreError, match="--hints"):
        RedisPubSub(url)
