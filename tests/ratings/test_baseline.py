"""What bots score on the cards of a hand, and the board that is left of a result."""

from __future__ import annotations

from itertools import combinations

import pytest

from rookery.bots.names import LEVELS
from rookery.bots.player import KernelPlayer
from rookery.game import Hand
from rookery.ratings import baseline
from rookery.ratings.boards import board_of
from rookery.ratings.family import families, family_name, family_of
from rookery.rules import catalog, load, variant


def test_every_two_of_four_seats_have_each_two_bots_once() -> None:
    tables = [baseline.lineup(table, 4) for table in range(baseline.TABLES)]
    for a, b in combinations(range(4), 2):
        assert len({(bots[a], bots[b]) for bots in tables}) == baseline.TABLES
    # Each bot sits in each of eight seats as often as the others.
    whole = [baseline.lineup(table, 8) for table in range(baseline.TABLES)]
    for seat in range(8):
        assert sorted(bots[seat] for bots in whole) == sorted(baseline.BOTS * 3)


def scores(bots: tuple[str, ...], hand: Hand, seed: int) -> list[int] | None:
    players = [KernelPlayer(bot, seed, seat) for seat, bot in enumerate(bots)]
    while hand.to_act is not None:
        hand = players[hand.to_act].move(hand)
    return hand.score


def test_none_of_the_bots_has_dice() -> None:
    """Another seed of theirs changes nothing; that of a bot with dice does."""
    hands = [Hand.shuffled(variant("kd_tournament"), 0, seed) for seed in range(6)]
    for hand in hands:
        for table in (0, 4, 8):
            bots = baseline.lineup(table, 4)
            assert scores(bots, hand, 1) == scores(bots, hand, 99)
    dice = (LEVELS["beginner"],) * 4
    assert any(scores(dice, hand, 1) != scores(dice, hand, 99) for hand in hands)


def test_what_is_expected_is_the_mean_of_nine_tables() -> None:
    hand = Hand.shuffled(variant("kd_tournament"), 0, 5)
    rows = [scores(baseline.lineup(table, 4), hand, 1) or [0] * 4 for table in range(9)]
    assert len({tuple(row) for row in rows}) > 3
    means = [sum(column) / 9 for column in zip(*rows, strict=True)]
    assert baseline.expected(hand) == pytest.approx(means)


def test_a_hand_that_is_thrown_in_scores_nothing() -> None:
    rules = load({"base": "kd_tournament", "counters": {"14": 20}, "bid_maximum": 80})
    hands = (Hand.shuffled(rules, 0, seed) for seed in range(99))
    hand, seat = next((h, s) for h in hands for s in range(4) if h.may_redeal(s))
    assert baseline.played(hand.act(seat, "redeal"), baseline.lineup(0, 4)) == (0, 0, 0, 0)


@pytest.mark.parametrize("rules", catalog())
def test_every_game_has_a_family_and_a_baseline(rules: str) -> None:
    game = variant(rules)
    family = family_of(game)
    assert family.name == family_name(game)
    assert family.anchors["club"] == (0, 0)
    points = baseline.expected(Hand.shuffled(game, dealer=0, seed=3))
    assert len(points) == game.seats
    board = board_of(game, [str(seat) for seat in range(game.seats)], [0] * game.seats, points)
    assert sum(board.results) == pytest.approx(0)
    assert sorted(name for unit in board.units for name in unit) == list(
        map(str, range(game.seats))
    )


def test_a_board_is_what_is_left_without_the_cards() -> None:
    game, trust = variant("kd_tournament"), families()["four"].trust
    # The others have the cards for a hundred points more, and make sixty more.
    board = board_of(game, "abcd", [0, 60, 0, 60], [0.0, 100.0, 0.0, 100.0])
    assert board.units == (("a", "c"), ("b", "d"))
    left = 100 / 120 * (60 - trust * 100) / 2
    assert board.results == pytest.approx((-left, left))
    called = board_of(variant("call_partner_5"), "abcde", [100, 0, 0, 0, 0], [0.0] * 5)
    assert called.units == tuple((name,) for name in "abcde")
    assert called.results == pytest.approx((40, -10, -10, -10, -10))


def test_the_anchors_stand_as_the_ladder_has_them() -> None:
    for family in families().values():
        order = [family.anchors[level].points for level in LEVELS if level in family.anchors]
        assert order == sorted(order)
        assert family.anchors.keys() <= LEVELS.keys()
