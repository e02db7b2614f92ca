"""Discards to choose from: some that people try, and what an exchange of one card is worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from math import hypot
from typing import NamedTuple

from rookery.bots.player import KernelPlayer
from rookery.cards import ROOK, Card, by_suit, pack_cards
from rookery.engine.nest import possible_discards
from rookery.game import Action, Hand, IllegalAction, Verb
from rookery.review.judge import SURE, Judge


class Exchange(NamedTuple):
    """A discard that differs from another in one card: `out` stays in hand, `into` is put away.

    It is `ahead` of the other one by so many points, with that standard error.
    """

    out: Card
    into: Card
    action: Action
    ahead: float
    error: float

    def behind(self, points: float, errors: float) -> bool:
        """Return whether it is worse by so many points, with some standard errors to spare."""
        return -self.ahead - errors * self.error >= points

    def better(self, floor: float) -> bool:
        """Return whether it is better beyond noise, and by more than `floor`, points."""
        return self.ahead > max(floor, SURE * self.error)


def exchanges(judge: Judge, hand: Hand, discard: Action, place: int) -> list[Exchange]:
    """Return every allowed discard that differs from one in one card, the best first.

    The cards that may stand in for a card are tried in the same worlds. `place` is the number of
    the decision, for the dice.
    """
    found = []
    for last in discard.cards:
        position = hand
        for card in discard.cards:
            position = position if card == last else position.do(card)
        choices = judge.choices(position, place, last)
        own = next(choice for choice in choices if choice.action == last)
        for choice in choices:
            if choice is own or choice.action in discard.cards:
                continue
            action = _exchanged(discard, last, choice.action)
            if not _allowed(hand, action):
                continue
            errors = (own.behind_error, choice.behind_error)
            known = [one for one in errors if one is not None]
            error = hypot(*known) if len(known) == 2 else float(hand.rules.total_points)
            ahead = choice.margin - own.margin
            found.append(Exchange(last, choice.action, action, ahead, error))
    return sorted(found, key=lambda one: -one.ahead)


def _exchanged(discard: Action, out: Card, into: Card) -> Action:
    cards = [into if card == out else card for card in discard.cards]
    return replace(discard, cards=tuple(by_suit(pack_cards(cards))))


def near_misses(hand: Hand, discard: Action, worse: Sequence[Exchange]) -> list[Action]:
    """Return wrong discards beside a right one: two exchanges of a card, and both at once.

    So each of the four has as much in common with the others as any. What they look like does not
    say which is right. It is one exchange alone if no two fit together, and none if there is none.
    """
    for one, other in combinations(worse, 2):
        if one.out != other.out and one.into != other.into:
            both = _exchanged(one.action, other.out, other.into)
            if _allowed(hand, both):
                return [one.action, other.action, both]
    return [one.action for one in worse[:1]]


def discards_to_try(judge: Judge, hand: Hand, place: int) -> list[Action]:
    """Return whole discards to choose from: the search's, the script's, and some that people try.

    These put away the most points, the fewest, or all of a short colour, where the rules allow it.
    """
    seat, table = hand.turn or 0, hand.table
    script = KernelPlayer("club", place, seat).move(hand).actions[-1]
    found = [one.action for one in judge.judge(hand, script, place).weighed]
    pool = by_suit(possible_discards(table, hand.state, hand.hidden))
    size = len(script.cards)
    cheap = sorted(pool, key=lambda card: table.value[card])
    of_colour = [[card for card in pool if card != ROOK and card % 4 == c] for c in range(4)]
    of_colour.sort(key=len)
    short = [[*own, *(card for card in cheap if card not in own)] for own in of_colour if own]
    for cards in (*short[:2], cheap[::-1], cheap):
        chosen = tuple(by_suit(pack_cards(cards[:size])))
        action = Action(seat, Verb.DISCARD, chosen, pack=script.pack)
        if action not in found and _allowed(hand, action):
            found.append(action)
    return found


def _allowed(hand: Hand, action: Action) -> bool:
    try:
        hand.numbers_of(action)
    except IllegalAction:
        return False
    return True
