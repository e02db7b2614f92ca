"""The standings of a league: the equilibrium mix, and each bot's place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.optimize import linprog, minimize  # type: ignore[import-untyped]

from rookery.lab.duplicate.result import CEILING, FLOOR
from rookery.lab.stats import Z95

Matrix = npt.NDArray[np.float64]

SLACK: Final = 1e-7  # tolerated rounding error, as a share of the largest payoff
IN_PLAY: Final = 1e-6  # smaller shares count as 0
DRAWS: Final = 200


class NoEquilibrium(ValueError):
    """The solver found no equilibrium. Code: ``bad-matrix``."""

    code = "bad-matrix"


def gains(payoffs: Matrix, mix: Matrix) -> Matrix:
    """Return each bot's mean win against a mix, shape (n,); at an equilibrium none is above 0.

    >>> gains(np.array([[0.0, 2.0], [-2.0, 0.0]]), np.array([1.0, 0.0]))
    array([ 0., -2.])
    """
    won: Matrix = payoffs @ mix
    return won


def vertex(payoffs: Matrix, objective: Matrix | None = None) -> Matrix:
    """Return an equilibrium, shape (n,), by linear programming: a vertex of the set of equilibria.

    It is one with the largest dot product with `objective`, or any. The payoffs are what row wins
    from column, shape (n, n): a matrix that is the negative of its transpose.
    """
    n = len(payoffs)
    scale = np.abs(payoffs).max() or 1.0
    found = linprog(
        np.zeros(n) if objective is None else -objective,
        A_ub=payoffs / scale,  # no bot wins against the mix
        b_ub=np.full(n, SLACK / 10),
        A_eq=np.ones((1, n)),
        b_eq=[1.0],
        bounds=[(0, 1)] * n,
        method="highs",
    )
    if found.x is None:
        raise NoEquilibrium(f"no equilibrium was found: {found.message}")
    return _shares(found.x)


def equilibrium(payoffs: Matrix) -> Matrix:
    """Return the equilibrium with the largest entropy, shape (n,): the share of each bot.

    >>> rock_paper_scissors = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    >>> equilibrium(rock_paper_scissors).round(6)
    array([0.333333, 0.333333, 0.333333])
    """
    n = len(payoffs)
    scale = np.abs(payoffs).max() or 1.0
    # Average the vertices that maximise each bot's share: every bot with a share has one there.
    inside = np.mean([vertex(payoffs, row) for row in np.eye(n)], axis=0)
    free = inside > IN_PLAY
    columns = payoffs[:, free] / scale
    found = minimize(
        lambda x: float(np.sum(x * np.log(np.maximum(x, 1e-15)))),
        inside[free] / inside[free].sum(),
        jac=lambda x: np.log(np.maximum(x, 1e-15)) + 1,
        bounds=[(0, 1)] * int(free.sum()),
        constraints=[
            {"type": "eq", "fun": lambda x: x.sum() - 1, "jac": np.ones_like},
            {"type": "ineq", "fun": lambda x: -columns @ x, "jac": lambda _: -columns},
        ],
        method="SLSQP",
        options={"maxiter": 500, "ftol": 1e-12},
    )
    mix = np.zeros(n)
    mix[free] = found.x
    mix = _shares(mix)
    return mix if gains(payoffs, mix).max() <= SLACK * scale else _shares(inside)


def _shares(mix: Matrix) -> Matrix:
    clipped = np.where(mix > IN_PLAY, mix, 0.0)
    shares: Matrix = clipped / clipped.sum()
    return shares


def mix_interval(payoffs: Matrix, errors: Matrix, seed: int) -> Matrix:
    """Return the 95 % intervals of the shares in the mix, shape (n, 2).

    The payoffs are drawn repeatedly from normal distributions around the measured ones, with these
    standard errors, and each matrix is solved.
    """
    mixes = [vertex(near) for near in _near(payoffs, errors, seed, DRAWS)]
    limits: Matrix = np.percentile(np.array(mixes), [2.5, 97.5], axis=0).T
    return limits


def _near(payoffs: Matrix, errors: Matrix, seed: int, draws: int) -> Iterator[Matrix]:
    """Yield matrices drawn from normal distributions around `payoffs` with these errors."""
    dice = np.random.default_rng(seed)
    upper = np.triu_indices(len(payoffs), 1)
    for _ in range(draws):
        near = np.zeros_like(payoffs)
        near[upper] = payoffs[upper] + dice.standard_normal(len(upper[0])) * errors[upper]
        yield near - near.T


PLACES_DRAWS: Final = 1000


def ends(bots: Sequence[str]) -> tuple[int, int] | None:
    """Return the indices of floor and ceiling in a list of bots; None unless it has both.

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

    The points are drawn repeatedly from normal distributions around the measured ones; `ci95` are
    half of the 95 % intervals of these, shape (n, n).
    """
    drawn = [places(near, floor, ceiling) for near in _near(points, ci95 / Z95, seed, PLACES_DRAWS)]
    limits: Matrix = np.nanpercentile(np.array(drawn), [2.5, 97.5], axis=0).T
    return limits
