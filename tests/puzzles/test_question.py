"""A puzzle is asked as its seat sees it: what lies closed changes nothing that is shown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from tests.puzzles.positions import SAMPLE, cannot_tell, closed
from tests.search.test_secrets import exchanged

from rookery.puzzles.document import PuzzleQuestion, answer, question, seen
from rookery.puzzles.puzzle import Puzzle
from rookery.view import view_of


def twin(puzzle: Puzzle) -> Puzzle | None:
    """Return the puzzle with two closed cards in each other's place, if its seat cannot tell."""
    hand, rng = puzzle.hand, Random(puzzle.id)
    cards = closed(hand)
    for _ in range(40):
        other = exchanged(hand, *rng.sample(cards, 2)) if len(cards) > 1 else None
        if other is not None and cannot_tell(hand, other):
            return Puzzle.of(other, puzzle.choices, puzzle.themes, puzzle.found)
    return None


def pairs() -> Iterator[tuple[Puzzle, Puzzle]]:
    for puzzle in SAMPLE:
        other = twin(puzzle)
        if other is not None:
            yield puzzle, other


def test_closed_cards_change_nothing_that_is_asked() -> None:
    found = list(pairs())
    assert len(found) > len(SAMPLE) // 2
    assert {puzzle.part for puzzle, _ in found} == {"auction", "nest", "play"}
    for puzzle, other in found:
        assert puzzle.id != other.id
        asked = question(other).model_copy(update={"id": puzzle.id})
        assert asked == question(puzzle)
        told, same = answer(puzzle), answer(other)
        assert told.choices == same.choices  # the reasons too follow from what the seat knows
        assert told.record != same.record  # the control: the cards do lie otherwise


@pytest.mark.parametrize("puzzle", SAMPLE[::4], ids=lambda one: one.id)
def test_the_view_is_the_seats_with_the_tricks_that_it_has_seen(puzzle: Puzzle) -> None:
    hand = puzzle.hand
    shown = seen(hand, puzzle.seat)
    assert replace(shown, tricks=[]) == replace(view_of(hand, puzzle.seat), tricks=[])
    assert len(shown.tricks) == len(hand.tricks)
    for trick, whole in zip(shown.tricks, hand.tricks, strict=True):
        assert [one.card for one in trick.cards or ()] == hand.names(whole.cards)
        assert (trick.leader, trick.winner) == (whole.leader, whole.winner)


def test_a_question_has_no_field_that_gives_the_answer_away() -> None:
    fields = set(PuzzleQuestion.model_fields)
    assert not fields & {"choices", "record", "held", "nest", "themes"}
    assert [answer(one).themes for one in SAMPLE] == [list(one.themes) for one in SAMPLE]
    first = [question(one).options[0] == list(one.right.actions) for one in SAMPLE]
    assert 0 < sum(first) < len(first)


@pytest.mark.parametrize("puzzle", SAMPLE[::4], ids=lambda one: one.id)
def test_with_the_answer_every_card_is_seen(puzzle: Puzzle) -> None:
    hand, told = puzzle.hand, answer(puzzle)
    fallen = [card for trick in hand.tricks for card in hand.names(trick.cards)]
    fallen += [one["card"] for one in told.view["trick"]]
    dealt = [card for cards in (*hand.dealt, hand.nest_dealt) for card in hand.names(cards)]
    lie = [card for cards in (*told.held, told.nest) for card in cards]
    assert sorted([*lie, *fallen]) == sorted(dealt)


def test_partners_by_the_rules_are_named_and_called_ones_are_not() -> None:
    fixed = next(one for one in SAMPLE if one.rules.partnership == "fixed_opposite")
    assert question(fixed).partners == [(fixed.seat + 2) % 4]
    called = next(one for one in SAMPLE if one.rules_name.startswith("call_partner"))
    assert question(called).partners == []
