"""Slips for dealing the same cards by hand at every table, and cards that lie on the tables.

A hand slip says what one seat holds. Whoever takes these cards out of a pack sees what is left of
it, so hand slips are for people who do not play the deal. Where all at a table play, two of them
deal it together, and neither knows a hand: one puts the pack into the order of an *order slip*, and
does not see who gets which place; the other deals it face down by a *dealing slip*, and does not
see the cards. Either slip alone says nothing of the deal: for each order every way to deal it out
is as likely, and for each way to deal every order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import Final, NamedTuple

from rookery import record
from rookery.cards import card_name
from rookery.evening.movements.plan import Placed
from rookery.evening.movements.rounds import planned_rounds
from rookery.evening.movements.state import Evening
from rookery.fairness.evening import EveningDeals
from rookery.rules import Rules

WIDTH: Final = 80
ACROSS: Final = 10  # cards or places in a line of an order slip or a dealing slip
CUT: Final = "- " * (WIDTH // 2 - 1) + "-"
COMPASS: Final = ("North", "East", "South", "West")


class Slips(NamedTuple):
    """What is printed of one deal.

    Attributes:
        number: of the deal, from 1.
        dealer: the seat that deals.
        hands: the cards of each seat, a blind hand last, by name.
        nest: the cards of the nest, by name.
        order: all cards, in the order in which the pack is to lie, from the top.
        piles: to which hand each of these goes, by its place in `hands`; the nest behind all.
    """

    number: int
    dealer: int
    hands: tuple[tuple[str, ...], ...]
    nest: tuple[str, ...]
    order: tuple[str, ...]
    piles: tuple[int, ...]


def slips_of(deals: EveningDeals, number: int) -> Slips:
    """Return what is printed of a deal of an evening.

    Raises:
        IndexError: there is no such deal.
        ValueError: the rules throw in whatever is dealt.
    """
    hand = deals.hand(number)
    rules = deals.rules
    piles = [*hand.dealt, hand.nest_dealt]
    sizes = [pile for pile, cards in enumerate(piles) for _ in cards]
    dealt = tuple(deals.shuffled("piles", number, sizes))
    waiting = []
    for pile, cards in enumerate(piles):
        # People's hands are sorted, so their order would show where the next one begins. A blind
        # hand and the nest lie as they were shuffled.
        held = deals.shuffled(f"pile {pile}", number, cards) if pile < rules.seats else cards
        waiting.append(iter(held))
    order = tuple(card_name(next(waiting[pile]), rules.pack) for pile in dealt)
    named = [tuple(hand.names(cards)) for cards in piles]
    return Slips(number, hand.dealer, tuple(named[:-1]), named[-1], order, dealt)


def opened(deals: EveningDeals, many: int) -> str:
    """Return the record of the first `many` deals with their key, for when all have played."""
    return opened_record(deals, [opened_hand(deals, number) for number in range(1, many + 1)])


def opened_hand(deals: EveningDeals, number: int) -> record.HandRecord:
    """Return a deal with its key, for the record of all of them."""
    hand = record.of_hand(deals.hand(number))
    hand.extra["proof"] = deals.proof(number, ended=True)
    return hand


def opened_record(deals: EveningDeals, hands: list[record.HandRecord]) -> str:
    """Return the record of deals that are opened."""
    rules = deals.rules
    return record.dumps(record.Record(rules, record.written_rules(rules), None, hands))


def seat_names(rules: Rules) -> list[str]:
    """Return what the seats are called where people move between tables: four as in bridge."""
    if rules.seats == len(COMPASS):
        return list(COMPASS)
    return [f"Seat {seat}" for seat in range(rules.seats)]


def place_names(rules: Rules) -> list[str]:
    """Return what each hand of a deal is called on a slip, and the nest."""
    return [*seat_names(rules), *(["Blind"] if rules.blind else []), "Nest"]


def hand_slips(slips: Slips, places: Sequence[str], title: str) -> Iterator[str]:
    """Yield the lines of a slip for each hand and the nest, with lines to cut along.

    `places` are what `place_names` returns, and `title` stands on each slip.
    """
    for place, cards in zip(places, (*slips.hands, slips.nest), strict=True):
        if cards:
            yield _head(slips, title, place, places[slips.dealer])
            yield from wrap(" ".join(cards), WIDTH, initial_indent="  ", subsequent_indent="  ")
            yield CUT


def order_slip(slips: Slips, title: str) -> Iterator[str]:
    """Yield the lines of the slip by which the pack is put in order, face up, from the top."""
    yield _head(slips, title, "Order of the pack", "")
    yield from _grid(slips.order, 6)
    yield CUT


def dealing_slip(slips: Slips, places: Sequence[str], title: str) -> Iterator[str]:
    """Yield the lines of the slip by which the ordered pack is dealt, face down, from the top."""
    yield _head(slips, title, "How to deal", places[slips.dealer])
    yield from _grid([places[pile] for pile in slips.piles], 1 + max(map(len, places)))
    yield CUT


def _head(slips: Slips, title: str, what: str, dealer: str) -> str:
    said = f"{what}, deal {slips.number}" + (f" ({dealer} deals)" if dealer else "")
    return f"{said:<50}{title[:30]:>30}".rstrip()


def _grid(words: Sequence[str], width: int) -> Iterator[str]:
    across = min(ACROSS, (WIDTH - 6) // width)
    for at in range(0, len(words), across):
        cells = "".join(f"{word:>{width}}" for word in words[at : at + across])
        yield f"{at + 1:>4}: {cells}"


def table_cards(evening: Evening, names: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a card for each table: who comes in each round, and with which deals.

    `names` are those of the pairs. The whole movement is shown, as it was planned.
    """
    rounds = seated_rounds(evening, len(names))
    one_side, other_side = _side_names(evening)
    for table in sorted({one.table for tables in rounds for one in tables}):
        yield f"Table {table}"
        yield f"  {'round':>5}  {'deals':<8}{one_side:<30}{other_side}"
        for turn, tables in enumerate(rounds, 1):
            found = next((one for one in tables if one.table == table), None)
            if found is None:
                yield f"  {turn:>5}  nobody plays here"
                continue
            first, second = (names[pair][:28] for pair in found.pairs)
            yield f"  {turn:>5}  {_boards(evening, found):<8}{first:<30}{second}"
        yield CUT


def pair_cards(evening: Evening, names: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a card for each pair: where they sit in each round, and against whom."""
    rounds = seated_rounds(evening, len(names))
    sides = _side_names(evening)
    for pair, name in enumerate(names):
        yield name[:WIDTH]
        for turn, tables in enumerate(rounds, 1):
            found = next((one for one in tables if pair in one.pairs), None)
            if found is None:
                yield f"  {turn:>5}  sit out"
                continue
            side = found.pairs.index(pair)
            other, deals = names[found.pairs[1 - side]][:20], _boards(evening, found)
            yield f"  {turn:>5}  table {found.table}, {sides[side]}, deals {deals}, against {other}"
        yield CUT


def seated_rounds(evening: Evening, pairs: int) -> list[list[Placed]]:
    """Return the tables of each planned round at which neither of so many pairs is missing."""
    return [[one for one in row if max(one.pairs) < pairs] for row in planned_rounds(evening)]


def _side_names(evening: Evening) -> tuple[str, str]:
    if evening.games[0].seats == len(COMPASS):
        return "North and South", "East and West"
    return "First side", "Second side"


def _boards(evening: Evening, placed: Placed) -> str:
    first = placed.deals * evening.boards + 1
    last = first + evening.boards - 1
    return f"{first}" if first == last else f"{first}-{last}"
