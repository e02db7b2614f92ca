"""What takes long to build is built once a run, by whichever of its processes asks first."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def once(run: pytest.TempPathFactory, name: str, build: Callable[[Path], object]) -> Path:
    """Return a folder of this run that all of its processes share, and nobody changes.

    Args:
        run: the folders of this run.
        name: what it holds.
        build: builds it, into a folder that does not exist yet.
    """
    shared = run.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    folder, fresh = shared / name, shared / f"{name}.fresh"
    with (shared / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            shutil.rmtree(fresh, ignore_errors=True)
            build(fresh)
            fresh.rename(folder)
    return folder


def documentation(run: pytest.TempPathFactory) -> Path:
    """Return the documentation as a site, as its command builds it; a fault in a page fails."""

    def build(folder: Path) -> None:
        command = [sys.executable, "-m", "scripts.docs.website", str(folder)]
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
        assert done.returncode == 0, done.stderr

    return once(run, "documentation", build)
