"""What a data set costs: `rookery study dataset` is carried out, and what it took is kept.

    python -m benchmarks.envs.dataset --out DIR [--boards N] [--bots BOT,BOT] [--threads N]
                                      [--machine TEXT]

The run is added to those that are kept in benchmarks/results, in place of one of the same size;
`python -m scripts.docs.reference` then writes the page of data sets. Killed, the same command goes
on, and what is kept then is of the deals that were played since.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from scripts.docs.datasets import RESULTS, kept_runs

from rookery.lab.bench import machine

RESUMED = re.compile(r"resumed: ([\d,]+) of")


def timed(words: list[str]) -> tuple[dict[str, Any], int]:
    """Carry out the command; return what it says of the data set, and the deals of before.

    Raises:
        SystemExit: it failed, and has said why.
    """
    rookery = str(Path(sys.executable).with_name("rookery"))
    command = [rookery, "study", "dataset", "--json", *words]
    before = 0
    with subprocess.Popen(  # noqa: S603
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout
        assert running.stderr
        for line in running.stderr:
            print(line, end="", file=sys.stderr, flush=True)
            if found := RESUMED.match(line):
                before = int(found[1].replace(",", ""))
        said = running.stdout.read()
    if running.returncode:
        sys.exit(running.returncode)
    told: dict[str, Any] = json.loads(said)
    return told, before


def main() -> None:
    """Make the data set, and keep what it cost."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    parser.add_argument("--machine", default="", help="how to call this machine")
    for option in ("--boards", "--bots", "--threads"):
        parser.add_argument(option)
    asked = parser.parse_args()
    words = ["--out", str(asked.out)]
    for option in ("boards", "bots", "threads"):
        if (value := getattr(asked, option)) is not None:
            words += [f"--{option}", value]
    loads, clock = [os.getloadavg()[0]], time.perf_counter()
    facts, before = timed(words)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    loads.append(os.getloadavg()[0])
    run = {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": asked.machine or machine().processor,
        **{key: facts[key] for key in ("rules", "bots", "deals", "version")},
        "played": facts["deals"] - before,
        "processor_s": round(used.ru_utime + used.ru_stime, 1),
        "clock_s": round(time.perf_counter() - clock, 1),
        "threads": int(asked.threads or len(os.sched_getaffinity(0))),
        "nice": os.nice(0),
        "load_average": [round(load, 1) for load in loads],
        "bytes": sum(path.stat().st_size for path in (asked.out / "data").iterdir()),
    }
    same = ("rules", "bots", "deals")
    runs = [one for one in kept_runs() if any(one[key] != run[key] for key in same)]
    kept = RESULTS / f"{run['date']}-dataset.json"
    kept.write_text(json.dumps([*runs, run], indent=2) + "\n", encoding="utf-8")
    print(f"kept as {kept}", file=sys.stderr)


if __name__ == "__main__":
    main()
