"""Where standard output is full, the line about it says so."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
@pytest.mark.parametrize("words", [("--version",), ("rules", "list"), ("odds", "--paper")])
def test_a_full_standard_output_is_named(words: tuple[str, ...]) -> None:
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "rookery", *words],
            env=env, stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    told = "standard output: no space left on device\n"
    assert (done.returncode, done.stderr) == (2, told)
