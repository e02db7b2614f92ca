"""The machine: what it is, what it had to do, and how to tell many times in a few."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

# Core seconds of a server, of this program and of everything else; None where nobody tells.
Used: TypeAlias = tuple[float, float, float] | None


def spread(seconds: Sequence[float]) -> dict[str, float]:
    """Return count, median, tails and the worst, milliseconds.

    >>> spread([0.001, 0.002, 0.003])["p50"]
    2.0
    """
    ordered = sorted(seconds)
    count = len(ordered)
    if not count:
        return {"count": 0}
    found: dict[str, float] = {"count": count}
    for name, share in (("p50", 0.5), ("p95", 0.95), ("p99", 0.99), ("p999", 0.999)):
        found[name] = round(1000 * ordered[min(count - 1, int(share * count))], 2)
    return {**found, "max": round(1000 * ordered[-1], 2)}


def busy() -> dict[str, Any]:
    """Return what the machine is, and how much else it had to do."""
    return {
        "python": platform.python_version(),
        "system": platform.system(),
        "cores": os.cpu_count(),
        "load_average": [round(one, 2) for one in os.getloadavg()],
    }


def many_files() -> None:
    """Let this program, and the servers that it starts, open as many sockets as the system may."""
    import resource  # only where there is such a limit

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def work(server: int) -> Used:
    """Return the core seconds used so far by a server, by this program, and by everything else.

    None where the system does not tell.
    """
    tick = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
    try:
        fields = Path("/proc/stat").read_text(encoding="ascii").split("\n", 1)[0].split()[1:]
        used = [_used(pid) / tick for pid in (server, os.getpid())]
    except OSError:
        return None
    ticks = [int(field) for field in fields]
    busy_ticks = sum(ticks[:8]) - ticks[3] - ticks[4]
    return used[0], used[1], busy_ticks / tick - sum(used)


def _used(pid: int) -> int:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])
