"""The studies that the laboratory's tests look at, each run once, and the library they may need."""

import pytest
from scripts.native.link import linker

from rookery.engine.targets import Target
from rookery.engine.targets.native import LIBRARY
from rookery.lab.menagerie.study import Mode, Study, run_study

GAMES = 100_000


@pytest.fixture(scope="session")
def published() -> Study:
    return run_study(Mode.PUBLISHED, GAMES, seed=1, threads=2)


@pytest.fixture(scope="session")
def real() -> Study:
    return run_study(Mode.RULES, GAMES, seed=1, threads=2)


@pytest.fixture(scope="session")
def library() -> Target:
    """Return the target that has all kernels compiled; without a C compiler a test is skipped."""
    if not (LIBRARY.exists() or linker()):
        pytest.skip("no library can be built here: no C compiler")
    return "native"
