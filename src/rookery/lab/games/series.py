"""A series of whole matches: sets of mirrored games, stopped and resumed at any of them."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from rookery.bots.names import Bot
from rookery.engine.targets import Target
from rookery.game.errors import counted
from rookery.lab.duplicate.by_hand import DEADLINE, Told
from rookery.lab.duplicate.match import Match, Stopped
from rookery.lab.duplicate.seeds import Family
from rookery.lab.games.games import DEALS, SETS, WIDTH, Sets
from rookery.lab.run.jobs import Counted, Executor, Journal, Progress, run_jobs
from rookery.rules import Rules

JOB: Final = "games"


class UnevenGames(ValueError):
    """A number of games that cannot be mirrored. Code: ``uneven-games``."""

    code = "uneven-games"


@dataclass(frozen=True)
class Series:
    """Whole matches to play.

    Attributes:
        match: rules, bots, seed, family and target; its boards are the sets of games.
    """

    match: Match

    @classmethod
    def of(
        cls,
        rules: Rules,
        label: str,
        bots: tuple[Bot, ...],
        games: int,
        seed: int = 1,
        family: Family = Family.TUNING,
        target: Target = "numba",
        deadline_ms: int = DEADLINE,
        told: Told | None = None,
    ) -> Series:
        """Return a series of `games` games; the other arguments are those of `Match`.

        Raises:
            BadLineup: the number of bots does not fit the game.
            UnevenGames: so many games cannot be mirrored.
        """
        cores: Target = "python" if target == "native" else target  # the library has no games
        match = Match(rules, label, bots, games, seed, family, None, cores, deadline_ms, told)
        if games % match.rooms:
            raise UnevenGames(
                f"{counted(games, 'game')} of {label}: expected a multiple of {match.rooms}, "
                "because each is played from all sides on the same deals"
            )
        return cls(replace(match, deals=games // match.rooms))

    @property
    def run(self) -> dict[str, str | int]:
        """Everything that the result depends on, by name, for a journal."""
        return {**self.match.run, "games": self.match.deals * self.match.rooms}

    @property
    def job(self) -> Sets:
        """All the games as a job."""
        match = self.match
        return Sets(
            JOB, match.deals, match.rules, match.lineup, match.seed,
            match.family.first_board // DEALS, match.target, match.told is not None,
            match.deadline_ms, match.told,
        )  # fmt: skip


@dataclass(frozen=True)
class PlayedSeries:
    """Whole matches that have been played.

    Attributes:
        series: the series.
        sums: its sums; see `rookery.lab.games.games`.
        seconds: how long the play took, without compiling.
        stopped: whether somebody stopped it before its end.
    """

    series: Series
    sums: tuple[int, ...]
    seconds: float
    stopped: bool = False


def play_series(
    series: Series,
    *,
    executor: Executor | None = None,
    journal: Journal | None = None,
    progress: Progress | None = None,
) -> PlayedSeries:
    """Play a series and return its sums.

    `executor` and `journal` are those of `rookery.lab.run.jobs.run_jobs`; `progress` is called
    with how many games are done, and how many there are.

    Raises:
        BotFailed: a bot cannot play at all.
        OSError: the journal cannot be written.
        Stopped: somebody stopped it, after a set of games at least.
    """
    job, rooms = series.job, series.match.rooms
    job.count(0, 0)  # compiles
    began = time.perf_counter()
    told = None if progress is None else (lambda done, all_: progress(done * rooms, all_ * rooms))
    so_far: dict[str, Counted] = {}

    def played(*, stopped: bool) -> PlayedSeries:
        sums = so_far[JOB].sums if JOB in so_far else None
        numbers = np.zeros(WIDTH, np.int64) if sums is None else sums
        seconds = time.perf_counter() - began
        return PlayedSeries(series, tuple(int(one) for one in numbers), seconds, stopped)

    try:
        run_jobs([job], executor, journal, told, so_far=so_far)
    except KeyboardInterrupt:
        partial = played(stopped=True)
        if not partial.sums[SETS]:
            raise
        raise Stopped(partial) from None
    return played(stopped=False)
