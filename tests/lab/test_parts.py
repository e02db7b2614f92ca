"""What is counted of a long chunk is noted and shown on the way, and a stop loses little."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Any

import numpy as np
import pytest

from rookery.lab.run import jobs
from rookery.lab.run.jobs import Chunk, Counted, Sums, Threads, run_jobs


@dataclass
class Whole:
    """Counts a chunk of units at once."""

    name: str = "slow"
    units: int = 40
    chunk: int = 20

    def count(self, first: int, size: int) -> Sums:
        return np.array([size, first])


@dataclass
class Slow(Whole):
    """Counts its units one by one, a chunk of them all."""

    ended: int | None = None  # raises at this unit
    closed: list[int] = field(default_factory=list)

    def count(self, first: int, size: int) -> Sums:
        return sum((sums for _, sums in self.parts(first, size)), np.zeros(2, np.int64))

    def parts(self, first: int, size: int) -> Generator[tuple[int, Sums], None, None]:
        try:
            for unit in range(first, first + size):
                if unit == self.ended:
                    raise KeyboardInterrupt
                yield 1, np.array([1, unit])
        finally:
            self.closed.append(first)


@pytest.mark.parametrize("threads", [1, 3])
def test_parts_add_up_to_the_whole(threads: int) -> None:
    job = Slow()
    assert list(run_jobs([job], Threads(threads))["slow"]) == [40, sum(range(40))]
    assert sorted(job.closed) == [0, 20]


def test_each_part_is_shown() -> None:
    seen: list[int] = []
    run_jobs([Slow()], Threads(1), progress=lambda done, _: seen.append(done), every=0)
    assert seen == [*range(41), 40]
    # The control: a job that has no parts is shown by the chunk.
    seen.clear()
    run_jobs([Whole()], Threads(1), progress=lambda done, _: seen.append(done), every=0)
    assert seen == [0, 20, 40, 40]


def test_what_was_counted_before_a_stop_is_kept() -> None:
    so_far: dict[str, Counted] = {}
    with pytest.raises(KeyboardInterrupt):
        run_jobs([Slow(ended=33)], Threads(1), so_far=so_far)
    assert so_far["slow"].spans == [(0, 33)]
    assert list(so_far["slow"].sums) == [33, sum(range(33))]  # type: ignore[arg-type]


def test_what_is_being_counted_at_a_stop_is_finished_and_counts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun, stopped = threading.Event(), threading.Event()

    class Waiting(SimpleQueue[Any]):
        def get(self, *_: Any) -> Any:  # noqa: ANN401
            if not stopped.is_set():  # as by Ctrl-C, while this waits for what is under way
                assert begun.wait(20)
                stopped.set()
                raise KeyboardInterrupt
            return super().get()

    class Long:
        name, units, chunk = "long", 40, 1

        def count(self, first: int, size: int) -> Sums:
            begun.set()
            assert stopped.wait(20)
            return np.array([size, first])

    monkeypatch.setattr(jobs, "SimpleQueue", Waiting)
    so_far: dict[str, Counted] = {}
    with pytest.raises(KeyboardInterrupt):
        run_jobs([Long()], Threads(1), so_far=so_far)
    assert so_far["long"].spans == [(0, 1)]


def test_a_stop_waits_for_the_part_under_way_and_no_longer() -> None:
    begun, go = threading.Event(), threading.Event()

    class Long(Slow):
        def parts(self, first: int, size: int) -> Generator[tuple[int, Sums], None, None]:
            for part in super().parts(first, size):
                yield part
                if not begun.is_set():
                    begun.set()
                    assert go.wait(20)

    job = Long(units=20)
    work = Threads(1).work({"slow": job}, iter([Chunk(job.name, 0, job.units)]))
    next(iter(work))
    assert begun.wait(20)
    threading.Timer(0.05, go.set).start()
    work.close()  # type: ignore[attr-defined]
    assert job.closed == [0]


@pytest.fixture
def own_handler() -> Iterator[None]:
    """Have Python itself hear of Ctrl-C: Polars puts something of its own before it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("own_handler")
def test_a_stop_leaves_a_chunk_that_counts_only_whole() -> None:
    """As a hundred deals of a data set; and it wakes nobody, as where Polars has been imported."""
    played: list[int] = []

    class Whole(Slow):
        def parts(self, first: int, size: int) -> Generator[tuple[int, Sums], None, None]:
            for unit in super().parts(first, size):
                yield 0, unit[1] * 0
                played.append(first)
                if size == 1000 and len(played) == 8:
                    signal.raise_signal(signal.SIGINT)
                time.sleep(0.005)
            yield size, np.array([size, first])

    whole = run_jobs([Whole(units=6, chunk=3)], Threads(1))["slow"]
    assert (list(whole), len(played)) == ([6, 3], 6)
    job, so_far = Whole(units=1000, chunk=1000), dict[str, Counted]()
    with pytest.raises(KeyboardInterrupt):
        run_jobs([job], Threads(1), so_far=so_far)
    assert so_far["slow"].spans == []
    assert job.closed == [0]
    assert len(played) < 500
