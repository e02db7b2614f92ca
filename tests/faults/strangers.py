"""P24: a seat is its owner's, against strangers with many cookies, leaving hosts and reloads.

One person with many cookies tries everything that could bring them a look at others' cards, or
another's seat, while owners reload in every phase. What is right is said here once more, out of
the table's events and of what each line was sent: whose cards were dealt where, who sat there, who
was away since when, and how long a turn had.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from msgspec import structs
from tests.faults.witness import GRACE, SEEN, Witness, is_stranger
from tests.server.core.tables import Room, heard
from tests.server.luck import same_codes
from tests.server.memory.store import MemoryStore

from rookery.rules import Rules, load
from rookery.server.live.actor import Actor
from rookery.server.live.connection import TOO_SLOW, Connection
from rookery.server.table import absence, fold, seating, timers, voting
from rookery.server.table import commands as cm
from rookery.server.table import events as ev
from rookery.server.table import messages as ms
from rookery.server.table.state import Table, Who

COOKIES: Final = 4
EVENING: Final = 1_000  # attempts at one table
AT_ONCE: Final = 12
# Matches that do not end meanwhile: outside a match a host may send people away.
GAMES: Final = tuple(
    load({"base": name, "target": 5_000})
    for name in ("kd_tournament", "kd_tournament", "call_partner_5", "red_1")
)
OWNERS: Final = (Who("o0", "Ann"), Who("o1", "Bob"))


@dataclass
class Siege:
    """What came of attempts.

    Attributes:
        tried: how many there were, by command and answer.
        phases: how many reloads there were in each phase.
        hands: how many hands were dealt.
        looked: how many times a stranger was sent a hand.
        wrong: what was wrong, in words.
    """

    tried: Counter[str] = field(default_factory=Counter)
    phases: Counter[str] = field(default_factory=Counter)
    hands: int = 0
    looked: int = 0
    wrong: list[str] = field(default_factory=list)

    @property
    def size(self) -> int:
        """How many attempts there were."""
        return self.tried.total()

    def add(self, other: Siege) -> None:
        """Add what came of others."""
        self.tried += other.tried
        self.phases += other.phases
        self.hands += other.hands
        self.looked += other.looked
        self.wrong += other.wrong


class Evening:
    """A table with its owners, and the stranger who is at it too."""

    def __init__(self, room: Room, actor: Actor, rules: Rules, rng: Random) -> None:
        """Begin with the table as it was made."""
        self.siege = Siege()
        self._room, self._actor, self._rng = room, actor, rng
        self._witness = Witness(rules.seats)
        self._lines: dict[str, Connection] = {}
        self._new: set[str] = set()  # who has come since the last look
        self._asked: dict[str, str] = {}  # the command of an id
        self._read = self._count = self._cookies = 0

    async def spend(self, attempts: int) -> None:
        """Try so many things, or fewer where something is wrong."""
        for who in OWNERS:
            if who.id not in self._lines:
                self._open(who)
            self._say(who, cm.Sit(self._id("sit")))
        full = self._rng.random() < 0.5  # without bots, so that people are asked
        for _ in range(len(self._actor.table.chairs) if full else COOKIES):
            who = self._new_cookie()
            if full:
                self._say(who, cm.Sit(self._id("sit")))
        for _ in range(0 if full else AT_ONCE):
            self._try(self._anybody())
        await self._look()
        self._begin()
        await self._look()
        if self._actor.table.phase == "lobby":
            return  # everybody left, or was sent away
        while self.siege.size < attempts and not self.siege.wrong:
            for _ in range(AT_ONCE):
                self._try(self._anybody())
            await self._look()
            for _ in range(self._rng.choice((0, 1, 6))):
                self._room.clock.turn(self._rng.choice((1_000, 1_000, 4_000, GRACE // 2)))
                await self._look()
                self._try(self._anybody(0.8))

    def _begin(self) -> None:
        """Have whoever is host begin the match."""
        table = self._actor.table
        person = None if table.host is None else table.chairs[table.host].person
        if person in self._lines:
            self._say(self._lines[person].who, cm.Start(self._id("start")))

    def _anybody(self, on_turn: float = 0.1) -> Who:
        """Return somebody who has a line, often whoever is on turn, or host."""
        table, dice = self._actor.table, self._rng.random()
        seat = table.to_act if dice < on_turn else table.host if dice < on_turn + 0.2 else None
        person = None if seat is None else table.chairs[seat].person
        if person in self._lines:
            return self._lines[person].who
        return self._lines[self._rng.choice(list(self._lines))].who

    def _new_cookie(self) -> Who:
        self._cookies += 1
        who = Who(f"x{self._cookies}", f"Zoe{self._cookies}")
        self._open(who)
        return who

    def _open(self, who: Who) -> None:
        line = self._lines[who.id] = self._actor.connect(who)
        self._new.add(who.id)
        self._actor.take(line, cm.Hello())

    def _close(self, person: str) -> Who:
        line = self._lines.pop(person)
        self._actor.disconnect(line)
        if not is_stranger(person):
            self._witness.gone[person] = self._room.clock.now()
        return line.who

    def _id(self, kind: str) -> str:
        self._count += 1
        self._asked[f"c{self._count}"] = kind
        return f"c{self._count}"

    def _say(self, who: Who, command: cm.Changing) -> None:
        self._actor.take(self._lines[who.id], command)

    def _try(self, who: Who) -> None:
        table, dice = self._actor.table, self._rng.random()
        seat = table.seat_of(who.id)
        acts = table.to_act is not None and table.to_act == seat
        if acts and dice < 0.5 and table.hand is not None:
            text = self._rng.choice(list(table.hand.legal())).words
            self._say(who, cm.Act(self._id("act"), text, table.seq))
        elif seat is not None and table.between_hands and dice < 0.5:
            self._say(who, cm.Next(self._id("next")))
        elif is_stranger(who.id):
            self._intrude(who)
        else:
            self._own(who)

    def _own(self, who: Who) -> None:
        """Do what somebody may do who does not wish anybody ill."""
        dice, seat = self._rng.random(), self._actor.table.seat_of(who.id)
        if dice < 0.3 and who.id not in self._new:
            hand = self._actor.table.hand
            self.siege.phases["lobby" if hand is None else hand.phase] += 1
            self.siege.tried["reload"] += 1
            self._open(self._close(who.id))
        elif dice < 0.35 and who.id not in self._new:
            self.siege.tried["away"] += 1
            self._close(who.id)
        elif dice < 0.36 and seat is not None:
            leave = cm.Leave(self._id("leave"))
            self._witness.leaving.add(f"{who.id}:{leave.id}")
            self._say(who, leave)
        elif seat is None:
            self._say(who, cm.Sit(self._id("sit"), wait=dice < 0.8))
        elif dice < 0.5:
            self._say(who, cm.Start(self._id("start")))
        elif dice < 0.8:
            self._say(who, cm.Vote(self._id("vote"), dice < 0.55))
        else:
            self._say(who, cm.Undo(self._id("undo")) if dice < 0.9 else cm.Claim(self._id("claim")))
        for owner in OWNERS:
            if owner.id not in self._lines and self._rng.random() < 0.15:
                self._open(owner)

    def _intrude(self, who: Who) -> None:
        """Try something that could bring a look at others' cards, another's seat or time."""
        rng, table = self._rng, self._actor.table
        seated = table.seat_of(who.id) is not None
        place = rng.randrange(len(table.chairs))
        if rng.random() < (0.01 if seated else 0.05):
            self.siege.tried["another cookie"] += 1
            self._close(who.id)
            self._new_cookie()
            return
        if seated and table.host == table.seat_of(who.id) and rng.random() < 0.7:
            hosts: list[cm.Changing] = [
                cm.Replace(self._id("replace"), place),
                cm.Replace(self._id("replace"), place, "papa"),
                *(cm.StandIn(self._id("stand_in"), place) for _ in range(2)),
                cm.Bot(self._id("bot"), place, rng.choice(("papa", None))),
                *(cm.Table(self._id("table"), clock=clock) for clock in (0, 5, 5, 5, 30)),
                cm.Arrange(self._id("arrange"), rng.sample(range(len(table.chairs)), k=4)),
                cm.Start(self._id("start")),
                cm.Rematch(self._id("rematch")),
            ]
            self._say(who, rng.choice(hosts))
            return
        others: list[cm.Changing] = [
            cm.Sit(self._id("sit"), place),
            cm.Sit(self._id("sit"), place),
            cm.Sit(self._id("sit"), wait=True),
            cm.Sit(self._id("sit"), place, wait=True),
            cm.Leave(self._id("leave")) if rng.random() < 0.2 else cm.Next(self._id("next")),
            cm.Undo(self._id("undo")),
            *(cm.Claim(self._id("claim")) for _ in range(6)),
            cm.Vote(self._id("vote"), rng.random() < 0.3),
        ]
        # Whoever has no seat wants one, most of the time.
        self._say(who, rng.choice(others if seated or rng.random() < 0.3 else others[:4]))

    async def _look(self) -> None:
        """Let all of it happen, and look at what came of it."""
        await self._room.settle()
        store = self._room.store
        assert isinstance(store, MemoryStore)
        log = store.events[self._actor.table.code]
        for entry in log[self._read :]:
            self.siege.wrong += self._witness.learn(entry)
            self.siege.hands += isinstance(entry.event, ev.HandDealt)
        self._read = len(log)
        # What a host did before they were back was done to somebody who was away.
        for person in self._new:
            self._witness.gone.pop(person, None)
        self._new.clear()
        for line in list(self._lines.values()):
            self._hear(line)
        self._witness.sat_at = {self._read: self._witness.sat_at[self._read]}

    def _hear(self, line: Connection) -> None:
        for message in heard(line):
            if isinstance(message, ms.Ack | ms.Refused) and message.id is not None:
                told = "done" if isinstance(message, ms.Ack) else message.code
                asked = self._asked.pop(message.id)
                self.siege.tried[f"{asked}: {told}"] += 1
            elif isinstance(message, ms.Update | ms.Welcome):
                shown = SEEN.decode(message.table)
                self.siege.looked += bool(
                    is_stranger(line.who.id) and shown.view is not None and shown.view.hand
                )
                self.siege.wrong += self._witness.saw(line.who, shown, message.seq)
            elif isinstance(message, ms.Closing) and message.code == TOO_SLOW:
                # Here nobody reads before all has happened: where that is much, they come again.
                self._open(self._close(line.who.id))
            elif isinstance(message, ms.Closing):
                self.siege.wrong.append(f"{line.who.id} is disconnected: {message.code}")


def _hasty(table: Table, command: cm.Replace, bot: str) -> object:
    chairs = (c._replace(stand_in=c.stand_in or bot) if not c.here else c for c in table.chairs)
    return _REPLACE(structs.replace(table, chairs=tuple(chairs)), command, bot)


def _at_once(table: Table, *rest: Any, **more: Any) -> timers.Due | None:  # noqa: ANN401
    return _DUE(structs.replace(table, turn_clock=table.clock), *rest, **more)


def _impatient(table: Table, command: cm.StandIn, bot: str, _: int) -> object:
    return _STAND_IN(table, command, bot, 1 << 60)


def _since_it_began(table: Table, event: ev.SettingsChanged, at: int) -> dict[str, Any]:
    return {**_SETTINGS(table, event, at), "moved_at": table.moved_at}


_REPLACE, _DUE, _STAND_IN = seating.replace, timers.due, absence.stand_in
_SETTINGS: Final = vars(fold)["_settings"]
# What was so once: where it is, what it is there, and the fault in its place.
PLANTED: Final[dict[str, tuple[object, str, object]]] = {
    "spare seats during a hand": (Table, "in_hand", property(lambda _: False)),
    "no grace before a bot": (seating, "replace", _hasty),
    "a bot while a page is loaded again": (absence, "stand_in", _impatient),
    "a clock from now on": (timers, "due", _at_once),
    "a new clock since the turn began": (fold, "_settings", _since_it_began),
    "claims without end": (voting, "may_ask", lambda *_: True),
}


async def besieged(attempts: int, seed: int) -> Siege:
    """Try so many things at tables, one after another, and return what came of it.

    The same seed is the same siege. What happens depends on the tables' codes, so these follow too.
    """
    with same_codes(f"{seed}"):
        return await _besieged(attempts, seed)


async def _besieged(attempts: int, seed: int) -> Siege:
    siege, number = Siege(), 0
    while siege.size < attempts and not siege.wrong:
        rng = Random(f"{seed} {number}")
        room, rules = Room(seed=seed + number), GAMES[number % len(GAMES)]
        # Every other table is the stranger's own.
        maker = OWNERS[0] if number % 2 else Who("x0", "Zoe")
        made = await room.registry.create(maker, rules, pace=rng.choice(("instant", "brisk")))
        assert isinstance(made, Actor)
        evening = Evening(room, made, rules, rng)
        if is_stranger(maker.id):
            evening._open(maker)
        await evening.spend(min(EVENING, attempts - siege.size))
        siege.add(evening.siege)
        await room.close()
        number += 1
    return siege
