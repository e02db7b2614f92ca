"""All promises in full, one after another, or those that are asked for; see ``scripts/promises``.

What has come is kept after every chunk under `promises.FOLDER`: the same command goes on with what
is kept of the same seed, so that an interruption costs a chunk at the most.
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
    whole_disk,
    whole_games,
    whole_http,
    whole_load,
    whole_server,
    whole_wire,
)
from tests.faults.promised import PROMISES
from tests.faults.promises import Result
from tests.faults.promises_page import sound

SEED: Final = 2026

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

    def begun(self, seed: int, folder: Path) -> int:
        """Return how much of it is kept in a folder under a seed."""
        kept = (
            one for one in promises.kept(folder) if (one.name, one.seed) == (self.files[0], seed)
        )
        return next((one.size for one in kept), 0)


# The quick ones first; at the end those that want a machine with nothing else to do.
CAMPAIGNS: Final = {
    name: Campaign(*each)
    for part in (whole_games, whole_wire, whole_http, whole_disk, whole_server, whole_load)
    for name, each in part.CAMPAIGNS.items()
}


def carry_out(
    name: str, share: float, seed: int, minutes: float, folder: Path = promises.FOLDER
) -> bool:
    """Run a campaign up to a share of its size, on from what is kept; return whether all was held.

    It ends early after so many minutes, at the end of a chunk.
    """
    campaign, until = CAMPAIGNS[name], time.monotonic() + 60 * minutes
    size, done = max(1, round(share * campaign.full)), campaign.begun(seed, folder)
    print(f"{name}: {done:,} of {size:,}", flush=True)
    while done < size and time.monotonic() < until:
        results = campaign.run(min(campaign.chunk, size - done), seed, done)
        for one in results:
            promises.keep(one, done, folder)
        done += results[0].size
        print(f"{name}: {done:,} of {size:,}", flush=True)
        if not all(map(sound, results)):
            break
    wrong = [one for one in promises.kept(folder) if one.name in campaign.files and not sound(one)]
    for one in wrong:
        print(f"{one.name}: not as promised; {one.note or one.counts}", flush=True)
    return not wrong


def attempted(name: str, share: float, seed: int, minutes: float) -> bool:
    """Carry a campaign out as `carry_out` does, but say in a line where it cannot be run here.

    What it takes may be missing: a database's program, a compiler, the history of the clone.
    """
    try:
        return carry_out(name, share, seed, minutes)
    except (LookupError, OSError, subprocess.CalledProcessError) as error:
        # These two are mistakes of the program, and whoever mends it wants to see where.
        if isinstance(error, (KeyError, IndexError)):
            raise
        print(f"{name}: cannot be run here: {' '.join(str(error).split())}", flush=True)
        return False


def in_small() -> int:
    """Run the tests that show the promises with every change; return pytest's status."""
    paths = sorted({path for promise in PROMISES.values() for path in promise.reduced})
    return subprocess.run([sys.executable, "-m", "pytest", "-q", *paths], check=False).returncode


def main() -> int:
    """Run what was asked for and make the page; return 1 where it could not be, or was not held."""
    parser = argparse.ArgumentParser(
        prog="scripts/promises",
        description="Show the promises of docs/promises.md, in full or some of them.",
        epilog="What was interrupted goes on where it was, with the same seed.",
    )
    every = ", ".join(CAMPAIGNS)
    parser.add_argument("--only", metavar="WHAT", help=f"P1 to P20, or one of: {every}")
    parser.add_argument("--share", type=float, default=1.0, help="how much of the full size")
    parser.add_argument("--minutes", type=float, default=1e6, help="for each, at the most")
    parser.add_argument("--seed", type=int, default=SEED, help=f"{SEED} if it is not named")
    parser.add_argument("--small", action="store_true", help="the tests of every change instead")
    chosen = parser.parse_args()
    if chosen.small:
        return in_small()
    only = chosen.only
    names = [name for name in CAMPAIGNS if only in (None, name) or CAMPAIGNS[name].shows(only)]
    if not names:
        parser.error(f"--only: {only!r} is none; expected P1 to P20, or one of {every}")
    held = [attempted(name, chosen.share, chosen.seed, chosen.minutes) for name in names]
    promises.main()
    return 0 if all(held) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
