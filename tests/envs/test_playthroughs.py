"""What OpenSpiel sees of a hand of every variant is what it saw when the hand was written down."""

from __future__ import annotations

import pytest

pytest.importorskip("pyspiel")

from scripts.playthroughs import FOLDER, games, lines_of, playthrough

from rookery.envs.open_spiel.state import RookState

BYTES = 600_000  # of all of them


@pytest.mark.parametrize("name", games())
def test_a_playthrough_is_as_it_was(name: str) -> None:
    """``python -m scripts.playthroughs`` writes them again; look at what changed."""
    assert playthrough(name) == (FOLDER / f"{name}.txt").read_text("utf-8")


def test_there_is_one_a_game_and_they_are_small() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(games())
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < BYTES


def test_another_game_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: a hand that is worth a point more is another playthrough, and so is a word."""
    kept = list(lines_of("mini_rook"))
    returns = RookState.returns
    monkeypatch.setattr(RookState, "returns", lambda state: [one + 1 for one in returns(state)])
    assert list(lines_of("mini_rook")) != kept
    monkeypatch.setattr(RookState, "returns", returns)
    assert list(lines_of("mini_rook")) == kept
