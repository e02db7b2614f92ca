"""What was played is told from the log: once, on from there, and never as it was before."""

from __future__ import annotations

from random import Random

import pytest
from tests.server.core import tables
from tests.server.core.tables import PEOPLE, Sheet, heard, looks, play_one, quiet, running, started
from tests.server.memory.store import MemoryStore

from rookery.rules import load
from rookery.server.live.actor import Actor
from rookery.server.live.connection import Connection
from rookery.server.registry.history import EMPTY, TABLE_SIZE, Histories, history_of
from rookery.server.registry.played import finished, record_of
from rookery.server.registry.wiping import SOMEBODY
from rookery.server.store.base import StoreError
from rookery.server.table import commands as cm
from rookery.server.table import events as ev
from rookery.server.table.events import Entry

QUICK = load({"base": "kd_tournament", "target": 60})


class Counted(MemoryStore):
    """Says how many events were read at a time."""

    def __init__(self) -> None:
        super().__init__()
        self.reads: list[int] = []

    async def read(self, code: str, after: int = 0, most: int | None = None) -> list[Entry]:
        found = await super().read(code, after, most)
        self.reads.append(len(found))
        return found


class Room(tables.Room):
    """One that counts what is read."""

    def __init__(self) -> None:
        self.log = Counted()
        super().__init__(self.log)

    async def playing(self) -> tuple[Actor, list[Connection]]:
        """Return a table at which three hands have been played to their end."""
        actor, lines = await self.table(rules=QUICK, begin=True)
        await self.play(actor, lines, 3)
        return actor, lines

    async def play(self, actor: Actor, lines: list[Connection], hands: int) -> None:
        number = actor.table.seq
        while actor.table.finished < hands:
            number += 1
            if actor.table.phase == "over":
                actor.take(lines[0], cm.Rematch(f"again-{number}"))
            elif actor.table.between_hands:
                for one in lines:
                    actor.take(one, cm.Next(f"next-{number}"))
            else:
                play_one(actor, lines, number)
            await quiet(actor)
            for one in lines:
                heard(one)  # who reads nothing is cut off, and heard no more


def two_matches(seed: int) -> Sheet:
    sheet, rng = started(QUICK, seed=seed), Random(seed)
    sheet.play(rng, lambda _: False)
    sheet.say(PEOPLE[0], cm.Rematch("r"))
    sheet.play(rng, lambda hand: hand.over)
    return sheet


def test_wherever_it_is_gone_on_from_it_is_the_same_past() -> None:
    sheet = two_matches(3)
    whole = sheet.history
    lines = [one.listed() for one in finished(whole)]
    assert {one.match for one in lines} == {0, 1}
    for cut in range(0, len(sheet.entries) + 1, 7):
        again = history_of(sheet.entries[cut:], history_of(sheet.entries[:cut]))
        assert [one.listed() for one in finished(again)] == lines
        assert [record_of(again, at) for at in (0, 1)] == [record_of(whole, at) for at in (0, 1)]
        assert looks(again.table) == looks(sheet.table)
    with pytest.raises(StoreError, match="has no place"):
        history_of(sheet.entries[5:], history_of(sheet.entries[:4]))
    assert history_of([]) == EMPTY


def test_what_is_asked_again_is_read_on_from_where_it_was() -> None:
    async def scene() -> None:
        room = Room()
        actor, lines = await room.playing()
        first = await room.registry.history(actor.table.code.lower())
        assert first is not None
        assert len(list(finished(first))) == actor.table.finished == 3
        seq = actor.table.seq
        await room.play(actor, lines, 4)
        room.log.reads.clear()
        again = await room.registry.history(actor.table.code)
        assert again is not None
        assert room.log.reads == [actor.table.seq - seq]
        assert len(list(finished(again))) == actor.table.finished == 4
        assert await room.registry.history("ABCDEF2") is None
        assert await room.registry.history("no code") is None
        # Asleep and awake again it is the same table, and the same past.
        for one in lines:
            actor.disconnect(one)
        await room.settle()
        await room.turn(room.settings.idle)
        await room.registry.sweep()
        assert not room.registry.actors
        slept = await room.registry.history(actor.table.code)
        woken = await room.find(actor.table.code)
        assert slept is not None
        assert woken is not None
        assert looks(slept.table) == looks(woken.table)
        for past in (slept, await room.registry.history(actor.table.code)):
            assert past is not None
            assert record_of(past) == record_of(again)
        await room.close()

    running(scene)


def test_a_name_that_was_forgotten_is_in_no_history_of_a_table_that_plays_on() -> None:
    async def scene() -> None:
        room = Room()
        actor, _ = await room.playing()
        code = actor.table.code
        before = await room.registry.history(code)
        assert before is not None
        assert "Bob" in (record_of(before) or "")
        await room.registry.retention.forget(PEOPLE[1].id)
        woken = await room.find(code)
        assert isinstance(woken, Actor)
        assert woken is actor
        after = await room.registry.history(code)
        assert after is not None
        told = record_of(after) or ""
        assert "Bob" not in told
        assert SOMEBODY in told
        await room.close()

    running(scene)


def test_only_so_many_hands_are_remembered_of_all_tables_together() -> None:
    async def scene() -> None:
        store, sheet = Counted(), two_matches(4)
        hands = sum(len(match.hands) for match in sheet.history.matches)
        for code in "ABC":
            store.events[code] = sheet.entries
        pasts = Histories(store, capacity=2 * (hands + TABLE_SIZE))
        for code in "ABCCB":
            assert await pasts.of(code, 1) is not None
        whole = len(sheet.entries)
        assert store.reads == [whole] * 3 + [0] * 2
        assert sum(past.hands for _, past in pasts._known.values()) == 2 * hands
        assert await pasts.of("B", 2) is not None  # it may have been written anew
        pasts.forget("C")
        assert await pasts.of("C", 1) is not None
        assert store.reads[5:] == [whole] * 2
        assert await pasts.of("D", 1) is None
        small = Histories(store, capacity=1)
        assert await small.of("A", 1) is not None
        assert await small.of("A", 1) is not None
        assert store.reads[-1] == 0  # the last one that was asked for stays, whatever its size
        assert await small.of("B", 1) is not None
        assert list(small._known) == ["B"]

    running(scene)


def test_a_past_has_only_what_is_over() -> None:
    sheet = started(QUICK, seed=3)
    sheet.play(Random(3), lambda hand: bool(hand.tricks))
    assert list(finished(sheet.history)) == []
    assert record_of(sheet.history) is None
    assert [match.hands for match in sheet.history.matches] == [()]
    assert isinstance(sheet.entries[-1].event, ev.Acted)
