"""Over many records: who is who, what counts once, and what is said of whom."""

from __future__ import annotations

from functools import lru_cache

import pytest
from tests.review.matches import played

from rookery.game import Hand, Match
from rookery.lab.foresight import BEYOND, ENOUGH, HONEST, Foresight, PlayerSums, look
from rookery.lab.observations import PARTS
from rookery.rules import load

NAMES = ("Ann", "Bo", "Cy", "Di")


@lru_cache(maxsize=1)
def hands() -> tuple[Hand, ...]:
    rules = load("kd_tournament")
    return tuple(played(rules, ["club", "random"] * 2, seed) for seed in range(3, 9))


def match(*numbers: int, names: tuple[str, ...] | None = NAMES) -> Match:
    """Return a match of some of the hands."""
    found = Match(load("kd_tournament"), names)
    found.hands = tuple(hands()[number] for number in numbers)
    return found


def looked(*matches: Match, seed: int = 1) -> Foresight:
    return look(matches, worlds=4, tricks=4, seed=seed)


@lru_cache(maxsize=1)
def example() -> Foresight:
    return looked(match(0, 1, 2), match(3, 4, 5))


def test_the_same_figures_whatever_file_a_hand_is_in() -> None:
    other = looked(match(5, 2), match(4, 0), match(3, 1))
    assert sorted(other.players, key=repr) == sorted(example().players, key=repr)
    assert (other.records, other.hands) == (3, 6)
    assert any(one.foresight for one in other.players)


def test_a_hand_counts_once() -> None:
    twice = looked(match(0, 1, 2), match(3, 4, 5), match(1, 4))
    assert twice.model_copy(update={"records": 2, "again": 0}) == example()
    assert twice.again == 2


def test_the_first_hands_alone_and_how_far_it_is() -> None:
    told: list[tuple[int, int]] = []
    matches = [match(0, 1, 2), match(3, 4, 5)]
    found = look(matches, hands=2, worlds=4, tricks=4, progress=lambda *now: told.append(now))
    assert found.hands == 2
    assert found.players == looked(match(0, 1)).players
    assert told == [(0, 2), (1, 2), (2, 2)]


def test_another_seed_draws_other_hands() -> None:
    assert looked(match(0, 1, 2), seed=2).players != looked(match(0, 1, 2)).players


def test_who_is_who() -> None:
    by_name = {one.name: one for one in example().players}
    assert set(by_name) == set(NAMES)
    assert all(one.seat is None for one in by_name.values())
    by_seat = {one.seat: one for one in looked(match(0, 1, 2, 3, 4, 5, names=None)).players}
    assert set(by_seat) == {0, 1, 2, 3}
    for seat, name in enumerate(NAMES):
        assert by_seat[seat] == by_name[name].model_copy(update={"name": None, "seat": seat})


def test_somebody_in_two_seats_is_one_player_and_a_hand_one_unit() -> None:
    pairs = {one.name: one for one in looked(match(0, 1, names=("Ann", "Bo") * 2)).players}
    single = {one.name: one for one in looked(match(0, 1)).players}
    assert set(pairs) == {"Ann", "Bo"}
    assert pairs["Ann"].hands <= 2
    assert pairs["Ann"].decisions == single["Ann"].decisions + single["Cy"].decisions
    total = sum((single[name].foresight or 0) * single[name].hands for name in ("Ann", "Cy"))
    assert (pairs["Ann"].foresight or 0) * pairs["Ann"].hands == pytest.approx(total, abs=0.01)


def test_partners_are_looked_at_together() -> None:
    by_name = {one.name: one for one in example().players}
    pairs = {tuple(one.names or ()): one for one in example().pairs}
    assert set(pairs) == {("Ann", "Cy"), ("Bo", "Di")}
    for pair, found in pairs.items():
        both = [by_name[name] for name in pair]
        assert found.decisions == sum(one.decisions for one in both)
        assert max(one.hands for one in both) <= found.hands <= sum(one.hands for one in both)
        total = sum((one.foresight or 0) * one.hands for one in both)
        assert (found.foresight or 0) * found.hands == pytest.approx(total, abs=0.01)
    # Whoever sits in another seat with the same partner is the same pair.
    turned = looked(match(0, names=NAMES), match(1, names=("Cy", "Bo", "Ann", "Di")))
    assert {tuple(one.names or ()) for one in turned.pairs} == {("Ann", "Cy"), ("Bo", "Di")}
    assert [one.seats for one in looked(match(0, names=None)).pairs] in (
        [[0, 2], [1, 3]],
        [[1, 3], [0, 2]],
    )
    alone = looked(match(0, 1, names=("Ann", "Bo") * 2))
    assert {one.decisions for one in alone.pairs} == {one.decisions for one in alone.players}


def test_a_hand_with_nothing_to_look_at_is_counted() -> None:
    rules = load("kd_tournament")
    short = Match(rules, NAMES).begin(played(rules, ["club"] * 4, 8, actions=9))
    found = looked(match(0), short)
    assert (found.hands, found.unsuited) == (2, 1)
    none = looked(short)
    assert [(one.hands, one.foresight, one.verdict) for one in none.players] == [
        (0, None, "too-few")
    ] * 4


@pytest.mark.parametrize(
    ("hands", "steady", "verdict"),
    [
        (ENOUGH, 0, "nothing"),
        (ENOUGH, -9000, "nothing"),
        (ENOUGH, 9000, "more"),
        (ENOUGH - 1, 9000, "too-few"),
    ],
)
def test_what_is_said_of_a_player(hands: int, steady: int, verdict: str) -> None:
    seen = PlayerSums()
    for number in range(hands):
        seen.add([steady, 500 if number % 2 else -500], 120)
    assert seen.verdict == verdict


def test_more_is_said_from_four_errors_beyond_honest_players_on() -> None:
    for beyond, verdict in ((-0.1, "nothing"), (0.1, "more")):
        seen = PlayerSums()
        error = 5.0 / (ENOUGH - 1) ** 0.5
        mean = HONEST * 120 + (BEYOND + beyond) * error
        for number in range(ENOUGH):
            seen.add([round(PARTS * (mean + (5 if number % 2 else -5)))], 120)
        assert seen.error == pytest.approx(error)
        assert seen.beyond == pytest.approx(BEYOND + beyond, abs=0.01)
        assert seen.verdict == verdict


def test_one_hand_has_no_error() -> None:
    seen = PlayerSums()
    seen.add([3000], 120)
    assert (seen.foresight, seen.error, seen.beyond) == (3.0, None, 0.0)
