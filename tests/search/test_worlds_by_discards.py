"""In drawn worlds the declarer has chosen the discards, and nothing known is forgotten."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.search.positions import scripted
from tests.solver.positions import is_legal_nest

from rookery.bots.club.counting import OWN
from rookery.bots.seat_info import SeatInfo, observe_trick
from rookery.engine.card_sets import count
from rookery.engine.records import copy_of
from rookery.engine.state import Hidden, State
from rookery.game import Hand
from rookery.rules import load
from rookery.rules.order import SUITS, TRUMP
from rookery.rules.table import RuleTable
from rookery.search.searcher import Searcher
from rookery.search.worlds import discard_again
from rookery.solver.constraints import IN_NEST, Constraints, find_constraints
from rookery.solver.sample import ROOM, count_worlds, draw_world

Drawn = tuple[RuleTable, State, Constraints, Hidden, Hidden]


def worlds(
    name: str | dict[str, object], seeds: range, *, of_declarer: bool = False
) -> Iterator[Drawn]:
    """Yield worlds of seats in play as they are drawn, and with the discards chosen again."""
    for seed in seeds:
        for hand in scripted(Hand.shuffled(load(name), dealer=0, seed=seed)):
            if hand.phase == "play" and (hand.to_act == hand.declarer) == of_declarer:
                table, s, m, k, ways = (
                    hand.table,
                    hand.state,
                    SeatInfo(),
                    Constraints(),
                    [0.0] * ROOM,
                )
                observe_trick(table, s, hand.hidden, m)
                m.memo[OWN] = hand.hidden.hand[m.seat]
                find_constraints(table, s, m, k)
                assert count_worlds(k, ways)
                drawn = Hidden(rng=seed + 1)
                draw_world(table, s, k, drawn, ways)
                anew = copy_of(drawn)
                discard_again(table, s, k, anew, SeatInfo())
                yield table, s, k, drawn, anew


@pytest.mark.parametrize("name", ["kd_tournament", "call_partner_5", "kd_full_57", "wanamingo"])
def test_what_is_known_stays_and_nobody_else_is_touched(name: str) -> None:
    changed = 0
    for table, s, k, drawn, anew in worlds(name, range(2)):
        seat = s.declarer
        changed += drawn != anew
        assert anew.hand[seat] | anew.nest == drawn.hand[seat] | drawn.nest
        assert not anew.hand[seat] & anew.nest
        assert count(anew.nest) == count(drawn.nest)
        assert anew.nest & ~k.known[IN_NEST] & ~k.possible[IN_NEST] == 0
        assert anew.hand[seat] & ~k.known[seat] & ~k.possible[seat] == 0
        assert k.known[seat] & ~anew.hand[seat] == k.known[IN_NEST] & ~anew.nest == 0
        assert all(
            anew.hand[other] == drawn.hand[other]
            for other in range(table.seats + table.blind)
            if other != seat
        )
        again = copy_of(anew)
        discard_again(table, s, k, again, SeatInfo())
        assert again == anew  # the discards are those that the script would choose
    assert changed > 20


FORCED = {"base": "kd_tournament", "discard_ban": ["counters_unless_forced"], "redeal": "none"}
RICH = {**FORCED, "counters": {str(rank): 5 for rank in range(5, 12)}}


@pytest.mark.parametrize("given", [{"base": "one_low_180"}, FORCED, RICH])
def test_counters_are_chosen_again_only_if_they_have_to_go(given: dict[str, object]) -> None:
    rules, changed, counters = load(given), 0, 0
    for table, s, _, drawn, anew in worlds(given, range(4)):
        assert is_legal_nest(table, rules, s, anew)
        changed += drawn != anew
        counters += anew.nest & table.counters > 0
    assert changed > 20
    assert bool(counters) == (given is RICH)


def test_the_declarer_knows_the_discards() -> None:
    found = list(worlds("kd_tournament", range(2), of_declarer=True))
    assert found
    assert all(drawn == anew for *_, drawn, anew in found)


@pytest.mark.parametrize("name", ["rook_1906", "regular_partnership", "display"])
def test_without_an_exchange_nothing_changes(name: str) -> None:
    found = list(worlds(name, range(1)))
    assert all(drawn == anew for *_, drawn, anew in found)


def test_the_declarer_keeps_trumps() -> None:
    before = after = 0
    for table, s, _, drawn, anew in worlds("kd_tournament", range(4)):
        trumps = table.mask[s.row * SUITS + TRUMP]
        before += count(drawn.hand[s.declarer] & trumps)
        after += count(anew.hand[s.declarer] & trumps)
    assert after > before * 1.1


def test_others_take_the_contract_for_safer_than_they_did() -> None:
    shares: dict[str, list[float]] = {"1": [], "2": []}
    made = []
    for seed in range(12):
        hands = list(scripted(Hand.shuffled(load("kd_tournament"), dealer=0, seed=seed)))
        last = hands[-1].act(next(iter(hands[-1].legal())))
        for hand in hands:
            if hand.phase == "play" and hand.state.tricks == 0 and hand.to_act != hand.declarer:
                for version, found in shares.items():
                    player = Searcher(
                        hand.rules, hand.to_act or 0, {"rollouts": "120", "version": version}
                    )
                    player.begin(hand, 3)
                    best = player.weigh(hand)[0]
                    found.append(best.made / max(1, best.contracts))
                made.append(last.state.made)
    means = {version: sum(found) / len(found) for version, found in shares.items()}
    assert means["1"] + 0.1 < means["2"] < sum(made) / len(made) + 0.1
