"""Where a league's bots stand between its floor, `random`, and its ceiling, `open-hand`.

A bot's strength is what it wins on average from a bot of the league, points a board, itself among
them. The floor's strength is 0 %, the ceiling's 100 %.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from rookery.lab.duplicate.known_places import CEILING, FLOOR
from rookery.lab.league.equilibrium import Matrix
from rookery.lab.stats import Z95

DRAWS: Final = 1000


def ends(bots: Sequence[str]) -> tuple[int, int] | None:
    """Return where floor and ceiling stand in a list of bots; None unless both do.

    >>> ends(["papa", "open-hand", "random"]), ends(["papa", "random"])
    ((2, 1), None)
    """
    named = [name.partition(":")[0] for name in bots]
    if FLOOR not in named or CEILING not in named:
        return None
    return named.index(FLOOR), named.index(CEILING)


def places(points: Matrix, floor: int, ceiling: int) -> Matrix:
    """Return each bot's place in percent, shape (n,), from what row wins from column, (n, n).

    >>> cross = np.array([[0.0, -10.0, -20.0], [10.0, 0.0, -10.0], [20.0, 10.0, 0.0]])
    >>> places(cross, 0, 2)
    array([  0.,  50., 100.])
    """
    strength = points.mean(axis=1)
    span = strength[ceiling] - strength[floor]
    found: Matrix = 100 * (strength - strength[floor]) / (span if span else np.nan)
    return found


def places_interval(points: Matrix, ci95: Matrix, floor: int, ceiling: int, seed: int) -> Matrix:
    """Return the 95 % intervals of the places, shape (n, 2), percent.

    The points are drawn again and again from normal distributions around the measured ones.

    Args:
        points: what row wins from column, points a board, shape (n, n).
        ci95: half of the 95 % intervals of these, shape (n, n).
        floor: the place of the floor among the bots.
        ceiling: the place of the ceiling.
        seed: of the draws.
    """
    dice = np.random.default_rng(seed)
    upper = np.triu_indices(len(points), 1)
    drawn = []
    for _ in range(DRAWS):
        near = np.zeros_like(points)
        off = dice.standard_normal(len(upper[0])) * ci95[upper] / Z95
        near[upper] = points[upper] + off
        drawn.append(places(near - near.T, floor, ceiling))
    limits: Matrix = np.nanpercentile(np.array(drawn), [2.5, 97.5], axis=0).T
    return limits
