"""Work of the laboratory that was interrupted: journals, the ledger of the holdout, a course."""

from __future__ import annotations

import json
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.kept.served import PROGRAM, rookery

STUDY = """\
name = "kept-study"
about = "Who is ahead, by the book and at our table?"
bots = ["papa", "rabbit"]
rules = ["kd_tournament", { base = "kd_tournament", bid_minimum = 60 }]
boards = 1500
seed = 11
questions = ["match"]
"""
PLAIN = ("--target", "python", "--threads", "1")
# By name: the words of the command, without --json and --out.
RUNS: dict[str, tuple[str, ...]] = {
    "match": ("match", "--seats", "papa,hog", "--deals", "700", "--seed", "5", *PLAIN),
    "study": ("study", "kept.toml", *PLAIN),
    "menagerie": ("study", "menagerie", "--games", "800", "--seed", "3", *PLAIN),
    "league": ("league", "--bots", "papa,hog,random", "--deals", "60000", "--seed", "5"),
}
LOOKS = {
    "done": ("papa,random", "30", "4"),
    "interrupted": ("hog,random", "100000", "9"),
}


def started(*words: str | Path, **more: Any) -> subprocess.Popen[str]:  # noqa: ANN401
    """Start a command."""
    command = [sys.executable, "-c", PROGRAM, *map(str, words)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, **more)


def once(what: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    """Return once `what()` is true while a process runs."""
    while not what():
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)


def journals(folder: Path, names: tuple[str, ...]) -> None:
    """Interrupt runs once some of their work is noted; keep what is left, and the whole answer."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "kept.toml").write_text(STUDY, "utf-8")
    for name in names:
        words = RUNS[name]
        out = folder / name
        journal = out / "journal"
        shutil.rmtree(out, ignore_errors=True)
        run = started(*words, "--out", out.resolve(), cwd=folder)

        def noted(journal: Path = journal) -> bool:
            return journal.exists() and journal.read_bytes().count(b"\n") >= 2

        once(noted, run)
        run.send_signal(signal.SIGINT)
        _, said = run.communicate()
        print(name, run.returncode, said, journal.stat().st_size, flush=True)
        assert [path.name for path in out.iterdir()] == ["journal"]
        whole = rookery(*words, "--json", cwd=folder)
        assert whole.returncode == 0, whole.stderr
        (out / "whole.json").write_text(whole.stdout, "utf-8")


def ledger(path: Path) -> None:
    """Look at the holdout once, and begin another look that is interrupted."""
    path.unlink(missing_ok=True)

    def words(seats: str, deals: str, seed: str) -> list[str | Path]:
        asked = ["--seats", seats, "--deals", deals, "--seed", seed, "--family", "holdout"]
        return ["match", *asked, "--ledger", path, *PLAIN]

    done = rookery(*words(*LOOKS["done"]))
    assert done.returncode == 0, done.stderr
    run = started(*words(*LOOKS["interrupted"]))

    def begun() -> bool:
        with closing(sqlite3.connect(path)) as rows:
            return len(rows.execute("SELECT * FROM looks").fetchall()) == 2

    once(begun, run)
    time.sleep(1)
    run.send_signal(signal.SIGINT)
    print(run.communicate())
    with closing(sqlite3.connect(path)) as rows:
        print(rows.execute("SELECT * FROM looks").fetchall())


def course(folder: Path) -> None:
    """Interrupt a course near its end; keep its checkpoint and the weights of a whole one."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    asked = ("train", "--preset", "ci", "--seed", "1")
    cut = folder / "cut"
    run = started(*asked, "--out", cut)

    def lines() -> int:
        notes = cut / "journal.jsonl"
        return notes.read_text("utf-8").count("\n") if notes.exists() else 0

    once(lambda: lines() >= 9, run)
    # A checkpoint is written after the first lesson that ends twenty seconds after the last one.
    run.send_signal(signal.SIGSTOP)
    time.sleep(21)
    run.send_signal(signal.SIGCONT)
    once(lambda: (cut / "course.npz").exists() or lines() == 12, run)
    run.kill()
    run.communicate()
    for name in ("course.npz", "journal.jsonl"):
        shutil.copy(cut / name, folder / name)
    shutil.rmtree(cut)
    done = rookery(*asked, "--out", folder / "whole", "--json")
    assert done.returncode == 0, done.stderr
    shutil.copy(folder / "whole" / "weights.npz", folder / "weights.npz")
    (folder / "whole.json").write_text(json.dumps(json.loads(done.stdout), indent=1), "utf-8")
    shutil.rmtree(folder / "whole")
