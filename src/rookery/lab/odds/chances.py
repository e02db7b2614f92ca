"""The chances of a question's outcomes: counted exactly, or drawn where that takes too long.

To count, all layouts of the unseen cards are counted and none is dealt. Equivalent cards are
counted together. One class of cards after the other is divided among the places, each division
times its number of ways (a multinomial coefficient). The outcome is summed at the same time. All
numbers are whole, so the chances are exact fractions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations
from math import comb, factorial, prod, sqrt
from typing import Final, TypeAlias, TypeVar

from rookery.cards import Card, pack_cards, unpack
from rookery.engine.rng import below, seeded
from rookery.lab.odds.answer import Average, Chance
from rookery.lab.odds.unseen import OddsError, Place, Unseen
from rookery.lab.stats import Z95

STEPS: Final = 400_000  # divisions before the count stops: about a second

Outcome: TypeAlias = tuple[int, ...]
"""For each group of watched places, the sum of the worth of the cards there."""


class TooMany(Exception):
    """There are too many divisions to count."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question about the unseen cards.

    Attributes:
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

    def held(self, group: tuple[int, ...]) -> int:
        """Return the worth of the cards that are known to lie in a group of places."""
        known = (unpack(self.unseen.places[i].known) for i in group)
        return sum(self.worth.get(card, 0) for cards in known for card in cards)


def count(question: Question, steps: int = STEPS) -> dict[Outcome, int]:
    """Return for each outcome how many layouts of the unseen cards lead to it.

    Raises:
        TooMany: the count would take more than `steps` divisions.
    """
    ways: dict[Outcome, int] = defaultdict(int)
    budget = iter(range(steps))
    for unseen, watched, extra, served in _cases(question):
        for sign, places in _thrown_in(unseen, served):
            found = _count(unseen, places, watched, question.worth, budget)
            for outcome, number in found.items():
                shown = tuple(value + more for value, more in zip(outcome, extra, strict=True))
                ways[shown] += sign * number
    return {outcome: number for outcome, number in sorted(ways.items()) if number}


def _cases(
    question: Question,
) -> Iterator[tuple[Unseen, tuple[tuple[int, ...], ...], Outcome, int | None]]:
    """Yield the situations to add up, the groups watched in each and what they hold already.

    With each comes the place whose called card is a counter; None where it is none.
    """
    card = question.called
    if card is None:
        yield question.unseen, question.watched, tuple(map(question.held, question.watched)), None
        return
    counts = question.unseen.table.counters >> card & 1
    for place in question.holders:
        there = question.unseen.places[place]
        if not there.closed >> card & 1:
            left = question.unseen.holding(place, card)
            held = (question.worth.get(card, 0) + question.held((place,)),)
            yield left, ((place,),), held, place if counts else None


def _thrown_in(unseen: Unseen, served: int | None) -> Iterator[tuple[int, tuple[Place, ...]]]:
    """Yield signs and places whose counts sum to the deals in which each seat has a counter.

    This is inclusion and exclusion over the seats that have no counter; the place `served` has one
    that is no longer among the unseen cards.
    """
    yield 1, unseen.places
    if not unseen.counters_everywhere:
        return
    seats = [i for i, place in enumerate(unseen.places) if place.seat is not None and i != served]
    for number in range(1, len(seats) + 1):
        for lacking in combinations(seats, number):
            places = tuple(
                replace(place, closed=place.closed | unseen.table.counters)
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
    """Return the outcome of a deal, the sets of cards by place; None where it does not count."""
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
    return tuple(
        question.held(members) + sum(question.worth.get(c, 0) for c in unpack(cards))
        for members, cards in zip(watched, groups, strict=True)
    )


FEWEST = 50  # deals, counted by what their weights are good for, that an interval needs


@dataclass(slots=True)
class Dice:
    """The state of a random generator."""

    rng: int


def draw(unseen: Unseen, dice: Dice) -> tuple[list[int], float]:
    """Return a deal, the set of cards in each place, and its weight; 0 for an impossible deal."""
    deal = [0] * len(unseen.places)
    left = unseen.cards
    weight = 1.0

    def allowed(place: int) -> int:
        return (left & ~unseen.places[place].closed).bit_count()

    waiting = [i for i, place in enumerate(unseen.places) if place.closed & unseen.cards]
    while waiting:
        place = min(waiting, key=lambda i: (allowed(i) - unseen.places[i].size, i))
        waiting.remove(place)
        choice, size = left & ~unseen.places[place].closed, unseen.places[place].size
        if choice.bit_count() < size:
            return deal, 0.0
        weight *= comb(choice.bit_count(), size)
        deal[place] = _some(choice, size, dice)
        left &= ~deal[place]
    for i, there in enumerate(unseen.places):
        if not there.closed & unseen.cards:
            deal[i] = _some(left, there.size, dice)
            left &= ~deal[i]
    return deal, 0.0 if left else weight


def _some(cards: int, size: int, dice: Dice) -> int:
    """Return `size` cards of a set, all choices equally likely."""
    rest = list(unpack(cards))
    for i in range(size):
        j = i + below(dice, len(rest) - i)
        rest[i], rest[j] = rest[j], rest[i]
    return pack_cards(rest[:size])


SAMPLES: Final = 20_000

_Key = TypeVar("_Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Way:
    """How chances are computed.

    Attributes:
        samples: draw this many deals, even where counting is quick; 0 to count where it is quick.
        seed: of the deals drawn.
        steps: steps that a count may take before deals are drawn instead.
    """

    samples: int = 0
    seed: int = 1
    steps: int = STEPS


@dataclass(frozen=True, slots=True)
class Spread:
    """The chances of all outcomes of a question.

    Attributes:
        weights: for each outcome how many deals lead to it, or the sum of the weights of those
            that were drawn.
        squares: for each outcome the sum of the squares of these weights; empty where counted.
        samples: how many deals were drawn; None where all were counted.
    """

    weights: Mapping[Outcome, float]
    squares: Mapping[Outcome, float] = field(default_factory=dict)
    samples: int | None = None

    def by(self, key: Callable[[Outcome], _Key]) -> dict[_Key, Chance]:
        """Return the chance of each value that `key` gives the outcomes."""
        weights: dict[_Key, float] = defaultdict(int)
        squares: dict[_Key, float] = defaultdict(float)
        for outcome, weight in self.weights.items():
            weights[key(outcome)] += weight
            squares[key(outcome)] += self.squares.get(outcome, 0.0)
        return {value: self._share(weight, squares[value]) for value, weight in weights.items()}

    def chance(self, test: Callable[[Outcome], bool]) -> Chance:
        """Return the chance of the outcomes that pass a test."""
        return self.by(test).get(True) or self._share(0, 0.0)

    def average(self, value: Callable[[Outcome], int]) -> Average:
        """Return the average of a number over all outcomes."""
        whole = sum(self.weights.values())
        mean = sum(value(o) * weight for o, weight in self.weights.items()) / whole
        if self.samples is None:
            return Average(mean=mean, ci95=None)
        spread = sum((value(o) - mean) ** 2 * square for o, square in self.squares.items())
        half = Z95 * sqrt(spread) / whole
        return Average(mean=mean, ci95=(mean - half, mean + half))

    def _share(self, hit: float, hit_square: float) -> Chance:
        """Return a share of all deals: exact, or with Wilson's interval for those drawn.

        The interval uses the effective number of deals: so many equally weighted deals would have
        the same error. It comes from the delta method where that gives an error, else from the
        weights alone (Kish).
        """
        whole = sum(self.weights.values())
        if self.samples is None:
            exact = Fraction(int(hit), int(whole))
            return Chance(probability=float(exact), fraction=str(exact), ci95=None)
        square = sum(self.squares.values())
        share = min(1.0, hit / whole)
        number = whole * whole / square
        error = (hit_square * (1 - share) ** 2 + (square - hit_square) * share**2) / whole**2
        if error > 0 and 0 < share < 1:
            number = share * (1 - share) / error
        z = Z95 * Z95 / number
        middle = (share + z / 2) / (1 + z)
        half = sqrt(z * (share * (1 - share) + z / 4)) / (1 + z)
        interval = (max(0.0, middle - half), min(1.0, middle + half))
        return Chance(probability=share, fraction=None, ci95=interval)


def sample(question: Question, samples: int, seed: int) -> Spread:
    """Return the outcomes of `samples` deals drawn with `seed`, 0 to 2^63 - 1.

    Raises:
        OddsError: too few of the drawn deals are possible.
    """
    weights: dict[Outcome, float] = defaultdict(float)
    squares: dict[Outcome, float] = defaultdict(float)
    dice = Dice(seeded(seed, 0))
    for _ in range(samples):
        deal, weight = draw(question.unseen, dice)
        outcome = outcome_of(question, deal) if weight else None
        if outcome is not None:
            weights[outcome] += weight
            squares[outcome] += weight * weight
    total, square = sum(weights.values()), sum(squares.values())
    if not square or total * total / square < FEWEST:
        raise OddsError(
            f"of {samples:,} deals drawn hardly any fits what is known; check it, or --sample more"
        )
    return Spread(dict(sorted(weights.items())), dict(sorted(squares.items())), samples)


def spread(question: Question, way: Way) -> Spread:
    """Return the chances of a question's outcomes, counted where `way` allows it and it is quick.

    Raises:
        OddsError: the known facts contradict each other.
    """
    if way.samples:
        return sample(question, way.samples, way.seed)
    try:
        ways = count(question, way.steps)
    except TooMany:
        return sample(question, SAMPLES, way.seed)
    if not ways:
        raise OddsError("the cards cannot lie so; check what you say of voids and played cards")
    return Spread(ways)
