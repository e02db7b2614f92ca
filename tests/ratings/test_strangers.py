"""Ratings of strangers: who wins goes up, what is unknown moves most, and the ± tells the truth."""

from __future__ import annotations

import json
from itertools import permutations

import pytest
from benchmarks.ratings import matches
from benchmarks.ratings.matches import LUCK, judged, past, written
from benchmarks.ratings.pool import RESULTS

from rookery.daily.day import FAMILIES
from rookery.ratings import strangers
from rookery.ratings.family import families
from rookery.ratings.strangers import DRIFT, Standing, after, newcomer, swings
from rookery.rules import variant

KEPT = RESULTS / "2026-11-24-ratings-matches.json"


def test_the_program_has_the_figures_of_the_kept_matches() -> None:
    kept = json.loads(KEPT.read_text("utf-8"))["families"]
    assert written(kept) == LUCK.read_text("utf-8")
    assert swings().keys() == families().keys()
    kept["four"]["swing"] += 0.1
    assert written(kept) != LUCK.read_text("utf-8")


@pytest.mark.parametrize("family", FAMILIES)
def test_it_is_the_same_whoever_is_named_first(family: str) -> None:
    units = matches.units_of(variant(FAMILIES[family]))
    # Everybody is known unlike everybody else.
    known = {seat: Standing(3.0 * seat - 4, 5.0 + seat) for unit in units for seat in unit}
    place = {unit: at for at, unit in enumerate(units)}
    told = set()
    for order in list(permutations(units))[:24]:
        found = after(
            family, [[known[s] for s in unit] for unit in order], [place[u] for u in order]
        )
        flat = {
            seat: one
            for unit, some in zip(order, found, strict=True)
            for seat, one in zip(unit, some, strict=True)
        }
        told.add(tuple(round(x, 9) for seat in sorted(flat) for x in flat[seat]))
    assert len(told) == 1


@pytest.mark.parametrize("family", FAMILIES)
def test_who_wins_goes_up_and_the_less_is_known_the_more_it_says(family: str) -> None:
    new, units = newcomer(family), matches.units_of(variant(FAMILIES[family]))
    sure = Standing(0.0, new.error / 4)
    found = after(family, [[new for _ in unit] for unit in units], range(len(units)))
    means = [one.points for unit in found for one in unit]
    assert means[0] > 0 > means[-1]
    assert sum(means) == pytest.approx(0)
    assert all(one.error < new.error for unit in found for one in unit)
    [(won, *_), *_] = after(
        family,
        [[sure] + [new] * (len(units[0]) - 1), *[[new for _ in u] for u in units[1:]]],
        range(len(units)),
    )
    assert 0 < won.points < found[0][0].points
    # Who was expected to win gains less than who was not.
    [(strong, *_), *_] = after(
        family,
        [
            [Standing(2 * new.error, new.error) for _ in units[0]],
            *[[new for _ in u] for u in units[1:]],
        ],
        range(len(units)),
    )
    assert strong.points - 2 * new.error < found[0][0].points


def test_an_error_ends_where_people_may_change_and_not_at_none() -> None:
    one = newcomer("two")
    for turn in range(2000):
        [[one], _] = after("two", [[one], [newcomer("two")]], [turn % 2, 1 - turn % 2])
    assert newcomer("two").error * DRIFT < one.error < newcomer("two").error / 4


@pytest.mark.parametrize("share", [1.0, 0.2])
def test_figures_of_simulated_strangers_are_as_sure_as_they_say(share: float) -> None:
    rows = [
        past("four", variant(FAMILIES["four"]), share, swings()["four"], seed)[100]
        for seed in range(4)
    ]
    covered = sum(row.covered for row in rows) / len(rows)
    assert covered > 0.8
    assert sum(row.twos for row in rows) / len(rows) > 0.8


def test_figures_that_say_too_much_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    # The control: where a match says more than it does, the intervals hold the truth no more.
    real = swings()
    monkeypatch.setattr(strangers, "swings", lambda: {name: one / 6 for name, one in real.items()})
    strangers._model.cache_clear()
    try:
        found = past("four", variant(FAMILIES["four"]), 1.0, real["four"], 0)[300]
        assert found.covered < 0.7
    finally:
        strangers._model.cache_clear()


def test_the_least_surprise_is_where_the_luck_is() -> None:
    rules, worth = variant(FAMILIES["four"]), [10.0 * n for n in range(10)]
    dull = [matches.Result((9, 8, 9, 8), (0, 1)), matches.Result((0, 1, 0, 1), (1, 0))] * 5
    upset = [matches.Result(one.people, one.ranks[::-1]) for one in dull]
    tight = [matches.surprise(worth, rules, dull, beta) for beta in (5.0, 50.0)]
    loose = [matches.surprise(worth, rules, upset, beta) for beta in (5.0, 50.0)]
    assert tight[0] < tight[1]
    assert loose[0] > loose[1]
    assert judged([1.0, 2.0], [Standing(1.0, 1.0), Standing(5.0, 1.0)]).covered == 0.5
