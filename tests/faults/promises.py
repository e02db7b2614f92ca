"""What the tests of the promises found: one small file a part of a promise, kept and added up.

A test or a campaign of promise ``P9`` keeps what it saw, and says nothing else of it::

    from tests.faults.promises import Control, Result, keep

    keep(
        Result(
            "P9",                       # which promise; its words stand in `promised`
            part="requests",            # which part of it, if there is more than one
            unit="requests",            # what is counted, and how much of it
            size=102_400,
            full=100_000,               # how much it takes for full size
            held=not wrong,             # whether all of it was as promised
            counts={"answers of 5xx": 0, "bodies that fit no schema": 0},
            times={},                   # name -> milliseconds, each; p50, p99, most are shown
            control=Control("a handler that trusts an int", caught=True, counts={"5xx": 12}),
            seed=7,
            seconds=311.0,
            command="scripts/promises --only P9",
        )
    )

This writes ``benchmarks/results/promises/P9-requests.json``. Of all these files, and of the words
in `promised`, ``python -m tests.faults.promises`` makes ``docs/reference/promises.md``; no figure
on that page is written by hand. Only full runs keep results, not the tests of every change: those
show that the campaign and its control work.

A campaign that goes on where it was interrupted keeps the sum: ``keep(result, after=400)`` adds to
the file with the same seed if 400 were done in it, and is an error otherwise. With each goes which
program it was, see `revision`.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import msgspec

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "benchmarks" / "results" / "promises"


class Control(msgspec.Struct):
    """A server, or a test, with one fault in it, which had to be found out.

    Attributes:
        what: the fault.
        caught: whether it was found.
        counts: what was seen of it.
    """

    what: str
    caught: bool
    counts: dict[str, int] = {}


def _today() -> str:
    return datetime.now(UTC).date().isoformat()


def _machine() -> str:
    return f"{platform.system()}, {os.cpu_count()} cores, Python {platform.python_version()}"


@cache
def revision() -> str:
    """Return the short commit of this tree, "+" behind it where the program or its tests differ.

    It is that of the first call, so that what changes meanwhile changes no result; empty where this
    is no clone.
    """
    try:
        inside, commit = _git("rev-parse", "--show-prefix"), _git("rev-parse", "--short", "HEAD")
        changed = _git("status", "--porcelain", "--", "src", "tests")
    except (OSError, subprocess.CalledProcessError):
        return ""
    return "" if inside else f"{commit}+" if changed else commit


def _git(*words: str) -> str:
    command = ["git", "-C", str(ROOT), *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


class Result(msgspec.Struct):
    """What one part of a promise came to.

    Attributes:
        promise: ``P1`` and so on.
        part: which part of it; empty where there is one only.
        unit: what is counted, in the plural.
        size: how many of them there were.
        full: how many it takes for full size.
        held: whether everything was as promised.
        counts: what else was counted, by name; added up over parts.
        times: milliseconds by name, every one of them.
        figures: other figures by name, each with its unit in the name; never added up.
        control: the fault that had to be found out.
        seed: to run it again.
        seconds: how long it took.
        command: how to run it.
        date: when it was run, UTC.
        machine: where, in words.
        note: what else has to be said, one sentence.
        revision: which program it was; the first and the last where it was more than one; empty
            where nobody wrote it down.
    """

    promise: str
    part: str
    unit: str
    size: int
    full: int
    held: bool
    counts: dict[str, int]
    seed: int
    seconds: float
    command: str
    times: dict[str, list[float]] = {}
    figures: dict[str, float] = {}
    control: Control | None = None
    date: str = msgspec.field(default_factory=_today)
    machine: str = msgspec.field(default_factory=_machine)
    note: str = ""
    revision: str = ""

    @property
    def whole(self) -> bool:
        """Whether it was shown at full size."""
        return self.size >= self.full

    @property
    def name(self) -> str:
        """The name of its file, without the ending."""
        return f"{self.promise}-{self.part.replace(' ', '-')}" if self.part else self.promise


def keep(result: Result, after: int = 0, folder: Path = FOLDER) -> Path:
    """Keep a result, on top of the one with `after` of the same run; return where it is.

    Raises:
        ValueError: there is no result of this seed with so many, or something is of a wrong type.
    """
    path = folder / f"{result.name}.json"
    result = msgspec.structs.replace(result, revision=result.revision or revision())
    if after:
        result = added(_read(path) if path.exists() else None, result, after)
    written = msgspec.json.encode(rounded(result))
    msgspec.json.decode(written, type=Result)
    folder.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(".new")
    beside.write_bytes(msgspec.json.format(written, indent=1) + b"\n")
    beside.replace(path)
    return path


def added(before: Result | None, more: Result, after: int) -> Result:
    """Return the sum of a run's beginning, `after` long, and what came after it.

    Raises:
        ValueError: they are not two parts of the same run.
    """
    if before is None or (before.seed, before.size) != (more.seed, after):
        found = "none is kept" if before is None else f"seed {before.seed} with {before.size}"
        raise ValueError(f"{more.name}: expected seed {more.seed} with {after} done; {found}")
    times = [*before.times, *(name for name in more.times if name not in before.times)]
    counts = [*before.counts, *(name for name in more.counts if name not in before.counts)]
    return msgspec.structs.replace(
        more,
        size=before.size + more.size,
        held=before.held and more.held,
        counts={n: before.counts.get(n, 0) + more.counts.get(n, 0) for n in counts},
        times={n: [*before.times.get(n, []), *more.times.get(n, [])] for n in times},
        control=more.control or before.control,
        seconds=before.seconds + more.seconds,
        revision=_from_to(before.revision, more.revision),
    )


def _from_to(before: str, more: str) -> str:
    """Return the first and the last of two spans of revisions; "?" for one that is not known.

    >>> _from_to("1a2b3c4", "1a2b3c4"), _from_to("", "")
    ('1a2b3c4', '')
    >>> _from_to("1a2b3c4 to 2b3c4d5", "3c4d5e6+"), _from_to("", "3c4d5e6")
    ('1a2b3c4 to 3c4d5e6+', '? to 3c4d5e6')
    """
    first, last = before.split(" to ")[0] or "?", more.split(" to ")[-1] or "?"
    if before == more or {first, last} == {"?"}:
        return more
    return f"{first} to {last}"


def rounded(result: Result) -> Result:
    """Return a result whose figures have no more digits than they are worth."""
    return msgspec.structs.replace(
        result,
        times={name: [round(ms, 2) for ms in each] for name, each in result.times.items()},
        figures={name: round(figure, 3) for name, figure in result.figures.items()},
        seconds=round(result.seconds, 1),
    )


def share(times: Sequence[float], part: float) -> float:
    """Return the time below which such a part of some times lies, 0.99 for the p99.

    >>> share([3.0, 1.0, 2.0], 0.5)
    2.0
    """
    return sorted(times)[min(len(times) - 1, int(part * len(times)))]


def kept(folder: Path = FOLDER) -> list[Result]:
    """Return all results, by promise and part.

    Raises:
        msgspec.ValidationError: a file is none.
    """
    found = [_read(path) for path in folder.glob("*.json")]
    return sorted(found, key=lambda one: (int(one.promise[1:]), one.part))


def _read(path: Path) -> Result:
    return msgspec.json.decode(path.read_bytes(), type=Result)


def main(arguments: Sequence[str] = ()) -> int:
    """Write the page, or with ``--check`` say whether it is what the results give."""
    from tests.faults.promises_page import PAGE, page

    made = page(kept())
    if "--check" in arguments:
        return 0 if PAGE.read_text(encoding="utf-8") == made else 1
    PAGE.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
