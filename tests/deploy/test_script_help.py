"""Whoever asks a script what it does is told at once: nothing is set up before."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
SETUP = "#!/bin/sh\ntouch set-up\n"
# Python where the packages are there, and where they are not until all is set up.
WHOLE = '#!/bin/sh\necho "python $*"\n'
BARE = f"{WHOLE}[ -f set-up ] || exit 1\n"


def ran(folder: Path, script: str, python: str, *asked: str) -> tuple[bool, str]:
    """Return whether a script has set up the environment, and the last line that it printed."""
    (folder / "scripts").mkdir()
    (folder / ".venv" / "bin").mkdir(parents=True)
    shutil.copy(SCRIPTS / script, folder / "scripts")
    for path, text in (("scripts/setup", SETUP), (".venv/bin/python", python)):
        (folder / path).write_text(text)
        (folder / path).chmod(0o755)
    done = subprocess.run(
        [folder / "scripts" / script, *asked], capture_output=True, text=True, check=True
    )
    return (folder / "set-up").exists(), done.stdout.splitlines()[-1]


@pytest.mark.parametrize("script", ["faults", "promises", "audit"])
@pytest.mark.parametrize(
    ("python", "asked", "sets_up"),
    [(WHOLE, "--help", False), (WHOLE, "-h", False), (BARE, "--help", True), (WHOLE, "--x", True)],
    ids=["help", "short", "help with nothing there", "the control"],
)
def test_help_is_printed_before_anything_is_set_up(
    tmp_path: Path, script: str, python: str, asked: str, sets_up: bool
) -> None:
    was_set_up, said = ran(tmp_path, script, python, asked)
    assert was_set_up is sets_up
    assert said.startswith("python ")
    assert said.endswith(f" {asked}")
