"""A new version takes the place of an old one while people play, and the old one takes it back."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import io
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any, Final

from tests.faults.growth import TABLES, Growth
from tests.faults.growth import Result as Grown
from tests.faults.history import told_first
from tests.faults.promises import Control, Result, keep
from tests.faults.serving import ROOT, Server
from tests.server.growth.engines import Engine, Postgres, postgres, redis

FULL: Final = 20  # updates of both servers, every other one back to the old version
VERSIONED: Final = Path("src/rookery/server/store/migrate.py")
OVERWRITTEN: Final = {"lost", "other", "told", "back", "view"}  # kinds of complaints
HASTY: Final = 6  # updates of a server at most in which the control has to be found out
HANDED: Final = 10_000.0  # milliseconds until every table is alive after a server was told to go


def sources(folder: Path, revision: str | None = None) -> Path:
    """Return where the program of a revision lies, put into a folder; without one, today's.

    Raises:
        subprocess.CalledProcessError: git knows no such revision.
    """
    if revision is None:
        shutil.copytree(ROOT / "src", folder / "src", ignore=shutil.ignore_patterns("__pycache__"))
        return folder / "src"
    packed = _git("archive", revision, "src", "pyproject.toml")
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
    # A program asks for its version under the name that it was installed by then.
    own = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    told = folder / "src" / f"{own['name'].replace('-', '_')}-{own['version']}.dist-info"
    told.mkdir()
    fields = {"Metadata-Version": "2.1", "Name": own["name"], "Version": own["version"]}
    lines = "".join(f"{field}: {value}\n" for field, value in fields.items())
    (told / "METADATA").write_text(lines, encoding="utf-8")
    return folder / "src"


def before() -> str:
    """Return the revision that is updated from, of this clone's own history.

    That is the last release whose program is not today's: its tag, or the commit that wrote its
    day down. Before there is one, it is the first commit whose database is of today's version:
    between it and today everything has changed that may.

    Raises:
        LookupError: there is none; a shallow clone has no history.
    """
    releases = _said("tag", "--list", "v*", "--merged", "HEAD", "--sort=-v:refname")
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    for dated in re.findall(r"^## \[[1-9][^]]*\] - ", changes, re.MULTILINE):
        releases += _said("log", "-1", "--format=%h", "-S", dated, "--", "CHANGELOG.md")
    commits = _said("log", "--reverse", "--format=%h", "--", str(VERSIONED))
    today = _version((ROOT / VERSIONED).read_text(encoding="utf-8"))
    for revision in (*releases, *commits):
        shown = _git("show", f"{revision}:{VERSIONED}").decode()
        if _version(shown) == today and _said("diff", "--name-only", revision, "--", "src"):
            return revision
    raise LookupError(f"no earlier program has a database of version {today}; is the clone whole?")


def _version(program: str) -> str:
    found = re.search(r'^HEAD: Final = "(\d+)"$', program, re.MULTILINE)
    return "" if found is None else found[1]


def _said(*words: str) -> list[str]:
    return _git(*words).decode().split()


def _git(*words: str) -> bytes:
    kept = ("git", "-c", "safe.directory=*", *words)
    return subprocess.run(kept, cwd=ROOT, check=True, capture_output=True).stdout


class Rolling(Growth):
    """Two servers whose programs are exchanged."""

    def __init__(
        self, folder: Path, elephant: Postgres, herald: Engine, seed: int, build: str = "sound"
    ) -> None:
        """Take a folder, a database server, a herald and a build."""
        super().__init__(folder, elephant, herald, seed, build)
        self.runs: dict[int, Path] = {}

    async def becomes(self, server: Server, program: Path) -> None:
        """Ask a server to go, and start a program in its place."""
        began = time.perf_counter()
        ending = asyncio.create_task(server.end(signal.SIGTERM))
        await self.alive()
        self.result.handed.append(time.perf_counter() - began)
        await ending
        self.takes(server, program)
        await server.start()
        self.result.did["replaced"] += 1
        await self.alive()

    def takes(self, server: Server, program: Path) -> None:
        """Have a server run a program from its next start on."""
        server.runs(program)
        self.runs[server.port] = program

    async def update(self, program: Path) -> None:
        """Exchange one server after the other; between them, both versions have tables."""
        for server in self.servers:
            await self.becomes(server, program)

    @contextlib.asynccontextmanager
    async def begun(
        self, program: Path, tables: Sequence[tuple[str | dict[str, Any], int, str]] = TABLES
    ) -> AsyncIterator[None]:
        """Have people play at two servers of a version."""
        for server in self.servers:
            self.takes(server, program)
        async with self.running(tables):
            yield


async def rolled(scene: Rolling, old: Path, new: Path, times: int) -> None:
    """Update from the old version to the new, and back, so many times."""
    async with scene.begun(old):
        for number in range(times):
            await scene.update(old if number % 2 else new)
            if scene.result.found:
                return


def hasty(folder: Path, seed: int) -> Control:
    """Update to servers that begin with a table before all of it has been handed over."""
    with postgres() as elephant, redis() as herald:
        program = sources(folder / "hasty")
        scene = Rolling(folder / "hasty-data", elephant, herald, seed, "shortsighted")

        async def once() -> None:
            async with scene.begun(program):
                # What nobody was told of yet can be written over unseen: then once more.
                for number in range(HASTY):
                    await scene.becomes(scene.servers[number % 2], program)
                    if any(one.kind in OVERWRITTEN for one in scene.result.found):
                        return

        asyncio.run(once())
    return two_ways("a server that starts a table before all of it was handed over", scene.result)


def two_ways(what: str, seen: Grown) -> Control:
    """Return what came of servers that write over each other, by what the checker has to say."""
    kinds = Counter(one.kind for one in seen.found)
    counts = {"acknowledged": seen.acked, **{f"found as {kind}": n for kind, n in kinds.items()}}
    return Control(what, bool(OVERWRITTEN & kinds.keys()), counts)


def updates(size: int, seed: int, old: str | None = None) -> Result:
    """Rehearse so many updates from a revision to what is here, and back; P19.

    Raises:
        LookupError: no revision is named, and none is found.
    """
    began = time.perf_counter()
    revision = old or before()
    with tempfile.TemporaryDirectory() as made, postgres() as elephant, redis() as herald:
        folder = Path(made)
        programs = sources(folder / "old", revision), sources(folder / "new")
        scene = Rolling(folder / "data", elephant, herald, seed)
        asyncio.run(rolled(scene, *programs, size))
    result = scene.result
    handed = [1000 * one for one in result.handed]
    return Result(
        "P19",
        part="rolling updates",
        unit="updates of two servers, there and back",
        size=result.did["replaced"] // 2,
        full=FULL,
        held=not result.found and max(handed, default=HANDED) < HANDED,
        counts={
            "acknowledged": result.acked,
            "inconsistencies found by the checker": len(result.found),
            "servers replaced": result.did["replaced"],
        },
        times={"tables handed over": handed},
        seed=seed,
        seconds=time.perf_counter() - began,
        command="scripts/promises --only updates",
        note=told_first(result.found) or f"From revision {revision} to that day's, and back.",
    )


def main() -> int:
    """Rehearse updates and keep the result; return 1 where something was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.rolling", description=__doc__)
    parser.add_argument("old", nargs="?", help="the revision that is updated from")
    parser.add_argument("--times", type=int, default=FULL)
    parser.add_argument("--seed", type=int, default=2026)
    chosen = parser.parse_args()
    result = updates(chosen.times, chosen.seed, chosen.old)
    keep(result)
    print(result.note)
    return 0 if result.held else 1


if __name__ == "__main__":
    sys.exit(main())
