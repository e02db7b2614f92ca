"""The boards of a match as a job: compiled, uncompiled, on a GPU, or one action at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from rookery.bots.names import Bot
from rookery.cards import CARDS
from rookery.engine.targets import Target
from rookery.lab.duplicate.boards import WIDTH, play_boards, rooms_of, scale_of
from rookery.lab.duplicate.hand_boards import play_hand_boards
from rookery.lab.run.jobs import Sums
from rookery.lab.run.programs import program, records, zeros
from rookery.rules import Rules
from rookery.rules.table import PLACES, RuleTable, compile_rules

CHUNK: Final = 4000  # boards; some milliseconds of compiled play
PLAIN_CHUNK: Final = 25  # boards that are played without compiled code
SEARCH_CHUNK: Final = 1  # board of bots that search for seconds: progress shows, little is lost
GPU_CHUNK: Final = 1 << 22
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
        return GPU_CHUNK if self.target == "cuda" else CHUNK

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
            sums = play_hand_boards(self.rules, self.lineup, *numbers, self.deadline_ms)
            return np.array(sums, np.int64)
        if self.target == "cuda":
            from rookery.lab.duplicate.boards_gpu import play_boards_on_gpu

            return play_boards_on_gpu(self.rules, kinds, *numbers)
        made_for = frozenset((*kinds, *self.company)) if self.bound else None
        play, rules = program(self.target, play_boards, self.rules, made_for)
        lineup, *lists, sums = zeros(self.target, PLACES, PLACES, PLACES, CARDS, WIDTH)
        lineup[: len(kinds)] = kinds
        play(rules, *records(self.target), lineup, *lists, *numbers, sums)
        return np.array(sums, np.int64)


def bin_width(table: RuleTable, rooms: int) -> int:
    """Return the width of a bin of the histogram, in the unit of a board's results."""
    return max(1, table.bid_maximum // BINS_A_GAME) * scale_of(table, rooms)
