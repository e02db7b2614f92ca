"""Cards as they are dealt: checked where somebody names them, drawn where a seed does."""

from __future__ import annotations

from collections.abc import Sequence

from rookery.cards import Card, UnknownCard, by_suit, card_name, pack_cards, parse_card
from rookery.engine.deal import shuffle
from rookery.engine.rng import seeded
from rookery.engine.state import Hidden
from rookery.game.errors import BadDeal, shortened
from rookery.game.shown import place_name
from rookery.rules import Rules
from rookery.rules.table import compile_rules

SEEDS = 1 << 63  # seeds go from 0 to one less


def checked_deal(
    rules: Rules, dealer: int, deal: Sequence[Sequence[str]], nest: Sequence[str]
) -> list[Card]:
    """Return the cards of a deal one behind the other: the hands from seat 0 on, then the nest.

    Raises:
        BadDeal: they are no deal of this game; codes ``bad-deal`` and ``unknown-card``.
    """
    _check_dealer(rules, dealer)
    if len(deal) != rules.hands:
        with_blind = ", the blind one last" if rules.blind else ""
        raise _bad(f"{len(deal)} hands are dealt; expected {rules.hands}{with_blind}")
    places = [(place_name(rules, i), hand, rules.hand_size) for i, hand in enumerate(deal)]
    order: list[Card] = []
    where: dict[Card, str] = {}
    for place, names, size in [*places, ("the nest", nest, rules.nest_size)]:
        if len(names) != size:
            raise _bad(f"{place} has {len(names)} cards; expected {size}")
        for name in names:
            try:
                card = parse_card(name, rules.pack)
            except UnknownCard:
                reason = f"{place}: {shortened(name)} is not a card of this pack"
                raise BadDeal("unknown-card", reason) from None
            if card not in rules.deck:
                raise _bad(f"{place}: {card_name(card, rules.pack)} is not in this game's deck")
            if card in where:
                raise _bad(f"{card_name(card, rules.pack)} is dealt twice: {where[card]}, {place}")
            where[card] = place
            order.append(card)
    return order


def _check_dealer(rules: Rules, dealer: int) -> None:
    if not 0 <= dealer < rules.seats:
        raise _bad(f"there is no dealer {dealer}; expected 0 to {rules.seats - 1}")


def drawn_deal(rules: Rules, dealer: int, seed: int) -> list[Card]:
    """Return the deal that `seed` stands for, as `checked_deal` does; seats hold theirs sorted.

    Raises:
        BadDeal: no such dealer or seed; code ``bad-deal``.
    """
    _check_dealer(rules, dealer)
    if not 0 <= seed < SEEDS:
        raise _bad(f"{shortened(seed, 24)} is no seed; expected 0 to {SEEDS - 1}")
    hidden = Hidden(rng=seeded(seed, 0))
    table = compile_rules(rules)
    order = [0] * table.cards
    shuffle(table, hidden, order)
    size = rules.hand_size
    for at in range(0, rules.seats * size, size):
        order[at : at + size] = by_suit(pack_cards(order[at : at + size]))
    return order


def _bad(reason: str) -> BadDeal:
    return BadDeal("bad-deal", reason)
