"""Which target runs kernels: what somebody asked for, else what the machine has."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from rookery.cli.main import app
from rookery.engine.targets import MissingTarget, choice, native
from rookery.engine.targets.choice import for_laboratory, for_table, wanted
from rookery.search.search import searching


@pytest.fixture(autouse=True)
def nobody_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ROOKERY_TARGET", raising=False)


def set_machine(
    monkeypatch: pytest.MonkeyPatch, folder: Path, *, library: bool, numba: bool
) -> None:
    """Let the machine have the native library, or Numba, or both, or neither."""

    def check(*_: object) -> None:
        if not library:
            raise MissingTarget("the native library is not here")

    monkeypatch.setattr(native, "check", check)
    monkeypatch.setattr(native, "LIBRARY", folder / "absent")
    monkeypatch.setattr(choice, "find_spec", lambda _name: object() if numba else None)
    choice._usable.cache_clear()


@pytest.mark.parametrize(
    ("library", "numba", "table", "laboratory"),
    [
        (True, True, "native", "soon"),
        (True, False, "native", "native"),
        (False, True, "numba", "numba"),
        (False, False, "python", "python"),
    ],
)
def test_a_table_wants_to_begin_and_the_laboratory_to_be_done(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    library: bool,
    numba: bool,
    table: str,
    laboratory: str,
) -> None:
    set_machine(monkeypatch, tmp_path, library=library, numba=numba)
    assert (for_table(), for_laboratory()) == (table, laboratory)
    if table == "python":
        with pytest.raises(MissingTarget, match="need the native library or numba"):
            searching()
        monkeypatch.setenv("ROOKERY_TARGET", "python")
    assert searching() == table
    choice._usable.cache_clear()


def test_the_variable_wins_and_what_is_not_here_is_one_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    set_machine(monkeypatch, tmp_path, library=False, numba=False)
    monkeypatch.setenv("ROOKERY_TARGET", " Python ")
    assert (wanted(), for_table(), for_laboratory()) == ("python",) * 3
    for written, line in (
        ("native", "ROOKERY_TARGET=native: the native library is not here"),
        ("numba", "ROOKERY_TARGET=numba: numba is not installed; rookery-cards[lab] brings it"),
        ("abacus", "ROOKERY_TARGET=abacus: expected python, native, numba"),
    ):
        monkeypatch.setenv("ROOKERY_TARGET", written)
        done = CliRunner().invoke(app, ["match", "--seats", "papa,hog", "--deals", "2"])
        assert (done.exit_code, done.stderr) == (2, f"{line}\n")
    # The option wins over the variable.
    done = CliRunner().invoke(
        app, ["match", "--seats", "papa,hog", "--deals", "2", "--target", "python"]
    )
    assert done.exit_code == 0, done.output
    refused = CliRunner().invoke(app, ["match", "--seats", "papa,hog", "--target", "native"])
    assert refused.stderr == "--target native: the native library is not here\n"
    choice._usable.cache_clear()


def test_a_library_that_is_there_in_vain_is_told_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    set_machine(monkeypatch, tmp_path, library=False, numba=True)
    (tmp_path / "absent").touch()
    assert (for_table(), for_table()) == ("numba", "numba")
    assert capsys.readouterr().err == "the native library is not here\n"
    choice._usable.cache_clear()
