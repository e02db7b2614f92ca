"""Discards beside the right one: what is tried, what one exchange of a card leads to."""

from __future__ import annotations

from itertools import combinations
from types import SimpleNamespace
from typing import Any

import pytest

from rookery.cards import ROOK, unpack
from rookery.engine.nest import possible_discards
from rookery.game import Action
from rookery.puzzles.discards import Exchange, discards_to_try, exchanges, near_misses
from rookery.puzzles.puzzle import Puzzle
from rookery.puzzles.shelf import shelf
from rookery.review.judge import Judge

DISCARDS = [one for one in shelf() if one.part == "nest"]
SEVERAL = next(one for one in DISCARDS if one.rules_name == "kd_tournament")


def pool_of(puzzle: Puzzle) -> list[int]:
    hand = puzzle.hand
    return list(unpack(possible_discards(hand.table, hand.state, hand.hidden)))


@pytest.mark.parametrize("puzzle", DISCARDS[::25], ids=lambda one: one.id)
def test_the_richest_the_poorest_and_short_colours_are_tried(puzzle: Puzzle) -> None:
    """Whatever the search may have found besides."""
    hand, pool = puzzle.hand, pool_of(puzzle)
    judge: Any = SimpleNamespace(judge=lambda *_: SimpleNamespace(weighed=[]))
    tried = discards_to_try(judge, hand, 1)
    assert len(set(tried)) == len(tried) > 1
    assert set(tried) <= set(hand.legal())
    worth = [sum(hand.table.value[card] for card in one.cards) for one in tried]
    values = sorted(hand.table.value[card] for card in pool)
    size = len(tried[0].cards)
    legal = [sum(hand.table.value[card] for card in one.cards) for one in hand.legal()]
    assert max(worth) == max(legal) <= sum(values[-size:])
    assert min(worth) == min(legal) >= sum(values[:size])
    colours = [{card for card in pool if card != ROOK and card % 4 == c} for c in range(4)]
    for short in sorted((colour for colour in colours if colour), key=len)[:2]:
        may = any(short <= set(one.cards) for one in hand.legal())
        assert any(short <= set(one.cards) for one in tried) == may


def test_every_exchange_of_a_card_is_weighed() -> None:
    hand, pool = SEVERAL.hand, pool_of(SEVERAL)
    discard = hand.parse(f"{hand.turn} {SEVERAL.right.actions[0]}")
    found = exchanges(Judge(hand.rules, 200, 1), hand, discard, 1)
    own = set(discard.cards)
    assert {(one.out, one.into) for one in found} == {
        (out, into) for out in own for into in pool if into not in own
    }
    for one in found:
        assert set(one.action.cards) == own - {one.out} | {one.into}
    assert [one.ahead for one in found] == sorted((one.ahead for one in found), reverse=True)
    # The right discard of a puzzle that ships: nothing is better beyond noise.
    assert not any(one.better(1.2) for one in found)
    assert found[-1].behind(5.0, 1.0)


def test_three_wrong_discards_have_as_much_in_common_as_any_or_there_is_one() -> None:
    hand, pool = SEVERAL.hand, pool_of(SEVERAL)
    right = hand.parse(f"{hand.turn} {SEVERAL.right.actions[0]}")
    (one, other, *_), (into, beside, *_) = right.cards, [c for c in pool if c not in right.cards]

    def exchange(out: int, into: int) -> Exchange:
        cards = [into if card == out else card for card in right.cards]
        names = " ".join(hand.names(cards))
        return Exchange(out, into, hand.parse(f"{hand.turn} discard {names}"), -20.0, 1.0)

    def wrong(*pairs: tuple[int, int]) -> list[Action]:
        return near_misses(hand, right, [exchange(*pair) for pair in pairs])

    assert wrong() == []
    for clash in ((one, beside), (other, into)):  # the same card out, or the same one in
        assert wrong((one, into), clash) == [exchange(one, into).action]
    four = [right, *wrong((one, into), (one, beside), (other, beside))]
    assert len(four) == 4
    common = [len(set(a.cards) & set(b.cards)) for a, b in combinations(four, 2)]
    size = len(right.cards)
    assert sorted(common) == [size - 2] * 2 + [size - 1] * 4
