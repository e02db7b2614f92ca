"""What the tests of the C interface have in common: a folder for programs, and Python's totals."""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from scripts.native.link import linker
from scripts.native.machine import Machine

from rookery.bots.dispatch import kind_of
from rookery.cli.lab.library import table_of
from rookery.engine.records import structure_of
from rookery.lab.run.streams import play_plain
from rookery.rules import load
from rookery.rules.table import compile_rules

ROOT: Final = Path(__file__).parents[2]
EXAMPLES: Final = ROOT / "examples" / "c"
SEED: Final = 1906  # of both examples
STREAMS: Final = 4
TIME: Final = 60  # seconds for what takes one or two
STRICT: Final = ("-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror")


class Played(NamedTuple):
    """How an example ended: its status, and what it wrote."""

    status: int
    lines: list[str]
    told: str


def run(*command: str | Path, status: int = 0) -> Played:
    """Run a program and return what it wrote; it has to end with `status`."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=TIME)
    assert done.returncode == status, done.stderr
    return Played(done.returncode, done.stdout.splitlines(), done.stderr)


def structure(record: Any) -> Any:  # noqa: ANN401  (a record's class, and that of ctypes)
    """Return the structure of a record class."""
    return structure_of(record)


def compiled(source: Path, folder: Path, made: Path, machine: Machine | None = None) -> Path:
    """Compile a program against the header and the library in a folder; return the program."""
    command = linker(machine)
    assert command is not None
    words = [f"-I{folder}", str(source), f"-L{folder}", "-lrookery", f"-Wl,-rpath,{folder}"]
    run(*command, *STRICT, *words, "-o", made)
    return made


def write_table(name: str, folder: Path) -> Path:
    """Write a variant's rule table and return its file."""
    file = folder / f"{name}.table"
    file.write_bytes(table_of(load(name)))
    return file


@cache
def totals(name: str, hands: int, *bots: str) -> list[str]:
    """Return what an example has to print, by plain Python."""
    table = compile_rules(load(name))
    kinds = [kind_of(bots[seat % len(bots)]) for seat in range(table.seats)]
    lines = []
    for stream in range(STREAMS):
        total, cancelled = play_plain(table, kinds, SEED, stream, hands)
        lines.append(" ".join(map(str, (stream, cancelled, *total))))
    return lines


def declarations(header: str) -> dict[str, str]:
    """Return what a header declares: each record, function and constant, by its name."""
    bare = re.sub(r"/\*.*?\*/", "", header, flags=re.DOTALL)
    bare = "\n".join(line for line in bare.splitlines() if not line.startswith("#"))
    found = dict(re.findall(r"(ROOKERY_\w+) = (-?\d+)", bare))
    for body, name in re.findall(r"typedef struct \w+ \{(.*?)\} (\w+);", bare, re.DOTALL):
        found[name] = " ".join(body.split())
    bare = re.sub(r"typedef struct .*?\} \w+;|enum \{.*?\};", "", bare, flags=re.DOTALL)
    for text in re.findall(r"[\w* ]+\([^()]*\);", bare):
        name = re.search(r"(\w+)\(", text)
        assert name is not None
        found[name[1]] = " ".join(text.split())
    return found


def least_change(before: str, after: str) -> str:
    """Return which number of the version has to grow between two headers: major, minor or none."""
    old, new = declarations(before), declarations(after)
    if any(new.get(name) != text for name, text in old.items()):
        return "major"
    return "minor" if new != old else "none"
