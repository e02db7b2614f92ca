"""Whole matches: sets of mirrored games, stopped and resumed at any of them."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Final

from rookery.engine.targets import Target
from rookery.game.errors import counted
from rookery.lab.duplicate.match import Match, Played, Stopped
from rookery.lab.games.games import DEALS, SETS, Sets
from rookery.lab.run.jobs import Counted, Executor, Journal, Progress, run_jobs

JOB: Final = "games"


class UnevenGames(ValueError):
    """A number of games that cannot be mirrored. Code: ``uneven-games``."""

    code = "uneven-games"


def series_of(match: Match) -> Match:
    """Return a match of whole games, as many as `match` has deals; its deals are sets of games.

    Raises:
        UnevenGames: so many games cannot be mirrored.
    """
    if match.deals % match.rooms:
        raise UnevenGames(
            f"{counted(match.deals, 'game')} of {match.label}: expected a multiple of "
            f"{match.rooms}, because each is played from all sides on the same deals"
        )
    # The library has no games.
    target: Target = "python" if match.target == "native" else match.target
    return replace(match, deals=match.deals // match.rooms, target=target)


def run_of(series: Match) -> dict[str, str | int]:
    """Return everything that the result depends on, by name, for a journal."""
    return {**series.run, "games": series.deals * series.rooms}


def job_of(series: Match) -> Sets:
    """Return all the games as a job."""
    return Sets(
        JOB, series.deals, series.rules, series.lineup, series.seed,
        series.family.first_board // DEALS, series.target, series.told is not None,
        series.deadline_ms, series.told,
    )  # fmt: skip


def play_series(
    series: Match,
    *,
    executor: Executor | None = None,
    journal: Journal | None = None,
    progress: Progress | None = None,
) -> Played:
    """Play a series and return it with its sums; see `rookery.lab.games.games`.

    `executor` and `journal` are those of `rookery.lab.run.jobs.run_jobs`; `progress` is called
    with how many games are done, and how many there are.

    Raises:
        BotFailed: a bot cannot play at all.
        OSError: the journal cannot be written.
        Stopped: somebody stopped it, after a set of games at least.
    """
    job, rooms = job_of(series), series.rooms
    job.count(0, 0)  # compiles
    began = time.perf_counter()
    told = None if progress is None else (lambda done, all_: progress(done * rooms, all_ * rooms))
    so_far: dict[str, Counted] = {}
    try:
        sums = run_jobs([job], executor, journal, told, so_far=so_far)[JOB]
    except KeyboardInterrupt:
        partial = so_far[JOB].sums if JOB in so_far else None
        if partial is None or not partial[SETS]:
            raise
        seconds = time.perf_counter() - began
        raise Stopped(replace(series.played(partial), seconds=seconds, stopped=True)) from None
    return replace(series.played(sums), seconds=time.perf_counter() - began)
