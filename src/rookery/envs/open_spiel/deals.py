"""All deals of a small game, one after the other: what explicit chance chooses among."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb, prod
from typing import Final

from rookery.engine.state import REDEALT
from rookery.envs.positions import Positions, phase_of
from rookery.rules import Rules
from rookery.rules.table import REDEAL, compile_rules

MOST: Final = 20_000  # deals that are listed
MOST_SEEDS: Final = 10_000_000  # each takes a hundred bytes


def groups_of(rules: Rules) -> list[int]:
    """Return how many cards are dealt together, in the order of the deal.

    A blind hand is dealt card by card, since it plays in that order; of a nest the cards that lie
    face up come first.
    """
    hands = [rules.hand_size] * rules.seats + [1] * (rules.hand_size * rules.blind)
    return [*hands, rules.nest_face_up, rules.nest_size - rules.nest_face_up]


def number_of_deals(rules: Rules) -> int:
    """Return in how many ways the cards can be dealt.

    >>> from rookery.rules import load
    >>> number_of_deals(load("kd_tournament"))
    16076649642834698277360000
    """
    groups = groups_of(rules)
    return prod(comb(sum(groups[i:]), size) for i, size in enumerate(groups))


def every_deal(cards: Sequence[int], groups: Sequence[int]) -> Iterator[bytes]:
    """Yield every deal of some cards, numbers of cards in the order of the deal.

    >>> [list(deal) for deal in every_deal([3, 5, 8], [1, 2])]
    [[3, 5, 8], [5, 3, 8], [8, 3, 5]]
    """
    if not groups:
        yield b""
        return
    for part in combinations(cards, groups[0]):
        rest = [card for card in cards if card not in part]
        for others in every_deal(rest, groups[1:]):
            yield bytes(part) + others


def listed_deals(positions: Positions) -> list[bytes]:
    """Return every deal of a game that the rules do not cancel by themselves."""
    rules = positions.rules
    deals = every_deal(rules.deck, groups_of(rules))
    if compile_rules(rules).redeal != REDEAL.index("auto"):
        return list(deals)
    return [deal for deal in deals if phase_of(positions.laid_out(deal)) != REDEALT]
