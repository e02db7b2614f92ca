"""Cells: one bot against another under one rule set, played a block of boards at a time.

What has been played of a cell is a few whole numbers, so a run may stop after any block and another
one goes on from there; the same blocks give the same numbers whoever plays them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rookery.bots.names import Bot, bots
from rookery.engine.targets import Target
from rookery.lab.duplicate.boards import BOARDS, DECISIONS, SQUARES, TOTAL, rooms_of, scale_of
from rookery.lab.duplicate.job import Boards
from rookery.lab.duplicate.seeds import Family
from rookery.lab.duplicate.sprt import Side, Sprt
from rookery.lab.league.league import illegal_of, won_of
from rookery.lab.stats import Interval, interval_of
from rookery.lab.studies.question import Setting
from rookery.rules import load

COMPILED, THINKING = 1000, 10  # boards of a block


@dataclass(frozen=True)
class Cell:
    """A meeting, and what has been played of it.

    Attributes:
        rules: a variant's id.
        bots: the first has the side of seat 0, the second all the rest; names as everywhere.
        seed: of all its boards.
        family: which family these are of.
        sprt: the sequential test that ends it; None where all its boards are played.
        boards: how many were played, always the first ones.
        total: the sum of their results; `rookery.lab.duplicate.boards` says in what unit.
        squares: the sum of the results' squares.
        won: boards that the first bot won.
        level: boards that ended level or nearly so.
        lost: boards that it lost.
        decisions: actions of all bots.
        illegal: those that the rules did not allow.
        said: what the test said when it was played; it stands where a test waits longer today.
    """

    rules: str
    bots: tuple[str, str]
    seed: int
    family: Family = Family.VALIDATION
    sprt: Sprt | None = None
    boards: int = 0
    total: int = 0
    squares: int = 0
    won: int = 0
    level: int = 0
    lost: int = 0
    decisions: int = 0
    illegal: int = 0
    said: Side | None = None

    @property
    def key(self) -> tuple[object, ...]:
        """All that names it, and nothing of what was played."""
        return (self.rules, self.bots, self.seed, self.family, self.sprt)

    @property
    def setting(self) -> Setting:
        """The rule set."""
        return Setting(self.rules, load(self.rules))

    @property
    def lineup(self) -> tuple[Bot, ...]:
        """The bots from seat 0 of the first room on, one a seat."""
        first, second = (bots(name)[0] for name in self.bots)
        table = self.setting.table
        side = table.partners[0]
        return tuple(first if side >> seat & 1 else second for seat in range(table.seats))

    @property
    def block(self) -> int:
        """How many boards are played at a time; more where no bot thinks."""
        return COMPILED if all(bot.kernel is not None for bot in self.lineup) else THINKING

    @property
    def scale(self) -> int:
        """By what a result is divided to be points a board."""
        return scale_of(self.setting.table, rooms_of(self.setting.table, self.lineup))

    @property
    def points(self) -> Interval:
        """What the first bot wins, points a board, with the 95 % interval; of 2 boards or more."""
        return interval_of(self.boards, self.total, self.squares, self.scale)

    @property
    def ratio(self) -> float:
        """The test's likelihood ratio so far, as a logarithm; 0 without a test."""
        if self.sprt is None:
            return 0.0
        # An answer stays beside what it was given for, though today a test would wait.
        unlike = self.boards - (0 if self.said else self.level)
        return self.sprt.ratio(self.boards, self.total, self.squares, unlike, self.scale)

    @property
    def answer(self) -> Side | None:
        """What the test says; None where it does not know yet, or there is none."""
        return None if self.sprt is None else self.sprt.answer(self.ratio) or self.said

    def over(self, most: int) -> bool:
        """Return whether nothing is left to play where `most` boards are wanted."""
        return self.boards >= most or self.answer is not None

    def further(self, most: int, target: Target = "numba") -> Cell:
        """Return the cell with one more block played, up to `most` boards in all.

        A test is looked at after a block and never within one.

        Raises:
            BotFailed: a bot cannot play at all.
        """
        size = min(self.block, most - self.boards)
        job = Boards(
            "block", size, self.setting.rules, self.lineup, self.seed,
            self.family.first_board + self.boards, target, bound=False,
        )  # fmt: skip
        sums = job.count(0, size)
        won, level, lost = won_of(sums)
        return replace(
            self,
            boards=self.boards + int(sums[BOARDS]),
            total=self.total + int(sums[TOTAL]),
            squares=self.squares + int(sums[SQUARES]),
            won=self.won + won,
            level=self.level + level,
            lost=self.lost + lost,
            decisions=self.decisions + int(sums[DECISIONS]),
            illegal=self.illegal + illegal_of(sums, self.setting.table.seats),
        )
