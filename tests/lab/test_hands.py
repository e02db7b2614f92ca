"""A line a hand: complete, replayable, and right after a match was killed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rookery.bots.names import bots
from rookery.lab.duplicate.boards import BOTS, EACH, POINTS
from rookery.lab.duplicate.hands import HandFile, NoHands
from rookery.lab.duplicate.match import Match, play_match
from rookery.lab.games.series import play_series, series_of
from rookery.lab.run.jobs import Threads
from rookery.record import loads, replay
from rookery.rules import load

VARIANTS = ("kd_tournament", "call_partner_5", "rook_two_1914", "wanamingo")


def played(path: Path, variant: str = "kd_tournament", deals: int = 3) -> tuple[Match, HandFile]:
    file = HandFile(path, 0, games=False)
    match = Match(load(variant), variant, bots("club,random"), deals, 5, target="python")
    return replace(match, told=file.add), file


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.parametrize("variant", VARIANTS)
def test_each_hand_has_a_line_that_replays_to_what_it_says(variant: str, tmp_path: Path) -> None:
    path = tmp_path / "hands.jsonl"
    match, file = played(path, variant)
    assert file.take_up([], match.rooms, "a")
    sums = play_match(match, executor=Threads(1)).sums
    assert sums == play_match(replace(match, told=None), executor=Threads(1)).sums
    lines = lines_of(path)
    rooms = range(match.rooms)
    assert [(line["board"], line["room"]) for line in lines] == [
        (board, room) for board in range(3) for room in rooms
    ]
    total = 0
    for line in lines:
        record = {"format": "rookery/1", "rules": variant, "hands": [line]}
        (hand,) = replay(loads(json.dumps(record))).hands
        assert hand.over
        assert (line["score"], line["points"], line["bid"], line["made"]) == (
            *(hand.score, hand.points, hand.bid, hand.made),
        )
        assert line["fallbacks"] == [0] * match.rules.seats
        assert (line["game"], line["totals"], line["hand"]) == (None, None, 0)
        assert sorted(set(line["bots"])) == ["club", "random"]
        total += sum(line["score"] or [])
    assert total == sum(sums[BOTS + EACH * who + POINTS] for who in range(match.rules.seats))


def test_whole_matches_have_their_totals(tmp_path: Path) -> None:
    path = tmp_path / "hands.jsonl"
    file = HandFile(path, 0, games=True)
    file.take_up([], 2, "a")
    rules = load("kd_tournament")
    made = Match(rules, "", bots("club,papa"), 2, 3, target="python", told=file.add)
    play_series(series_of(made), executor=Threads(1))
    last: dict[int, Sequence[int]] = {}
    for line in lines_of(path):
        before = last.get(line["room"], [0] * 4)
        assert line["totals"] == [a + b for a, b in zip(before, line["score"], strict=True)]
        last[line["room"]] = line["totals"]
        assert (line["board"], line["game"]) == (None, 0)
    assert all(max(totals) >= rules.target for totals in last.values())


def test_the_lines_of_what_is_noted_stay_and_no_others(tmp_path: Path) -> None:
    path = tmp_path / "hands.jsonl"
    match, file = played(path)
    file.take_up([], 2, "a")
    play_match(match, executor=Threads(1))
    whole = path.read_bytes()
    # As a kill leaves it: board 2 was not noted, and its last line was cut short.
    path.write_bytes(whole[:-30])
    again = HandFile(path, 0, games=False)
    assert again.take_up([(0, 2)], 2, "a")
    assert [line["board"] for line in lines_of(path)] == [0, 0, 1, 1]
    # A line of a noted board is missing: everything is played anew.
    path.write_bytes(b"".join(whole.splitlines(keepends=True)[1:]))
    assert not HandFile(path, 0, games=False).take_up([(0, 2)], 2, "a")
    assert path.read_bytes() == b""


def test_lines_of_another_match_are_not_kept(tmp_path: Path) -> None:
    path = tmp_path / "hands.jsonl"
    match, file = played(path)
    file.take_up([], 2, "a")
    play_match(match, executor=Threads(1))
    # Another one writes here, so that of the first, which was stopped, nothing is left.
    other, file = played(path)
    file.take_up([], 2, "b")
    play_match(replace(other, seed=6), executor=Threads(1))
    assert not HandFile(path, 0, games=False).take_up([(0, 2)], 2, "a")
    assert path.read_bytes() == b""


def test_lines_that_do_not_say_which_match_they_are_of_are_hands_all_the_same(
    tmp_path: Path,
) -> None:
    path = tmp_path / "hands.jsonl"
    match, file = played(path)
    file.take_up([], 2, "a")
    play_match(match, executor=Threads(1))
    lines = [
        {name: said for name, said in line.items() if name != "run"} for line in lines_of(path)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert not HandFile(path, 0, games=False).take_up([(0, 2)], 2, "a")


@pytest.mark.parametrize(
    "content", ["a letter\n", '{"board": 1}\n', "[1]\n", "[" * 100_000 + "\n"], ids=range(4)
)
def test_a_file_of_something_else_is_refused_and_stays(content: str, tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text(content)
    with pytest.raises(NoHands, match=r"letter.txt: line 1 is no hand of a match; expected a new"):
        HandFile(path, 0, games=False)
    assert path.read_text() == content


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NoHands, match="is no file"):
        HandFile(tmp_path, 0, games=False)


def test_the_lines_of_the_first_boards_alone_are_kept(tmp_path: Path) -> None:
    """A test may have known its answer before the last wave of boards was over."""
    path = tmp_path / "hands.jsonl"
    match, file = played(path, deals=4)
    assert file.take_up([], match.rooms, "a")
    play_match(match, executor=Threads(1))
    before = path.read_bytes()
    for kept in (4, 2):
        file.keep_first(kept)
        wanted = [line for line in before.splitlines() if json.loads(line)["board"] < kept]
        assert path.read_bytes().splitlines() == wanted != []
