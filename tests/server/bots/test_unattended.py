"""Bots at tables where nobody is take a part of a core, however many tables there are."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

import pytest

from rookery.game import Hand
from rookery.rules import variant
from rookery.server.bots import engine
from rookery.server.bots.engine import BotThreads

TOOK = 0.01  # seconds


class Slow(BotThreads):
    """Bots that take a while, and say how many think at once."""

    def __init__(self) -> None:
        super().__init__()
        self.thinking = self.most = 0

    async def move(self, table: str, bot: str, hand: Hand, totals: Sequence[int] = ()) -> str:
        """Return a text, after a while."""
        self.thinking += 1
        self.most = max(self.most, self.thinking)
        await asyncio.sleep(TOOK)
        self.thinking -= 1
        return f"{table} {bot}"


def together(tables: int) -> tuple[int, float]:
    """Return how many bots thought at once, and how long it took, of so many tables."""

    async def story() -> tuple[int, float]:
        bots, hand = Slow(), Hand.shuffled(variant("kd_tournament"), 0, 1)
        began = time.perf_counter()
        asked = [bots.move_unattended("E", str(at), "club", hand) for at in range(tables)]
        answers = await asyncio.gather(*asked)
        assert answers == [f"{at} club" for at in range(tables)]
        return bots.most, time.perf_counter() - began

    return asyncio.run(story())


def is_modest(tables: int) -> bool:
    """Return whether one bot thinks at a time, and all together for a fifth of the time."""
    most, took = together(tables)
    return most == 1 and took >= tables * TOOK / 0.2


def test_all_tables_where_nobody_is_share_a_part_of_a_core() -> None:
    assert is_modest(6)


def test_evenings_take_turns_however_many_tables_one_of_them_has() -> None:
    async def story() -> None:
        bots, hand, done = Slow(), Hand.shuffled(variant("kd_tournament"), 0, 1), list[str]()

        async def move(evening: str, table: str) -> None:
            await bots.move_unattended(evening, table, "club", hand)
            done.append(evening)

        hall = [move("hall", str(at)) for at in range(9)]
        await asyncio.gather(*hall, move("four", "a"), move("pairs", "b"), move("pairs", "c"))
        assert done[:5] == ["hall", "four", "pairs", "hall", "pairs"]
        assert done[5:] == ["hall"] * 7

    asyncio.run(story())


def test_the_control_bots_that_do_not_wait_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "UNATTENDED", 1.0)
    assert not is_modest(6)
