"""Races at one table, from its first seat to the next match: two commands at once, one effect.

They are run in made-up time: a store may take its 0 to 100 milliseconds for everything, and a
hundred thousand races still take a minute.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

from tests.laws.playing import random_action
from tests.server.core.tables import PEOPLE, Dawdling, Room, heard, is_at_rest, looks, without_seat
from tests.server.memory.store import MemoryStore

from rookery.game import BadAction, Hand, IllegalAction
from rookery.rules import Rules, catalog, load, variant
from rookery.server.live.actor import Actor
from rookery.server.live.connection import Connection
from rookery.server.registry.history import history_of
from rookery.server.table import commands as cm
from rookery.server.table import events as ev
from rookery.server.table import messages as ms
from rookery.server.table.decide import decide
from rookery.server.table.fold import evolve
from rookery.server.table.refusals import CODES, Refused
from rookery.server.table.state import Table, Who

SLOWEST = 0.1  # seconds that a store takes, and between two commands
SHORT = load({"base": "kd_tournament", "target": 60})


def dawdling(seed: int) -> MemoryStore:
    """Return a store that takes up to 0.1 s before and after each change."""
    rng = Random(seed)

    async def wait() -> None:
        await asyncio.sleep(rng.choice([0, 0.001, rng.uniform(0, SLOWEST)]))

    return Dawdling(wait)


async def still(actor: Actor) -> None:
    """Return once a table has done all that it was asked, in made-up time."""
    for _ in range(1_000):
        await asyncio.sleep(1)
        if is_at_rest(actor):
            return
    raise AssertionError("the table does not come to rest")


class Try(NamedTuple):
    """What somebody asks for in a race: the line, the command."""

    line: Connection
    command: cm.Changing


@dataclass
class Raced:
    """What came of races.

    Attributes:
        kinds: how many there were of each kind.
        wrong: what was wrong, in words.
    """

    kinds: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    @property
    def size(self) -> int:
        """How many races there were."""
        return self.kinds.total()


def complaints(found: Sequence[int | str], *, alike: bool = False) -> Iterator[str]:
    """Yield what is wrong with the two answers of a race, `alike` for copies of one command."""
    seqs = [answer for answer in found if isinstance(answer, int)]
    if len(found) != 2:
        yield f"{len(found)} answers"
    elif alike:
        if found[0] != found[1]:
            yield f"two ends of one command: {found}"
    elif len(seqs) != 1:
        yield f"{len(seqs)} had their way"
    if any(isinstance(answer, str) and answer not in CODES for answer in found):
        yield f"no such code: {found}"


class Racing:
    """A table of people with two tabs each, who ask for two things at once."""

    def __init__(self, seed: int, actor: Actor, store: MemoryStore, people: Sequence[Who]) -> None:
        """Begin with everybody there."""
        self.raced = Raced()
        self._rng, self._actor, self._store = Random(seed), actor, store
        self._tabs = {who.id: (actor.connect(who), actor.connect(who)) for who in people}
        self._asked = 0

    @property
    def table(self) -> Table:
        """The table as it is."""
        return self._actor.table

    async def sit(self) -> None:
        """Have two people, or the last one's tabs, ask for each seat that is free."""
        people = list(self._tabs)
        free = [seat for seat, chair in enumerate(self.table.chairs) if chair.person is None]
        for seat in free:
            waiting = [one for one in people if self.table.seat_of(one) is None]
            rivals = self._rng.sample(waiting, min(2, len(waiting)))
            if len(rivals) == 2:
                tries = [Try(self._tabs[one][0], cm.Sit(self._id(), seat)) for one in rivals]
            else:
                tries = [Try(tab, cm.Sit(self._id(), seat)) for tab in self._tabs[rivals[0]]]
            await self._race("a seat", *tries)

    async def leave(self) -> None:
        """Have somebody stand up, said twice in the same words, and the seat taken again."""
        tabs = self._tabs[self.table.chairs[1].person or ""]
        goes = cm.Leave(self._id())
        await self._race("leave, two copies", *(Try(tab, goes) for tab in tabs))
        await self.sit()

    async def step(self) -> None:
        """Run the next race that this moment of the table has."""
        table, hand = self.table, self.table.hand
        if table.pending is not None:
            await self._vote()
        elif table.promise is not None and self._rng.random() < 0.1:
            await self._share(table.promise.number)
        elif table.phase == "lobby":
            await self._hosted("start", cm.Start)
        elif table.phase == "over":
            await self._hosted("rematch", cm.Rematch)
        elif table.between_hands:
            seat = self._rng.choice([*{*table.people_here} - table.ready])
            await self._tabbed("next", seat, lambda: cm.Next(self._id()))
        elif hand is not None and hand.to_act is not None:
            await self._played(hand, hand.to_act)

    async def _hosted(self, kind: str, command: type[cm.Start | cm.Rematch]) -> None:
        assert self.table.host is not None
        await self._tabbed(kind, self.table.host, lambda: command(self._id()))

    async def _share(self, number: int) -> None:
        seat = self._rng.randrange(len(self.table.chairs))
        share = self._rng.randbytes
        await self._tabbed(
            "contribute", seat, lambda: cm.Contribute(self._id(), number, share(16).hex())
        )

    async def _vote(self) -> None:
        pending = self.table.pending
        assert pending is not None
        left = [seat for seat in pending.voters if seat not in pending.votes]
        rivals = self._rng.sample(left, 2) if len(left) > 1 and self._rng.random() < 0.5 else left
        voters = rivals[:2] if len(rivals) > 1 else rivals * 2
        tries = [
            Try(self._tab(seat, tab), cm.Vote(self._id(), self._rng.random() < 0.3))
            for tab, seat in enumerate(voters)
        ]
        if not await self._race("vote", *tries):
            await self._tabbed("vote", left[0], lambda: cm.Vote(self._id(), False))

    async def _played(self, hand: Hand, seat: int) -> None:
        dice = self._rng.random()
        if dice < 0.15 and hand.actions:
            last = hand.actions[-1].seat
            if await self._tabbed("undo", last, lambda: cm.Undo(self._id())):
                return
        elif dice < 0.22:
            other = self._rng.choice((seat, (seat + 1) % len(self.table.chairs)))
            tries = [Try(self._tab(seat, 0), cm.Claim(self._id()))]
            tries.append(Try(self._tab(other, 1), cm.Claim(self._id())))
            self._rng.shuffle(tries)
            if await self._race("claim", *tries):
                return
        elif dice < 0.5:
            if await self._seats(hand, seat):
                return
        elif dice < 0.65:
            act = self._act(random_action(hand, self._rng))
            await self._race("act, two copies", *(Try(self._tab(seat, i), act) for i in (0, 1)))
            return
        await self._tabbed("act", seat, lambda: self._act(random_action(hand, self._rng)))

    async def _seats(self, hand: Hand, seat: int) -> bool:
        """Have somebody else do what the one on turn does; neither on turn before nor after it."""
        text = random_action(hand, self._rng)
        after = hand.act(text)
        rivals = [
            one
            for one in range(len(self.table.chairs))
            if one != seat and not any(_may(each, one, text) for each in (hand, after))
        ]
        if not rivals:
            return False
        tries = [
            Try(self._tab(one, 0), self._act(text)) for one in (seat, self._rng.choice(rivals))
        ]
        whose = tries[0]
        self._rng.shuffle(tries)
        one, other = tries
        return await self._race("act, two seats", one, other, whose)

    def _act(self, text: str) -> cm.Act:
        return cm.Act(self._id(), without_seat(text), self.table.seq)

    async def _tabbed(self, kind: str, seat: int, command: Callable[[], cm.Changing]) -> bool:
        return await self._race(kind, *(Try(self._tab(seat, i), command()) for i in (0, 1)))

    def _tab(self, seat: int, tab: int) -> Connection:
        return self._tabs[self.table.chairs[seat].person or ""][tab]

    def _id(self) -> str:
        self._asked += 1
        return f"c{self._asked}"

    def _compete(self, one: Try, other: Try) -> bool:
        """Return whether of the two, one after the other, just one is to have its way."""
        table, refused = self.table, 0
        for asked in (one, other):
            outcome = decide(table, asked.line.who, asked.command, lambda: bytes(32), "papa")
            refused += isinstance(outcome, Refused)
            for event in () if isinstance(outcome, Refused) else outcome:
                table = evolve(table, ev.Entry(table.seq + 1, 0, event))
        return refused == 1

    async def _race(self, kind: str, one: Try, other: Try, whose: Try | None = None) -> bool:
        """Run a race and look at its end; return False for two that are in nobody's way.

        `whose` is the one that has to win; the other is not on turn.
        """
        alike = one.command is other.command
        if not alike and whose is None and not self._compete(one, other):
            return False
        stored = self._store.events[self.table.code]
        before = len(stored)
        for asked in (one, other):
            self._actor.take(asked.line, asked.command)
            if self._rng.random() < 0.5:
                await asyncio.sleep(self._rng.uniform(0, SLOWEST))
        await still(self._actor)
        told = {asked: self._answer(asked) for asked in (one, other)}
        self.raced.kinds[kind] += 1
        wrong = [*complaints([each for answer in told.values() for each in answer], alike=alike)]
        ids = {f"{asked.line.who.id}:{asked.command.id}" for asked in (one, other)}
        did = [entry for entry in stored[before:] if entry.client in ids]
        if len(did) != 1 or sum(_alike(entry, did[0]) for entry in stored[before:]) != 1:
            wrong.append(f"{len(did)} effects")
        if whose is not None and not all(isinstance(one, int) for one in told[whose]):
            wrong.append(f"the one on turn is told {told[whose]}")
        self.raced.wrong += [f"{kind}: {each}" for each in wrong]
        return True

    def _answer(self, asked: Try) -> list[int | str]:
        found: list[int | str] = []
        for message in heard(asked.line):
            if isinstance(message, ms.Ack) and message.id == asked.command.id:
                found.append(message.seq)
            elif isinstance(message, ms.Refused) and message.id == asked.command.id:
                found.append(message.code)
        return found


def _may(hand: Hand, seat: int, text: str) -> bool:
    try:
        hand.act(f"{seat} {without_seat(text)}")
    except (BadAction, IllegalAction):
        return False
    return True


def _alike(entry: ev.Entry, other: ev.Entry) -> bool:
    one, two = entry.event, other.event
    if isinstance(one, ev.Acted) and isinstance(two, ev.Acted):
        return one.by == two.by
    return type(one) is type(two)


def rules_of(seed: int) -> Rules:
    """Return the rules of a table: a short match, or the next of the catalogue."""
    return SHORT if seed % 2 else variant(catalog()[seed // 2 % len(catalog())])


async def races(seed: int, count: int) -> Raced:
    """Run some `count` races at one table, fewer where something is wrong."""
    rules, store = rules_of(seed), dawdling(seed)
    room = Room(store, seed=seed)
    actor = await room.registry.create(PEOPLE[0], rules, pace="calm")
    assert isinstance(actor, Actor)
    racing = Racing(seed, actor, store, PEOPLE[: min(rules.seats + 1, len(PEOPLE))])
    await still(actor)
    try:
        await racing.sit()
        await racing.leave()
        for _ in range(4 * count):
            if racing.raced.size >= count or racing.raced.wrong or actor.gone:
                break
            await racing.step()
    except (BadAction, IllegalAction, LookupError) as error:
        racing.raced.wrong.append(f"the table is no table any more: {error!r}")
    if not racing.raced.wrong:
        racing.raced.wrong += [*_log(actor, await store.read(actor.table.code))]
    await room.close()
    return racing.raced


def _log(actor: Actor, stored: Sequence[ev.Entry]) -> Iterator[str]:
    if actor.gone:
        yield "the table is gone"
    if [entry.seq for entry in stored] != list(range(1, len(stored) + 1)):
        yield "the numbers have holes"
    elif looks(history_of(stored).table) != looks(actor.table):
        yield "the table is not the fold of its events"
