"""What waits for one connection: in order, so many messages and so many bytes, and then the end."""

from __future__ import annotations

import asyncio

import pytest
from tests.server.core.tables import PEOPLE, Room, heard, play_one, running

from rookery.server.live import connection as outbox
from rookery.server.live.connection import ROOM, Frame, Outbox
from rookery.server.table import commands as cm
from rookery.server.table import messages as ms


def test_an_outbox_gives_in_order_and_ends_once() -> None:
    async def scene() -> None:
        box = Outbox(2)
        reader = asyncio.ensure_future(box.get())
        await asyncio.sleep(0)
        box.put(ms.Pong(1))
        assert await reader == ms.Pong(1)
        box.put(ms.Pong(2))
        box.put(ms.Pong(3))
        assert await box.get() == ms.Pong(2)
        box.end(4003, "over")
        box.end(4008, "again")
        box.put(ms.Pong(4))
        assert await box.get() == ms.Closing(4003, "over")
        assert len(box) == 0

    running(scene)


def told_in_order(keen: bool = False) -> list[int]:
    """Return in which order numbers reach somebody who at times has no time to read.

    What nobody has to wait for is sent at once, and by somebody too `keen` all that can be.
    """
    told, reads = list[int](), True

    def at_once(frame: Frame, _since: float | None) -> bool:
        if reads:
            assert isinstance(frame.message, ms.Pong)
            told.append(frame.message.seq)
        return reads

    class Keen(Outbox):
        _is_awaited = keen or Outbox._is_awaited  # type: ignore[assignment]

    async def read(box: Outbox) -> None:
        while isinstance(message := await box.get(), ms.Pong):
            while not reads:  # noqa: ASYNC110  (in steps, not in time)
                await asyncio.sleep(0)
            told.append(message.seq)

    async def scene() -> None:
        nonlocal reads
        box = Keen()
        box.at_once = at_once
        reading = asyncio.create_task(read(box))
        await asyncio.sleep(0)
        for seq in range(40):
            reads = seq % 8 < 6
            box.put(ms.Pong(seq))
            if seq % 10 == 3:
                for _ in range(12):
                    await asyncio.sleep(0)
        box.end(4003, "over")
        reads = True
        await reading

    running(scene)
    return told


def test_what_is_sent_at_once_overtakes_nothing() -> None:
    told = told_in_order()
    assert told == sorted(told)
    assert told[:6] == [*range(6)]


def test_the_control_who_sends_at_once_whatever_waits_is_seen() -> None:
    told = told_in_order(keen=True)
    assert told != sorted(told)


def a_line(letters: int) -> ms.Chat:
    return ms.Chat(1, None, "Ann", "é" * letters)


def put_in(box: Outbox, lines: int, letters: int) -> bool:
    """Put lines of talk into an outbox that nobody reads; return whether that has ended it."""
    for _ in range(lines):
        box.put(a_line(letters))
    return box.ended


def test_an_outbox_has_room_for_so_many_bytes() -> None:
    weight = len(ms.encoded(a_line(1_000)))
    assert weight > 2_000  # bytes, not letters
    assert not put_in(Outbox(room=3 * weight), 3, 1_000)
    assert put_in(Outbox(room=3 * weight), 4, 1_000)
    # What is taken away makes room again.
    box = Outbox(room=3 * weight)
    for _ in range(50):
        assert not put_in(box, 3, 1_000)
        assert [box.take() for _ in range(3)] == [a_line(1_000)] * 3
    assert not put_in(Outbox(), ROOM // weight, 1_000)
    assert put_in(Outbox(), ROOM // weight + 2, 1_000)
    assert ROOM // weight + 2 < 64


def test_the_control_without_room_in_bytes_it_is_not_ended() -> None:
    assert not put_in(Outbox(room=1 << 30), 64, 1_000)


def test_a_message_of_whatever_length_is_taken_where_nothing_waits() -> None:
    box = Outbox()
    for _ in range(3):
        box.put(a_line(ROOM))
        assert box.take() == a_line(ROOM)
    box.put(ms.Pong(1))
    box.put(a_line(ROOM))
    assert not box.ended
    box.put(ms.Pong(2))
    assert box.ended


def test_a_message_is_written_once_whether_it_waits_or_not(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[ms.Message] = []

    def encoded(message: ms.Message) -> bytes:
        written.append(message)
        return ms.encoded(message)

    monkeypatch.setattr(outbox, "encoded", encoded)
    box, texts = Outbox(), []
    for waiting in (1, 2, 5):
        for seq in range(waiting):
            box.put(ms.Pong(seq))
        for _ in range(waiting):
            box.take()
            texts.append(box.text())
    expected = [ms.Pong(seq) for waiting in (1, 2, 5) for seq in range(waiting)]
    assert texts == [ms.encoded(pong).decode() for pong in expected]
    assert len(written) == len(texts)
    with pytest.raises(ValueError, match="no message"):
        box.text()


def test_who_never_reads_is_closed_at_64_kib_of_a_game() -> None:
    async def scene() -> None:
        room = Room()
        actor, lines = await room.table(pace="instant")
        stuck = actor.connect(PEOPLE[6])
        actor.take(stuck, cm.Hello())
        told, number = 0, 0
        while not stuck.outbox.ended:
            told = sum(len(one.frame.written()) for one in stuck.outbox._waiting)
            assert told < ROOM + 8_192
            assert len(stuck.outbox) < 64
            play_one(actor, lines, number)
            number += 1
            await room.settle()
            for line in lines:
                assert not any(isinstance(m, ms.Closing) for m in heard(line))
        assert told > ROOM - 8_192
        await room.close()

    running(scene)
