"""A course learns, gives the same weights for the same seed, and may be interrupted."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.learn.networks import generator

from rookery.learn import course as courses
from rookery.learn.course import (
    CHECKPOINT,
    CHECKPOINT_FILE,
    JOURNAL_FILE,
    PRESETS,
    WEIGHTS_FILE,
    Course,
    Round,
    Training,
    WrongCourse,
    optimizer_for,
)
from rookery.learn.examples import SCORED
from rookery.learn.fit import loss_of
from rookery.learn.net import Net, scores
from rookery.learn.weights import BadWeights, read_arrays, read_weights, shipped, write_arrays
from rookery.rules import load
from rookery.rules.table import compile_rules

SHORT = Course(
    (Round(3, 0), Round(2, 0, 192)), 40, 64, 3e-3, 16, 8, ("kd_tournament", "call_partner_5")
)
STUDENT = replace(SHORT, rounds=(Round(12, SCORED, 230),), decisions=300)


class Interrupted(Exception):
    pass


def training(course: Course, seed: int, folder: Path) -> Training:
    folder.mkdir(exist_ok=True)
    return Training(course, seed, folder, generator(), optimizer_for(course, seed))


def interrupted(folder: Path, after: int, course: Course = SHORT) -> None:
    """Begin a course and break it off after some chunks."""

    def stop(done: int, whole: int) -> None:
        if done == after:
            raise Interrupted

    with pytest.raises(Interrupted):
        training(course, 5, folder).run(stop)


def same(one: Net, other: Net) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the short course, run at once."""
    folder = tmp_path_factory.mktemp("whole")
    training(SHORT, 5, folder).run()
    return folder


def test_another_seed_has_other_weights(whole: Path, tmp_path: Path) -> None:
    net = read_weights(whole / WEIGHTS_FILE).net
    assert not same(training(SHORT, 6, tmp_path).run(), net)


@pytest.mark.parametrize("after", [2, 4, 5])  # within each round, and at the very end
def test_an_interrupted_course_ends_with_the_same_weights(
    after: int, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(courses, "PAUSE", 0.0)
    interrupted(tmp_path / "cut", after)
    taken_up = training(SHORT, 5, tmp_path / "cut")
    taken_up.resume()
    assert 0 < taken_up.done < SHORT.chunks
    net = taken_up.run()
    found = [read_weights(folder / WEIGHTS_FILE) for folder in (whole, tmp_path / "cut")]
    assert same(net, found[1].net)
    assert same(found[0].net, found[1].net)
    assert found[0].facts["exam"] == found[1].facts["exam"]


def test_another_courses_checkpoint_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(courses, "PAUSE", 0.0)
    interrupted(tmp_path, 3)
    for course, seed in ((SHORT, 6), (replace(SHORT, batch=65), 5)):
        with pytest.raises(WrongCourse, match="another preset or seed"):
            training(course, seed, tmp_path).resume()
    path = tmp_path / CHECKPOINT_FILE
    path.write_bytes(path.read_bytes()[:-50])
    with pytest.raises(BadWeights, match=CHECKPOINT_FILE):
        training(SHORT, 5, tmp_path).resume()


def test_the_checkpoint_of_another_version_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(courses, "PAUSE", 0.0)
    interrupted(tmp_path, 3)
    path = tmp_path / CHECKPOINT_FILE
    arrays, about = read_arrays(path, CHECKPOINT)
    del about["sha256"]
    for said in ({"version": "1.0.0+12345678"}, {}):
        write_arrays(path, arrays, {**about, "version": None, **said})
        assert not training(SHORT, 5, tmp_path).resume()
    write_arrays(path, arrays, about)  # the control
    assert training(SHORT, 5, tmp_path).resume()


def chunks(folder: Path) -> list[int]:
    lines = (folder / JOURNAL_FILE).read_text("utf-8").splitlines()
    return [json.loads(line)["chunk"] for line in lines]


def test_the_journal_has_each_chunk_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupted(tmp_path, 2)  # before the first checkpoint, so that it begins anew
    monkeypatch.setattr(courses, "PAUSE", 0.0)
    interrupted(tmp_path, 3)  # after the second
    assert chunks(tmp_path) == [1, 2, 3]
    with (tmp_path / JOURNAL_FILE).open("a", encoding="utf-8") as file:
        file.write('{"chunk": 4, "cp')  # killed
    taken_up = training(SHORT, 5, tmp_path)
    taken_up.resume()
    assert taken_up.done == 2
    taken_up.run()
    assert chunks(tmp_path) == [1, 2, 3, 4, 5]


def test_the_preset_for_a_minute_learns(tmp_path: Path) -> None:
    course = PRESETS["ci"]
    learned = training(course, 1, tmp_path)
    net = learned.run()
    exam = learned.validation_examples()
    said_before, said_after = (loss_of(one, exam) for one in (optimizer_for(course, 1).net, net))
    assert said_after.squares < 0.97 * said_before.squares
    assert said_after.gain > said_before.gain + 0.01
    # The control: what was learned is in the weights, not in the exam.
    shuffled = net._replace(outer=net.outer[::-1].copy())
    assert loss_of(shuffled, exam).squares > said_after.squares
    assert loss_of(shuffled, exam).gain < said_after.gain
    assert len((tmp_path / JOURNAL_FILE).read_text("utf-8").splitlines()) == course.chunks


def test_a_student_learns_what_the_shipped_network_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    learned = training(STUDENT, 5, tmp_path / "whole")
    before, net = learned.net, learned.run()
    tables = [compile_rules(load(name)) for name in STUDENT.rules]
    exam = generator().examples(tables, 200, 77, shipped().net, worlds=SCORED, net_share=230)
    told = scores(shipped().net, exam.table, exam.cards, exam.owner)
    assert np.allclose(exam.worth, told, atol=1e-4)
    assert loss_of(net, exam).squares < 0.6 * loss_of(before, exam).squares
    # It is taught by the same network where the script plays every seat.
    watching = training(replace(STUDENT, rounds=(Round(12, SCORED),)), 5, tmp_path / "script").run()
    assert loss_of(watching, exam).squares < 0.6 * loss_of(before, exam).squares
    # The control: a course of as many decisions, tried out in the true hands, comes less near.
    tried = training(replace(STUDENT, rounds=(Round(12, 0),)), 5, tmp_path / "tried").run()
    assert loss_of(tried, exam).squares > 1.2 * loss_of(net, exam).squares
    monkeypatch.setattr(courses, "PAUSE", 0.0)
    interrupted(tmp_path / "cut", 4, STUDENT)
    taken_up = training(STUDENT, 5, tmp_path / "cut")
    assert taken_up.resume()
    assert same(taken_up.run(), net)
