"""Plays one hand in a process of its own and prints its peak memory in MiB, 0 where nobody knows.

``python -m rookery.lab.first_hand numba|native|python RULES``; `rookery bench` times it.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal, TypeAlias, cast

from rookery.lab.run.streams import play_plain, play_streams
from rookery.rules import load
from rookery.rules.table import compile_rules

KIB_IN_MIB = 1024
Engine: TypeAlias = Literal["numba", "native", "python"]


def peak_mib() -> float:
    """Return the most memory this process has had in use, MiB; 0 where the system does not say."""
    try:
        # What getrusage says on Linux includes the program that started this one.
        status = Path("/proc/self/status").read_text(encoding="utf-8")
        return int(status.partition("VmHWM:")[2].split()[0]) / KIB_IN_MIB
    except OSError:
        pass
    try:
        import resource
    except ImportError:
        return 0.0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # macOS counts in bytes, others in KiB.
    return peak / (KIB_IN_MIB * KIB_IN_MIB if sys.platform == "darwin" else KIB_IN_MIB)


def main(engine: Engine, rules: str) -> None:
    """Play one hand of `rules` on an engine and print the peak memory."""
    table = compile_rules(load(rules))
    if engine == "python":
        play_plain(table, [0] * table.seats, 1, 0, 1)
    else:
        play_streams(table, [0] * table.seats, 1, 1, 1, cores=1, target=engine)
    print(f"{peak_mib():.1f}")


if __name__ == "__main__":
    main(cast(Engine, sys.argv[1]), sys.argv[2])
