"""What every test shares: how Hypothesis draws its examples, and an environment without whims."""

import gc
import os
import stat
import sys
import tempfile
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# The same examples on every run and no clock, so a red test stays red on any machine.
# `pytest --hypothesis-profile=explore` looks further afield.
SLOW = [HealthCheck.too_slow]
settings.register_profile(
    "steady", derandomize=True, deadline=None, print_blob=True, suppress_health_check=SLOW
)
settings.register_profile("explore", deadline=None, max_examples=2_000, suppress_health_check=SLOW)
settings.load_profile("steady")

# Matrices are small here: threads that share one wait for each other, at ten times the work.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Hundreds of programs are started, and each would compile all modules anew.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# What somebody has set for a terminal or a network of their own is no business of a test.
for name in ("COLUMNS", "LINES", "FORCE_COLOR", "PY_COLORS", "NO_COLOR", "GITHUB_ACTIONS"):
    os.environ.pop(name, None)
for name in ("DATABASE_URL", "HINTS_URL", "PEER_ADDRESS", "LOG", "METRICS"):
    os.environ.pop(f"ROOKERY_{name}", None)
for name in ("http_proxy", "https_proxy", "all_proxy"):
    os.environ.pop(name, None)
    os.environ.pop(name.upper(), None)

MEMORY = Path("/dev/shm")  # noqa: S108
ROOM = 4 << 30  # bytes; a run takes about one of four


def write_to_memory() -> None:
    """Have the files of tests lie in memory, if there is room: a commit waits for a disk."""
    if "TMPDIR" in os.environ or not MEMORY.is_dir():
        return
    there = os.statvfs(MEMORY)
    if there.f_flag & os.ST_NOEXEC or there.f_bavail * there.f_frsize < ROOM:
        return
    folder = MEMORY / f"rookery-{os.getuid()}"
    folder.mkdir(0o700, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        return  # somebody else was here first
    os.environ["TMPDIR"] = str(folder)
    tempfile.tempdir = None  # asked for before; the next who asks reads the above


write_to_memory()


def pytest_collection_finish() -> None:
    """Have Python look for garbage seldom, and not among all the tests."""
    from tests.heap import forgo

    gc.set_threshold(10_000, 10, 10)
    forgo()


@cache
def watched() -> pytest.MonkeyPatch:
    """Have the kernels that Numba makes look whether what they are given lies apart; only once."""
    from tests.engine.apart import watch

    patch = pytest.MonkeyPatch()
    watch(patch)
    return patch


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Watch a test that runs code of Numba's."""
    if item.get_closest_marker("numba") or "rookery.engine.targets.numba" in sys.modules:
        watched()
