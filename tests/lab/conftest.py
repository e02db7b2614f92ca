"""The studies that the laboratory's tests look at, each run once."""

import pytest

from rookery.lab.menagerie.study import Mode, Study, run_study

GAMES = 100_000


@pytest.fixture(scope="session")
def published() -> Study:
    return run_study(Mode.PUBLISHED, GAMES, seed=1, threads=2)


@pytest.fixture(scope="session")
def real() -> Study:
    return run_study(Mode.RULES, GAMES, seed=1, threads=2)
