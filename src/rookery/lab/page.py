"""The Menagerie page and its pictures: ``python -m rookery.lab.page docs`` makes them afresh.

Both studies are played, their sums are kept beside the page, and the page is written from what is
kept. With ``--kept`` nothing is played: the page is written from the sums that are there.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from rookery.lab.files import write_all
from rookery.lab.menagerie import Mode, run_study
from rookery.lab.page_kept import KeptError, read, written
from rookery.lab.page_pictures import pictures
from rookery.lab.page_text import page

GAMES: Final = 1_000_000
SEED: Final = 2
PAGE: Final = "menagerie.md"
DATA: Final = "menagerie.json"
COOPERATION: Final = "cooperation.md"


def make(docs: Path, games: int, seed: int, *, kept: bool = False) -> list[Path]:
    """Write the page, its data and its pictures into a docs folder; return the files written.

    Args:
        docs: the folder; the data go into ``data``, the pictures into ``img``.
        games: how many games of each study to play.
        seed: of both.
        kept: play nothing and take what ``data`` holds.

    Raises:
        KeptError: nothing sound is kept.
        OSError: something cannot be read or written; what was written is whole.
    """
    data = docs / "data"
    if kept:
        studies = read((data / DATA).read_text("utf-8"))
    else:
        studies = {mode: run_study(mode, games, seed) for mode in Mode}
    program, real = studies[Mode.PUBLISHED], studies[Mode.RULES]
    extra = data / COOPERATION
    cooperation = extra.read_text("utf-8") if extra.is_file() else None
    files = {
        docs / "img": pictures(program, real),
        data: {DATA: written(studies).encode()},
        docs: {PAGE: page(program, real, cooperation).encode()},
    }
    for folder, content in files.items():
        folder.mkdir(parents=True, exist_ok=True)
        write_all(folder, content)
    return [folder / name for folder, content in files.items() for name in content]


def main(words: Sequence[str] | None = None) -> int:
    """Make the page as the command line says; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m rookery.lab.page", description=__doc__)
    parser.add_argument("docs", type=Path, help="the docs folder")
    parser.add_argument("--games", type=int, default=GAMES, help="of each study, 2 or more")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--kept", action="store_true", help="play nothing, write from what is kept")
    asked = parser.parse_args(words)
    if asked.games < 2 or not 0 <= asked.seed < 1 << 63:
        parser.error("expected --games of 2 or more and --seed from 0 to 2^63 - 1")
    try:
        for path in make(asked.docs, asked.games, asked.seed, kept=asked.kept):
            print(path)
    except (KeptError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
