"""Tables are made with what fits, and a server that meets a fault keeps its tables."""

from __future__ import annotations

import asyncio
import logging
from random import Random
from typing import Any

import pytest
from tests.laws.playing import random_action
from tests.server.core.tables import (
    KENTUCKY,
    LATER,
    PATIENCE,
    PEOPLE,
    Chances,
    Room,
    heard,
    running,
    started,
)
from tests.server.memory.store import MemoryStore

from rookery.bots.player import fallback_action
from rookery.rules import catalog, load, variant
from rookery.server.bots.engine import BotThreads
from rookery.server.clock import Clock
from rookery.server.live.actor import Actor
from rookery.server.registry.tables import TableRegistry
from rookery.server.settings import Settings
from rookery.server.store.base import StoreError
from rookery.server.table import commands as cm
from rookery.server.table import messages as ms
from rookery.server.table.refusals import Refused
from rookery.server.table.timers import Due, disconnected, due, happens


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"title": "a\u202eb"}, "bad-title"),
        ({"title": "x" * 61}, "bad-title"),
        ({"bots": ["nobody"]}, "unknown-bot"),
        ({"bots": ["papa"] * 4}, "no-seat"),
        ({"clock": 1}, "bad-setting"),
        ({"clock": 99_999}, "bad-setting"),
    ],
)
def test_a_table_that_does_not_fit_is_not_made(asked: dict[str, Any], code: str) -> None:
    async def scene() -> None:
        room = Room()
        made = await room.registry.create(PEOPLE[0], KENTUCKY, **asked)
        assert isinstance(made, Refused)
        assert made.code == code
        assert await room.store.past(LATER, LATER) == []
        await room.close()

    running(scene)


def test_a_table_against_bots_is_ready_at_once() -> None:
    async def scene() -> None:
        registry = TableRegistry(MemoryStore(), Settings(bot_deadline=60_000), chance=Chances(3))
        await registry.open(str)
        made = await registry.create(
            PEOPLE[0], KENTUCKY, bots=["Club", "papa", "hog"], pace="instant", listed=True
        )
        assert isinstance(made, Actor)
        assert [chair.bot for chair in made.table.chairs] == [None, "club", "papa", "hog"]
        line = made.connect(PEOPLE[0])
        made.take(line, cm.Hello())
        made.take(line, cm.Start("go"))
        async with asyncio.timeout(PATIENCE):
            while made.table.to_act != 0:
                await asyncio.sleep(0.002)
                heard(line)
        assert made.table.hand is not None
        assert len(made.table.hand.actions) == 3
        await registry.sweep()
        await registry.close()

    running(scene)


@pytest.mark.parametrize("name", sorted(catalog())[::6])
def test_bots_play_any_variant_through_the_same_legality(name: str) -> None:
    async def scene() -> None:
        threads = BotThreads(1, 60_000)
        hand = started(variant(name)).hand
        while not hand.over:
            text = await threads.move("T", "club", hand)
            hand = hand.act(text)
        await threads.leave()

    running(scene)


def test_a_fault_in_the_server_is_told_and_the_table_lives(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Faulty(MemoryStore):
        faulty = False

        async def append(self, row: Any, entries: Any, lease: Any = None) -> None:  # noqa: ANN401
            if self.faulty:
                raise RuntimeError("a fault of ours")
            await super().append(row, entries)

    async def scene() -> None:
        store = Faulty()
        room = Room(store)
        actor, lines = await room.table()
        heard(lines[0])
        store.faulty = True
        actor.take(lines[0], cm.Chat("c", text="hello"))
        await room.settle()
        (answer,) = heard(lines[0])
        assert isinstance(answer, ms.Refused)
        assert answer.code == "failed"
        assert "fault" not in answer.reason
        store.faulty = False
        actor.take(lines[0], cm.Chat("c", text="hello"))
        await room.settle()
        assert any(isinstance(m, ms.Ack) for m in heard(lines[0]))
        await room.close()

    with caplog.at_level(logging.CRITICAL):
        running(scene)


def test_a_table_whose_log_is_broken_is_refused() -> None:
    async def scene() -> None:
        room = Room()
        actor, _ = await room.table()
        code = actor.table.code
        await actor.stop()
        room.registry._actors.clear()
        assert isinstance(room.store, MemoryStore)
        del room.store.events[code][3]
        with pytest.raises(StoreError):
            await room.find(code)
        await room.close()

    running(scene)


def test_a_revoke_is_challenged_where_it_is_punished() -> None:
    rules = load({"base": "kd_tournament", "renege": "penalised"})
    codes = set()
    for seed in range(6):
        sheet = started(rules, seed=seed)
        rng = Random(seed)
        sheet.play(rng, lambda hand: hand.phase == "play")
        while not sheet.hand.over:
            revoked = sheet.hand.hidden.revoked
            for seat in range(4):
                if revoked >> seat & 1 and not sheet.hand.over:
                    sheet.say(PEOPLE[(seat + 1) % 4], cm.Challenge("c", seat))
                    codes.add("proven")
            if sheet.hand.over:
                break
            assert sheet.code(PEOPLE[0], cm.Challenge("c", 0)) == "no-revoke"
            sheet.act(random_action(sheet.hand, rng))
    assert codes == {"proven"}


def test_the_answer_for_a_late_bot_is_never_a_revoke() -> None:
    rules = load({"base": "kd_tournament", "renege": "penalised"})
    for seed in range(4):
        hand = started(rules, seed=seed).hand
        while not hand.over:
            hand = hand.act(fallback_action(hand))
            assert hand.hidden.revoked == 0


def test_what_is_due_follows_from_the_table() -> None:
    settings = Settings()
    sheet = started()
    assert due(sheet.table, settings, 0) is None
    sheet.act("bid 75")
    sheet.say(PEOPLE[1], cm.Undo("u"))
    asked = sheet.table.pending
    assert asked is not None
    assert due(sheet.table, settings, 0) == Due(asked.since + settings.vote, "vote", 1)
    # After a restart the period begins again.
    assert due(sheet.table, settings, 10**9) == Due(10**9 + settings.vote, "vote", 1)
    sheet.add(disconnected(sheet.table, PEOPLE[2].id))
    assert disconnected(sheet.table, PEOPLE[2].id) == []
    assert disconnected(sheet.table, "stranger") == []
    away = sheet.table.chairs[2].away_since
    assert away is not None
    gone = Due(away + settings.grace, "stand-in", 2)
    sheet.add(happens(sheet.table, gone, settings, sheet.chances))
    assert sheet.table.chairs[2].stand_in == settings.default_bot
    assert sheet.table.pending is None  # nobody waits for the vote of one who is away


def test_the_clock_of_the_machine_goes_on() -> None:
    async def scene() -> None:
        clock = Clock()
        before = clock.now()
        await clock.until(before + 100)
        # Seconds in place of milliseconds would be seen on a busy machine, too.
        assert before + 100 <= clock.now() < before + 60_000
        await clock.until(before)

    running(scene)
