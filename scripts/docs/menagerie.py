"""The Menagerie page and its pictures: ``python -m scripts.docs.menagerie docs`` makes them afresh.

Both studies are played, and what the paper leaves open is asked; the sums are kept beside the page,
and the page is written from what is kept. With ``--kept`` nothing is played: the page is written
from the sums that are there.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from scripts.docs import menagerie_kept as page_kept
from scripts.docs import menagerie_partners as page_partners
from scripts.docs.menagerie_kept import KeptError
from scripts.docs.menagerie_pictures import pictures
from scripts.docs.menagerie_text import page

from rookery.files import write_all
from rookery.lab.menagerie.study import Mode, run_study

GAMES: Final = 1_000_000
BOARDS: Final = 200_000
SEED: Final = 2
PAGE: Final = "explanation/menagerie.md"
DATA: Final = "menagerie.json"
PARTNERS: Final = "partners.json"


def make(
    docs: Path, games: int = GAMES, boards: int = BOARDS, seed: int = SEED, *, kept: bool = False
) -> list[Path]:
    """Write the page, its data and its pictures into a docs folder; return the files written.

    Args:
        docs: the folder; the data go into ``data``, the pictures into ``img``.
        games: how many games of each study to play.
        boards: how many boards of each figure about partners.
        seed: of all of them.
        kept: play nothing and take what ``data`` holds.

    Raises:
        KeptError: nothing sound is kept.
        OSError: something cannot be read or written; what was written is whole.
    """
    data = docs / "data"
    if kept:
        studies = page_kept.read((data / DATA).read_text("utf-8"))
        partners = page_partners.read((data / PARTNERS).read_text("utf-8"))
    else:
        studies = {mode: run_study(mode, games, seed) for mode in Mode}
        partners = page_partners.ask(boards, seed)
    program, real = studies[Mode.PUBLISHED], studies[Mode.RULES]
    sums = {DATA: page_kept.written(studies), PARTNERS: page_partners.written(partners)}
    files = {
        docs / "img": pictures(program, real, partners),
        data: {name: text.encode() for name, text in sums.items()},
        (docs / PAGE).parent: {Path(PAGE).name: page(program, real, partners).encode()},
    }
    for folder, content in files.items():
        folder.mkdir(parents=True, exist_ok=True)
        write_all(folder, content)
    return [folder / name for folder, content in files.items() for name in content]


def main(words: Sequence[str] | None = None) -> int:
    """Make the page as the command line says; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m scripts.docs.menagerie", description=__doc__)
    parser.add_argument("docs", type=Path, help="the docs folder")
    parser.add_argument("--games", type=int, default=GAMES, help="of each study, 2 or more")
    parser.add_argument("--boards", type=int, default=BOARDS, help="of partners, 2 or more")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--kept", action="store_true", help="play nothing, write from what is kept")
    asked = parser.parse_args(words)
    if min(asked.games, asked.boards) < 2 or not 0 <= asked.seed < 1 << 63:
        parser.error("expected --games and --boards of 2 or more, --seed from 0 to 2^63 - 1")
    try:
        for path in make(asked.docs, asked.games, asked.boards, asked.seed, kept=asked.kept):
            print(path)
    except (KeptError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
