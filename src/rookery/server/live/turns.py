"""What a table asks its bots, and the items of its queue."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import NamedTuple, TypeAlias

from rookery.bots.player import fallback_action
from rookery.game import BadAction, Hand, IllegalAction, Match
from rookery.game.revokes import challenge_of
from rookery.server.bots.engine import BotThreads
from rookery.server.clock import Clock
from rookery.server.live.connection import Connection
from rookery.server.table import commands as cm
from rookery.server.table.events import By
from rookery.server.table.state import Table
from rookery.server.work import cancelled

log = logging.getLogger(__name__)

Turn: TypeAlias = tuple[int, int]


class Decided(NamedTuple):
    """A bot's action for a turn, as text."""

    turn: Turn
    text: str
    by: By


def turn_of(table: Table) -> Turn:
    """Return an identifier of the turn: the last deal or undo, and the acts since."""
    return table.dealt_seq, -1 if table.hand is None else len(table.hand.actions)


class Turns:
    """Asks a bot for one turn at a time, and beside that for hints, one a connection at most.

    Answers to an earlier turn are dropped.
    """

    def __init__(
        self, thinker: BotThreads, clock: Clock, answer: Callable[[Decided], Awaitable[None]]
    ) -> None:
        """Ask `thinker`, and pass its answers to `answer` when they are due."""
        self._thinker, self._clock, self._answer = thinker, clock, answer
        self._asked: tuple[Turn, asyncio.Task[None]] | None = None
        self._advising = set[asyncio.Task[None]]()

    def ask(self, table: Table, bot: str, at: int, by: By) -> None:
        """Ask a bot for the turn, unless it is asked already; answer no sooner than `at`."""
        if self.asked(table) or table.hand is None or table.hand.over:
            return
        self.drop()
        turn = turn_of(table)
        task = asyncio.create_task(self._think(turn, table, bot, table.hand, at, by))
        self._asked = turn, task

    def asked(self, table: Table) -> bool:
        """Return whether a bot has been asked for this turn."""
        return self._asked is not None and self._asked[0] == turn_of(table)

    def drop(self) -> None:
        """Cancel the question."""
        if self._asked is not None:
            self._asked[1].cancel()
            self._asked = None

    async def stop(self) -> None:
        """Cancel all questions, and wait until no bot is thinking."""
        asked = [] if self._asked is None else [self._asked[1]]
        self._asked = None
        await cancelled([*asked, *self._advising])

    def advise(self, connection: Connection, table: Table) -> bool:
        """Begin to advise whoever is to act; return whether it is this connection's person.

        The advice is about the hand as it is now. By then it may be another seat's turn.
        """
        seat, hand = table.seat_of(connection.who.id), table.hand
        if hand is None or seat is None or table.to_act != seat or connection.hinted:
            return False
        connection.hinted = True
        task = asyncio.create_task(self._advise(connection, hand))
        self._advising.add(task)
        task.add_done_callback(self._advising.discard)
        return True

    async def _advise(self, connection: Connection, hand: Hand) -> None:
        try:
            connection.outbox.put(await self._thinker.advise(hand))
        finally:
            connection.hinted = False

    async def _think(self, turn: Turn, table: Table, bot: str, hand: Hand, at: int, by: By) -> None:
        totals = () if table.match is None else table.match.totals
        move, joined = self._thinker.move, table.evening
        if joined is not None and not table.people_here:
            # Of an evening there may be many tables at which nobody is.
            move = partial(self._thinker.move_unattended, joined.evening)
        # What plays for somebody whose time is over accuses nobody in their name.
        challenge = challenge_of(hand, 1 << (hand.to_act or 0)) if by == "bot" else None
        text = str(challenge or await move(table.code, bot, hand, totals))
        await self._clock.until(at)
        await self._answer(Decided(turn, text, by))


def allowed(match: Match, text: str, table: str) -> str:
    """Return a bot's answer, or where the rules refuse it a legal action."""
    try:
        match.tried(text)
    except (IllegalAction, BadAction) as error:
        # No card goes into a log.
        log.warning("table %s: a bot's answer is refused: %s", table, error.code)
        return str(fallback_action(match.hands[-1]))
    return text


class Asked(NamedTuple):
    """A command of a connection; `at` is its arrival, seconds of the monotonic clock."""

    connection: Connection
    command: cm.Command
    at: float


class Look(NamedTuple):
    """Somebody connected or disconnected, a timer is due, or nothing is taken any more."""


Item: TypeAlias = Asked | Decided | Look
