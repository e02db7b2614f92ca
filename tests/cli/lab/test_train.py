"""`rookery train`, run as a person runs it: it teaches, goes on, and refuses in one line."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from rookery.cli.lab.train import TrainReport
from rookery.cli.main import app
from rookery.learn import course as courses
from rookery.learn.course import CHECKPOINT_FILE, WEIGHTS_FILE, Course, Round
from rookery.learn.weights import read_weights

TINY = Course((Round(2, 0),), 30, 64, 3e-3, 16, 8, ("kd_tournament",))


def rookery(*words: str | Path | int) -> Result:
    return CliRunner().invoke(app, list(map(str, words)))


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(courses.PRESETS, "ci", TINY)


def test_it_teaches_and_does_not_write_over_what_it_taught(tmp_path: Path) -> None:
    done = rookery("train", "--out", tmp_path, "--seed", 3, "--json")
    assert done.exit_code == 0, done.output
    told = TrainReport.model_validate_json(done.stdout)
    assert (told.seed, told.preset, told.decisions) == (3, "ci", 60)
    assert (
        json.loads(json.dumps(told.course)) == read_weights(tmp_path / WEIGHTS_FILE).facts["course"]
    )
    before = (tmp_path / WEIGHTS_FILE).read_bytes()
    again = rookery("train", "--out", tmp_path, "--seed", 3)
    assert again.exit_code == 2
    assert "a course lies there; add --resume" in again.stderr
    assert (tmp_path / WEIGHTS_FILE).read_bytes() == before
    resumed = rookery("train", "--out", tmp_path, "--seed", 3, "--resume")
    assert resumed.exit_code == 0
    assert "60 decisions learned with seed 3" in resumed.stdout
    assert (tmp_path / WEIGHTS_FILE).read_bytes() == before
    other = rookery("train", "--out", tmp_path, "--seed", 4, "--resume")
    assert (other.exit_code, other.stderr.count("\n")) == (2, 1)
    assert "another preset or seed" in other.stderr
    (tmp_path / CHECKPOINT_FILE).write_bytes(b"rubbish")
    spoilt = rookery("train", "--out", tmp_path, "--seed", 3, "--resume")
    assert (spoilt.exit_code, spoilt.stderr.count("\n")) == (2, 1)
    assert "damaged" in spoilt.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("--preset", "years"),
            "--preset years: expected one of ci, minutes, half-hour, student, hours",
        ),
        (("--seed", "-1"), "--seed -1: expected a number from 0"),
        (("--resume",), "has no course.npz; expected one to go on from"),
        (("--device", "cuda"), "--device cuda: --preset ci needs no PyTorch"),
    ],
)
def test_bad_input_gets_one_line(words: tuple[str, ...], said: str, tmp_path: Path) -> None:
    done = rookery("train", "--out", tmp_path / "out", *words)
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert said in done.stderr


@pytest.mark.skipif(importlib.util.find_spec("torch") is not None, reason="PyTorch is here")
def test_without_pytorch_the_long_preset_says_what_to_install(tmp_path: Path) -> None:
    done = rookery("train", "--out", tmp_path, "--preset", "hours")
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert "pip install 'rookery-cards[train]', or take --preset minutes" in done.stderr
