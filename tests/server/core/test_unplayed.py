"""P21: hands that nobody plays end by themselves, hold nobody up, and cost little afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from random import Random

import msgspec
import pytest
from tests.hands import ENDLESS
from tests.server.core.tables import (
    PEOPLE,
    Dawdling,
    Room,
    Sheet,
    hands_of,
    heard,
    last_table,
    looks,
    running,
    seen_hands,
    started,
)
from tests.server.memory.store import MemoryStore

from rookery.game import Hand
from rookery.rules import load, stored
from rookery.server.live.actor import Actor
from rookery.server.registry.history import history_of
from rookery.server.registry.played import record_of
from rookery.server.store.base import StoreError, TableRow
from rookery.server.store.leases import UNOWNED, Lease
from rookery.server.table import commands as cm
from rookery.server.table import events as ev
from rookery.server.table import messages as ms
from rookery.server.table.dealing import dealt, frozen_rules
from rookery.server.table.seating import Sitting

NEVER = stored(ENDLESS)
PASSED_OUT = load({"base": "kd_tournament", "all_pass": "redeal", "target": 60})
LIMIT = 50  # hands
LONG = 500  # hands
FEW = 5  # hands


class Stepped(MemoryStore):
    """Says in which step of the event loop each hand was dealt."""

    def __init__(self) -> None:
        super().__init__()
        self.step = 0
        self.dealt: list[int] = []

    async def append(
        self, row: TableRow, entries: Sequence[ev.Entry], lease: Lease = UNOWNED
    ) -> None:
        await super().append(row, entries, lease)
        self.dealt += [self.step for entry in entries if isinstance(entry.event, ev.HandDealt)]

    async def steps(self) -> None:
        """Count the steps."""
        while True:
            self.step += 1
            await asyncio.sleep(0)


async def stopped_dealing(room: Room, actor: Actor) -> None:
    """Wait until a table deals no more."""
    for _ in range(100):
        await room.turn(2_000)
        if actor.table.host_asked:
            return
    pytest.fail(f"{actor.table.place + 1} hands, and it deals on")


def test_after_fifty_hands_the_host_is_asked_and_no_turn_deals_more_than_a_few() -> None:
    async def scene() -> None:
        store = Stepped()
        counting = asyncio.create_task(store.steps())
        room = Room(store)
        actor, _ = await room.table(2, NEVER, "instant")
        await stopped_dealing(room, actor)
        # Nobody has read what was sent meanwhile.
        ann, bob = (actor.connect(who) for who in PEOPLE[:2])
        assert len(store.dealt) == actor.table.place + 1 == LIMIT
        assert max(map(store.dealt.count, store.dealt)) <= FEW
        await room.turn(1_000_000)
        assert len(store.dealt) == LIMIT
        for line in (ann, bob):
            actor.take(line, cm.Hello())
            await room.settle()
            shown = last_table(heard(line))
            assert (shown["host_asked"], shown["host"]) == (True, 0)
        actor.take(bob, cm.Next("bob"))
        await room.settle()
        assert [m.code for m in heard(bob) if isinstance(m, ms.Refused)] == ["not-host"]
        assert len(store.dealt) == LIMIT
        # The host's word deals on, and counting begins again.
        actor.take(ann, cm.Next("ann"))
        await room.settle()
        await stopped_dealing(room, actor)
        assert len(store.dealt) == 2 * LIMIT
        assert max(map(store.dealt.count, store.dealt)) <= FEW
        counting.cancel()
        await room.close()

    running(scene)


def test_where_the_host_is_gone_the_next_one_is_asked() -> None:
    async def scene() -> None:
        room = Room()
        actor, _ = await room.table(2, NEVER, "instant")
        await stopped_dealing(room, actor)
        ann, bob = (actor.connect(who) for who in PEOPLE[:2])
        actor.take(ann, cm.Leave("gone"))
        await room.settle()
        assert actor.table.host == actor.table.seat_of(bob.who.id)
        actor.take(bob, cm.Next("on"))
        await room.settle()
        assert actor.table.place >= LIMIT
        await room.close()

    running(scene)


def test_an_evenings_table_where_nobody_is_deals_on_and_not_for_ever() -> None:
    made = ev.TableMade("ABCDEF2", "", False, frozen_rules(NEVER), "instant", None)
    joined = ev.EveningJoined("ABCDEF3", 1, 1, "papa")

    async def scene() -> None:
        room = Room()
        ann, nobody = Sitting(PEOPLE[0].name, PEOPLE[0].id), [Sitting("")] * 7
        actor = await room.registry.for_evening(made, PEOPLE[1].id, joined, [ann, *nobody], None)
        line = actor.connect(PEOPLE[0])
        actor.take(line, cm.Hello())
        await stopped_dealing(room, actor)
        assert actor.table.place + 1 == LIMIT  # she is asked
        actor.disconnect(line)
        await room.settle()
        await stopped_dealing(room, actor)
        assert LONG < actor.table.place + 1 <= LONG + LIMIT
        await room.close()

    running(scene)


def pass_out(sheet: Sheet) -> None:
    """Have everybody pass, and the next hand dealt, by whoever may do that."""
    while not sheet.hand.over:
        sheet.act("pass")
    assert sheet.hand.phase == "redealt"
    if not sheet.table.host_asked:
        sheet.add(dealt(sheet.table, sheet.chances))


def test_hands_that_are_passed_out_count_too_and_a_card_that_a_person_plays_ends_the_count() -> (
    None
):
    sheet = started(PASSED_OUT)
    for _ in range(LIMIT - 1):
        pass_out(sheet)
    assert not sheet.table.host_asked
    # The fiftieth is played, by people.
    sheet.play(Random(3), lambda hand: hand.phase == "play" and bool(hand.trick))
    assert sheet.table.unplayed == 0
    sheet = started(PASSED_OUT)
    for _ in range(LIMIT):
        pass_out(sheet)
    assert sheet.table.host_asked
    assert sheet.code(PEOPLE[1], cm.Next("n")) == "not-host"
    sheet.say(PEOPLE[0], cm.Next("n"))
    assert sheet.table.place == LIMIT
    assert not sheet.table.host_asked
    assert looks(sheet.history.table) == looks(sheet.table)


def test_bots_that_play_alone_are_stopped_too() -> None:
    """A person who never has to act: the partner opens at the one bid there is, as every time."""
    written = {"base": "kd_tournament", "dummy": "partner", "first_bidder": 2, "target": 100_000,
               "bid_minimum": 5, "bid_maximum": 5}  # fmt: skip

    async def scene() -> None:
        room = Room()
        actor, _ = await room.table(1, load(written), "instant")
        ann = actor.connect(PEOPLE[0])  # who says no hello, and so is told nothing
        for number in range(LIMIT):
            while not actor.table.between_hands:
                await room.settle()
            if not actor.table.host_asked:  # she has read the result
                actor.take(ann, cm.Next(f"n{number}"))
                await room.settle()
        assert actor.table.host_asked
        assert actor.table.place + 1 == LIMIT
        assert {line.score is None for line in actor.table.scores} == {False}
        await room.close()

    running(scene)


async def ends(work: asyncio.Task[None]) -> bool:
    """Return whether something is done after some steps."""
    for _ in range(300):
        await asyncio.sleep(0)
    return work.done()


@pytest.mark.parametrize("crowded", [False, True])
def test_a_stop_comes_before_dealing_and_before_whatever_waits(crowded: bool) -> None:
    async def scene() -> None:
        store = Dawdling(lambda: asyncio.sleep(0))
        room = Room(store)
        actor, (ann, *_) = await room.table(1, NEVER, "instant", begin=False)
        actor.take(ann, cm.Start("begin"))
        await asyncio.sleep(0)
        for number in range(room.settings.queue if crowded else 0):
            actor.take(ann, cm.Chat(f"chat-{number}", phrase="hello"))
        before = actor.table.seq
        stopping = asyncio.create_task(actor.stop())
        assert await ends(stopping)
        stored = await store.read(actor.table.code)
        assert len(stored) - before <= 2 * FEW + 20  # bots, the match, and one turn's hands
        assert stored[-1].seq == actor.table.seq
        assert not any(isinstance(entry.event, ev.Chatted) for entry in stored[before + 30 :])
        await room.close()

    running(scene)


def long_past(hands: int) -> Sheet:
    """Return a table of before there was a limit: so many hands were thrown in without a pause."""
    sheet = started(NEVER, people=1)
    while sheet.table.place + 1 < hands:
        if sheet.table.place == 40:
            sheet.say(PEOPLE[0], cm.Chat("c", phrase="hello"))
        sheet.add(dealt(sheet.table, sheet.chances))
    return sheet


def test_the_past_of_hands_that_were_thrown_in_is_the_same_and_is_read_without_dealing_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sheet = long_past(120)
    made = []
    deal = Hand.deal

    def counted(*given: object) -> Hand:
        made.append(given)
        return deal(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(Hand, "deal", counted)
    past = sheet.history
    assert len(made) < 6
    assert looks(past.table) == looks(sheet.table)
    assert hands_of(past) == seen_hands(sheet.hands)
    assert [hand.line for hand in past.matches[0].hands] == list(sheet.table.scores)
    assert {hand.people for hand in past.matches[0].hands} == {((PEOPLE[0].id, 0),)}
    for cut in range(0, len(sheet.entries), 5):
        again = history_of(sheet.entries[cut:], history_of(sheet.entries[:cut]))
        assert looks(again.table) == looks(sheet.table)
        assert again.matches == past.matches
    assert record_of(past) is None  # none of them was finished


def test_a_log_of_such_hands_that_is_not_sound_does_not_fold() -> None:
    sheet = long_past(20)
    at = max(i for i, e in enumerate(sheet.entries[:-4]) if isinstance(e.event, ev.HandDealt))
    event = sheet.entries[at].event
    assert isinstance(event, ev.HandDealt)
    twice = [[event.deal[0][0]], *event.deal[:1], *event.deal[2:]]
    for wrong in ({"deal": twice}, {"nest": event.nest[1:]}, {"dealer": 8}):
        spoiled = ev.Entry(at + 1, 0, msgspec.structs.replace(event, **wrong))
        with pytest.raises(StoreError, match=f"event {at + 1} of table"):
            history_of([*sheet.entries[:at], spoiled, *sheet.entries[at + 1 :]])
    with pytest.raises(StoreError, match="has no place"):
        history_of([*sheet.entries[:at], *sheet.entries[at + 2 :]])


def test_a_stored_table_is_opened_whatever_its_rules_allow() -> None:
    """A table of before: its log goes on, and what it deals by itself is bounded."""

    async def scene() -> None:
        sheet, store = long_past(64), MemoryStore()
        room = Room(store)
        now = room.clock.now()
        await store.append(TableRow("ABCDEF2", False, "playing", now, now), sheet.entries)
        actor = await room.find("ABCDEF2")
        assert actor is not None
        line = actor.connect(PEOPLE[0])
        actor.take(line, cm.Hello())
        await stopped_dealing(room, actor)
        assert 64 <= actor.table.place + 1 <= 64 + LIMIT
        await room.close()

    running(scene)
