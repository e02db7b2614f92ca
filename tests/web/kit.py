"""What a browser needs to play without a network, where it has been built."""

from __future__ import annotations

import os

import pytest
from scripts.offline.__main__ import FOLDER, is_whole, made_from


def kit_or_skip() -> None:
    """Skip a test where `scripts/offline` has built nothing; in CI it has to be there."""
    if (FOLDER / "kit.json").exists():
        return
    if os.environ.get("CI"):
        pytest.fail("this test needs what python -m scripts.offline builds")
    pytest.skip("python -m scripts.offline has built nothing")


def fresh_kit_or_skip() -> None:
    """Skip a test where what was built is not of these sources; in CI it has to be."""
    kit_or_skip()
    if is_whole(FOLDER, made_from()):
        return
    if os.environ.get("CI"):
        pytest.fail("what python -m scripts.offline built is stale")
    pytest.skip("what python -m scripts.offline built is stale")
