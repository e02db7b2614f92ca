"""The network plays legal cards at every rule set, the same compiled and plain."""

from __future__ import annotations

import numpy as np
import pytest
from tests.learn.networks import any_net, generator

from rookery.game import Hand
from rookery.learn.examples import ExampleGenerator
from rookery.learn.net import numbers_of, scores
from rookery.learn.pupil import Pupil
from rookery.rules import catalog, load
from rookery.rules.table import compile_rules


def played(name: str, seed: int) -> Hand:
    """Return a hand that a network in every seat has played."""
    rules, net = load(name), numbers_of(any_net(seed))
    hand = Hand.shuffled(rules, seed % rules.seats, seed)
    players = [Pupil(rules, seat, net, "python") for seat in range(rules.seats)]
    for seat, player in enumerate(players):
        player.begin(hand, 1 + seat)
    while (seat_ := hand.to_act) is not None:
        hand = hand.act(players[seat_].act(hand))  # an illegal act would be refused
    return hand


@pytest.mark.parametrize("name", sorted(catalog()))
def test_it_plays_a_hand_at_every_rule_set(name: str) -> None:
    assert played(name, 1).over


def test_scores_are_finite_at_every_rule_set() -> None:
    tables = [compile_rules(load(name)) for name in catalog()]
    net = any_net()
    examples = generator().examples(tables, 20, 8, net, net_share=256)
    found = scores(net, examples.table, examples.cards, examples.owner)
    assert np.isfinite(found).all()
    assert np.isfinite(examples.worth).all()
    assert np.ptp(found) > 0


def test_plain_and_compiled_code_give_the_same_examples() -> None:
    tables = [compile_rules(load(name)) for name in ("kd_tournament", "call_partner_5")]
    for worlds, net_share in ((2, 0), (0, 128)):
        found = [
            one.examples(tables, 6, 5, any_net(), worlds=worlds, net_share=net_share)
            for one in (ExampleGenerator("python"), generator())
        ]
        assert all(np.array_equal(a, b) for a, b in zip(*found, strict=True))
        assert np.ptp(found[0].worth) > 0
