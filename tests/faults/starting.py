"""How long a server takes to start, in processor time, which other programs do not stretch.

Several ways of starting are measured in turns, so that whatever else the machine does falls on all
of them alike.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from tests.faults.serving import SOUND, installed

PAGE_WAIT = 30.0  # seconds


class Start(NamedTuple):
    """One start, in seconds.

    Attributes:
        work: what the server's process had of a processor until the first page had come.
        listening: from the command until it said where it is.
        page: from the command until the first page had come.
    """

    work: float
    listening: float
    page: float


def ways(beside: Path | None = None) -> dict[str, dict[str, str]]:
    """Return the environments of the ways to start: as installed, and with nothing compiled.

    With another folder of sources there is a third, to compare: those, as installed.
    """
    found = {"installed": installed(), "nothing compiled": {**installed(), **_UNCOMPILED}}
    if beside is not None:
        found["beside"] = {**installed(), "PYTHONPATH": str(beside)}
    return found


_UNCOMPILED = {"PYTHONPYCACHEPREFIX": os.devnull, "PYTHONDONTWRITEBYTECODE": "1"}


def starts(
    folder: Path, times: int, how: Mapping[str, Mapping[str, str]]
) -> dict[str, list[Start]]:
    """Start a server so many times in each way, in turns, over a folder each; return the times."""
    for name, environment in how.items():
        _started(folder / name, environment)  # compiles what is to be compiled, makes the database
    found: dict[str, list[Start]] = {name: [] for name in how}
    for _ in range(times):
        for name, environment in how.items():
            found[name].append(_started(folder / name, environment))
    return found


def _started(data: Path, environment: Mapping[str, str]) -> Start:
    options = ("serve", "--no-open", "--port", "0", "--data", str(data))
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, *SOUND, *options],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    )
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        listening = time.perf_counter() - began
        found = re.search(r"http://127\.0\.0\.1:\d+/", line)
        assert found, line
        with urllib.request.urlopen(found[0], timeout=PAGE_WAIT) as page:  # noqa: S310  (ours)
            page.read()
        took = time.perf_counter() - began
    finally:
        process.kill()
        _, _, used = os.wait4(process.pid, 0)
        process.returncode = 0  # it has been waited for
        process.stdout.close()
    return Start(used.ru_utime + used.ru_stime, listening, took)
