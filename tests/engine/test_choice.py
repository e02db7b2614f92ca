"""Which target runs kernels: what somebody asked for, else what the machine has."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from rookery.cli.main import app
from rookery.engine.deal import shuffle
from rookery.engine.targets import MissingTarget, Target, choice, load, native
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
        with pytest.raises(MissingTarget, match="needs the native library or numba"):
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


@pytest.mark.parametrize(
    "words",
    [
        *(["rules", "list"], ["odds", "suit", "5"], ["replay", "none.json"], ["lessons", "check"]),
        *(["bench"], ["schema", "view"], ["puzzles", "list"], ["train", "--out", "none"]),
    ],
    ids=lambda words: words[0],
)
def test_every_command_refuses_a_target_that_is_not_here(
    words: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    set_machine(monkeypatch, tmp_path, library=False, numba=False)
    for written, told in (
        ("native", "the native library is not here"),
        ("numba", "numba is not installed; rookery-cards[lab] brings it"),
        ("abacus", "expected python, native, numba"),
    ):
        monkeypatch.setenv("ROOKERY_TARGET", written)
        done = CliRunner().invoke(app, words)
        assert (done.exit_code, done.stderr) == (2, f"ROOKERY_TARGET={written}: {told}\n")
    # Help does not need one.
    assert CliRunner().invoke(app, [*words[:1], "--help"]).exit_code == 0
    choice._usable.cache_clear()


MATCH = ("match", "--seats", "pupil,club", "--deals", "2", "--rules", "kd_tournament")


def test_the_network_runs_where_somebody_says(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ran: list[str] = []

    def noting(target: Target, *given: Any) -> Any:  # noqa: ANN401
        ran.append(target)
        return load(target, *given)

    monkeypatch.setattr("rookery.learn.pupil.load", noting)
    monkeypatch.setenv("ROOKERY_TARGET", "python")
    assert CliRunner().invoke(app, MATCH).exit_code == 0
    monkeypatch.setenv("ROOKERY_TARGET", "abacus")
    assert CliRunner().invoke(app, [*MATCH, "--target", "python"]).exit_code == 0
    assert set(ran) == {"python"}
    monkeypatch.setenv("ROOKERY_TARGET", "native")
    ran.clear()
    assert CliRunner().invoke(app, MATCH).exit_code == 0
    assert set(ran) == {"native"}
    told = "ROOKERY_TARGET=native: the native library does not train; take numba\n"
    done = CliRunner().invoke(app, ["train", "--out", str(tmp_path / "new")])
    assert (done.exit_code, done.stderr) == (2, told)
    set_machine(monkeypatch, tmp_path, library=False, numba=False)
    monkeypatch.delenv("ROOKERY_TARGET")
    refused = CliRunner().invoke(app, MATCH).stderr
    assert refused == "pupil needs the native library or numba; rookery-cards[lab] brings numba\n"
    choice._usable.cache_clear()


def test_a_library_that_is_there_in_vain_is_told_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    set_machine(monkeypatch, tmp_path, library=False, numba=True)
    (tmp_path / "absent").touch()
    assert (for_table(), for_table()) == ("numba", "numba")
    assert capsys.readouterr().err == "the native library is not here\n"
    choice._usable.cache_clear()


@pytest.mark.parametrize("name", ["cpu", "choice"])
def test_what_is_no_target_is_one_clear_line(name: Target) -> None:
    with pytest.raises(MissingTarget, match=f"target {name}: expected python, native, soon"):
        load(name, shuffle)
    assert load("python", shuffle) is shuffle
