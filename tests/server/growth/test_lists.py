"""Other servers are told of what lists show, and of nothing else that happens at a table."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.server.core.tables import PEOPLE, Room, heard, play_one, quiet, running

from rookery.server.cluster.pubsub import Changed, Notice, PubSub
from rookery.server.live.actor import Actor
from rookery.server.live.connection import Connection
from rookery.server.registry import tables
from rookery.server.table import commands as cm
from rookery.server.table.state import Table


class Kept(PubSub):
    """Keeps what other servers would be told."""

    def __init__(self) -> None:
        self.sent: list[Notice] = []

    def publish(self, notice: Notice) -> None:
        self.sent.append(notice)

    def taken(self) -> list[Notice]:
        """Return what has been told since the last time."""
        found, self.sent = self.sent, []
        return found


async def open_table(room: Room, people: int) -> tuple[Actor, list[Connection], Kept]:
    kept = Kept()
    room.registry.pubsub = kept
    actor, lines = await room.table(people=people, begin=False)
    await quiet(actor)
    kept.taken()
    actor.take(lines[0], cm.Table("t", open=True, title="Come in"))
    await quiet(actor)
    assert [type(one) for one in kept.taken()] == [Changed]
    return actor, lines, kept


async def told_of_play(room: Room, acts: int) -> tuple[int, int]:
    """Return of how many events servers are told while people play, and how many there were."""
    actor, lines, kept = await open_table(room, 4)
    actor.take(lines[0], cm.Start("g"))
    await quiet(actor)
    kept.taken()
    before = actor.table.seq
    for number in range(acts):
        for line in lines:
            heard(line)
        if actor.table.hand is not None and actor.table.hand.over:
            break
        play_one(actor, lines, number)
        await quiet(actor)
    return len(kept.taken()), actor.table.seq - before


def test_of_bids_and_cards_no_other_server_is_told() -> None:
    async def scene() -> None:
        room = Room()
        told, events = await told_of_play(room, 12)
        assert told == 0
        assert events >= 12
        await room.close()

    running(scene)


def test_the_control_who_tells_of_every_event_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    always: Callable[[Table, Table], bool] = lambda before, after: True  # noqa: E731
    monkeypatch.setattr(tables, "differs", always)

    async def scene() -> None:
        room = Room()
        told, events = await told_of_play(room, 12)
        assert told == events >= 12
        await room.close()

    running(scene)


def test_of_all_that_lists_show_they_are_told() -> None:
    async def scene() -> None:
        room = Room()
        actor, lines, kept = await open_table(room, 3)
        code = actor.table.code
        fourth = actor.connect(PEOPLE[3])
        for line, command in (
            (fourth, cm.Sit("s")),
            (fourth, cm.Leave("u")),
            (lines[0], cm.Table("p", pace="brisk")),
            (lines[0], cm.Bot("b", 3, "papa")),
            (lines[0], cm.Start("g")),
        ):
            actor.take(line, command)
            await quiet(actor)
            told = kept.taken()
            assert told, command
            assert all(isinstance(one, Changed) and one.listed for one in told)
            assert {one.code for one in told if isinstance(one, Changed)} == {code}
        actor.disconnect(lines[1])
        await quiet(actor)
        assert kept.taken()  # one fewer is there
        actor.take(lines[0], cm.Chat("c", phrase="hello"))
        await quiet(actor)
        assert kept.taken() == []
        actor.take(lines[0], cm.Table("x", open=False))
        await quiet(actor)
        assert kept.taken()  # it is to leave the list
        actor.disconnect(lines[2])
        await quiet(actor)
        assert kept.taken() == []
        await room.close()

    running(scene)
