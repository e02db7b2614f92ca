"""`rookery rules` and `rookery schema`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from rookery.cli.main import COMMANDS, app
from rookery.rules import OPTIONS, catalog, variant

RUN = CliRunner()


def test_the_list_has_every_variant() -> None:
    shown = RUN.invoke(app, ["rules", "list"])
    assert shown.exit_code == 0
    lines = shown.stdout.splitlines()
    assert [line.split()[0] for line in lines[1:]] == list(catalog())
    assert max(map(len, lines)) <= 80


def test_the_list_as_json() -> None:
    listed = json.loads(RUN.invoke(app, ["rules", "list", "--json"]).stdout)
    assert [entry["id"] for entry in listed] == list(catalog())
    first = listed[0]
    assert list(first) == ["id", "name", "seats", "cards", "origin", "reconstructed", "special"]
    assert (first["seats"], first["cards"], first["reconstructed"]) == (4, 41, None)


@pytest.mark.parametrize("name", catalog())
def test_a_variant_is_shown_in_words(name: str) -> None:
    shown = RUN.invoke(app, ["rules", "show", name])
    assert shown.exit_code == 0
    assert variant(name).name in shown.stdout
    guessed = variant(name).reconstructed is not None
    assert ("Some details are our guess:" in shown.stdout) == guessed


def test_a_variant_as_json() -> None:
    shown = json.loads(RUN.invoke(app, ["rules", "show", "red_1", "--json"]).stdout)
    assert (shown["id"], shown["seats"], shown["hand_size"], shown["nest_size"]) == (
        "red_1",
        4,
        9,
        6,
    )
    assert (shown["bid_minimum"], shown["bid_maximum"]) == (70, 150)
    assert (shown["total_points"], shown["target"]) == (150, 300)
    assert shown["reconstructed"] == variant("red_1").reconstructed
    assert len(shown["cards"]) == 42
    assert shown["cards"][:2] == ["R1", "R5"]
    assert set(shown["options"]) == set(OPTIONS)


def test_a_house_rule_file_is_shown_like_a_variant(tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    path.write_text('base = "dixie"\ntarget = 500\n')
    shown = json.loads(RUN.invoke(app, ["rules", "show", str(path), "--json"]).stdout)
    assert (shown["id"], shown["target"]) == (None, 500)


def test_an_unknown_variant_is_one_line() -> None:
    shown = RUN.invoke(app, ["rules", "show", "dixy"])
    assert shown.exit_code == 2
    assert shown.stderr.count("\n") == 1
    assert 'did you mean "dixie"?' in shown.stderr


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("ours.tml", "ours.tml: no such file or directory; expected a house-rule file\n"),
        ("ours", "`rookery rules list` shows them all\n"),
    ],
)
def test_what_is_like_no_variant_is_not_taken_for_one(written: str, said: str) -> None:
    shown = RUN.invoke(app, ["rules", "show", written])
    assert shown.exit_code == 2
    assert shown.stderr.endswith(said)


def test_a_folder_is_no_unknown_variant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ours").mkdir()
    (tmp_path / "loop").symlink_to("loop")
    for name, said in (("ours", "is a directory"), ("loop", "too many levels of symbolic links")):
        shown = RUN.invoke(app, ["rules", "show", name])
        assert (shown.exit_code, shown.stdout) == (2, "")
        assert shown.stderr == f"{name}: {said}; expected a house-rule file\n"


@pytest.mark.parametrize("name", ["deep.json", "deep.toml"])
def test_rules_that_nest_too_deep_are_told_without_python(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text("ranks = " * name.endswith("toml") + "[" * 100_000)
    kind = path.suffix[1:].upper()
    for command in ("check", "show"):
        shown = RUN.invoke(app, ["rules", command, str(path)])
        assert (shown.exit_code, shown.stdout) == (2, "")
        assert shown.stderr == f"{path}: nested too deep; expected {kind}\n"


def test_rules_that_fit(tmp_path: Path) -> None:
    path = tmp_path / "ours.json"
    path.write_text('{"base": "dixie", "target": 500}')
    assert RUN.invoke(app, ["rules", "check", str(path)]).exit_code == 0
    shown = RUN.invoke(app, ["rules", "check", str(path), "--json"])
    assert json.loads(shown.stdout) == {"fits": True, "problems": []}


def test_rules_that_do_not_fit_say_every_problem(tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    path.write_text("hand_size = 8\nbid_minimum = 63\n")
    shown = RUN.invoke(app, ["rules", "check", str(path)])
    assert shown.exit_code == 1
    assert [line.split(":")[0] for line in shown.stdout.splitlines()] == [
        "hand_size",
        "bid_minimum",
    ]
    as_json = RUN.invoke(app, ["rules", "check", str(path), "--json"])
    assert as_json.exit_code == 1
    assert json.loads(as_json.stdout)["fits"] is False


@pytest.mark.parametrize("text", ["foo = 1\n", 'base = "nothing"\n', 'seats = "four"\n'])
def test_an_unknown_option_or_value_does_not_fit(text: str, tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    path.write_text(text)
    assert RUN.invoke(app, ["rules", "check", str(path)]).exit_code == 1


def test_a_file_from_somebody_else_does_not_steer_the_terminal(tmp_path: Path) -> None:
    sign = "\x1b]0;x\x07\x9b2J\u202e"
    named = dict.fromkeys(("name", "origin", "reconstructed", "notes", "id"), f"a{sign}b")
    for command, rules in (
        ("show", named),
        ("check", {sign: 1}),
        ("check", {"base": sign}),
        ("check", {"counters": sign}),
    ):
        file = tmp_path / "rules.json"
        file.write_text(json.dumps(rules))
        shown = RUN.invoke(app, ["rules", command, str(file)]).output
        assert r"\x1b]0;x" in shown or r"\u001b]0;x" in shown  # written out
        assert not {*shown} & {*sign} - {*"]0;x2J"}


@pytest.mark.parametrize("data", [b"seats = \n", b"\xff", b"[[[", b'{"seats"'])
def test_a_file_that_cannot_be_read(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    path.write_bytes(data)
    shown = RUN.invoke(app, ["rules", "check", str(path)])
    assert shown.exit_code == 2
    assert shown.stderr.count("\n") == 1
    assert RUN.invoke(app, ["rules", "check", str(tmp_path / "none.toml")]).exit_code == 2


@pytest.mark.parametrize("name", ["view", "rules"])
def test_a_schema_is_printed(name: str) -> None:
    shown = json.loads(RUN.invoke(app, ["schema", name]).stdout)
    assert shown["type"] == "object"
    assert shown["properties"]


def test_an_unknown_schema_is_one_line() -> None:
    shown = RUN.invoke(app, ["schema", "nothing"])
    assert shown.exit_code == 2
    assert "expected one of" in shown.stderr


def test_help_names_every_command() -> None:
    shown = RUN.invoke(app, ["--help"])
    assert shown.exit_code == 0
    for name, (_, does) in COMMANDS.items():
        assert name in shown.stdout
        assert does in shown.stdout
