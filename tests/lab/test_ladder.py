"""The ladder and the league of all bots: played in blocks, kept, taken up, settled by a test."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from benchmarks.ladder import cells as ladder_cells
from benchmarks.ladder import ladder
from benchmarks.ladder.cells import Cell
from benchmarks.ladder.kept import LadderError, read, written
from benchmarks.ladder.ladder import FILES, limit, main, play
from benchmarks.ladder.plan import SEVEN, league, promotions, rungs

from rookery.bots.names import LEVELS, bots, unhurried
from rookery.engine.targets import Target
from rookery.lab.duplicate.boards import BOARDS, DECISIONS, SQUARES, TOTAL
from rookery.lab.duplicate.match import Match
from rookery.lab.duplicate.result import FLOOR
from rookery.lab.duplicate.seeds import Family
from rookery.lab.duplicate.sprt import Sprt

RESULTS = Path(__file__).resolve().parents[2] / "benchmarks" / "results"
PAIR = Cell("kd_tournament", ("papa", "random"), 3, Family.VALIDATION)


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder_cells, "COMPILED", 3)
    monkeypatch.setattr(ladder, "COMPILED", 3)


def counted(cell: Cell) -> tuple[int, ...]:
    return (cell.boards, cell.total, cell.squares, cell.decisions)


@pytest.mark.usefixtures("small_blocks")
def test_blocks_add_up_to_the_match() -> None:
    cell = PAIR
    while not cell.over(8):
        cell = cell.further(8, "python")
    rules = cell.setting.rules
    match = Match(rules, "x", bots("papa,random"), 8, 3, Family.VALIDATION, target="python")
    sums = match.job("boards").count(0, 8)
    assert counted(cell) == tuple(int(sums[at]) for at in (BOARDS, TOTAL, SQUARES, DECISIONS))
    assert cell.won + cell.level + cell.lost == 8
    assert cell.illegal == 0


def stops_after(blocks: int) -> Callable[[], bool]:
    asked = iter(range(blocks + 1))
    return lambda: next(asked) >= blocks


def never() -> bool:
    return False


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("in_turn", [False, True])
def test_a_run_that_stops_is_taken_up_where_it_was(tmp_path: Path, in_turn: bool) -> None:
    wanted = [PAIR, replace(PAIR, bots=("hog", "random"))]

    def run(name: str, enough: Callable[[], bool]) -> list[Cell]:
        return play(
            tmp_path / name, "test", wanted, lambda _: 6, enough, in_turn=in_turn, target="python"
        )

    whole = run("whole", never)
    part = run("parts", stops_after(1))
    assert sum(cell.boards for cell in part) == 3
    assert run("parts", stops_after(0)) == part
    assert run("parts", never) == whole
    assert (tmp_path / "parts").read_bytes() == (tmp_path / "whole").read_bytes()
    second = run("turns", stops_after(2))
    assert [cell.boards for cell in second] == ([6, 0] if in_turn else [3, 3])


@pytest.mark.usefixtures("small_blocks")
def test_a_step_is_over_when_its_test_knows() -> None:
    cell = replace(PAIR, sprt=Sprt(0, 60))
    while not cell.over(60):
        cell = cell.further(60, "python")
    assert cell.answer == "high"
    assert cell.boards < 60
    same = replace(cell, bots=("random", "random"), total=0, boards=600, squares=600 * 900)
    assert same.answer == "low"


def test_what_was_played_is_read_back() -> None:
    cells = [replace(PAIR, boards=2, total=5, squares=13), replace(PAIR, sprt=Sprt(0, 5), seed=4)]
    assert read(written(cells, "test")) == cells


def test_an_answer_that_was_given_stands() -> None:
    """Tests of before ask for fewer boards that do not end level."""
    cell = replace(
        PAIR, sprt=Sprt(0, 5), boards=40, total=2000, squares=200_000, won=26, level=12, lost=2
    )
    assert cell.answer is None
    old = written([cell], "test").replace('"answer": null', '"answer": "high"')
    assert [one.answer for one in read(old)] == ["high"]
    assert read(old)[0].over(400)
    again = written(read(old), "test")
    assert '"answer": "high"' in again
    assert cell.ratio == 0 < read(again)[0].ratio
    assert '"ratio": 0.0' not in again


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"format": "other"}', '{"format": "rookery-ladder/1", "cells": [{}]}']
)
def test_a_file_that_is_none_gets_one_line(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / FILES["promotions"]).write_text(text, "utf-8")
    with pytest.raises(LadderError):
        read(text)
    assert main(["promotions", "--kept", str(tmp_path), "--searched", "0"]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert (tmp_path / FILES["promotions"]).read_text("utf-8") == text


def test_a_game_that_is_none_gets_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["league", "--games", "whist"])
    assert left.value.code == 2
    assert "--games whist: expected some of kd_tournament" in capsys.readouterr().err


def test_the_command_at_a_small_size(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--games", "kd_tournament", "--deals", "30", "--searched", "0", "--target", "python"]
    assert main(["promotions", "--kept", str(tmp_path), *words]) == 0
    assert "6 of 6 meetings are done" in capsys.readouterr().out
    cells = read((tmp_path / FILES["promotions"]).read_text("utf-8"))
    assert [cell.boards for cell in cells if cell.rules == "kd_tournament"] == [30, 30, 30, 0, 0, 0]
    assert all(cell.points.clear() for cell in cells if cell.boards)
    words[1:4] = ["wanamingo", "--deals", "2"]
    assert main(["promotions", "--kept", str(tmp_path), *words]) == 0
    more = read((tmp_path / FILES["promotions"]).read_text("utf-8"))
    assert [one for one in more if one.rules != "wanamingo"] == [
        one for one in cells if one.rules != "wanamingo"
    ], "what was played of other games is still there"


def test_the_ladder_goes_from_the_floor_over_every_level() -> None:
    steps = rungs()
    assert steps[0].lower == FLOOR
    assert [step.upper for step in steps] == [unhurried(plays) for plays in LEVELS.values()]
    assert all(one.upper == other.lower for one, other in pairwise(steps))
    assert {cell.family for cell in promotions()} == {Family.HOLDOUT}


def test_everybody_meets_everybody() -> None:
    met = {(cell.rules, frozenset(cell.bots)) for cell in league()}
    names = {name for cell in league() for name in cell.bots}
    assert len(met) == len(SEVEN) * len(names) * (len(names) - 1) / 2


def test_whole_tables_that_think_get_half_as_many_boards() -> None:
    most = limit(1000, 60)
    strong = "expert:tries=9"
    five = "five_person_poker"
    assert most(PAIR) == 1000
    assert most(Cell(five, (strong, "papa"), 1)) == 60
    assert most(Cell(five, ("papa", strong), 1)) == 30


def test_the_steps_without_search_are_proven() -> None:
    cells = read((RESULTS / FILES["promotions"]).read_text("utf-8"))
    scripted = [cell for cell in cells if all(bot.kernel is not None for bot in cell.lineup)]
    assert {cell.rules for cell in scripted} == set(SEVEN)
    assert {cell.answer for cell in scripted} == {"high"}
    assert sum(cell.illegal for cell in cells) == 0


def test_the_kept_sums_are_those_of_boards_played_anew(library: Target) -> None:
    kept = read((RESULTS / FILES["league"]).read_text("utf-8"))
    cell = next(
        cell for cell in kept
        if cell.rules == "kd_tournament" and set(cell.bots) == {"papa", "karapet"}
    )  # fmt: skip
    anew = replace(cell, boards=0, total=0, squares=0, won=0, level=0, lost=0, decisions=0)
    while not anew.over(cell.boards):
        anew = anew.further(cell.boards, library)
    assert anew == cell
