"""Write the leaderboard, `docs/reference/leaderboard.md`, from reports of `rookery.evaluate`.

    python -m scripts.docs.leaderboard

Every report is a file under `docs/data/leaderboard`. A file that is no report, or one by another
protocol, is told in one line, and then nothing is written.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Final

from rookery.envs.evaluation.evaluate import OPPONENTS
from rookery.envs.evaluation.report import BadReport, Evaluation, Meeting, points, read
from rookery.files import write_file
from rookery.lab.duplicate.seeds import Family
from rookery.rules import load
from rookery.rules.source import IDS
from rookery.rules.table import compile_rules

ROOT: Final = Path(__file__).resolve().parents[2]
REPORTS: Final = ROOT / "docs" / "data" / "leaderboard"
PAGE: Final = ROOT / "docs" / "reference" / "leaderboard.md"
FEWEST: Final = 1000  # deals of each match
SEED: Final = 1  # that they are drawn from
MADE: Final = "<!-- Made by `python -m scripts.docs.leaderboard`; write nothing here by hand. -->"
RUNGS: Final = ", ".join(f"`{one}`" for one in OPPONENTS)
ABOUT: Final = f"""\
Policies, measured by one protocol: `rookery.evaluate` plays {FEWEST:,} held-out deals
(`family="holdout"`, seed {SEED}) against each of the levels {RUNGS}, every deal from
every side of the table.

**Reports are self-declared.** Whoever trained a policy ran the test, with the code that they had.
That they looked at the held-out deals only once is their word: the ledger of such looks is a file
of their own. If a policy and its weights are public, anybody can play the same deals and has to get
the same figures; if not, nobody can.

*Points a board*: how far the policy's side is ahead of the others, with half of the 95 % interval.
The policy has both seats of its side, unless a column says otherwise. *Known partner*: a bot like
its opponents sits opposite, and the policy may be told so. *Unknown partner*: one of the levels
sits opposite, drawn for every hand, and the policy is not told which.

To enter, [evaluate](../how-to/evaluate-a-policy.md) on the holdout, put the report into
`docs/data/leaderboard` and run `python -m scripts.docs.leaderboard`."""


def reports(folder: Path) -> list[Evaluation]:
    """Return the reports of a folder, all of them by the protocol.

    Raises:
        BadReport: a file holds none, one by another protocol, or the same name at a game twice.
        OSError: a file cannot be read.
    """
    found: dict[tuple[str, str], Evaluation] = {}
    for path in sorted(folder.glob("*.json")):
        report = read(path)
        if why := _amiss(report):
            raise BadReport(f"{path}: {why}")
        key = (report.rules, report.name.lower())
        if key in found:
            raise BadReport(f"{path}: {report.name} is there already; expected one report each")
        found[key] = report
    return list(found.values())


def _amiss(report: Evaluation) -> str | None:
    """Return what is not as the protocol wants it; None where all is."""
    if report.rules not in IDS:
        return f"rules {report.rules!r}; expected a variant of the catalogue"
    if report.family is not Family.HOLDOUT or report.seed != SEED:
        return f"{report.family} deals of seed {report.seed}; expected holdout of seed {SEED}"
    alone = compile_rules(load(report.rules)).partners[0].bit_count() == 1
    partners = ("alone",) if alone else ("self", "known", "unknown")
    wanted = [(who, partner) for who in OPPONENTS for partner in partners]
    there = [(one.opponent, one.partner) for one in report.meetings]
    if missing := [pair for pair in wanted if pair not in there]:
        who, partner = missing[0]
        return f"no match against {who} (partner: {partner}); expected one against each rung"
    for one in report.meetings:
        if one.difference.ci95 is None:
            return f"no interval against {one.opponent}; expected {FEWEST:,} deals"
        low, high = one.difference.ci95
        if not low <= one.difference.mean <= high:
            return f"points of {one.difference.mean} in an interval of {low} to {high}"
        if one.rules != report.rules or one.seats[0] != report.name:
            return f"a match of {one.seats[0]} at {one.rules}; expected {report.name}'s own"
        if one.deals < FEWEST or one.test is not None:
            return (
                f"{one.deals:,} deals against {one.opponent}; expected {FEWEST:,}, without a test"
            )
    return None


def page(entries: Sequence[Evaluation]) -> str:
    """Return the page."""
    parts = ["# Leaderboard", MADE, ABOUT]
    for rules, there in groupby(sorted(entries, key=lambda one: one.rules), lambda one: one.rules):
        ranked = sorted(there, key=lambda one: -_strength(one))
        parts += [f"## {load(rules).name}", f"`{rules}`", _table(ranked)]
    return "\n\n".join(parts) + "\n"


def _strength(entry: Evaluation) -> float:
    """Return by what entries are ranked: points against the strongest rung."""
    return _of(entry, OPPONENTS[-1], ("self", "alone")).difference.mean


def _of(entry: Evaluation, opponent: str, partners: Iterable[str]) -> Meeting:
    return next(
        one for one in entry.meetings if one.opponent == opponent and one.partner in partners
    )


def _table(entries: Sequence[Evaluation]) -> str:
    best = OPPONENTS[-1]
    columns: list[tuple[str, tuple[str, ...], str]] = [
        (who, ("self", "alone"), f"against {who}") for who in OPPONENTS
    ]
    if entries[0].meetings[0].partner != "alone":
        columns += [
            (best, ("known",), f"known partner, against {best}"),
            (best, ("unknown",), f"unknown partner, against {best}"),
        ]
    head = ["", "policy", *(title for *_, title in columns), "Rookery"]
    lines = [head, ["---:", "---", *("---:" for _ in columns), "---"]]
    for place, entry in enumerate(entries, 1):
        figures = [points(_of(entry, who, partners)) for who, partners, _ in columns]
        lines.append([str(place), entry.name, *figures, entry.rookery])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def main(folder: Path = REPORTS, path: Path = PAGE) -> int:
    """Write the page; return the exit status."""
    try:
        write_file(path, page(reports(folder)).encode())
    except (BadReport, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
