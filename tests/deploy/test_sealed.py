"""What the image will run, run as the image will run it, without an engine for containers.

Linux's own tools make the surroundings: a file system that cannot be written, one folder that can,
the user 65532, no capability and no way to gain one. That takes root, as it does in a container
that runs the tests; elsewhere the tests are skipped and say so.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.deploy.stacks import ROOT

USER = "65532"
# The last step is a second one: setpriv itself still finds its program with root's rights.
SEALED = f"""
set -e
mount --make-rprivate /
mount --bind "$STATE" "$STATE"
mount -o remount,bind,ro /
cd /
unset STATE
exec setpriv --reuid {USER} --regid {USER} --clear-groups --no-new-privs \
  --bounding-set=-all --inh-caps=-all -- sh -c 'exec "$@"' - "$@"
"""


class Place(NamedTuple):
    """A root that was built, and the one folder beside it that may be written."""

    root: Path
    state: Path


def sealed(state: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a command where only `state` can be written, as a user without rights."""
    return subprocess.run(
        [
            "unshare",
            "--mount",
            "--pid",
            "--fork",
            "--kill-child",
            "bash",
            "-c",
            SEALED,
            "-",
            *command,
        ],
        env={"PATH": os.defpath, "STATE": str(state), "TMPDIR": str(state)},
        capture_output=True,
        text=True,
    )


def interpreter(state: Path) -> str:
    """Return a Python that the user may run and that is the tests' own version, with pip."""
    same = f"import sys, pip, venv; sys.exit(sys.version_info[:2] != {sys.version_info[:2]})"
    found = (getattr(sys, "_base_executable", sys.executable), "/usr/bin/python3")
    for one in found:
        if sealed(state, one, "-c", same).returncode == 0:
            return one
    pytest.skip(f"user {USER} may run neither of {' and '.join(found)}, or it has no pip")


@pytest.fixture(scope="module")
def place() -> Iterator[Place]:
    """Build once, in a folder that everybody may enter, as pytest's own are not."""
    if not all(map(shutil.which, ("unshare", "setpriv"))):
        if os.environ.get("CI"):
            pytest.fail("this test needs unshare and setpriv; scripts/debian installs them")
        pytest.skip("no unshare or no setpriv here; scripts/debian installs them")
    if os.geteuid() != 0:
        pytest.skip("it takes root")
    with tempfile.TemporaryDirectory() as folder:
        here = Place(Path(folder) / "rookery", Path(folder) / "state")
        Path(folder).chmod(0o755)
        here.state.mkdir(mode=0o700)
        os.chown(here.state, int(USER), int(USER))
        probe = sealed(here.state, "true")
        if probe.returncode != 0:
            pytest.skip(f"this machine does not allow it: {probe.stderr.strip()}")
        done = subprocess.run(
            [str(ROOT / "deploy" / "build"), str(here.root), sys.prefix],
            env={"PATH": os.environ["PATH"], "PYTHON": interpreter(here.state)},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        yield here


def smoke(place: Place, state: Path) -> subprocess.CompletedProcess[str]:
    """Run the smoke test of what was built, sealed."""
    # The sources may lie where the user cannot look.
    program = (ROOT / "deploy" / "smoke.py").read_text("utf-8")
    return sealed(state, str(place.root / "bin" / "python"), "-c", program)


@pytest.mark.slow
def test_the_server_needs_no_rights_and_one_folder_to_write_in(place: Place) -> None:
    done = smoke(place, place.state)
    assert done.returncode == 0, done.stderr
    assert f"{place.root} works: " in done.stdout


@pytest.mark.slow
def test_everything_else_is_closed_to_it(place: Place) -> None:
    assert sealed(place.state, "sh", "-c", 'echo >"$TMPDIR/note"').returncode == 0
    for other in (f"{place.root.parent}/note", f"{place.root}/note", "/note"):
        done = sealed(place.state, "sh", "-c", f"echo >{other}")
        assert done.returncode != 0
        assert "Read-only file system" in done.stderr or "Permission denied" in done.stderr
    rights = sealed(
        place.state, "sh", "-c", "id -u; grep -E '^(CapEff|NoNewPrivs)' /proc/self/status"
    )
    assert rights.stdout.split() == [USER, "CapEff:", "0" * 16, "NoNewPrivs:", "1"]


@pytest.mark.slow
def test_without_its_folder_it_does_not_start(place: Place) -> None:
    with tempfile.TemporaryDirectory() as closed:  # root's, so not the user's
        done = smoke(place, Path(closed))
    assert done.returncode != 0
    assert done.stdout == ""
