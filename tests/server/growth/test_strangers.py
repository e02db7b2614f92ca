"""Quick match over two servers of one database: strangers find each other wherever they come."""

from __future__ import annotations

import pytest
from tests.server.core.tables import KENTUCKY, PEOPLE, running
from tests.server.growth.registries import registry, sharing

from rookery.server.live.actor import Actor
from rookery.server.registry import listing
from rookery.server.registry.strangers import Found
from rookery.server.registry.tables import TableRegistry
from rookery.server.store.base import TableRow
from rookery.server.table import commands as cm
from rookery.server.table import events as ev
from rookery.server.table import messages as ms
from rookery.server.table.state import Who

ANN, BOB, CY = PEOPLE[:3]


async def shown(there: TableRegistry, who: Who) -> Found | None:
    return await there.strangers.find(who, KENTUCKY, (), await there.strangers.elsewhere())


def test_a_table_of_another_server_is_shown_and_none_that_only_its_log_remembers(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What was read is kept all the time, and still nobody is shown where nobody is.
    monkeypatch.setattr(listing, "KEPT_WITHOUT", 3_600.0)

    async def scene() -> None:
        first, second = registry(database, "a:1"), registry(database, "b:1")
        async with sharing(first, second):
            made = await first.create(ANN, KENTUCKY, listed=True)
            assert isinstance(made, Actor)
            line = made.connect(ANN)
            made.take(line, cm.Hello())
            assert isinstance(await line.outbox.get(), ms.Welcome)
            code = made.table.code
            for there in (first, second):
                found = await shown(there, BOB)
                assert found is not None
                assert (found.table.code, found.people, found.seated) == (code, 1, False)
            # Either of them may have blocked the other, on whichever server.
            row = TableRow("ABCDEF2", False, "lobby", 1, 1)
            blocked = ev.entered([ev.Blocked(ANN.id, CY.id)], 1, 5)
            await first.store.append(row, blocked, first.leases.fresh())
            assert await shown(second, CY) is None
            # Nobody has the table any more: nobody is at it.
            await first.leave()
            assert await shown(second, BOB) is None

    running(scene)
