"""Whether somebody may be seated by chance: not beside people who do not want to meet.

The refusal is that of a full table. One of its own would say that somebody there has blocked them.
"""

from __future__ import annotations

from rookery.server.store.base import Store
from rookery.server.table import commands as cm
from rookery.server.table.refusals import Refused, refused
from rookery.server.table.state import Table, Who
from rookery.server.table.voting import Outcome


async def matched(
    table: Table, who: Who, command: cm.Changing, outcome: Outcome, store: Store
) -> Outcome:
    """Return the outcome of a command; a refusal where a `matched` seat is beside the wrong people.

    Raises:
        StoreError: the store cannot be read.
    """
    if not isinstance(command, cm.Sit) or not command.matched:
        return outcome
    if isinstance(outcome, Refused) and outcome.code != "hand-under-way":
        return outcome
    others = {chair.person for chair in table.chairs if chair.person is not None}
    return refused("table-full") if await store.apart(who.id, others) else outcome
