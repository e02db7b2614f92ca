"""Worlds: the true one is always possible, every drawn one agrees with what was seen, all alike."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice, permutations
from math import sqrt

import pytest

from rookery.bots.dispatch import decide, decide_card, kind_of
from rookery.bots.seat_info import SeatInfo, clear_notes, observe, observe_trick
from rookery.cards import CARDS
from rookery.engine.actions import ACTIONS, actor, apply, legal
from rookery.engine.card_sets import count, points_of
from rookery.engine.deal import deal, shuffle
from rookery.engine.rng import seeded
from rookery.engine.state import AUCTION, CIRCUS_PASS, DONE, PLAY, REDEALT, Hidden, State
from rookery.rules import Rules, catalog, load
from rookery.rules.table import PLACES, STATEMENT, RuleTable, compile_rules
from rookery.solver import constraints, sample
from rookery.solver.constraints import (
    IN_NEST,
    LOCATIONS,
    Constraints,
    find_constraints,
    note_own,
    relax,
)
from rookery.solver.sample import (
    ROOM,
    count_worlds,
    draw_exactly,
    draw_roughly,
    draw_world,
)

WAYS = [0.0] * ROOM
AMOUNT = STATEMENT.index("amount")


def positions(
    rules: Rules, seeds: range, kind: str
) -> Iterator[tuple[RuleTable, State, Hidden, SeatInfo]]:
    """Yield each decision of some hands, as the seat to act sees it and as it is."""
    table = compile_rules(rules)
    for seed in seeds:
        s, h = State(), Hidden(rng=seeded(seed, 0))
        mine = [SeatInfo(rng=seeded(seed, 1 + place)) for place in range(PLACES)]
        s.phase, order = REDEALT, [0] * CARDS
        while s.phase == REDEALT:
            shuffle(table, h, order)
            deal(table, s, h, order, seed % table.seats)
        for m in mine:
            clear_notes(m)
        while s.phase < DONE:
            m = mine[actor(s)]
            (observe_trick if s.phase == PLAY else observe)(table, s, h, m)
            yield table, s, h, m
            number = kind_of(kind)
            ask = decide_card if s.phase == PLAY else decide
            apply(table, s, h, ask(table, s, m, number))


def lies(table: RuleTable, h: Hidden) -> list[int]:
    """Return the closed cards in each place as they really lie."""
    return [
        *h.hand[: table.seats + table.blind],
        *[0] * (PLACES - table.seats - table.blind),
        h.nest,
    ]


def complaints(table: RuleTable, k: Constraints, places: list[int]) -> list[str]:
    """Return what in a world contradicts what is known."""
    found = []
    for place in range(LOCATIONS):
        loose = places[place] & ~k.known[place]
        if k.known[place] & ~places[place]:
            found.append(f"place {place} lacks a card that it is known to hold")
        if count(loose) != k.unseen_in[place]:
            found.append(
                f"place {place} holds {count(loose)} unseen cards, not {k.unseen_in[place]}"
            )
        if loose & ~k.possible[place]:
            found.append(f"place {place} holds a card that it cannot")
    return found


@pytest.mark.parametrize("name", catalog())
@pytest.mark.parametrize("kind", ["random", "club"])
def test_the_truth_is_always_possible(name: str, kind: str) -> None:
    k = Constraints()
    for table, s, h, m in positions(load(name), range(4), kind):
        find_constraints(table, s, m, k)
        assert complaints(table, k, lies(table, h)) == []


@pytest.mark.parametrize("name", catalog())
def test_every_world_agrees_with_what_was_seen(name: str) -> None:
    k, world, actions = Constraints(), Hidden(rng=5), [0] * ACTIONS
    for table, s, h, m in islice(positions(load(name), range(2), "random"), 0, None, 7):
        find_constraints(table, s, m, k)
        assert count_worlds(k, WAYS)
        draw_world(table, s, k, world, WAYS)
        assert complaints(table, k, lies(table, world)) == []
        # The seat has the same choices in it, so it cannot tell it from the truth.
        told = actions[: legal(table, s, h, actions)]
        assert actions[: legal(table, s, world, actions)] == told


# All have seen the nest, or a card of it, and the declarer may change a part of it.
SEEN_IN_PART = [
    {"base": "rook_three_1914", "nest_shown": "after_auction"},
    {"base": "kd_tournament", "nest_exchange": {"up_to": 2}, "nest_face_up": 1},
    {"base": "call_partner_5", "nest_exchange": {"exactly_or_none": 2}, "nest_face_up": 1},
]


@pytest.mark.parametrize("given", SEEN_IN_PART)
def test_no_world_gives_a_card_of_the_seen_nest_to_a_defender(given: dict[str, object]) -> None:
    k, world, seen = Constraints(), Hidden(rng=5), 0
    for i, (table, s, h, m) in enumerate(positions(load(given), range(3), "random")):
        find_constraints(table, s, m, k)
        assert complaints(table, k, lies(table, h)) == []
        if i % 4:
            continue  # to count the worlds takes long
        assert count_worlds(k, WAYS)
        draw_world(table, s, k, world, WAYS)
        if s.phase == PLAY and s.face_up:
            places = [place for place in range(table.seats) if place != s.declarer]
            assert not any(world.hand[place] & s.face_up for place in places)
            seen += 1
    assert seen > 12


# After the circus call a card of each seat has gone to its left.
CIRCUS = {"base": "circus", "trump_calls": ["notrump", "circus"]}
PASSED = [
    {},
    {"nest_shown": "after_auction"},
    {"nest_face_up": 1},
    {"first_lead": "declarer_chooses", "nest_shown": "after_auction"},
]


@pytest.mark.parametrize("given", PASSED)
def test_the_truth_is_possible_after_a_circus(given: dict[str, object]) -> None:
    k, world, left = Constraints(), Hidden(rng=5), 0
    rules = load({**CIRCUS, **given})
    for i, (table, s, h, m) in enumerate(positions(rules, range(12), "random")):
        if s.circus:
            note_own(h, m)
            find_constraints(table, s, m, k)
            assert complaints(table, k, lies(table, h)) == []
            if i % 5 and s.phase != CIRCUS_PASS:
                continue  # to count the worlds takes long
            assert count_worlds(k, WAYS)
            draw_world(table, s, k, world, WAYS)
            assert complaints(table, k, lies(table, world)) == []
            gift = 1 << h.gift[m.seat] if s.phase == PLAY else 0
            there = (m.seat + 1) % table.seats
            if s.phase == CIRCUS_PASS:
                places = [place for place in range(table.seats) if place != s.declarer]
                assert not any(world.hand[place] & s.face_up for place in places)
            # What was given lies at the left until it is played.
            assert bool(world.hand[there] & gift) == bool(gift & ~s.played_by[there])
            left += world.hand[there] & gift > 0
    assert left > 10


def worlds_by_hand(k: Constraints) -> set[tuple[int, ...]]:
    """Return every way to lay the unseen cards out, found by trying all orders of them."""
    cards = [card for card in range(CARDS) if k.unseen >> card & 1]
    found = set()
    for order in permutations(cards):
        places, at = [0] * LOCATIONS, 0
        for place in range(LOCATIONS):
            part = order[at : at + k.unseen_in[place]]
            at += k.unseen_in[place]
            if list(part) != sorted(part):
                break
            places[place] = sum(1 << card for card in part)
        else:
            if all(places[p] & ~k.possible[p] == 0 for p in range(LOCATIONS)):
                found.add(tuple(places))
    return found


def ending(need: dict[int, int], may: dict[int, str]) -> Constraints:
    """Return what is known in a made-up ending: cards a, b, c ... are numbers 0, 1, 2 ..."""
    k = Constraints(unseen=(1 << sum(need.values())) - 1)
    for place, size in need.items():
        k.unseen_in[place] = size
        allowed = may.get(place)
        k.possible[place] = (
            k.unseen if allowed is None else sum(1 << ord(letter) - ord("a") for letter in allowed)
        )
    return k


ENDINGS = {
    "nothing known": ending({1: 2, 2: 2, 3: 2}, {}),
    "one lacks a suit": ending({1: 2, 2: 2, 3: 2}, {1: "abc"}),
    "two lack suits": ending({1: 2, 2: 2, 3: 3}, {1: "abcg", 3: "cdefg"}),
    "all lack suits": ending({1: 2, 2: 2, 3: 2}, {1: "abcd", 2: "cdef", 3: "abef"}),
    "all, and the nest": ending(
        {1: 2, 2: 2, 3: 2, IN_NEST: 2}, {1: "abcdef", 2: "cdefgh", 3: "abefgh", IN_NEST: "abcd"}
    ),
    "only one way": ending({1: 1, 2: 1, 3: 1}, {1: "a", 2: "ab", 3: "bc"}),
}
DRAWS = 6000


def tallied(k: Constraints, how: str) -> Counter[tuple[int, ...]]:
    """Return how often each world is drawn."""
    h, seen = Hidden(rng=seeded(3, 1)), Counter[tuple[int, ...]]()
    assert count_worlds(k, WAYS)
    for _ in range(DRAWS):
        if how == "spread":
            draw_exactly(k, h, WAYS)
        else:
            draw_roughly(k, h)
        seen[tuple(k.drawn)] += 1
    return seen


TABLE = compile_rules(load("kd_tournament"))


def worst(seen: Counter[tuple[int, ...]], worlds: set[tuple[int, ...]]) -> float:
    """Return the largest distance of a world's count from its share, in standard errors."""
    share = DRAWS / len(worlds)
    error = sqrt(share * (1 - 1 / len(worlds))) or 1.0
    return max(abs(seen[world] - share) / error for world in worlds)


@pytest.mark.parametrize("k", ENDINGS.values(), ids=ENDINGS.keys())
def test_all_worlds_have_the_same_chance(k: Constraints) -> None:
    worlds = worlds_by_hand(k)
    seen = tallied(k, "spread")
    assert set(seen) == worlds
    assert worst(seen, worlds) < 5


def test_filling_up_card_by_card_does_not_give_them_the_same_chance() -> None:
    # The control: the way in which worlds are usually drawn is seen to be uneven.
    k = ENDINGS["all lack suits"]
    worlds = worlds_by_hand(k)
    assert worst(tallied(k, "fill"), worlds) > 5


def test_the_number_of_ways_is_that_of_the_worlds() -> None:
    for k in ENDINGS.values():
        assert count_worlds(k, WAYS)
        free = [k.unseen_in[place] for place in range(LOCATIONS) if k.unrestricted >> place & 1]
        orders = 1
        left = sum(free)
        for size in free:
            for i in range(size):
                orders = orders * (left - i) // (i + 1)
            left -= size
        assert round(WAYS[k.states - 1]) * orders == len(worlds_by_hand(k))


def test_contradictions_are_seen_and_can_be_forgotten() -> None:
    k = ending({1: 2, 2: 2}, {1: "a", 2: "abcd"})
    assert not count_worlds(k, WAYS)
    relax(k)
    assert count_worlds(k, WAYS)


def test_a_rule_that_is_forgotten_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    # The control of the truth test: a seat that is taken to lack a suit it may still hold.
    told = constraints._apply_voids

    def wrong(table: RuleTable, s: State, k: Constraints) -> None:
        told(table, s, k)
        if s.phase != AUCTION and s.declarer >= 0:
            k.possible[(s.turn + 1) % table.seats] &= ~(0b1111 << 36)  # the tens

    monkeypatch.setattr(constraints, "_apply_voids", wrong)
    k = Constraints()
    found = 0
    for table, s, h, m in positions(load("kd_tournament"), range(3), "random"):
        find_constraints(table, s, m, k)
        found += bool(complaints(table, k, lies(table, h)))
    assert found


# What cannot be said of a single card: the whole nest is worth what was said, and a hand without a
# counter would have been thrown in.
SAID = [
    {"base": "call_partner_4"},
    {"base": "call_partner_4", "nest_statement": "amount"},
    {"base": "kd_tournament", "nest_exchange": {"up_to": 2}, "nest_statement": "yes_no"},
    {"base": "kd_tournament", "counters": {"14": 20, "10": 10}, "redeal": "auto"},
]


def belied(rules: Rules) -> tuple[int, int]:
    """Return how many drawn worlds there were, and how many of them go against what was said."""
    k, world, drawn, wrong = Constraints(), Hidden(rng=3), 0, 0
    for table, s, _, m in positions(rules, range(3), "random"):
        find_constraints(table, s, m, k)
        if not count_worlds(k, WAYS):
            continue
        draw_world(table, s, k, world, WAYS)
        drawn += 1
        if s.statement >= 0:
            worth = points_of(table, world.nest)
            wrong += s.statement != (worth if table.statement == AMOUNT else worth > 0)
        if rules.redeal == "auto":
            wrong += any(
                not (world.hand[seat] | s.played_by[seat]) & table.counters
                for seat in range(table.seats)
                if seat not in (m.seat, s.declarer)
            )
    return drawn, wrong


@pytest.mark.parametrize("said", SAID)
def test_worlds_agree_with_the_nest_statement_and_with_no_redeal(
    said: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = load(said)
    drawn, wrong = belied(rules)
    assert drawn > 100
    assert wrong == 0
    # The control: a draw that does not ask.
    monkeypatch.setattr(sample, "agrees", lambda table, s, k: True)
    assert belied(rules)[1]
