"""P21: no rule set that is accepted makes a server slow or large; two faults are found out."""

from __future__ import annotations

import asyncio
from random import Random

import pytest
from tests.faults.hostile_rules import HANDS, Evening, campaign, planted

from rookery.rules import load
from rookery.server.table import state

MANY = range(400)
# A hand is one trick, and nobody gets far.
SHORT = {
    "seats": 4, "partnership": "alone", "ranks": [2, 5, 6, 8, 12], "ones": "absent",
    "rook_value": 0, "hand_size": 1, "nest_size": 17, "counters": {"R6": 1, "B2": 1},
    "all_pass": "no_contract", "bid_minimum": 2, "bid_maximum": 2, "bid_step": 2, "target": 100_000,
}  # fmt: skip


def test_rules_that_are_made_to_hurt_are_refused_or_harmless() -> None:
    found = campaign(MANY, seed=1, tables=40, acts=100)
    assert found.wrong == []
    assert found.seen["begun"] == 40
    assert min(found.seen["accepted"], found.seen["refused"]) > 60
    assert found.seen["refused because hardly a deal could be played"] > 10
    assert found.seen["no text"] > 5
    assert found.hands > 60
    assert found.running > 5


def test_the_controls_a_check_that_counts_no_deals_and_a_table_that_deals_on_are_found() -> None:
    assert min(planted(MANY[:100], seed=1)) > 0


def of_a_long_match() -> list[str]:
    """Play a thousand hands of a match, and return what is not as promised."""
    evening = Evening(load(SHORT), Random(2), 100_000, 1e9)
    wrong = asyncio.run(evening.play())
    assert evening.store.hands >= HANDS
    return wrong


def test_no_message_grows_with_the_match() -> None:
    assert of_a_long_match() == []


def test_the_control_a_whole_score_sheet_in_each_message_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(state, "SHEET", HANDS)
    (wrong,) = of_a_long_match()
    assert wrong.startswith("a message of ")
