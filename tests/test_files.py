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
