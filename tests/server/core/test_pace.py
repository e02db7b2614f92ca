"""When a bot acts is told by what everybody has seen, not by what it holds or how long it thinks.

Everything goes by a clock that the tests turn; how a bot's cards make it dawdle is ours to say.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TypeAlias

import pytest
from tests.server.core.tables import FirstLegal, Room, heard, play_one, running

from rookery.game import Hand
from rookery.server.clock import Clock
from rookery.server.live.actor import Actor
from rookery.server.settings import PACES, PaceName
from rookery.server.table import timers
from rookery.server.table.state import Table

SEEDS = range(1, 5)
ONE = range(1, 2)  # which finds the controls
ACTS = 50  # of a deal: the bidding, and some tricks
STEP = 20  # milliseconds by which the clock is turned
NORMAL = PACES["normal"]
# What everybody has seen that a moment may depend on: which act it is after, and whose.
Public: TypeAlias = tuple[str, bool]
Told: TypeAlias = dict[Public, set[int]]


class Dawdling(FirstLegal):
    """A bot that takes the longer, the more its cards are worth; its time is in the test's hand."""

    def __init__(self, clock: Clock, least: int, most: int) -> None:
        super().__init__()
        self._clock, self._least, self._most = clock, least, most
        self.took: set[int] = set()

    async def move(self, table: str, bot: str, hand: Hand, totals: Sequence[int] = ()) -> str:
        held = hand.hidden.hand[hand.to_act or 0]
        room = (self._most - self._least) // STEP
        took = self._least + STEP * (sum(map(ord, str(held))) % (room + 1))
        self.took.add(took)
        await self._clock.until(self._clock.now() + took)
        return await super().move(table, bot, hand, totals)


async def waits(seed: int, pace: PaceName, least: int, most: int, told: Told) -> set[int]:
    """Play the beginning of a deal beside bots that dawdle; return how long they took.

    To `told` comes how long after the act before it each act of a bot was shown, milliseconds.
    """
    room = Room(seed=seed)
    room.registry.thinker = dawdling = Dawdling(room.clock, least, most)
    actor, lines = await room.table(people=1, pace=pace)
    before = room.clock.now()
    for number in range(ACTS):
        hand, acts = actor.table.hand, _acts(actor)
        if hand is None or hand.over:
            break
        after = (hand.phase, bool(hand.tricks) and not hand.trick)
        if hand.to_act == 0:
            play_one(actor, lines, number)
            await room.settle()
        else:
            while _acts(actor) == acts:
                await room.turn(STEP)
                assert room.clock.now() - before < 100_000
            told[after].add(room.clock.now() - before)
        heard(lines[0])
        before = room.clock.now()
    await room.close()
    return dawdling.took


def _acts(actor: Actor) -> int:
    return 0 if actor.table.hand is None else len(actor.table.hand.actions)


def shown(pace: PaceName, least: int, most: int, seeds: range = SEEDS) -> Told:
    """Return at which distances bots act in several deals, by what everybody has seen."""
    told: Told = defaultdict(set)
    took: set[int] = set()

    async def scene() -> None:
        for seed in seeds:
            took.update(await waits(seed, pace, least, most, told))

    running(scene)
    # The bots did take their time by their cards, or there would be nothing to hide.
    assert len(took) > 5
    return told


def test_bots_keep_the_pace_whatever_they_hold() -> None:
    told = shown("normal", 0, NORMAL.move)
    assert {after for _, after in told} == {False, True}
    for (_, after_a_trick), found in told.items():
        assert found == {NORMAL.trick if after_a_trick else NORMAL.move}


def test_the_control_a_bot_that_outlasts_the_pace_tells_how_long_it_thought() -> None:
    told = shown("normal", NORMAL.move, NORMAL.move + 400, ONE)
    assert max(map(len, told.values())) > 5


def test_the_control_where_nothing_is_waited_for_it_tells_that_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sound = timers.bot_due

    def at_once(table: Table, resumed: int, *, awaited: bool = False) -> timers.Due | None:
        due = sound(table, resumed, awaited=awaited)
        return None if due is None else due._replace(at=0)

    monkeypatch.setattr(timers, "bot_due", at_once)
    assert max(map(len, shown("normal", STEP, NORMAL.move, ONE).values())) > 5


def test_a_table_without_a_pace_tells_as_much() -> None:
    # As SECURITY.md says: there is nothing to hide a bot's thinking behind.
    assert max(map(len, shown("instant", STEP, NORMAL.move, ONE).values())) > 5
