"""How much of a result is in the cards, and how much of that bots take out.

    python -m benchmarks.ratings.cards [--boards N] [--out FILE]

Each deal is played at two tables of known people, drawn apart. What their results have in common
beyond skill is in the cards, and no comparison of results on the same cards takes out more.
"""

from __future__ import annotations

import argparse
import json
import platform
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import numpy as np
from benchmarks.ratings.pool import BOARDS, RESULTS, Array, Played, design, play

from rookery.daily.day import FAMILIES
from rookery.ratings.family import families
from rookery.rules import Rules, variant

SAMPLES: Final = 2_000  # of deals, for the intervals


def beyond_skill(rules: Rules, played: Played, trust: float) -> Array:
    """Return the results of units, less what bots score times `trust`, and less skill."""
    x = design(rules, played.people, pairs=False)
    y = (played.units - trust * played.tables).ravel()
    left: Array = y - x @ np.asarray(np.linalg.lstsq(x, y, rcond=None)[0])
    return left.reshape(played.units.shape)


def figures(rules: Rules, one: Played, other: Played, trust: float) -> dict[str, object]:
    """Return which share of the variance is in the cards, and which share of that bots take out."""
    both = np.intersect1d(one.deals, other.deals)
    tables = [(at, np.isin(at.deals, both)) for at in (one, other)]
    a, b = (beyond_skill(rules, at, 0.0)[there] for at, there in tables)
    c, d = (beyond_skill(rules, at, trust)[there] for at, there in tables)
    # Of each deal: the variance at a table, and what both have in common, without bots and with.
    rows = [((a * a + b * b) / 2).sum(axis=1), (a * b).sum(axis=1), (c * d).sum(axis=1)]
    sums = np.stack(rows, axis=1)
    dice = np.random.default_rng(2026)
    drawn = dice.integers(0, len(sums), (SAMPLES, len(sums)))
    samples = np.stack([sums[rows].mean(axis=0) for rows in drawn])

    def told(values: Array) -> dict[str, float]:
        low, high = np.quantile(values[1:], (0.025, 0.975))
        return {"share": float(values[0]), "low": float(low), "high": float(high)}

    all_, common, stays = np.vstack([sums.mean(axis=0), samples]).T
    return {
        "deals": len(both),
        "in_the_cards": told(common / all_),
        "of_that_bots_take_out": told(1 - stays / common),
    }


def main() -> None:
    """Play, print the figures, and keep them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--boards", type=float, default=1.0, help="so many times the usual number")
    day = datetime.now(UTC).date().isoformat()
    parser.add_argument("--out", type=Path, default=RESULTS / f"{day}-ratings-cards.json")
    chosen = parser.parse_args()
    measured, began = {}, time.process_time()
    for family, boards in BOARDS.items():
        rules = variant(FAMILIES[family])
        one, other = (play(rules, round(boards * chosen.boards), table) for table in (0, 1))
        measured[family] = {
            "rules": rules.id,
            **figures(rules, one, other, families()[family].trust),
        }
        print(family, json.dumps(measured[family]), flush=True)
    kept = {
        "day": day,
        "machine": f"{platform.system()}, Python {platform.python_version()}",
        "seconds_of_a_core": round(time.process_time() - began),
        "families": measured,
    }
    chosen.out.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
