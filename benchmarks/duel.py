"""Duels of two ways to play the cards: by the network or the script, with a search or without.

On each board the script bids and declares once. Then two rooms play the cards: the side of seat 0
one way and everybody else the other way, and the reverse.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from rookery.bots.club.play import club_card
from rookery.bots.dispatch import CLUB, SILENT_CLUB, seated
from rookery.bots.seat_info import SeatInfo, observe_trick
from rookery.cards import CARDS
from rookery.engine.actions import actor
from rookery.engine.kernel import kernel
from rookery.engine.records import Allocator
from rookery.engine.rng import seeded
from rookery.engine.state import PLAY, Hidden, State
from rookery.engine.targets import load
from rookery.engine.trick import play
from rookery.learn.encoding import encode_rules, list_cards, place_of
from rookery.learn.examples import begin_hand, try_cards
from rookery.learn.net import Net, numbers_of
from rookery.learn.pupil import play_on, weigh_cards
from rookery.learn.scoring import WORK
from rookery.rules.table import PLACES, RuleTable
from rookery.search.kernels import rank, swap_with_previous
from rookery.search.outcome import margin
from rookery.search.state import SearchState, begin_rollouts
from rookery.search.worlds import begin_trial
from rookery.solver.constraints import Constraints
from rookery.solver.sample import ROOM, prepare_worlds

ROLLOUTS, LEARNED = range(2)


class Way(NamedTuple):
    """A way to play the cards.

    Attributes:
        rollouts: for a decision; 0 plays without search.
        learned: 1 if the network plays, or plays the rollouts; 0 for the script.
    """

    rollouts: int = 0
    learned: int = 0


@kernel
def choose(
    table: RuleTable,
    s: State,
    m: SeatInfo,
    k: Constraints,
    world: Hidden,
    trial: State,
    closed: Hidden,
    cast: Sequence[SeatInfo],
    search: SearchState,
    inner: SearchState,
    ways: list[float],
    net: list[int],
    work: list[float],
    rollouts: int,
    learned: int,
) -> int:
    """Return the card of a seat that plays as a `Way` says."""
    script = club_card(table, s, m)
    if not m.cards & (m.cards - 1) or rollouts + learned == 0:
        return script
    list_cards(table, s, m, search)
    at = place_of(table, s, m, search, script)
    while at > 0:
        swap_with_previous(search.action, at)
        at -= 1
    if search.count == 1:
        return script
    if not rollouts:
        encode_rules(table, s, work)
        return search.action[weigh_cards(table, s, m, search, script, net, work)]
    begin_rollouts(search)
    prepare_worlds(table, s, m, k, ways)
    world.rng = m.rng
    rounds = 1
    while 1 << rounds < search.count:
        rounds += 1
    for _ in range(rounds):
        worlds = max(1, rollouts // (rounds * search.alive))
        everybody = (1 << table.seats) - 1
        try_cards(
            table, s, m, k, world, trial, closed, cast, search, ways, worlds,
            inner, net, work, everybody if learned else 0,
        )  # fmt: skip
        rank(search)
        search.alive = (search.alive + 1) // 2
    return search.action[0]


@kernel
def meet(
    table: RuleTable,
    s: State,
    h: Hidden,
    begun: State,
    dealt: Hidden,
    mine: Sequence[SeatInfo],
    order: list[int],
    k: Constraints,
    world: Hidden,
    trial: State,
    closed: Hidden,
    cast: Sequence[SeatInfo],
    search: SearchState,
    inner: SearchState,
    ways: list[float],
    net: list[int],
    work: list[float],
    seed: int,
    first: int,
    boards: int,
    one: list[int],
    other: list[int],
    results: list[int],
) -> None:
    """Fill `results` with what the first way wins on each board, the margins of both rooms added.

    The records up to `work` are scratch. `one` and `other` are the two ways, as lists.
    """
    for board in range(first, first + boards):
        dealt.rng = seeded(seed, board)
        begin_hand(table, begun, dealt, mine, order, board % table.seats, 0)
        results[board - first] = 0
        for room in range(2):
            begin_trial(table, begun, dealt, s, h, mine)
            for seat in range(table.seats):
                mine[seat].rng = seeded(dealt.rng, seat)
            while s.phase == PLAY:
                seat = actor(s) if table.dummy else s.turn
                m = mine[seat]
                observe_trick(table, s, h, m)
                mine_first = (table.partners[0] >> seat & 1) != room
                rollouts = one[ROLLOUTS] if mine_first else other[ROLLOUTS]
                learned = one[LEARNED] if mine_first else other[LEARNED]
                card = choose(
                    table, s, m, k, world, trial, closed, cast, search, inner, ways, net, work,
                    rollouts, learned,
                )  # fmt: skip
                play(table, s, h, card)
            won = margin(table, s, 0)
            results[board - first] += won if room == 0 else -won


@kernel
def meet_unsearched(
    table: RuleTable,
    s: State,
    h: Hidden,
    begun: State,
    dealt: Hidden,
    mine: Sequence[SeatInfo],
    order: list[int],
    search: SearchState,
    net: list[int],
    work: list[float],
    seed: int,
    first: int,
    boards: int,
    one: int,
    other: int,
    results: list[int],
) -> None:
    """Do as `meet` does if neither way searches; `one` and `other` are 1 for the network."""
    side = table.partners[0]
    rest = (1 << table.seats) - 1 & ~side
    for board in range(first, first + boards):
        dealt.rng = seeded(seed, board)
        begin_hand(table, begun, dealt, mine, order, board % table.seats, 0)
        results[board - first] = 0
        for room in range(2):
            begin_trial(table, begun, dealt, s, h, mine)
            ours = side if room == 0 else rest
            learned = (ours if one else 0) | (side + rest - ours if other else 0)
            play_on(table, s, h, mine, net, work, search, learned)
            won = margin(table, s, 0)
            results[board - first] += won if room == 0 else -won


def duel(
    table: RuleTable,
    net: Net,
    one: Way,
    other: Way,
    boards: int,
    seed: int,
    first: int = 0,
    target: Literal["python", "numba"] = "numba",
) -> npt.NDArray[np.float64]:
    """Return what the first way wins on each board, points a room, shape (boards,).

    Args:
        table: the rules.
        net: the network of both ways.
        one: a way to play.
        other: another.
        boards: how many.
        seed: of the deals and of all dice.
        first: the number of the first board.
        target: where it is played; never changes the answer.
    """
    scratch = Allocator(target)
    results = scratch.numbers([0] * boards)
    s, h, begun, dealt, world, trial, closed = map(
        scratch.record, (State(), Hidden(), State(), Hidden(), Hidden(), State(), Hidden())
    )
    known, search, inner = map(scratch.record, (Constraints(), SearchState(), SearchState()))
    mine, cast = (scratch.records(SeatInfo() for _ in range(PLACES)) for _ in range(2))
    given = seated([CLUB, SILENT_CLUB])
    begin = scratch.record(table), s, h, begun, dealt, mine, scratch.numbers([0] * CARDS)
    end = scratch.numbers(numbers_of(net)), scratch.numbers([0.0] * WORK), seed, first, boards
    if one.rollouts or other.rollouts:
        load(target, meet, None, given)(
            *begin, known, world, trial, closed, cast, search, inner,
            scratch.numbers([0.0] * ROOM), *end, scratch.numbers(one), scratch.numbers(other),
            results,
        )  # fmt: skip
    else:
        load(target, meet_unsearched, None, given)(
            *begin, search, *end, one.learned, other.learned, results
        )
    side = table.partners[0].bit_count()
    return np.array(results, np.float64) / (2 * side * (table.seats - side))
