"""Work is shared out, comes back in any order, and adds up to the same numbers."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rookery.lab.run.jobs import Chunk, Counted, Job, Overlap, Sums, Threads, run_jobs


@dataclass
class Squares:
    """Counts its units, and sums them and their squares."""

    name: str = "squares"
    units: int = 1_000
    chunk: int = 30
    asked: list[tuple[int, int]] = field(default_factory=list)

    def count(self, first: int, size: int) -> Sums:
        self.asked.append((first, size))
        units = np.arange(first, first + size, dtype=np.int64)
        return np.array([size, units.sum(), (units * units).sum()])


def answer(units: int) -> list[int]:
    return [units, sum(range(units)), sum(n * n for n in range(units))]


class Stammering:
    """An executor that works in a random order and hands in every third chunk twice."""

    def work(
        self, jobs: Mapping[str, Job], chunks: Iterator[Chunk]
    ) -> Iterator[tuple[Chunk, Sums]]:
        taken = list(chunks)
        taken += taken[::3]
        random.Random(4).shuffle(taken)
        for chunk in taken:
            yield chunk, jobs[chunk.job].count(chunk.first, chunk.size)


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("chunk", [1, 7, 30, 5_000])
def test_the_sums_do_not_depend_on_who_counts_or_in_what_pieces(threads: int, chunk: int) -> None:
    jobs = [Squares("a", 100, chunk), Squares("b", 77, chunk), Squares("c", 0, chunk)]
    found = run_jobs(jobs, Threads(threads))
    assert {name: list(sums) for name, sums in found.items()} == {
        "a": answer(100),
        "b": answer(77),
        "c": answer(0),
    }


def test_every_unit_is_asked_for_once() -> None:
    job = Squares()
    run_jobs([job], Threads(3))
    assert sorted(unit for first, size in job.asked for unit in range(first, first + size)) == list(
        range(1_000)
    )


def test_what_is_handed_in_twice_counts_once() -> None:
    found = run_jobs([Squares(), Squares("other", 50)], Stammering())
    assert list(found["squares"]) == answer(1_000)
    assert list(found["other"]) == answer(50)


def test_counting_twice_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control for the test above: a total that forgets which chunks it has."""

    def forgetful(self: Counted, first: int, size: int, sums: Sums) -> bool:
        self.sums = sums if self.sums is None else self.sums + sums
        return True

    monkeypatch.setattr(Counted, "add", forgetful)
    assert list(run_jobs([Squares()], Stammering())["squares"]) != answer(1_000)


def test_threads_take_no_more_pieces_than_they_will_soon_do() -> None:
    taken: list[Chunk] = []
    go = threading.Event()

    class Waiting(Squares):
        def count(self, first: int, size: int) -> Sums:
            assert go.wait(20)
            return super().count(first, size)

    def chunks() -> Iterator[Chunk]:
        for at in range(100):
            taken.append(Chunk("squares", at, 1))
            if len(taken) == 4:  # two for each thread: the executor now waits for one to be done
                go.set()
            yield taken[-1]

    work = Threads(2).work({"squares": Waiting()}, chunks())
    next(work)
    assert len(taken) == 4
    assert len(list(work)) == 99


def test_a_fault_in_a_job_comes_out_and_ends_the_work() -> None:
    class Broken(Squares):
        def count(self, first: int, size: int) -> Sums:
            if first >= 300:
                raise ZeroDivisionError("in unit 300")
            return super().count(first, size)

    job = Broken(units=100_000)
    with pytest.raises(ZeroDivisionError, match="unit 300"):
        run_jobs([job], Threads(2))
    assert sum(size for _, size in job.asked) == 300


def test_progress_goes_from_nothing_to_all() -> None:
    told: list[tuple[int, int]] = []
    run_jobs([Squares()], Threads(2), progress=lambda *both: told.append(both), every=0)
    assert told[0] == (0, 1_000)
    assert told[-1] == (1_000, 1_000)
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert len(told) > 10


def test_two_jobs_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="same name"):
        run_jobs([Squares(), Squares()])


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(1, 15))))
def test_units_are_counted_once_or_the_piece_is_refused(chunks: list[tuple[int, int]]) -> None:
    counted, units = Counted(), set[int]()
    for first, size in chunks:
        new = set(range(first, first + size))
        if new <= units:
            assert not counted.add(first, size, np.array([sum(new)]))
        elif new & units:
            with pytest.raises(Overlap):
                counted.add(first, size, np.array([sum(new)]))
        else:
            assert counted.add(first, size, np.array([sum(new)]))
            units |= new
    assert {unit for first, end in counted.spans for unit in range(first, end)} == units
    assert counted.spans == sorted(counted.spans)
    assert all(one[1] < other[0] for one, other in pairwise(counted.spans))
    assert counted.units == len(units)
    assert (0 if counted.sums is None else counted.sums[0]) == sum(units)
    gaps = {unit for first, end in counted.gaps(70) for unit in range(first, end)}
    assert gaps == set(range(70)) - units
    other = Counted()
    other.merge(counted)
    assert (other.spans, other.sums) == (counted.spans, counted.sums)
    if units:
        with pytest.raises(Overlap):
            other.merge(counted)


def test_a_sum_too_large_for_64_bits_is_refused() -> None:
    counted = Counted()
    counted.add(0, 1, np.array([2**62]))
    with pytest.raises(OverflowError):
        counted.add(1, 1, np.array([2**62]))
