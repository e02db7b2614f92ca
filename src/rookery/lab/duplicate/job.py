"""The boards of a match as a job: compiled, uncompiled, on a GPU, or one action at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np

from rookery.bots.dispatch import seated
from rookery.bots.names import Bot
from rookery.bots.seat_info import SeatInfo
from rookery.cards import CARDS
from rookery.engine.records import array_of
from rookery.engine.state import Hidden, State
from rookery.engine.targets import Target, load
from rookery.lab.duplicate.boards import WIDTH, play_boards, rooms_of, scale_of
from rookery.lab.duplicate.hand_boards import play_hand_boards
from rookery.lab.run.jobs import Sums
from rookery.rules import Rules
from rookery.rules.table import PLACES, RuleTable, compile_rules

CHUNK: Final = 4000  # boards; some milliseconds of compiled play
PLAIN_CHUNK: Final = 25  # boards that are played without compiled code
SEARCH_CHUNK: Final = 1  # board of bots that search for seconds: progress shows, little is lost
GPU_PIECE: Final = 1 << 22
BINS_A_GAME: Final = 16  # bins of the histogram to the game's highest bid
DEADLINE: Final = 1000  # ms that an outside program has for an action


@dataclass(frozen=True)
class Boards:
    """A job: some boards of a line-up.

    Attributes:
        name: the job's name.
        units: how many boards.
        rules: the rules.
        lineup: the bots from seat 0 of the first room on, one a seat.
        seed: of all boards.
        skip: the number of the first board.
        target: where kernels run; never changes the result.
        by_hand: play one action at a time, as bots without kernels always do.
        deadline_ms: how long an outside program has for an action.
        company: numbers of further bots to compile for, so that a whole league compiles once.
        bound: compile for these rules and bots alone; this plays faster and compiles for seconds.
    """

    name: str
    units: int
    rules: Rules
    lineup: tuple[Bot, ...]
    seed: int
    skip: int = 0
    target: Target = "numba"
    by_hand: bool = False
    deadline_ms: int = DEADLINE
    company: tuple[int, ...] = ()
    bound: bool = True

    @property
    def kinds(self) -> tuple[int, ...] | None:
        """The bots' numbers in compiled code; None where a bot has none, or with `by_hand`."""
        numbers = [bot.kernel for bot in self.lineup]
        known = [number for number in numbers if number is not None]
        return None if self.by_hand or len(known) < len(numbers) else tuple(known)

    @property
    def chunk(self) -> int:
        """How many boards a worker takes at a time."""
        if any(bot.kernel is None and not bot.command for bot in self.lineup):
            return SEARCH_CHUNK
        if self.kinds is None or self.target == "python":
            return PLAIN_CHUNK
        return GPU_PIECE if self.target == "cuda" else CHUNK

    @property
    def rooms(self) -> int:
        """How often each board is played."""
        return rooms_of(compile_rules(self.rules), self.lineup)

    def count(self, first: int, size: int) -> Sums:
        """Return the sums of these boards, shape (WIDTH,); see `rookery.lab.duplicate.boards`.

        Raises:
            BotFailed: a bot cannot play at all.
        """
        table, kinds, rooms = compile_rules(self.rules), self.kinds, self.rooms
        numbers = (rooms, bin_width(table, rooms), self.seed, self.skip + first, size)
        if kinds is None:
            noted = play_hand_boards(self.rules, self.lineup, *numbers, self.deadline_ms)
            return np.array(noted, dtype=np.int64)
        if self.target == "cuda":
            from rookery.lab.duplicate.boards_gpu import play_boards_on_gpu

            return play_boards_on_gpu(table, kinds, *numbers)
        if self.target == "python":
            return _plain(table, kinds, *numbers)
        return _compiled(self.rules, kinds, self.company if self.bound else None, *numbers)


def bin_width(table: RuleTable, rooms: int) -> int:
    """Return the width of a bin of the histogram, in the unit of a board's results."""
    return max(1, table.bid_maximum // BINS_A_GAME) * scale_of(table, rooms)


def _plain(table: RuleTable, kinds: Sequence[int], *numbers: int) -> Sums:
    rooms, width, seed, first, size = numbers
    sums, lineup = [0] * WIDTH, [*kinds, *[0] * (PLACES - len(kinds))]
    mine = [SeatInfo() for _ in range(PLACES)]
    who, dice, order = [0] * PLACES, [0] * PLACES, [0] * CARDS
    play_boards(
        table, State(), Hidden(), mine, lineup, who, dice, order, rooms, width, seed, first, size,
        sums,
    )  # fmt: skip
    return np.array(sums, dtype=np.int64)


@lru_cache(maxsize=64)
def _prepared(rules: Rules, kinds: tuple[int, ...] | None) -> tuple[Any, Any]:
    """Return the compiled function that plays boards, and the rule table that it takes.

    It is specialised to the rules and the bots, or to neither where `kinds` is None.
    """
    table = compile_rules(rules)
    made_for = (None, ()) if kinds is None else (table, seated(kinds))
    return load("numba", play_boards, *made_for), array_of(table)[0]


@lru_cache(maxsize=1)
def _fresh() -> tuple[Any, Any, Any]:
    """Return a public state, a hidden state and seat infos to copy; making them is slow."""
    return array_of(State()), array_of(Hidden()), array_of(*[SeatInfo()] * PLACES)


def _compiled(
    rules: Rules, kinds: tuple[int, ...], company: tuple[int, ...] | None, *numbers: int
) -> Sums:
    together = None if company is None else tuple(sorted({*kinds, *company}))
    play, table = _prepared(rules, together)
    s, h, mine = _fresh()
    sums, lineup = np.zeros(WIDTH, np.int64), np.zeros(PLACES, np.int64)
    lineup[: len(kinds)] = kinds
    play(
        table, s.copy()[0], h.copy()[0], mine.copy(), lineup,
        np.zeros(PLACES, np.int64), np.zeros(PLACES, np.int64), np.zeros(CARDS, np.int64),
        *numbers, sums,
    )  # fmt: skip
    return sums
