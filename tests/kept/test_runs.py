"""Interrupted runs of the laboratory: journals, the ledger of the holdout, a course, and weights.

What a journal holds counts for the code alone that wrote it, so its first line names the version of
that code, with a mark of its sources. Another program therefore refuses it in one line that says
what to do, and leaves it as it is; that has to stay so, whatever journals look like one day.

The same journal under the program's own version has to be taken up, and its run to end with the
figures of a whole one. A program that writes its journals in another way reads these all the same,
or refuses them in the same one line; it never begins anew over one without a word.
"""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, TypeAlias
from zlib import crc32

import numpy as np
import pytest
from tests.kept.looks import V0_1, kept, missing
from typer.testing import CliRunner, Result

from rookery.cli.main import app
from rookery.learn.weights import read_weights

PLAIN = ("--target", "python", "--threads", "1")
# How each run was begun; ``making/runs.py`` says the same.
RUNS = {
    "match": ("match", "--seats", "papa,hog", "--deals", "700", "--seed", "5", *PLAIN),
    "study": ("study", str(V0_1 / "runs" / "kept.toml"), *PLAIN),
    "menagerie": ("study", "menagerie", "--games", "800", "--seed", "3", *PLAIN),
    "league": ("league", "--bots", "papa,hog,random", "--deals", "60000", "--seed", "5"),
}
ALL = [pytest.param(name, marks=pytest.mark.numba) if name == "league" else name for name in RUNS]
# What 0.1 said otherwise. The Menagerie's intervals were not Student's, and in a league all pairs
# played the same deals: the first pair still plays those, and it alone is in the journal. A match
# says where its bots stand in the kept league, which is played again when a bot learns more.
OTHERWISE = {
    "match": re.compile(r"places\.[01]:"),
    "menagerie": re.compile(r"ci95\."),
    "league": re.compile(
        r"leagues\.0\.((points|ci95|boards_won)\.([01]\.2|2\.[01])|against_mix\.2|decisions):"
    ),
}


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(app, [*map(str, words)])


def refusal(*words: str | Path) -> str:
    """Return the one line in which a command refuses."""
    done = run(*words)
    assert (done.exit_code, done.stdout) == (2, ""), done.output
    (line,) = done.stderr.splitlines()
    return str(line)


@pytest.fixture
def out(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """Return a folder with the journal of a run that was interrupted."""
    folder = tmp_path / "out"
    folder.mkdir()
    shutil.copy(V0_1 / "runs" / request.getfixturevalue("name") / "journal", folder)
    return folder


@pytest.mark.parametrize("name", ALL)
def test_a_journal_of_other_code_is_refused_and_left(name: str, out: Path) -> None:
    before = (out / "journal").read_bytes()
    line = refusal(*RUNS[name], "--out", out)
    assert str(out / "journal") in line
    assert "another run" in line
    assert line.endswith("choose another folder, or delete it to begin anew")
    assert {path.name: path.read_bytes() for path in out.iterdir()} == {"journal": before}


def adopted(journal: Path, *words: str | Path) -> None:
    """Have the first line of a journal say what the program itself would, as its refusals say."""
    head, rest = journal.read_bytes().split(b"\n", 1)
    named: dict[str, Any] = json.loads(head.partition(b" ")[2])
    for name in ("match", "rules", "version"):
        if name in named:
            line = refusal(*words)
            if f"({name} {named[name]}, here " in line:
                named[name] = line.split(f"({name} {named[name]}, here ")[1].rsplit("); ", 1)[0]
                text = json.dumps(named, separators=(",", ":")).encode()
                journal.write_bytes(b"%08x %s\n" % (crc32(text), text) + rest)


@pytest.mark.parametrize("name", ALL)
def test_a_journal_is_taken_up_and_comes_to_the_same_figures(name: str, out: Path) -> None:
    adopted(out / "journal", *RUNS[name], "--out", out)
    done = run(*RUNS[name], "--out", out, "--json")
    assert done.exit_code == 0, done.output
    assert "resumed: " in done.stderr
    before, now = kept(f"runs/{name}/whole.json"), json.loads(done.stdout)
    before.pop("seconds", None)
    found = missing(before, now)
    if name in OTHERWISE:
        found = [one for one in found if not OTHERWISE[name].match(one)]
    assert found == []
    assert not (out / "journal").exists()


def test_what_a_journal_holds_is_not_played_again(tmp_path: Path) -> None:
    """A journal whose figures are others comes to others."""
    shutil.copy(V0_1 / "runs" / "match" / "journal", tmp_path)
    journal = tmp_path / "journal"
    lines = []
    for line in journal.read_bytes().splitlines():
        held = json.loads(line.partition(b" ")[2])
        for job, counted in held.items():
            if job == "boards 0 to 24":
                counted["sums"][1] += 7_000
        text = json.dumps(held, separators=(",", ":")).encode()
        lines.append(b"%08x %s\n" % (crc32(text), text))
    journal.write_bytes(b"".join(lines))
    adopted(journal, *RUNS["match"], "--out", tmp_path)
    done = run(*RUNS["match"], "--out", tmp_path, "--json")
    before = kept("runs/match/whole.json")["difference"]["mean"]
    assert json.loads(done.stdout)["difference"]["mean"] == pytest.approx(before + 5.0)


LOOK = ("match", "--seats", "papa,random", "--family", "holdout", "--deals", "4", *PLAIN)
Looked: TypeAlias = list[tuple[str | None, ...]]


def looked(ledger: Path) -> Looked:
    with closing(sqlite3.connect(ledger)) as rows:
        return rows.execute("SELECT question, asked, begun, outcome FROM looks").fetchall()


def of_this_question(ledger: Path, outcome: str, **changed: str) -> None:
    """Have a look that was kept be of `LOOK`, as if the code had stayed as it was.

    What names a question is a hash of the code as well: other code may look again.
    """
    fresh = ledger.with_name("fresh.sqlite")
    assert run(*LOOK, "--ledger", fresh).exit_code == 0
    changed["question"] = str(looked(fresh)[0][0])
    with closing(sqlite3.connect(ledger)) as rows, rows:
        for column, value in changed.items():
            rows.execute(f"UPDATE looks SET {column} = ? WHERE {outcome}", (value,))  # noqa: S608


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """Return a copy of the ledger: one look done, and one interrupted."""
    return Path(shutil.copy(V0_1 / "holdout.sqlite", tmp_path))


def test_the_ledger_of_the_holdout_is_added_to(ledger: Path) -> None:
    before = looked(ledger)
    done = run(*LOOK, "--seats", "rabbit,random", "--ledger", ledger)
    assert done.exit_code == 0, done.output
    assert looked(ledger)[:2] == before
    assert len(looked(ledger)) == 3


@pytest.mark.parametrize(
    ("outcome", "showed"),
    [
        ("outcome NOT NULL", "seed 4, 30 deals: +181.67, +176.97 to +186.36"),
        ("outcome IS NULL", "seed 9, 100000 deals: interrupted; only the same may be begun again"),
    ],
)
def test_a_question_that_was_looked_at_is_not_looked_at_again(
    ledger: Path, outcome: str, showed: str
) -> None:
    of_this_question(ledger, outcome)
    line = refusal(*LOOK, "--ledger", ledger)
    assert "used for this question on 2026-11-22" in line
    assert showed in line


def test_what_a_look_has_shown_is_not_looked_at_again_with_the_same_words(ledger: Path) -> None:
    of_this_question(ledger, "outcome NOT NULL", asked="seed 1, 4 deals")
    assert "(seed 1, 4 deals: +181.67, " in refusal(*LOOK, "--ledger", ledger)


def test_an_interrupted_look_is_begun_again_with_the_same_words(ledger: Path) -> None:
    of_this_question(ledger, "outcome IS NULL", asked="seed 1, 4 deals")
    before = looked(ledger)[1]
    assert before[3] is None
    assert run(*LOOK, "--ledger", ledger).exit_code == 0
    (*now, outcome) = looked(ledger)[1]
    assert tuple(now) == before[:3]
    assert outcome is not None


@pytest.mark.numba
def test_a_course_is_taken_up_from_its_checkpoint(tmp_path: Path) -> None:
    """The little that is left of it moves its weights little: they are near a whole course's."""
    for name in ("course.npz", "journal.jsonl"):
        shutil.copy(V0_1 / "course" / name, tmp_path)
    asked = ("train", "--preset", "ci", "--seed", "1", "--out", tmp_path)
    done = run(*asked, "--resume", "--json")
    assert done.exit_code == 0, done.output
    assert "resumed: " in done.stderr
    assert "begun by another version of Rookery" in done.stderr
    before, now = kept("course/whole.json"), json.loads(done.stdout)
    for passing in ("weights", "cpu_s", "exam"):
        del before[passing]
    assert missing(before, now) == []
    assert len((tmp_path / "journal.jsonl").read_text("utf-8").splitlines()) == 12
    whole, again = (read_weights(path / "weights.npz").net for path in (V0_1 / "course", tmp_path))
    for one, other in zip(whole, again, strict=True):
        assert np.allclose(one, other, atol=0.01)


def test_weights_are_read() -> None:
    found = read_weights(V0_1 / "course" / "weights.npz")
    assert found.facts["decisions"] == 10_800
    assert found.net.table.shape[1] == found.net.card.shape[1] == 16
    with np.load(V0_1 / "course" / "weights.npz") as arrays:
        for name, array in found.net._asdict().items():
            assert np.array_equal(array, arrays[name])
