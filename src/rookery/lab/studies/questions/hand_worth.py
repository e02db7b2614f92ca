"""The job of `auctions` that plays hands under one rule set, and its figures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import gcd
from typing import Final

import numpy as np
import numpy.typing as npt

from rookery.bots.club.calls import all_points
from rookery.cards import CARDS, ROOK, card_name, unpack
from rookery.engine.targets import Target
from rookery.lab.run.jobs import Sums
from rookery.lab.run.programs import program, records, zeros
from rookery.lab.stats import Interval, interval_of, variance_of
from rookery.lab.studies.questions import hand_value as at
from rookery.lab.studies.questions.blocks import (
    Blocks,
    Rows,
    Statistic,
    block_count,
    block_size,
    jackknife,
)
from rookery.lab.studies.questions.measure import unit
from rookery.rules import Rules
from rookery.rules.order import SUITS, TRUMP
from rookery.rules.table import PLACES, RuleTable, compile_rules

CHUNK: Final = 2000  # boards
FEWEST_HANDS: Final = 100  # of one strength, else it is not reported
PER_BLOCK: Final = (at.PRODUCTS, at.STRENGTHS * at.STOPS)  # sums that are kept block by block


@dataclass(frozen=True)
class HandValues:
    """A job: what hands are worth under one rule set; see the module `hand_value`."""

    name: str
    rules: Rules
    units: int
    bot: int
    seed: int
    skip: int = 0
    target: Target = "numba"
    chunk: int = CHUNK

    def count(self, first: int, size: int) -> Sums:
        """Return the products and stops, block by block, then the strengths, in one row."""
        blocks = block_count(self.units)
        lengths = (*(blocks * length for length in PER_BLOCK), at.STRENGTHS * at.CELLS)
        play, table = program(self.target, at.value_boards, self.rules)
        kinds, *room = zeros(self.target, PLACES, PLACES, CARDS, at.ROW, at.LEVELS + 1)
        kinds[:] = [self.bot] * PLACES
        parts = zeros(self.target, *lengths)
        numbers = (self.seed, self.skip, first, size, block_size(self.units))
        play(table, *records(self.target), kinds, *room, *numbers, *parts)
        return np.concatenate([np.array(part, np.int64) for part in parts])

    def worth(self, sums: Sums) -> Worth:
        """Return the figures that follow from the sums over all boards."""
        blocks = block_count(self.units)
        ends = np.cumsum([blocks * size for size in PER_BLOCK])
        products, stops, strengths = np.split(sums, ends)
        return Worth(
            self.name,
            self.rules,
            products.reshape(blocks, at.ROW, at.ROW),
            stops.reshape(blocks, at.STRENGTHS, at.STOPS),
            strengths.reshape(at.STRENGTHS, at.CELLS),
        )


@dataclass(frozen=True)
class Stop:
    """Where to stop bidding on hands of one strength.

    Attributes:
        bid: points; None for never bidding.
        made: percent of the hands that make it as declarer; None without a bid.
        gain: points a hand by which stopping here beats never bidding.
        short: points a hand by which it falls short of the best.
    """

    bid: int | None
    made: float | None
    gain: Interval
    short: Interval


@dataclass(frozen=True)
class Strength:
    """Hands that promise about as much.

    Attributes:
        promise: points that the bot expects to take with them, the middle of the class.
        taken: points that declarers took with them on average.
        spread: standard deviation of that.
        quantiles: points below which a tenth, a quarter, half, three quarters and nine tenths took.
        stops: everywhere that one may stop, never bidding first.
    """

    promise: float
    hands: int
    taken: Interval
    spread: float
    quantiles: tuple[float, ...]
    stops: tuple[Stop, ...]

    @property
    def best(self) -> Stop:
        """Return where it is best to stop."""
        return max(self.stops, key=lambda stop: stop.gain.mean)

    @property
    def as_good(self) -> tuple[Stop, Stop]:
        """Return the lowest and the highest stop that may be as good as the best."""
        near = [stop for stop in self.stops if stop.short.mean <= stop.short.ci95]
        return near[0], near[-1]


@dataclass(frozen=True)
class Worth:
    """What hands are worth under one rule set.

    Attributes:
        products: shape (blocks, `ROW`, `ROW`), upper triangle.
        stops: shape (blocks, `STRENGTHS`, `STOPS`).
        sums: shape (`STRENGTHS`, `CELLS`).
    """

    label: str
    rules: Rules
    products: npt.NDArray[np.int64]
    stops: npt.NDArray[np.int64]
    sums: npt.NDArray[np.int64]

    @cached_property
    def table(self) -> RuleTable:
        """The rules as the engine reads them."""
        return compile_rules(self.rules)

    @property
    def hands(self) -> int:
        """Return how many hands were looked at."""
        return int(self.sums[:, at.HANDS].sum())

    @cached_property
    def places(self) -> list[int]:
        """Return the places in a hand's row that have a value of their own, the 1 first.

        The hand's size is fixed, so one place must be the reference: the lowest
        other card, which is left out and worth 0.
        """
        counts = np.diagonal(self.products.sum(axis=0))
        used = [i for i in range(at.TAKEN) if counts[i]]
        return [i for i in used if i != max(used)]

    @property
    def place_names(self) -> dict[int, str]:
        """Return the card's name for each place of a hand's row, under the first call of the rules.

        A trump is named as a card of the first colour (``RK``, ``14``), another card by its rank.
        """
        table = self.table
        row = next(row for row in range(10) if table.calls >> row & 1)
        other = next(suit for suit in range(4) if suit != row % 4)
        names = {at.ONE: "start"}
        for start, limit, suit in (
            (at.TRUMPS, at.TRUMP_PLACES, TRUMP),
            (at.SIDE, at.SIDE_PLACES, other),
        ):
            cards = sorted(
                unpack(table.mask[row * SUITS + suit]),
                key=lambda card: -table.strength[row * 57 + card],
            )
            for i, card in enumerate(cards[:limit]):
                names[start + i] = card_name(card, self.rules.pack)[0 if card == ROOK else 1 :]
        return names

    @cached_property
    def values(self) -> dict[int, Interval]:
        """Return the points that each place in a hand's row adds to what its side takes.

        Least squares over all hands; the intervals by leaving out one block of boards at a time.
        """
        triangle = np.triu(self.products)
        full = np.asarray(triangle + np.swapaxes(np.triu(triangle, 1), 1, 2), np.float64)
        whole = full.sum(axis=0)
        solved = self._solve(whole[None])[0]
        without = self._solve(whole - full)
        return {
            place: jackknife(float(solved[i]), without[:, i]) for i, place in enumerate(self.places)
        }

    @property
    def explained(self) -> float:
        """Return the share of the variance of points taken that the cards explain, 0 to 1."""
        whole = np.triu(self.products).sum(axis=0).astype(float)
        hands, total, squares = whole[0, 0], whole[0, at.TAKEN], whole[at.TAKEN, at.TAKEN]
        fitted = sum(self.values[i].mean * whole[i, at.TAKEN] for i in self.places)
        return float((fitted - total**2 / hands) / (squares - total**2 / hands))

    def _solve(self, products: Rows) -> Rows:
        inside = products[:, self.places][:, :, self.places]
        right = products[:, self.places, at.TAKEN]
        return np.stack(
            [np.linalg.lstsq(a, b, rcond=None)[0] for a, b in zip(inside, right, strict=True)]
        )

    @cached_property
    def strengths(self) -> list[Strength]:
        """Return the classes of hands of which there were enough, the weakest first."""
        return [
            self._strength(i, row)
            for i, row in enumerate(self.sums)
            if row[at.HANDS] >= FEWEST_HANDS
        ]

    def _strength(self, i: int, row: npt.NDArray[np.int64]) -> Strength:
        part = all_points(self.table) / at.PARTS
        hands = int(row[at.HANDS])
        sums = hands, int(row[at.POINTS]), int(row[at.POINTS_SQUARED])
        return Strength(
            promise=(i + 0.5) * part,
            hands=hands,
            taken=interval_of(*sums),
            spread=variance_of(*sums) ** 0.5,
            quantiles=tuple(
                self._below(row[at.TOOK : at.MADE], share) for share in (0.1, 0.25, 0.5, 0.75, 0.9)
            ),
            stops=tuple(self._stops(i, row)),
        )

    def _below(self, took: npt.NDArray[np.int64], share: float) -> float:
        """Return the points below which a share of the hands took."""
        whole, table = all_points(self.table), self.table
        # Points come in steps, and the lowest of a class stands for half of one below it as well.
        step = gcd(whole, at.PARTS * gcd(whole, table.bonus_value, *table.value)) / at.PARTS
        found = _quantile(took, share) * whole / at.PARTS - step / 2
        return min(max(found, 0.0), float(whole))

    def _stops(self, i: int, row: npt.NDArray[np.int64]) -> Iterator[Stop]:
        levels = (self.table.bid_levels - 1) // at.stride(self.table) + 1
        blocks = Blocks(self.stops[:, i])
        means = blocks.total[at.STOPPED : at.STOPPED + levels + 1]
        best = int(np.argmax(means))
        for k in range(levels + 1):
            yield Stop(
                bid=at.bid_at(self.table, k - 1) if k else None,
                made=100 * int(row[at.MADE + k - 1]) / int(row[at.HANDS]) if k else None,
                gain=blocks(self._better(k, 0)),
                short=blocks(self._better(best, k)),
            )

    def _better(self, one: int, other: int) -> Statistic:
        points = unit(self.table)

        def mean(sums: Rows) -> Rows:
            more = sums[..., at.STOPPED + one] - sums[..., at.STOPPED + other]
            return np.asarray(more / sums[..., at.HANDS] / points)

        return mean


def _quantile(counts: npt.NDArray[np.int64], share: float) -> float:
    """Return where in classes of equal width a share of what was counted lies below."""
    below = share * float(counts.sum())
    for i, count in enumerate(counts):
        if below <= count:
            return i + below / float(count) if count else float(i)
        below -= float(count)
    return float(len(counts))
