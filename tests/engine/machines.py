"""The libraries for all machines, built once, whoever asks first."""

from __future__ import annotations

import fcntl
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import pytest
from scripts.native.__main__ import LIBRARIES, build_all
from scripts.native.machine import MACHINES

needs_zig: Final = pytest.mark.skipif(find_spec("ziglang") is None, reason="needs ziglang")


@cache
def libraries() -> dict[str, Path]:
    """Return the library for each machine, fresh."""
    LIBRARIES.mkdir(parents=True, exist_ok=True)
    with (LIBRARIES / ".lock").open("w") as lock:  # the tests run in several processes
        fcntl.flock(lock, fcntl.LOCK_EX)
        build_all()
    return {name: LIBRARIES / name / one.library for name, one in MACHINES.items()}
