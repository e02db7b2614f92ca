"""A first database that was restored, and the others, which it knows again."""

from __future__ import annotations

from pathlib import Path

from tests.server.spread.test_opening import Herd, opening
from tests.server.spread.test_opening import elephant as elephant
from tests.server.spread.test_opening import herd as herd
from typer.testing import CliRunner

from rookery.cli.main import app


def said(*words: str) -> str:
    """Return what a command says, with "done: " before it if it did what it should."""
    found = CliRunner().invoke(app, [*words])
    return found.output if found.exit_code else f"done: {found.output}"


def adopted(herd: Herd, letter: str, letters: str = "BC") -> str:
    """Return what `rookery database adopt` says."""
    given = [herd.first, *(f"{one}={url}" for one, url in herd.spread(letters))]
    return said("database", "adopt", letter, *(w for one in given for w in ("--database", one)))


def test_a_first_database_that_was_restored_knows_the_others_again(
    herd: Herd, tmp_path: Path
) -> None:
    file = str(tmp_path / "backup")
    assert opening(herd.first, *herd.spread("BC")) == ""
    assert said("backup", file, "--database", herd.first).startswith("done: ")
    herd._elephant.emptied()
    assert said("restore", file, "--database", herd.first).startswith("done: ")
    # A copy on trial has none of them, and a server that was started meanwhile changes nothing.
    assert "it is database B of others" in opening(herd.first, *herd.spread("BC"))
    for letter in "BC":
        assert adopted(herd, letter) == f"done: {letter} is known again\n"
    assert opening(herd.first, *herd.spread("BC")) == ""
    assert "is missing, and has tables" in opening(herd.first, *herd.spread("C"))
    assert adopted(herd, "B") == "done: B is known again\n"  # once more changes nothing


def test_what_is_of_other_servers_is_not_adopted(herd: Herd) -> None:
    herd.anew("D")
    assert opening(herd.first, *herd.spread("B")) == ""
    assert opening(herd.url("C"), *herd.spread("D")) == ""  # servers of their own
    assert "it is not of the same servers as database B" in adopted(herd, "D", "BD")
    assert "no --database is C=" in adopted(herd, "C", "B")
    assert "it is first of several; expected database C" in adopted(herd, "C")
    assert opening(herd.first, *herd.spread("B")) == ""
    assert opening(herd.url("C"), *herd.spread("D")) == ""
