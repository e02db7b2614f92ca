"""Tables for tests: made, seated and played without a server, or with one whose clock is ours."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from random import Random
from typing import Any

from tests.laws.playing import random_action
from tests.server.clock import HandTurnedClock
from tests.server.memory.store import MemoryStore

from rookery.game import Hand
from rookery.record import of_hand, of_match
from rookery.review.reasons import why
from rookery.rules import Rules, load
from rookery.server.bots.engine import BotThreads, OnProgress, State, Unanswered
from rookery.server.live.actor import Actor
from rookery.server.live.connection import Connection
from rookery.server.registry.history import History, history_of
from rookery.server.registry.tables import TableRegistry
from rookery.server.settings import PaceName, Settings
from rookery.server.store.base import Store, TableRow
from rookery.server.store.leases import UNOWNED, Lease
from rookery.server.table import commands as cm
from rookery.server.table import events as ev
from rookery.server.table import messages as ms
from rookery.server.table.dealing import frozen_rules, promised
from rookery.server.table.decide import decide
from rookery.server.table.fold import evolve
from rookery.server.table.refusals import Refused
from rookery.server.table.state import Table, Who

PEOPLE = [
    Who(f"p{i}", name)
    for i, name in enumerate(["Ann", "Bob", "Cy", "Dee", "Eve", "Flo", "Gus", "Hal"])
]
KENTUCKY = load("kd_tournament")
PATIENCE = 120.0  # seconds until a test gives a table up
LATER = 1 << 60  # milliseconds; every table was last used before that


def turn_of(actor: Actor) -> int:
    """Return the seat that has to act."""
    seat = actor.table.to_act
    assert seat is not None
    return seat


def acts(actor: Actor) -> int:
    """Return how many actions the hand has."""
    assert actor.table.hand is not None
    return len(actor.table.hand.actions)


class Chances:
    """Keys that come out the same in every run."""

    def __init__(self, seed: int = 1) -> None:
        self._random = Random(seed)

    def __call__(self) -> bytes:
        return self._random.randbytes(32)


class Sheet:
    """A table played by hand: every command and every event, with no store and no clock."""

    def __init__(self, rules: Rules = KENTUCKY, people: int | None = None, seed: int = 1) -> None:
        self.chances = Chances(seed)
        self.entries: list[ev.Entry] = []
        self.hands: list[Hand] = []  # as they were played here, the last one as it is
        self.table = Table("")
        self.now = 0
        made = ev.TableMade("ABCDEF2", "", False, frozen_rules(rules), "normal", None)
        self.add([made, promised("ABCDEF2", 0, self.chances)])
        for seat in range(rules.seats if people is None else people):
            self.say(PEOPLE[seat], cm.Sit("s"))

    def add(self, events: Sequence[ev.Event]) -> None:
        for event in events:
            self.now += 10
            entry = ev.Entry(self.table.seq + 1, self.now, event)
            self.entries.append(entry)
            self.table = evolve(self.table, entry)
            if isinstance(event, ev.HandDealt):
                self.hands.append(self.hand)
            elif isinstance(event, ev.Acted | ev.Undone):
                self.hands[-1] = self.hand

    @property
    def history(self) -> History:
        """What was played here, told from the events."""
        return history_of(self.entries)

    def ask(self, who: Who, command: cm.Changing) -> list[ev.Event] | Refused:
        return decide(self.table, who, command, self.chances, "papa")

    def say(self, who: Who, command: cm.Changing) -> list[ev.Event]:
        outcome = self.ask(who, command)
        assert not isinstance(outcome, Refused), outcome
        self.add(outcome)
        return outcome

    def code(self, who: Who, command: cm.Changing) -> str:
        outcome = self.ask(who, command)
        assert isinstance(outcome, Refused), outcome
        return outcome.code

    def act(self, text: str) -> list[ev.Event]:
        """Let whoever is to act do so, written with or without a seat."""
        person = self.person(self.hand.to_act)
        return self.say(person, cm.Act("a", without_seat(text), self.table.seq))

    def person(self, seat: int | None) -> Who:
        assert seat is not None
        found = self.table.chairs[seat].person
        return next(who for who in PEOPLE if who.id == found)

    @property
    def hand(self) -> Hand:
        assert self.table.hand is not None
        return self.table.hand

    def play(self, rng: Random, until: Callable[[Hand], bool]) -> None:
        """Play at random until a hand is as wanted, or the match is over."""
        while self.table.phase == "playing" and not until(self.hand):
            if self.hand.over:
                for seat in range(len(self.table.chairs)):
                    if self.hand.over:
                        self.say(self.person(seat), cm.Next("n"))
            else:
                self.act(random_action(self.hand, rng))


def started(rules: Rules = KENTUCKY, people: int | None = None, seed: int = 1) -> Sheet:
    """Return a table whose match has begun."""
    sheet = Sheet(rules, people, seed)
    sheet.say(PEOPLE[0], cm.Start("g"))
    return sheet


def without_seat(text: str) -> str:
    head, *rest = text.split(maxsplit=1)
    return rest[0] if head.isdigit() and rest else text


_SETS = ("match", "rules", "ready", "seen_by", "removed", "silenced", "denied")


def looks(table: Table) -> str:
    """Return everything that a table holds as a text, hidden cards too, to compare two."""
    match, hand = table.match, table.hand
    matches = [of_match(match).written(), match.totals, match.winners] if match else None
    hands = [hand.state, hand.hidden, hand.actions] if hand else None
    rest = [getattr(table, name) for name in table.__struct_fields__ if name not in _SETS]
    sets = [
        sorted(table.ready),
        sorted(table.seen_by),
        sorted(table.removed),
        table.silenced,
        sorted(table.denied),
        table.rules.options(),
    ]
    return json.dumps([matches, repr(hands), repr(rest), sets])


def hands_of(history: History) -> str:
    """Return the hands that are over in all that was played, to compare with those of a sheet."""
    hands = (hand for match in history.matches for hand in match.hands)
    return repr([(hand.written, hand.line.score) for hand in hands])


def seen_hands(hands: Sequence[Hand]) -> str:
    """Return the hands that are over as a text, all their cards and acts."""
    over = (hand for hand in hands if hand.over)
    return repr([(of_hand(hand), hand.score and tuple(hand.score)) for hand in over])


class FirstLegal(BotThreads):
    """A bot that does the first legal thing at once, or after a wait."""

    def __init__(self) -> None:
        self.asked = 0

    async def move(self, table: str, bot: str, hand: Hand, totals: Sequence[int] = ()) -> str:
        self.asked += 1
        return str(next(iter(hand.legal())))

    async def advise(self, hand: Hand) -> ms.Hint:
        action = next(iter(hand.legal()))
        reason = why(hand, action)
        return ms.Hint(action.words, reason.code, reason.text)

    async def review(self, record: bytes, progress: OnProgress) -> bytes:
        raise Unanswered("absent")

    def state(self, bot: str) -> State:
        return "ready"

    def expect(self, bots: Sequence[str]) -> None:
        pass

    def forget(self, table: str) -> None:
        pass

    async def leave(self) -> None:
        pass


class Room:
    """A registry whose clock is turned by hand, and the people in it."""

    def __init__(
        self, store: Store | None = None, settings: Settings | None = None, seed: int = 1
    ) -> None:
        self.clock = HandTurnedClock()
        self.store = store or MemoryStore()
        self.settings = settings or Settings()
        self.bots = FirstLegal()
        self.registry = TableRegistry(
            self.store, self.settings, self.clock, self.bots, Chances(seed)
        )

    async def table(
        self,
        people: int = 4,
        rules: Rules = KENTUCKY,
        pace: PaceName = "normal",
        begin: bool = True,
        clock: int | None = None,
    ) -> tuple[Actor, list[Connection]]:
        """Return a table with so many people sitting at it."""
        actor = await self.registry.create(PEOPLE[0], rules, pace=pace, clock=clock)
        assert isinstance(actor, Actor)
        lines = [actor.connect(who) for who in PEOPLE[:people]]
        for line in lines:
            actor.take(line, cm.Hello())
            if line.who != PEOPLE[0]:
                actor.take(line, cm.Sit(f"sit-{line.who.id}"))
        if begin:
            actor.take(lines[0], cm.Start("begin"))
        await self.settle()
        return actor, lines

    async def find(self, code: str) -> Actor | None:
        return await find(self.registry, code)

    async def settle(self) -> None:
        """Let everything that can happen now happen."""
        await settled()

    async def turn(self, milliseconds: int) -> None:
        self.clock.turn(milliseconds)
        await self.settle()

    async def close(self) -> None:
        await self.registry.close()


async def find(registry: TableRegistry, code: str) -> Actor | None:
    """Return the table of a code; None where this server has none."""
    found = await registry.place(code)
    return found if isinstance(found, Actor) else None


def running(test: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(test())


async def settled() -> None:
    """Let everything that waits for no clock and no store happen, counted in steps, not in time."""
    for _ in range(50):
        await asyncio.sleep(0)


class Dawdling(MemoryStore):
    """A store that awaits `wait` before and after each change: it makes races likely."""

    def __init__(self, wait: Callable[[], Awaitable[None]]) -> None:
        super().__init__()
        self._wait = wait

    async def append(
        self, row: TableRow, entries: Sequence[ev.Entry], lease: Lease = UNOWNED
    ) -> None:
        await self._wait()
        await super().append(row, entries, lease)
        await self._wait()

    async def read(self, code: str, after: int = 0, most: int | None = None) -> list[ev.Entry]:
        await self._wait()
        return await super().read(code, after, most)


def is_at_rest(actor: Actor) -> bool:
    """Return whether a table is doing nothing and nothing waits for it."""
    return actor._queue._finished.is_set()  # type: ignore[attr-defined, no-any-return]


async def quiet(actor: Actor) -> None:
    """Wait until a table has nothing more to do, on a store that takes its time."""
    until = time.monotonic() + PATIENCE
    rests = 0
    while rests < 2:
        # At rest is also a table that is about to be told what a task of its own has found.
        await settled()
        rests = rests + 1 if is_at_rest(actor) else 0
        assert time.monotonic() < until, "the table does not come to rest"
        if not rests:
            await asyncio.sleep(0.001)


def heard(line: Connection) -> list[ms.Message]:
    """Return what has been told to a connection since the last look."""
    found = []
    while len(line.outbox):
        found.append(line.outbox.take())
    return found


def last_table(messages: Sequence[ms.Message]) -> dict[str, Any]:
    shown = [m.table for m in messages if isinstance(m, (ms.Update, ms.Welcome))]
    table: dict[str, Any] = json.loads(bytes(shown[-1]))
    return table


def play_one(actor: Actor, lines: Sequence[Connection], number: int) -> str:
    """Let whoever is to act do the first legal thing; return the id of the command."""
    hand = actor.table.hand
    assert hand is not None
    text = next(iter(hand.legal())).words
    seat = hand.to_act
    assert seat is not None
    line = next(line for line in lines if line.who.id == actor.table.chairs[seat].person)
    # A table takes nothing from a connection that was too slow: whoever plays on has to read.
    assert not line.outbox.ended, "nobody has read what this connection was sent"
    actor.take(line, cm.Act(f"act-{number}", text, actor.table.seq))
    return f"act-{number}"
