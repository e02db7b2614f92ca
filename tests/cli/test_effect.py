"""`rookery rules effect`."""

import json
from pathlib import Path

import pytest
from scripts.native.link import linker
from typer.testing import CliRunner, Result

from rookery.cli.main import app
from rookery.engine.targets.native import LIBRARY
from rookery.lab.effect.effect import EffectDocument


@pytest.fixture
def ours(tmp_path: Path) -> Path:
    path = tmp_path / "ours.toml"
    path.write_text('base = "kd_tournament"\nrook_rank = "bottom"\n', "utf-8")
    return path


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play on the plain engine: a few boards are not worth compiling for."""
    monkeypatch.setenv("ROOKERY_TARGET", "python")


def run(*words: object) -> Result:
    return CliRunner().invoke(app, ["rules", "effect", *map(str, words)])


@pytest.mark.usefixtures("plain")
def test_it_says_what_changes_and_what_it_cannot_know(ours: Path) -> None:
    result = run(ours, "--boards", 40)
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith(
        "House rules, compared with Kentucky Discard, Tournament rules\n"
    )
    assert 'rook_rank = "bottom" instead of "top"' in result.stdout
    assert "What this cannot tell you\n  These are bots." in result.stdout
    assert result.stdout == run(ours, "--boards", 40, "--threads", 2).stdout
    assert result.stdout != run(ours, "--boards", 40, "--seed", 2).stdout


@pytest.mark.usefixtures("plain")
def test_it_speaks_spanish(ours: Path) -> None:
    result = run(ours, "--boards", 4, "--lang", "es")
    assert result.stdout.startswith("Reglas de la casa, frente a Kentucky Discard")


@pytest.mark.usefixtures("plain")
def test_the_document_and_the_picture(ours: Path, tmp_path: Path) -> None:
    picture = tmp_path / "new" / "effect.png"
    result = run(ours, "--boards", 10, "--json", "--picture", picture)
    assert result.exit_code == 0, result.output
    found = EffectDocument.model_validate(json.loads(result.stdout))
    assert (found.base, found.boards, found.changes) == (
        "kd_tournament",
        10,
        {"rook_rank": "bottom"},
    )
    assert result.stderr.splitlines()[-1] == str(picture)
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert [path.name for path in picture.parent.iterdir()] == ["effect.png"]


@pytest.mark.usefixtures("plain")
def test_another_base_may_be_named(ours: Path) -> None:
    result = run(ours, "--boards", 2, "--base", "kd_full_57", "--json")
    assert json.loads(result.stdout)["base"] == "kd_full_57"
    result = run("dixie_6", "--boards", 2, "--json")
    assert json.loads(result.stdout)["base"] == "dixie"


def test_rules_equal_to_their_base_are_told_at_once(tmp_path: Path) -> None:
    same = tmp_path / "same.toml"
    same.write_text('base = "dixie"\n', "utf-8")
    result = run(same)
    assert result.exit_code == 0
    assert "nothing was changed" in result.stdout
    assert json.loads(run(same, "--json").stdout)["figures"] == []


def test_the_schema_is_published() -> None:
    result = CliRunner().invoke(app, ["schema", "rules-effect"])
    assert json.loads(result.stdout) == EffectDocument.model_json_schema()


BAD = [
    (["nowhere.toml"], "nowhere.toml: no such file or directory; expected a house-rule file"),
    (["kd_turnament"], 'rules: no variant is called "kd_turnament"; did you mean "kd_tournament"?'),
    (["OURS", "--base", "nobody"], 'rules: no variant is called "nobody"; '),
    (["OURS", "--boards", "1"], "--boards 1: expected a number from 2 to 100000000"),
    (["OURS", "--seed", "-1"], "--seed -1: expected a number from 0 to "),
    (["OURS", "--threads", "0"], "--threads 0: expected a number from 1 to 1024"),
    (["OURS", "--lang", "fr"], "--lang fr: expected en or es"),
    (["OURS", "--picture", "a.gif"], "--picture a.gif: expected a name that ends in .png"),
    (["OURS", "--picture", "/dev/null/a.png"], "--picture /dev/null/a.png: /dev/null is no folder"),
]


@pytest.mark.parametrize(("words", "line"), BAD)
def test_bad_input_is_one_line(words: list[str], line: str, ours: Path) -> None:
    result = run(*(str(ours) if word == "OURS" else word for word in words))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith(line)
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("length", [20, 20_000])
def test_a_long_word_is_quoted_in_part_and_the_line_keeps_its_end(length: int, ours: Path) -> None:
    word = "9" * length
    said = run(str(ours), "--lang", word).stderr
    assert said.startswith("--lang 9999")
    assert said.endswith("9: expected en or es\n")
    assert (word in said) == (length < 100)
    assert len(said) <= 1001


def test_rules_that_do_not_fit_are_one_line_in_the_language_asked_for(tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text("hand_size = 10\n", "utf-8")
    result = run(bad)
    assert result.exit_code == 2
    assert result.stderr.startswith("hand_size: 4 hands of 10 and a nest of 5 take 45 cards")
    assert "cartas" in run(bad, "--lang", "es").stderr


def test_compiled_code_says_the_same(
    ours: Path, plain: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not (LIBRARY.exists() or linker()):
        pytest.skip("no library can be built here: no C compiler")
    slow = run(ours, "--boards", 20, "--json")
    monkeypatch.setenv("ROOKERY_TARGET", "native")
    fast = run(ours, "--boards", 20, "--json")
    one, other = json.loads(slow.stdout), json.loads(fast.stdout)
    assert {**one, "seconds": 0} == {**other, "seconds": 0}
