"""Finds the first rounds of Howell movements, for `src/rookery/evening/duplicate/howell.py`.

``python -m scripts.howell PAIRS [--seeds N]`` looks for the first round of an even number of pairs
from 8 on, from which all others grow, and prints it: at each table the first side, the second and
the set of deals. docs/design/evening.md says why it is looked for in this way.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from random import Random
from typing import Final, TypeAlias

Edge: TypeAlias = tuple[int, int]
FLIPS: Final = 4000  # changes of sides that are tried before it begins again
LOOKS: Final = 200_000  # edges that are looked at before other sides are taken


def unevenness(sides: list[int]) -> int:
    """Return how far places on a clock are from being equally often on one side.

    `sides` has +1 or -1 for each place; the correlation with itself, turned, is to be -1, or as
    near to it as a clock of that size allows.
    """
    clock = len(sides)
    turned = (
        sum(sides[i] * sides[(i + step) % clock] for i in range(clock))
        for step in range(1, clock // 2 + 1)
    )
    return sum((one + 1) ** 2 for one in turned)


def even_sides(clock: int, rng: Random) -> list[int]:
    """Return sides of all places on a clock, as even as exchanges make them; place 0 is -1."""
    half = clock // 2
    floor = 0 if clock % 4 == 3 else 4 * half
    while True:
        sides = [-1, *rng.sample([1] * half + [-1] * half, 2 * half)]
        now = unevenness(sides)
        for _ in range(FLIPS):
            if now <= floor:
                return sides
            i, j = rng.sample(range(1, clock), 2)
            sides[i], sides[j] = sides[j], sides[i]
            after = unevenness(sides)
            if after <= now + (rng.random() < 0.1) * 8:
                now = after
            else:
                sides[i], sides[j] = sides[j], sides[i]


def found(pairs: int, rng: Random) -> list[tuple[int, int, int]] | None:
    """Return the first round of a movement, or None where these sides lead to none.

    The pairs stand on a clock, the last one beside it. Two lists of edges are built at once, one
    for the round and one for a set of deals. In both each place but 0 occurs once, and each
    distance once. Edges of one distance belong together; how far they lie apart says which set
    is at that table, and no two tables may have the same one.
    """
    clock = pairs - 1
    half = clock // 2
    sides = even_sides(clock, rng)
    in_round, in_set, sets = {0}, {0}, {0}
    chosen: list[tuple[int, int, int]] = []
    looks = 0

    def edges(step: int, taken: set[int]) -> Iterator[Edge]:
        begin = rng.randrange(clock)
        for i in range(clock):
            a, b = (begin + i) % clock, (begin + i + step) % clock
            if a not in taken and b not in taken:
                yield a, b

    def fill(step: int) -> bool:
        nonlocal looks
        if step > half:
            return True
        for c, d in edges(step, in_set):
            if sides[c] == sides[d]:
                continue
            for a, b in edges(step, in_round):
                looks += 1
                if looks > LOOKS:
                    return False
                at = (a - c) % clock
                if at in sets:
                    continue
                in_round.update((a, b))
                in_set.update((c, d))
                sets.add(at)
                chosen.append((a, b, at) if sides[c] > 0 else (b, a, at))
                if fill(step + 1):
                    return True
                chosen.pop()
                sets.discard(at)
                in_round.difference_update((a, b))
                in_set.difference_update((c, d))
        return False

    if not fill(1):
        return None
    return sorted([(clock, 0, 0), *chosen], key=lambda table: table[2])


def main() -> None:
    """Print the first round for a number of pairs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pairs", type=int)
    parser.add_argument("--seeds", type=int, default=200)
    options = parser.parse_args()
    for seed in range(options.seeds):
        tables = found(options.pairs, Random(seed))  # noqa: S311  (nothing secret)
        if tables is not None:
            print(f'{options.pairs}: "{", ".join(" ".join(map(str, one)) for one in tables)}",')
            return
    print(f"{options.pairs}: nothing found")


if __name__ == "__main__":
    main()
