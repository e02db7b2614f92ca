"""Long runs for the command line: who carries them out, and where they are noted."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

import typer

from rookery.about import code_version
from rookery.cli.arguments import Refused
from rookery.engine.targets import Target
from rookery.lab.run.jobs import Counted, Executor, Threads
from rookery.lab.run.journal import FileJournal, WrongJournal

JOURNAL: Final = "journal"


def executor_of(threads: int | None, cluster: str | None, target: Target) -> Executor:
    """Return who does the work: a cluster, or so many threads, all cores where None says so.

    Raises:
        Refused: threads and a cluster are named.
    """
    if cluster is not None and threads is not None:
        raise Refused("--threads and --cluster: one or the other, not both")
    if cluster is None:
        # A GPU takes one chunk at a time.
        return Threads(1 if target == "cuda" else threads)
    from rookery.lab.run.cluster import Cluster

    return Cluster(cluster)


def mark_of(run: Mapping[str, str | int]) -> str:
    """Return a mark of a run: the same for equal runs of this version, another for all others."""
    run = {**run, "version": code_version()}
    return sha256(json.dumps(run, sort_keys=True).encode()).hexdigest()[:16]


@contextmanager
def journal_of(run: Mapping[str, str | int], out: Path | None) -> Iterator[FileJournal | None]:
    """Give the journal of a run: in its folder, else in the cache; gone once the run is over.

    Its answer depends on all that is in `run`, and on the version of this program.
    """
    run = {**run, "version": code_version()}
    journal = _spare_journal(run) if out is None else FileJournal(out / JOURNAL, run)
    if journal is None:
        yield None
        return
    with journal:
        try:
            yield journal
        except KeyboardInterrupt:
            typer.echo("stopped; the same command goes on from here", err=True)
            raise
        journal.remove()


class _SpareJournal(FileJournal):
    """A journal that nobody asked for: where it cannot be written, the run goes on without."""

    def note(self, batch: Mapping[str, Counted]) -> None:
        with suppress(OSError):
            super().note(batch)

    def remove(self) -> None:
        with suppress(OSError):
            super().remove()
            self.path.parent.rmdir()


def _spare_journal(run: Mapping[str, str | int]) -> _SpareJournal | None:
    from rookery.engine.targets.numba import cache_folder

    folder = cache_folder() / "studies" / mark_of(run)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return _SpareJournal(folder / JOURNAL, run)
    except (OSError, WrongJournal):
        return None
