"""The bot `master`: it searches as `expert` does, and the network of `pupil` plays its rollouts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from rookery.bots.seat_info import SeatInfo
from rookery.engine.kernel import kernel
from rookery.engine.state import Hidden, State
from rookery.engine.targets.choice import Cores
from rookery.learn.pupil import play_on
from rookery.learn.scoring import room_for
from rookery.learn.shipped import shipped_numbers
from rookery.rules import Rules
from rookery.rules.table import RuleTable, compile_rules
from rookery.search.kernels import note_rollout, play_to_the_lead
from rookery.search.search import Search
from rookery.search.searcher import Searcher
from rookery.search.state import SearchState
from rookery.search.worlds import draw_likely_world
from rookery.solver.constraints import Constraints


@kernel
def run_learned_rollouts(
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


class LearnedSearch(Search):
    """A search whose rollouts are played by a network."""

    rollouts = staticmethod(run_learned_rollouts)

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
        super().__init__(table, target, bound=bound)
        self._again = partial(type(self), table, target, bound=bound, net=net)
        net = net or shipped_numbers()
        rows = map(self._scratch.numbers, (net, room_for(net)))
        self._more = (self._scratch.record(SearchState()), *rows)


def master(rules: Rules, seat: int, options: Mapping[str, str]) -> Searcher:
    """Return `master` in a seat."""
    return Searcher(rules, seat, options, LearnedSearch(compile_rules(rules)))
