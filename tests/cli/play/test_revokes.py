"""Bots in the terminal make a person pay for a revoke."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.play.test_play import Person, runner

from rookery.bots.player import fallback_action
from rookery.cli.main import app
from rookery.engine.trick import following


class Revoking(Person):
    """Revokes wherever that can be done, and leaves after a hand."""

    def answer(self) -> str:
        hand = self.games[-1].match.hand
        assert hand is not None
        if hand.over:
            return "quit"
        held = hand.hidden.hand[0]
        wrong = held & ~following(hand.table, hand.state, held) if hand.phase == "play" else 0
        if wrong:
            return f"play {hand.names([wrong.bit_length() - 1])[0]}"
        return fallback_action(hand).words


class Plotting(Person):
    """Claims in the play that their partner revoked, and leaves."""

    claims: tuple[str, ...] = ("challenge 2",)

    def answer(self) -> str:
        hand = self.games[-1].match.hand
        assert hand is not None
        if hand.phase != "play":
            return fallback_action(hand).words
        said, self.claims = self.claims or ("quit",), ()
        return said[0]


def test_a_person_cannot_challenge_their_partner(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    Plotting(monkeypatch, answers=100)
    rules = tmp_path / "house.json"
    rules.write_text('{"base": "kd_tournament", "renege": "penalised"}')
    shown = runner.invoke(app, ["play", "--rules", str(rules), "--seed", "3"])
    assert "only the other side may challenge" in shown.output.lower()


def test_the_bots_challenge_what_the_cards_show(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    person = Revoking(monkeypatch, answers=100)
    rules = tmp_path / "house.json"
    rules.write_text('{"base": "kd_tournament", "renege": "penalised"}')
    shown = runner.invoke(
        app, ["play", "--rules", str(rules), "--seed", "3"], catch_exceptions=False
    )
    hand = person.games[0].match.hands[0]
    assert hand.revoked
    last = hand.actions[-1]
    assert (last.target, last.seat in (1, 3)) == (0, True)
    assert "challenge" in shown.output
