"""What is said of a contract comes about as often as was said: the benchmark's check, small."""

from __future__ import annotations

import json

from benchmarks.calibration import contracts, far_off, read_part, table_of

from rookery.rules import load

DEALS = 160
OPTIONS = {"rollouts": "160", "ms": "600000"}


def test_contracts_are_made_about_as_often_as_was_said() -> None:
    found = list(contracts(load("kd_tournament"), range(DEALS), 7, OPTIONS))
    said = [(one.bid.chance, one.made) for one in found if one.bid is not None]
    assert len(said) > DEALS // 2
    mean = sum(chance for chance, _ in said) / len(said)
    made = sum(made for _, made in said) / len(said)
    assert abs(mean - made) < 0.12  # three standard errors of so few
    assert far_off(table_of(said), 30, 0.25) == []
    # The control: a bot that thinks every contract safe is found out.
    assert far_off(table_of((0.97, made) for _, made in said), 30, 0.25)


def test_the_same_seed_tells_the_same() -> None:
    rules = load("call_partner_5")
    one, other = (list(contracts(rules, range(2), seed, OPTIONS)) for seed in (1, 1))
    assert one == other
    for contract in one:
        assert contract.points > 0
        assert contract.later
        assert all(0 <= said.made <= said.contracts <= said.rollouts for said in contract.later)
        assert all(0 <= said.chance <= 1 for said in contract.later)


def test_contracts_are_written_down_and_read_again() -> None:
    found = list(contracts(load("kd_tournament"), range(2), 1, OPTIONS))
    text = "".join(json.dumps(one) + "\n" for one in found)
    assert found
    assert list(read_part(text)) == found
