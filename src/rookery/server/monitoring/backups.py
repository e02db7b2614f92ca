"""How old the newest backup is, by the folder where somebody keeps them."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Final

_HEAD: Final = b"SQLite format 3\0"


def age(folder: Path | None) -> float | None:
    """Return the age of the newest whole backup in a folder, seconds.

    None where no folder is named, or there is no backup in it; one that is still being written
    has another name and does not count, nor does any other file.
    """
    if folder is None:
        return None
    try:
        files = [(path.stat().st_mtime, path) for path in folder.iterdir() if path.is_file()]
    except OSError:
        return None
    for moment, path in sorted(files, reverse=True):
        if not path.name.endswith(".part") and _is_backup(path):
            return max(0.0, time.time() - moment)
    return None


def _is_backup(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            if file.read(len(_HEAD)) != _HEAD:
                return False
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as line:
            return line.execute("SELECT format FROM backup_of").fetchone() is not None
    except (OSError, sqlite3.Error):
        return False
