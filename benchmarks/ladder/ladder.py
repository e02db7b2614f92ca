"""Play the ladder and the league of all bots, keep the sums, write `docs/reference/bots.md`.

    python -m benchmarks.ladder.ladder promotions [--minutes M]
    python -m benchmarks.ladder.ladder league [--minutes M] [--deals N] [--searched N]
    python -m benchmarks.ladder.ladder docs

What was played is kept after every block, so a run that stops is taken up where it was. A step of
the ladder is settled before the next begins; in the league the meeting that has least of what it
wants is next.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from benchmarks.ladder import plan as ladder_plan
from benchmarks.ladder.cells import COMPILED, Cell
from benchmarks.ladder.kept import LadderError, keep, taken_up
from benchmarks.ladder.standings import standings
from scripts.docs import bots as bots_page

from rookery.engine.targets import Target
from rookery.files import write_all
from rookery.lab.duplicate.result import FILE

KEPT: Final = Path("benchmarks/results")
SOURCE: Final = Path("src/rookery/lab/duplicate")  # of the places that a match knows
FILES: Final = {
    "promotions": "2026-11-20-ladder.json",
    "league": "2026-11-20-league.json",
}
PROMOTED, MOST = 20_000, 400  # boards of a step at most: without search, and with
PLAYED, SEARCHED = 5000, 60  # boards of two bots of the league


def play(
    path: Path,
    what: str,
    wanted: Sequence[Cell],
    most: Callable[[Cell], int],
    enough: Callable[[], bool],
    *,
    in_turn: bool = False,
    target: Target = "numba",
) -> list[Cell]:
    """Play cells until each has what it wants, or `enough` says so; return them as they stand.

    Args:
        path: of the file that keeps them; it is taken up, and written after every block.
        what: what the file says it is.
        wanted: the cells.
        most: how many boards a cell may have.
        enough: asked before each block.
        in_turn: finish each before the next; else the one with least of its boards is next.
        target: where kernels run; never changes an answer.

    Raises:
        LadderError: the file holds something else.
        OSError: it cannot be read or written.
        BotFailed: a bot cannot play at all.
    """
    cells = taken_up(path, wanted)
    limits = [most(cell) for cell in cells]
    while not enough():
        left = [i for i, cell in enumerate(cells) if not cell.over(limits[i])]
        if not left:
            break
        next_one = left[0] if in_turn else min(left, key=lambda i: cells[i].boards / limits[i])
        cells[next_one] = cells[next_one].further(limits[next_one], target)
        keep(path, cells, what)
    return cells


def limit(quick: int, slow: int, games: Sequence[str] = ladder_plan.SEVEN) -> Callable[[Cell], int]:
    """Return what says how many boards a cell may have: none but in these games.

    That is `quick` where no bot thinks, and `slow` where one does; where a whole table of them
    thinks, which takes as much longer, half of that.
    """

    def most(cell: Cell) -> int:
        if cell.rules not in games:
            return 0
        if cell.block == COMPILED:
            return quick
        thinking = sum(one.kernel is None for one in cell.lineup)
        return slow // 2 if thinking > 2 and thinking < len(cell.lineup) else slow

    return most


def until(minutes: float) -> Callable[[], bool]:
    """Return what says whether so many minutes of processor time are over."""
    return lambda: time.process_time() > 60 * minutes


def main(words: Sequence[str] | None = None) -> int:
    """Do what the command line says; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ladder.ladder", description=__doc__)
    parser.add_argument("what", choices=[*FILES, "docs"])
    parser.add_argument("--minutes", type=float, default=1e9, help="of processor time")
    parser.add_argument("--deals", type=int, help="boards of two bots without search; 0 for none")
    parser.add_argument("--searched", type=int, help="boards where a bot searches; 0 for none")
    parser.add_argument("--games", default=",".join(ladder_plan.SEVEN), help="variants")
    parser.add_argument("--target", choices=["numba", "python"], default="numba")
    parser.add_argument("--kept", type=Path, default=KEPT, help="the folder of kept results")
    parser.add_argument("--docs", type=Path, default=Path("docs"), help="the folder of the page")
    parser.add_argument("--source", type=Path, default=SOURCE, help="of the places")
    asked = parser.parse_args(words)
    games = tuple(asked.games.split(","))
    if unknown := set(games) - set(ladder_plan.SEVEN):
        parser.error(
            f"--games {', '.join(sorted(unknown))}: expected some of {', '.join(ladder_plan.SEVEN)}"
        )
    try:
        if asked.what == "docs":
            for path in bots_page.make(asked.kept, asked.docs):
                print(path)
            text = bots_page.places(standings(bots_page.kept(asked.kept).league))
            write_all(asked.source, {FILE: text.encode()})
            return 0
        of_league = asked.what == "league"
        cells = (ladder_plan.league if of_league else ladder_plan.promotions)()
        quick, slow = (PLAYED, SEARCHED) if of_league else (PROMOTED, MOST)
        most = limit(
            quick if asked.deals is None else asked.deals,
            slow if asked.searched is None else asked.searched,
            games,
        )
        path = asked.kept / FILES[asked.what]
        found = play(
            path,
            asked.what,
            cells,
            most,
            until(asked.minutes),
            in_turn=not of_league,
            target=asked.target,
        )
        of_games = [cell for cell in found if cell.rules in games]
        done = sum(cell.over(most(cell)) for cell in of_games)
        print(f"{path}: {done} of {len(of_games)} meetings are done")
    except (LadderError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
