"""Boards of ten known people, with what bots score on the same cards; and the figures from them.

    python -m benchmarks.ratings.pool [--boards N] [--out FILE]
    python -m benchmarks.ratings.pool --again FILE    after new results of the ladder

The people are bots: the three lower levels, and others near them; some of them slip, that is play
any card the rules allow. Who sits with whom is drawn for each board. What is kept is written to
FILE, and the figures that the program uses to src/rookery/ratings/figures.toml.
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
from benchmarks.ladder.ladder import MOST

from rookery.bots.names import LEVELS, bot, unhurried
from rookery.bots.player import KernelPlayer
from rookery.daily.day import FAMILIES
from rookery.game import Hand
from rookery.ratings import baseline
from rookery.ratings.family import HUNDRED
from rookery.rules import Rules, variant

Array = npt.NDArray[np.float64]
RESULTS: Final = Path(__file__).resolve().parents[1] / "results"
FIGURES: Final = Path(__file__).resolve().parents[2] / "src/rookery/ratings/figures.toml"
LADDER: Final = RESULTS / "2026-11-20-ladder.json"
PEOPLE: Final = (  # a bot, and how often it slips
    (LEVELS["beginner"], 0.0),
    (LEVELS["casual"], 0.0),
    (LEVELS["club"], 0.0),
    (LEVELS["club"], 0.05),
    (LEVELS["club"], 0.1),
    (LEVELS["club"], 0.2),
    ("club:partner=ignored", 0.0),
    (LEVELS["casual"], 0.1),
    ("papa", 0.0),
    ("rabbit:partner=noticed", 0.0),
)
CLUB: Final = 2  # the one among them that the others are measured against
BOARDS: Final = {"four": 8000, "five": 4000, "three": 4000, "two": 4000}
SIGMAS: Final = (0.0, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0)  # of pairs, hundredths
APART: Final = 1 << 40  # between the dice of two tables
PAIR: Final = 4.0  # of pairs at least: bots agree on nothing between them, people may
UPPER: Final = {  # whom the ladder has tested, by level: as it names them, who is better first
    level: [unhurried(better), unhurried(lower)]
    for lower, (level, better) in zip(LEVELS.values(), [*LEVELS.items()][1:], strict=False)
    if bot(better).kernel is None
}


class Played(NamedTuple):
    """Boards: who sat where, what each unit scored beside the mean, and what bots did there."""

    deals: npt.NDArray[np.int64]  # (boards,), their numbers
    people: npt.NDArray[np.int64]  # (boards, seats)
    units: Array  # (boards, units), hundredths
    single: Array  # the same of one table of club bots
    tables: Array  # the same of the nine tables


class Slipping(KernelPlayer):
    """A bot that now and then plays any card."""

    def __init__(self, name: str, slips: float, seed: int, seat: int) -> None:
        super().__init__(name, seed, seat)
        self._slips, self._dice = slips, random.Random(seed * 31 + seat)

    def move(self, hand: Hand) -> Hand:
        """Return the hand after its next action, which is now and then any that is allowed."""
        if hand.phase == "play" and self._dice.random() < self._slips:
            return hand.do(self._dice.choice(hand.legal_numbers()))
        return super().move(hand)


def play(rules: Rules, boards: int, table: int = 0) -> Played:
    """Return boards of the known people at a table; a hand that is thrown in is none.

    Tables of other numbers play the same deals, with other people and other dice.
    """
    sides = rules.fixed_sides or tuple((seat,) for seat in range(rules.seats))
    found: list[tuple[int, list[int], list[Sequence[float]]]] = []
    number = 0
    while len(found) < boards:
        own = number + table * APART
        dice = random.Random(own)
        dealt = Hand.shuffled(rules, number % rules.seats, number)
        people = dice.sample(range(len(PEOPLE)), rules.seats)
        players = [Slipping(*PEOPLE[who], own, seat) for seat, who in enumerate(people)]
        hand = dealt
        while hand.to_act is not None:
            hand = players[hand.to_act].move(hand)
        if hand.score is not None:
            alone = baseline.played(dealt, (LEVELS["club"],) * rules.seats)
            scores = (hand.score, alone, baseline.expected(dealt))
            units = [_units(one, sides, rules.total_points) for one in scores]
            found.append((number, people, units))
        number += 1
    deals = np.array([number for number, _, _ in found])
    seats = np.array([people for _, people, _ in found])
    return Played(deals, seats, *(np.array([each[i] for _, _, each in found]) for i in range(3)))


def _units(score: Sequence[float], sides: Sequence[Sequence[int]], total: int) -> Sequence[float]:
    units = [sum(score[seat] for seat in side) / len(side) for side in sides]
    return [HUNDRED / total * (one - sum(units) / len(units)) for one in units]


def design(rules: Rules, people: npt.NDArray[np.int64], *, pairs: bool) -> Array:
    """Return how often each person, then each two, are in each unit, less the units' mean."""
    sides = rules.fixed_sides or tuple((seat,) for seat in range(rules.seats))
    n = len(PEOPLE)
    twos = {two: n + at for at, two in enumerate((a, b) for a in range(n) for b in range(a))}
    x = np.zeros((len(people), len(sides), n + (len(twos) if pairs else 0)))
    for unit, side in enumerate(sides):
        for seat in side:
            x[np.arange(len(people)), unit, people[:, seat]] += 1
        if pairs:
            for a in range(len(side)):
                for b in range(a):
                    both = np.sort(people[:, [side[a], side[b]]], axis=1)
                    at = [twos[int(high), int(low)] for low, high in both]
                    x[np.arange(len(people)), unit, at] += 1
    x -= x.mean(axis=1, keepdims=True)
    return x.reshape(-1, x.shape[2])


def figures(rules: Rules, played: Played) -> dict[str, Any]:
    """Return what boards say of noise, trust, people, pairs and the bots among the people."""
    x, y = design(rules, played.people, pairs=False), played.units.ravel()
    free = len(played.people) * (played.units.shape[1] - 1)

    def left(target: Array) -> tuple[Array, float]:
        effects: Array = np.asarray(np.linalg.lstsq(x, target, rcond=None)[0], np.float64)
        return effects, float(np.sqrt(((target - x @ effects) ** 2).sum() / free))

    residual = y - x @ left(y)[0]
    bare = left(y)[1]
    told: dict[str, Any] = {"boards": len(played.people), "noise_without": bare}
    for name, bots in (
        ("one table", played.single.ravel()),
        ("nine tables", played.tables.ravel()),
    ):
        trust = float(residual @ bots / (bots @ bots))
        noise, whole = left(y - trust * bots)[1], left(y - bots)[1]
        told[name] = {
            "trust": trust,
            "noise": noise,
            "fewer_boards": (bare / noise) ** 2,  # by which factor, for the same error
            "fewer_boards_with_trust_1": (bare / whole) ** 2,
        }
    trust = told["nine tables"]["trust"]
    target = y - trust * played.tables.ravel()
    effects, noise = left(target)
    covariance = noise**2 * np.linalg.pinv(x.T @ x)
    against = np.eye(len(PEOPLE)) - np.eye(len(PEOPLE))[CLUB]
    errors = np.sqrt(np.einsum("ij,jk,ik->i", against, covariance, against))
    told["people"] = [
        {"bot": bot, "slips": slips, "points": float(points), "error": float(error)}
        for (bot, slips), points, error in zip(PEOPLE, effects - effects[CLUB], errors, strict=True)
    ]
    told["person"] = float(np.std(effects, ddof=1))
    told["pairs"] = _pairs(rules, played, target, noise, told["person"])
    return told


def _pairs(rules: Rules, played: Played, y: Array, noise: float, person: float) -> dict[str, float]:
    """Return the log likelihood of each deviation of pairs, less the best; none without pairs."""
    if rules.fixed_sides is None or len(rules.fixed_sides) == rules.seats:
        return {}
    x, n = design(rules, played.people, pairs=True), len(PEOPLE)
    found = {}
    for pair in SIGMAS:
        use = x if pair else x[:, :n]
        wide = np.array([person] * n + [pair] * (use.shape[1] - n))
        known = use.T @ use / noise**2 + np.diag(1 / wide**2)
        b = use.T @ y / noise**2
        sizes = np.linalg.slogdet(known)[1] + 2 * np.log(wide).sum()
        found[str(pair)] = float(b @ np.linalg.solve(known, b) - sizes) / 2
    best = max(found.values())
    return {pair: one - best for pair, one in found.items()}


def upper(family: str) -> dict[str, tuple[float, float]]:
    """Return what a level that searches has more than the one below, a seat, and the error.

    The ladder has tested them, two partners of a level at a time; a test that is not over does not
    count, and one that ended open does.
    """
    cells = json.loads(LADDER.read_text("utf-8"))["cells"]
    found: dict[str, tuple[float, float]] = {}
    points = error = 0.0
    for level, bots in UPPER.items():
        steps = []
        for cell in cells:
            rules = variant(cell["rules"])
            mine = "five" if rules.calls_partner else "four"
            over = cell["boards"] >= MOST or cell.get("answer") is not None
            if mine == family and cell["bots"] == bots and over:
                scale = HUNDRED / rules.total_points / (1 if family == "five" else 2)
                steps.append((cell["points"] * scale, cell["ci95"] * scale / 1.96))
        if not steps:
            break
        points += sum(step for step, _ in steps) / len(steps)
        error = float(np.hypot(error, np.sqrt(sum(e * e for _, e in steps)) / len(steps)))
        found[level] = points, error
    return found


def written(measured: dict[str, Any]) -> str:
    """Return the program's figures, TOML."""
    lines = [
        "# Made by `python -m benchmarks.ratings.pool`; docs/design/ratings.md says what they are.",
        "# Hundredths of the points in the cards. Anchors: what a bot's side scores more than with",
        "# `club` in its seat, and the standard error.",
    ]
    for family, one in measured.items():
        likely = {float(pair): value for pair, value in one["pairs"].items()}
        pair = max(likely, key=lambda s: likely[s]) if likely else 0.0
        lines += ["", f"[{family}]", f"trust = {one['nine tables']['trust']:.2f}"]
        lines += [f"noise = {one['nine tables']['noise']:.1f}", f"person = {one['person']:.1f}"]
        lines += [f"pair = {max(pair, PAIR) if likely else 0.0:.1f}", f"[{family}.anchors]"]
        anchors = {"club": (0.0, 0.0)}
        for level in ("beginner", "casual"):
            told = next(p for p in one["people"] if (p["bot"], p["slips"]) == (LEVELS[level], 0.0))
            anchors[level] = told["points"], told["error"]
        anchors |= upper(family)
        lines += [
            f"{bot} = [{points:.1f}, {error:.1f}]" for bot, (points, error) in anchors.items()
        ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Play, keep the figures, and print them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--boards", type=float, default=1.0, help="so many times the usual number")
    day = datetime.now(UTC).date().isoformat()
    parser.add_argument("--out", type=Path, default=RESULTS / f"{day}-ratings-pool.json")
    parser.add_argument("--keep", type=Path, help="a folder for the boards themselves")
    parser.add_argument("--again", type=Path, help="play nothing: the figures from what FILE keeps")
    chosen = parser.parse_args()
    if chosen.again is not None:
        kept = json.loads(chosen.again.read_text("utf-8"))
        FIGURES.write_text(written(kept["families"]), encoding="utf-8")
        return
    measured = {}
    began = time.process_time()
    for family, boards in BOARDS.items():
        rules = variant(FAMILIES[family])
        played = play(rules, round(boards * chosen.boards))
        if chosen.keep is not None:
            np.savez_compressed(chosen.keep / f"{family}.npz", **played._asdict())
        measured[family] = {"rules": rules.id, **figures(rules, played)}
        print(family, json.dumps(measured[family]), flush=True)
    kept = {
        "day": day,
        "machine": f"{platform.system()}, Python {platform.python_version()}",
        "seconds_of_a_core": round(time.process_time() - began),
        "families": measured,
    }
    chosen.out.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    FIGURES.write_text(written(measured), encoding="utf-8")


if __name__ == "__main__":
    main()
