"""Who plays in the cage: people, bots, a program and one who watches, at every game there is."""

from __future__ import annotations

import asyncio
import json
from collections.abc import MutableMapping, Sequence
from random import Random
from typing import Any, Final
from zlib import crc32

import msgspec
from tests.faults.cage import Cage
from tests.laws.playing import random_action
from tests.server.core.tables import PATIENCE, FirstLegal, without_seat
from tests.server.http.served import HOME
from tests.server.http.test_doors import reading
from tests.unicode.halves import BYTES, HALVES

from rookery.bots.player import KernelPlayer
from rookery.game import Hand
from rookery.review.reasons import why
from rookery.rules import RulesError, catalog, load
from rookery.server.live.actor import Actor
from rookery.server.live.connection import TOO_SLOW
from rookery.server.table.messages import Hint
from rookery.server.table.state import Who

HANDS: Final = 3  # of a match at most
NAMES: Final = ("Ann", "Bob", "Cy", "Dee", "Eve", "Flo", "Gus", "Hal", "Ida")
HINTS: Final = 0.04  # how often somebody asks for a hint, ...
TRIES: Final = 0.04  # ... or tries what is mostly refused
PAGES: Final = 3  # looked at in between, each time somebody looks
BOT: Final = "protocol=rookery-bot/1"
MORE: Final[tuple[dict[str, Any], ...]] = (
    {"base": "kd_tournament", "nest_face_up": 1, "target": 10},
    {"base": "kd_tournament", "renege": "penalised", "target": 10},
    {"base": "display", "dummy_exposed": "before_lead", "target": 10},
    {"base": "call_partner_4_short", "partner_revealed": "at_once", "target": 10},
)


def games() -> list[str | dict[str, Any]]:
    """Return every game of the catalogue, as short as its rules let it be, and some of our own."""
    return [*map(_short, catalog()), *MORE]


def _short(name: str) -> str | dict[str, Any]:
    wanted: dict[str, Any] = {"base": name, "target": 10}
    try:
        load(wanted)
    except RulesError:
        return name
    return wanted


class Aloud(FirstLegal):
    """A real bot that decides at once, and says why if it is asked for advice."""

    async def move(self, table: str, bot: str, hand: Hand, totals: Sequence[int] = ()) -> str:
        """Return what the bot does."""
        self.asked += 1
        seat = hand.to_act
        assert seat is not None
        return str(KernelPlayer("papa", self.asked, seat).act(hand))

    async def advise(self, hand: Hand) -> Hint:
        """Return what the bot would do, and why."""
        text = await self.move("", "", hand)
        reason = why(hand, text)
        return Hint(without_seat(text), reason.code, reason.text, about=reason.about)


class Guest:
    """Somebody at a table, or a program, on a socket without a network.

    What is done is found out from the table itself: whoever plays is no part of what is looked at.

    Attributes:
        person: the id of whoever it is.
        stays: whether the seat is kept to the end.
        over: set once as much has been played as is wanted.
        task: the socket's, as long as it is open.
    """

    def __init__(
        self, cage: Cage, actor: Actor, who: tuple[str, str], dice: Random, protocol: str = ""
    ) -> None:
        """Come in; a program says which `protocol` it speaks."""
        self.person, cookie = who
        self._cage, self._actor, self._dice = cage, actor, dice
        self._program = bool(protocol)
        self._code = actor.table.code
        self._changes = crc32(self.person.encode()) % 2 == 0
        self.stays = False  # where everybody leaves, nothing goes on
        self._said = 0
        self.over = asyncio.Event()
        self._scope = {
            "type": "websocket",
            "asgi": {"version": "3.0"},
            "path": f"/ws/{self._code}",
            "raw_path": f"/ws/{self._code}".encode(),
            "root_path": "",
            "query_string": protocol.encode(),
            "scheme": "ws",
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 8000),
            "subprotocols": [],
            "headers": [
                (b"host", HOME.partition("//")[2].encode()),
                (b"origin", HOME.encode()),
                (b"cookie", cookie.encode()),
            ],
        }
        self._come()

    def _come(self) -> None:
        self._did: object = None  # the turn that this one has played last
        self._inbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._inbox.put_nowait({"type": "websocket.connect"})
        app: Any = self._cage.here.app
        self.task: asyncio.Task[None] = asyncio.create_task(
            app(self._scope, self._inbox.get, self._hear)
        )
        if not self._program:
            self.say(type="hello", changes=self._changes)

    def say(self, **message: object) -> None:
        """Say something; what is answered comes when it comes."""
        text = json.dumps(message)  # msgspec writes no half of a pair
        self._inbox.put_nowait({"type": "websocket.receive", "text": text})

    def change(self, kind: str, why: str = "try", **fields: object) -> None:
        """Ask for a change; its id begins with `why`."""
        self._said += 1
        self.say(type=kind, id=f"{why}-{self._said}", **fields)

    async def leave(self) -> None:
        """Hang up."""
        self._inbox.put_nowait({"type": "websocket.disconnect", "code": 1000})
        await self.task

    async def _hear(self, message: MutableMapping[str, Any]) -> None:
        if message["type"] == "websocket.close" and message["code"] == TOO_SLOW:
            self._come()  # too much was said while nobody was to hear anything
        if message["type"] != "websocket.send":
            return
        await self._cage.going.wait()
        text: str = message["text"]
        self._cage.frames += 1
        what = "a program" if self._program else "a frame"
        self._cage.told(self.person, self._code, text, what)
        if text.startswith('{"type":"closing"'):
            return
        if text.startswith('{"type":"refused","id":"move-'):
            self._did = None  # it has to be played yet
        self._answer(text)

    def _answer(self, text: str) -> None:
        """Do what is to be done now."""
        table = self._actor.table
        if table.phase == "over" or (table.place >= HANDS - 1 and table.between_hands):
            self.over.set()
            return
        seat = table.seat_of(self.person)
        if seat is None or table.phase != "playing" or table.hand is None:
            return
        at = (table.dealt_seq, len(table.hand.actions), table.pending, table.denied)
        if self._did == at:
            return
        self._did = at
        if self._program:
            if text.startswith('{"type":"act"'):
                asked = msgspec.json.decode(text)["id"]
                self.say(id=asked, action=without_seat(random_action(table.hand, self._dice)))
            else:
                self._did = None
        elif table.pending is not None:
            if seat in table.pending.voters and seat not in table.pending.votes:
                self.change("vote", yes=self._dice.random() < 0.7)
        elif table.hand.over:
            self.change("next")
        elif table.to_act == seat:
            self._play(table.hand)
        elif self._dice.random() < TRIES / 2:
            self._try(table.hand)

    def _play(self, hand: Hand) -> None:
        if self._dice.random() < HINTS:
            self.say(type="hint")
        if self._dice.random() < TRIES:
            self._try(hand)
        text = without_seat(random_action(hand, self._dice))
        self.change("act", "move", action=text, seen=self._actor.table.seq)

    def _try(self, hand: Hand) -> None:
        """Try what is mostly refused."""
        seen = self._actor.table.seq
        played = hand.names(hand.played)
        tries: list[dict[str, Any]] = [
            {"kind": "undo"},
            {"kind": "claim"},
            {"kind": "act", "action": "pass", "seen": seen},
            {"kind": "act", "action": "discard", "seen": seen},
            {"kind": "act", "action": "play RX", "seen": seen},
            {"kind": "challenge", "seat": self._dice.randrange(hand.rules.seats)},
            {"kind": "chat", "phrase": "hello"},
            {"kind": "chat", "text": self._dice.choice(HALVES)},
            {"kind": "act", "action": f"play {self._dice.choice(HALVES)}", "seen": seen},
            {"kind": "sit"},
        ]
        if played:
            card = self._dice.choice(played)
            tries.append({"kind": "act", "action": f"play {card}", "seen": seen})
            tries.append({"kind": "act", "action": f"discard {card} {card}", "seen": seen})
        if not self.stays and self._dice.random() < 0.1:
            tries = [{"kind": "leave"}]
        self.change(**self._dice.choice(tries))
        if self._dice.random() < 0.1:
            self.say(type="hello", seen=seen, changes=self._changes)


class Match:
    """A table in the cage, from its first guest to its last page."""

    def __init__(self, cage: Cage, number: int) -> None:
        """Lay the table for match `number`: the games come in turns."""
        self.cage, self.dice = cage, Random(f"{cage.seed} {number}")
        known = games()
        self.rules = load(known[number % len(known)])
        self.people = self.dice.randint(1, self.rules.seats)
        self.machine = self.people < self.rules.seats and self.dice.random() < 0.3

    async def play(self) -> None:
        """Play the match, and look through all that is said of it."""
        cage, dice = self.cage, self.dice
        whos = [await cage.person(name) for name in NAMES]
        host = Who(whos[0][0], NAMES[0])
        made = await cage.here.registry.create(host, self.rules, pace="instant", listed=True)
        assert isinstance(made, Actor)
        code = made.table.code
        guests = [Guest(cage, made, who, dice) for who in whos[: self.people]]
        guests[0].stays = True
        for guest in guests[1:]:
            guest.change("sit")
        if self.machine:
            guests.append(Guest(cage, made, whos[self.people], dice, BOT))
        async with asyncio.timeout(PATIENCE):
            while sum(chair.kind == "person" for chair in made.table.chairs) < len(guests):
                await turns(1)
            watcher = Guest(cage, made, whos[-1], dice)
            guests[0].change("start")
            pages = [*reading(code), f"/api/replay/{code}/9?seat=1", "/api/tables/XXXXXXX"]
            pages += [f"/api/tables/{code}{broken}" for broken in BYTES]
            while made.table.hand is None:
                await turns(1)
            for _ in range(dice.randint(1, 2)):
                later = made.table.seq + dice.randrange(40)
                while made.table.seq < later and not guests[0].over.is_set():
                    await turns(1)
                # Some pages take longer than a whole match of this pace: often it waits for them.
                if dice.random() < 0.7:
                    cage.going.clear()
                await cage.looked_at(code, dice.choice(whos)[1], dice.sample(pages, PAGES))
                cage.going.set()
                if dice.random() < 0.3:
                    watcher.change("sit")
            await guests[0].over.wait()
            await cage.looked_at(
                code, dice.choice(whos)[1], [*after(code), *dice.sample(pages, PAGES)]
            )
            await cage.overseen()
        for guest in (*guests, watcher):
            await guest.leave()
        await cage.here.registry._actors.pop(code).stop()


def after(code: str) -> list[str]:
    """Return the pages that tell what has been played."""
    played = (f"/api/replay/{code}/0", f"/api/replay/{code}/0?seat=0", f"/api/tables/{code}/record")
    told = (f"/api/tables/{code}/{what}" for what in ("hands", "statistics", "ratings"))
    return [*played, *told]


async def turns(many: int) -> None:
    """Let things go on for so many turns of the loop."""
    for _ in range(many):
        await asyncio.sleep(0)


def caught(seed: int, first: int, matches: int) -> Cage:
    """Play some matches, from number `first` on, in a cage of their own; return it."""
    cage = Cage(seed, Aloud())

    async def story() -> None:
        async with cage.here.running():
            for number in range(first, first + matches):
                await Match(cage, number).play()

    with cage.shut():
        asyncio.run(story())
    return cage
