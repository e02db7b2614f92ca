"""A match in the terminal: played to its end by a person who picks from what is offered."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

from rookery import record as records
from rookery.cli.main import app
from rookery.cli.play import Game
from rookery.rules import catalog

runner = CliRunner()


class Person:
    """Answers at prompts with legal words, and leaves after so many answers."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, answers: int, seed: int = 1) -> None:
        self.left = answers
        self.random = Random(seed)
        self.games: list[Game] = []
        run = Game.run

        def remembered(game: Game) -> None:
            self.games.append(game)
            run(game)

        monkeypatch.setattr(Game, "run", remembered)
        monkeypatch.setattr("builtins.input", self.answer)

    def answer(self) -> str:
        hand = self.games[-1].match.hand
        assert hand is not None
        if hand.over or hand.to_act != 0:
            return ""
        if not self.left:
            return "quit"
        self.left -= 1
        few = list(itertools.islice(hand.legal(), 30))
        return self.random.choice(few).words


@pytest.mark.parametrize("variant", catalog())
def test_every_variant_can_be_played_on_80_columns(
    variant: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    Person(monkeypatch, answers=25)
    monkeypatch.chdir(tmp_path)
    kept = Path("game.json")
    shown = runner.invoke(
        app,
        ["play", "--rules", variant, "--seed", "3", "--record", str(kept)],
        catch_exceptions=False,
    )
    assert shown.exit_code == 0
    assert max(map(len, shown.output.splitlines())) <= 80
    match = records.replay(records.read(kept))
    assert match.rules.id == variant
    assert len(match.hands[0].actions) > 10


def test_a_match_is_played_to_its_end(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    Person(monkeypatch, answers=10_000)
    kept = tmp_path / "game.json"
    shown = runner.invoke(app, ["play", "--seed", "3", "--record", str(kept)])
    assert shown.exit_code == 0, shown.output
    assert "The match goes to" in shown.output
    match = records.replay(records.read(kept))
    assert match.winners is not None
    again = runner.invoke(app, ["play", "--record", str(kept)])
    assert again.exit_code == 2
    assert "this match is over" in again.output


@pytest.mark.parametrize("answers", [0, 1, 4, 7, 13])
def test_a_stopped_match_goes_on_as_if_nothing_had_happened(
    answers: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    whole, broken = tmp_path / "whole.json", tmp_path / "broken.json"
    options = ["play", "--seed", "11", "--bots", "rabbit,random", "--record"]
    person = Person(monkeypatch, answers=20)
    runner.invoke(app, [*options, str(whole)], catch_exceptions=False)
    person.left, person.random = answers, Random(1)
    runner.invoke(app, [*options, str(broken)], catch_exceptions=False)
    person.left = 20 - answers
    runner.invoke(app, ["play", "--record", str(broken)], catch_exceptions=False)
    assert json.loads(broken.read_text()) == json.loads(whole.read_text())


def lines() -> Iterator[str]:
    yield from ["?", "rules", "last", "score", "", "play G99", "foo", "999", "quit"]


def test_questions_and_nonsense_change_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    said = lines()
    monkeypatch.setattr("builtins.input", lambda: next(said))
    kept = tmp_path / "game.json"
    shown = runner.invoke(app, ["play", "--seed", "5", "--record", str(kept)])
    assert shown.exit_code == 0, shown.output
    assert "Answer with a number" in shown.output
    assert "Four players in two partnerships" in shown.output
    assert "Go on with" in shown.output
    (hand,) = records.read(kept).hands
    assert all(not text.startswith("0 ") for text in hand.actions)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--rules", "kd_turnament"], "kd_tournament"),
        (["--bots", "papa,pope"], "no bot is called pope"),
        (["--bots", "papa,papa,papa,papa"], "3 seats"),
        (["--seed", "-1"], "out of range"),
    ],
)
def test_bad_usage_is_one_line_and_exit_2(options: list[str], said: str) -> None:
    shown = runner.invoke(app, ["play", *options])
    assert shown.exit_code == 2
    assert said in shown.output
    assert len(shown.output.strip().splitlines()) == 1


def test_a_file_that_is_no_record_is_left_alone(tmp_path: Path) -> None:
    other = tmp_path / "letter.json"
    other.write_text("Dear Ann")
    shown = runner.invoke(app, ["play", "--record", str(other)])
    assert shown.exit_code == 2
    assert "bad-json" in shown.output
    assert other.read_text() == "Dear Ann"


@pytest.mark.numba
@pytest.mark.slow
def test_levels_that_search_sit_down_and_go_on_with_a_match_that_was_left(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pytest.importorskip("numba")
    kept = tmp_path / "game.json"
    Person(monkeypatch, answers=2)
    words = ["play", "--bots", "strong:style=bold,casual", "--seed", "3", "--record", str(kept)]
    shown = runner.invoke(app, words, catch_exceptions=False)
    assert shown.exit_code == 0, shown.output
    table = json.loads(kept.read_text())["table"]
    assert table["bots"] == ["strong:style=bold", "casual", "strong:style=bold"]
    before = len(records.read(kept).hands[-1].actions)
    Person(monkeypatch, answers=3)
    again = runner.invoke(app, ["play", "--record", str(kept)], catch_exceptions=False)
    assert again.exit_code == 0, again.output
    assert len(records.read(kept).hands[-1].actions) > before
