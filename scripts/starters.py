"""Finds rounds from which schedules grow, for `src/rookery/evening/movements/starters.json`.

``python -m scripts.starters PEOPLE [--seeds N]`` looks for the starters of a number of people and
prints them. They are perfect for 4n and 4n + 1 people; for 4n + 2 and 4n + 3, who have a round
each too, no two are partners twice and nobody meets anybody more than twice, or else it is said
how many pairs of people do. docs/design/evening.md says why.
"""

from __future__ import annotations

import argparse
from typing import Any, Final, TypeAlias

import numpy as np
from numba import njit
from numpy.typing import NDArray

Numbers: TypeAlias = NDArray[np.int64]

STEPS: Final = 3_000_000
HOT, COLD = 1.2, 0.12  # the temperature, in units of the cost, at the beginning and at the end
PARTNERS: Final = 2  # how much a pair of partners too many or too few costs, beside opponents


def orbits(people: int, bases: int) -> tuple[Numbers, Numbers]:
    """Return to which orbit two people belong, and how many rounds a use of an orbit lasts.

    People stand on a clock, the last of 4n beside it. Each step moves everybody on by as many
    places as there are bases; two people are in the orbit of two others if steps lead there.
    """
    clock = people - (people % 4 == 0)
    turns = clock // bases
    orbit = np.full((people, people), -1)
    uses: list[int] = []
    for a in range(people):
        for b in range(a + 1, people):
            if orbit[a, b] >= 0:
                continue
            pairs = {
                tuple(x if x == clock else (x + turn * bases) % clock for x in (a, b))
                for turn in range(turns)
            }
            for x, y in pairs:
                orbit[x, y] = orbit[y, x] = len(uses)
            uses.append(turns // len({frozenset(pair) for pair in pairs}))
    return orbit, np.array(uses)


@njit  # type: ignore[untyped-decorator]
def anneal(
    orbit: Numbers,
    partners: Numbers,
    opponents: Numbers,
    seats: Numbers,
    floor: int,
    rng: np.random.Generator,
) -> int:
    """Exchange people of a base until the cost is `floor`, or the steps are used up.

    Returns the cost.

    Args:
        orbit: of each two people.
        partners: how often the partners of each orbit are wanted.
        opponents: the same for opponents.
        seats: who sits where in each base, four seats after four.
        floor: the cost below which nothing can come.
        rng: what the exchanges follow from.
    """
    bases, places = seats.shape
    for base in range(bases):
        seats[base] = rng.permutation(seats[base])
    have = np.zeros((2, len(partners)), np.int64)
    for base in range(bases):
        for first in range(0, places, 4):
            for i in range(4):
                here = seats[base, first + i]
                have[1, orbit[here, seats[base, first + (i + 1) % 4]]] += 1
                if i < 2:
                    have[0, orbit[here, seats[base, first + i + 2]]] += 1
    cost: Any = np.sum(PARTNERS * (have[0] - partners) ** 2 + (have[1] - opponents) ** 2)
    for step in range(STEPS):
        heat = HOT * (1 - step / STEPS) + COLD
        row = rng.integers(0, bases)
        a, b = rng.integers(0, places), rng.integers(0, places)
        if a == b:
            continue
        before = cost
        for turn in range(4):  # away with the old pairs, in with the new; and back if it is worse
            if turn == 2 and (cost <= before or rng.random() < np.exp((before - cost) / heat)):
                break
            sign = 2 * (turn % 2) - 1
            if turn % 2:
                seats[row, a], seats[row, b] = seats[row, b], seats[row, a]
            for table in (4 * (a // 4), 4 * (b // 4)):
                for k in range(4):
                    here = seats[row, table + k]
                    pair = orbit[here, seats[row, table + (k + 1) % 4]]
                    cost += 1 + 2 * sign * (have[1, pair] - opponents[pair])
                    have[1, pair] += sign
                    if k < 2:
                        pair = orbit[here, seats[row, table + k + 2]]
                        cost += PARTNERS * (1 + 2 * sign * (have[0, pair] - partners[pair]))
                        have[0, pair] += sign
                if a // 4 == b // 4:
                    break
        if cost <= floor:
            return int(cost)
    return int(cost)


def search(people: int, bases: int, seeds: int) -> tuple[int, list[list[int]]]:
    """Return the starters that come nearest, and how far the cost is from what can be."""
    orbit, uses = orbits(people, bases)
    partners, opponents = np.where(uses > 1, 0, 1), 2 // uses
    out = people % 4
    tables = people // 4
    floor = PARTNERS * int(partners.sum() - 2 * bases * tables)
    floor += int(opponents.sum() - 4 * bases * tables)
    best: tuple[int, list[list[int]]] | None = None
    for seed in range(seeds):
        seats = np.array(
            [
                [p for p in range(people) if p not in {(base + i) % people for i in range(out)}]
                if out == 1
                else list(range(out, people))
                for base in range(bases)
            ]
        )
        rng = np.random.default_rng(seed)
        cost = int(anneal(orbit, partners, opponents, seats, floor, rng)) - floor
        if best is None or cost < best[0]:
            best = cost, seats.tolist()
        if cost <= 0:
            break
    assert best is not None  # noqa: S101  (there is at least one seed)
    return best


def main() -> None:
    """Print the starters of a number of people."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("people", type=int)
    parser.add_argument("--bases", type=int, default=0, help="first rounds; as many as it takes")
    parser.add_argument("--seeds", type=int, default=60)
    asked = parser.parse_args()
    # Of 4n + 2 people, n odd, two bases: the sum of all differences would not be even.
    needed = 3 if asked.people == 9 else 2 if asked.people % 8 == 6 else 1
    cost, starters = search(asked.people, asked.bases or needed, asked.seeds)
    print(f"{cost} from the best that can be" if cost else "as near as can be")
    for seats in starters:
        tables = (seats[i : i + 4] for i in range(0, len(seats), 4))
        print(", ".join(" ".join(map(str, table)) for table in tables))


if __name__ == "__main__":
    main()
