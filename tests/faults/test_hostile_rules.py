"""P21: no rule set that is accepted makes a server slow or large; two faults are found out."""

from __future__ import annotations

from tests.faults.hostile_rules import campaign, planted

MANY = range(400)


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
