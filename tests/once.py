"""What takes long to build is built once a run, by whichever of its processes asks first."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# The command, but for the documentation, which is built already: the last word says where.
SITE = """
import shutil, sys
from types import SimpleNamespace
from rookery.cli.main import app
from rookery.web.alone import docs

def built_before(command, **_):
    *asked, folder = command
    assert asked == [sys.executable, "-m", "scripts.docs.website"]
    shutil.copytree(ready, folder, dirs_exist_ok=True)
    return SimpleNamespace(returncode=0)

ready = sys.argv.pop()
docs.subprocess = SimpleNamespace(run=built_before)
app()
"""


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


def site_of_files(run: pytest.TempPathFactory) -> Path:
    """Return a site as its command builds it, with that documentation."""

    def build(folder: Path) -> None:
        ready = documentation(run) if find_spec("sphinx") else folder
        command = [sys.executable, "-c", SITE, "site", "build", str(folder), str(ready)]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    return once(run, "site", build)
