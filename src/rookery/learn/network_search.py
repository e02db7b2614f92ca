"""The search of `expert` from version 3 on: after the auction a network plays its rollouts.

In version 3 that is the network that comes with the program, in version 4 a smaller one that it has
taught. A rollout by a network takes longer than one by the script, and says more. Where there is
time for few of them, more by the script are better: early in a hand values scatter most.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from rookery.bots.dispatch import SILENT_CLUB, seated
from rookery.bots.seat_info import SeatInfo
from rookery.engine.actions import ACTIONS
from rookery.engine.state import AUCTION, PLAY, State
from rookery.engine.targets import load
from rookery.engine.targets.choice import Cores
from rookery.learn.rollouts import note_scores, rank_by_scores, run_network_rollouts
from rookery.learn.scoring import WORK
from rookery.learn.shipped import rollout_numbers, shipped_numbers
from rookery.rules import Rules
from rookery.rules.table import RuleTable, compile_rules
from rookery.search.search import Plan, Search, searching
from rookery.search.searcher import VERSION, Searcher
from rookery.search.state import SearchState

# By version: a rollout by its network is done in place of so many by the script.
COST: Final = {3: 8, 4: 3}
A_TRICK: Final = 20  # so many for each trick to come are worth their time
BEFORE: Final = 1000  # so many are worth it for discards, the trump call, and a called partner
CALLS: Final = 3200  # more by the script than so many make no better calls
KNOWN: Final = 40  # the network's score of a card counts as much as so many worlds
KERNELS: Final = (run_network_rollouts, note_scores, rank_by_scores)


class NetworkSearch(Search):
    """A search whose rollouts a network plays, after the auction and where there are enough."""

    def __init__(
        self,
        table: RuleTable,
        target: Cores | None = None,
        *,
        version: int = 3,
        net: list[int] | None = None,
    ) -> None:
        """Prepare the records, as `Search` does, for a version of `expert`.

        The rollouts are played by the network with the numbers `net`, by the version's where None.
        """
        target = target or searching(*KERNELS)
        super().__init__(table, target)
        self._again = partial(type(self), table, target, version=version, net=net)
        self._cost = COST[version]
        self._needs_many = version > 3 and table.called == 1  # version 3 stays what it was
        given = (None, seated([SILENT_CLUB]))
        self._run_learned: Callable[..., None] = load(target, run_network_rollouts, *given)
        self._note_scores: Callable[..., None] = load(target, note_scores, *given)
        self._rank_by_scores: Callable[..., None] = load(target, rank_by_scores, *given)
        net = net or (rollout_numbers() if version > 3 else shipped_numbers())
        self._net = self._scratch.numbers(net)
        self._work, self._scores = (self._scratch.numbers([0.0] * size) for size in (WORK, ACTIONS))
        self._inner = self._scratch.record(SearchState())

    def _plan(self, state: State, s: State, m: SeatInfo, rollouts: int, *, even: bool) -> Plan:
        if state.phase == AUCTION:
            return super()._plan(state, s, m, min(rollouts, CALLS), even=even)
        usual = super()._plan(state, s, m, rollouts, even=even)
        few = max(1, rollouts // self._cost)
        left = self._table.hand_size - state.tricks
        if few < (BEFORE if state.phase != PLAY or self._needs_many else A_TRICK * left):
            return usual
        inner = (self._inner, self._net, self._work)

        def run(worlds: int) -> None:
            self._run_learned(*self._given(s, m), worlds, *inner)

        if even or state.phase != PLAY or int(self._fields.count) < 2:
            return Plan(few, run, usual.rank)
        self._note_scores(self._rules, s, m, self.search_state, self._net, self._work, self._scores)
        return Plan(few, run, partial(self._rank_by_scores, self.search_state, self._scores, KNOWN))


def search_for(table: RuleTable, options: Mapping[str, str], target: Cores | None = None) -> Search:
    """Return what the version of `expert` that `options` name searches with."""
    version = int(options.get("version", VERSION))
    return NetworkSearch(table, target, version=version) if version > 2 else Search(table, target)


def expert(rules: Rules, seat: int, options: Mapping[str, str]) -> Searcher:
    """Return `expert` in a seat."""
    return Searcher(rules, seat, options, search_for(compile_rules(rules), options))
