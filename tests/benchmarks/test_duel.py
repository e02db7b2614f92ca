"""A duel of two ways to play the cards is fair to both."""

from __future__ import annotations

from benchmarks.duel import Way, duel
from tests.learn.networks import any_net

from rookery.rules import load
from rookery.rules.table import compile_rules


def test_a_duel_is_even_with_itself_and_the_reverse_of_its_reverse() -> None:
    table, net = compile_rules(load("kd_tournament")), any_net()
    network, script = Way(learned=1), Way()

    def met(one: Way, other: Way) -> list[float]:
        return list(duel(table, net, one, other, 3, 5, target="python"))

    assert met(network, network) == [0, 0, 0]
    there = met(network, script)
    assert any(there)
    assert there == [-points for points in met(script, network)]
