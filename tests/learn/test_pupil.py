"""The network plays legal cards at every rule set, the same compiled and plain."""

from __future__ import annotations

import numpy as np
import pytest
from tests.learn.practised import any_net, school

from rookery.game import Hand
from rookery.learn.bot import Pupil, Taught, TaughtDesk
from rookery.learn.duel import Way, duel
from rookery.learn.net import scores
from rookery.learn.school import School
from rookery.rules import catalog, load
from rookery.rules.table import compile_rules
from rookery.search.desk import Desk
from rookery.search.mover import Searcher


def played(name: str, seed: int) -> Hand:
    """Return a hand that a network in every seat has played."""
    rules, net = load(name), any_net(seed)
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
    lessons = school().lessons(tables, 20, 8, net, taught=256)
    found = scores(net, lessons.table, lessons.cards, lessons.owner)
    assert np.isfinite(found).all()
    assert np.isfinite(lessons.worth).all()
    assert np.ptp(found) > 0


def test_plain_and_compiled_code_give_the_same_lessons() -> None:
    tables = [compile_rules(load(name)) for name in ("kd_tournament", "call_partner_5")]
    for worlds, taught in ((2, 0), (0, 128)):
        found = [
            room.lessons(tables, 6, 5, any_net(), worlds=worlds, taught=taught)
            for room in (School("python"), school())
        ]
        assert all(np.array_equal(a, b) for a, b in zip(*found, strict=True))
        assert np.ptp(found[0].worth) > 0


def test_a_duel_is_even_with_itself_and_the_reverse_of_its_reverse() -> None:
    table, net = compile_rules(load("kd_tournament")), any_net()
    taught, script = Way(learned=1), Way()

    def met(one: Way, other: Way) -> list[float]:
        return list(duel(table, net, one, other, 3, 5, target="python"))

    assert met(taught, taught) == [0, 0, 0]
    there = met(taught, script)
    assert any(there)
    assert there == [-points for points in met(script, taught)]


def positions() -> list[tuple[Hand, Searcher]]:
    """Return some decisions of the play, with a seat for each."""
    rules = load("kd_tournament")
    hand = Hand.shuffled(rules, 0, 3)
    players = [Pupil(rules, seat, any_net(), "python") for seat in range(4)]
    found: list[tuple[Hand, Searcher]] = []
    while (seat := hand.to_act) is not None:
        if hand.phase == "play" and len(found) < 4 and not len(hand.actions) % 3:
            found.append((hand, Searcher(rules, seat, {}, Desk(hand.table, "python"))))
        hand = hand.act(players[seat].act(hand))
    return found


def test_without_trust_the_network_changes_nothing_and_with_much_it_decides() -> None:
    net = any_net(7)
    options = {"tries": "12", "ms": "600000"}
    decided = 0
    for hand, _ in positions():
        seat = hand.to_act or 0
        plain = Searcher(hand.rules, seat, options, Desk(hand.table, "python"))
        idle = Searcher(hand.rules, seat, options, TaughtDesk(hand.table, net, 0, False, "python"))
        led = Taught(
            hand.rules, seat, {**options, "trust": "1000000", "playouts": "script"}, net, "python"
        )
        alone = Pupil(hand.rules, seat, net, "python")
        for player in (plain, idle, led, alone):
            player.begin(hand, 5)
        assert idle.weigh(hand) == plain.weigh(hand)
        choices = led.weigh(hand)
        assert choices[0].action == alone.choose(hand)
        assert all(0 <= choice.tries <= 12 for choice in choices)
        decided += choices[0].action != plain.weigh(hand)[0].action
    assert decided
