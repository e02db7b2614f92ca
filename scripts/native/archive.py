"""Archives of a release: built by hatchling, and compared with what they say of themselves."""

from __future__ import annotations

import base64
import csv
import hashlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from zipfile import ZipFile

ROOT: Final = Path(__file__).parents[2]


def hatch(target: str, project: Path, folder: Path, surroundings: dict[str, str]) -> None:
    """Build a wheel or the sources of a project into a folder.

    Raises:
        subprocess.CalledProcessError: they could not be built.
    """
    command = [sys.executable, "-m", "hatchling", "build", "--target", target]
    subprocess.run(  # noqa: S603
        [*command, "--directory", str(folder.resolve())],
        cwd=project,
        env={**surroundings, "HATCH_QUIET": "1"},
        check=True,
        stdout=subprocess.DEVNULL,
    )


def spoilt(opened: ZipFile, info: str) -> Iterator[str]:
    """Yield the files of a wheel whose contents are not those of which RECORD has the hash."""
    rows = csv.reader(opened.read(f"{info}/RECORD").decode().splitlines())
    recorded = {name: digest for name, digest, _ in rows}
    for name in sorted({*opened.namelist()} - {f"{info}/RECORD"}):
        digest = base64.urlsafe_b64encode(hashlib.sha256(opened.read(name)).digest())
        if recorded.get(name) != f"sha256={digest.decode().rstrip('=')}":
            yield name
