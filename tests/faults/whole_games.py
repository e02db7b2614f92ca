"""The rules, the records, the repeatable matches and the deals in full, without a server."""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from typing import Final
from unittest.mock import patch

from tests.engine import stepping
from tests.faults import hostile_rules
from tests.faults.fairness import Fairness, counted, fairness, naive
from tests.faults.promises import ROOT, Control, Result
from tests.faults.same import hash_of
from tests.faults.told_again import complaints
from tests.faults.unfair import PLANTED, dealt
from tests.laws.test_game_laws import a_card_lost, looked_through
from tests.laws.test_judge_agrees import FAULTS, compared, disagreement

from rookery.engine.actions import legal
from rookery.engine.targets import load
from rookery.rules import catalog, variant
from rookery.rules.table import compile_rules

STEPS: Final = 100_000
MATCHES: Final = 100_000
SAME: Final = 1_000
DEALS: Final = 1_000_000
HOSTILE: Final = 100_000
ACTS: Final = 500
CORE: Final = 0.5  # seconds of one, for a game
GROWTH: Final = 64  # MiB that the process may grow by in a chunk
SPOILED: Final = 300_000  # deals with a fault in some of them
# Promised is the oldest version of Python that runs it; what others come to stands beside that.
_NOW: Final = "{}.{}".format(*sys.version_info)
VERSION: Final = "" if _NOW == "3.11" else f"Python {_NOW}"
_HASHES: Final = (*((f"P12-Python-{_NOW}",) if VERSION else ()), "P12")
GOLDEN: Final = ROOT / "tests" / "golden" / "same.json"


def golden() -> dict[str, str]:
    """Return the hashes that are known, by the number of matches."""
    known: dict[str, str] = json.loads(GOLDEN.read_text(encoding="utf-8"))
    return known


def laws(size: int, seed: int, done: int) -> list[Result]:
    """Play so many steps of every variant beside the judge, and look at as many positions; P10."""
    began = time.process_time()
    wrong, steps, looked = [], 0, 0
    for name in catalog():
        found = _steps(name, seed + done)
        for _, one in zip(range(size), found, strict=False):
            steps += 1
            wrong += [] if one is None else [f"{name}: {one}"]
        more, broken = _positions(name, seed + done, size // 10)
        looked += more
        wrong += [f"{name}: {broken}"] if broken else []
    control = None if done else _faulty_engine()
    return [
        Result(
            promise="P10",
            part="",
            unit="steps a variant",
            size=size,
            full=STEPS,
            held=not wrong,
            counts={
                "steps compared with the second implementation": steps,
                "positions whose cards and legal actions were checked": looked,
                "that are not as they should be": len(wrong),
            },
            figures={"variants": len(catalog())},
            seed=seed,
            seconds=time.process_time() - began,
            command="scripts/promises --only P10",
            control=control,
            note=wrong[0] if wrong else "",
        )
    ]


def _steps(name: str, first: int) -> Iterator[str | None]:
    return (one for seed in count(first * 1_000_003) for one in compared(variant(name), seed))


def _positions(name: str, first: int, wanted: int) -> tuple[int, str]:
    looked = 0
    for seed in count(first * 1_000_003):
        more, wrong = looked_through(variant(name), seed)
        looked += more
        if wrong or looked >= wanted:
            return looked, wrong
    return looked, ""


def _faulty_engine() -> Control:
    rules = variant("kd_tournament")
    sound = compile_rules(rules)
    caught = 0
    for fault in FAULTS.values():
        faulty = replace(sound, **fault(sound))
        with patch("rookery.game.position.compile_rules", lambda _, faulty=faulty: faulty):
            caught += any(disagreement(rules, seed) for seed in range(20))
    with a_card_lost():
        caught += any(looked_through(rules, seed)[1] for seed in range(20))
    planted = len(FAULTS) + 1
    what = "an engine with a fault in its table, and one that loses a card in play"
    counts = {"faults planted": planted, "found": caught}
    return Control(what, caught == planted, counts)


def replays(size: int, seed: int, done: int) -> list[Result]:
    """Play so many matches at tables and tell them again; P11."""
    began = time.process_time()
    first = seed * 1_000_003 + done
    wrong = [one for number in range(first, first + size) for one in complaints(number)]
    control = None
    if not done:
        caught = sum(any(complaints(number, lossy=True)) for number in range(38))
        control = Control(
            "a log that lost one action", caught == 38, {"matches": 38, "found": caught}
        )
    return [
        Result(
            promise="P11",
            part="",
            unit="matches",
            size=size,
            full=MATCHES,
            held=not wrong,
            counts={"matches that differ after the replay": len(wrong)},
            seed=seed,
            seconds=time.process_time() - began,
            command="scripts/promises --only P11",
            control=control,
            note=wrong[0] if wrong else "",
        )
    ]


def same(size: int, seed: int, done: int) -> list[Result]:
    """Play the same matches compiled and not, by one worker and two; P12."""
    began = time.process_time()
    compiled = load("numba", stepping.step)
    found = {
        "plain": hash_of(size),
        "plain, two workers": hash_of(size, workers=2),
        "compiled": hash_of(size, compiled),
        "compiled, two workers": hash_of(size, compiled, workers=2),
    }
    # What comes out of fewer is written down for the sizes of the tests alone.
    if str(size) in golden() or size >= SAME:
        found["known"] = golden()[str(size)]
    with unordered():
        other = hash_of(38)
    others = len(set(found.values())) - 1
    return [
        Result(
            promise="P12",
            part=VERSION,
            unit="matches",
            size=size,
            full=SAME,
            held=not others,
            counts={"ways to run": len(found), "hashes that differ": others},
            seed=seed,
            seconds=time.process_time() - began,
            command="scripts/promises --only P12",
            control=Control("legal actions in another order", other != hash_of(38)),
            note=f"SHA-256 {found['plain']}.",
        )
    ]


@contextmanager
def unordered() -> Iterator[None]:
    """List legal actions the other way round for a while."""

    def turned(*arguments: object) -> int:
        n = legal(*arguments)  # type: ignore[arg-type]
        actions = arguments[3]
        assert isinstance(actions, list)
        actions[:n] = actions[:n][::-1]
        return int(n)

    with patch.object(stepping, "legal", turned):
        yield


def fair(size: int, seed: int, done: int) -> list[Result]:
    """Deal so many times, and compare with what chance does; P18."""
    began = time.process_time()
    found = fairness(size, seed)
    return [
        Result(
            promise="P18",
            part="fair",
            unit="deals",
            size=size,
            full=DEALS,
            held=found.fair,
            counts={},
            figures=_figures(found),
            seed=seed,
            seconds=time.process_time() - began,
            command="scripts/promises --only P18",
            control=_unfair(seed),
            note=f"Beyond its limit: {', '.join(found.unfair)}." if found.unfair else "",
        )
    ]


def _unfair(seed: int) -> Control:
    caught = ["places"] if "places" in fairness(20_000, seed, naive).unfair else []
    for fault in PLANTED:
        found = counted(dealt(SPOILED, seed, fault)).unfair
        caught += [fault.figure] if fault.figure in found else []
    what = ", ".join(fault.what for fault in PLANTED)
    return Control(
        f"a shuffle that swaps with any place at all, 20,000 deals; {what}, {SPOILED:,} deals each",
        len(caught) == 1 + len(PLANTED),
        {"faults planted": 1 + len(PLANTED), "found by their own figure": len(caught)},
    )


def _figures(found: Fairness) -> dict[str, float]:
    named = {
        "chi-square of cards by places": found.places,
        "standard deviations of runs from the expected": found.runs,
        "chi-square of first cards that follow one another": found.following,
        "chi-square of neighbours that are still together": found.neighbours,
        **{f"chi-square of hands by {name}": figure for name, figure in found.hands.items()},
    }
    return {f"{name} (at most {each.most:,.1f})": each.found for name, each in named.items()}


def hostile(size: int, seed: int, done: int) -> list[Result]:
    """Check so many hostile rule sets, and begin a game by a tenth of them; P21."""
    began = time.process_time()
    # What a program keeps after its first hundreds is no growth.
    hostile_rules.campaign(range(400), seed, 40, ACTS, CORE)
    before = _memory()
    found = hostile_rules.campaign(range(done, done + size), seed, size // 10, ACTS, CORE)
    grown = _memory() - before
    control = None
    if not done:
        caught = hostile_rules.planted(range(400), seed)
        what = "a check that counts no deals, and a table that deals without end"
        counts = {"faults planted": 2, "found": sum(map(bool, caught))}
        control = Control(what, all(caught), counts)
    return [
        Result(
            promise="P21",
            part="",
            unit="rule sets",
            size=size,
            full=HOSTILE,
            held=not found.wrong and grown < GROWTH,
            counts={
                **found.seen,
                "acts at tables": found.acts,
                "hands at tables": found.hands,
                "that are not as they should be": len(found.wrong),
            },
            times={
                "slowest check of 2,000": [1000 * found.longest],
                "an act, on average of the slowest game of 200": [1000 * found.an_act],
            },
            seed=seed,
            seconds=time.process_time() - began,
            command="scripts/promises --only P21",
            control=control,
            note=found.wrong[0] if found.wrong else "",
        )
    ]


def _memory() -> float:
    """Return the most memory that this process has had, MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


CAMPAIGNS: Final = {
    "laws": (("P10",), STEPS, 2_000, laws),
    "replays": (("P11",), MATCHES, 2_000, replays),
    "same": (_HASHES, SAME, SAME, same),
    "fair": (("P18-fair",), DEALS, DEALS, fair),
    "hostile": (("P21",), HOSTILE, 2_000, hostile),
}
