"""Make a folder of kept files: ``python -m tests.kept.making.everything FOLDER [PART...]``.

``v0_1`` was made with the program of commit e126b96, on Linux with Python 3.11. `backups` was given
the source of the commit before b4581cd, whose `rookery backup` wrote ``rookery-backup/1``.

``v1_0`` has the parts of which the names begin with `since`, made with the program of 1.0.0.
"""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from tests.kept.looks import kept, of_paths, of_person, of_table
from tests.kept.making import browser, files, runs, since, tables
from tests.kept.served import PROGRAM, brought_to_today, rookery, served

DATABASE: Final = "rookery.sqlite3"
# Who comes to each table again to look; Cy stays away where a bot plays for him.
COME: Final = {
    "finished": ("Ann", "Bob"),
    "mid_hand": ("Ann", "Cy"),
    "lobby": ("Bob", "Diana"),
    "six": ("Ann", "Bob", "Cy"),
    "eight": ("Ann", "Bob"),
    "undo": ("Ann", "Bob", "Cy"),
    "claim": ("Ann", "Bob", "Žofia"),
    "circus": ("Ann",),
    "calm": ("Ann",),
    "two": ("Ann",),
    "standard": ("Bob",),
    "low": ("Ann",),
}


def write(path: Path, value: Any, depth: int = 3) -> None:  # noqa: ANN401  (JSON)
    """Write JSON with so many levels laid out, and what lies deeper on one line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(_laid_out(value, depth, "") + "\n", "utf-8")


def _laid_out(value: Any, depth: int, indent: str) -> str:  # noqa: ANN401  (JSON)
    if not depth or not isinstance(value, dict | list) or not value:
        return json.dumps(value, ensure_ascii=False)
    more = indent + " "
    if isinstance(value, dict):
        parts = [
            f"{json.dumps(key, ensure_ascii=False)}: {_laid_out(one, depth - 1, more)}"
            for key, one in value.items()
        ]
    else:
        parts = [_laid_out(one, depth - 1, more) for one in value]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return f"{opening}\n{more}" + f",\n{more}".join(parts) + f"\n{indent}{closing}"


def make_tables(folder: Path) -> None:
    """Make the data folder of a server, and who holds which token."""
    data = folder / "data"
    shutil.rmtree(data, ignore_errors=True)
    with served(data) as server:
        tables.everything(server, folder / "people.json")


def make_looks(folder: Path) -> None:
    """Keep what these tables show, and their records as a browser saves them."""
    people = json.loads((folder / "people.json").read_text("utf-8"))
    tokens, codes = people["tokens"], people["tables"]
    with tempfile.TemporaryDirectory() as where:
        copy = Path(shutil.copytree(folder / "data", Path(where) / "data"))
        brought_to_today(copy / DATABASE)
        with served(copy) as server:
            # Before anybody comes, which changes when something last happened at a table.
            persons = {name: of_person(server, token) for name, token in tokens.items()}
            write(folder / "persons.json", persons, 2)
            for what, names in COME.items():
                with server.lines(codes[what], {name: tokens[name] for name in names}) as lines:
                    seen = of_table(server, codes[what], lines)
                write(folder / "tables" / f"{what}.json", seen)
                for match in seen["records"]:
                    path = folder / "records" / f"table_{what}_{match}.json"
                    path.parent.mkdir(exist_ok=True)
                    answer = server.browser().get(f"/api/tables/{codes[what]}/record?match={match}")
                    path.write_bytes(answer.content)


def make_backups(folder: Path, older: str | None = None) -> None:
    """Keep backups of the data folder, and what it was like for earlier programs."""
    data = folder / "data"
    with tempfile.TemporaryDirectory() as where:
        newest, oldest = Path(where) / "newest", Path(where) / "oldest"
        _packed(_told("backup", newest, "--data", data), newest, folder / "backup_2.sqlite3.gz")
        if older is not None:
            subprocess.run(
                [sys.executable, "-c", PROGRAM, "backup", str(oldest), "--data", str(data)],
                env={"PYTHONPATH": older}, check=True,
            )  # fmt: skip
            _packed("", oldest, folder / "backup_1.sqlite3.gz")
        for version in ("2", "1"):
            copy = Path(shutil.copytree(data, Path(where) / version))
            said = _told("database", "downgrade", version, "--data", copy)
            _packed(said, copy / DATABASE, folder / f"database_{version}.sqlite3.gz")


def _told(*words: str | Path) -> str:
    done = rookery(*words)
    assert done.returncode == 0, done.stderr
    return done.stdout


def _packed(said: str, path: Path, to: Path) -> None:
    print(said, end="")
    to.write_bytes(gzip.compress(path.read_bytes(), 9, mtime=0))


def make_files(folder: Path) -> None:
    """Keep house rules and records, and what the program says of them."""
    files.house_rules(folder / "rules", tables.SIX)
    shutil.copy(folder / "browser" / "downloaded.json", folder / "rules" / "downloaded.json")
    files.records(folder / "records", folder / "rules")
    rules, replays, proofs = {}, {}, {}
    for path in sorted((folder / "rules").glob("*.*")):
        rules[path.name] = files.document("rules", "show", path, "--json")
    for path in sorted((folder / "records").glob("*.json")):
        replays[path.name] = files.document("replay", path, "--json")
        if path.name.startswith("table_"):
            proofs[path.name] = files.document("verify-deal", path, "--json")
    name = "play_characters.json"
    write(folder / "records_continued.json", {name: files.continued(folder / "records" / name)})
    write(folder / "rules_shown.json", rules, 2)
    write(folder / "records_replayed.json", replays)
    write(folder / "records_verified.json", proofs, 2)


def make_browser(folder: Path) -> None:
    """Keep what a browser holds."""
    token = json.loads((folder / "people.json").read_text("utf-8"))["tokens"]["Ann"]
    with tempfile.TemporaryDirectory() as where:
        copy = Path(shutil.copytree(folder / "data", Path(where) / "data"))
        with served(copy) as server:
            browser.everything(server, token, tables.SIX, folder / "browser")


def make_runs(folder: Path) -> None:
    """Keep what interrupted runs leave."""
    runs.journals(folder / "runs", tuple(runs.RUNS))
    runs.ledger(folder / "holdout.sqlite")
    runs.course(folder / "course")


def make_since(folder: Path) -> None:
    """Keep what came after Rookery 0.1: a data folder, what it shows, and its backup."""
    data = folder / "data"
    shutil.rmtree(data, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    with served(data) as server:
        since.everything(server, folder)
    with tempfile.TemporaryDirectory() as where:
        copy = Path(shutil.copytree(data, Path(where) / "data"))
        brought_to_today(copy / DATABASE)
        with served(copy) as server:
            write(folder / "shown.json", of_paths(server, kept("people.json", folder)), 3)
        newest = Path(where) / "newest"
        _packed(_told("backup", newest, "--data", data), newest, folder / "backup_2.sqlite3.gz")


def make_since_files(folder: Path) -> None:
    """Keep what commands say of score sheets, results and deals that lie in ``files``."""
    asked = (
        *("evening score sheet.toml", "evening score sheet.json", "evening results results.toml"),
        *("verify-deal opened.json",),
    )
    found = {}
    for words in asked:
        command, _, name = words.rpartition(" ")
        found[words] = files.document(*command.split(), folder / "files" / name, "--json")
    write(folder / "read.json", found, 3)


def make_since_browser(folder: Path) -> None:
    """Keep what a browser holds after Rookery 0.1."""
    with tempfile.TemporaryDirectory() as where:
        copy = Path(shutil.copytree(folder / "data", Path(where) / "data"))
        brought_to_today(copy / DATABASE)
        with served(copy) as server:
            browser.since(server, kept("people.json", folder), folder)


PARTS: Final[dict[str, Callable[..., None]]] = {
    "tables": make_tables,
    "looks": make_looks,
    "backups": make_backups,
    "browser": make_browser,
    "files": make_files,
    "runs": make_runs,
    "since": make_since,
    "since_browser": make_since_browser,
    "since_files": make_since_files,
}

if __name__ == "__main__":
    root, *asked = sys.argv[1:]
    for part in asked or PARTS:
        name, _, given = part.partition("=")
        PARTS[name](Path(root), *([given] if given else []))
