"""Advice to whoever asks for it, prepared beside the table's own work."""

from __future__ import annotations

import asyncio

from rookery.game import Hand
from rookery.server.bots.engine import BotThreads
from rookery.server.live.connection import Connection
from rookery.server.table.state import Table
from rookery.server.work import cancelled


class Hints:
    """The hints of a table that are being prepared, one a connection at most."""

    def __init__(self, thinker: BotThreads) -> None:
        self._thinker = thinker
        self._asked: set[asyncio.Task[None]] = set()

    def prepare(self, connection: Connection, table: Table) -> bool:
        """Begin to advise whoever is to act; return whether it is this connection's person.

        The advice is about the hand as it is now. By then it may be another seat's turn.
        """
        seat, hand = table.seat_of(connection.who.id), table.hand
        if hand is None or seat is None or table.to_act != seat or connection.hinted:
            return False
        connection.hinted = True
        task = asyncio.create_task(self._advise(connection, hand))
        self._asked.add(task)
        task.add_done_callback(self._asked.discard)
        return True

    async def _advise(self, connection: Connection, hand: Hand) -> None:
        try:
            connection.outbox.put(await self._thinker.advise(hand))
        finally:
            connection.hinted = False

    async def stop(self) -> None:
        """Prepare no more of them."""
        await cancelled(self._asked)
