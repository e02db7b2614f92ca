"""The solver's checks at length: ``python -m tests.solver.full --positions 1000``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from random import Random

from tests.solver.compiled import brute_force, solver
from tests.solver.dds import dds_value
from tests.solver.positions import (
    BRIDGE,
    MOST_TRICKS,
    Position,
    bridge_position,
    every_kind,
    tricks_count,
)

from rookery.rules import catalog, load
from rookery.rules.table import compile_rules


def endings(positions: int, seed: int) -> Iterator[tuple[str, Position, int]]:
    """Yield what is checked, a position and its true value: so many positions of each sort."""
    each = max(1, positions // len(catalog()))
    for changes in (0, 1, 6):
        for rules, position in every_kind(Random(seed), each, MOST_TRICKS, changes):
            yield f"{changes} changes, {rules.name}", position, brute_force()(position)
    for _, position in tricks_count(Random(seed), positions // 5, MOST_TRICKS):
        yield "a trick is worth something", position, brute_force()(position)
    table, rng = compile_rules(load(BRIDGE)), Random(seed)
    for cards in range(5, 10):
        for _ in range(positions):
            position = bridge_position(table, rng, cards, rng.randrange(4))
            yield f"bridge, {cards} cards", position, dds_value(position)


def main() -> None:
    """Check, and exit with 1 where anything differs."""
    parser = argparse.ArgumentParser(description="Checks the solver at length.")
    parser.add_argument("--positions", type=int, default=1000, help="positions of each sort")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    counted: dict[str, int] = {}
    wrong = 0
    for what, position, value in endings(options.positions, options.seed):
        sort = what.split(",")[0] if what[0].isdigit() else what
        counted[sort] = counted.get(sort, 0) + 1
        found = solver()(position)
        if found != value:
            wrong += 1
            print(f"{what}: {found}, expected {value}: {position}", file=sys.stderr)
    for sort, count in counted.items():
        print(f"{sort}: {count} positions")
    print(f"{wrong} wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
