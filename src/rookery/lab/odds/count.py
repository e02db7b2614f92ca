"""Exact chances of how unseen cards lie: all layouts are counted, none is dealt.

Equivalent cards are counted together. One class of cards after the other is divided among the
places, each division times its number of ways (a multinomial coefficient). The outcome is summed
at the same time. All numbers are whole, so the chances are exact fractions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from math import comb, factorial, prod
from typing import Final, TypeAlias

from rookery.cards import Card, pack_cards, unpack
from rookery.lab.odds.unseen import Place, Unseen

STEPS: Final = 400_000  # divisions before the count stops: about a second

Outcome: TypeAlias = tuple[int, ...]
"""For each group of watched places, the sum of the worth of the cards there."""


class TooMany(Exception):
    """There are too many divisions to count."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question about the unseen cards.

    Attributes:
        unseen: the cards and where they can lie.
        watched: groups of places, by number; the outcome has a sum for each group.
        worth: what each card adds to the sum of its group; others add nothing.
        called: a card whose holder, at any seat, is the one watched group. Deals in which nobody
            holds it do not count.
    """

    unseen: Unseen
    watched: tuple[tuple[int, ...], ...]
    worth: Mapping[Card, int]
    called: Card | None = None

    @property
    def holders(self) -> list[int]:
        """Return the places where the called card makes a partner: other hands with a seat."""
        return [i for i, place in enumerate(self.unseen.places) if place.seat is not None]


def count(question: Question, steps: int = STEPS) -> dict[Outcome, int]:
    """Return for each outcome how many layouts of the unseen cards lead to it.

    Raises:
        TooMany: the count would take more than `steps` divisions.
    """
    ways: dict[Outcome, int] = defaultdict(int)
    budget = iter(range(steps))
    for unseen, watched, extra in _cases(question):
        for sign, places in _thrown_in(unseen):
            found = _count(unseen, places, watched, question.worth, budget)
            for outcome, number in found.items():
                shown = tuple(value + more for value, more in zip(outcome, extra, strict=True))
                ways[shown] += sign * number
    return {outcome: number for outcome, number in sorted(ways.items()) if number}


def _cases(question: Question) -> Iterator[tuple[Unseen, tuple[tuple[int, ...], ...], Outcome]]:
    """Yield the situations to add up, the groups watched in each and what they hold already."""
    card = question.called
    if card is None:
        yield question.unseen, question.watched, (0,) * len(question.watched)
        return
    for place in question.holders:
        there = question.unseen.places[place]
        if there.size and not there.closed >> card & 1:
            yield question.unseen.holding(place, card), ((place,),), (question.worth.get(card, 0),)


def _thrown_in(unseen: Unseen) -> Iterator[tuple[int, tuple[Place, ...]]]:
    """Yield signs and places whose counts sum to the deals in which each seat has a counter.

    This is inclusion and exclusion over the seats that have no counter.
    """
    yield 1, unseen.places
    if not unseen.counters_everywhere:
        return
    seats = [i for i, place in enumerate(unseen.places) if place.seat is not None]
    for number in range(1, len(seats) + 1):
        for lacking in combinations(seats, number):
            places = tuple(
                Place(place.name, place.size, place.closed | unseen.table.counters, place.seat)
                if i in lacking
                else place
                for i, place in enumerate(unseen.places)
            )
            yield (-1) ** number, places


@dataclass(slots=True)
class _Bin:
    """Equivalent places, taken together."""

    group: int
    closed: int
    sizes: list[int] = field(default_factory=list)

    @property
    def ways(self) -> int:
        """Return in how many ways the cards of the bin are divided among its places."""
        return factorial(sum(self.sizes)) // prod(factorial(size) for size in self.sizes)


def _bins(
    unseen: Unseen, places: tuple[Place, ...], watched: tuple[tuple[int, ...], ...]
) -> list[_Bin]:
    bins: dict[tuple[int, int], _Bin] = {}
    for i, place in enumerate(places):
        group = next((g for g, members in enumerate(watched) if i in members), -1)
        closed = place.closed & unseen.cards
        bins.setdefault((group, closed), _Bin(group, closed)).sizes.append(place.size)
    return list(bins.values())


def _classes(
    unseen: Unseen, bins: list[_Bin], worth: Mapping[Card, int]
) -> list[tuple[int, int, list[int]]]:
    """Return the classes of cards: how many, what each is worth, and the bins open to them."""
    classes: dict[tuple[int, tuple[int, ...]], int] = defaultdict(int)
    for card in unpack(unseen.cards):
        open_to = tuple(i for i, b in enumerate(bins) if not b.closed >> card & 1)
        classes[worth.get(card, 0), open_to] += 1
    rows = [(number, value, list(open_to)) for (value, open_to), number in classes.items()]
    # Classes with few open bins come first, which keeps the intermediate tables small.
    return sorted(rows, key=lambda row: (row[1] == 0 and len(row[2]) == len(bins), row[0]))


def _count(
    unseen: Unseen,
    places: tuple[Place, ...],
    watched: tuple[tuple[int, ...], ...],
    worth: Mapping[Card, int],
    budget: Iterator[int],
) -> dict[Outcome, int]:
    bins = _bins(unseen, places, watched)
    room = tuple(sum(b.sizes) for b in bins)
    nothing: Outcome = (0,) * len(watched)
    tables: dict[tuple[tuple[int, ...], Outcome], int] = {(room, nothing): 1}
    for number, value, open_to in _classes(unseen, bins, worth):
        after: dict[tuple[tuple[int, ...], Outcome], int] = defaultdict(int)
        for (left, outcome), ways in tables.items():
            for parts in _divisions(number, [left[i] for i in open_to]):
                if next(budget, None) is None:
                    raise TooMany
                now, sums, times, rest = list(left), list(outcome), ways, number
                for i, part in zip(open_to, parts, strict=True):
                    now[i] -= part
                    times *= comb(rest, part)
                    rest -= part
                    if bins[i].group >= 0:
                        sums[bins[i].group] += part * value
                after[tuple(now), tuple(sums)] += times
        tables = after
    inside = prod(b.ways for b in bins)
    found: dict[Outcome, int] = defaultdict(int)
    for (_, outcome), ways in tables.items():
        found[outcome] += ways * inside
    return found


def _divisions(number: int, room: list[int]) -> Iterator[tuple[int, ...]]:
    """Yield the ways of putting `number` equivalent cards into bins of these capacities."""
    if not room:
        if number == 0:
            yield ()
        return
    first, rest = room[0], room[1:]
    for part in range(max(0, number - sum(rest)), min(first, number) + 1):
        for parts in _divisions(number - part, rest):
            yield (part, *parts)


def outcome_of(question: Question, deal: list[int]) -> Outcome | None:
    """Return the outcome of one layout of the cards, None where it does not count.

    Args:
        question: the question.
        deal: the set of cards in each place.
    """
    unseen, watched = question.unseen, question.watched
    if unseen.counters_everywhere:
        held = zip(unseen.places, deal, strict=True)
        if any(p.seat is not None and not cards & unseen.table.counters for p, cards in held):
            return None
    if question.called is not None:
        holders = [i for i in question.holders if deal[i] >> question.called & 1]
        if not holders:
            return None
        watched = (tuple(holders),)
    groups = [pack_cards(c for i in members for c in unpack(deal[i])) for members in watched]
    return tuple(sum(question.worth.get(c, 0) for c in unpack(cards)) for cards in groups)
