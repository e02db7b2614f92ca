"""A sequential test errs as seldom as it says, on the results of real boards."""

from math import isfinite, log

import numpy as np
import numpy.typing as npt
import pytest

from rookery.bots.names import bots
from rookery.lab.duplicate.boards import TOTAL
from rookery.lab.duplicate.job import bin_width
from rookery.lab.duplicate.match import LOOK, Match
from rookery.lab.duplicate.sprt import FEWEST, Sequential, Side, Sprt
from rookery.lab.duplicate.sprt import tested as text_of
from rookery.rules import load
from rookery.rules.table import compile_rules

GAP = 10.0  # points a board between the two hypotheses
LONGEST = 4000  # boards
TRIALS = 2000
NEAR = bin_width(compile_rules(load("kd_tournament")), 2) // 2  # a result so small is level


@pytest.fixture(scope="module")
def results() -> npt.NDArray[np.int64]:
    """Return the results of 1,500 boards between two bots."""
    match = Match(load("kd_tournament"), "", bots("papa,karapet"), 1500, 7, target="python")
    job = match.job("all")
    return np.array([job.count(board, 1)[TOTAL] for board in range(1500)])


def answers(
    results: npt.NDArray[np.int64],
    sprt: Sprt,
    seed: int,
    share: float = 1,
    longest: int = LONGEST,
    trials: int = TRIALS,
) -> tuple[dict[Side | None, int], float]:
    """Return how often the test says what of matches drawn from `results`, and its mean length.

    All but a `share` of the boards end level.
    """
    dice = np.random.default_rng(seed)
    found: dict[Side | None, int] = {"low": 0, "high": 0, None: 0}
    boards = 0
    for _ in range(trials):
        drawn = dice.choice(results, longest)
        if share < 1:
            drawn *= dice.random(longest) < share
        sums = (drawn.cumsum(), (drawn * drawn).cumsum(), (abs(drawn) > NEAR).cumsum())
        for count in range(LOOK, longest + 1, LOOK):
            ratio = sprt.ratio(count, *(int(one[count - 1]) for one in sums))
            if (said := sprt.answer(ratio)) is not None:
                break
        found[said] += 1
        boards += count
    return found, boards / trials


def test_it_says_high_where_low_is_true_in_5_of_100_at_most(
    results: npt.NDArray[np.int64],
) -> None:
    found, length = answers(results, Sprt(results.mean(), results.mean() + GAP), 1)
    assert found["high"] <= 0.05 * TRIALS
    assert found["low"] >= 0.94 * TRIALS
    assert found[None] == 0
    # Fewer boards than a fixed match of the same errors needs.
    fixed = (2 * 1.645 * results.std() / GAP) ** 2
    assert length < fixed


def test_it_says_low_where_high_is_true_in_5_of_100_at_most(
    results: npt.NDArray[np.int64],
) -> None:
    found, _ = answers(results, Sprt(results.mean() - GAP, results.mean()), 2)
    assert found["low"] <= 0.05 * TRIALS
    assert found["high"] >= 0.94 * TRIALS


@pytest.mark.parametrize(("share", "longest"), [(0.1, 8_000), (0.02, 40_000)])
def test_it_errs_as_seldom_where_most_boards_end_level(
    results: npt.NDArray[np.int64], share: float, longest: int
) -> None:
    """Bots that play alike but on few boards."""
    trials = 300
    gained = results - round(results.mean() - 4 * GAP)
    gap = share * float(gained.mean())
    found, _ = answers(gained, Sprt(0, gap), 4, share, longest, trials)
    assert found["low"] <= 0.05 * trials
    level = results - round(results.mean())
    found, _ = answers(level, Sprt(share * float(level.mean()), gap), 5, share, longest, trials)
    assert found["high"] <= 0.05 * trials


def test_tighter_errors_are_kept_too(results: npt.NDArray[np.int64]) -> None:
    sprt = Sprt(results.mean(), results.mean() + 2 * GAP, alpha=0.01, beta=0.2)
    assert answers(results, sprt, 3)[0]["high"] <= 0.01 * TRIALS


def test_a_test_without_patience_would_err_more(results: npt.NDArray[np.int64]) -> None:
    """The control: looking as often at a plain interval says "ahead" far too often."""
    dice = np.random.default_rng(1)
    wrong = 0
    for _ in range(TRIALS):
        drawn = dice.choice(results, LONGEST) - results.mean()
        counts = np.arange(LOOK, LONGEST + 1, LOOK)
        totals, squares = drawn.cumsum()[counts - 1], (drawn * drawn).cumsum()[counts - 1]
        errors = np.sqrt((squares - totals**2 / counts) / (counts - 1) * counts)
        wrong += bool((totals > 1.645 * errors).any())
    assert wrong > 0.15 * TRIALS


def test_the_ratio_is_that_of_the_likelihoods() -> None:
    values = [3, -1, 4, 1, -5, 9] * 5
    count, total, squares = len(values), sum(values), sum(v * v for v in values)
    sprt = Sprt(0, 1)

    def spread(mean: float) -> float:
        return sum((value / 2 - mean) ** 2 for value in values) / count

    expected = count / 2 * log(spread(0) / spread(1))
    assert sprt.ratio(count, total, squares, FEWEST, 2) == pytest.approx(expected)
    assert sprt.ratio(count, total, squares, FEWEST - 1, 2) == 0


def test_results_that_never_vary() -> None:
    sprt = Sprt(0, 2)
    assert sprt.ratio(0, 0, 0, 0) == 0
    assert sprt.ratio(50, 50, 50, 50) == 0  # 1 lies in the middle
    assert isfinite(high := sprt.ratio(50, 100, 200, 50))
    assert isfinite(low := sprt.ratio(50, -50, 50, 50))
    assert (sprt.answer(high), sprt.answer(low), sprt.answer(0)) == ("high", "low", None)
    assert sprt.ratio(10**6, 0, 0, 0) == 0  # not one board says what the gap is


@pytest.mark.parametrize("deals", [1, 2, 5, 20, 40])
def test_a_test_of_few_deals_errs_as_seldom(results: npt.NDArray[np.int64], deals: int) -> None:
    """One board that comes out at the named mean, to the point, is no proof of it."""
    worst = 0
    for gap in (1, 5, 10, 20, 40):
        sprt = Sprt(results.mean(), results.mean() + gap)
        drawn = np.random.default_rng(gap).choice(results, (TRIALS, deals))
        squares, unlike = (drawn * drawn).sum(axis=1), (abs(drawn) > NEAR).sum(axis=1)
        sums = np.stack([drawn.sum(axis=1), squares, unlike], axis=1).tolist()
        said = [sprt.answer(sprt.ratio(deals, *one)) for one in sums]
        worst = max(worst, said.count("high"))
    assert worst <= 0.05 * TRIALS


def test_a_report_names_what_is_accepted_and_how_often_that_is_wrong() -> None:
    sprt = Sprt(-2, 5, alpha=0.01, beta=0.2)

    def said(ratio: float, unlike: int | None = FEWEST) -> str:
        answer = sprt.answer(ratio)
        test = Sequential(
            low=sprt.low, high=sprt.high, alpha=sprt.alpha, beta=sprt.beta,
            ratio=ratio, unlike=unlike, bounds=sprt.bounds, answer=answer,
        )  # fmt: skip
        return text_of(test, 1_000)

    high, low = said(sprt.bounds[1]), said(sprt.bounds[0])
    assert high.startswith("The test says +5 points a board rather than -2, after 1,000 deals.")
    assert "Where -2 is true it says so in 1 of 100 matches at most." in high
    assert low.startswith("The test says -2 points a board rather than +5, after 1,000 deals.")
    assert "Where +5 is true it says so in 20 of 100 matches at most." in low
    # Wald's bounds, by hand: 0.2 / 0.99 and 0.8 / 0.01.
    for unlike in (FEWEST, None):  # None: a report of before
        assert "1,000 deals: +1.00, where -1.60 or +4.38 ends it." in said(1.0, unlike)
    assert f"waits for {FEWEST} that do not end level" in said(0.0, FEWEST - 1)
