"""Ctrl-C ends a command with status 130 and no trace, whatever it falls into."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from rookery.cli.main import app
from rookery.lab import bench

# As Python 3.11 passes on a Ctrl-C in `__set_name__`, for one while Matplotlib is imported.
FOREIGN = """
try:
    raise KeyboardInterrupt
except KeyboardInterrupt as stop:
    raise RuntimeError("Error calling __set_name__ on 'method'") from stop
"""


def falling_into(error: BaseException) -> None:
    raise RuntimeError("Error calling __set_name__ on 'method'") from error


def test_a_stop_that_an_import_has_wrapped_is_a_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "run_bench", lambda *_, **__: falling_into(KeyboardInterrupt()))
    done = CliRunner().invoke(app, ["bench"])
    assert (done.exit_code, done.stdout, done.stderr) == (130, "", "")


def test_the_control_a_fault_is_shown_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "run_bench", lambda *_, **__: falling_into(KeyError("x")))
    done = CliRunner().invoke(app, ["bench"])
    assert isinstance(done.exception, RuntimeError)


def test_a_stop_while_a_policy_is_imported_is_no_fault_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "slow_agent.py").write_text(FOREIGN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", ["", *__import__("sys").path])
    done = CliRunner().invoke(app, ["evaluate", "slow_agent:policy"])
    assert (done.exit_code, done.stdout, done.stderr) == (130, "", "")
