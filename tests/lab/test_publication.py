"""A study's files: what is in them, and that they are there whole or not at all."""

import errno
import json
import os
from pathlib import Path

import pytest

from rookery.files import ROOM, prepare, write_all
from rookery.lab.menagerie.publication import LABEL_GAP, _spread, files_of
from rookery.lab.menagerie.study import Study


@pytest.mark.numba
def test_the_files_say_what_the_study_says(published: Study) -> None:
    files = files_of(published)
    document = json.loads(files["study.json"])
    assert document == {**published.as_json(), "seed": 1}
    lines = files["figures.csv"].decode().splitlines()
    assert lines[0] == "table,trimester,name,percent,ci95,paper"
    assert len(lines) == 1 + 38
    share = published.tables.trimesters[2]["karapet"]
    assert f"trimesters,3,karapet,{share.mean:.4f},{share.ci95:.4f},43.14" in lines
    assert "Karapet 54.90 and Papa 54.82" in files["report.txt"].decode()


@pytest.mark.numba
def test_the_picture_is_the_same_each_time_and_another_for_another_study(
    published: Study, real: Study
) -> None:
    first, again = files_of(published), files_of(published)
    assert first == again
    assert first["trimesters.png"].startswith(b"\x89PNG")
    svg = first["trimesters.svg"]
    assert svg.startswith(b"<?xml")
    assert svg != files_of(real)["trimesters.svg"]


def test_names_at_the_right_keep_apart_and_in_order() -> None:
    places = _spread({"a": 10.0, "b": 10.1, "c": 30.0, "d": 10.2})
    assert places["c"] == 30.0
    assert places["b"] - places["a"] == pytest.approx(LABEL_GAP)
    assert places["d"] - places["b"] == pytest.approx(LABEL_GAP)


def test_a_folder_is_made_and_left_empty(tmp_path: Path) -> None:
    prepare(tmp_path / "new" / "folder")
    assert list((tmp_path / "new" / "folder").iterdir()) == []


def test_a_file_where_the_folder_should_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    with pytest.raises(OSError, match="exists"):
        prepare(tmp_path / "taken")


@pytest.mark.parametrize("quick", [True, False])
def test_room_is_made_for_all_files_together(
    quick: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = []
    monkeypatch.setattr(os, "fsync", lambda file: sizes.append(os.fstat(file).st_size))
    if not quick:  # as on a system that cannot give blocks without writing them
        monkeypatch.delattr(os, "posix_fallocate", raising=False)
    prepare(tmp_path)
    assert sizes == [ROOM]


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)


@pytest.mark.usefixtures("full_disk")
def test_a_full_disk_is_noticed_and_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No space left") as caught:
        prepare(tmp_path)
    assert caught.value.filename == str(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("full_disk")
def test_an_old_file_outlives_a_failed_write(tmp_path: Path) -> None:
    (tmp_path / "study.json").write_text("old")
    with pytest.raises(OSError, match="No space left"):
        write_all(tmp_path, {"study.json": b"new"})
    assert [path.name for path in tmp_path.iterdir()] == ["study.json"]
    assert (tmp_path / "study.json").read_text() == "old"


def test_a_new_file_replaces_an_old_one(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")
    write_all(tmp_path, {"a": b"new", "b": b"too"})
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {
        "a": b"new",
        "b": b"too",
    }
