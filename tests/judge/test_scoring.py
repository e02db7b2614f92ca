"""What hands score and how matches end, worked out on paper."""

from typing import Any

from .games import rules, tiny
from .match import add_to_totals, match_winners
from .scoring import Finished


def ended(
    options: dict[str, Any], bid: int | str | None, *tricks: tuple[int, int], nest: str = ""
) -> Finished:
    """A hand of seat 0 with seat 2, or without partners; each trick is its winner and points."""
    four = options["partnership"] == "alone"
    sides = [[0], [1], [2], [3]] if four else [[0, 2], [1, 3]]
    played = [{"winner": seat, "points": points} for seat, points in tricks]
    declarer = 0 if bid is not None else None
    return Finished(options, sides, declarer, bid, played, nest.split())


def test_made_and_set() -> None:
    tricks = [(0, 40), (1, 30), (2, 30)]
    assert ended(rules(), 70, *tricks, nest="RK").score() == [90, 30, 90, 30]
    assert ended(rules(), 95, *tricks, nest="RK").score() == [-95, 30, -95, 30]
    assert ended(rules(set_penalty="double"), 95, *tricks).score() == [-190, 30, -190, 30]
    assert ended(rules(defenders_score=False), 70, *tricks).score() == [70, 0, 70, 0]
    assert ended(rules(defenders_score=False), 75, *tricks).score() == [-75, 30, -75, 30]
    assert ended(rules(nest_points_to="nobody"), 75, *tricks, nest="RK").points() == [70, 30]
    called = rules(partnership="called", partner_shares_set=False)
    assert ended(called, 75, *tricks).score() == [-75, 30, 0, 30]
    last = rules(nest_points_to="declarer")
    assert ended(last, 75, (0, 60), (1, 40), nest="RK").points() == [80, 40]


def test_bonuses_and_their_ties() -> None:
    tied = [(0, 10), (1, 10)]
    assert ended(rules(trick_bonus="majority"), 10, *tied).points() == [10, 10]
    split = rules(trick_bonus="majority", tied_majority="split")
    assert ended(split, 10, *tied).points() == [20, 20]
    assert ended(split, 10, *tied, (2, 0)).points() == [30, 10]
    assert ended(rules(trick_bonus="last_trick"), 10, *tied).points() == [10, 30]
    each = rules(trick_bonus="per_trick", trick_bonus_value=2, partnership="alone")
    assert ended(each, 10, *tied, (0, 0)).points() == [14, 12, 0, 0]
    three = rules(trick_bonus="majority", tied_majority="split", partnership="alone")
    assert ended(three, 10, (0, 0), (1, 0), (2, 0)).points() == [6, 6, 6, 0]
    six = rules(trick_bonus="first_to_six")
    assert ended(six, 10, *[(1, 0)] * 6, *[(0, 10)] * 7).points() == [70, 20]


def test_sweeps() -> None:
    replace = rules(sweep_value={"replace": 200})
    assert ended(replace, 70, (0, 120), (2, 0)).score() == [200, 0, 200, 0]
    assert ended(replace, 70, (0, 120), (1, 0)).score() == [120, 0, 120, 0]
    points = {**replace, "sweep_test": "all_points", "sweep_value": {"add": 20}}
    assert ended(points, 70, (0, 120), (1, 0)).score() == [140, 0, 140, 0]
    assert ended(points, 70, (1, 120), (0, 0)).score() == [-70, 120, -70, 120]
    either = {**replace, "sweep_test": "either_side_all_points"}
    assert ended(either, 70, (1, 120), (0, 0)).score() == [-70, 200, -70, 200]
    assert ended(either, 130, (0, 120)).score() == [-130, 0, -130, 0]


def test_sun_and_moon() -> None:
    sun = tiny(special_bids=[{"name": "sun", "value": 180}])
    assert ended(sun, "sun", (0, 40), (2, 40)).score() == [180, 0, 180, 0]
    assert ended(sun, "sun", (0, 80), (1, 0)).score() == [-180, 0, -180, 0]
    game = tiny(special_bids=[{"name": "sun", "value": "game"}])
    assert ended(game, "sun", (0, 40), (2, 40)).score() == [300, 0, 300, 0]
    moon = tiny(special_bids=[{"name": "moon", "value": 100}])
    assert ended(moon, 20, (0, 40), (1, 40)).score() == [100, 40, 100, 40]
    assert ended(moon, 15, (0, 40), (1, 40)).score() == [40, 40, 40, 40]


def scored(*score: int, bid: int = 70, points: int = 100) -> dict[str, Any]:
    sides = [[0, 2], [1, 3]]
    return {
        **{"declarer": 0, "bid": bid, "sides": sides, "tricks": []},
        **{"points": [points, 0], "score": list(score)},
    }


def test_the_end_of_a_match() -> None:
    last = scored(100, 20, 100, 20)
    assert match_winners(rules(), [290, 280, 290, 280], last) is None
    assert match_winners(rules(), [300, 280, 300, 280], last) == [0, 2]
    assert match_winners(rules(), [310, 320, 310, 320], last) == [1, 3]
    tie = [310, 310, 310, 310]
    assert match_winners(rules(), tie, last) is None
    assert match_winners(rules(tie="shared"), tie, last) == [0, 1, 2, 3]
    assert match_winners(rules(tie="declarer"), tie, last) == [0, 2]
    floor = rules(negative_end=-500)
    assert match_winners(floor, [-500, 120, -500, 120], last) == [1, 3]
    own = rules(own_contract_to_go_out="yes")
    assert match_winners(own, [310, 320, 310, 320], last) == [0, 2]
    assert match_winners(own, [310, 280, 310, 280], scored(-70, 50, -70, 50)) is None


def test_a_cap_holds_those_without_a_contract() -> None:
    capped = rules(target=500, own_contract_to_go_out={"cap": 430})
    made, lost = scored(100, 80, 100, 80), scored(-70, 80, -70, 80, points=60)
    assert add_to_totals(capped, [400, 400, 400, 400], made) == [500, 430, 500, 430]
    assert add_to_totals(capped, [440, 440, 440, 440], lost) == [370, 440, 370, 440]
    assert add_to_totals(capped, [10, 20, 30, 40], {"declarer": None, "score": None}) == [
        *(10, 20, 30, 40)
    ]
