"""`rookery study menagerie`."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from rookery.cli.main import app

pytestmark = pytest.mark.numba
CAST = ["karapet", "papa", "hog", "rabbit"]
PAIRS = [
    *("karapet-papa", "karapet-hog", "karapet-rabbit"),
    *("papa-hog", "papa-rabbit", "hog-rabbit"),
]


def study(*options: str) -> Result:
    return CliRunner().invoke(app, ["study", "menagerie", *options])


def document(*options: str) -> dict[str, Any]:
    result = study("--json", *options)
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def check_tables(tables: dict[str, Any], pair_tables: list[str]) -> None:
    assert list(tables["games_won"]) == list(tables["tricks_won"]) == CAST
    assert list(tables["partnerships"]) == pair_tables
    assert all(list(table) == PAIRS for table in tables["partnerships"].values())
    assert [list(third) for third in tables["trimesters"]] == [CAST] * 3


@pytest.mark.parametrize(
    ("mode", "pair_tables"),
    [("published", ["games", "tricks", "tricks_honest"]), ("rules", ["games", "tricks"])],
)
def test_the_document_has_the_promised_shape(mode: str, pair_tables: list[str]) -> None:
    found = document("--games", "2000", "--as", mode)
    assert list(found) == [
        *("as", "games", "hands", "seconds"),
        *("games_won", "tricks_won", "partnerships", "trimesters", "ci95"),
    ]
    assert (found["as"], found["games"]) == (mode, 2000)
    check_tables(found, pair_tables)
    check_tables(found["ci95"], pair_tables)
    assert list(found["ci95"]) == ["games_won", "tricks_won", "partnerships", "trimesters"]
    assert sum(found["tricks_won"].values()) == pytest.approx(100, abs=0.01)
    assert sum(found["games_won"].values()) == pytest.approx(200, abs=0.01)
    for table in found["partnerships"].values():
        assert sum(table.values()) == pytest.approx(100, abs=0.01)
    for third in found["trimesters"]:
        assert sum(third.values()) == pytest.approx(100, abs=0.01)


def test_published_is_what_it_plays_unless_told_otherwise() -> None:
    assert document("--games", "10")["as"] == "published"


@pytest.mark.parametrize("mode", ["published", "rules"])
def test_the_same_seed_gives_the_same_figures_on_any_number_of_cores(mode: str) -> None:
    found = [document("--games", "1500", "--as", mode, "--threads", n) for n in ("1", "2", "3")]
    for one in found:
        del one["seconds"]
    assert found[0] == found[1] == found[2]
    other = document("--games", "1500", "--as", mode, "--seed", "2")
    assert other["games_won"] != found[0]["games_won"]


@pytest.mark.parametrize("mode", ["published", "rules"])
def test_the_report_fits_a_terminal_and_answers_the_question(mode: str) -> None:
    result = study("--games", "20000", "--as", mode)
    assert result.exit_code == 0
    assert max(map(len, result.stdout.splitlines())) <= 80
    assert "wrong way round" in result.stdout
    for number in range(1, 5):
        assert f"\n{number}. " in result.stdout


def test_a_folder_gets_the_files(tmp_path: Path) -> None:
    out = tmp_path / "study"
    found = document("--games", "500", "--out", str(out))
    assert sorted(path.name for path in out.iterdir()) == [
        *("figures.csv", "report.txt", "study.json", "trimesters.png", "trimesters.svg"),
    ]
    assert json.loads((out / "study.json").read_text())["games_won"] == found["games_won"]


def test_a_folder_that_cannot_be_written_is_refused_before_the_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(
        "rookery.cli.lab.study.run_study", lambda *_, **__: pytest.fail("it played")
    )
    result = study("--out", str(tmp_path / "file" / "study"))
    assert result.exit_code == 2
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert str(tmp_path / "file") in line


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--games", "1"), "--games 1: expected a number from 2"),
        (("--games", "-5"), "--games -5"),
        (("--games", "many"), "--games"),
        (("--seed", "-1"), "--seed -1: expected a number from 0"),
        (("--seed", str(2**63)), "--seed"),
        (("--threads", "0"), "--threads 0: expected a number from 1"),
        (("--as", "played"), "--as"),
        (("--hands", "3"), "--hands"),
    ],
)
def test_bad_input_gets_one_line(options: tuple[str, ...], words: str) -> None:
    result = study(*options)
    assert result.exit_code == 2
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert words in line


def test_an_unknown_study_gets_one_line() -> None:
    result = CliRunner().invoke(app, ["study", "aviary"])
    assert result.exit_code == 2
    (line,) = result.stderr.splitlines()
    assert "menagerie" in line


@pytest.mark.parametrize("seed", ["0", str(2**63 - 1)])
def test_the_first_and_the_last_seed_will_do(seed: str) -> None:
    assert document("--games", "10", "--seed", seed)["games"] == 10
