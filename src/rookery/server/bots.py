"""Bots at a live table: asked off the event loop, with a deadline and a legal answer in reserve."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple, Protocol

from rookery.bots.decide import KINDS
from rookery.bots.mover import reserve
from rookery.bots.player import Player
from rookery.game import Hand
from rookery.server.hints import why

log = logging.getLogger("rookery.server.bots")

PREFERRED: Final = ("club", "papa")  # who advises, the first that there is


class Advice(NamedTuple):
    """What a bot would do, without the seat, and why: see `hints.REASONS`."""

    action: str
    code: str
    reason: str


class Thinker(Protocol):
    """Somebody who finds a move for a bot."""

    async def move(self, table: str, bot: str, hand: Hand) -> str:
        """Return a legal act for the seat that has to decide, as a record writes it."""

    async def advise(self, hand: Hand) -> Advice:
        """Return what a good bot would do for the seat that has to decide."""

    def forget(self, table: str) -> None:
        """Drop what is remembered of a table."""


def known_bot(name: str) -> str | None:
    """Return the bot's name as it is kept, or None where there is none.

    >>> known_bot(" Papa "), known_bot("nobody")
    ('papa', None)
    """
    found = name.strip().lower()
    return found if found in KINDS else None


class BotThreads:
    """Bots in a few threads of this process."""

    def __init__(self, threads: int = 2, deadline: int = 300) -> None:
        """Begin with no bots; `deadline` is how long one may think, milliseconds."""
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="bot")
        self._deadline = deadline / 1000
        self._players: dict[tuple[str, int, str], tuple[object, Player]] = {}

    async def move(self, table: str, bot: str, hand: Hand) -> str:
        """Return a legal act for the seat that has to decide, as a record writes it.

        A bot that is late, or fails, is answered for; the log says so.
        """
        key = (table, hand.to_act or 0, bot)
        dealt, player = self._player(key, hand)
        # Out of the shelf while it thinks: one that is late never shares its notes with the next.
        text = await self._within(lambda: _moved(player, hand), f"{bot} at table {table}")
        if text is None:
            return reserve(hand)
        self._players[key] = (dealt, player)
        return text

    async def advise(self, hand: Hand) -> Advice:
        """Return what a good bot would do for the seat that has to decide."""
        name = next(bot for bot in PREFERRED if bot in KINDS)
        player = Player(name, secrets.randbits(62), hand.to_act or 0)
        found = await self._within(lambda: _moved(player, hand), f"hint of {name}")
        text = found or reserve(hand)
        reason = why(hand, text)
        return Advice(text.split(" ", 1)[1], reason.code, reason.text)

    def forget(self, table: str) -> None:
        """Drop what is remembered of a table."""
        for key in [key for key in self._players if key[0] == table]:
            del self._players[key]

    def close(self) -> None:
        """End the threads."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def _within(self, think: Callable[[], str], who: str) -> str | None:
        loop = asyncio.get_running_loop()
        try:
            return await asyncio.wait_for(loop.run_in_executor(self._pool, think), self._deadline)
        except TimeoutError:
            log.warning("%s took longer than %d ms", who, self._deadline * 1000)
        except Exception:
            log.exception("%s failed", who)
        return None

    def _player(self, key: tuple[str, int, str], hand: Hand) -> tuple[object, Player]:
        seat, bot = key[1:]
        dealt = (hand.dealer, hand.dealt)
        kept = self._players.pop(key, None)
        if kept is None:
            return dealt, Player(bot, secrets.randbits(62), seat)
        if kept[0] != dealt:
            kept[1].begin_hand()
        return dealt, kept[1]


def _moved(player: Player, hand: Hand) -> str:
    return player.move(hand).actions[-1]
