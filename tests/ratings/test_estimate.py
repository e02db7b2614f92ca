"""The estimate: against a second way to compute it, against known skills, with faults planted."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
import pytest
from benchmarks.ratings import orders
from hypothesis import given
from hypothesis import strategies as st

from rookery.ratings import estimate
from rookery.ratings.boards import Board
from rookery.ratings.estimate import WIDE, Ratings, rate
from rookery.ratings.family import Anchor, Family
from rookery.ratings.linear import inverse

FOUR = Family(
    "four", 0.8, 44.0, 12.0, 5.0, {"club": Anchor(0.0, 0.0), "casual": Anchor(-17.0, 1.0)}
)
SURELY = NormalDist().inv_cdf(0.975)
ALONE = FOUR._replace(name="three", pair=0.0)


def drawn(seed: int, boards: int, *, alone: bool = False, names: str = "abcdef") -> list[Board]:
    """Return boards of people and bots with any results; later names do better."""
    dice = random.Random(seed)
    found = []
    for _ in range(boards):
        seats = dice.sample([*names, "club", "casual"], 3 if alone else 4)
        units = [(one,) for one in seats] if alone else [(seats[0], seats[2]), (seats[1], seats[3])]
        raw = [dice.gauss(0, 40) + 15 * sum(map(names.find, unit)) for unit in units]
        middle = sum(raw) / len(raw)
        found.append(Board(tuple(units), tuple(one - middle for one in raw)))
    return found


class Judged(NamedTuple):
    """What `judge` says: points and error of people, pairs and bots, and the noise.

    `surely` says of how many others each person is surely ahead, and how many are ahead of them.
    """

    people: dict[str, tuple[float, float]]
    surely: dict[str, tuple[int, int]]
    pairs: dict[tuple[str, str], tuple[float, float]]
    partners: dict[tuple[str, str], tuple[float, float]]
    bots: dict[str, tuple[float, float]]
    noise: float


def judge(boards: Sequence[Board], family: Family) -> Judged:
    """Return what the covariance of the results themselves says.

    No equations of effects: the effects given the results, as of any two normal vectors.
    """
    people = sorted({name for b in boards for u in b.units for name in u} - set(family.anchors))
    twos = list(combinations(people, 2)) if family.pair else []
    names: list[tuple[str, ...]] = [(), *((one,) for one in people), *twos]
    spread = np.diag([{0: WIDE, 1: family.person, 2: family.pair}[len(one)] ** 2 for one in names])
    rows, results, blocks = [], [], []
    for board in boards:
        k = len(board.units)
        x = np.zeros((k, len(names)))
        bots = np.zeros(k)
        for i, unit in enumerate(board.units):
            x[i, 0] = sum(name in people for name in unit)
            for j, name in enumerate(names):
                x[i, j] += bool(name) and set(name) <= set(unit)
            bots[i] = sum(family.anchors[n].points for n in unit if n in family.anchors)
        centre = np.eye(k) - 1 / k
        rows.append(centre @ x)
        results.append(np.array(board.results) - centre @ bots)
        blocks.append(centre)
    x, y = np.vstack(rows), np.concatenate(results)
    size = len(y)
    wide = np.zeros((size, size))
    at = 0
    for block in blocks:
        wide[at : at + len(block), at : at + len(block)] = block
        at += len(block)
    variance = family.noise**2
    for _ in range(3):  # as `ROUNDS` has it: the noise with the effects as they are found
        noise = variance**0.5
        gain = spread @ x.T @ np.linalg.pinv(x @ spread @ x.T + variance * wide, rcond=1e-10)
        effects, left = gain @ y, spread - gain @ x @ spread
        missed = np.sum((y - x @ effects) ** 2) + np.trace(x @ left @ x.T)
        variance = (50 * family.noise**2 + missed) / (50 + size - len(boards))
    at_place = dict(zip(names, np.eye(len(names)), strict=True))
    group, one = at_place[()], {name: at_place[(name,)] for name in people}
    middle = sum(one.values()) / len(people)

    def of(what: Any) -> tuple[float, float]:  # noqa: ANN401  (a row)
        return float(what @ effects), float(np.sqrt(what @ left @ what))

    surely = {}
    for who in people:
        apart = [of(one[who] - one[other]) for other in people if other != who]
        z = [points / error for points, error in apart]
        surely[who] = sum(x > SURELY for x in z), sum(x < -SURELY for x in z)
    off, error = of(group + middle)
    return Judged(
        {name: of(row - middle) for name, row in one.items()},
        surely,
        {(a, b): of(one[a] + one[b] + at_place[a, b] - 2 * middle) for a, b in twos},
        {(a, b): of(at_place[a, b]) for a, b in twos},
        {
            bot: (b.points - off, (b.error**2 + error**2) ** 0.5)
            for bot, b in family.anchors.items()
        },
        noise,
    )


@pytest.mark.parametrize("alone", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_it_is_what_the_covariance_of_the_results_says(seed: int, alone: bool) -> None:
    family, boards = (ALONE if alone else FOUR), drawn(seed, 40, alone=alone)
    found, told = rate(boards, family), judge(boards, family)
    assert found.noise == pytest.approx(told.noise)
    assert len(told.people) == len(found.people) == 6
    for name, person in found.people.items():
        assert person.figure[:2] == pytest.approx(told.people[name], rel=1e-6)
        assert (person.ahead, person.behind) == told.surely[name]
    units = (tuple(sorted(unit)) for board in boards for unit in board.units)
    assert [*found.pairs] == sorted(found.pairs)
    beside = Counter(unit for unit in units if len(unit) == 2 and {*unit} <= found.people.keys())
    assert {two: pair.together.boards for two, pair in found.pairs.items()} == beside
    for two, pair in found.pairs.items():
        assert pair.together[:2] == pytest.approx(told.pairs[two], rel=1e-6)
        assert pair.partner[:2] == pytest.approx(told.partners[two], rel=1e-6)
    for bot, figure in found.bots.items():
        assert figure[:2] == pytest.approx(told.bots[bot], rel=1e-6)


@given(st.integers(0, 1 << 30), st.booleans())
def test_names_and_the_order_of_seats_and_boards_change_nothing(seed: int, alone: bool) -> None:
    family, boards = (ALONE if alone else FOUR), drawn(seed, 8, alone=alone, names="abcdef")
    dice = random.Random(seed)
    other = dict(zip("abcdef", dice.sample("uvwxyz", 6), strict=True))
    again = []
    for board in dice.sample(boards, len(boards)):
        places = dice.sample(range(len(board.units)), len(board.units))
        units = [tuple(other.get(n, n) for n in reversed(board.units[at])) for at in places]
        again.append(Board(tuple(units), tuple(board.results[at] for at in places)))
    one, two = rate(boards, family), rate(again, family)
    for name, person in one.people.items():
        assert two.people[other[name]].figure == pytest.approx(person.figure)
        assert two.people[other[name]][1:] == person[1:]
    for (a, b), pair in one.pairs.items():
        key = (min(other[a], other[b]), max(other[a], other[b]))
        assert two.pairs[key].together == pytest.approx(pair.together)
    assert two.bots == {bot: pytest.approx(figure) for bot, figure in one.bots.items()}


@pytest.mark.parametrize("alone", [False, True])
def test_what_a_bot_is_worth_is_taken_off_what_its_side_has_scored(alone: bool) -> None:
    family, boards, again = (ALONE if alone else FOUR), drawn(3, 30, alone=alone), []
    more = family._replace(anchors={**family.anchors, "casual": Anchor(40.0, 1.0)})
    for units, results in boards:
        bots = [57.0 * ("casual" in unit) for unit in units]
        middle = sum(bots) / len(bots)
        moved = (one + by - middle for one, by in zip(results, bots, strict=True))
        again.append(Board(units, tuple(moved)))
    one, two = rate(boards, family), rate(again, more)
    assert two.noise == pytest.approx(one.noise)
    assert two.bots["casual"].points == pytest.approx(one.bots["casual"].points + 57)
    for name, person in one.people.items():
        assert two.people[name].figure == pytest.approx(person.figure)


@given(st.integers(0, 1 << 30))
def test_the_figures_of_all_people_are_around_0_and_their_boards_are_counted(seed: int) -> None:
    boards = drawn(seed, 12)
    found = rate(boards, FOUR)
    assert sum(one.figure.points for one in found.people.values()) == pytest.approx(0, abs=1e-6)
    for name, person in found.people.items():
        assert person.figure.boards == sum(name in unit for b in boards for unit in b.units)
    assert found.boards == 12
    ahead = sum(one.ahead for one in found.people.values())
    assert ahead == sum(one.behind for one in found.people.values())


def test_nothing_played_says_nothing_and_more_boards_say_more() -> None:
    bare = rate([], FOUR, "ab")
    assert [one.figure.points for one in bare.people.values()] == [0, 0]
    assert bare.people["a"].ahead == bare.people["a"].behind == 0
    errors = [rate(drawn(1, n), FOUR, "abcdef").people["a"].figure.error for n in (0, 20, 200)]
    assert errors == sorted(errors, reverse=True)
    assert errors[0] == pytest.approx(12 * (5 / 6) ** 0.5)


def test_bots_are_anchors_and_only_boards_with_bots_say_where_the_group_is() -> None:
    """Four people who are all twenty points better than `club` differ from no bot among them."""
    dice = random.Random(5)

    def boards(bots: bool, count: int) -> list[Board]:
        found = []
        for _ in range(count):
            seats = ["a", "b", "c", "club"] if bots else ["a", "b", "c", "d"]
            dice.shuffle(seats)
            units = ((seats[0], seats[2]), (seats[1], seats[3]))
            worth = [sum(20.0 for name in unit if name != "club") for unit in units]
            half = (worth[0] - worth[1]) / 2 + dice.gauss(0, 20)
            found.append(Board(units, (half, -half)))
        return found

    alone, beside = rate(boards(False, 400), FOUR), rate(boards(True, 400), FOUR)
    assert alone.bots == {}
    club = beside.bots["club"]
    assert club.points == pytest.approx(-20, abs=3 * club.error)
    assert club.error < 4
    # Nobody is moved from 0 by what all of them have in common.
    assert all(
        abs(one.figure.points) < 8 for one in (*alone.people.values(), *beside.people.values())
    )


def simulated(times: int, each: int, family: Family, noise: float) -> list[orders.Judged]:
    """Return how good the estimates of as many simulated pasts are."""
    found = []
    for seed in range(times):
        dice = random.Random(f"{seed} {each}")
        skills = orders.drawn(FOUR, dice)
        boards = orders.rounds(skills, each, noise, dice)
        found.append(orders.judged(skills, rate(boards, family, orders.PEOPLE)))
    return found


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def test_the_intervals_hold_the_truth_as_often_as_they_say_and_few_claims_are_wrong() -> None:
    found = simulated(60, 60, FOUR, 44.0)
    assert 0.92 < mean([one.covered for one in found]) < 0.98
    assert 0.92 < mean([one.pairs_covered for one in found]) < 0.98
    assert mean([one.wrong for one in found]) < 0.03
    # Planted: a noise that is half of what it is, and never learnt from the boards.
    blind = pytest.MonkeyPatch()
    blind.setattr(estimate, "NOISE_BOARDS", 10**9)
    bad = simulated(60, 60, FOUR._replace(noise=22.0), 44.0)
    blind.undo()
    assert mean([one.covered for one in bad]) < 0.85


def test_a_wrong_idea_of_the_noise_is_mended_by_the_boards() -> None:
    found = simulated(10, 300, FOUR._replace(noise=22.0), 44.0)
    assert mean([one.covered for one in found]) > 0.9


def test_drawn_together_it_misses_less_than_the_bare_means() -> None:
    """Unshrunk is planted: as if anybody could be anything."""
    shrunk, bare = (
        mean([one.missed for one in simulated(20, 30, family, 44.0)])
        for family in (FOUR, FOUR._replace(person=1000.0, pair=1000.0))
    )
    assert shrunk < 0.8 * bare


def turned(boards: Sequence[Board]) -> list[Board]:
    """Return boards whose results stand with the wrong units."""
    return [board._replace(results=board.results[::-1]) for board in boards]


def moved(boards: Sequence[Board]) -> list[Board]:
    """Return boards where each sits one seat further than they did."""
    return [
        board._replace(
            units=((board.units[0][0], board.units[1][0]), (board.units[0][1], board.units[1][1]))
        )
        for board in boards
    ]


@pytest.mark.parametrize(("fault", "right"), [(list, True), (turned, False), (moved, False)])
def test_known_skills_are_found_and_wrong_seats_lose_them(
    fault: Callable[[Sequence[Board]], list[Board]], right: bool
) -> None:
    skills = orders.even(FOUR, random.Random(1))
    boards = orders.rounds(skills, 1500, 44.0, random.Random(2))
    found: Ratings = rate(fault(boards), FOUR, orders.PEOPLE)
    how = orders.judged(skills, found)
    assert (how.twos > 0.97) == right
    assert (how.covered > 0.7) == right


@given(st.integers(1, 12), st.integers(0, 1 << 30))
def test_the_inverse_is_numpys(size: int, seed: int) -> None:
    dice = np.random.default_rng(seed)
    half = dice.normal(size=(size, size))
    matrix = half @ half.T + np.eye(size)
    assert np.allclose(inverse(matrix.tolist()), np.linalg.inv(matrix))
    with pytest.raises(ValueError, match="positive definite"):
        inverse((-matrix).tolist())
