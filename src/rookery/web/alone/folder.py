"""A folder that holds a site: written whole or not at all, and never over somebody else's files."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from rookery.about import version

MARK: Final = "site.json"
FORMAT: Final = "rookery-site/1"


class NotOurs(Exception):
    """The folder holds something else."""


def check(folder: Path) -> None:
    """Return if the folder may be replaced: it is absent, empty, or a site and nothing else.

    Raises:
        NotOurs: it is not; the message says what was found there.
        OSError: it cannot be read.
    """
    if not folder.exists() and not folder.is_symlink():
        return
    if folder.is_symlink() or not folder.is_dir():
        raise NotOurs("expected a folder, an empty one or none yet")
    there = {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_symlink() or not path.is_dir()
    }
    if not there:
        return
    written = _written(folder)
    if written is None:
        raise NotOurs("is not empty, and no site that this command wrote")
    if others := sorted(there - written):
        raise NotOurs(f"has a file that this command did not write: {others[0]}")


def _written(folder: Path) -> set[str] | None:
    """Return the paths that the mark of a site names, itself among them; None without a mark."""
    try:
        mark = json.loads((folder / MARK).read_bytes())
    except (FileNotFoundError, RecursionError, ValueError):
        return None
    if not isinstance(mark, dict) or mark.get("format") != FORMAT:
        return None
    files = mark.get("files")
    return {MARK, *map(str, files)} if isinstance(files, list) else None


def replace(folder: Path, files: Mapping[str, bytes]) -> None:
    """Make a folder hold these files, and a mark that names them; what was there before goes.

    Raises:
        NotOurs: see `check`.
        OSError: they cannot be written; the folder is as it was.
    """
    folder = folder.absolute()
    check(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{folder.name}.", dir=folder.parent) as name:
        fresh, before = Path(name, "fresh"), Path(name, "before")
        mark = {"format": FORMAT, "version": version(), "files": sorted(files)}
        marked = {**files, MARK: json.dumps(mark, indent=1).encode()}
        for path, plain in marked.items():
            where = fresh / path
            where.parent.mkdir(parents=True, exist_ok=True)
            where.write_bytes(plain)
        was_there = folder.exists()
        if was_there:
            shutil.move(folder, before)
        try:
            fresh.rename(folder)
        except OSError:
            if was_there:
                before.rename(folder)
            raise
