"""All promises in full, one after another, or those that are asked for; see ``scripts/promises``.

What has come is kept after every chunk: the same command goes on where it was, so that an
interruption costs a chunk at the most. Only a full run adds to `promises.FOLDER`, of which the page
is made; a smaller one, another seed and a run from nothing stay aside, under `ASIDE`, and the last
takes the place of what was kept once it is whole.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from tests.faults import (
    promises,
    whole_clocks,
    whole_disk,
    whole_evening,
    whole_games,
    whole_http,
    whole_load,
    whole_prices,
    whole_seats,
    whole_server,
    whole_wire,
)
from tests.faults.promised import PROMISES
from tests.faults.promises import Result
from tests.faults.promises_page import sound

SEED: Final = 2026
ASIDE: Final = promises.ROOT / "build" / "promises"

Run = Callable[[int, int, int], list[Result]]


class Campaign(NamedTuple):
    """A campaign.

    Attributes:
        files: the names of its results, see `promises.Result.name`; the first says how much it was.
        full: its full size.
        chunk: how much of it is done until the results are kept.
        run: does so much of it with a seed, after so much that was done.
    """

    files: tuple[str, ...]
    full: int
    chunk: int
    run: Run

    def shows(self, promise: str) -> bool:
        """Return whether it shows a promise."""
        return promise in (name.partition("-")[0] for name in self.files)

    def kept(self, folder: Path) -> list[Result]:
        """Return what is kept of it in a folder, the one first that says how much it was."""
        found = {one.name: one for one in promises.kept(folder)}
        return [found[name] for name in self.files if name in found]

    def begun(self, seed: int, folder: Path) -> int:
        """Return how much of it is kept in a folder under a seed."""
        return sum(one.size for one in self.kept(folder)[:1] if one.seed == seed)


# The quick ones first; at the end those that want a machine with nothing else to do.
_PARTS: Final = (
    *(whole_games, whole_seats, whole_wire, whole_http, whole_disk),
    *(whole_clocks, whole_evening, whole_server, whole_load, whole_prices),
)
CAMPAIGNS: Final = {
    name: Campaign(*each) for part in _PARTS for name, each in part.CAMPAIGNS.items()
}


def carry_out(
    name: str, share: float, seed: int, minutes: float, folder: Path = promises.FOLDER
) -> bool:
    """Run a campaign up to a share of its size, on from what is kept; return whether all was held.

    It ends early after so many minutes, at the end of a chunk.
    """
    campaign, until = CAMPAIGNS[name], time.monotonic() + 60 * minutes
    size, done = max(1, round(share * campaign.full)), campaign.begun(seed, folder)
    print(f"{name}: {done:,} of {size:,}{_nothing_run(campaign, done, size, folder)}", flush=True)
    promises.revision()  # what it is now, whatever happens to the files meanwhile
    while done < size and time.monotonic() < until:
        results = campaign.run(min(campaign.chunk, size - done), seed, done)
        for one in results:
            promises.keep(one, done, folder)
        done += results[0].size
        print(f"{name}: {done:,} of {size:,}", flush=True)
        if not all(map(sound, results)):
            break
    wrong = [one for one in campaign.kept(folder) if not sound(one)]
    for one in wrong:
        print(f"{one.name}: not as promised; {one.note or one.counts}", flush=True)
    return not wrong


def _nothing_run(campaign: Campaign, done: int, size: int, folder: Path) -> str:
    if done < size:
        return ""
    dates = sorted({one.date for one in campaign.kept(folder)})
    return f", kept from {' and '.join(dates)}; nothing was run, --again runs it"


def place_of(
    name: str, share: float, seed: int | None, home: Path, aside: Path, *, again: bool
) -> tuple[int, Path]:
    """Return the seed and the folder of a run, so that it spoils nothing that is kept at `home`.

    A seed of None is the one of what is kept.
    """
    own = next((one.seed for one in CAMPAIGNS[name].kept(home)), SEED)
    chosen = own if seed is None else seed
    if share < 1:
        return chosen, aside / f"seed-{chosen}-share-{share:g}"
    if again:
        return chosen, aside / "again"
    return chosen, home if chosen == own else aside / f"seed-{chosen}"


def put_in_place(name: str, folder: Path, home: Path) -> bool:
    """Put a campaign's new results in place of those at `home`; return whether it was done.

    That is once they are whole, or where one is not as promised: that is not to be missed.
    """
    new = CAMPAIGNS[name].kept(folder)
    if not new or not (new[0].whole or not all(map(sound, new))):
        return False
    home.mkdir(parents=True, exist_ok=True)
    for one in new:
        (folder / f"{one.name}.json").replace(home / f"{one.name}.json")
    return True


def attempted(
    name: str,
    share: float,
    seed: int | None,
    minutes: float,
    *,
    again: bool = False,
    home: Path = promises.FOLDER,
    aside: Path = ASIDE,
) -> bool:
    """Carry a campaign out as `carry_out` does, but say in a line where it cannot be run here.

    What it takes may be missing: a database's program, a compiler, the history of the clone.
    """
    seed, folder = place_of(name, share, seed, home, aside, again=again)
    if folder != home:
        shown = folder.relative_to(promises.ROOT) if aside == ASIDE else folder
        print(f"{name}: seed {seed}, kept in {shown}", flush=True)
    if again and share < 1:
        for one in CAMPAIGNS[name].kept(folder):
            (folder / f"{one.name}.json").unlink()
    try:
        held = carry_out(name, share, seed, minutes, folder)
    except (LookupError, OSError, subprocess.CalledProcessError) as error:
        # These two are mistakes of the program, and whoever mends it wants to see where.
        if isinstance(error, (KeyError, IndexError)):
            raise
        print(f"{name}: cannot be run here: {' '.join(str(error).split())}", flush=True)
        return False
    if again and share >= 1:
        placed = put_in_place(name, folder, home)
        told = "it takes the place of what was kept" if placed else "what was kept stays so far"
        print(f"{name}: {told}", flush=True)
    return held


def in_small() -> int:
    """Run the tests that show the promises with every change; return pytest's status."""
    paths = sorted({path for promise in PROMISES.values() for path in promise.reduced})
    return subprocess.run([sys.executable, "-m", "pytest", "-q", *paths], check=False).returncode


def main() -> int:
    """Run what was asked for and make the page; return 1 where it could not be, or was not held."""
    parser = argparse.ArgumentParser(
        prog="scripts/promises",
        description="Show the promises of docs/reference/promises.md, in full or some of them.",
        epilog="What was interrupted goes on where it was, with the same command.",
    )
    every, shown = ", ".join(CAMPAIGNS), ASIDE.relative_to(promises.ROOT)
    parser.add_argument("--only", metavar="WHAT", help=f"P1 and so on, or one of: {every}")
    parser.add_argument(
        "--again",
        action="store_true",
        help="from nothing, whatever is kept, and in its place once the new run is whole",
    )
    parser.add_argument(
        "--share",
        type=float,
        default=1.0,
        help=f"how much of the full size; less than 1 is kept aside, in {shown}",
    )
    parser.add_argument("--minutes", type=float, default=1e6, help="for each, at the most")
    parser.add_argument(
        "--seed",
        type=int,
        help=f"that of what is kept, else {SEED}; another is kept aside without --again",
    )
    parser.add_argument("--small", action="store_true", help="the tests of every change instead")
    chosen = parser.parse_args()
    if chosen.small:
        return in_small()
    only = chosen.only
    names = [name for name in CAMPAIGNS if only in (None, name) or CAMPAIGNS[name].shows(only)]
    if not names:
        parser.error(f"--only: {only!r} is none; expected P1 and so on, or one of {every}")
    if not 0 < chosen.share <= 1:
        parser.error(f"--share: {chosen.share:g} is none; expected more than 0 and at most 1")
    held = [
        attempted(name, chosen.share, chosen.seed, chosen.minutes, again=chosen.again)
        for name in names
    ]
    promises.main()
    return 0 if all(held) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
