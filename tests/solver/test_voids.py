"""What a seat's play rules out: a card is taken not to lie there exactly when it cannot."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from tests.laws.house import with_changes
from tests.solver.positions import choices_of

from rookery.bots.club.counting import OWN
from rookery.bots.seat_info import SeatInfo, clear_notes, observe, observe_trick
from rookery.cards import CARDS, unpack
from rookery.engine.actions import ACTIONS, actor, apply, legal
from rookery.engine.deal import deal, shuffle
from rookery.engine.records import copy_of
from rookery.engine.rng import seeded
from rookery.engine.state import DONE, NEST, PLAY, Hidden, State
from rookery.rules import Rules, catalog, load
from rookery.rules.order import SUITS, TRUMP
from rookery.rules.table import PLACES, RuleTable, compile_rules
from rookery.solver.constraints import IN_NEST, Constraints, find_constraints

Turns = list[list[tuple[State, int]]]  # of each place: the table before it played a card, and that
HANDS = 6
FREE = [
    {"base": "kd_tournament"},
    {"base": "kd_tournament", "rook_rank": "bottom"},
    {"base": "kd_tournament", "trump_calls": ["suits", "notrump", "suits-low"]},
    {"base": "red_1", "red_1": "top_trump_any_time", "rook_any_time": False},
]
EXACT = [
    *({"rook_any_time": free} for free in (True, False)),
    *({"rook_rank": rank} for rank in ("top", "bottom", "10.5", "12.5")),
    *({"rook_at_no_trump": word} for word in ("sole_trump", "red_10_5", "loser")),
    {"trump_calls": ["suits", "suits-low", "notrump", "notrump-low"]},
    {"red_1": "top_trump_any_time"},
    {"dummy": "partner"},
]
# Who may not throw away while they hold a trump, or lead one while they hold a plain card, shows
# more than a void in the suit led. That is not used.
MORE_IS_SHOWN = [
    {"void_duty": "must_trump"},
    {"void_duty": "must_beat"},
    {"trump_lead": "when_broken"},
]


def played(rules: Rules, seed: int) -> Iterator[tuple[RuleTable, State, Hidden, SeatInfo, Turns]]:
    """Yield each card of a hand at random, as the seat to act sees it, and what led there."""
    table, rng = compile_rules(rules), Random(seed)
    s, h, turns = State(), Hidden(rng=seeded(seed, 0)), Turns([] for _ in range(PLACES))
    mine = [SeatInfo() for _ in range(PLACES)]
    order, actions = [0] * CARDS, [0] * ACTIONS
    while s.phase != PLAY:
        shuffle(table, h, order)
        deal(table, s, h, order, seed % table.seats)
        for m in mine:
            clear_notes(m)
        while s.phase < PLAY:
            observe(table, s, h, mine[actor(s)])
            apply(table, s, h, rng.choice(actions[: legal(table, s, h, actions)]))
    while s.phase < DONE:
        m = mine[actor(s)]
        observe_trick(table, s, h, m)
        yield table, s, h, m, turns
        card = rng.choice(choices_of(table, s, h))
        turns[s.turn].append((copy_of(s), card))
        apply(table, s, h, card)


def could_hold(table: RuleTable, turns: list[tuple[State, int]], card: int) -> bool:
    """Return whether all cards of a place were legal to play with `card` in its hand too.

    The hand is the card and what the place played later. More cards never make more legal.
    """
    h, actions, hand = Hidden(), [0] * ACTIONS, 1 << card
    for before, chosen in reversed(turns):
        hand |= 1 << chosen
        h.hand[before.turn] = hand
        if chosen not in actions[: legal(table, before, h, actions)]:
            return False
    return True


def verdicts(rules: Rules) -> Iterator[tuple[bool, bool, bool, str]]:
    """Yield whether a place could hold a card, whether it is taken to, if that is a void in trumps.

    Cards of which the declaration says something are left out: the called one, those seen in the
    nest.
    """
    k = Constraints()
    for seed in range(HANDS):
        for at, (table, s, h, m, turns) in enumerate(played(rules, seed)):
            if at % 3:
                continue
            find_constraints(table, s, m, k)
            told = s.face_up
            for called in s.called[: s.called_count]:
                told |= 1 << called
            free = table.any_time[s.row] & table.mask[s.row * SUITS + TRUMP]
            for place in range(IN_NEST):
                if k.unseen_in[place]:
                    assert not h.hand[place] & ~k.known[place] & ~k.possible[place]
                    for card in unpack(k.unseen & ~told):
                        could = could_hold(table, turns[place], card)
                        taken = k.possible[place] >> card & 1 == 1
                        where = f"hand {seed}, card {at}, place {place}, {card}"
                        yield could, taken, free >> card & 1 == 1, where


def wrong(rules: Rules) -> list[str]:
    """Return where a card is taken to lie where it cannot, or not to lie where it can."""
    return [where for could, taken, _, where in verdicts(rules) if could != taken]


@pytest.mark.parametrize("name", catalog())
def test_what_a_place_cannot_hold_is_exactly_what_its_play_rules_out(name: str) -> None:
    assert wrong(load(name)) == []


@pytest.mark.parametrize("change", EXACT, ids=str)
def test_that_is_so_with_house_rules_of_the_rook_and_of_trumps(change: dict[str, object]) -> None:
    for base in ("kd_tournament", "low_card_no_trump", "red_1"):
        assert wrong(with_changes(base, [change])) == []


@pytest.mark.parametrize("change", MORE_IS_SHOWN, ids=str)
def test_where_play_shows_more_than_a_void_nothing_possible_is_ruled_out(
    change: dict[str, object],
) -> None:
    found = list(verdicts(with_changes("kd_tournament", [change])))
    assert [where for could, taken, _, where in found if could and not taken] == []


@pytest.mark.parametrize("rules", FREE, ids=str)
def test_a_card_that_may_be_played_at_any_time_is_a_trump_all_the_same(
    rules: dict[str, object],
) -> None:
    # Both have been seen: it is gone with the trumps, and it is held by who did not play it.
    found = list(verdicts(load(rules)))
    assert {(could, taken) for could, taken, free, _ in found if free} == {
        (True, True),
        (False, False),
    }


def test_a_nest_that_all_have_seen_is_the_declarers_before_anything_is_laid_away() -> None:
    """The trump call comes before the discard there: nothing lies in the nest, and it is known."""
    table, rng = compile_rules(load("one_low_180")), Random(1)
    s, h, m, k = State(), Hidden(rng=seeded(1, 0)), SeatInfo(), Constraints()
    order, actions = [0] * CARDS, [0] * ACTIONS
    shuffle(table, h, order)
    deal(table, s, h, order, 0)
    while s.phase != NEST:
        apply(table, s, h, rng.choice(actions[: legal(table, s, h, actions)]))
    m.seat = (s.declarer + 1) % table.seats
    m.hand = m.memo[OWN] = h.hand[m.seat]
    find_constraints(table, s, m, k)
    assert s.face_up.bit_count() == 5
    for place in range(table.seats):
        if place != m.seat:
            assert (k.possible[place] & s.face_up == s.face_up) == (place == s.declarer)
            assert bool(k.possible[place] & s.face_up) == (place == s.declarer)
