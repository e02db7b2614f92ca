"""What one game is set to: its rules, who deals, and what chance chooses among."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import comb, prod
from typing import Any, Final

import pyspiel

from rookery.engine.state import REDEALT
from rookery.envs.open_spiel.tensors import Tensors
from rookery.envs.positions import Positions, phase_of
from rookery.lab.duplicate.boards import sides_of
from rookery.rules import Rules
from rookery.rules.table import SWEEP_ADD, compile_rules

SAMPLED, EXPLICIT = "sampled", "explicit"
PARAMETERS: Final[dict[str, str | int]] = {
    "rules": "kd_tournament",
    "chance": SAMPLED,
    "deals": 1000,
    "seed": 0,
    "dealer": 0,
}
MOST: Final = 20_000  # deals that are listed
MOST_SEEDS: Final = 10_000_000  # each takes a hundred bytes


class Setting:
    """What the states and observers of a game share.

    Attributes:
        rules: the rules.
        seats: the players.
        positions: what can be done with the game's positions.
        tensors: what a player sees of them, as lists of numbers.
        outcomes: what chance chooses among, and how likely each is.
        first: the seed of the first deal, where chance chooses among seeds.
        deals: the deals, where chance chooses among all that there are; None elsewhere.
        most_decisions: how many decisions a hand has at most.
        most_done: how many things are done in a hand at most, a blind hand's cards too.
        most_points: what no hand is worth more than to anybody, points.
    """

    def __init__(self, rules: Rules, given: Mapping[str, Any]) -> None:
        """Take rules, and the other parameters of a game.

        Raises:
            pyspiel.SpielError: no such dealer, seed or deals.
        """
        dealer, chance, number = given["dealer"], given["chance"], given["deals"]
        self.rules, self.first = rules, given["seed"]
        self.seats = range(rules.seats)
        if not 0 <= dealer < rules.seats:
            raise pyspiel.SpielError(f"dealer={dealer}: expected 0 to {rules.seats - 1}")
        if self.first < 0:
            raise pyspiel.SpielError(f"seed={self.first}: expected 0 or more")
        self.positions = Positions(rules, dealer)
        self.deals: list[bytes] | None = None
        if chance == EXPLICIT:
            if (found := number_of_deals(rules)) > MOST:
                raise pyspiel.SpielError(
                    f"chance={EXPLICIT}: there are {found} deals, expected at most {MOST};"
                    f" take chance={SAMPLED}"
                )
            self.deals = listed_deals(self.positions)
            number = len(self.deals)
        elif chance != SAMPLED:
            raise pyspiel.SpielError(f"chance={chance}: expected {SAMPLED} or {EXPLICIT}")
        elif not 1 <= number <= MOST_SEEDS:
            raise pyspiel.SpielError(f"deals={number}: expected 1 to {MOST_SEEDS}")
        self.outcomes = [(outcome, 1 / number) for outcome in range(number)]
        self.most_decisions = most_decisions(rules)
        self.most_done = self.most_decisions + rules.blind * rules.hand_size
        self.most_points = most_points(rules)
        self.tensors = Tensors(self.positions, self.most_done)

    @property
    def drawn_anew(self) -> int:
        """The outcome, none of those listed, that stands for a deal which `resample` has drawn."""
        return len(self.outcomes)

    def dealt(self, outcome: int, order: Sequence[int] | None) -> bytes:
        """Return the position after chance has chosen; `order` is a deal drawn anew.

        Raises:
            pyspiel.SpielError: there is no such outcome.
        """
        if order is not None:
            return self.positions.laid_out(order)
        if not 0 <= outcome < len(self.outcomes):
            most = len(self.outcomes) - 1
            raise pyspiel.SpielError(f"chance outcome {outcome}: expected 0 to {most}")
        if self.deals is not None:
            return self.positions.laid_out(self.deals[outcome])
        return self.positions.dealt(self.first + outcome)


def most_decisions(rules: Rules) -> int:
    """Return how many decisions a hand has at most.

    >>> from rookery.rules import load
    >>> most_decisions(load("kd_tournament"))
    60
    """
    seats, table = rules.seats, compile_rules(rules)
    raises = table.bid_levels + table.sun
    # A seat that has passed may come back, so that others can pass again after each bid.
    calls = (raises + 1) * seats if rules.return_after_pass else raises + seats
    circus = 1 + seats if "circus" in rules.trump_calls else 0
    trump_rook_leader, named = 3, 1 + rules.called_cards  # or fewer, and then enough
    return calls + rules.nest_size + trump_rook_leader + named + circus + rules.hand_size * seats


def most_points(rules: Rules) -> int:
    """Return what no hand is worth more than, to anybody; points.

    >>> from rookery.rules import load
    >>> most_points(load("kd_tournament"))
    240
    """
    table = compile_rules(rules)
    sweep = table.sweep_value + (rules.total_points if table.sweep == SWEEP_ADD else 0)
    sun = table.sun * table.sun_value
    best = max(rules.total_points, sun, table.moon * table.moon_value, sweep if table.sweep else 0)
    worst = table.set_factor * max(table.bid_maximum, sun)
    return (sides_of(table) - 1) * (best + worst)


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
    if rules.redeal != "auto":
        return list(deals)
    return [deal for deal in deals if phase_of(positions.laid_out(deal)) != REDEALT]
