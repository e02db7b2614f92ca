"""Rook in OpenSpiel: how fast it is beside OpenSpiel's own games, and how well Mini-Rook is solved.

    python -m benchmarks.spiel speed
    python -m benchmarks.spiel exploitability [--seconds S]

Both keep what they measured under ``results/``, named by the day, and print it as a table; with
``--page`` the table of exploitability is written into ``docs/how-to/open-spiel.md`` too. Speeds are
of processor time, the median of `TURNS` turns, games taking turns.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import pyspiel
from open_spiel.python import games
from open_spiel.python.algorithms import gambit

import rookery.envs.open_spiel

__all__ = ["games", "rookery"]  # importing them registers the games

ROOT: Final = Path(__file__).resolve().parents[1]
RESULTS: Final = ROOT / "benchmarks" / "results"
PAGE: Final = ROOT / "docs" / "how-to" / "open-spiel.md"
MARKS: Final = (
    "<!-- exploitability of Mini-Rook: written by benchmarks/spiel.py -->\n",
    "\n<!-- end -->",
)
OURS: Final = ("rook(rules=kd_tournament)", "rook(rules=call_partner_5)", "mini_rook")
THEIRS: Final = (
    "python_tic_tac_toe",
    "python_kuhn_poker",
    "python_liars_poker",
    "python_block_dominoes",
    "python_team_dominoes",
)
TURNS: Final = 3
CLONES: Final = 20_000
CHECKS: Final = (
    10,
    100,
    1000,
    10_000,
    100_000,
    1_000_000,
)  # iterations after which the policy is looked at


def played(game: Any, dice: random.Random) -> int:  # noqa: ANN401
    """Play a hand at random, as a loop in Python does; return how many decisions it had."""
    state, decisions = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(dice.choices(outcomes, chances)[0])
        else:
            state.apply_action(dice.choice(state.legal_actions()))
            decisions += 1
    state.returns()
    return decisions


def decisions_per_second(game: Any, seconds: float) -> float:  # noqa: ANN401
    """Return how many decisions are made at random in a second of processor time."""
    dice, decisions, begun = random.Random(1), 0, time.process_time()
    while time.process_time() < begun + seconds:
        decisions += played(game, dice)
    return decisions / (time.process_time() - begun)


def middle_of(game: Any) -> Any:  # noqa: ANN401
    """Return a state half way through a hand that is played at random."""
    dice = random.Random(2)
    state, states = game.new_initial_state(), []
    while not state.is_terminal():
        states.append(state.clone())
        chance = state.is_chance_node()
        actions = [one for one, _ in state.chance_outcomes()] if chance else state.legal_actions()
        state.apply_action(dice.choice(actions))
    return states[len(states) // 2]


def clone_time(state: Any) -> float:  # noqa: ANN401
    """Return how long a copy of a state takes, microseconds of processor time."""
    begun = time.process_time()
    for _ in range(CLONES):
        state.clone()
    return (time.process_time() - begun) / CLONES * 1e6


def speeds(seconds: float) -> dict[str, Any]:
    """Return decisions a second and the time of a copy for each game, games taking turns."""
    loaded = {name: pyspiel.load_game(name) for name in (*OURS, *THEIRS)}
    decisions: dict[str, list[float]] = {name: [] for name in loaded}
    clones: dict[str, list[float]] = {name: [] for name in loaded}
    for turn in range(TURNS):
        print(f"turn {turn + 1} of {TURNS} ...", file=sys.stderr)
        for name, game in loaded.items():
            decisions[name].append(decisions_per_second(game, seconds))
            clones[name].append(clone_time(middle_of(game)))
    return {
        name: {
            "decisions_per_second": [round(one) for one in sorted(decisions[name])],
            "clone_us": [round(one, 2) for one in sorted(clones[name])],
        }
        for name in loaded
    }


def speed_table(found: dict[str, Any]) -> str:
    """Return speeds as a table in Markdown: medians."""
    lines = ["| Game | decisions/s | a copy, µs |", "|---|---:|---:|"]
    for name, one in found.items():
        rate = statistics.median(one["decisions_per_second"])
        copy = statistics.median(one["clone_us"])
        lines.append(f"| `{name}` | {rate:,.0f} | {copy:.1f} |")
    return "\n".join(lines)


# How far a policy is from one that nobody can exploit.


def tree_of(game: Any) -> Any:  # noqa: ANN401
    """Return a game that has the whole tree of another, made in one walk through it.

    OpenSpiel's algorithms walk through a tree again and again, and each step of a game in Python
    costs them a call into Python.
    """
    return pyspiel.load_efg_game(gambit.export_gambit(game))


def solvers(game: Any) -> dict[str, tuple[Callable[[], None], Callable[[], Any]]]:  # noqa: ANN401
    """Return each algorithm as what does an iteration, and what gives its average policy."""
    cfr, plus = pyspiel.CFRSolver(game), pyspiel.CFRPlusSolver(game)
    external = pyspiel.ExternalSamplingMCCFRSolver(game, seed=1)
    outcome = pyspiel.OutcomeSamplingMCCFRSolver(game, seed=1)
    return {
        "CFR": (cfr.evaluate_and_update_policy, cfr.average_policy),
        "CFR+": (plus.evaluate_and_update_policy, plus.average_policy),
        "MCCFR, external sampling": (external.run_iteration, external.average_policy),
        "MCCFR, outcome sampling": (outcome.run_iteration, outcome.average_policy),
    }


def run(
    game: Any,  # noqa: ANN401
    iterate: Callable[[], None],
    policy: Callable[[], Any],
    seconds: float,
) -> Iterator[dict[str, float]]:
    """Yield how exploitable an algorithm's policy is after some iterations, until time is up."""
    spent, iteration = 0.0, 0
    for check in CHECKS:
        while iteration < check:
            if spent >= seconds:
                return
            begun = time.process_time()
            iterate()
            spent += time.process_time() - begun
            iteration += 1
        yield {
            "iterations": iteration,
            "seconds": round(spent, 1),
            "nash_conv": round(pyspiel.nash_conv(game, policy(), True), 3),
        }


def exploitabilities(seconds: float) -> dict[str, list[dict[str, float]]]:
    """Return how exploitable each algorithm's policies are, and a player's who acts at random."""
    game = tree_of(pyspiel.load_game("mini_rook"))
    uniform = pyspiel.nash_conv(game, pyspiel.UniformRandomPolicy(game))
    found = {"at random": [{"iterations": 0, "seconds": 0.0, "nash_conv": round(uniform, 3)}]}
    for name, (iterate, policy) in solvers(game).items():
        print(f"{name} ...", file=sys.stderr)
        found[name] = list(run(game, iterate, policy, seconds))
    return found


def exploitability_table(found: dict[str, list[dict[str, float]]]) -> str:
    """Return figures of exploitability as a table in Markdown."""
    lines = ["| Algorithm | iterations | seconds | NashConv, points |", "|---|---:|---:|---:|"]
    for name, checks in found.items():
        lines += [
            f"| {name} | {one['iterations']:,} | {one['seconds']:.1f} | {one['nash_conv']:.3f} |"
            for one in checks
        ]
    return "\n".join(lines)


def page_with(table: str, page: str) -> str:
    """Return a page with the table in its place.

    Raises:
        ValueError: the page has no place for it.
    """
    before, rest = page.split(MARKS[0])
    return f"{before}{MARKS[0]}\n{table}\n{MARKS[1]}{rest.split(MARKS[1], 1)[1]}"


def main() -> None:
    """Measure, keep and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("speed", "exploitability"))
    parser.add_argument("--seconds", type=float, default=0, help="for each game or algorithm")
    parser.add_argument("--page", action="store_true", help="write the table into the page")
    asked = parser.parse_args()
    if asked.what == "speed":
        figures = speeds(asked.seconds or 2)
        table = speed_table(figures)
    else:
        figures = exploitabilities(asked.seconds or 120)
        table = exploitability_table(figures)
        if asked.page:
            PAGE.write_text(page_with(table, PAGE.read_text("utf-8")), "utf-8")
    kept = {
        "open_spiel": version("open-spiel"),
        "python": sys.version.split()[0],
        "figures": figures,
    }
    day = datetime.now(UTC).date().isoformat()
    path = RESULTS / f"{day}-spiel-{asked.what}.json"
    path.write_text(json.dumps(kept, indent=1) + "\n", "utf-8")
    print(table)


if __name__ == "__main__":
    main()
