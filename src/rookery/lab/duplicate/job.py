"""The boards of a match as a job: compiled, uncompiled, on a GPU, or one action at a time."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from rookery.bots.names import Bot
from rookery.cards import CARDS
from rookery.engine.records import array_of
from rookery.engine.state import Hidden, State
from rookery.engine.targets import Target
from rookery.game import Hand
from rookery.lab.duplicate import boards as at
from rookery.lab.duplicate.boards import (
    draw_board,
    note_board,
    note_room,
    play_boards,
    rooms_of,
    scale_of,
)
from rookery.lab.duplicate.by_hand import DEADLINE, HandPlayed, Seats, Told, play_hand
from rookery.lab.run.jobs import Sums
from rookery.lab.run.programs import program, records, zeros
from rookery.rules import Rules
from rookery.rules.table import PLACES, RuleTable, compile_rules

CHUNK: Final = 4000  # boards; some milliseconds of compiled play
# Boards that are played without compiled code. A program of somebody else is started afresh for
# each chunk, so that every run asks it the same.
PLAIN_CHUNK: Final = 25
SEARCH_CHUNK: Final = 1  # board of bots that search for seconds: progress shows, little is lost
GPU_CHUNK: Final = 1 << 22
BINS_A_GAME: Final = 16  # bins of the histogram to the game's highest bid


@dataclass(frozen=True)
class LineupJob:
    """A job of a line-up.

    Attributes:
        units: how many boards, or sets of games.
        lineup: the bots from seat 0 of the first room on, one a seat.
        skip: the number of the first unit.
        target: where kernels run; never changes the result.
        by_hand: play one action at a time, as bots without kernels always do.
        deadline_ms: how long an outside program has for an action.
        told: called with each hand; only with `by_hand`, or where a bot has no kernel.
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
    told: Told | None = field(default=None, compare=False, repr=False)

    @property
    def kinds(self) -> tuple[int, ...] | None:
        """The bots' numbers in compiled code; None where a bot has none, or with `by_hand`."""
        known = [bot.kernel for bot in self.lineup if bot.kernel is not None]
        return None if self.by_hand or len(known) < len(self.lineup) else tuple(known)

    @property
    def rooms(self) -> int:
        """In how many rooms each unit is played."""
        return rooms_of(compile_rules(self.rules), self.lineup)


@dataclass(frozen=True)
class Boards(LineupJob):
    """A job: some boards of a line-up.

    Attributes:
        company: numbers of further bots to compile for, so that a whole league compiles once.
        bound: compile for these rules and bots alone; this plays faster and compiles for seconds.
    """

    company: tuple[int, ...] = ()
    bound: bool = True

    @property
    def chunk(self) -> int:
        """How many boards a worker takes at a time."""
        programs = any(bot.command for bot in self.lineup)
        if not programs and any(bot.kernel is None for bot in self.lineup):
            return SEARCH_CHUNK
        if self.kinds is None or self.target == "python":
            return PLAIN_CHUNK
        return GPU_CHUNK if self.target == "cuda" else CHUNK

    def count(self, first: int, size: int) -> Sums:
        """Return the sums of these boards, shape (WIDTH,); see `rookery.lab.duplicate.boards`."""
        table, kinds, rooms = compile_rules(self.rules), self.kinds, self.rooms
        width = bin_width(table, rooms)
        if kinds is None:
            return sum(boards_by_hand(self, first, size), np.zeros(at.WIDTH, np.int64))
        numbers, first = (rooms, width, self.seed), self.skip + first
        if self.target == "cuda":
            from rookery.lab.duplicate.boards_gpu import boards_kernel
            from rookery.lab.run.gpu import sums_on_gpu

            kernel = boards_kernel(self.rules, frozenset(kinds))
            arrays = array_of(table), np.array(kinds, np.int64)
            return sums_on_gpu(kernel, arrays, numbers, first, size, at.WIDTH)
        made_for = frozenset((*kinds, *self.company)) if self.bound else None
        play, rules = program(self.target, play_boards, self.rules, made_for)
        lineup, *lists, sums = zeros(self.target, PLACES, PLACES, PLACES, CARDS, at.WIDTH)
        lineup[: len(kinds)] = kinds
        play(rules, *records(self.target), lineup, *lists, *numbers, first, size, sums)
        return np.array(sums, np.int64)


@dataclass(frozen=True)
class BoardsByHand(Boards):
    """Boards that are played one action at a time: each is counted by itself."""

    def parts(self, first: int, size: int) -> Generator[tuple[int, Sums], None, None]:
        """Yield the sums of board after board; the bots are seated anew at the first one."""
        with closing(boards_by_hand(self, first, size)) as played:
            for sums in played:
                yield 1, sums


def boards_by_hand(job: Boards, first: int, size: int) -> Generator[Sums, None, None]:
    """Play boards of a job one action at a time, and yield the sums of each."""
    rules, table, rooms = job.rules, compile_rules(job.rules), job.rooms
    dice, order = [0] * PLACES, [0] * CARDS
    with closing(Seats(rules, job.lineup, job.deadline_ms)) as seats:
        for board in range(job.skip + first, job.skip + first + size):
            draw_board(table, State(), Hidden(), dice, order, job.seed, board)
            sums = [0] * at.WIDTH
            result = squares = 0
            for room in range(rooms):
                dealt = Hand(rules, board % rules.seats, order[: table.cards], None)
                where = f"board {board}, room {room + 1}"
                hand, answered = play_hand(dealt, seats, room, dice, where, sums)
                margin = note_room(table, hand.state, room, sums)
                result += margin
                squares += margin * margin
                if job.told is not None:
                    job.told(HandPlayed(board, room, 0, seats.bots(room), hand, answered, None))
            note_board(result, squares, bin_width(table, rooms), sums)
            yield np.array(sums, np.int64)


def bin_width(table: RuleTable, rooms: int) -> int:
    """Return the width of a bin of the histogram, in the unit of a board's results.

    It is odd, so that the middle bin reaches as far to either side of 0.
    """
    return max(1, table.bid_maximum // BINS_A_GAME) * scale_of(table, rooms) | 1
