"""The Menagerie study: the paper's program reproduced, or its characters at the real game."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from rookery.engine.records import Allocator, Attributes, array_of
from rookery.engine.targets import Target
from rookery.lab.menagerie.figures import (
    HONEST,
    PAPER,
    PAPER_GAMES,
    Conclusion,
    Key,
    Tables,
    conclusions,
    tables_of,
)
from rookery.lab.menagerie.published import published_games
from rookery.lab.menagerie.real_game import real_games
from rookery.lab.menagerie.tally import CAST, HANDS, Sums, Tally
from rookery.lab.run.jobs import Executor, Journal, Progress, Threads, run_jobs
from rookery.lab.run.jobs import Sums as Products
from rookery.lab.run.programs import program, records
from rookery.lab.stats import Interval, student
from rookery.rules import load
from rookery.rules.table import compile_rules

if TYPE_CHECKING:
    import polars as pl

RULES: Final = "kd_tournament"
FIGURES_ROUNDED_TO: Final = 4  # places
CHUNK: Final = 500  # games; a few milliseconds of compiled play
GPU_CHUNK: Final = 1 << 21


class Mode(StrEnum):
    """What is played: the paper's program as it is, or the real game of its title."""

    PUBLISHED = "published"
    RULES = "rules"


KERNELS: Final[dict[Mode, Callable[..., None]]] = {
    Mode.PUBLISHED: published_games,
    Mode.RULES: real_games,
}


@dataclass(frozen=True, slots=True)
class Study:
    """A finished run; its seconds are those of the games, without compiling."""

    mode: Mode
    seed: int
    seconds: float
    sums: Sums

    @property
    def games(self) -> int:
        """Return how many games were played."""
        return self.sums.games

    @property
    def hands(self) -> int:
        """Return how many hands they took."""
        return round(self.sums.total({HANDS: 1}))

    @property
    def tables(self) -> Tables[Interval]:
        """Return the tables of the study, in percent."""
        return tables_of(self.sums, booked=self.mode is Mode.PUBLISHED)

    @property
    def conclusions(self) -> tuple[Conclusion, ...]:
        """Return the paper's four conclusions, judged by this run."""
        return conclusions(self.sums)

    def papers_figures(self) -> dict[Key, float]:
        """Return the paper's figures that are comparable with this run's, in percent.

        The correct count of a pair's tricks is compared with the paper's games counted again, not
        with what its program booked.
        """
        figures = dict(PAPER.cells())
        if self.mode is not Mode.PUBLISHED:
            figures |= {("partnerships.tricks", 0, name): cell for name, cell in HONEST.items()}
        return figures

    def distances(self) -> dict[Key, float]:
        """Return each figure's distance from the paper's, in standard errors of the difference.

        The paper gives no errors; they are taken to be those of this run, scaled to its 100,000
        games.
        """
        paper = self.papers_figures()
        scale = (1 + self.games / PAPER_GAMES) ** 0.5 / student(self.games)
        return {
            key: (figure.mean - paper[key]) / (figure.ci95 * scale)
            for key, figure in self.tables.cells()
            if figure.ci95
        }

    @property
    def frame(self) -> pl.DataFrame:
        """Return every figure as a Polars frame.

        Columns: table, trimester (1 to 3, else null), name, percent, ci95 (half-width), paper.
        """
        import polars as pl

        paper = self.papers_figures()
        return pl.DataFrame(
            [
                (key[0], key[1] or None, key[2], *figure, paper.get(key))
                for key, figure in self.tables.cells()
            ],
            ["table", "trimester", "name", "percent", "ci95", "paper"],
            orient="row",
        )

    def as_json(self) -> dict[str, object]:
        """Return what ``study menagerie --json`` prints."""
        tables = self.tables
        return {
            "as": self.mode.value,
            "games": self.games,
            "hands": self.hands,
            "seconds": round(self.seconds, 3),
            **tables.as_json(lambda figure: round(figure.mean, FIGURES_ROUNDED_TO)),
            "ci95": tables.as_json(lambda figure: round(figure.ci95, FIGURES_ROUNDED_TO)),
        }


@dataclass(frozen=True)
class PlayedGames:
    """A job: games 0 to `units` - 1 of a seed, 0 to 2^63 - 1, each seeded by its own number."""

    name: str
    units: int
    seed: int
    target: Target
    chunk: int

    def count(self, first: int, size: int) -> Products:
        """Play games `first` to `first` + `size` - 1 and return ``Tally.sums``, flat, over them."""
        kernel, rules = KERNELS[Mode(self.name)], load(RULES)
        if self.target == "cuda":
            from rookery.lab.menagerie.games_gpu import CELLS, games_kernel
            from rookery.lab.run.gpu import sums_on_gpu

            tables = array_of(compile_rules(rules))
            games = games_kernel(kernel, rules)
            return sums_on_gpu(games, (tables,), (self.seed,), first, size, CELLS)
        play, table = program(self.target, kernel, rules, frozenset(range(CAST)))
        import numpy as np

        tally = Allocator(self.target).record(Tally())
        play(table, *records(self.target), tally, self.seed, first, size)
        return np.array(Attributes(tally).sums, np.int64)


def games_of(
    mode: Mode, games: int, seed: int, target: Target = "numba", chunk: int | None = None
) -> PlayedGames:
    """Return the study's one job."""
    return PlayedGames(
        mode.value, games, seed, target, chunk or (GPU_CHUNK if target == "cuda" else CHUNK)
    )


def run_of_games(mode: Mode, games: int, seed: int) -> dict[str, str | int]:
    """Return everything that the figures depend on, for a journal."""
    return {"study": "menagerie", "as": mode.value, "games": games, "seed": seed}


def run_study(
    mode: Mode,
    games: int,
    seed: int,
    threads: int | None = None,
    *,
    executor: Executor | None = None,
    journal: Journal | None = None,
    progress: Progress | None = None,
    target: Target = "numba",
    chunk: int | None = None,
) -> Study:
    """Play `games` games, two or more, and return the study.

    So many `threads` share the work, one a core when None, or the `executor` does it. `chunk` says
    how many games a worker takes at a time. `journal` and `progress` are those of `run_jobs`.

    >>> run_study(Mode.PUBLISHED, 3, seed=1, threads=1, target="python").games
    3
    """
    job = games_of(mode, games, seed, target, chunk)
    if executor is None or isinstance(executor, Threads):
        job.count(0, 0)
    began = time.perf_counter()
    sums = run_jobs([job], executor or Threads(threads), journal, progress)[job.name]
    return Study(mode, seed, time.perf_counter() - began, Sums(sums.tolist()))
