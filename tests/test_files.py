"""Files are written whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from rookery.files import write_file


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_or_a_device_stays_one(tmp_path: Path) -> None:
    """A device's name was once given to a new file, where its folder could be written."""
    pipe, file = tmp_path / "pipe", tmp_path / "file"
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="is no file; expected the name of one"):
        write_file(pipe, b"new")
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    file.write_bytes(b"old")
    write_file(file, b"new")
    assert file.read_bytes() == b"new"
    assert {one.name for one in tmp_path.iterdir()} == {"pipe", "file"}


@pytest.mark.skipif(os.name != "posix", reason="needs modes")
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o444, 0o755])
def test_whoever_could_not_read_a_file_cannot_read_it_when_it_is_written_again(
    tmp_path: Path, mode: int
) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"old")
    file.chmod(mode)
    write_file(file, b"new")
    assert file.read_bytes() == b"new"
    assert stat.S_IMODE(file.stat().st_mode) == mode


@pytest.mark.skipif(os.name != "posix", reason="needs links")
@pytest.mark.parametrize("there", [True, False])
def test_a_link_stays_one(tmp_path: Path, *, there: bool) -> None:
    file, link, second = tmp_path / "far" / "file", tmp_path / "link", tmp_path / "second"
    file.parent.mkdir()
    if there:
        file.write_bytes(b"old")
    link.symlink_to(Path("far") / "file")
    second.symlink_to("link")
    write_file(second, b"new")
    assert file.read_bytes() == b"new"
    assert link.is_symlink()
    assert second.is_symlink()
    assert [one.name for one in file.parent.iterdir()] == ["file"]


def test_a_name_may_be_as_long_as_the_folder_takes_it(tmp_path: Path) -> None:
    file = tmp_path / ("n" * 255)
    for data in (b"one", b"two"):
        write_file(file, data)
        assert file.read_bytes() == data
