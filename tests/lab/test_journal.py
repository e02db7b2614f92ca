"""A run that is cut short, however roughly, is taken up where it was left."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from rookery.lab.run.jobs import Counted, Sums, Threads, carry_out
from rookery.lab.run.journal import MANY, FileJournal, WrongJournal

RUN: dict[str, str | int] = {"study": "squares", "seed": 1}
UNITS = 1_000
STOPS_AT = 600


@dataclass
class Squares:
    """Counts its units, and sums them and their squares."""

    name: str = "squares"
    units: int = UNITS
    piece: int = 30
    asked: list[tuple[int, int]] = field(default_factory=list)

    def count(self, first: int, size: int) -> Sums:
        self.asked.append((first, size))
        units = np.arange(first, first + size, dtype=np.int64)
        return np.array([size, units.sum(), (units * units).sum()])


ANSWER = [UNITS, sum(range(UNITS)), sum(n * n for n in range(UNITS))]


class NotesFirst(Squares):
    """The fault: it notes a piece in the journal, and only then counts it."""

    journal: FileJournal

    def count(self, first: int, size: int) -> Sums:
        self.journal.note({self.name: Counted([(first, first + size)], np.zeros(3, np.int64))})
        return super().count(first, size)


class Blind(FileJournal):
    """Goes with that fault: it lets nobody else note."""

    def note(self, batch: Mapping[str, Counted]) -> None:
        if all(counted.sums is not None and not counted.sums.any() for counted in batch.values()):
            super().note(batch)


def run_until_it_hangs(path: Path, fault: str) -> None:
    """Count, one piece after the other, up to a unit that is never done: a process to be killed."""

    class Hanging(NotesFirst if fault else Squares):  # type: ignore[misc]
        def count(self, first: int, size: int) -> Sums:
            sums: Sums = super().count(first, size)
            if first >= STOPS_AT:
                print("hangs", flush=True)
                time.sleep(600)
            return sums

    with (Blind if fault else FileJournal)(path, RUN) as journal:
        job = Hanging()
        job.journal = journal
        carry_out([job], Threads(1), journal, lambda done, _: print(done, flush=True), every=0)


def killed(path: Path, fault: str = "") -> list[int]:
    """Kill such a process while it hangs, and return what it had reported as done."""
    code = (
        f"from tests.lab.test_journal import *; run_until_it_hangs(Path({str(path)!r}), {fault!r})"
    )
    root = Path(__file__).parents[2]
    process = subprocess.Popen(
        [sys.executable, "-B", "-c", code],
        cwd=root,
        env={**os.environ, "PYTHONPATH": f"{root}:{root / 'src'}"},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    told = []
    with process:
        for line in process.stdout:
            if line == "hangs\n":
                break
            told.append(int(line))
        process.kill()
    return told


def test_a_killed_run_is_taken_up_and_comes_to_the_same_answer(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    told = killed(path)
    job = Squares()
    with FileJournal(path, RUN) as journal:
        kept = journal.counted("squares").units
        assert kept >= told[-1] > 0
        found = carry_out([job], Threads(2), journal)
    assert list(found["squares"]) == ANSWER
    assert sum(size for _, size in job.asked) == UNITS - kept


def test_noting_before_counting_would_be_seen(tmp_path: Path) -> None:
    """The control for the test above."""
    path = tmp_path / "journal"
    killed(path, "notes first")
    with FileJournal(path, RUN) as journal:
        found = carry_out([Squares()], Threads(2), journal)
    assert list(found["squares"]) != ANSWER


def test_what_ctrl_c_interrupts_is_noted(tmp_path: Path) -> None:
    class Interrupted(Squares):
        def count(self, first: int, size: int) -> Sums:
            if first >= STOPS_AT:
                raise KeyboardInterrupt
            return super().count(first, size)

    with FileJournal(tmp_path / "journal", RUN) as journal, pytest.raises(KeyboardInterrupt):
        carry_out([Interrupted()], Threads(1), journal, every=3_600)
    with FileJournal(tmp_path / "journal", RUN) as journal:
        assert journal.counted("squares").units == STOPS_AT


def noted(path: Path, notes: int = 3) -> bytes:
    """Return a journal of some notes of ten units each."""
    with FileJournal(path, RUN) as journal:
        for at in range(0, 10 * notes, 10):
            journal.note({"squares": Counted([(at, at + 10)], Squares().count(at, 10))})
    return path.read_bytes()


def test_a_journal_cut_anywhere_keeps_every_whole_note(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    data = noted(path)
    ends = [i + 1 for i in range(len(data)) if data[i : i + 1] == b"\n"]
    for cut in range(len(data) + 1):
        path.write_bytes(data[:cut])
        whole = sum(end <= cut for end in ends)
        with FileJournal(path, RUN) as journal:
            assert journal.counted("squares").units == 10 * max(0, whole - 1)
            journal.note({"squares": Counted([(90, 99)], np.zeros(3, np.int64))})
        with FileJournal(path, RUN) as journal:
            assert journal.counted("squares").units == 10 * max(0, whole - 1) + 9


def test_a_last_line_of_which_not_all_was_written_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    data = noted(path)
    path.write_bytes(data[:-20] + bytes(19) + b"\n")
    with FileJournal(path, RUN) as journal:
        assert journal.counted("squares").units == 20


@pytest.mark.parametrize("at", [3, 40, 120])
def test_damage_in_the_middle_is_refused(at: int, tmp_path: Path) -> None:
    path = tmp_path / "journal"
    data = bytearray(noted(path))
    data[at] ^= 1
    path.write_bytes(data)
    with pytest.raises(WrongJournal, match=r"journal: line \d is damaged; delete the file"):
        FileJournal(path, RUN)
    assert path.read_bytes() == data


@pytest.mark.parametrize("other", [{"seed": 2}, {"study": "cubes"}, {"version": "2"}])
def test_the_journal_of_another_run_is_refused(other: dict[str, str | int], tmp_path: Path) -> None:
    path = tmp_path / "journal"
    data = noted(path)
    with pytest.raises(WrongJournal, match="journal of another run") as refused:
        FileJournal(path, RUN | other)
    assert str(next(iter(other))) in str(refused.value)
    assert path.read_bytes() == data


def test_two_runs_at_a_time_are_refused(tmp_path: Path) -> None:
    with FileJournal(tmp_path / "journal", RUN), pytest.raises(WrongJournal, match="another run"):
        FileJournal(tmp_path / "journal", RUN)
    FileJournal(tmp_path / "journal", RUN).__exit__(None, None, None)


def test_a_long_journal_is_shortened_when_it_is_taken_up(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    long = len(noted(path, MANY + 10))
    with FileJournal(path, RUN) as journal:
        assert journal.counted("squares").units == 10 * (MANY + 10)
    assert len(path.read_bytes()) < long / 10
    with FileJournal(path, RUN) as journal:
        assert list(carry_out([Squares()], None, journal)["squares"]) == ANSWER


def test_a_full_disk_ends_the_run_and_keeps_the_notes(tmp_path: Path) -> None:
    """A limit on the size of files stands in for the disk; the process is one of its own.

    It must write no bytecode: Python would leave it cut short, for everybody else to find.
    """
    path = tmp_path / "journal"
    code = (
        "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1500, 1500))\n"
        "from tests.lab.test_journal import *\n"
        f"with FileJournal(Path({str(path)!r}), RUN) as journal:\n"
        "    try: carry_out([Squares()], Threads(1), journal, every=0)\n"
        "    except OSError as error: print(error)\n"
    )
    root = Path(__file__).parents[2]
    ended = subprocess.run(
        [sys.executable, "-B", "-c", code],
        cwd=root,
        env={**os.environ, "PYTHONPATH": f"{root}:{root / 'src'}"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "File too large" in ended.stdout
    assert str(path) in ended.stdout
    job = Squares()
    with FileJournal(path, RUN) as journal:
        assert journal.counted("squares").units > 0
        assert list(carry_out([job], Threads(2), journal)["squares"]) == ANSWER
    assert sum(size for _, size in job.asked) < UNITS
