"""Rollouts by the network, and its scores of cards: what is compiled of the search with it."""

from __future__ import annotations

from collections.abc import Sequence

from rookery.bots.club.calls import all_points
from rookery.bots.seat_info import SeatInfo
from rookery.engine.card_sets import count
from rookery.engine.kernel import kernel
from rookery.engine.state import Hidden, State
from rookery.learn.encoding import encode, encode_rules
from rookery.learn.pupil import play_on
from rookery.learn.scoring import SCORES, score_cards
from rookery.rules.table import RuleTable
from rookery.search.kernels import move_up, note_rollout, play_to_the_lead
from rookery.search.outcome import match_chance
from rookery.search.state import SearchState
from rookery.search.worlds import draw_likely_world
from rookery.solver.constraints import Constraints


@kernel
def run_network_rollouts(
    table: RuleTable,
    s: State,
    m: SeatInfo,
    k: Constraints,
    world: Hidden,
    trial: State,
    closed: Hidden,
    seats: Sequence[SeatInfo],
    search: SearchState,
    ways: list[float],
    begun: State,
    worlds: int,
    inner: SearchState,
    net: list[int],
    work: list[float],
) -> None:
    """Do as `run_rollouts` does, with the cards of all seats played by a network.

    `inner` is scratch; `net` and `work` are rows of numbers, see `rookery.learn.scoring`.
    """
    everybody = (1 << table.seats) - 1
    for turn in range(worlds):
        if not search.open:
            draw_likely_world(table, s, m.seat, k, world, begun, trial, closed, seats, search, ways)
        dice = world.rng
        for i in range(search.alive):
            world.rng = dice  # the same scattered hopes of the others for every action
            bid = play_to_the_lead(
                table, s, world, m.seat, search.action[i], trial, closed, seats, search
            )
            play_on(table, trial, closed, seats, net, work, inner, everybody)
            trial.contract = bid
            note_rollout(table, s, m.seat, trial, search, i, turn)
    m.rng = world.rng


@kernel
def note_scores(
    table: RuleTable,
    s: State,
    m: SeatInfo,
    search: SearchState,
    net: list[int],
    work: list[float],
    scores: list[float],
) -> None:
    """Write the network's score of each listed card into `scores`, by card, as a value.

    The script's choice is the first of the list. A point is worth to the match what it is now.
    """
    encode_rules(table, s, work)
    encode(table, s, m, search, 0, work)
    score_cards(net, work, search.count)
    side = table.partners[m.seat]
    worth = 1.0 * all_points(table) * count(side) * (table.seats - count(side))
    if search.match:
        for other in range(table.seats):
            search.after[other] = search.before[other]
        step = all_points(table) // 4
        worth = -4.0 * match_chance(table, m.seat, search)
        for other in range(table.seats):
            if side >> other & 1:
                search.after[other] += step
        worth += 4.0 * match_chance(table, m.seat, search)
    for i in range(search.count):
        scores[search.action[i]] = worth * work[SCORES + i]


@kernel
def rank_by_scores(search: SearchState, scores: list[float], worlds: int) -> None:
    """Do as `rank` does; the score of an action counts as much as so many `worlds`."""
    for i in range(1, search.alive):
        j = i
        while j > 0 and supported(search, scores, worlds, j) > supported(
            search, scores, worlds, j - 1
        ):
            move_up(search, j)
            j -= 1


@kernel
def supported(search: SearchState, scores: list[float], worlds: int, i: int) -> float:
    """Return the mean value of an action's rollouts, supported by its score."""
    total = search.total[i] + worlds * scores[search.action[i]]
    return total / max(1, search.rollouts[i] + worlds)
