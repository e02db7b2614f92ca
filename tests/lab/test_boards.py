"""A board is fair: every side sits everywhere, and what is noted adds up."""

from statistics import stdev

import numpy as np
import pytest

from rookery.bots.dispatch import DICELESS, KERNELS, kind_of
from rookery.bots.names import bots
from rookery.bots.seat_info import SeatInfo
from rookery.cards import CARDS
from rookery.engine.state import Hidden, State
from rookery.lab.duplicate.boards import (
    BINS,
    BOARDS,
    BOTS,
    CONTRACTS,
    DECISIONS,
    EACH,
    ILLEGAL,
    MADE,
    POINTS,
    ROOM_SQUARES,
    SPREAD,
    SQUARES,
    TOTAL,
    UNSCORED,
    WIDTH,
    note_board,
    play_boards,
    rooms_of,
    scale_of,
    sides_of,
)
from rookery.lab.duplicate.job import Boards, bin_width
from rookery.lab.duplicate.match import Match
from rookery.rules import catalog, load
from rookery.rules.table import PLACES, compile_rules


def boards(variant: str, names: str, size: int, seed: int = 3, skip: int = 0) -> Boards:
    match = Match(load(variant), variant, bots(names), 2, seed)
    return Boards("boards", size, match.rules, match.lineup, seed, skip, "python")


def noted(variant: str, names: str, size: int, seed: int = 3) -> list[int]:
    job = boards(variant, names, size, seed)
    return [int(number) for number in job.count(0, size)]


def side(sums: list[int], first: int) -> list[int]:
    """Return what is noted of two partners, added up."""
    one, other = (BOTS + EACH * seat for seat in (first, first + 2))
    return [a + b for a, b in zip(sums[one : one + EACH], sums[other : other + EACH], strict=True)]


@pytest.mark.parametrize(
    ("variant", "sides", "pairs", "all_different"),
    [
        ("kd_tournament", 2, 2, 4),
        ("dixie_6", 2, 2, 6),
        ("call_partner_5", 5, 5, 5),
        ("rook_1906_8", 8, 8, 8),
        ("rook_two_1914", 2, 2, 2),
    ],
)
def test_a_line_up_gets_the_rooms_that_it_needs(
    variant: str, sides: int, pairs: int, all_different: int
) -> None:
    table = compile_rules(load(variant))
    first = table.partners[0]
    two = ["a" if first >> seat & 1 else "b" for seat in range(table.seats)]
    assert sides_of(table) == sides
    assert rooms_of(table, two) == pairs
    assert rooms_of(table, range(table.seats)) == all_different
    assert rooms_of(table, ["a"] * table.seats) == sides
    assert scale_of(table, pairs) == pairs * (sides - 1)


@pytest.mark.parametrize("variant", catalog())
def test_a_bot_without_dice_is_level_with_itself_on_every_board(variant: str) -> None:
    sums = noted(variant, "papa,papa", 3)
    assert sums[BOARDS] == 3
    assert sums[TOTAL] == sums[SQUARES] == 0
    assert sums[SPREAD + BINS // 2] == 3
    assert sums[DECISIONS] > 0


def test_changing_places_changes_the_sign() -> None:
    there, back = noted("kd_tournament", "papa,hog", 40), noted("kd_tournament", "hog,papa", 40)
    assert there[TOTAL] == -back[TOTAL] != 0
    assert there[SQUARES] == back[SQUARES]
    assert side(there, 0) == side(back, 1) != side(there, 1)


def test_parts_of_a_match_add_up_to_the_whole() -> None:
    whole = boards("call_partner_5", "papa,hog,random,karapet,rabbit", 30)
    parts = whole.count(0, 11) + whole.count(11, 19)
    assert np.array_equal(whole.count(0, 30), parts)
    later = boards("call_partner_5", "papa,hog,random,karapet,rabbit", 19, skip=11)
    assert np.array_equal(later.count(0, 19), whole.count(11, 19))
    assert not whole.count(0, 0).any()


def test_a_side_of_different_bots_is_one_side() -> None:
    """Sides are compared, bots are not: swapping within a side moves figures, not the margin."""
    one = noted("kd_tournament", "papa,hog,karapet,rabbit", 12)
    other = noted("kd_tournament", "karapet,rabbit,papa,hog", 12)
    assert one[TOTAL] == other[TOTAL]
    assert one[BOTS : BOTS + EACH] == other[BOTS + 2 * EACH : BOTS + 3 * EACH]


@pytest.mark.parametrize("variant", ["kd_tournament", "call_partner_5", "rook_1906_7"])
def test_the_margin_is_the_first_sides_score_less_the_others_mean(variant: str) -> None:
    sums = noted(variant, "club,random", 8)
    table = compile_rules(load(variant))
    first = table.partners[0]
    inside = [seat for seat in range(table.seats) if first >> seat & 1]
    outside = [seat for seat in range(table.seats) if not first >> seat & 1]

    def points(seats: list[int]) -> float:
        return sum(sums[BOTS + EACH * seat + POINTS] for seat in seats) / len(seats)

    rooms = len(outside) // len(inside) + 1
    margin = sums[TOTAL] / scale_of(table, rooms) * rooms
    assert margin == pytest.approx(points(inside) - points(outside))


def test_what_is_noted_of_every_hand_adds_up() -> None:
    sums = noted("kd_tournament", "club,papa", 30)
    played = sum(sums[BOTS + EACH * seat + CONTRACTS] for seat in range(4))
    made = sum(sums[BOTS + EACH * seat + MADE] for seat in range(4))
    assert played == 2 * 30 - sums[UNSCORED]
    assert 0 < made < played
    assert sum(sums[SPREAD:WIDTH]) == sums[BOARDS]
    assert sums[ROOM_SQUARES] > sums[SQUARES] / 2 > 0
    assert not any(sums[BOTS + EACH * seat + ILLEGAL] for seat in range(4))


def test_the_luck_of_the_cards_is_in_every_room_alike() -> None:
    """The boards scatter less than two hands on deals of their own would."""
    job = boards("kd_tournament", "papa,karapet", 200)
    rows = [job.count(board, 1) for board in range(200)]
    results = [int(row[TOTAL]) for row in rows]
    hands = sum(int(row[ROOM_SQUARES]) for row in rows) / 400
    assert stdev(results) ** 2 < 0.75 * 2 * hands


@pytest.mark.parametrize("variant", ["kd_tournament", "call_partner_6", "circus"])
def test_bots_that_are_given_no_dice_roll_none(variant: str) -> None:
    """Compiled boards save the drawing of dice where nobody rolls them."""
    table = compile_rules(load(variant))
    for kind in (kind for kind in range(len(KERNELS)) if DICELESS >> kind & 1):
        mine, dice = [SeatInfo() for _ in range(PLACES)], [0] * PLACES
        play_boards(
            table, State(), Hidden(), mine, [kind] * PLACES, [0] * PLACES, dice, [0] * CARDS,
            1, 1, 5, 0, 8, [0] * WIDTH,
        )  # fmt: skip
        assert all(m.rng == drawn != 0 for m, drawn in zip(mine, dice[: table.seats], strict=False))
    assert not DICELESS >> kind_of("random") & 1


@pytest.mark.parametrize(("variant", "rooms"), [("kd_tournament", 2), ("call_partner_5", 5)])
def test_a_board_counts_as_level_to_both_sides_or_to_neither(variant: str, rooms: int) -> None:
    width = bin_width(compile_rules(load(variant)), rooms)
    for result in range(3 * width):
        won, lost = [0] * WIDTH, [0] * WIDTH
        note_board(result, 0, width, won)
        note_board(-result, 0, width, lost)
        assert won[SPREAD:WIDTH] == lost[SPREAD:WIDTH][::-1]
