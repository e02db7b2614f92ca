"""Several versions beside each other: a folder each, with the same list of all in every one.

A page reads the list of its own folder, so that it works from any path of any host. When a version
is added, the lists are all that changes in the others.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from html import escape
from pathlib import Path
from typing import Any, Final

from packaging.version import Version
from scripts.docs.website.build import VERSIONS, build

_START: Final = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="0; url={latest}/">
<title>Rookery, all versions of the documentation</title>
</head>
<body>
<main>
<h1>Rookery</h1>
<ul>
{entries}
</ul>
</main>
</body>
</html>
"""


class NotOurs(Exception):
    """A folder holds something else; the message says what."""


def put(folder: Path) -> None:
    """Write the site of this checkout into a folder; what an earlier build left there goes.

    Raises:
        NotOurs: the folder holds anything else; nothing was changed.
        Failed: the pages have faults; nothing was changed.
    """
    if folder.exists() and any(folder.iterdir()) and not (folder / VERSIONS).is_file():
        raise NotOurs(f"{folder}: holds no documentation; expected an empty folder, or an old one")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as name:
        fresh = Path(name, "fresh")
        build(fresh)
        if folder.exists():
            folder.rename(Path(name, "old"))
        fresh.rename(folder)


def add(folder: Path) -> list[str]:
    """Put the site of this checkout among the versions in a folder; return all, the newest first.

    The start page of the folder leads to the newest. A version that was there is replaced.

    Raises:
        NotOurs: the folder has something else in it; nothing was changed.
        Failed: the pages have faults; nothing was changed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    foreign = [path.name for path in folder.iterdir() if not _ours(path)]
    if foreign:
        raise NotOurs(f"{folder}: {foreign[0]} is no version of the documentation")
    with tempfile.TemporaryDirectory(dir=folder.parent) as name:
        fresh = Path(name, "fresh")
        build(fresh)
        [line] = json.loads((fresh / VERSIONS).read_text("utf-8"))
        target = folder / line["version"]
        if target.exists():
            target.rename(Path(name, "old"))
        fresh.rename(target)
    return _list(folder)


def _ours(path: Path) -> bool:
    return path.name == "index.html" or (path / VERSIONS).is_file()


def _list(folder: Path) -> list[str]:
    """Write the list of the versions that are there into each of them; return their names."""
    lines: dict[str, dict[str, Any]] = {}
    for path in folder.iterdir():
        if path.is_dir():
            known = json.loads((path / VERSIONS).read_text("utf-8"))
            lines[path.name] = next(one for one in known if one["version"] == path.name)
    names = sorted(lines, key=Version, reverse=True)
    whole = json.dumps([lines[name] for name in names]) + "\n"
    for name in names:
        _write(folder / name / VERSIONS, whole)
    entries = "\n".join(f'<li><a href="{escape(one)}/">{escape(one)}</a></li>' for one in names)
    _write(folder / "index.html", _START.format(latest=escape(names[0]), entries=entries))
    return names


def _write(path: Path, text: str) -> None:
    """Write a file at a stroke."""
    beside = path.with_name(f".{path.name}")
    beside.write_text(text, "utf-8")
    shutil.move(beside, path)
