"""The boards of a league: each pair of bots plays the same deals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rookery.bots.names import Bot
from rookery.engine.targets import Target
from rookery.lab.duplicate.boards import (
    BINS,
    BOARDS,
    BOTS,
    DECISIONS,
    EACH,
    ILLEGAL,
    SPREAD,
    SQUARES,
    TOTAL,
    scale_of,
    sides_of,
)
from rookery.lab.duplicate.job import Boards
from rookery.lab.run.jobs import Sums
from rookery.lab.stats import Interval, interval_of
from rookery.lab.studies.question import Setting


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a meeting for its first bot.

    Attributes:
        points: points a board ahead, with the 95 % interval.
        won: boards won.
        level: boards that ended level, or nearly so (see `outcome_of`).
        lost: boards lost.
        decisions: decisions of all bots.
        illegal: illegal decisions; each was replaced by a legal one.
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
    noted = [int(number) for number in sums]
    won, level, lost = won_of(sums)
    return Outcome(
        points=interval_of(
            noted[BOARDS], noted[TOTAL], noted[SQUARES], scale_of(setting.table, job.rooms)
        ),
        won=won,
        level=level,
        lost=lost,
        decisions=noted[DECISIONS],
        illegal=illegal_of(sums, setting.table.seats),
    )


def won_of(sums: Sums) -> tuple[int, int, int]:
    """Return how many boards the first bot's side won, drew level and lost."""
    middle = SPREAD + BINS // 2
    return (
        int(sum(sums[middle + 1 : SPREAD + BINS])),
        int(sums[middle]),
        int(sum(sums[SPREAD:middle])),
    )


def illegal_of(sums: Sums, seats: int) -> int:
    """Return how many actions of the bots in the first `seats` seats were illegal."""
    return int(sum(sums[BOTS + EACH * seat + ILLEGAL] for seat in range(seats)))


def meetings(
    setting: Setting, bots: Sequence[Bot], deals: int, seed: int, target: Target = "numba"
) -> dict[tuple[int, int], Boards]:
    """Return the jobs of a round robin, by the places of the two bots in `bots`.

    The first bot plays the side of seat 0, the other bot plays all other seats. With two sides one
    job a pair is enough, because one side wins what the other loses. Where all players play for
    themselves, one A against a table of B differs from one B against a table of A. Then there are
    two jobs a pair, on different deals.
    """
    both = sides_of(setting.table) > 2
    side = setting.table.partners[0]
    seats = range(setting.rules.seats)
    company = tuple(bot.kernel for bot in bots if bot.kernel is not None)
    return {
        (i, j): Boards(
            f"{setting.label}/{i}-{j}",
            deals,
            setting.rules,
            tuple(bots[i] if side >> seat & 1 else bots[j] for seat in seats),
            seed,
            skip=deals if i > j else 0,
            target=target,
            company=company,
        )
        for i in range(len(bots))
        for j in range(len(bots))
        if i < j or (both and i > j)
    }
