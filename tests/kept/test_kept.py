"""The kept files are those that were kept."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest
from tests.kept.looks import HERE

SUMS = "sha256.txt"


def sums(folder: Path) -> str:
    """Return the sums of all files in a folder, a line each, as ``sha256sum`` writes them."""
    found = (path for path in folder.rglob("*") if path.is_file() and path.name != SUMS)
    lines = sorted((path.relative_to(folder).as_posix(), path.read_bytes()) for path in found)
    return "".join(f"{sha256(data).hexdigest()}  {name}\n" for name, data in lines)


@pytest.mark.parametrize("version", sorted(path.parent.name for path in HERE.glob(f"*/{SUMS}")))
def test_no_kept_file_has_changed(version: str) -> None:
    assert sums(HERE / version) == (HERE / version / SUMS).read_text("utf-8")
