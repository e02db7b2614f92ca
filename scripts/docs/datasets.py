"""The page of data sets: the datasheet of the one in the package, and what such sets cost.

`python -m benchmarks.envs.dataset` measures and keeps the figures.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from rookery.lab.dataset.card import card
from rookery.lab.dataset.making import BOTS
from rookery.lab.dataset.read import facts_of, sample

RESULTS: Final = Path(__file__).resolve().parents[2] / "benchmarks" / "results"
SIZES: Final = (20_000, 1_000_000)  # deals that are reckoned where they were not made
INTRO: Final = """\
[`rookery study dataset`](../how-to/run-a-study.md#make-a-data-set) writes deals with every bid,
play and outcome into a folder, in the layout that Hugging Face's `datasets` reads, with a datasheet
as its `README.md`. What follows is the datasheet of the small data set that comes with Rookery:
`rookery.lab.dataset.read.sample()` returns its folder."""
COST: Final = """\
## How long it takes, and how large it gets

Processor time is what the work costs, whatever else the machine does. By the clock it takes that
time divided by the cores that work (`--threads`), and longer where other programs want the same
cores: with a load average of 4 on two cores, about twice as long. `nice -n 19` in front of the
command gives way to all of them. None of that changes a row: bots with a fixed number of rollouts
do not look at a clock."""


def kept_runs() -> list[dict[str, Any]]:
    """Return what data sets have cost that were made, as the latest file has them."""
    files = sorted(RESULTS.glob("*-dataset.json"))
    found: list[dict[str, Any]] = json.loads(files[-1].read_text("utf-8")) if files else []
    return found


def body() -> Iterator[str]:
    """Yield the parts of the page."""
    _, _, text = card(facts_of(sample())).partition("\n---\n")
    _, _, sheet = text.strip().partition("\n\n")
    yield from (INTRO, sheet, COST)
    yield from cost(kept_runs())


def cost(runs: list[dict[str, Any]]) -> Iterator[str]:
    """Yield what runs have cost, and what larger ones with the usual bots would."""
    rows = [
        "| Made | Deals | Processor time | By the clock | Size |",
        "| --- | --- | --- | --- | --- |",
    ]
    for run in sorted(runs, key=lambda one: one["deals"]):
        whole = run["played"] == run["deals"]
        clock = long(run["clock_s"]) if whole and run["clock_s"] is not None else ""
        rows.append(
            f"| {' and '.join(f'`{bot}`' for bot in run['bots'])}, `{run['rules']}` "
            f"| {run['deals']:,} | {long(run['processor_s'] * run['deals'] / run['played'])}"
            f"{'' if whole else ', estimated from the last ' + format(run['played'], ',')} "
            f"| {clock} | {large(run['bytes'])} |"
        )
    yield "\n".join(rows)
    yield "\n".join(f"- {line}." for line in _where(runs))
    usual = [run for run in runs if tuple(run["bots"]) == BOTS]
    timed, sized = (max(of, key=lambda one: one["deals"]) for of in (usual, runs))
    rows = ["| Deals, estimated | Processor time | Size |", "| --- | --- | --- |"]
    rows += [
        f"| {deals:,} | {long(timed['processor_s'] / timed['played'] * deals)} "
        f"| {large(sized['bytes'] / sized['deals'] * deals)} |"
        for deals in SIZES
        if deals > timed["deals"]
    ]
    same = timed is sized
    size = "time and size" if same else f"the size from {sized['deals']:,} deals, the time"
    yield (
        f"More deals of {' and '.join(f'`{bot}`' for bot in BOTS)} are estimated from these runs: "
        f"{size} from {timed['deals']:,} deals of the same bots."
    )
    yield "\n".join(rows)


def _where(runs: list[dict[str, Any]]) -> Iterator[str]:
    """Yield where and when each run was made."""
    for run in sorted(runs, key=lambda one: one["deals"]):
        facts = [f"{run['deals']:,} deals: {run['date']}", run["machine"]]
        if run["threads"] is not None:  # nobody noted that of the first run
            facts += [f"{run['threads']} threads" if run["threads"] > 1 else "1 thread"]
            facts += [f"load average {' to '.join(map(str, run['load_average']))}"]
        facts += [f"nice {run['nice']}"] if run["nice"] else []
        yield ", ".join([*facts, f"Rookery {run['version']}"])


def long(seconds: float) -> str:
    """Return a time in words.

    >>> long(17.2), long(395), long(7950), long(395_000)
    ('17 s', '7 minutes', '2 hours 12 minutes', '110 hours')
    """
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 100:
        return f"{minutes} minutes"
    hours, rest = divmod(minutes, 60)
    return f"{hours} hours {rest} minutes" if hours < 10 else f"{seconds / 3600:.0f} hours"


def large(size: float) -> str:
    """Return so many bytes in words.

    >>> large(89_666), large(7_600_000), large(380_000_000)
    ('90 kB', '7.6 MB', '380 MB')
    """
    if size < 1e6:
        return f"{size / 1e3:.0f} kB"
    return f"{size / 1e6:.1f} MB" if size < 1e7 else f"{size / 1e6:,.0f} MB"
