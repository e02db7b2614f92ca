"""The page of the promises, made from the results of their tests."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.faults.promised import PROMISES, Promise
from tests.faults.promises import ROOT, Result, share

PAGE = ROOT / "docs" / "reference" / "promises.md"
SEARCH = ROOT / "benchmarks" / "results" / "2026-11-20-expert-tables.json"
# Figures whose names in the kept results are codes of the checker.
LABELS = {
    "found as back": "connections that began before what the person knew",
    "found as told": "events sent that are not in the log",
    "found as lost": "acknowledged commands that are not in the log",
    "found as stuck": "waits that did not end",
    "found as fold": "events that do not fit the table",
    "found as order": "commands out of order",
    "answers that they know it all": "answers that nothing is new",
    "tables where nobody was told an outcome that nobody knew": (
        "tables with an unknown outcome, which the server told nobody"
    ),
}

_HEAD = """# Promises

What the table promises to its players, the target for each promise, and what the tests found. Each
test has a *control*: the same test against a server with one fault in it, which the test has to
find. [Tests of faults](../design/faults.md) says how the tests work.

This page is made from the tests' own results, which are kept in `benchmarks/results/promises`;
`.venv/bin/python -m tests.faults.promises` writes it again. Every change runs all tests in small,
in `scripts/test`. The full size takes some hours: `scripts/promises` runs what is not kept yet and
resumes what was interrupted. `scripts/promises --again` runs everything again, and
`scripts/promises --again --only P8` one promise. A kept result stays until the new run is whole.
Each result says when it was found, on which machine and, if known, with which revision of the
program.
"""


def page(results: Sequence[Result]) -> str:
    """Return the page, Markdown, of these results."""
    found = {name: [one for one in results if one.promise == name] for name in PROMISES}
    lines = [_HEAD, *_summary(found)]
    for name, promise in PROMISES.items():
        lines += ["", *_section(name, promise, found[name])]
    return "\n".join(lines) + "\n"


def _summary(found: dict[str, list[Result]]) -> Iterator[str]:
    yield "| | Promise | Shown |"
    yield "|---|---|---|"
    for name, promise in PROMISES.items():
        shown = verdict(found[name], promise.parts)
        yield f"| [{name}](#{name.lower()}) | {promise.title} | {shown} |"


def verdict(results: Sequence[Result], parts: Sequence[str] = ("",)) -> str:
    """Return in a few words how far a promise was shown, all of whose `parts` it takes."""
    if not results:
        return "in small, with every change; not shown at full size"
    broken = [one.part or one.unit for one in results if not sound(one)]
    if broken:
        return f"**not held**: {', '.join(broken)}"
    short = [f"{one.size:,} of {one.full:,} {one.unit}" for one in results if not one.whole]
    known = {one.part for one in results}
    short += [f"{part} in small only" for part in parts if part not in known]
    if short:
        return f"held; not shown at full size: {', '.join(short)}"
    return "held, at full size"


def sound(one: Result) -> bool:
    """Return whether a result was held, and its control found."""
    return one.held and (one.control is None or one.control.caught)


def _section(name: str, promise: Promise, results: Sequence[Result]) -> Iterator[str]:
    yield f"## {name}"
    yield ""
    yield f"**{promise.title}** Target: {promise.target}."
    yield ""
    yield promise.how
    yield ""
    if not results:
        yield "Not shown at full size."
        yield ""
    for one in results:
        yield from _result(one)
    if name == "P4":
        yield searching()
        yield ""
    tests = ", ".join(f"`{path}`" for path in promise.reduced)
    yield f"In small: {tests}. In full: `{promise.full}`."


def _result(one: Result) -> Iterator[str]:
    size = f"{one.size:,} {one.unit}" + ("" if one.whole else f" of {one.full:,}")
    head = f"{one.part[:1].upper()}{one.part[1:]}: {size}" if one.part else size
    held = "" if one.held else "**not held**; "
    yield f"- {held}{head}{'; ' if _figures(one) else ''}{'; '.join(_figures(one))}."
    if one.note:
        yield f"  {one.note}"
    if one.control is not None:
        yield f"  Control, {one.control.what}: {_control(one)}."
    program = f", revision {one.revision}" if one.revision else ""
    yield (
        f"  {one.date}, {one.machine}{program}, seed {one.seed}, {_lasted(one.seconds)}: "
        f"`{one.command}`."
    )
    yield ""


def searching(kept: Path = SEARCH) -> str:
    """Return how many tables of bots that search a core carries, from a kept measurement.

    That is the largest number at which `club` never had to stand in for a bot.
    """
    told = json.loads(kept.read_text(encoding="utf-8"))
    crowds = sorted(told["found"]["crowds"], key=lambda crowd: crowd["tables"])
    alone = [crowd for crowd in crowds if not crowd["stood_in"]]
    most = alone[-1]
    beyond = [crowd for crowd in crowds if crowd["tables"] > most["tables"]]
    late = "".join(
        f"; at {crowd['tables']} the `club` bot stood in {sum(crowd['stood_in'].values()):,} times"
        for crowd in beyond[:1]
    )
    return (
        f"- `{told['bot']}`, a decision a table every 2 s: a core carries {most['tables']} tables, "
        f"p50 {most['p50_ms']:.0f} ms, p99 {most['p99_ms']:.0f} ms from question to answer, and "
        f"`club` never stands in{late}.\n  {told['day']}, {told['machine']}: `{told['command']}`."
    )


def _figures(one: Result) -> list[str]:
    counts = [f"{LABELS.get(name, name)}: {count:,}" for name, count in one.counts.items()]
    times = [
        f"{name}: p50 {share(each, 0.5):,.0f} ms, p99 {share(each, 0.99):,.0f} ms, "
        f"most {max(each):,.0f} ms"
        for name, each in one.times.items()
        if each
    ]
    return [*counts, *times, *(f"{name}: {figure:,g}" for name, figure in one.figures.items())]


def _control(one: Result) -> str:
    assert one.control is not None
    counts = one.control.counts.items()
    seen = ", ".join(f"{LABELS.get(name, name)}: {count:,}" for name, count in counts)
    return f"{'found' if one.control.caught else '**not found**'}{f' ({seen})' if seen else ''}"


def _lasted(seconds: float) -> str:
    return f"{seconds / 60:.0f} min" if seconds >= 90 else f"{seconds:.0f} s"
