"""`rookery match --hands`: a line for each hand that counts, and no other."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import jsonschema  # type: ignore[import-untyped]
import pytest
from tests.cli.lab.test_match_command import document, match
from typer.testing import CliRunner

from rookery.cli.lab import meeting
from rookery.cli.main import app
from rookery.engine.targets import numba
from rookery.lab.run import jobs


def test_each_hand_has_a_line(tmp_path: Path) -> None:
    path = tmp_path / "new" / "hands.jsonl"
    options = ("--seats", "club,papa", "--deals", "5")
    plain, written = document(*options), document(*options, "--hands", str(path))
    for one in (plain, written):
        del one["seconds"]
    assert plain == written
    schema = json.loads(CliRunner().invoke(app, ["schema", "match-hand"]).stdout)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert len(lines) == 10
    for line in lines:
        jsonschema.validate(line, schema)
    document("--seats", "club,papa", "--games", "2", "--hands", str(path))
    assert {json.loads(line)["game"] for line in path.read_text().splitlines()} == {0}


def test_only_hands_that_count_have_a_line(tmp_path: Path) -> None:
    path = tmp_path / "hands.jsonl"
    options = ("--seats", "papa,random", "--deals", "1000000000000", "--sprt", "0,20")
    found = document(*options, "--hands", str(path))
    assert found["deals"] < 400
    boards = [json.loads(line)["board"] for line in path.read_text().splitlines()]
    assert sorted(boards) == [board for board in range(found["deals"]) for _ in range(2)]


@contextmanager
def stopped_at_30(_: str) -> Iterator[Callable[[int, int], None]]:
    def show(done: int, _: int) -> None:
        if done >= 30:
            raise KeyboardInterrupt

    yield show


@pytest.mark.parametrize("other", [("--seats", "hog,papa"), ("--seed", "2")])
def test_another_match_in_between_leaves_no_line(
    other: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(numba, "cache_folder", lambda: tmp_path / "cache")
    path = tmp_path / "hands.jsonl"
    first = ("--seats", "club,random", "--deals", "60", "--threads", "1", "--hands", str(path))

    for options in (first, (*first, *other)):
        with monkeypatch.context() as stopping:
            stopping.setattr(jobs.run_jobs, "__kwdefaults__", {"every": 0.0, "so_far": None})
            stopping.setattr(meeting, "shown", stopped_at_30)
            assert match(*options).exit_code == 130
    document(*first)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    whole = tmp_path / "whole.jsonl"
    document(*first[:-1], str(whole))
    wanted = [json.loads(line) for line in whole.read_text().splitlines()]
    for line in (*lines, *wanted):
        line.pop("run", None)
    assert lines == wanted
