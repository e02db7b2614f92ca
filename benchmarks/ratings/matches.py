"""Whole matches of ten known people, how much luck is in one, and what openskill makes of many.

    python -m benchmarks.ratings.matches [--matches N] [--times N] [--out FILE]

The people are those of `benchmarks.ratings.pool`, whose worth a hand is known. They play matches by
each family's rules, drawn anew for each. How much luck is in a match, openskill's beta, is what
makes the results likeliest. It is written to src/rookery/ratings/strangers.toml. Then strangers are
simulated: a hundred people of known skill, of whom some are rated; whoever is not counts as unknown
each time they come. Matches fall out by the model with that beta.
"""

from __future__ import annotations

import argparse
import json
import math
import platform
import random
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from itertools import combinations
from pathlib import Path
from typing import Any, Final, NamedTuple

from benchmarks.ratings.orders import needed
from benchmarks.ratings.pool import FIGURES, PEOPLE, RESULTS, Slipping

from rookery.daily.day import FAMILIES
from rookery.game import Hand, Match
from rookery.ratings.family import families
from rookery.ratings.strangers import Standing, after, newcomer
from rookery.rules import Rules, variant

POOL: Final = RESULTS / "2026-11-24-ratings-pool.json"
LUCK: Final = FIGURES.with_name("strangers.toml")
HANDS: Final = 200  # of a match; one that is longer is left out
WIDEST: Final = (1.0, 500.0)  # between which beta is looked for
CLOSE: Final = 1.0005
STRANGERS: Final = 100
TEN: Final = 10  # of them are looked at
AFTER: Final = (10, 30, 100, 300, 1000)  # matches of each person
SHARES: Final = (1.0, 0.2)  # of the strangers who are rated


class Result(NamedTuple):
    """A match: who sat where, and the place of each unit, the winner's 0."""

    people: tuple[int, ...]
    ranks: tuple[int, ...]


def units_of(rules: Rules) -> tuple[tuple[int, ...], ...]:
    """Return the seats that play together in every hand; each alone where there are none."""
    return rules.fixed_sides or tuple((seat,) for seat in range(rules.seats))


def play(rules: Rules, matches: int) -> list[Result]:
    """Return matches of the known people."""
    found: list[Result] = []
    number = 0
    while len(found) < matches:
        number += 1
        dice = random.Random(f"match {number}")
        people = dice.sample(range(len(PEOPLE)), rules.seats)
        match = Match(rules)
        while match.winners is None and match.dealt < HANDS:
            match = match.begin(_played(match, people, number))
        if match.winners is not None:
            winners, totals = match.winners, match.totals
            places = [(unit[0] not in winners, -totals[unit[0]]) for unit in units_of(rules)]
            order = sorted(set(places))
            found.append(Result(tuple(people), tuple(order.index(place) for place in places)))
    return found


def _played(match: Match, people: Sequence[int], number: int) -> Hand:
    seed = number * HANDS + match.dealt
    hand = Hand.shuffled(match.rules, match.dealer, seed)
    players = [Slipping(*PEOPLE[who], seed, seat) for seat, who in enumerate(people)]
    while hand.to_act is not None:
        hand = players[hand.to_act].move(hand)
    return hand


def surprise(worth: Sequence[float], rules: Rules, results: Sequence[Result], beta: float) -> float:
    """Return how unlikely results are, minus the log likelihood of the model, a match."""
    units, whole = units_of(rules), 0.0
    scale = beta * math.sqrt(len(units))
    for people, ranks in results:
        points = [sum(worth[people[seat]] for seat in unit) / scale for unit in units]
        for at, rank in enumerate(ranks):
            behind = [points[i] for i, other in enumerate(ranks) if other >= rank]
            whole += math.log(sum(map(math.exp, behind))) - points[at]
    return whole / len(results)


def luck(rules: Rules, worth: Sequence[float], matches: int) -> dict[str, Any]:
    """Return the beta by which matches are likeliest, and how often each person has won."""
    results = play(rules, matches)
    low, high = WIDEST
    while high / low > CLOSE:  # there is one least surprise, between the two
        third = (high / low) ** (1 / 3)
        a, b = low * third, high / third
        nearer = surprise(worth, rules, results, a) < surprise(worth, rules, results, b)
        low, high = (low, b) if nearer else (a, high)
    best = math.sqrt(low * high)
    least, *near = (surprise(worth, rules, results, best * one) for one in (1, 0.9, 1.1))
    # By the curvature of the likelihood over the logarithm of beta.
    bend = (sum(near) - 2 * least) / 0.1**2 * len(results)
    played, won = Counter[int](), Counter[int]()
    for people, ranks in results:
        for unit, rank in zip(units_of(rules), ranks, strict=True):
            for seat in unit:
                played[people[seat]] += 1
                won[people[seat]] += rank == 0
    return {
        "rules": rules.id,
        "matches": len(results),
        "swing": best,
        "error": best / math.sqrt(bend),
        "surprise": least,
        "surprise_of_none": surprise([0.0] * len(PEOPLE), rules, results, 1.0),
        "won": [won[who] / played[who] for who in range(len(PEOPLE))],
    }


def written(measured: Mapping[str, Any]) -> str:
    """Return the program's figures, TOML."""
    lines = [
        "# Made by `python -m benchmarks.ratings.matches`; docs/design/ratings.md says what it is.",
        "# Hundredths of the points in the cards.",
    ]
    for family, one in measured.items():
        lines += ["", f"[{family}]", f"swing = {one['swing']:.1f}"]
    return "\n".join(lines) + "\n"


class Judged(NamedTuple):
    """How good ten figures are: shares, and points in hundredths."""

    order: float  # 1 where all ten are in order
    twos: float  # of the 45 twos, how many are in order
    best: float  # 1 where the best is first
    covered: float  # of the figures, how many 95 % intervals hold the truth
    half: float  # mean half width of the interval, the figure after ±
    missed: float  # root of the mean squared error of the figures


def judged(truth: Sequence[float], found: Sequence[Standing]) -> Judged:
    """Return how good figures are."""
    twos = list(combinations(range(len(truth)), 2))
    right = [(truth[a] - truth[b]) * (found[a].points - found[b].points) > 0 for a, b in twos]
    off = [abs(one.points - real) for one, real in zip(found, truth, strict=True)]
    return Judged(
        float(all(right)),
        sum(right) / len(twos),
        float(max(found).points == found[max(range(len(truth)), key=truth.__getitem__)].points),
        sum(miss <= one.ci95 for miss, one in zip(off, found, strict=True)) / len(found),
        sum(one.ci95 for one in found) / len(found),
        math.sqrt(sum(miss * miss for miss in off) / len(off)),
    )


def past(family: str, rules: Rules, share: float, swing: float, seed: int) -> dict[int, Judged]:
    """Return how good the figures of ten strangers are after so many matches of each.

    All who are rated are drawn as often as those who are not, so matches are on average.
    """
    dice, units = random.Random(f"{family} {share} {seed}"), units_of(rules)
    truth = [dice.gauss(0, families()[family].person) for _ in range(STRANGERS)]
    new, rated = newcomer(family), max(TEN, round(share * STRANGERS))
    known = [new] * STRANGERS
    scale, seats, told = swing * math.sqrt(len(units)), rules.seats, {}
    order = list(range(STRANGERS))
    for each in range(1, max(AFTER) + 1):
        dice.shuffle(order)
        for at in range(0, STRANGERS - seats + 1, seats):
            four = order[at : at + seats]
            if min(four) >= rated:
                continue
            worth = [
                sum(truth[four[seat]] for seat in unit) - scale * math.log(dice.expovariate(1))
                for unit in units
            ]
            best = sorted(worth, reverse=True)
            standings = [[known[four[seat]] for seat in unit] for unit in units]
            found = after(family, standings, [best.index(one) for one in worth])
            for unit, standing in zip(units, found, strict=True):
                for seat, one in zip(unit, standing, strict=True):
                    if four[seat] < rated:
                        known[four[seat]] = one
        if each in AFTER:
            told[each] = judged(truth[:TEN], known[:TEN])
    return told


def simulated(family: str, rules: Rules, share: float, swing: float, times: int) -> dict[str, Any]:
    """Return the figures of many pasts for each number of matches."""
    pasts = [past(family, rules, share, swing, seed) for seed in range(times)]
    told: dict[int, dict[str, float]] = {}
    for each in AFTER:
        rows = [one[each] for one in pasts]
        means = [sum(column) / times for column in zip(*rows, strict=True)]
        told[each] = dict(zip(Judged._fields, means, strict=True))
        print(family, share, each, {k: round(v, 3) for k, v in told[each].items()}, flush=True)
    return {
        "times": times,
        "matches": told,
        "needed_for_order": needed({each: one["order"] for each, one in told.items()}),
        "needed_for_twos": needed({each: one["twos"] for each, one in told.items()}),
    }


def main() -> None:
    """Play, write the program's figures, simulate, keep and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--matches", type=int, default=2000, help="that bots play, a family")
    parser.add_argument("--times", type=int, default=100, help="how many pasts, a family")
    day = datetime.now(UTC).date().isoformat()
    parser.add_argument("--out", type=Path, default=RESULTS / f"{day}-ratings-matches.json")
    chosen = parser.parse_args()
    pool = json.loads(POOL.read_text("utf-8"))["families"]
    began, measured = time.process_time(), {}
    for family, rules in FAMILIES.items():
        worth = [one["points"] for one in pool[family]["people"]]
        measured[family] = luck(variant(rules), worth, chosen.matches)
        print(family, json.dumps(measured[family]), flush=True)
    LUCK.write_text(written(measured), encoding="utf-8")
    played = time.process_time() - began
    found = {
        f"{family}, {share:.0%} rated": simulated(
            family, variant(rules), share, measured[family]["swing"], chosen.times
        )
        for family, rules in FAMILIES.items()
        for share in (SHARES if family == "four" else SHARES[:1])
    }
    kept = {
        "day": day,
        "machine": f"{platform.system()}, Python {platform.python_version()}",
        "seconds_of_a_core": {"played": round(played), "all": round(time.process_time() - began)},
        "families": measured,
        "found": found,
    }
    chosen.out.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
