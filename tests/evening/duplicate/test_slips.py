"""Slips lead to the cards that were promised, and one alone says nothing of them."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from rookery.evening.duplicate.slips import (
    Slips,
    dealing_slip,
    hand_slips,
    order_slip,
    pair_cards,
    place_names,
    slips_of,
    table_cards,
)
from rookery.evening.movements.changes import begin
from rookery.evening.movements.rounds import laid_out
from rookery.evening.movements.schedule import played_out
from rookery.fairness.evening import EveningDeals
from rookery.rules import variant

KEY = bytes(range(32))
GAMES = ("kd_tournament", "rook_two_1914", "rook_three_1914", "dixie_6")


def deals_of(rules: str, key: bytes = KEY) -> EveningDeals:
    return EveningDeals(variant(rules), "Friday", 30, key)


def gathered(slips: Slips) -> tuple[list[list[str]], list[str]]:
    """Return the hands and the nest that are dealt by an order slip and a dealing slip.

    The cards of each pile come in the order in which they are dealt.
    """
    piles: list[list[str]] = [[] for _ in range(len(slips.hands) + 1)]
    for card, pile in zip(slips.order, slips.piles, strict=True):
        piles[pile].append(card)
    return piles[:-1], piles[-1]


@pytest.mark.parametrize("rules", GAMES)
def test_dealing_by_the_slips_gives_everybody_their_cards(rules: str) -> None:
    deals = deals_of(rules)
    for number in range(1, 31):
        slips = slips_of(deals, number)
        hand = deals.hand(number)
        hands, nest = gathered(slips)
        seats = deals.rules.seats
        assert [sorted(cards) for cards in hands] == [sorted(hand.names(c)) for c in hand.dealt]
        # A blind hand lies in its order, and so does the nest.
        assert hands[seats:] == [hand.names(cards) for cards in hand.dealt[seats:]]
        assert nest == hand.names(hand.nest_dealt) == list(slips.nest)
        assert [list(cards) for cards in slips.hands] == [hand.names(c) for c in hand.dealt]
        assert slips.dealer == hand.dealer == (number - 1) % seats


def test_the_control_a_slip_with_two_cards_exchanged_deals_other_hands() -> None:
    slips = slips_of(deals_of("kd_tournament"), 1)
    other = next(i for i, pile in enumerate(slips.piles) if pile != slips.piles[0])
    order = list(slips.order)
    order[0], order[other] = order[other], order[0]
    assert gathered(slips._replace(order=tuple(order))) != gathered(slips)


def test_where_a_card_lies_says_nothing_of_who_gets_it() -> None:
    """Over many deals each place of the pack goes to each hand as often as the hand has cards."""
    deals = deals_of("kd_tournament")._replace(boards=300)
    top: Counter[int] = Counter()
    rising = 0
    for number in range(1, 301):
        slips = slips_of(deals, number)
        top[slips.piles[0]] += 1
        first = [card for card, pile in zip(slips.order, slips.piles, strict=True) if pile == 0]
        rising += first == list(slips.hands[0])
    assert all(abs(top[seat] - 300 * 9 / 41) < 5 * (300 * 9 / 41) ** 0.5 for seat in range(4))
    assert abs(top[4] - 300 * 5 / 41) < 5 * (300 * 5 / 41) ** 0.5
    assert rising == 0  # a sorted hand would show where it begins


def test_a_slip_shows_one_hand_and_two_halves_of_the_deal() -> None:
    deals = deals_of("kd_tournament")
    slips, places = slips_of(deals, 3), place_names(deals.rules)
    parts = "\n".join(hand_slips(slips, places, "Friday")).split("- - ")
    shown = [part for part in parts if "deal 3" in part]
    assert len(shown) == 5
    for place, cards in zip(places, (*slips.hands, slips.nest), strict=True):
        (part,) = (part for part in shown if f"{place}, deal 3 (South deals)" in part)
        assert part.splitlines()[-1].split() == list(cards)
    order = "\n".join(order_slip(slips, "Friday"))
    assert not any(place in order for place in places)
    assert "deals" not in order
    assert re.findall(r"[RGYB]\w+", order.partition("Friday")[2]) == list(slips.order)
    dealing = "\n".join(dealing_slip(slips, places, "Friday"))
    assert not {card for hand in slips.hands for card in hand} & set(dealing.split())
    dealt = re.findall(r"(?<= )[A-Z]\w+", dealing.partition("Friday")[2])
    assert dealt == [places[pile] for pile in slips.piles]


@pytest.mark.parametrize("rules", [*GAMES, "rook_1906_8"])
def test_everything_fits_eighty_columns(rules: str) -> None:
    deals = deals_of(rules)
    slips, places = slips_of(deals, 30), place_names(deals.rules)
    name = "An evening with a name that is far too long for a slip, really"
    lines = [
        *hand_slips(slips, places, name),
        *order_slip(slips, name),
        *dealing_slip(slips, places, name),
    ]
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("movement", ["mitchell", "relay", "howell"])
@pytest.mark.parametrize(("pairs", "boards"), [(7, 20), (8, 20), (8, 1)])
def test_table_cards_and_pair_cards_say_the_same(movement: str, pairs: int, boards: int) -> None:
    begun = begin(movement, 2 * pairs, boards=boards)
    evening = laid_out(begun)
    names = [f"Pair {i} of the village with a long name" for i in range(1, pairs + 1)]
    tables, cards = list(table_cards(evening, names)), list(pair_cards(evening, names))
    assert max(map(len, [*tables, *cards])) <= 80
    at_tables = sum(line.count("Pair ") for line in tables)
    on_cards = sum(", against Pair " in line for line in cards)
    assert at_tables == on_cards > 0
    # Which deals are played where follows from the evening, too, when its rounds begin.
    planned = [
        (f"{number}", f"{at.number}", "-".join(map(str, sorted({at.boards[0], at.boards[-1]}))))
        for number, one in enumerate(played_out(begun, 99).rounds, 1)
        for at in one.tables
    ]
    shown = [
        (turn, table.split()[0], deals)
        for table in "\n".join(tables).split("Table ")[1:]
        for turn, deals in re.findall(r"^ +(\d+)  ([\d-]+) +Pair", table, re.M)
    ]
    of_pairs = re.findall(r"^ +(\d+)  table (\d+), .*, deals ([\d-]+), ", "\n".join(cards), re.M)
    assert sorted(shown) == sorted(planned)
    assert sorted(of_pairs) == sorted(2 * planned)
    assert sum("sit out" in line for line in cards) == (7 if movement == "howell" else 4) * (
        pairs % 2
    ) - (movement == "mitchell") * (pairs % 2)
