"""P21: rules that are made to hurt. What is refused is refused shortly, what is accepted is played.

What is judged is found out from deals that are dealt here, and from the log.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final
from unittest.mock import patch

from tests.faults.rule_sets import written
from tests.hands import ENDLESS
from tests.judge import pack
from tests.laws.playing import random_action
from tests.server.clock import HandTurnedClock
from tests.server.core.tables import Chances, FirstLegal, without_seat
from tests.server.memory.store import MemoryStore
from tests.unicode.halves import holds_half

from rookery.bots.player import KernelPlayer
from rookery.game import Hand
from rookery.rules import Rules, RulesError, source, stored
from rookery.server.api.problems import Problem
from rookery.server.api.rules import check, read_rules
from rookery.server.http.middleware import _bad_body
from rookery.server.live.actor import Actor
from rookery.server.live.connection import Connection
from rookery.server.registry.tables import TableRegistry
from rookery.server.settings import Settings
from rookery.server.store.base import TableRow
from rookery.server.store.leases import UNOWNED, Lease
from rookery.server.table import commands as cm
from rookery.server.table import dealing, fold, state
from rookery.server.table import events as ev
from rookery.server.table.messages import Closing, encoded
from rookery.server.table.state import Who

ANSWER: Final = 32_000  # characters that an answer about rules has at most
DEALS: Final = 400  # dealt of a game to see how many can be played
FEWEST: Final = 0.04  # of these, where one in ten can be: five standard deviations
MOST: Final = 0.18
RUNNING: Final = 50  # hands that are dealt without a person's card, at most
AT_ONCE: Final = 5  # hands that are dealt in one turn of the event loop, at most
BEGINNING: Final = 20  # acts, after which an evening's average counts
HANDS: Final = 1_000  # of an evening, at most
MESSAGE: Final = 65_536  # bytes
AN_ACT: Final = 400  # bytes of the log, with what a hand or a command takes besides
A_HAND: Final = 2_000


@dataclass
class Found:
    """What came of some rules.

    Attributes:
        wrong: what is not as promised.
        rules: the rules, where they were accepted.
        seen: how often each thing was seen.
        longest: the most seconds of a core that a check took.
    """

    wrong: list[str] = field(default_factory=list)
    rules: Rules | None = None
    seen: Counter[str] = field(default_factory=Counter)
    longest: float = 0.0


def checked(rules: dict[str, Any], dice: Random) -> Found:
    """Check some rules as a server does, and whether the answer is right."""
    found = Found()
    sent = json.dumps(rules)
    if holds_half(sent):
        found.seen["no text"] += 1
        found.wrong += ["half a pair is let in"] * (_bad_body(sent.encode()) is None)
        return found
    began = time.thread_time()
    try:
        answer = check(rules, "es")
    except Problem:
        found.seen["refused at the door"] += 1
        return found
    except Exception as error:
        found.wrong.append(f"{type(error).__name__} at {json.dumps(rules)[:200]}")
        return found
    found.longest = time.thread_time() - began
    if len(answer.model_dump_json()) > ANSWER:
        found.wrong.append(f"an answer of {len(answer.model_dump_json())} characters")
    found.seen["accepted" if answer.ok else "refused"] += 1
    few = any(problem.code == "too-many-redeals" for problem in answer.problems)
    if few:
        share = playable(_options(rules), dice)
        found.seen["refused because hardly a deal could be played"] += 1
        found.wrong += [f"refused, and {share:.0%} of the deals can be played"] * (share > MOST)
    if answer.ok:
        found.rules = read_rules(rules)
        share = playable(found.rules.options(), dice)
        found.wrong += [f"accepted, and {share:.1%} of the deals can be played"] * (share < FEWEST)
    return found


def _options(rules: dict[str, Any]) -> dict[str, Any]:
    """Return all options of rules that are refused only because of how they deal again."""
    try:
        return {**read_rules({**rules, "redeal": "none"}).options(), "redeal": "auto"}
    except RulesError as error:
        raise AssertionError(f"there is more wrong with {rules}: {error}") from None


def playable(options: dict[str, Any], dice: Random) -> float:
    """Return which share of some deals the rules do not cancel by themselves."""
    if options["redeal"] != "auto":
        return 1.0
    worth = [pack.worth(options, card) > 0 for card in pack.deck(options)]
    seats, size = options["seats"], options["hand_size"]
    good = 0
    for _ in range(DEALS):
        dice.shuffle(worth)
        good += all(any(worth[at : at + size]) for at in range(0, seats * size, size))
    return good / DEALS


class Club(FirstLegal):
    """The bot `club`, which decides at once."""

    async def move(self, table: str, bot: str, hand: Hand, totals: Sequence[int] = ()) -> str:
        """Return what the bot does."""
        self.asked += 1
        seat = hand.to_act
        assert seat is not None
        return str(KernelPlayer("club", self.asked, seat).act(hand))


class Watched(MemoryStore):
    """Counts what is stored, and in which step of the event loop hands are dealt."""

    def __init__(self) -> None:
        super().__init__()
        self.step = self.bytes = self.acts = self.hands = self.running = self.longest = 0
        self.dealt: Counter[int] = Counter()

    async def append(
        self, row: TableRow, entries: Sequence[ev.Entry], lease: Lease = UNOWNED
    ) -> None:
        """Store events, and count them."""
        await super().append(row, entries, lease)
        for event in (entry.event for entry in entries):
            self.bytes += len(ev.written(event))
            if isinstance(event, ev.HandDealt):
                self.hands += 1
                self.running += 1
                self.longest = max(self.longest, self.running)
                self.dealt[self.step] += 1
            elif isinstance(event, ev.Acted):
                self.acts += 1
                if event.by == "person" and " play " in event.text:
                    self.running = 0
            elif isinstance(event, ev.Ready) and self.running >= RUNNING:
                self.running = 0  # the host was asked, and said so


class Evening:
    """A table with `club` on all seats but one, whose person plays, or only asks for hands."""

    def __init__(self, rules: Rules, dice: Random, acts: int, seconds: float) -> None:
        """Play until so many acts were done, or so many seconds of a core were used."""
        self.rules, self.dice, self.acts, self.seconds = rules, dice, acts, seconds
        self.idle = dice.random() < 0.3
        self.store, self.bots = Watched(), Club()
        self.largest = 0
        self.spent = 0.0
        self._said = 0

    async def play(self) -> list[str]:
        """Play, and return what is not as promised."""
        registry = TableRegistry(
            self.store, Settings(), HandTurnedClock(), self.bots, Chances(self.dice.randrange(99))
        )
        host = Who("p0", "Ann")
        actor = await registry.create(host, self.rules, pace="instant")
        assert isinstance(actor, Actor)
        line = actor.connect(host)
        actor.take(line, cm.Hello())
        actor.take(line, cm.Start("begin"))
        began, quiet, seen = time.thread_time(), 0, 0
        while quiet < 60 and self.store.acts < self.acts and self.store.hands < HANDS:
            self.spent = time.thread_time() - began
            if self.spent > self.seconds:
                break
            self.store.step += 1
            await asyncio.sleep(0)
            self._read(line)
            if line.outbox.ended:
                line = actor.connect(host)
                actor.take(line, cm.Hello())
            quiet = quiet + 1 if actor.table.seq == seen else 0
            seen = actor.table.seq
            if quiet == 20 and (not self.idle or actor.table.between_hands):
                self._act(actor, line)
        await registry.close()
        return list(self._judged())

    def _read(self, line: Connection) -> None:
        while len(line.outbox):
            message = line.outbox.take()
            if not isinstance(message, Closing):
                self.largest = max(self.largest, len(encoded(message)))

    def _act(self, actor: Actor, line: Connection) -> None:
        table = actor.table
        self._said += 1
        if table.between_hands:
            actor.take(line, cm.Next(f"next-{self._said}"))
        elif table.hand is not None and table.to_act == 0:
            text = without_seat(random_action(table.hand, self.dice))
            actor.take(line, cm.Act(f"act-{self._said}", text, table.seq))

    def _judged(self) -> Iterator[str]:
        store = self.store
        if store.longest > RUNNING:
            yield f"{store.longest} hands running without a person's card"
        if max(store.dealt.values(), default=0) > AT_ONCE:
            yield f"{max(store.dealt.values())} hands in one turn of the event loop"
        if self.largest > MESSAGE:
            yield f"a message of {self.largest} bytes"
        allowed = 8_000 + A_HAND * store.hands + AN_ACT * (store.acts + self._said)
        if store.bytes > allowed:
            yield f"{store.bytes} bytes stored for {store.hands} hands and {store.acts} acts"
        if not store.hands:
            yield "no hand was dealt"


@dataclass
class Sum:
    """What came of many rule sets.

    Attributes:
        wrong: what is not as promised, with the number of the rule set.
        seen: how often each thing was seen.
        longest: the most seconds of a core that a check took.
        acts: at tables.
        hands: at tables.
        largest: bytes of the largest message.
        running: the most hands running without a person's card.
        an_act: the most seconds of a core that an act took, on average of an evening.
    """

    wrong: list[str] = field(default_factory=list)
    seen: Counter[str] = field(default_factory=Counter)
    longest: float = 0.0
    acts: int = 0
    hands: int = 0
    largest: int = 0
    running: int = 0
    an_act: float = 0.0


def campaign(
    numbers: Sequence[int], seed: int, tables: int, acts: int, seconds: float = 1e9
) -> Sum:
    """Check the rule sets with these numbers, and begin a game by the first ones accepted."""
    found = Sum()
    for number in numbers:
        dice = Random(f"{seed} {number}")
        one = checked(written(dice), dice)
        found.seen += one.seen
        found.longest = max(found.longest, one.longest)
        wrong = one.wrong
        if one.rules is not None and found.seen["begun"] < tables:
            found.seen["begun"] += 1
            evening = Evening(one.rules, dice, acts, seconds)
            wrong += asyncio.run(evening.play())
            found.acts += evening.store.acts
            found.hands += evening.store.hands
            found.largest = max(found.largest, evening.largest)
            found.running = max(found.running, evening.store.longest)
            if evening.store.acts > BEGINNING:
                found.an_act = max(found.an_act, evening.spent / evening.store.acts)
        found.wrong += [f"rule set {number} of seed {seed}: {what}" for what in wrong]
    return found


@contextmanager
def uncounted() -> Iterator[None]:
    """Have nobody count for a while which deals can be played: the first fault."""
    with patch.object(source, "excesses", lambda _: []):
        yield


@contextmanager
def endless() -> Iterator[None]:
    """Have tables deal on for a while, 64 hands at a time, whoever plays: the second fault."""
    with ExitStack() as faults:
        faults.enter_context(patch.object(dealing, "AT_ONCE", 64))
        for module in (dealing, fold, state):
            faults.enter_context(patch.object(module, "UNPLAYED", 1 << 60))
        yield


def planted(numbers: Sequence[int], seed: int) -> tuple[int, int]:
    """Return how much is found wrong with each of the two faults."""
    with uncounted():
        first = campaign(numbers, seed, 0, 0)
    with endless():
        evening = Evening(stored(ENDLESS), Random(seed), 500, 1e9)
        second = asyncio.run(evening.play())
    return len(first.wrong), len(second)
