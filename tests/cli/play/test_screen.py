"""What the terminal tells of a deal, and of a hand under way."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from rookery.cli.main import app
from rookery.cli.output import WIDTH
from rookery.cli.play.game import default_bots
from rookery.cli.play.screen import Screen
from rookery.game import Match
from rookery.rules import load


def test_deals_that_the_rules_cancel_are_told_and_nobody_waits_for_the_next(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    own = {"redeal": "auto", "counters": {"14": 10, "10": 10}, "rook_value": 0, "bid_maximum": 80}
    (tmp_path / "auto.json").write_text(json.dumps({"base": "kd_tournament", **own}))
    monkeypatch.setattr("builtins.input", lambda: "quit")
    words = ["play", "--rules", str(tmp_path / "auto.json"), "--seed", "6"]
    shown = CliRunner().invoke(app, words, catch_exceptions=False).output
    told = [line.strip(" -") for line in shown.splitlines()]
    dealt = [at for at, line in enumerate(told) if line.startswith("Hand ") and "dealt by" in line]
    again = [at for at, line in enumerate(told) if line == "The cards are dealt again."]
    assert len(dealt) == len(again) + 1 > 1
    assert all(
        one < cancelled < two for one, cancelled, two in zip(dealt, again, dealt[1:], strict=False)
    )
    assert "Press Enter" not in shown


def test_what_is_known_of_a_hand_is_folded(capsys: pytest.CaptureFixture[str]) -> None:
    """A partner with a long name declares in a suit in which low cards are best."""
    match = Match(load("circus"), [f"Long-billed {seat}" for seat in range(4)]).shuffled(1)
    while (hand := match.hand) is not None and hand.phase == "auction":
        match = match.act(f"{hand.to_act} {'bid 140' if hand.to_act == 2 else 'pass'}")
    assert hand is not None
    hand = hand.act(next(iter(hand.legal()))).act("2 trump yellow-low")
    assert hand.phase == "play"
    Screen(match, default_bots(4), str).position(hand)
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= WIDTH
    told = f"bid {hand.bid} - yellow as trump, low cards best; trick 1 of {hand.rules.hand_size}"
    assert told in " ".join(" ".join(lines).split())
