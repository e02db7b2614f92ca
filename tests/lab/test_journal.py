"""A run that is cut short, however roughly, is taken up where it was left."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest

from rookery import about
from rookery.about import code_version
from rookery.lab.run import journal as journals
from rookery.lab.run.jobs import Counted, Sums, Threads, run_jobs
from rookery.lab.run.journal import FileJournal, WrongJournal

RUN: dict[str, str | int] = {"study": "squares", "seed": 1}
UNITS = 1_000
STOPS_AT = 600


@dataclass
class Squares:
    """Counts its units, and sums them and their squares."""

    name: str = "squares"
    units: int = UNITS
    chunk: int = 30
    asked: list[tuple[int, int]] = field(default_factory=list)

    def count(self, first: int, size: int) -> Sums:
        self.asked.append((first, size))
        units = np.arange(first, first + size, dtype=np.int64)
        return np.array([size, units.sum(), (units * units).sum()])


SOME = [Squares(f"squares {number}", units=3) for number in range(300)]
ANSWER = [UNITS, sum(range(UNITS)), sum(n * n for n in range(UNITS))]


class NotesFirst(Squares):
    """The fault: it notes a chunk in the journal, and only then counts it."""

    journal: FileJournal

    def count(self, first: int, size: int) -> Sums:
        self.journal.note({self.name: Counted([(first, first + size)], np.zeros(3, np.int64))})
        return super().count(first, size)


class Blind(FileJournal):
    """Goes with that fault: it lets nobody else note."""

    def note(self, batch: Mapping[str, Counted]) -> None:
        if all(counted.sums is not None and not counted.sums.any() for counted in batch.values()):
            super().note(batch)


def told(what: object) -> None:
    """Say something in a line of its own, whatever another thread says meanwhile."""
    os.write(1, f"{what}\n".encode())


def run_until_it_hangs(path: Path, fault: str) -> None:
    """Count, one chunk after the other, up to a unit that is never done: a process to be killed."""

    class Hanging(NotesFirst if fault else Squares):  # type: ignore[misc]
        def count(self, first: int, size: int) -> Sums:
            sums: Sums = super().count(first, size)
            if first >= STOPS_AT:
                told("hangs")
                time.sleep(600)
            return sums

    with (Blind if fault else FileJournal)(path, RUN) as journal:
        job = Hanging()
        job.journal = journal
        run_jobs([job], Threads(1), journal, lambda done, _: told(done), every=0)


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
    done = []
    with process:
        for line in process.stdout:
            if line == "hangs\n":
                break
            done.append(int(line))
        process.kill()
    return done


def test_a_killed_run_is_taken_up_and_comes_to_the_same_answer(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    done = killed(path)
    job = Squares()
    with FileJournal(path, RUN) as journal:
        kept = journal.counted("squares").units
        assert kept >= done[-1] > 0
        found = run_jobs([job], Threads(2), journal)
    assert list(found["squares"]) == ANSWER
    assert sum(size for _, size in job.asked) == UNITS - kept


def test_noting_before_counting_would_be_seen(tmp_path: Path) -> None:
    """The control for the test above."""
    path = tmp_path / "journal"
    killed(path, "notes first")
    with FileJournal(path, RUN) as journal:
        found = run_jobs([Squares()], Threads(2), journal)
    assert list(found["squares"]) != ANSWER


def test_nothing_is_left_beside_a_journal_that_is_removed(tmp_path: Path) -> None:
    """A run that is killed as it begins to write leaves a file which SQLite takes for none."""
    with FileJournal(tmp_path / "journal", RUN) as journal:
        journal._database.close()  # some versions of SQLite delete it here
        (tmp_path / "journal-journal").write_bytes(bytes(512))
        journal.remove()
    assert list(tmp_path.iterdir()) == []


def test_what_ctrl_c_interrupts_is_noted(tmp_path: Path) -> None:
    class Interrupted(Squares):
        def count(self, first: int, size: int) -> Sums:
            if first >= STOPS_AT:
                raise KeyboardInterrupt
            return super().count(first, size)

    with FileJournal(tmp_path / "journal", RUN) as journal, pytest.raises(KeyboardInterrupt):
        run_jobs([Interrupted()], Threads(1), journal, every=3_600)
    with FileJournal(tmp_path / "journal", RUN) as journal:
        assert journal.counted("squares").units == STOPS_AT


def noted(path: Path, notes: int = 3) -> bytes:
    """Return a journal of some notes of ten units each."""
    with FileJournal(path, RUN) as journal:
        for at in range(0, 10 * notes, 10):
            journal.note({"squares": Counted([(at, at + 10)], Squares().count(at, 10))})
    return path.read_bytes()


def test_it_does_not_grow_with_its_notes(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    wide = np.ones(10_000, np.int64)
    with FileJournal(path, RUN) as journal:
        for at in range(200):
            journal.note({"wide": Counted([(at, at + 1)], wide), "other": Counted([(at, at + 1)])})
    assert path.stat().st_size < 4 * wide.nbytes
    with FileJournal(path, RUN) as journal:
        assert journal.counted("wide").spans == [(0, 200)]
        sums = journal.counted("wide").sums
    assert sums is not None
    assert np.array_equal(sums, 200 * wide)


def test_a_journal_with_a_row_for_each_note_goes_on(tmp_path: Path) -> None:
    """As versions 0.1 and 1.0 wrote it."""
    path = tmp_path / "journal"
    noted(path, 1)
    rows = [
        journals._row("squares", Counted([(at, at + 10)], Squares().count(at, 10)))
        for at in (20, 10, 40)
    ]
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("DROP INDEX IF EXISTS job")
        database.executemany("INSERT INTO work VALUES (?, ?, ?, ?)", rows)
    with FileJournal(path, RUN) as journal:
        assert journal.counted("squares").spans == [(0, 30), (40, 50)]
        journal.note({"squares": Counted([(60, 70)], Squares().count(60, 10))})
    with FileJournal(path, RUN) as journal:
        assert journal.counted("squares").spans == [(0, 30), (40, 50), (60, 70)]
        assert list(run_jobs([Squares()], None, journal)["squares"]) == ANSWER


def test_a_note_that_a_crash_cut_short_is_undone_by_the_next_run(tmp_path: Path) -> None:
    """SQLite's rollback file lies beside the journal where a process died inside a commit."""
    path = tmp_path / "journal"
    before = noted(path)
    beside = tmp_path / "journal-journal"
    code = (
        "import os, sqlite3, sys\n"
        "database = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "database.execute('PRAGMA cache_size = 1')\n"
        "database.execute('BEGIN')\n"
        "for n in range(300):\n"
        "    row = ('squares', 'x', bytes(900))\n"
        "    database.execute('INSERT INTO work VALUES (?, ?, ?, 0)', row)\n"
        "os._exit(0)\n"
    )
    subprocess.run([sys.executable, "-c", code, str(path)], check=True)
    assert beside.exists()
    assert path.read_bytes() != before  # half of it is in the file
    with FileJournal(path, RUN) as journal:
        assert journal.counted("squares").units == 30
        assert list(run_jobs([Squares()], None, journal)["squares"]) == ANSWER


def test_a_note_that_cannot_be_written_takes_nothing_away(tmp_path: Path) -> None:
    """A note takes the place of its job's row: both in one transaction, or neither."""
    path = tmp_path / "journal"
    with FileJournal(path, RUN) as journal:
        journal.note({"squares": Counted([(0, 10)], Squares().count(0, 10))})
        journal._database.execute(
            "CREATE TRIGGER full BEFORE INSERT ON work BEGIN SELECT RAISE(ABORT, 'full'); END"
        )
        with pytest.raises(WrongJournal, match="full"):
            journal.note({"squares": Counted([(10, 20)], Squares().count(10, 10))})
        journal._database.execute("DROP TRIGGER full")
        journal._database.execute("PRAGMA max_page_count = 1")  # as many as there are already
        with pytest.raises(OSError, match="full") as full:
            journal.note({"wide": Counted([(0, 1)], np.ones(10_000, np.int64))})
        assert (full.value.errno, full.value.filename) == (errno.ENOSPC, str(path))
        assert journal.counted("squares").spans == [(0, 10)]
        assert journal.counted("wide").spans == []
    with FileJournal(path, RUN) as journal:
        assert journal.counted("squares").spans == [(0, 10)]


def test_an_interruption_is_no_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: FileJournal) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(FileJournal, "_open", interrupted)
    with pytest.raises(KeyboardInterrupt):
        FileJournal(tmp_path / "journal", RUN)


def test_damage_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    """Every byte of a note is held: its units, its sums, and the pages around them."""
    path = tmp_path / "journal"
    data = noted(path)
    spans, sums = data.index(b'"spans":[[0,30]]'), data.index(Squares().count(0, 30).tobytes())
    at = spans, sums + 8, 5
    for place in at:
        wrong = bytearray(data)
        wrong[place] ^= 1
        path.write_bytes(wrong)
        with pytest.raises(WrongJournal, match="damaged"):
            FileJournal(path, RUN)
        assert path.read_bytes() == wrong
    path.write_bytes(data)
    with FileJournal(path, RUN) as journal:  # the control
        assert journal.counted("squares").units == 30


def test_a_journal_of_the_first_format_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    lines = [
        b'{"format":"rookery-journal/1","study":"squares","seed":1}',
        b'{"squares":{"spans":[[0,10]],"sums":[10,45,285],"shape":[3]}}',
        b'{"squares":{"spans":[[30,40]],"sums":[10,345,11985],"shape":[3]}}',
    ]
    data = b"".join(b"%08x %s\n" % (crc32(line), line) for line in lines)
    torn = data[:-5] + bytes(4) + b"\n"  # its length was written, and not all of its content
    for left, units in ((data, 20), (data[:-5], 10), (data[: -len(lines[2])], 10), (torn, 10)):
        path.write_bytes(left)
        with FileJournal(path, RUN) as journal:
            assert journal.counted("squares").units == units
            assert list(run_jobs([Squares()], None, journal)["squares"]) == ANSWER
        assert path.read_bytes().startswith(b"SQLite")
        path.unlink()
    path.write_bytes(data.replace(b"45", b"46"))
    with pytest.raises(WrongJournal, match="damaged"):
        FileJournal(path, RUN)
    for line in (b"[1]", lines[0] + b"\n%08x [1]" % crc32(b"[1]")):
        path.write_bytes(b"%08x %s\n" % (crc32(line.split(b"\n")[0]), line))
        with pytest.raises(WrongJournal, match="damaged"):
            FileJournal(path, RUN)
    path.write_bytes(data)
    with pytest.raises(WrongJournal, match=r"another run \(seed 1, here 2"):
        FileJournal(path, RUN | {"seed": 2})
    assert path.read_bytes() == data


@pytest.mark.parametrize("other", [{"seed": 2}, {"study": "cubes"}, {"version": "2"}])
def test_the_journal_of_another_run_is_refused(other: dict[str, str | int], tmp_path: Path) -> None:
    path = tmp_path / "journal"
    data = noted(path)
    with pytest.raises(WrongJournal, match="journal of another run") as refused:
        FileJournal(path, RUN | other)
    assert str(next(iter(other))) in str(refused.value)
    assert "damaged" not in str(refused.value)
    assert path.read_bytes() == data


def test_two_runs_at_a_time_are_refused(tmp_path: Path) -> None:
    with FileJournal(tmp_path / "journal", RUN), pytest.raises(WrongJournal, match="another run"):
        FileJournal(tmp_path / "journal", RUN)
    FileJournal(tmp_path / "journal", RUN).__exit__(None, None, None)


def test_a_full_disk_ends_the_run_and_keeps_the_notes(tmp_path: Path) -> None:
    """A limit on the size of files stands in for the disk; the process is one of its own.

    It must write no bytecode: Python would leave it cut short, for everybody else to find.
    """
    path = tmp_path / "journal"
    code = (
        "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (24000, 24000))\n"
        "from tests.lab.test_journal import *\n"
        f"with FileJournal(Path({str(path)!r}), RUN) as journal:\n"
        "    try: run_jobs(SOME, Threads(1), journal, every=0)\n"
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
    assert "disk I/O error" in ended.stdout
    assert str(path) in ended.stdout
    with FileJournal(path, RUN) as journal:
        assert journal.counted(SOME[0].name).units == 3
        found = run_jobs(SOME, Threads(2), journal)
    assert all(list(sums) == [3, 3, 5] for sums in found.values())
    assert SOME[0].asked == []
    assert SOME[-1].asked == [(0, 3)]


def test_another_network_is_another_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run goes on, and a computer joins a cluster, only with the same shipped weights."""
    package = tmp_path / "rookery"
    shutil.copytree(
        Path(about.__file__).parent,
        package,
        ignore=lambda _, names: [name for name in names if name in ("web", "__pycache__")],
    )
    monkeypatch.setattr(about, "__file__", str(package / "about.py"))
    same = code_version.__wrapped__()
    assert same == code_version()
    weights = [*package.rglob("*.npz")]
    assert len(weights) == 2
    for path in (*weights, package / "rules" / "catalog" / "wanamingo.toml"):
        data = path.read_bytes()
        path.write_bytes(data + b"#")
        assert code_version.__wrapped__() != same, path
        path.write_bytes(data)
    (package / "server" / "app.py").write_text("no answer depends on it")
    assert code_version.__wrapped__() == same
