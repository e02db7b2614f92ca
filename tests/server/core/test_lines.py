"""What a table tells its connections, and what happens when somebody, or something, is stuck."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from tests.server.core.tables import (
    PEOPLE,
    FirstLegal,
    Room,
    acts,
    heard,
    play_one,
    running,
    turn_of,
)
from tests.server.memory.store import MemoryStore

from rookery.bots.player import fallback_action
from rookery.game import Hand
from rookery.server.bots.engine import BotThreads
from rookery.server.live.connection import Connection
from rookery.server.settings import Settings
from rookery.server.store.base import StoreError, Visitor
from rookery.server.table import commands as cm
from rookery.server.table import messages as ms
from rookery.server.table.projection import snapshot
from rookery.server.table.seating import known_bot
from rookery.server.table.state import Who


def test_a_connection_that_never_reads_is_closed_alone() -> None:
    async def scene() -> None:
        room = Room()
        actor, lines = await room.table()
        stuck = actor.connect(PEOPLE[6])
        actor.take(stuck, cm.Hello())
        for i in range(room.settings.outbox + 5):
            actor.take(lines[0], cm.Chat(f"c{i}", text="hello"))
            await room.settle()
            for line in lines:
                assert not any(isinstance(m, ms.Closing) for m in heard(line))
        assert len(stuck.outbox) == 1
        message = await stuck.outbox.get()
        assert isinstance(message, ms.Closing)
        assert message.code == 4008
        await room.close()

    running(scene)


def test_a_hint_is_about_the_hand_as_it_was_when_it_was_asked_for() -> None:
    async def scene() -> None:
        room = Room()
        actor, lines = await room.table()
        seat, hand = turn_of(actor), actor.table.hand
        assert hand is not None
        mine = next(iter(hand.legal())).words
        heard(lines[seat])
        # In one breath: when the hint is thought of, the turn is the next seat's already.
        actor.take(lines[seat], cm.Hint())
        play_one(actor, lines, 1)
        await room.settle()
        assert turn_of(actor) != seat
        assert actor.table.hand is not None
        assert mine != next(iter(actor.table.hand.legal())).words
        assert [m.action for m in heard(lines[seat]) if isinstance(m, ms.Hint)] == [mine]
        await room.close()

    running(scene)


def test_chat_reaches_all_but_those_who_blocked() -> None:
    async def scene() -> None:
        room = Room()
        actor, lines = await room.table()
        for line in lines:
            heard(line)
        actor.take(lines[2], cm.Block("b", 0))
        actor.take(lines[0], cm.Chat("c", text="hello"))
        await room.settle()
        told = [[m for m in heard(line) if isinstance(m, ms.Chat)] for line in lines]
        assert [len(lines) for lines in told] == [1, 1, 0, 1]
        assert (told[1][0].name, told[1][0].text) == ("Ann", "hello")
        await room.store.add_person(PEOPLE[2], "hash", 1)
        visitor = await room.store.visitor("hash")
        assert visitor == Visitor(PEOPLE[2], 1, frozenset({PEOPLE[0].id}))
        late = actor.connect(PEOPLE[2], visitor.blocked)
        actor.take(late, cm.Hello())
        free = actor.connect(PEOPLE[7])
        actor.take(free, cm.Hello())
        await room.settle()
        welcomes = [heard(line)[0] for line in (late, free)]
        assert [len(m.chat) for m in welcomes if isinstance(m, ms.Welcome)] == [0, 1]
        await room.close()

    running(scene)


def test_a_queue_that_is_full_refuses() -> None:
    async def scene() -> None:
        room = Room(settings=Settings(queue=4))
        actor, lines = await room.table(people=1, begin=False)
        heard(lines[0])
        for i in range(8):
            actor.take(lines[0], cm.Chat(f"c{i}", text="x"))
        codes = [m.code for m in heard(lines[0]) if isinstance(m, ms.Refused)]
        assert codes == ["busy"] * 4
        await room.settle()
        await room.close()

    running(scene)


class Broken(MemoryStore):
    """A store whose disk can be full."""

    full = False

    async def append(self, row: Any, entries: Any, lease: Any = None) -> None:  # noqa: ANN401
        if self.full:
            raise StoreError("database or disk is full")
        await super().append(row, entries)


def test_a_full_disk_refuses_politely_and_play_goes_on_behind_it() -> None:
    async def scene() -> None:
        store = Broken()
        room = Room(store)
        actor, lines = await room.table()
        for line in lines:
            heard(line)
        seq, table = actor.table.seq, actor.table
        store.full = True
        play_one(actor, lines, 1)
        actor.disconnect(lines[3])
        await room.settle()
        told = [m for line in lines for m in heard(line)]
        assert [m.code for m in told if isinstance(m, ms.Refused)] == ["storage"]
        assert not any(isinstance(m, ms.Ack) for m in told)
        assert actor.table is table
        await room.turn(5_000)
        assert actor.table.seq == seq
        store.full = False
        await room.turn(2_000)
        assert actor.table.chairs[3].away_since is not None
        asked = play_one(actor, lines[:3], 2)
        await room.settle()
        told = [m for line in lines for m in heard(line)]
        assert [m.id for m in told if isinstance(m, ms.Ack)] == [asked]
        assert len(await store.read(actor.table.code)) == actor.table.seq
        await room.close()

    running(scene)


def test_a_name_follows_its_person_to_the_table() -> None:
    async def scene() -> None:
        room = Room()
        actor, lines = await room.table()
        actor.disconnect(lines[1])
        actor.connect(Who(PEOPLE[1].id, "Robert"))
        await room.settle()
        assert actor.table.chairs[1].name == "Robert"
        actor.disconnect(lines[2])
        actor.connect(Who(PEOPLE[2].id, "Ann"))
        await room.settle()
        assert actor.table.chairs[2].name == "Cy"  # the table has an Ann
        await room.close()

    running(scene)


def test_who_is_renamed_while_there_is_renamed_at_the_table() -> None:
    async def scene() -> None:
        room = Room()
        actor, lines = await room.table()
        second = actor.connect(PEOPLE[1])
        before = len(actor.company.lines)
        actor.rename(Who(PEOPLE[1].id, "Robert"))
        await room.settle()
        assert actor.table.chairs[1].name == "Robert"
        assert {lines[1].who.name, second.who.name} == {"Robert"}
        assert (len(actor.company.lines), actor.table.chairs[1].here) == (before, True)
        await room.close()

    running(scene)


def test_the_rules_are_told_once_and_all_else_every_time() -> None:
    async def scene() -> None:
        room = Room()
        actor, lines = await room.table()
        told = heard(lines[0])
        play_one(actor, lines, 1)
        await room.settle()
        told += heard(lines[0])
        welcome = next(m for m in told if isinstance(m, ms.Welcome))
        updates = [m for m in told if isinstance(m, ms.Update)]
        assert json.loads(bytes(welcome.table))["rules"]["options"] == actor.table.rules.options()
        assert [json.loads(bytes(m.table))["rules"] for m in updates] == [None] * len(updates)
        whole = json.loads(msgspec.json.encode(snapshot(actor.table, 0)))
        assert json.loads(bytes(updates[-1].table)) == {**whole, "rules": None}
        assert len(bytes(updates[-1].table)) < 5_000
        await room.close()

    running(scene)


def test_of_two_names_the_newest_counts_and_nothing_flickers() -> None:
    async def scene() -> None:
        room = Room()
        actor, _ = await room.table()
        renamed = actor.connect(Who(PEOPLE[1].id, "Robert"))
        await room.settle()
        seq = actor.table.seq
        assert actor.table.chairs[1].name == "Robert"
        for _ in range(5):
            actor._look()
            await room.settle()
        assert actor.table.seq == seq
        actor.disconnect(renamed)
        await room.settle()
        assert (actor.table.seq, actor.table.chairs[1].name) == (seq, "Robert")
        await room.close()

    running(scene)


def test_who_goes_while_the_queue_is_full_is_missed_all_the_same() -> None:
    async def scene() -> None:
        room = Room(settings=Settings(queue=4))
        actor, lines = await room.table(people=2, begin=False)
        for i in range(8):
            actor.take(lines[0], cm.Chat(f"c{i}", text="x"))
        actor.disconnect(lines[1])
        await room.settle()
        assert not actor.table.chairs[1].here
        await room.close()

    running(scene)


def test_a_hint_goes_to_the_one_who_asked_on_turn() -> None:
    async def scene() -> None:
        room = Room()
        actor, lines = await room.table()
        seat = turn_of(actor)
        for line in lines:
            heard(line)
            actor.take(line, cm.Hint())
        await room.settle()
        told = [
            next(one for one in heard(line) if not isinstance(one, ms.Watching)) for line in lines
        ]
        assert isinstance(told[seat], ms.Hint)
        refused = [m.code for m in told if isinstance(m, ms.Refused)]
        assert refused == ["no-hint"] * 3
        await room.close()

    running(scene)


class Sleepy(FirstLegal):
    async def move(self, table: str, bot: str, hand: Hand, totals: Sequence[int] = ()) -> str:
        return "0 play RK"


def test_a_bot_that_talks_nonsense_is_answered_for(caplog: pytest.LogCaptureFixture) -> None:
    async def scene() -> None:
        room = Room()
        room.registry.thinker = Sleepy()
        actor, _ = await room.table(people=1, pace="instant")
        await room.turn(10)
        assert acts(actor) == 3
        await room.close()

    with caplog.at_level(logging.CRITICAL):
        running(scene)


def test_bots_think_in_threads_with_a_deadline(caplog: pytest.LogCaptureFixture) -> None:
    async def scene() -> None:
        room = Room()
        actor, _ = await room.table()
        hand = actor.table.hand
        assert hand is not None
        threads = BotThreads(1, 2_000)
        text = await threads.move("T", "papa", hand)
        assert list(map(str, hand.act(text).actions)) == [text]
        assert await threads.move("T", "papa", hand.act(text))
        assert (await threads.advise(hand)).action.split()[0] in ("bid", "pass")
        threads.forget("T")
        assert threads._players == {}
        await threads.leave()
        # As where the system has no thread left.
        assert await threads.move("T", "papa", hand) == str(fallback_action(hand))
        late, ended = BotThreads(1, 0), threading.Event()
        late._pool.submit(ended.wait)  # so that no bot is quicker than no time at all
        assert await late.move("T", "papa", hand) == str(fallback_action(hand)) == "1 pass"
        ended.set()
        await late.leave()
        await room.close()

    with caplog.at_level(logging.CRITICAL):
        running(scene)
    assert known_bot("RANDOM") == "random"


def test_connections_of_one_person_are_told_alike() -> None:
    async def scene() -> None:
        room = Room()
        actor, lines = await room.table()
        twin: Connection = actor.connect(lines[0].who)
        actor.take(twin, cm.Hello())
        await room.settle()
        heard(lines[0])
        heard(twin)
        play_one(actor, lines, 1)
        await room.settle()
        assert heard(twin) == heard(lines[0])
        await room.close()

    running(scene)
