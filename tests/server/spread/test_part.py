"""A database that hangs while it is opened is opened once, and nothing of it is left open."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest
from tests.server.core.tables import PATIENCE, running
from tests.server.spread.spreads import Shelf

from rookery.server.cluster.spread.part import Part
from rookery.server.store.base import StoreError
from rookery.server.store.sqlite import FILE


class Kept(Shelf):
    """A database that knows whether it is closed."""

    closed = False

    async def close(self) -> None:
        await super().close()
        self.closed = True


class Gate:
    """What opens a database, once it is let."""

    def __init__(self, folder: Path) -> None:
        self.file, self.opens, self.asked = folder / FILE, threading.Event(), 0
        self.made = list[Kept]()

    def __call__(self) -> Kept:
        self.asked += 1
        assert self.opens.wait(PATIENCE)
        self.made.append(Kept(self.file))
        return self.made[-1]


@pytest.mark.parametrize("used", [True, False])
def test_one_that_hangs_while_it_is_opened_is_opened_once(tmp_path: Path, *, used: bool) -> None:
    async def story(gate: Gate, part: Part[Kept], now: list[float]) -> None:
        part.patience = 0.02
        for _ in range(10):
            assert await part.glance(lambda store: store.timeline()) is None
            now[0] += 5
        assert gate.asked == 1
        if used:
            part.patience = PATIENCE
            asking = asyncio.create_task(part.ask(lambda store: store.timeline()))
            gate.opens.set()
            assert await asking == await part.soon(lambda store: store.timeline())
        closing = asyncio.create_task(part.close())
        await asyncio.sleep(0)
        gate.opens.set()
        await closing
        assert gate.asked == 1
        assert [one.closed for one in gate.made] == [True]

    async def scene() -> None:
        gate, now = Gate(tmp_path), [0.0]
        part = Part("B", gate, lambda: now[0])
        try:
            await story(gate, part, now)
        finally:
            gate.opens.set()

    running(scene)


def test_one_that_cannot_be_opened_is_tried_again_a_moment_later() -> None:
    async def scene() -> None:
        asked, now = list[int](), [0.0]

        def fails() -> Kept:
            asked.append(1)
            raise StoreError("no such database")

        part = Part("B", fails, lambda: now[0])
        for tries in (1, 2):
            for _ in range(3):
                with pytest.raises(StoreError):
                    await part.store()
            assert len(asked) == tries
            now[0] += 5
        await part.close()

    running(scene)
