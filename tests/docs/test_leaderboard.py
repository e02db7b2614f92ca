"""The leaderboard: what the reports say, and nothing of a file that is none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from scripts.docs.leaderboard import PAGE, REPORTS, main, page, reports

from rookery.envs.evaluation.report import BadReport, points


def test_the_page_is_what_the_reports_say() -> None:
    made = page(reports(REPORTS))
    assert PAGE.read_text("utf-8") == made, "run: python -m scripts.docs.leaderboard"


def test_it_says_that_reports_are_self_declared_and_shows_every_figure() -> None:
    there = reports(REPORTS)
    text = PAGE.read_text("utf-8")
    assert "**Reports are self-declared.**" in text
    assert "the ledger of such looks is a file of their own" in " ".join(text.split())
    assert len(there) >= 2
    for report in there:
        (line,) = [one for one in text.splitlines() if f"| {report.name} |" in one]
        shown = [one for one in report.meetings if one.partner in ("self", "alone")]
        assert all(points(one) in line for one in shown)


def entry() -> dict[str, Any]:
    path = sorted(REPORTS.glob("*.json"))[0]
    held: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return held


def put(folder: Path, file: str, **changes: Any) -> None:  # noqa: ANN401
    """Write the first entry once more, under the name of its file where none is given."""
    held = entry() | {"name": file} | changes
    name = held["name"]
    for one in held["meetings"]:
        one["seats"] = [name if i == 0 or seat == entry()["name"] else seat
                        for i, seat in enumerate(one["seats"])]  # fmt: skip
    (folder / f"{file}.json").write_text(json.dumps(held))


def test_who_wins_more_from_the_strongest_rung_stands_higher(tmp_path: Path) -> None:
    put(tmp_path, "weak")
    strong = entry()["meetings"]
    for one in strong:
        one["difference"] = {"mean": 99.0, "ci95": [98.0, 100.0]}
    put(tmp_path, "strong", meetings=strong)
    lines = page(reports(tmp_path)).splitlines()
    rows = [line.split(" | ")[:2] for line in lines if line.startswith(("| 1", "| 2"))]
    assert rows == [["| 1", "strong"], ["| 2", "weak"]]


def less(name: str, value: Any) -> list[dict[str, Any]]:  # noqa: ANN401
    """Return the meetings with one field changed in the last of them."""
    meetings: list[dict[str, Any]] = entry()["meetings"]
    meetings[-1][name] = value
    return meetings


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"family": "validation"}, "validation deals of seed 1; expected holdout of seed 1"),
        ({"seed": 2}, "holdout deals of seed 2; expected holdout of seed 1"),
        ({"rules": "ours.toml"}, "rules 'ours.toml'; expected a variant of the catalogue"),
        ({"name": "<script>"}, "name: string should match pattern"),
        ({"rookery": "1 | 2"}, "rookery: string should match pattern"),
        ({"meetings": []}, "meetings: list should have at least 1 item"),
        (
            {"less": "meetings"},
            "no match against club (partner: unknown); expected one against each",
        ),
        ({"deals": 20}, "20 deals against club; expected 1,000, without a test"),
        ({"difference": {"mean": 9.0, "ci95": [1.0, 2.0]}}, "points of 9.0 in an interval of 1.0"),
        ({"rules of a match": "circus"}, "at circus; expected"),
    ],
)
def test_a_bad_file_is_told_in_one_line_and_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], changes: dict[str, Any], words: str
) -> None:
    if "less" in changes:
        changes = {"meetings": entry()["meetings"][:-1]}
    for field in ("deals", "difference"):
        if field in changes:
            changes = {"meetings": less(field, changes[field])}
    if "rules of a match" in changes:
        changes = {"meetings": less("rules", changes["rules of a match"])}
    folder, written = tmp_path / "reports", tmp_path / "page.md"
    folder.mkdir()
    put(folder, "good")
    assert main(folder, written) == 0
    before = written.read_bytes()
    put(folder, "bad", **changes)
    assert main(folder, written) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"{folder / 'bad.json'}: ")
    assert words in said
    assert len(said.strip().splitlines()) == 1
    assert written.read_bytes() == before


def test_no_name_is_there_twice(tmp_path: Path) -> None:
    put(tmp_path, "one")
    (tmp_path / "two.json").write_text((tmp_path / "one.json").read_text())
    with pytest.raises(BadReport, match="one is there already; expected one report each"):
        reports(tmp_path)
