"""What an agent is shown is what its seat may know, number by number."""

from __future__ import annotations

import pytest

pytest.importorskip("numpy")

from tests.envs.following import followed, wrong_in

from rookery.engine.actions import ACTIONS
from rookery.engine.state import Hidden
from rookery.envs.observations.compact import (
    CHOICES,
    EACH,
    FIXED,
    MASK_WORDS,
    places_of,
    write_mask,
)
from rookery.envs.tables import Tables
from rookery.rules import catalog
from rookery.rules.table import compile_rules

SHOWN = {field.name for field in FIXED} | {f"{field.name}[0]" for field in EACH}


@pytest.mark.parametrize("name", catalog())
def test_a_row_says_what_the_view_of_a_seat_says(name: str) -> None:
    tables = Tables(name, target="python")
    for seed in range(3):
        tables.begin(seed, dealer=seed % tables.rules.seats)
        for hand in followed(tables, 200):
            assert not hand.over or hand.phase == "done"
            for seat in {hand.to_act or 0, len(hand.actions) % tables.rules.seats}:
                assert wrong_in(tables.seen(0, seat), hand, seat) == [], (seed, hand.actions, seat)
            if not hand.over:
                mask = [i for i in range(ACTIONS) if tables.masks[0, i]]
                assert mask == hand.legal_numbers()
                assert (tables.observations[0] == tables.seen(0, int(tables.seats[0]))).all()


def test_a_wrong_number_in_a_row_is_found() -> None:
    """The control: every number that is flipped, one a field, is named by its field."""
    tables = Tables("call_partner_pagat", target="python")
    tables.begin(3)
    found = set()
    where = places_of(compile_rules(tables.rules))
    for hand in followed(tables, 200):
        row = tables.seen(0, 1)
        for name, numbers in where.items():
            changed = row.copy()
            changed[numbers.start] ^= 1
            found |= {name} & set(wrong_in(changed, hand, 1))
    # Who has shown to lack a suit is in no view.
    assert {name for name in SHOWN if not name.startswith("void")} <= found


@pytest.mark.parametrize("name", catalog())
def test_nothing_that_is_hidden_is_in_a_row_or_a_mask(name: str) -> None:
    """The cards that a seat cannot see are dealt again among the others: it sees no difference."""
    tables = Tables(name, target="python")
    compared = told = 0
    for seed in range(3):
        tables.begin(seed)
        for hand in followed(tables, 120):
            if hand.over:
                break
            seat = int(tables.seats[0])
            h, s = tables.hiddens[0], tables.states[0]
            others = [p for p in range(tables.rules.seats) if p not in (seat, s.dummy)]
            # The last other seat changes a card with the first one, or else with the nest.
            held = [h.hand[place] & ~s.face_up for place in others]
            if not (seat == s.declarer and h.pickup) and len(others) < 2:
                held.insert(0, h.nest & ~s.face_up)
            if len(held) < 2 or not held[0] or not held[-1]:
                continue
            before, mask = tables.seen(0, seat), tables.masks[0].tolist()
            theirs = tables.seen(0, others[-1])
            one, two = held[0] & -held[0], held[-1] & -held[-1]
            exchange(h, others, one | two)
            words = [0] * MASK_WORDS
            room, choices = [0] * ACTIONS, [0] * CHOICES
            write_mask(compile_rules(tables.rules), s, h, room, words, choices, 0)
            assert [word >> 8 * i & 1 for word in words for i in range(8)][:ACTIONS] == mask
            assert (tables.seen(0, seat) == before).all()
            told += bool((tables.seen(0, others[-1]) != theirs).any())
            compared += 1
            exchange(h, others, one | two)
    assert compared > 20
    assert told == compared  # the control: who holds another card sees it


def exchange(h: Hidden, others: list[int], cards: int) -> None:
    """Give a card of each of two places, or of the nest, to the other."""
    for place in others:
        if h.hand[place] & cards:
            h.hand[place] ^= cards
    if h.nest & cards:
        h.nest ^= cards
