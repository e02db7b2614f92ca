"""How many boards until the order of ten people is right, and whether the ± is: simulated.

    python -m benchmarks.ratings.orders [--times N] [--out FILE]

Known skills, and the program's own estimator. In each round two tables of four are drawn from the
ten, so partners change; the other two sit out. A result is what the skills say and noise of the
family `four` as `benchmarks.ratings.pool` has measured it, once with what bots score on the same
cards taken off and once without. `even` are ten people in equal steps from 1.5 deviations below the
middle to 1.5 above it; `drawn` are ten from the normal distribution that the estimator expects.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import platform
import random
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import combinations, pairwise
from math import sqrt
from pathlib import Path
from typing import Any, Final, NamedTuple

from rookery.ratings.boards import Board
from rookery.ratings.estimate import Z95, Ratings, rate
from rookery.ratings.family import Family, families

RESULTS: Final = Path(__file__).resolve().parents[1] / "results"
PEOPLE: Final = tuple("abcdefghij")
TABLES: Final = 2
BOARDS: Final = (30, 100, 300, 1000, 2000, 3000, 5000)  # of each person
NEEDED: Final = 0.9
FEWEST: Final = 300  # boards; up to so many more pasts are simulated


class Skills(NamedTuple):
    """What ten people are worth, and each two of them together beyond that."""

    people: dict[str, float]
    pairs: dict[tuple[str, str], float]


def even(family: Family, dice: random.Random) -> Skills:
    """Return people in equal steps, and pairs as they come."""
    step = 3 * family.person / (len(PEOPLE) - 1)
    places = [step * (at - (len(PEOPLE) - 1) / 2) for at in range(len(PEOPLE))]
    return Skills(dict(zip(PEOPLE, places, strict=True)), _pairs(family, dice))


def drawn(family: Family, dice: random.Random) -> Skills:
    """Return people and pairs as they come."""
    people = {name: dice.gauss(0, family.person) for name in PEOPLE}
    return Skills(people, _pairs(family, dice))


def _pairs(family: Family, dice: random.Random) -> dict[tuple[str, str], float]:
    return {two: dice.gauss(0, family.pair) for two in combinations(PEOPLE, 2)}


def board(skills: Skills, four: Sequence[str], noise: float, dice: random.Random) -> Board:
    """Return a board of four people: the first two are partners."""
    units = (tuple(four[:2]), tuple(four[2:]))
    worth = []
    for a, b in units:
        both = skills.pairs[min(a, b), max(a, b)]
        worth.append(skills.people[a] + skills.people[b] + both)
    # Each unit has noise of its own, so their half difference has 1/sqrt(2) of it.
    result = (worth[0] - worth[1]) / 2 + dice.gauss(0, noise) / sqrt(2)
    return Board(units, (result, -result))


def rounds(skills: Skills, each: int, noise: float, dice: random.Random) -> list[Board]:
    """Return rounds until a person has played `each` boards, on average."""
    whole = round(each * len(PEOPLE) / (4 * TABLES))
    found = []
    for _ in range(whole):
        seats = dice.sample(PEOPLE, 4 * TABLES)
        found += [board(skills, seats[at : at + 4], noise, dice) for at in range(0, len(seats), 4)]
    return found


class Judged(NamedTuple):
    """How good an estimate is: shares, and points in hundredths a board."""

    order: float  # 1 where all ten are in order
    twos: float  # of the 45 twos, how many are in order
    best: float  # 1 where the best is first
    covered: float  # of ten figures, how many 95 % intervals hold the truth
    pairs_covered: float  # the same of what partners are worth together
    claimed: float  # of the 45 twos, of how many it is said who is ahead
    wrong: float  # of those, how many are wrongly said
    half: float  # mean half width of the interval, the figure after ±
    missed: float  # root of the mean squared error of the figures


def judged(skills: Skills, found: Ratings) -> Judged:
    """Return how good an estimate is."""
    truth, middle = skills.people, sum(skills.people.values()) / len(PEOPLE)
    figures = {name: found.people[name].figure for name in PEOPLE}
    twos = list(combinations(PEOPLE, 2))
    right = [(truth[a] - truth[b]) * (figures[a].points - figures[b].points) > 0 for a, b in twos]
    off = [figures[name].points - (truth[name] - middle) for name in PEOPLE]
    inside = [abs(miss) <= figures[name].ci95 for name, miss in zip(PEOPLE, off, strict=True)]
    beside = [
        abs(pair.partner.points - skills.pairs[two]) <= Z95 * pair.partner.error
        for two, pair in found.pairs.items()
    ]
    by_place = sorted(PEOPLE, key=lambda name: -figures[name].points)
    surely = sum(found.people[name].ahead for name in PEOPLE)
    # Whom somebody is surely ahead of follows the figures; count those that the truth denies.
    wrong = sum(_wrongly(by_place, truth, found))
    return Judged(
        float(all(right)),
        sum(right) / len(twos),
        float(by_place[0] == max(truth, key=lambda name: truth[name])),
        sum(inside) / len(PEOPLE),
        sum(beside) / max(len(beside), 1),
        surely / len(twos),
        wrong / max(surely, 1),
        sum(figure.ci95 for figure in figures.values()) / len(PEOPLE),
        sqrt(sum(miss * miss for miss in off) / len(PEOPLE)),
    )


def _wrongly(order: Sequence[str], truth: dict[str, float], found: Ratings) -> list[int]:
    """Return, of each person, how many of the last `ahead` in order are better in truth."""
    return [
        sum(truth[other] > truth[name] for other in order[len(order) - found.people[name].ahead :])
        for name in order
    ]


def one(asked: tuple[str, int, float, int]) -> Judged:
    """Return how good the estimate from one simulated past is; it follows from what is asked."""
    kind, each, noise, seed = asked
    dice, family = random.Random(f"{kind} {each} {seed}"), families()["four"]
    skills = (even if kind == "even" else drawn)(family, dice)
    boards = rounds(skills, each, noise, dice)
    return judged(skills, rate(boards, family._replace(noise=noise), PEOPLE))


def needed(share: dict[int, float]) -> int | None:
    """Return after how many boards a share reaches nine of ten, between those looked at; if ever.

    >>> needed({100: 0.5, 200: 1.0}), needed({100: 0.5})
    (180, None)
    """
    looked = sorted(share)
    for low, high in pairwise(looked):
        if share[low] < NEEDED <= share[high]:
            return round(low + (high - low) * (NEEDED - share[low]) / (share[high] - share[low]))
    return looked[0] if share[looked[0]] >= NEEDED else None


def measured(pool: Any, kind: str, noise: float, times: int) -> dict[str, Any]:  # noqa: ANN401
    """Return the figures of one kind of people for each number of boards."""
    told = {}
    for each in BOARDS:
        # Few boards vary most and cost least.
        count = times * 5 if each <= FEWEST else times
        rows = pool.map(one, [(kind, each, noise, seed) for seed in range(count)], chunksize=4)
        means = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
        told[each] = {"times": count, **dict(zip(Judged._fields, means, strict=True))}
        print(kind, noise, each, told[each], flush=True)
    return {
        "boards": told,
        "needed_for_order": needed({each: line["order"] for each, line in told.items()}),
        "needed_for_twos": needed({each: line["twos"] for each, line in told.items()}),
        "needed_for_best": needed({each: line["best"] for each, line in told.items()}),
    }


def main() -> None:
    """Simulate, keep and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=100)
    day = datetime.now(UTC).date().isoformat()
    parser.add_argument("--pool", type=Path, default=RESULTS / f"{day}-ratings-pool.json")
    parser.add_argument("--out", type=Path, default=RESULTS / f"{day}-ratings-orders.json")
    chosen = parser.parse_args()
    four = json.loads(chosen.pool.read_text("utf-8"))["families"]["four"]
    noises = {"against bots": families()["four"].noise, "bare points": four["noise_without"]}
    began, found = time.monotonic(), {}
    with multiprocessing.Pool(1) as pool:
        for name, noise in noises.items():
            for kind in ("even", "drawn"):
                found[f"{kind}, {name}"] = measured(pool, kind, noise, chosen.times)
    kept = {
        "day": day,
        "machine": f"{platform.system()}, Python {platform.python_version()}",
        "seconds": round(time.monotonic() - began),
        "noise": noises,
        "person": families()["four"].person,
        "pair": families()["four"].pair,
        "found": found,
    }
    chosen.out.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
