"""A program that ends between two hands: the next hand finds it started again."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from rookery.bots import external
from rookery.bots.external import ExternalPlayer
from rookery.bots.player import BotFailed, fallback_action
from rookery.game import Hand
from rookery.rules import load

RULES = load("kd_tournament")

# Plays one hand, and is gone with the result of it.
ONE_HAND = """
import json, sys
for message in map(json.loads, sys.stdin):
    if message["type"] == "act":
        legal = message["legal"]
        action = legal[0] if isinstance(legal, list) else "none"
        print(json.dumps({"id": message["id"], "action": action}), flush=True)
    if message["type"] == "result":
        break
"""


def wait_for_the_end(player: ExternalPlayer) -> None:
    """Wait until it is seen that the program has ended."""
    process = player._process
    assert process is not None
    assert process.silent.wait(60)


def play(player: ExternalPlayer, number: int) -> None:
    """Play a hand in which the program has to act once, and in time."""
    hand = Hand.shuffled(RULES, 3, number)  # seat 0 begins
    player.begin(hand, 1)
    hand = hand.act(player.act(hand))
    while not hand.over:
        hand = hand.act(fallback_action(hand))
    player.finish(hand)


def test_one_that_ends_with_a_hand_plays_the_next(tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text(ONE_HAND)
    player = ExternalPlayer([sys.executable, str(path)], RULES, 0, 120_000)
    for number in range(1 + external.RESTARTS):
        play(player, number)
        wait_for_the_end(player)
    player.close()


def test_one_that_ends_before_it_has_answered_once_has_failed() -> None:
    player = ExternalPlayer([sys.executable, "-c", ""], RULES, 0, 120_000)
    hand = Hand.shuffled(RULES, 3, 1)
    player.begin(hand, 1)
    wait_for_the_end(player)
    player.begin(hand, 1)
    with pytest.raises(BotFailed, match="before it had answered once"):
        player.act(hand)
    player.close()
