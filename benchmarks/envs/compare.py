"""Decisions a second of Rookery's environments beside those of others, in one run on one core.

    python -m benchmarks.envs.compare [--seconds S] [--turns N] [--only PATTERN] [--machine TEXT]
                                      [--keep]

The others are installed from their packages into a virtual environment of their own,
`build/anchors`, in the versions of `anchors.txt`; that is made once. Every entry is a process of
its own on one core. All are measured in turns, so that other work of the machine meets all alike,
and a figure is the median of the turns: decisions a second of processor time, each with its
observation and its legal actions. `--keep` keeps the result and writes the tables of
docs/design/environments.md.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from benchmarks.envs.ours import ENTRIES
from scripts.docs import environments

from rookery.about import version
from rookery.lab.bench import machine

ROOT: Final = Path(__file__).resolve().parents[2]
ANCHORS: Final = ROOT / "build" / "anchors"
WANTED: Final = Path(__file__).with_name("anchors.txt")
# One thread each: an array library takes all the cores there are where nobody says.
ALONE: Final = {
    **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
    "JAX_PLATFORMS": "cpu",
}


def interpreter() -> Path:
    """Return the Python of the anchors, which are installed where they are not the wanted ones."""
    python = ANCHORS / "bin" / "python"
    made = ANCHORS / WANTED.name
    if not made.exists() or made.read_bytes() != WANTED.read_bytes():
        print("installing the anchors (once) ...", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", "--clear", ANCHORS], check=True)  # noqa: S603
        install = [python, "-m", "pip", "install", "--quiet", "--requirement", WANTED]
        subprocess.run(install, check=True)  # noqa: S603
        made.write_bytes(WANTED.read_bytes())
    return python


def anchors(python: Path) -> list[str]:
    """Return the names of the anchors' entries."""
    ask = "from benchmarks.envs.anchors import ENTRIES; print('\\n'.join(ENTRIES))"
    done = subprocess.run([python, "-c", ask], cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S603
    return done.stdout.splitlines()


def once(python: Path, module: str, name: str, seconds: float) -> dict[str, Any]:
    """Measure one entry; return what it prints, or ``failed`` with the last line of its error."""
    core = max(os.sched_getaffinity(0))
    words = [python, "-m", f"benchmarks.envs.{module}", name]
    options = ["--seconds", str(seconds), "--core", str(core)]
    done = subprocess.run(  # noqa: S603
        [*words, *options],
        cwd=ROOT,
        env={**os.environ, **ALONE},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        return {"failed": (done.stderr.strip().splitlines() or ["it ended"])[-1]}
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told


def main() -> None:
    """Measure, print, and keep what was found if that is asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=5.0, help="of each entry in each turn")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--only", default="", help="entries whose name has this pattern in it")
    parser.add_argument("--machine", default="", help="how to call this machine")
    parser.add_argument("--keep", action="store_true", help="keep the result, and write the page")
    asked = parser.parse_args()
    theirs = interpreter()
    entries = [("ours", name, Path(sys.executable)) for name in ENTRIES]
    entries += [("anchors", name, theirs) for name in anchors(theirs)]
    entries = [entry for entry in entries if re.search(asked.only, entry[1])]
    turns: dict[tuple[str, str], list[dict[str, Any]]] = {entry[:2]: [] for entry in entries}
    loads = [os.getloadavg()[0]]
    for turn in range(asked.turns):
        for module, name, python in entries:
            print(f"turn {turn + 1} of {asked.turns}: {name} ...", file=sys.stderr)
            turns[module, name].append(once(python, module, name, asked.seconds))
        loads.append(os.getloadavg()[0])
    result = {
        "date": datetime.now(UTC).date().isoformat(),
        "described_as": asked.machine,
        "machine": machine().model_dump(mode="json"),
        "rookery": version(),
        "load_average": [round(load, 2) for load in loads],
        "ours": {n: summary(runs) for (m, n), runs in turns.items() if m == "ours"},
        "others": {n: summary(runs) for (m, n), runs in turns.items() if m == "anchors"},
    }
    print(environments.tables(result))
    if asked.keep:
        kept = environments.RESULTS / f"{result['date']}-envs.json"
        kept.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
        print(f"kept as {kept.relative_to(ROOT)}", file=sys.stderr)
        environments.main()


def summary(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the median of an entry's turns, decisions a second, and all of them."""
    good = [run for run in runs if "failed" not in run]
    if not good:
        return {"failed": runs[-1]["failed"]}
    return {
        "per_second": round(statistics.median(r["decisions"] / r["processor_s"] for r in good)),
        "by_the_clock": round(statistics.median(r["decisions"] / r["clock_s"] for r in good)),
        "versions": good[-1]["versions"],
        "turns": [
            {key: run[key] for key in ("decisions", "clock_s", "processor_s")} for run in good
        ],
    }


if __name__ == "__main__":
    main()
