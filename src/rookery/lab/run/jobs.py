"""Work that is counted: jobs, cut into pieces, shared out among a crew, added up exactly.

A job's answer is a row of whole-number sums over numbered units, so neither the order in which
pieces come back, nor who counted them, nor how large they were changes a digit of it. A piece that
comes back twice counts once.
"""

from __future__ import annotations

import os
import time
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from operator import itemgetter
from typing import Final, Literal, NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

Target: TypeAlias = Literal["python", "numba", "cuda"]
"""Where kernels run."""
Sums: TypeAlias = npt.NDArray[np.int64]
Told: TypeAlias = Callable[[int, int], None]
"""Called with how many units are done, those of an earlier run among them, and how many in all."""

NOTED_EVERY: Final = 0.5  # seconds between two notes in a journal
AHEAD: Final = 2  # pieces on their way for each thread, so that none waits for the next


class Job(Protocol):
    """Something to count; see the module.

    Attributes:
        name: unique in a run and stable: it names the job in a journal.
        units: how many there are, numbered from 0.
        piece: how many a worker takes at a time; never changes the answer.
    """

    @property
    def name(self) -> str: ...  # noqa: D102  (an attribute)

    @property
    def units(self) -> int: ...  # noqa: D102

    @property
    def piece(self) -> int: ...  # noqa: D102

    def count(self, first: int, size: int) -> Sums:
        """Return the sums over units `first` to `first` + `size` - 1, shape (any, but fixed).

        Called by several threads at once, and in other processes: a job can be pickled. With a
        `size` of 0 it returns zeros, having made ready (compiled) what it needs.
        """


class Piece(NamedTuple):
    """Some units of a job, by the job's name, the first unit and how many."""

    job: str
    first: int
    size: int


class Crew(Protocol):
    """Who does the work: threads of this process, or other machines."""

    def work(
        self, jobs: Mapping[str, Job], pieces: Iterator[Piece]
    ) -> Iterator[tuple[Piece, Sums]]:
        """Yield every piece with its sums, in any order; one that was tried again maybe twice.

        Takes a piece from `pieces` only when somebody is free to do it soon.
        """


class Journal(Protocol):
    """Where finished work is noted, so that it outlives this process."""

    def counted(self, job: str) -> Counted:
        """Return what has been noted of a job."""

    def note(self, batch: Mapping[str, Counted]) -> None:
        """Note finished work; when this returns, it is safe."""


class Overlap(ValueError):
    """A piece holds some units that were counted and some that were not. Code: ``overlap``."""

    code = "overlap"


class Counted:
    """What has been counted of one job: which units, and the sums over them.

    >>> so_far = Counted()
    >>> so_far.add(0, 5, np.array([10])), so_far.add(0, 5, np.array([10]))
    (True, False)
    >>> so_far.units, so_far.sums, list(so_far.gaps(9))
    (5, array([10]), [(5, 9)])
    """

    def __init__(self, spans: Iterable[tuple[int, int]] = (), sums: Sums | None = None) -> None:
        """Start with the units of `spans`, disjoint and ascending, ends not included."""
        self.spans = list(spans)
        self.sums = sums

    @property
    def units(self) -> int:
        """Return how many units have been counted."""
        return sum(end - first for first, end in self.spans)

    def add(self, first: int, size: int, sums: Sums) -> bool:
        """Add a piece; return False, and add nothing, where it was counted before.

        Raises:
            Overlap: only a part of it was.
            OverflowError: a sum has become too large for 64 bits.
        """
        end = first + size
        at = bisect_right(self.spans, first, key=itemgetter(0))
        if at and end <= self.spans[at - 1][1]:
            return False
        before = at > 0 and self.spans[at - 1][1] > first
        if before or (at < len(self.spans) and self.spans[at][0] < end):
            raise Overlap(f"units {first} to {end - 1} were counted in part")
        self.sums = sums.copy() if self.sums is None else _added(self.sums, sums)
        if at < len(self.spans) and self.spans[at][0] == end:
            end = self.spans.pop(at)[1]
        if at and self.spans[at - 1][1] == first:
            at -= 1
            first = self.spans.pop(at)[0]
        self.spans.insert(at, (first, end))
        return True

    def merge(self, other: Counted) -> None:
        """Add all that `other` has counted, none of it counted here.

        Raises:
            Overlap, OverflowError: as `add`.
        """
        if other.sums is None:
            return
        nothing = np.zeros_like(other.sums)
        for i, (first, end) in enumerate(other.spans):
            if not self.add(first, end - first, nothing if i else other.sums):
                raise Overlap(f"units {first} to {end - 1} were counted before")

    def gaps(self, units: int) -> Iterator[tuple[int, int]]:
        """Yield what is left of units 0 to `units` - 1, as spans whose ends are not included."""
        at = 0
        for first, end in (*self.spans, (units, units)):
            if at < min(first, units):
                yield at, min(first, units)
            at = end


def _added(one: Sums, other: Sums) -> Sums:
    total: Sums = one + other
    if np.any(((one ^ total) & (other ^ total)) < 0):
        raise OverflowError("a sum has become too large for 64 bits")
    return total


def cores() -> int:
    """Return how many processor cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on Linux
        return os.cpu_count() or 1


class Threads:
    """A crew of threads in this process; compiled code lets them run side by side."""

    def __init__(self, threads: int | None = None) -> None:
        """Take `threads` threads, 1 or more; one a core where None."""
        self.threads = threads or cores()

    def work(
        self, jobs: Mapping[str, Job], pieces: Iterator[Piece]
    ) -> Iterator[tuple[Piece, Sums]]:
        """Yield every piece with its sums; see `Crew`. A fault in a job comes out here."""
        under_way: dict[Future[Sums], Piece] = {}
        pool = ThreadPoolExecutor(self.threads)
        try:
            for piece in pieces:
                job = jobs[piece.job]
                under_way[pool.submit(job.count, piece.first, piece.size)] = piece
                if len(under_way) >= AHEAD * self.threads:
                    yield from _finished(under_way)
            while under_way:
                yield from _finished(under_way)
        finally:
            pool.shutdown(cancel_futures=True)  # an interrupted run ends with the pieces in hand


def _finished(under_way: dict[Future[Sums], Piece]) -> Iterator[tuple[Piece, Sums]]:
    done, _ = wait(under_way, return_when=FIRST_COMPLETED)
    # What was finished beside a fault comes out before it, and can be noted.
    for future in sorted(done, key=lambda one: one.exception() is not None):
        yield under_way.pop(future), future.result()


def carry_out(
    jobs: Sequence[Job],
    crew: Crew | None = None,
    journal: Journal | None = None,
    progress: Told | None = None,
    *,
    every: float = NOTED_EVERY,
) -> dict[str, Sums]:
    """Count all jobs and return each one's sums by its name.

    Args:
        jobs: what to count, each with a name of its own.
        crew: who counts; threads on all cores where None.
        journal: what it holds is not counted again, and what is finished is noted in it.
        progress: told at the start, and whenever finished work has been noted.
        every: seconds after which finished work is noted and told.

    Raises:
        ValueError: two jobs have one name, or the journal knows more units of one than there are.
        OSError: the journal cannot be written; what it held before is still there.
    """
    by_name = {job.name: job for job in jobs}
    if len(by_name) != len(jobs):
        raise ValueError("two jobs of one run have the same name")
    total = {job.name: journal.counted(job.name) if journal else Counted() for job in jobs}
    for job in jobs:
        if total[job.name].spans and total[job.name].spans[-1][1] > job.units:
            raise ValueError(f"{job.name}: more than its {job.units} units have been counted")
    whole = sum(job.units for job in jobs)
    done = sum(counted.units for counted in total.values())
    batch: dict[str, Counted] = {}
    noted = time.monotonic()

    def note() -> None:
        nonlocal done, noted, batch
        fresh, batch = batch, {}
        if journal and fresh:
            journal.note(fresh)
        done += sum(counted.units for counted in fresh.values())
        noted = time.monotonic()
        if progress:
            progress(done, whole)

    note()
    work = (crew or Threads()).work(by_name, _cut(jobs, total))
    try:
        for (name, first, size), part in work:
            if total[name].add(first, size, part):
                batch.setdefault(name, Counted()).add(first, size, part)
            if time.monotonic() - noted >= every:
                note()
    finally:
        getattr(work, "close", lambda: None)()
        note()
    sums = {job.name: total[job.name].sums for job in jobs}
    return {job.name: job.count(0, 0) if (one := sums[job.name]) is None else one for job in jobs}


def _cut(jobs: Sequence[Job], total: Mapping[str, Counted]) -> Iterator[Piece]:
    """Return the pieces that are left to do, cut as they are asked for."""
    left = [(job, list(total[job.name].gaps(job.units))) for job in jobs]
    return (
        Piece(job.name, at, min(job.piece, end - at))
        for job, gaps in left
        for first, end in gaps
        for at in range(first, end, job.piece)
    )
