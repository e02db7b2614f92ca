"""What a browser needs to play without a network, where it has been built."""

from __future__ import annotations

import os

import pytest
from scripts.offline.__main__ import FOLDER


def kit_or_skip() -> None:
    """Skip a test where `scripts/offline` has built nothing; in CI it has to be there."""
    if (FOLDER / "kit.json").exists():
        return
    if os.environ.get("CI"):
        pytest.fail("this test needs what python -m scripts.offline builds")
    pytest.skip("python -m scripts.offline has built nothing")
