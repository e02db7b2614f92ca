"""Leagues: a round robin of bots on duplicate boards, with cross table, ratings and equilibrium.

The cross table is what was measured. Ratings reduce it to one number a bot. Where a beats b, b
beats c and c beats a, no such number is right; the equilibrium mix is right there too.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
from openskill.models import PlackettLuce, PlackettLuceRating

from rookery.bots.names import Bot
from rookery.engine.targets import Target
from rookery.lab.duplicate import boards as at
from rookery.lab.duplicate.boards import scale_of, sides_of
from rookery.lab.duplicate.job import Boards
from rookery.lab.league.standings import (
    Matrix,
    ends,
    equilibrium,
    gains,
    mix_interval,
    places,
    places_interval,
)
from rookery.lab.run.jobs import Executor, Journal, Progress, Sums, run_jobs
from rookery.lab.stats import Z95, Interval, interval_of
from rookery.lab.studies.question import Setting

RATED: Final = 200  # boards of each pair that ratings use, at most


class BadLeague(ValueError):
    """A league that cannot be played. Code: ``bad-league``."""

    code = "bad-league"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a meeting for its first bot: points a board ahead, and boards.

    A board is level if it ended so, or nearly so (see `outcome_of`). Each illegal decision of any
    bot was replaced by a legal one.
    """

    points: Interval
    won: int
    level: int
    lost: int
    decisions: int
    illegal: int


def outcome_of(job: Boards, setting: Setting, sums: Sums) -> Outcome:
    """Return the outcome of a meeting from its sums over two boards or more.

    The results of boards are in a histogram. Boards in its middle bin count as level; there the two
    sides differ by less than about a thirtieth of the highest bid.
    """
    boards, total, squares = (int(sums[place]) for place in (at.BOARDS, at.TOTAL, at.SQUARES))
    points = interval_of(boards, total, squares, scale_of(setting.table, job.rooms))
    illegal = illegal_of(sums, setting.table.seats)
    return Outcome(points, *won_of(sums), int(sums[at.DECISIONS]), illegal)


def won_of(sums: Sums) -> tuple[int, int, int]:
    """Return how many boards the first bot's side won, drew level and lost."""
    middle = at.SPREAD + at.BINS // 2
    return (
        int(sum(sums[middle + 1 : at.SPREAD + at.BINS])),
        int(sums[middle]),
        int(sum(sums[at.SPREAD : middle])),
    )


def illegal_of(sums: Sums, seats: int) -> int:
    """Return how many actions of the bots in the first `seats` seats were illegal."""
    return int(sum(sums[at.BOTS + at.EACH * seat + at.ILLEGAL] for seat in range(seats)))


def meetings(
    setting: Setting, bots: Sequence[Bot], deals: int, seed: int, target: Target = "numba"
) -> dict[tuple[int, int], Boards]:
    """Return the jobs of a round robin, by the places of the two bots in `bots`.

    The first bot plays the side of seat 0, the other bot plays all other seats. With two sides one
    job a pair is enough, because one side wins what the other loses. Where all players play for
    themselves, one A against a table of B differs from one B against a table of A. Then there are
    two jobs a pair. Each job has deals of its own: what bots gain on the same deals hangs together,
    and intervals of places and mix take it that it does not.
    """
    both = sides_of(setting.table) > 2
    side = setting.table.partners[0]
    seats = range(setting.rules.seats)
    company = tuple(bot.kernel for bot in bots if bot.kernel is not None)
    pairs = [
        (i, j) for i in range(len(bots)) for j in range(len(bots)) if i < j or (both and i > j)
    ]
    return {
        (i, j): Boards(
            f"{setting.label}/{i}-{j}",
            deals,
            setting.rules,
            tuple(bots[i] if side >> seat & 1 else bots[j] for seat in seats),
            seed,
            skip=number * deals,
            target=target,
            company=company,
        )
        for number, (i, j) in enumerate(pairs)
    }


@dataclass(frozen=True)
class Standing:
    """The result of a league under one rule set.

    Attributes:
        bots: the names, in the given order.
        deals: boards of each meeting.
        points: what row wins from column, points a board, shape (n, n).
        ci95: half of the 95 % intervals of these, shape (n, n).
        won: boards won by row from column, shape (n, n).
        level: boards that ended level, shape (n, n).
        mix: the share of each bot in the equilibrium with the largest entropy, shape (n,).
        mix_ci95: the 95 % intervals of the shares, shape (n, 2).
        ratings: of each bot, by openskill.
        seed: of all boards, and of the draws for the intervals.
    """

    setting: Setting
    bots: tuple[str, ...]
    deals: int
    points: Matrix
    ci95: Matrix
    won: Matrix
    level: Matrix
    decisions: int
    illegal: int
    mix: Matrix
    mix_ci95: Matrix
    ratings: tuple[PlackettLuceRating, ...]
    seed: int

    @property
    def alike(self) -> npt.NDArray[np.bool_]:
        """Return for which pairs all boards came out alike, but not level: no interval follows."""
        found: npt.NDArray[np.bool_] = (self.ci95 == 0) & (self.points != 0)
        return found

    @property
    def against_mix(self) -> Matrix:
        """Return what each bot wins from the mix, points a board; never above 0."""
        return gains(self.points, self.mix)

    @property
    def places(self) -> tuple[Matrix, Matrix] | None:
        """Return each bot's place between floor (0 %) and ceiling (100 %), and the 95 % intervals.

        Shapes (n,) and (n, 2), percent; None unless both bots took part.
        """
        floor_and_ceiling = ends(self.bots)
        if floor_and_ceiling is None:
            return None
        limits = places_interval(self.points, self.ci95, *floor_and_ceiling, self.seed)
        return places(self.points, *floor_and_ceiling), limits

    @property
    def order(self) -> list[int]:
        """Return the indices into `bots`, the best rated first."""
        return sorted(range(len(self.bots)), key=lambda i: -self.ratings[i].mu)


def play_league(
    settings: Sequence[Setting],
    bots: Sequence[Bot],
    deals: int,
    seed: int,
    *,
    executor: Executor | None = None,
    journal: Journal | None = None,
    progress: Progress | None = None,
    target: Target = "numba",
) -> list[Standing]:
    """Play each pair of bots under every rule set and return a standing for each rule set.

    There are two bots or more, each once, and two `deals` or more for each meeting; `target` never
    changes the result. The others are those of `rookery.lab.run.jobs.run_jobs`.

    Raises:
        BadLeague: too few bots or deals, or a bot twice.
        BotFailed: a bot cannot play at all.
    """
    names = [str(bot) for bot in bots]
    if len(names) < 2:
        raise BadLeague(f"--bots: {len(names)} bot; expected two or more, apart by commas")
    twice = next((name for i, name in enumerate(names) if name in names[:i]), None)
    if twice is not None:
        raise BadLeague(f"--bots: {twice} is named twice")
    if deals < 2:
        raise BadLeague(f"--deals {deals}: expected 2 or more")
    jobs = [meetings(setting, bots, deals, seed, target) for setting in settings]
    every = [job for of_rules in jobs for job in of_rules.values()]
    sums = run_jobs(every, executor, journal, progress)
    return [
        standing(
            setting,
            tuple(names),
            deals,
            {pair: outcome_of(job, setting, sums[job.name]) for pair, job in of_rules.items()},
            seed,
        )
        for setting, of_rules in zip(settings, jobs, strict=True)
    ]


def standing(
    setting: Setting,
    bots: tuple[str, ...],
    deals: int,
    outcomes: Mapping[tuple[int, int], Outcome],
    seed: int,
) -> Standing:
    """Return the standing that follows from the outcomes of all meetings.

    Where all players play for themselves, a pair has two meetings. The points of A against B are
    half of what A wins at a table of B, less half of what B wins at a table of A.
    """
    n = len(bots)
    points, ci95, won, level = (np.zeros((n, n)) for _ in range(4))
    for (i, j), first in outcomes.items():
        second = outcomes.get((j, i))
        if second is None:  # one meeting says it for both sides
            points[i, j], points[j, i] = first.points.mean, -first.points.mean
            ci95[i, j] = ci95[j, i] = first.points.ci95
            won[i, j], won[j, i] = first.won, first.lost
            level[i, j] = level[j, i] = first.level
        else:
            points[i, j] = (first.points.mean - second.points.mean) / 2
            ci95[i, j] = (first.points.ci95**2 + second.points.ci95**2) ** 0.5 / 2
            won[i, j], level[i, j] = first.won + second.lost, first.level + second.level
    return Standing(
        setting=setting,
        bots=bots,
        deals=deals,
        points=points,
        ci95=ci95,
        won=won,
        level=level,
        decisions=sum(outcome.decisions for outcome in outcomes.values()),
        illegal=sum(outcome.illegal for outcome in outcomes.values()),
        mix=equilibrium(points),
        mix_ci95=mix_interval(points, ci95 / Z95, seed),
        ratings=ratings(won, level, seed),
        seed=seed,
    )


def ratings(won: Matrix, level: Matrix, seed: int) -> tuple[PlackettLuceRating, ...]:
    """Return a rating for each bot from boards won and level, both of shape (n, n).

    openskill takes results one after the other, so they are shuffled with `seed`. Each pair adds at
    most `RATED` boards, won, level and lost in proportion. More boards would make sigma smaller
    than one number for a bot deserves.
    """
    model = PlackettLuce(tau=0.0)  # bots do not change from one board to the next
    players = [model.rating() for _ in won]
    results: list[tuple[int, int, tuple[int, int]]] = []
    for i in range(len(won)):
        for j in range(i + 1, len(won)):
            counts = [won[i, j], level[i, j], won[j, i]]
            for ranks, number in zip(((0, 1), (0, 0), (1, 0)), _rounded(counts), strict=True):
                results += [(i, j, ranks)] * number
    random.Random(seed).shuffle(results)  # noqa: S311  (no secret)
    for i, j, ranks in results:
        (one,), (other,) = model.rate([[players[i]], [players[j]]], ranks=list(ranks))
        players[i], players[j] = one, other
    return tuple(players)


def _rounded(counts: Sequence[float]) -> list[int]:
    """Return whole counts with the same sum, which is scaled down to `RATED` if it is larger."""
    whole = sum(counts)
    scale = min(1.0, RATED / whole) if whole else 0.0
    ends = [round(scale * sum(counts[: i + 1])) for i in range(len(counts))]
    return [end - begin for begin, end in zip([0, *ends], ends, strict=False)]
