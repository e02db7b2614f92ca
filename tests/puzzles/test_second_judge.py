"""The second judge refuses what is level for whoever plays on better than the script."""

from __future__ import annotations

from functools import cache

import pytest
from tests.hands import SMALL
from tests.puzzles.positions import SAMPLE
from tests.review.matches import played

from rookery.game import Action, Hand
from rookery.puzzles.proof import FAR, NoPuzzle, Prover, stands_far_out, stands_out
from rookery.puzzles.puzzle import Puzzle, read_line
from rookery.puzzles.second_judge import SecondJudge, _ended, reaches
from rookery.puzzles.shelf import shelf
from rookery.review.hand_review import steps_of
from rookery.review.judge import Weighed
from rookery.review.open_cards import margin_of
from rookery.rules import load
from rookery.search.choice import Choice

PASS = Action.parse("0 pass")
# Readers found these level: with best play, or with `expert` at each seat, it makes no difference.
LEVEL = (
    # Only the last trick is left to win; the script as partner wins it for one card alone.
    '["black_2",2,0,"eimqyPTwApVZ4aGSrzDHoIMhtJCKnL1csQUxFN3OW0bfjvgkYdBREX2lu","bid 100;bid 105;'
    'bid 120;bid 125;pass;pass;pass;-wlpVZ;trump red",'
    '"z1fPCO4GeSK0RqhNianWocgA3dmJ2IskEMQYbTrLBXtF","*U|-36.2|769;*x|-52.7|727","6",[50,75,100,0,50,100]]',
    # Four cards, each of which brings all but one trick; the script leads wrong after three.
    '["one_high_partnership",0,2,"GbjvPsAIMUdptZaiqyrTgoY2xNR4mCOS0DLX1ckBF3euKWfnzHEQhlJVw",'
    '"bid 70;bid 75;bid 80;bid 85;bid 90;bid 95;bid 100;bid 105;pass;pass;bid 110;pass;-i;'
    'trump yellow","EIYc0eGa2kQATXfbdxBhjrDHlpN31nvwRFJZtomVyCW",'
    '"*P|255.0|0;*s|242.3|0;*M|242.3|0;*U|242.3|0","4",[25,25,0,100,100,100]]',
    # Whatever is led from the dummy, the declarer's own hand ruffs high; the script does not.
    '["display",1,3,"auyCW0zDPAE2BFiqfjLX1gwdlNVZmGKOSbnroQUptxevHTcksIMYhJR3",'
    '"pass;bid 70;pass;pass;trump green","me0iPfbv2woIBNphqGHaTzLncAgQxJFd",'
    '"*k|78.3|1000;*Y|61.4|912;*R|60.6|898;*3|46.2|972;*M|13.1|562;*s|10.4|549","2",'
    "[17,0,0,100,100,100]]",
    # Both cards are beaten by a trump alone.
    '["call_partner_5_short",3,1,"yCPX1QYJSLIxBFRZGO0wAE23aKWrvMdNqubDHTcUzsV4t","bid 100;bid 105;'
    'pass;bid 110;pass;bid 120;bid 125;pass;pass;-rvzsM;+3;rook high;trump black",'
    '"GWqySduJx34DCB2VHPZORwtT1L0NbX","*a|-74.6|252;*K|-120.3|143","26",[50,25,100,0,100,100]]',
)


@cache
def second_judge(name: str, seed: int = 5) -> SecondJudge:
    return SecondJudge(load(name), seed, 2000)


def agrees(puzzle: Puzzle, order: int = 1) -> bool:
    """Return what the second judge says; with `order` -1 the wrong choices come first."""
    actions = [puzzle.action_of(one.actions[0]) for one in puzzle.choices]
    return second_judge(puzzle.rules_name).agrees(puzzle.hand, actions[::order], 3)


@pytest.mark.parametrize("line", LEVEL)
def test_what_is_level_with_better_play_is_refused(line: str) -> None:
    puzzle = read_line(line)
    assert reaches(puzzle.hand)
    assert not agrees(puzzle)


def test_the_script_alone_would_let_it_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: the rest of the proof finds nothing wrong with a planted puzzle."""
    puzzle = read_line(LEVEL[0])
    prover = Prover(load(puzzle.rules_name), 1)
    with pytest.raises(NoPuzzle, match="second-judge"):
        prover.prove(puzzle.hand, 1)
    monkeypatch.setattr(Prover, "_is_seconded", lambda self, hand, tried, place: True)
    assert prover.prove(puzzle.hand, 1)[0].actions == puzzle.right.actions


def test_what_ships_stands_before_it_and_a_wrong_answer_does_not() -> None:
    """With fresh dice, too; some lie so near the bar that these say otherwise."""
    reached = [one for one in SAMPLE if reaches(one.hand) and one.hand.state.tricks > 3]
    assert len(reached) > len(SAMPLE) // 3
    assert sum(map(agrees, reached)) >= 0.8 * len(reached)
    assert not any(agrees(one, -1) for one in reached)


def test_discards_are_compared_with_the_best_calls_after_each() -> None:
    some = [one for one in shelf() if one.part == "nest"][::40]
    assert some
    for puzzle in some:
        assert agrees(puzzle)
        assert not agrees(puzzle, -1)


def test_a_discard_after_which_all_ends_are_alike_is_sure(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = next(one for one in shelf() if one.part == "nest")
    judge = SecondJudge(puzzle.rules, 5, 20)
    error: float | None = 0.0
    monkeypatch.setattr(
        judge._again,
        "choice_for",
        lambda hand, choices, number: Choice(number, 20, 7.0, None, error=error),
    )
    right = puzzle.action_of(puzzle.right.actions[0])
    assert judge._with_calls(puzzle.hand, right, 3) == (7.0, 0.0)
    error = None
    assert judge._with_calls(puzzle.hand, right, 3) == (7.0, puzzle.rules.total_points)


def test_what_it_cannot_reach_has_to_be_far_ahead() -> None:
    far = [one for one in shelf() if not reaches(one.hand)]
    assert {one.part for one in far} == {"auction", "play"}
    for one in far:
        far_enough = FAR * one.rules.total_points
        tried = [Weighed(PASS, o.margin, 0.0, o.making) for o in one.choices]
        assert stands_far_out(tried, far_enough)
        assert one.found[-1] == 100
    best, near = Weighed(PASS, 30.0, 0.1, 0.5), Weighed(PASS, 0.0, 0.1, 0.3)
    assert stands_far_out([best, near], 30.0)
    nearer = near._replace(margin=0.1)
    assert stands_out([best, nearer])
    assert not stands_far_out([best, nearer], 30.0)
    lost = near._replace(making=0.0)  # the script plays on badly after it
    assert not stands_far_out([best, near, lost], 30.0)


def test_worlds_fit_what_the_seat_sees() -> None:
    puzzle = next(one for one in shelf() if one.part == "play" and one.hand.state.tricks > 3)
    hand: Hand = puzzle.hand
    seat = second_judge(puzzle.rules_name)._seats[hand.to_act or 0]
    seat.begin(hand, 11)
    worlds = seat.worlds(hand, 6)
    assert len({tuple(world.hand) for world in worlds}) > 1
    for world in worlds:
        assert world.hand[hand.to_act or 0] == hand.hidden.hand[hand.to_act or 0]
        assert [one.bit_count() for one in world.hand] == [
            one.bit_count() for one in hand.hidden.hand
        ]


# A side may take all points without all tricks.
FEW = {**SMALL, "ranks": [8, 9, 10, 14], "hand_size": 3, "nest_size": 4, "bid_maximum": 60}


@pytest.mark.parametrize("test", ["all_tricks", "all_points", "either_side_all_points"])
@pytest.mark.parametrize("nest_to", ["declarer", "last_trick", "nobody"])
@pytest.mark.parametrize("sweep", [{"add": 30}, {"replace": 200}])
def test_the_points_of_a_hand_score_as_its_end_does(
    test: str, nest_to: str, sweep: dict[str, int]
) -> None:
    rules = load({**FEW, "sweep_test": test, "nest_points_to": nest_to, "sweep_value": sweep})
    swept = 0
    for seed in range(100):
        hand = played(rules, ["club", "random"] * 2, seed)
        if hand.declarer is None or hand.points is None or hand.sides is None:
            continue
        last = [one for one in steps_of(hand) if one.action.verb == "play"][-4].before
        points, tricks = hand.points[0], sum(one.winner in hand.sides[0] for one in hand.tricks)
        if not hand.points[1] and tricks == 2 and hand.tricks[2].winner not in hand.sides[0]:
            continue  # only the last trick, without points, is not theirs: taken for a sweep
        true = margin_of(last, hand.state, last.to_act or 0), hand.state.made
        assert _ended(last, last.hidden, points) == true, seed
        swept += tricks == 3
    assert swept > 3
