"""The search of `expert` from version 3 on: in the play, the network plays its rollouts.

A rollout by the network takes some eight times as long as one by the script, and says more. Where
there is time for few of them, more by the script are better: early in a hand values scatter most.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from rookery.bots.club.calls import all_points
from rookery.bots.dispatch import SILENT_CLUB, seated
from rookery.bots.seat_info import SeatInfo
from rookery.engine.actions import ACTIONS
from rookery.engine.card_sets import count
from rookery.engine.kernel import kernel
from rookery.engine.state import AUCTION, PLAY, Hidden, State
from rookery.engine.targets import load
from rookery.engine.targets.choice import Cores
from rookery.learn.encoding import encode
from rookery.learn.pupil import play_on
from rookery.learn.scoring import SCORES, room_for, score_cards
from rookery.learn.shipped import shipped_numbers
from rookery.rules import Rules
from rookery.rules.table import RuleTable, compile_rules
from rookery.search.kernels import move_up, note_rollout, play_to_the_lead
from rookery.search.outcome import match_chance
from rookery.search.search import Plan, Search, searching
from rookery.search.searcher import VERSION, Searcher
from rookery.search.state import SearchState
from rookery.search.worlds import draw_likely_world
from rookery.solver.constraints import Constraints

COST: Final = 8  # a rollout by the network takes as long as so many by the script
A_TRICK: Final = 20  # so many for each trick to come are worth their time
BEFORE: Final = 1000  # so many are worth it for the discards and the trump call, too
KNOWN: Final = 40  # the network's score of a card counts as much as so many worlds


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
    net: list[float],
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
    net: list[float],
    work: list[float],
    scores: list[float],
) -> None:
    """Write the network's score of each listed card into `scores`, by card, as a value.

    The script's choice is the first of the list. A point is worth to the match what it is now.
    """
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


KERNELS: Final = (run_network_rollouts, note_scores, rank_by_scores)


class NetworkSearch(Search):
    """A search whose rollouts are played by a network, in the play."""

    def __init__(
        self,
        table: RuleTable,
        target: Cores | None = None,
        *,
        bound: bool = False,
        net: list[float] | None = None,
    ) -> None:
        """Prepare the records, as `Search` does.

        Args:
            table: the rules.
            target: what to run on; see `searching` where None.
            bound: compile for this table alone, if Numba runs it.
            net: the numbers of a network; those of the one that comes with the program where None.

        Raises:
            MissingTarget: the target is not here.
        """
        target = target or searching(*KERNELS)
        super().__init__(table, target, bound=bound)
        self._again = partial(type(self), table, target, bound=bound, net=net)
        given = (table if bound else None, seated([SILENT_CLUB]))
        self._run_learned: Callable[..., None] = load(target, run_network_rollouts, *given)
        self._note_scores: Callable[..., None] = load(target, note_scores, *given)
        self._rank_by_scores: Callable[..., None] = load(target, rank_by_scores, *given)
        net = net or shipped_numbers()
        self._net, self._work, self._scores = map(
            self._scratch.numbers, (net, room_for(net), [0.0] * ACTIONS)
        )
        self._inner = self._scratch.record(SearchState())

    def _plan(self, state: State, s: State, m: SeatInfo, rollouts: int, *, even: bool) -> Plan:
        few = max(1, rollouts // COST)
        usual = super()._plan(state, s, m, rollouts, even=even)
        left = self._table.hand_size - state.tricks
        enough = A_TRICK * left if state.phase == PLAY else BEFORE
        if state.phase == AUCTION or few < enough:
            return usual
        inner = (self._inner, self._net, self._work)

        def run(worlds: int) -> None:
            self._run_learned(*self._given(s, m), worlds, *inner)

        if even or state.phase != PLAY or int(self._fields.count) < 2:
            return Plan(few, run, usual.rank)
        self._note_scores(self._rules, s, m, self.search_state, self._net, self._work, self._scores)
        return Plan(few, run, partial(self._rank_by_scores, self.search_state, self._scores, KNOWN))


def search_for(table: RuleTable, options: Mapping[str, str], target: Cores | None = None) -> Search:
    """Return what the version of `expert` that `options` name searches with.

    Raises:
        MissingTarget: the target is not here.
    """
    kind = NetworkSearch if int(options.get("version", VERSION)) > 2 else Search
    return kind(table, target)


def expert(rules: Rules, seat: int, options: Mapping[str, str]) -> Searcher:
    """Return `expert` in a seat."""
    return Searcher(rules, seat, options, search_for(compile_rules(rules), options))
