"""Jobs: work that is cut into chunks, counted by an executor and added up exactly.

A job's result is a row of whole-number sums over numbered units. So the order, the size and the
worker of the chunks never change the result. A chunk that comes back twice counts once.
"""

from __future__ import annotations

import os
import time
from bisect import bisect_right
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from operator import itemgetter
from queue import Empty, SimpleQueue
from threading import Event
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, TypeAlias, runtime_checkable

if TYPE_CHECKING:  # `rookery bench` counts cores and does without
    import numpy as np
    import numpy.typing as npt

Sums: TypeAlias = "npt.NDArray[np.int64]"
Progress: TypeAlias = Callable[[int, int], None]
"""Called with how many units are done, including those of an earlier run, and how many in all."""

NOTED_EVERY: Final = 0.5  # seconds between two notes in a journal
# Seconds between two looks whether there was a Ctrl-C: where Polars is loaded it wakes nobody.
AWAKE: Final = 0.5
AHEAD: Final = 2  # chunks queued for each thread, so that no thread waits for the next


class Job(Protocol):
    """Work to count; see the module.

    Attributes:
        name: unique in a run and stable, because a journal uses it.
        units: how many units there are, numbered from 0.
        chunk: how many a worker takes at a time; never changes the result.
    """

    @property
    def name(self) -> str: ...  # noqa: D102  (an attribute)

    @property
    def units(self) -> int: ...  # noqa: D102

    @property
    def chunk(self) -> int: ...  # noqa: D102

    def count(self, first: int, size: int, /) -> Sums:
        """Return the sums over units `first` to `first` + `size` - 1, shape (any, but fixed).

        It is called by several threads at once and in other processes, so a job can be pickled.
        With a `size` of 0 it compiles what it needs and returns zeros. It raises `BotFailed` where
        a bot cannot play at all.
        """


@runtime_checkable
class InParts(Job, Protocol):
    """A job whose chunks take long: what has been counted of one is noted and shown meanwhile."""

    def parts(self, first: int, size: int, /) -> Generator[tuple[int, Sums], None, None]:
        """Yield for the next units how many they are and their sums, until `size` are counted.

        It may be closed after any of them. Units that count only together are yielded with the last
        of them; 0 before lets a stop leave them.
        """


class Chunk(NamedTuple):
    """Consecutive units of a job: the job's name, the first unit and the number of units."""

    job: str
    first: int
    size: int


class Executor(Protocol):
    """Counts chunks, with threads of this process or on other machines."""

    def work(
        self, jobs: Mapping[str, Job], chunks: Iterator[Chunk]
    ) -> Iterator[tuple[Chunk, Sums]]:
        """Yield every chunk with its sums, in any order; a retried chunk may come twice.

        It takes a chunk from `chunks` only when a worker will soon be free for it.
        """


class Journal(Protocol):
    """Keeps finished work, so that an interrupted run can be resumed."""

    def counted(self, job: str) -> Counted:
        """Return the finished work of a job."""

    def note(self, batch: Mapping[str, Counted]) -> None:
        """Save finished work; it is on the disk when this returns."""


class Overlap(ValueError):
    """A chunk has units that were counted before and units that were not. Code: ``overlap``."""

    code = "overlap"


class Counted:
    """The counted units of one job, and the sums over them.

    >>> import numpy as np
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
        """Add a chunk and return True; return False where it was counted before.

        Raises:
            Overlap: only a part of it was counted before.
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
        """Add all that `other` has counted; the two must not overlap.

        Raises:
            Overlap, OverflowError: as `add`.
        """
        if other.sums is None:
            return
        nothing = other.sums * 0
        for i, (first, end) in enumerate(other.spans):
            if not self.add(first, end - first, nothing if i else other.sums):
                raise Overlap(f"units {first} to {end - 1} were counted before")

    def gaps(self, units: int) -> Iterator[tuple[int, int]]:
        """Yield the spans of units 0 to `units` - 1 that are not counted, ends not included."""
        at = 0
        for first, end in (*self.spans, (units, units)):
            if at < min(first, units):
                yield at, min(first, units)
            at = end


def _added(one: Sums, other: Sums) -> Sums:
    total: Sums = one + other
    if (((one ^ total) & (other ^ total)) < 0).any():
        raise OverflowError("a sum has become too large for 64 bits")
    return total


def cores() -> int:
    """Return how many processor cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on Linux
        return os.cpu_count() or 1


class Threads:
    """An executor with threads in this process; compiled code releases the GIL."""

    def __init__(self, threads: int | None = None) -> None:
        """Use `threads` threads, 1 or more; one for each core where None."""
        self.threads = threads or cores()

    def work(
        self, jobs: Mapping[str, Job], chunks: Iterator[Chunk]
    ) -> Iterator[tuple[Chunk, Sums]]:
        """Yield every chunk with its sums; see `Executor`. An error of a job is raised here."""
        found: SimpleQueue[tuple[Chunk, Sums] | BaseException | None] = SimpleQueue()
        stopped = Event()
        under_way = 0

        def count(chunk: Chunk) -> None:
            try:
                with closing(_in_parts(jobs[chunk.job], chunk)) as parts:
                    for part in parts:
                        if part[0].size:
                            found.put(part)
                        if stopped.is_set():
                            return
                found.put(None)
            except BaseException as error:
                found.put(error)

        def finished(most: int) -> Iterator[tuple[Chunk, Sums]]:
            """Yield what is counted until at most so many chunks are under way."""
            nonlocal under_way
            while under_way > most:
                try:
                    part = found.get(True, AWAKE)
                except Empty:
                    continue
                if isinstance(part, BaseException):
                    raise part
                if part is None:
                    under_way -= 1
                else:
                    yield part

        pool = ThreadPoolExecutor(self.threads)
        try:
            for chunk in chunks:
                pool.submit(count, chunk)
                under_way += 1
                yield from finished(AHEAD * self.threads - 1)
            yield from finished(0)
        except KeyboardInterrupt:  # what is being counted is finished, and counts
            stopped.set()
            pool.shutdown(cancel_futures=True)
            while not found.empty():
                if isinstance(part := found.get(), tuple):
                    yield part
            raise
        finally:
            stopped.set()
            pool.shutdown(cancel_futures=True)


def _in_parts(job: Job, chunk: Chunk) -> Generator[tuple[Chunk, Sums], None, None]:
    """Yield a chunk with its sums, or in turn the parts that its job counts it in."""
    if not isinstance(job, InParts):
        yield chunk, job.count(chunk.first, chunk.size)
        return
    at = chunk.first
    with closing(job.parts(chunk.first, chunk.size)) as parts:
        for size, sums in parts:
            yield Chunk(chunk.job, at, size), sums
            at += size


def run_jobs(
    jobs: Sequence[Job],
    executor: Executor | None = None,
    journal: Journal | None = None,
    progress: Progress | None = None,
    *,
    every: float = NOTED_EVERY,
    so_far: dict[str, Counted] | None = None,
) -> dict[str, Sums]:
    """Count all jobs and return each one's sums by its name.

    Args:
        jobs: what to count, each with a name of its own.
        executor: counts the chunks; threads on all cores where None.
        journal: units that it holds are not counted again; finished work is noted in it.
        progress: called at the start, and whenever finished work has been noted.
        every: seconds between two notes of finished work.
        so_far: gets what has been counted of each job, by name: all of it, or as much as there is
            when the run is stopped.

    Raises:
        ValueError: two jobs have one name, or the journal holds more units than a job has.
        OSError: the journal cannot be written; its earlier content is safe.
    """
    by_name = {job.name: job for job in jobs}
    if len(by_name) != len(jobs):
        raise ValueError("two jobs of one run have the same name")
    total = {job.name: journal.counted(job.name) if journal else Counted() for job in jobs}
    for job in jobs:
        if total[job.name].spans and total[job.name].spans[-1][1] > job.units:
            raise ValueError(f"{job.name}: more than its {job.units} units have been counted")
    if so_far is not None:
        so_far.update(total)
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
    work = (executor or Threads()).work(by_name, _cut(jobs, total))
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


def _cut(jobs: Sequence[Job], total: Mapping[str, Counted]) -> Iterator[Chunk]:
    """Yield the chunks that are left to count."""
    left = [(job, list(total[job.name].gaps(job.units))) for job in jobs]
    return (
        Chunk(job.name, at, min(job.chunk, end - at))
        for job, gaps in left
        for first, end in gaps
        for at in range(first, end, job.chunk)
    )
