"""Leagues: what a round robin of bots comes to."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from rookery.bots.names import bot, bots
from rookery.engine.targets import Target
from rookery.lab.duplicate.boards import BINS, SPREAD, WIDTH
from rookery.lab.duplicate.job import Boards
from rookery.lab.league.league import (
    RATED,
    BadLeague,
    Outcome,
    Standing,
    meetings,
    outcome_of,
    play_league,
    ratings,
    standing,
    won_of,
)
from rookery.lab.league.report import Leagues, document, files_of, frame, picture, report_text
from rookery.lab.run.jobs import Threads
from rookery.lab.stats import Interval
from rookery.lab.studies.question import Setting
from rookery.rules import load


def setting(name: str = "kd_tournament") -> Setting:
    return Setting(name, load(name))


def outcome(points: float, half: float = 2.0, won: int | None = None) -> Outcome:
    ahead = round(400 * (0.5 + points / 100)) if won is None else won
    return Outcome(Interval(points, half), ahead, 0, 400 - ahead, 40_000, 0)


Pairs = Mapping[tuple[int, int], float]
RING: Pairs = {(0, 1): 10, (1, 2): 10, (0, 2): -10}
LADDER: Pairs = {(0, 1): 10, (1, 2): 10, (0, 2): 25}


def league(pairs: Pairs) -> Standing:
    outcomes = {pair: outcome(points) for pair, points in pairs.items()}
    return standing(setting(), ("a", "b", "c"), 400, outcomes, seed=1)


def test_a_ring_of_bots_is_a_mix_of_all() -> None:
    one = league(RING)
    assert one.mix == pytest.approx([1 / 3] * 3, abs=1e-6)
    assert one.against_mix == pytest.approx([0, 0, 0], abs=1e-4)
    assert np.array_equal(one.points, -one.points.T)
    mus = [rating.mu for rating in one.ratings]
    assert max(mus) - min(mus) < 3  # no single number tells them apart
    assert "The equilibrium is a mix" in report_text([one], 1)


def test_bots_have_their_places_between_floor_and_ceiling() -> None:
    outcomes = {(0, 1): outcome(30), (1, 2): outcome(10), (0, 2): outcome(50)}
    one = standing(setting(), ("open-hand", "papa", "random"), 400, outcomes, seed=1)
    (found,) = document([one], 1).leagues
    # The strengths are 80/3, -20/3 and -60/3 points a board.
    assert found.places == [100.0, 28.6, 0.0]
    assert found.places_ci95 is not None
    low, high = found.places_ci95[1]
    assert 25 < low < 28.6 < high < 32
    assert found.places_ci95[2] == (0.0, 0.0)
    assert "papa              29 %" in report_text([one], 1)


def test_there_are_no_places_where_one_of_the_two_is_missing() -> None:
    (found,) = document([league(LADDER)], 1).leagues
    assert found.places is None
    words = " ".join(report_text([league(LADDER)], 1).split())
    assert "has not been measured for this game" in words


def test_a_ladder_is_the_best_bot_alone() -> None:
    one = league(LADDER)
    assert one.mix == pytest.approx([1, 0, 0])
    assert one.order == [0, 1, 2]
    assert one.against_mix[1] == pytest.approx(-10)
    assert one.against_mix[2] == pytest.approx(-25)
    assert [rating.ordinal() for rating in one.ratings] == sorted(
        (rating.ordinal() for rating in one.ratings), reverse=True
    )
    said = report_text([one], 1)
    assert "The equilibrium is a alone" in said
    for name, rating in zip(one.bots, one.ratings, strict=True):
        (line,) = (line for line in said.splitlines() if line.startswith(name) and " % " in line)
        assert f" {rating.mu:.1f} ± {2 * rating.sigma:.1f} " in line  # two sigma, as it says


def test_where_all_play_alone_two_meetings_make_one_cell() -> None:
    # A papa at a table of hogs wins 30; a hog at a table of papas loses 10 to them.
    both = {(0, 1): outcome(30, half=3, won=250), (1, 0): outcome(-10, half=4, won=100)}
    one = standing(setting("call_partner_5"), ("papa", "hog"), 400, both, seed=1)
    assert one.points[0, 1] == 20
    assert one.points[1, 0] == -20
    assert one.ci95[0, 1] == one.ci95[1, 0] == 2.5
    assert (one.won[0, 1], one.won[1, 0]) == (250 + 300, 100 + 150)
    assert one.decisions == 80_000


def test_meetings_need_one_job_with_two_sides_and_two_with_more() -> None:
    two = meetings(setting(), bots("papa,hog,random"), 50, seed=1)
    assert list(two) == [(0, 1), (0, 2), (1, 2)]
    assert [job.skip for job in two.values()] == [0, 50, 100]  # no deal is played by two pairs
    many = meetings(setting("rook_three_1914"), bots("papa,hog"), 50, seed=1)
    assert {pair: job.skip for pair, job in many.items()} == {(0, 1): 0, (1, 0): 50}
    assert [str(one) for one in many[0, 1].lineup] == ["papa", "hog", "hog"]
    assert [str(one) for one in two[0, 1].lineup] == ["papa", "hog", "papa", "hog"]
    assert len({job.name for job in many.values()}) == 2


def meeting(one: str, other: str, target: Target = "python") -> Boards:
    lineup = (bot(one), bot(other)) * 2
    league = tuple(number for b in bots("papa,hog,random") if (number := b.kernel) is not None)
    return Boards("x", 6, load("kd_tournament"), lineup, 4, target=target, company=league)


def test_what_one_wins_the_other_loses_on_the_same_boards() -> None:
    here, there = meeting("papa", "random"), meeting("random", "papa")
    one, other = (outcome_of(job, setting(), job.count(0, 6)) for job in (here, there))
    assert one.points.mean == -other.points.mean
    assert one.points.ci95 == other.points.ci95
    assert one.won + one.level + one.lost == 6
    assert (one.won, one.level, one.lost) == (other.lost, other.level, other.won)
    assert one.points.mean > 0
    assert one.illegal == 0
    assert one.decisions > 6 * 2 * 36


@pytest.mark.numba
def test_code_that_is_compiled_for_a_league_plays_the_same_boards() -> None:
    plain, compiled = meeting("papa", "random"), meeting("papa", "random", "numba")
    assert np.array_equal(plain.count(0, 6), compiled.count(0, 6))


@pytest.mark.parametrize("rules", ["kd_tournament", "rook_two_1914"])
def test_a_played_league_does_not_depend_on_who_plays_it(rules: str) -> None:
    cast = bots("papa,random,hog")
    one, other = (
        document(play_league([setting(rules)], cast, 5, 3, executor=Threads(n), target="python"), 3)
        for n in (1, 3)
    )
    assert one == other
    (held,) = one.leagues
    assert held.illegal == 0
    assert held.bots == [str(one) for one in cast]
    assert sum(held.mix) == pytest.approx(1, abs=1e-4)


def test_ratings_take_a_fair_share_of_many_boards() -> None:
    won = np.array([[0.0, 60_000], [20_000, 0]])
    level = np.array([[0.0, 20_000], [20_000, 0]])
    many = ratings(won, level, seed=1)
    scale = RATED / 100_000
    few = ratings(won * scale, level * scale, seed=1)
    assert many == few
    assert many[0].mu > many[1].mu
    # A board more makes them surer, up to the limit.
    fewer = ratings(won * scale / 10, level * scale / 10, seed=1)
    assert fewer[0].sigma > few[0].sigma
    nobody = ratings(np.zeros((2, 2)), np.zeros((2, 2)), seed=1)
    assert nobody[0] == nobody[1]


def test_a_league_as_files() -> None:
    one = league(RING)
    files = files_of([one], 1)
    assert set(files) == {"league.json", "league.csv", "report.txt", "league-kd_tournament.png"}
    assert Leagues.model_validate_json(files["league.json"]) == document([one], 1)
    assert picture(one).startswith(b"\x89PNG")
    rows = frame([one])
    assert rows.height == 6
    assert rows["points_a_board"].sum() == 0
    assert files["league.csv"].decode().splitlines()[0].startswith("rules,bot,against,points")


@pytest.mark.parametrize("number", [2, 5, 6, 9, 13, 14])
def test_any_league_fits_a_terminal(number: int) -> None:
    names = tuple(f"a_bot_with_a_long_name_{i}" for i in range(number))
    pairs = {(i, j): outcome(-33.33, half=5) for i in range(number) for j in range(i + 1, number)}
    said = report_text([standing(setting(), names, 400, pairs, seed=1)], seed=1)
    assert max(map(len, said.splitlines())) <= 80
    # Each has a column, and a line in it.
    assert said.split().count("-") == number
    picture(standing(setting(), names, 400, pairs, seed=1))


def test_where_not_every_interval_fits_the_widest_is_said_to_be_so() -> None:
    pairs = {(i, j): outcome(10 * (j - i), half=2 + j) for i in range(6) for j in range(i + 1, 6)}
    said = report_text([standing(setting(), tuple("abcdef"), 400, pairs, seed=1)], seed=1)
    assert "95 % intervals, ± 7.0 at most:" in said
    assert said.count(" +10.0") == 5  # there is room for a tenth


def test_deals_that_came_out_alike_give_no_interval() -> None:
    pairs = {(0, 1): outcome(40, half=0), (0, 2): outcome(3, half=9), (1, 2): outcome(0, half=0)}
    one = standing(setting(), tuple("abc"), 2, pairs, seed=1)
    said = report_text([one], 1)
    assert [said.count(f"{cell} ± ?") for cell in ("+40.0", "-40.0")] == [1, 1]
    # Nobody was ahead in any of these.
    assert said.count("+0.0 ± 0.0") == 2
    assert "which gives no interval" in said
    assert picture(one)
    assert "no interval" not in report_text([league(RING)], 1)


def test_nothing_won_is_no_loss() -> None:
    assert "-0.0" not in report_text([league(RING)], 1)


def test_every_bin_of_the_histogram_is_a_win_a_level_board_or_a_loss() -> None:
    sums = np.zeros(WIDTH, np.int64)
    bins = np.arange(1, BINS + 1)
    sums[:SPREAD] = 10**9  # what stands before it is no result
    sums[SPREAD:] = bins
    middle = BINS // 2
    assert won_of(sums) == (bins[middle + 1 :].sum(), bins[middle], bins[:middle].sum())


def test_the_cells_of_a_league_of_few_deals_stand_apart() -> None:
    pairs = {(0, 1): outcome(-133.3, half=114.4), (0, 2): outcome(3.8, half=9.9)}
    pairs[1, 2] = outcome(1.0, half=2.0)
    said = report_text([standing(setting(), ("a", "b", "c"), 4, pairs, seed=1)], seed=1)
    assert " -133 ± 114 " in said
    assert " +4 ± 10" in said
    tenths = {pair: outcome(-33.33, half=5) for pair in pairs}
    one = standing(setting(), ("a", "b", "c"), 4, tenths, seed=1)
    assert " -33.3 ± 5.0 " in report_text([one], 1)


@pytest.mark.parametrize(
    ("names", "deals", "words"),
    [
        ("papa", 10, "--bots: 1 bot; expected two or more"),
        ("papa,Papa", 10, "--bots: papa is named twice"),
        ("papa,hog", 1, "--deals 1: expected 2 or more"),
    ],
)
def test_a_league_that_cannot_be_played_is_refused(names: str, deals: int, words: str) -> None:
    with pytest.raises(BadLeague, match=words):
        play_league([setting()], bots(names), deals, 1)
