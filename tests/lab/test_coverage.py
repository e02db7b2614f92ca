"""Does a 95 % interval hold the truth 95 times in 100? Asked of 8,000 real matches.

Every match is one that `rookery match` might play, hands dealt and played by the engine. The truth
is the mean of all of them, 400,000 boards against the 50 of one match.
"""

import numpy as np
import numpy.typing as npt
import pytest

from rookery.bots.names import bots
from rookery.engine.targets import Target
from rookery.lab.duplicate.boards import BOARDS, ROOM_SQUARES, SQUARES, TOTAL
from rookery.lab.duplicate.match import Match
from rookery.lab.stats import interval_of
from rookery.rules import load

MATCHES, DEALS = 8_000, 50
SEED = 1906


@pytest.fixture(scope="module")
def matches(library: Target) -> npt.NDArray[np.int64]:
    """Return what is noted of each match, shape (MATCHES, WIDTH)."""
    lineup = bots("papa,karapet")
    what = Match(
        load("kd_tournament"), "kd_tournament", lineup, MATCHES * DEALS, SEED, target=library
    )
    job = what.job("all")
    return np.array([job.count(i * DEALS, DEALS) for i in range(MATCHES)])


def coverage(matches: npt.NDArray[np.int64], count: int, squares: int) -> float:
    """Return the percentage of matches whose interval, from so many units, holds the truth."""
    units = DEALS * count
    truth = int(matches[:, TOTAL].sum()) / len(matches) / units
    held = 0
    for row in matches:
        interval = interval_of(units, int(row[TOTAL]), int(row[squares]))
        held += interval.low <= truth <= interval.high
    return 100 * held / len(matches)


@pytest.mark.slow
def test_a_95_percent_interval_over_boards_holds_the_truth_as_often_as_it_says(
    matches: npt.NDArray[np.int64],
) -> None:
    assert (matches[:, BOARDS] == DEALS).all()
    assert 94.5 <= coverage(matches, 1, SQUARES) <= 95.5


@pytest.mark.slow
def test_one_over_hands_does_not(matches: npt.NDArray[np.int64]) -> None:
    """Two hands of a board are no two independent hands; that interval promises the wrong thing."""
    assert not 94.5 <= coverage(matches, 2, ROOM_SQUARES) <= 95.5
