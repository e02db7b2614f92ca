"""`rookery rules` in the language that is asked for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from rookery.cli.main import app
from rookery.rules import LANGUAGES, Language, catalog, describe, variant

RUN = CliRunner()


def said(*words: str, status: int = 0) -> list[str]:
    shown = RUN.invoke(app, ["rules", *words])
    assert shown.exit_code == status, shown.output
    return (shown.stderr if status == 2 else shown.stdout).splitlines()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_list_is_told_in_a_language(lang: Language) -> None:
    lines = said("list", "--lang", lang)
    assert [line.split()[0] for line in lines[1:]] == list(catalog())
    assert max(map(len, lines)) <= 80
    start = lines[0].rindex(" ") + 1
    for line, name in zip(lines[1:], catalog(), strict=True):
        assert describe(variant(name), lang).name.startswith(line[start:].removesuffix("..."))
    listed = json.loads("\n".join(said("list", "--lang", lang, "--json")))
    assert [one["name"] for one in listed] == [describe(variant(n), lang).name for n in catalog()]


def test_the_list_has_spanish_titles() -> None:
    assert said("list", "--lang", "es")[0].split() == ["id", "asientos", "cartas", "nombre"]
    assert said("list")[0].split() == ["id", "seats", "cards", "name"]


def test_what_does_not_fit_is_told_in_spanish(tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    path.write_text("hand_size = 8\nbid_minimum = 63\n")
    told = [
        "hand_size: 4 manos de 8 y un nido de 5 suman 37 cartas, pero la baraja tiene 41; "
        "nest_size = 9 encajaría",
        "bid_minimum: 63 no es múltiplo de 5; 60 sí",
    ]
    assert said("check", "--lang", "es", str(path), status=1) == told
    shown = said("check", "--lang", "es", "--json", str(path), status=1)
    assert json.loads("\n".join(shown)) == {"fits": False, "problems": told}
    path.write_text("target = 500\n")
    assert said("check", "--lang", "es", str(path)) == [f"{path}: estas reglas encajan"]


def test_a_game_that_is_not_there_is_told_in_spanish() -> None:
    found = said("show", "--lang", "es", "dixy", status=2)
    assert found == ['rules: ningún juego se llama "dixy"; ¿querías decir «dixie»?']


@pytest.mark.parametrize("command", [["list"], ["show", "red_1"], ["check", "x.toml"]])
def test_a_language_that_there_is_not_is_one_line(command: list[str]) -> None:
    assert said(*command, "--lang", "fr", status=2) == ["--lang fr: expected en or es"]
