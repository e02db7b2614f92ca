"""Duplicate deals: two bots play the same cards from both sides of the table.

A *board* is one deal. It is played once for each side of the table, with bot *one* in that side's
seats and bot *other* in all the rest: twice where two partnerships play, as often as there are
seats where everybody plays alone or calls a partner. What counts is how many points the seats of
*one* score above the seats of *other*, on average over these rooms. The luck of the cards is in
every room alike, so the boards differ by far less than hands do; they are the unit of the interval.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from math import sqrt
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from rookery.bots.decide import seated
from rookery.bots.mine import Mine, forget
from rookery.cards import CARDS
from rookery.engine.deal import deal, shuffle
from rookery.engine.kernel import kernel, load
from rookery.engine.records import array_of
from rookery.engine.rng import seeded
from rookery.engine.state import DONE, REDEALT, Hidden, State
from rookery.lab.bulk import play_out
from rookery.lab.streams import SHARE
from rookery.lab.sums import Z95
from rookery.rules.table import PLACES, RuleTable

Target: TypeAlias = Literal["python", "numba"]

# Places in a duel's sums: the boards, their results and the squares of these, then for each of the
# two bots its contracts, those made, the points bid and the points taken.
BOARDS, TOTAL, SQUARES, ONES, OTHERS = 0, 1, 2, 3, 7
CONTRACTS, MADE, BID, TAKEN = 0, 1, 2, 3
WIDTH: Final = 11
RUN: Final = 250  # boards that a thread takes at a time


@kernel
def play_boards(
    table: RuleTable,
    s: State,
    h: Hidden,
    mine: Sequence[Mine],
    kinds: list[int],
    order: list[int],
    one: int,
    other: int,
    seed: int,
    first: int,
    boards: int,
    sums: list[int],
) -> None:
    """Play boards `first` to `first` + `boards` - 1, adding to `sums`.

    A board's result is a whole number: the margin a room times rooms, seats of *one* and seats of
    *other*, as `scale` says.
    """
    for board in range(first, first + boards):
        dealer = board % table.seats
        h.rng = seeded(seed, board * SHARE)
        s.phase = REDEALT
        while s.phase == REDEALT:
            shuffle(table, h, order)
            deal(table, s, h, order, dealer)
        result = 0
        seen = 0
        for seat in range(table.seats):
            side = table.partners[seat]
            if not seen & side:
                seen |= side
                deal(table, s, h, order, dealer)
                result += play_room(table, s, h, mine, kinds, one, other, side, seed, board, sums)
        sums[BOARDS] += 1
        sums[TOTAL] += result
        sums[SQUARES] += result * result


@kernel
def play_room(
    table: RuleTable,
    s: State,
    h: Hidden,
    mine: Sequence[Mine],
    kinds: list[int],
    one: int,
    other: int,
    side: int,
    seed: int,
    board: int,
    sums: list[int],
) -> int:
    """Play the dealt hand with *one* in the seats of `side`; return the scaled margin.

    A hand that ends unscored counts 0 for everybody.
    """
    for seat in range(table.seats):
        kinds[seat] = one if side >> seat & 1 else other
        mine[seat].rng = seeded(seed, board * SHARE + 1 + seat)
        forget(mine[seat])
    play_out(table, s, h, mine, kinds)
    if s.phase != DONE:
        return 0
    if s.declarer >= 0:
        at = ONES if side >> s.declarer & 1 else OTHERS
        sums[at + CONTRACTS] += 1
        sums[at + MADE] += s.made
        sums[at + BID] += s.contract
        sums[at + TAKEN] += s.points[s.declarer]
    inside = 0
    outside = 0
    seats = 0
    for seat in range(table.seats):
        if side >> seat & 1:
            inside += s.score[seat]
            seats += 1
        else:
            outside += s.score[seat]
    return inside * (table.seats - seats) - outside * seats


def scale(table: RuleTable) -> int:
    """Return by what a board's result is divided to be points a room.

    >>> from rookery.rules import load as rules
    >>> from rookery.rules.table import compile_rules
    >>> scale(compile_rules(rules("kd_tournament"))), scale(compile_rules(rules("call_partner_5")))
    (8, 20)
    """
    seats = table.partners[0].bit_count()
    rooms = table.seats // seats
    return rooms * seats * (table.seats - seats)


@dataclass(frozen=True, slots=True)
class Contracts:
    """What a bot did as declarer, over all rooms of a duel: counts, and sums of points."""

    played: int
    made: int
    bid: int
    taken: int

    @property
    def made_percent(self) -> float:
        """Return how many of a hundred contracts were made; 0 where there were none."""
        return 100 * self.made / self.played if self.played else 0.0


@dataclass(frozen=True, slots=True)
class Duel:
    """The outcome: points a room that *one* is ahead, and half of its 95 % interval."""

    boards: int
    mean: float
    ci95: float
    one: Contracts
    other: Contracts

    @property
    def ahead(self) -> bool:
        """Return whether the whole interval lies above 0."""
        return self.mean > self.ci95


def outcome(table: RuleTable, sums: Sequence[int]) -> Duel:
    """Return what a duel's sums over two boards or more say."""
    boards, total = sums[BOARDS], sums[TOTAL]
    variance = max(0.0, (sums[SQUARES] - total * total / boards) / (boards - 1))
    unit = scale(table)
    return Duel(
        boards=boards,
        mean=total / boards / unit,
        ci95=Z95 * sqrt(variance / boards) / unit,
        one=Contracts(*sums[ONES : ONES + 4]),
        other=Contracts(*sums[OTHERS : OTHERS + 4]),
    )


def _play(target: Target, table: RuleTable, bots: tuple[int, int], seed: int) -> Any:  # noqa: ANN401
    """Return a function of a run's first board and size that plays it and returns its sums."""
    boards: Any = load(target, play_boards, None if target == "python" else table, seated(bots))

    def run(start: int, size: int) -> list[int]:
        s, h, mine = State(), Hidden(), [Mine() for _ in range(PLACES)]
        if target == "python":
            sums = [0] * WIDTH
            boards(table, s, h, mine, [0] * PLACES, [0] * CARDS, *bots, seed, start, size, sums)
            return sums
        (rules,), (state,), (hidden,) = array_of(table), array_of(s), array_of(h)
        kinds, order = np.zeros(PLACES, np.int64), np.zeros(CARDS, np.int64)
        noted = np.zeros(WIDTH, np.int64)
        boards(rules, state, hidden, array_of(*mine), kinds, order, *bots, seed, start, size, noted)
        return [int(number) for number in noted]

    return run


def duel(
    table: RuleTable,
    one: int,
    other: int,
    boards: int,
    seed: int,
    *,
    first: int = 0,
    cores: int | None = None,
    target: Target = "numba",
) -> Duel:
    """Play `boards` boards, 2 or more, between two bots and return how *one* fared.

    Args:
        table: the rules; compiled code is specialised to them.
        one: the number of a bot, as `kind_of` gives it.
        other: the number of its opponent.
        boards: how many deals.
        seed: of all deals and dice, 0 to 2^63 - 1.
        first: the number of the first board; a duel can be taken up where it was left.
        cores: threads to use, all cores when None; the answer does not depend on it.
        target: where the kernels run.
    """
    run = _play(target, table, (one, other), seed)
    starts = range(first, first + boards, RUN)
    sizes = [min(RUN, first + boards - start) for start in starts]
    workers = 1 if target == "python" else max(1, cores or os.cpu_count() or 1)
    with ThreadPoolExecutor(workers) as pool:
        parts = list(pool.map(partial(run), starts, sizes))
    return outcome(table, [sum(numbers) for numbers in zip(*parts, strict=True)])
