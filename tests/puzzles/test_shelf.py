"""The puzzles that ship: each can be played, each is written once, and they are spread out."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from tests.puzzles.positions import SAMPLE

from rookery import record
from rookery.cards import unpack
from rookery.engine.trick import following
from rookery.puzzles.document import answer, question
from rookery.puzzles.proof import POINTS, TURNS, is_choice
from rookery.puzzles.puzzle import THEMES, BadPuzzle, Puzzle, line_of, read_line
from rookery.puzzles.shelf import SHIPPED, UnknownPuzzle, by_id, chosen, found, shelf
from rookery.puzzles.themes import themes_of
from rookery.rules import catalog

ROOM = 300_000  # bytes


def test_they_are_small_unique_and_in_order() -> None:
    puzzles = shelf()
    assert len(puzzles) == 1000
    assert SHIPPED.stat().st_size < ROOM
    assert len({one.id for one in puzzles}) == len(puzzles)
    ratings = [round(one.rating.value) for one in puzzles]
    assert ratings == sorted(ratings)
    assert all(line_of(read_line(line_of(one))) == line_of(one) for one in puzzles)


def test_every_rule_set_and_every_theme_has_some() -> None:
    lacking = set(catalog()) - {one.rules_name for one in shelf()}
    assert not lacking, "docs/design/puzzles.md says how a new variant gets puzzles"
    themes = Counter(theme for one in shelf() for theme in one.themes)
    assert set(themes) == set(THEMES)
    assert len(THEMES) <= 10  # a line has a digit for each
    assert min(themes.values()) >= 50


def test_what_is_right_beats_what_is_wrong_by_the_bar() -> None:
    for one in shelf():
        for other in one.choices[1:]:
            ahead = one.right.margin - other.margin
            if ahead < POINTS:
                assert ahead > 0
                assert one.right.making is not None
                assert other.making is not None
                assert abs(one.right.making - other.making) >= TURNS


@pytest.mark.parametrize("puzzle", SAMPLE, ids=lambda one: one.id)
def test_a_puzzle_can_be_played(puzzle: Puzzle) -> None:
    """Its record replays, every choice is legal and listed once, and its themes are computed."""
    told = answer(puzzle)
    hand = record.replay(record.loads(json.dumps(told.record))).hand
    assert hand is not None
    assert hand.to_act == told.seat == puzzle.seat
    assert is_choice(hand)
    listed = [words for one in told.choices for words in one.actions]
    assert len(set(listed)) == len(listed)
    for words in listed:
        hand.act(f"{told.turn} {words}")
    if told.phase == "play":
        held = hand.hidden.hand[told.turn]
        following_suit = following(hand.table, hand.state, held)
        assert sorted(listed) == sorted(
            f"play {name}" for name in hand.names(unpack(following_suit))
        )
    assert themes_of(hand, puzzle.choices) == puzzle.themes
    assert [one.right for one in told.choices] == [True] + [False] * (len(told.choices) - 1)
    assert all(one.reason.text for one in told.choices)
    assert sorted(told.options) == sorted(one.actions for one in told.choices)
    assert question(puzzle).model_dump().keys() < told.model_dump().keys()


def test_one_is_found_by_its_id_and_chosen_by_rules_and_theme() -> None:
    one = shelf()[0]
    assert found(f" {one.id.upper()} ", by_id()) is one
    with pytest.raises(UnknownPuzzle, match="no puzzle is called 'nothing'"):
        found("nothing", by_id())
    some = list(chosen(shelf(), one.rules_name, one.themes[0]))
    assert one in some
    assert all(o.rules_name == one.rules_name and one.themes[0] in o.themes for o in some)


@pytest.mark.parametrize(
    "line",
    [
        "[]",
        "{}",
        "[" * 100_000,
        '["kd_tournament",0,0,"","","","*a|x","0",[5,0,0,0,30,80]]',
        '["kd_tournament",0,0,"","","","*a|1.0","0",[5,0,0,0,30]]',
        '["kd_tournament",0,0,"","","","*a|1.0","0",[5,0,0,0,30,101]]',
        '["kd_tournament",1e999,0,"","","","*a|1.0","0",[5,0,0,0,30,80]]',
        '["kd_tournament",0,0,"","","","*a|nan","0",[5,0,0,0,30,80]]',
        '["no_such_game",0,0,"","","","*a|1.0","0",[5,0,0,0,30,80]]',
        '["kd_tournament",0,0,"!","","","*!|1.0","0",[5,0,0,0,30,80]]',
    ],
)
def test_a_line_that_holds_no_puzzle_is_refused(line: str) -> None:
    with pytest.raises(BadPuzzle):
        read_line(line)


def test_a_line_that_holds_a_hand_which_is_none_is_refused() -> None:
    with pytest.raises(BadPuzzle):
        _ = read_line('["kd_tournament",0,0,"","","","*a|1.0","0",[5,0,0,0,30,80]]').hand


def test_a_deal_that_is_none_is_refused() -> None:
    one = shelf()[0]
    broken = replace(one, deal=one.deal[:-1] + one.deal[0])
    with pytest.raises(BadPuzzle, match="dealt twice"):
        _ = broken.hand


def test_the_file_ends_where_the_last_puzzle_does() -> None:
    assert Path(SHIPPED).read_text("utf-8").count("\n") == len(shelf())
