"""P16: a no stays a no, however late another copy of the question arrives."""

from __future__ import annotations

import pytest
from tests.server.core.tables import Room, heard, running

from rookery.server.live.idempotency import RecentCommands
from rookery.server.table import commands as cm
from rookery.server.table import messages as ms


async def twice(room: Room) -> list[ms.Ack | ms.Refused]:
    """Return what somebody is told who bids out of turn, and again of a copy that is late."""
    actor, lines = await room.table()
    first = actor.table.to_act
    assert first is not None
    second = (first + 1) % 4
    asked = cm.Act("early", "bid 80", actor.table.seq)
    actor.take(lines[second], asked)
    await room.settle()
    actor.take(lines[first], cm.Act("due", "bid 75", actor.table.seq))
    await room.settle()
    assert actor.table.to_act == second
    actor.take(lines[second], asked)
    await room.settle()
    answers = [m for m in heard(lines[second]) if isinstance(m, ms.Ack | ms.Refused)]
    # The same bid as a question of its own is another matter.
    actor.take(lines[second], cm.Act("later", "bid 80", actor.table.seq))
    await room.settle()
    assert any(isinstance(m, ms.Ack) and m.id == "later" for m in heard(lines[second])) or any(
        isinstance(m, ms.Ack) for m in answers
    )
    await room.close()
    return answers


def test_a_late_copy_of_what_was_refused_is_refused_again() -> None:
    async def scene() -> None:
        answers = [m for m in await twice(Room()) if isinstance(m, ms.Refused)]
        assert [(m.id, m.code) for m in answers] == [("early", "not-your-turn")] * 2

    running(scene)


def test_the_control_a_table_that_remembers_no_refusal_does_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(RecentCommands, "deny", lambda *_: None)

    async def scene() -> None:
        kinds = [type(m).__name__ for m in await twice(Room())]
        assert kinds[-1] == "Ack"

    running(scene)
