"""What a bot did is the answer of a puzzle only if it is nearer to that than to any other."""

from __future__ import annotations

from dataclasses import replace

from rookery.cards import Card, by_suit, pack_cards
from rookery.engine.nest import possible_discards
from rookery.game import Action, Hand
from rookery.puzzles.difficulty import nearest
from rookery.puzzles.puzzle import Worth
from rookery.puzzles.shelf import shelf
from rookery.rules import load


def choices(*actions: Action) -> list[Worth]:
    return [Worth((one.words,), 0.0, None) for one in actions]


def exchanged(hand: Hand, discard: Action, out: Card, into: Card) -> Action:
    cards = tuple(by_suit(pack_cards([into if card == out else card for card in discard.cards])))
    done = replace(discard, cards=cards)
    assert hand.numbers_of(done)
    return done


def test_a_discard_as_near_to_a_wrong_one_is_not_the_right_one() -> None:
    puzzle = next(one for one in shelf() if one.part == "nest" and one.hand.rules.nest_size > 2)
    hand = puzzle.hand
    right = hand.parse(f"{hand.turn} {puzzle.right.actions[0]}")
    pool = possible_discards(hand.table, hand.state, hand.hidden) & ~pack_cards(right.cards)
    kept = by_suit(pool)
    wrong = exchanged(hand, right, right.cards[0], kept[0])
    other = exchanged(hand, right, right.cards[0], kept[1])  # one card from each of them
    nearer = exchanged(hand, right, right.cards[1], kept[2])  # two cards from the others
    for order in (choices(right, wrong), choices(right, wrong, other)):
        assert nearest(hand, right, order) == 0
        assert nearest(hand, wrong, order) == 1
        assert nearest(hand, nearer, order) == 0
    assert nearest(hand, other, choices(right, wrong)) == 1


def test_a_bid_in_the_middle_of_two_is_not_the_right_one() -> None:
    hand = Hand.shuffled(load("kd_tournament"), dealer=0, seed=1)
    bids = [hand.action_of(number) for number in hand.legal_numbers()]
    low, middle, high = [one for one in bids if isinstance(one.amount, int)][:3]
    assert nearest(hand, middle, choices(low, high)) == 1
    assert nearest(hand, middle, choices(high, low)) == 1
    assert nearest(hand, middle, choices(low, middle, high)) == 1
