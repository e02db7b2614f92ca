"""The page about the bots: it says what is kept, and says so when something was not shown."""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import pytest
from benchmarks.ladder import ladder
from benchmarks.ladder.cells import Cell
from benchmarks.ladder.standings import standings
from scripts.docs import bots
from scripts.docs.bots import PAGE, PICTURE, Kept, kept, places
from scripts.docs.bots_kept import Measured, measured, meetings
from scripts.docs.bots_measured import calibration
from scripts.docs.bots_text import page

from rookery.bots.register import BOTS
from rookery.lab.duplicate.result import FILE, place_of
from rookery.lab.league.league import Standing

ROOT = Path(__file__).resolve().parents[2]
DOCS, RESULTS = ROOT / "docs", ROOT / "benchmarks" / "results"


class Written(NamedTuple):
    """What the command has written, and its exit code.

    Attributes:
        folder: the docs folder.
        files: what it named.
    """

    folder: Path
    files: list[Path]
    code: int


@pytest.fixture(scope="module")
def found() -> Kept:
    return kept(RESULTS)


@pytest.fixture(scope="module")
def tables(found: Kept) -> list[Standing]:
    """What the kept league comes to: five seconds of work, and the same for every test."""
    return standings(found.league)


@pytest.fixture(scope="module")
def written(
    tmp_path_factory: pytest.TempPathFactory, found: Kept, tables: list[Standing]
) -> Written:
    """The page, the picture and the places, by the command, which knows what the league is."""
    folder = tmp_path_factory.mktemp("page")
    where = ["--kept", str(RESULTS), "--docs", str(folder), "--source", str(folder)]
    known = {repr(found.league): tables}
    with contextlib.redirect_stdout(io.StringIO()) as said, pytest.MonkeyPatch.context() as patch:
        for module in (ladder, bots):
            patch.setattr(module, "standings", lambda cells: known[repr(cells)])
        code = ladder.main(["docs", *where])
    return Written(folder, [Path(line) for line in said.getvalue().splitlines()], code)


def text_of(found: Kept, tables: Sequence[Standing]) -> str:
    return page(found.promotions, found.league, tables, found.others, "picture.svg")


def test_the_page_says_what_is_kept(written: Written) -> None:
    assert len(written.files) == 2
    for path in written.files:
        there = DOCS / path.relative_to(written.folder)
        assert path.read_bytes() == there.read_bytes(), f"{there}: make the page anew"


def test_a_match_knows_the_places_that_are_kept(tables: list[Standing]) -> None:
    kept_with = files("rookery.lab.duplicate").joinpath(FILE).read_text("utf-8")
    assert kept_with == places(tables), "make the page anew"
    for one in tables:
        if one.places is not None:
            at = float(one.places[0][one.bots.index("club")])
            assert place_of(one.setting.label, "club") == round(at, 1)


def test_every_bot_has_its_sentence(found: Kept, tables: list[Standing]) -> None:
    text = text_of(found, tables)
    for name, entry in BOTS.items():
        assert f"**`{name}`**: {entry.about}." in text


def test_every_step_stands_there_with_its_figures(found: Kept, tables: list[Standing]) -> None:
    text = text_of(found, tables)
    for cell in found.promotions:
        if cell.boards > 1:
            figures = f"{cell.boards:,} | {cell.points.mean:+.1f} ± {cell.points.ci95:.1f}"
            assert f"| `{cell.rules}` | {figures} |" in text


def test_a_step_that_fails_is_told(found: Kept, tables: list[Standing]) -> None:
    cell = next(one for one in found.promotions if one.answer == "high")
    lost = replace(cell, total=-cell.total)
    steps = [lost if one is cell else one for one in found.promotions]
    text = text_of(replace(found, promotions=steps), tables)
    assert lost.answer == "low"
    assert "| not better |" in text
    told = text.split("## What has not been shown")[1]
    assert f"That `{lost.bots[0]}` is better than `{lost.bots[1]}` at" in told
    assert f"`{lost.rules}`" in told


def met(first: str, second: str, points: int) -> Cell:
    cell = Cell("kd_tournament", (first, second), 1, boards=100, won=60, level=10, lost=30)
    total = 100 * cell.scale * points
    return replace(cell, total=total, squares=total * total // 100 + 100 * 900, decisions=5000)


def test_places_stand_there_where_floor_and_ceiling_met_the_others(found: Kept) -> None:
    three = [
        met("papa", "random", 60),
        met("open-hand", "random", 120),
        met("open-hand", "papa", 60),
    ]
    (one,) = standings(three)
    text = text_of(replace(found, league=three), [one])
    assert "| `open-hand` | 100 |" in text
    assert "| `papa` | 50 (" in text
    assert "| `random` | 0 |" in text
    assert one.places is not None
    low, high = one.places[1][one.bots.index("papa")]
    assert low < 50 < high
    few = three[:1]
    alone = text_of(replace(found, league=few), standings(few))
    assert "## Between floor and ceiling" not in alone


def test_a_league_that_is_not_whole_is_told_and_not_shown(found: Kept) -> None:
    cells = [met("papa", "random", 60), Cell("kd_tournament", ("open-hand", "papa"), 1)]
    text = text_of(replace(found, league=cells), standings(cells))
    assert "## Who wins from whom" not in text
    assert "The whole league at `kd_tournament`" in text


def bins(made: float) -> dict[str, Measured]:
    rows = [{"from": 0.5, "contracts": 2500, "said": 0.55, "made": made}]
    return {"x": Measured("calibration", "", {"rules": "r", "deals": [0, 8999], "bids": rows})}


def test_what_is_said_of_bids_is_judged() -> None:
    assert "Of the 1 rows with 2,000 contracts or more, 0 are" in calibration(bins(0.57))
    assert "Of the 1 rows with 2,000 contracts or more, 1 are" in calibration(bins(0.6))
    assert calibration({}) == ""


def test_meetings_are_read_in_each_shape_that_is_kept(tmp_path: Path) -> None:
    match = {
        "rules": "wanamingo", "deals": 40, "seats": ["expert", "club"],
        "difference": {"mean": 12.5, "ci95": [2.0, 23.0]}, "test": {"answer": "high"},
    }  # fmt: skip
    way = {"rules": "r", "one": {"tries": 0, "learned": 1}, "other": {"tries": 0, "learned": 0},
           "deals": 50, "points_a_board": 1.0, "ci95": [-1, 3]}  # fmt: skip
    (tmp_path / "d-promotion-a.json").write_text(json.dumps(match), "utf-8")
    (tmp_path / "d-learn-b.json").write_text(
        json.dumps({"what": "cards", "command": "c", "found": [way]}), "utf-8"
    )
    one, other = measured(tmp_path).values()
    assert meetings(one)[0].bots == "rollouts 0, learned 1 against rollouts 0, learned 0"
    assert meetings(other)[0][:4] == ("wanamingo", "expert against club", 40, 12.5)
    assert meetings(other)[0].answer == "high"


def test_the_command_writes_the_page(written: Written) -> None:
    assert written.code == 0
    assert [path.name for path in written.files] == [Path(PAGE).name, PICTURE]
    assert all(path.stat().st_size > 1000 for path in written.files)


def test_without_results_there_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = [word for name in ("--kept", "--docs", "--source") for word in (name, str(tmp_path))]
    assert ladder.main(["docs", *where]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert not (tmp_path / PAGE).exists()
