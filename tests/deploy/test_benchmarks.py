"""The programs that measure still start, and the one that no other test calls measures."""

from __future__ import annotations

import importlib.util
import io
import os
import runpy
import sys
from contextlib import redirect_stdout
from importlib.machinery import SourceFileLoader
from pathlib import Path

import pytest
from tests.deploy.stacks import ROOT

PROGRAMS = sorted(
    path
    for path in (ROOT / "benchmarks").iterdir()
    if path.is_file() and os.access(path, os.X_OK) and not path.suffix
)


@pytest.fixture(autouse=True)
def undone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take back what a program does to the path."""
    monkeypatch.setattr(sys, "path", list(sys.path))


def helped(program: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return what a program says of itself, all that it stands on imported."""
    monkeypatch.setattr(sys, "argv", [str(program), "--help"])
    out = io.StringIO()
    with redirect_stdout(out), pytest.raises(SystemExit) as ended:
        runpy.run_path(str(program), run_name="__main__")
    assert ended.value.code == 0
    return out.getvalue()


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.name)
def test_it_starts_and_says_how_it_is_called(
    program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if program.name == "solver":
        pytest.importorskip("endplay")
    assert "usage:" in helped(program, monkeypatch)


def test_they_are_all_here() -> None:
    assert {"bots", "match", "million", "run", "store"} <= {path.name for path in PROGRAMS}


def test_one_that_is_broken_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "million"
    sound = (ROOT / "benchmarks" / "million").read_text("utf-8")
    broken.write_text(sound.replace("PEOPLE, Room, Sheet", "PEOPLE, Room, Sheets"))
    with pytest.raises(ImportError, match="Sheets"):
        helped(broken, monkeypatch)


def test_what_a_table_costs_is_measured() -> None:
    path = ROOT / "benchmarks" / "million"
    loader = SourceFileLoader("measured_million", str(path))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    assert spec is not None
    million = importlib.util.module_from_spec(spec)
    loader.exec_module(million)
    assert isinstance(million.memory_of_tables(2), float)
    found = million.bytes_of_matches(1)
    assert found["hands"] >= 1
    assert found["events_a_hand"] > 20
    assert found["wire_bytes_a_screen"] > found["disk_bytes_an_event"] > 0
