"""The search of one position, seen from a seat.

Its code serves all rule sets, so a table with a new house rule need not wait.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any, Final, NamedTuple

from rookery.bots.dispatch import SILENT_CLUB, seated
from rookery.bots.seat_info import SeatInfo
from rookery.engine.records import Allocator, Attributes, copy_of, kept_of, put_back
from rookery.engine.state import Hidden, State
from rookery.engine.targets import load
from rookery.engine.targets.choice import Cores, for_seat
from rookery.rules.fields import layout
from rookery.rules.table import PLACES, RuleTable
from rookery.search.endgame import ExactValue, exact_values, few_left, one_world_left
from rookery.search.kernels import begin_search, move_up, rank, run_rollouts
from rookery.search.request import SearchRequest
from rookery.search.state import SearchState, equal_among, note_calls
from rookery.search.worlds import SURE
from rookery.solver.constraints import Constraints
from rookery.solver.sample import ROOM

SLICE: Final = 64  # rollouts between two looks at the clock, at most
PARTS: Final = 8  # a slice should take no more than this part of the time that is left


class Result(NamedTuple):
    """An action and the results of its rollouts, as in `SearchState`."""

    action: int
    rollouts: int
    total: int
    contracts: int
    made: int
    squares: int = 0


class Plan(NamedTuple):
    """What a search does for a decision.

    Attributes:
        rollouts: how many it makes of all actions together, about.
        run: tries every action in the running in so many more worlds.
        rank: sorts the actions in the running, the best first.
    """

    rollouts: int
    run: Callable[[int], None]
    rank: Callable[[], None]


def searching(*more: Callable[..., None]) -> Cores:
    """Return what a search that somebody waits for runs on, and `more` kernels that it needs.

    Raises:
        MissingTarget: there is nothing but plain Python, which nobody asked for.
    """
    return for_seat("a bot that searches", begin_search, run_rollouts, rank, *more)


class Search:
    """A search in one thread, with the records that it works in.

    Attributes:
        values: after a search with `even`, the value of each action in each world, by action.
        exact: after a search with `solve`, the exact value of each action, by action; empty if
            those are not known.
    """

    def __init__(
        self,
        table: RuleTable,
        target: Cores | None = None,
        *,
        bound: bool = False,
    ) -> None:
        """Prepare the records; with Numba the first search of a process compiles.

        They run on `target`, see `searching` where None. With `bound` Numba compiles for this table
        alone: some three times as fast.

        Raises:
            MissingTarget: the target is not here.
        """
        target = target or searching()
        given = (table if bound else None, seated([SILENT_CLUB]))
        self._begin: Callable[..., None] = load(target, begin_search, *given)
        self._run: Callable[..., None] = load(target, run_rollouts, *given)
        self._rank: Callable[..., None] = load(target, rank, *given)
        self.values: dict[int, list[int]] = {}
        self.exact: dict[int, ExactValue] = {}
        self._table = table
        self._scratch = Allocator(target)
        self._rules, self._known, self.search_state, self._trial, self._closed, self._world = map(
            self._scratch.record, (table, Constraints(), SearchState(), State(), Hidden(), Hidden())
        )
        self._fields = Attributes(self.search_state)
        self._seats = self._scratch.records(SeatInfo() for _ in range(PLACES))
        self._ways = self._scratch.numbers([0.0] * ROOM)
        self._begun = self._scratch.record(State())
        self._again: Callable[[], Search] = partial(type(self), table, target, bound=bound)

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what `copy` and `pickle` make the same search from, with records of its own."""
        return self._again, (), (self.values, self.exact, [kept_of(one) for one in self._memory()])

    def __setstate__(self, kept: tuple[Any, ...]) -> None:
        """Write down what stood in the search that this is a copy of."""
        self.values, self.exact, memory = kept
        for one, known in zip(self._memory(), memory, strict=True):
            put_back(one, known)

    def _memory(self) -> list[Any]:
        """Return all that kernels write into."""
        records = (self._known, self.search_state, self._trial, self._closed, self._world)
        return [*records, self._seats, self._ways, self._begun]

    def run(
        self,
        state: State,
        mine: SeatInfo,
        rollouts: int,
        milliseconds: float = float("inf"),
        *,
        also: int | None = None,
        even: bool = False,
        solve: bool = False,
    ) -> None:
        """Try the actions of the seat of `mine`, which is to act, with about so many rollouts.

        That is of all together. The search stops after `milliseconds`, but each action is tried at
        least once. `also`, itself or as an equal card, stays in the running to the end, and with
        `even` all do, and a lone one is tried too. With `solve` the solver is used if the seat
        knows where every card lies. The dice and the notes of `mine` move on.
        """
        until = time.perf_counter() + milliseconds / 1000
        s, m = map(self._scratch.record, (state, mine))
        search = self._fields
        self._begin(self._rules, s, m, self._known, self._world, self.search_state, self._ways)
        kept = -1 if also is None else self._kept(state, mine, also)
        self.exact = self._solved(state, mine.seat) if solve else {}
        plan = self._plan(state, s, m, rollouts, even=even)
        rounds = 1 if even else max(1, (int(search.count) - 1).bit_length())
        slice_ = 1  # worlds
        late = False
        self.values = {action: [] for action in self._listed()} if even else {}
        for left in reversed(range(rounds if even or search.count > 1 else 0)):
            alive = int(search.alive)
            worlds = max(1, plan.rollouts // (rounds * alive))
            while worlds and not late:
                some = min(worlds, slice_)
                began = time.perf_counter()
                plan.run(some)
                now = time.perf_counter()
                if even:
                    self._note_values(some)
                worlds -= some
                late = now >= until
                room = (until - now) / PARTS / max(1e-9, (now - began) / some)
                slice_ = int(max(1, min(room, max(1, SLICE // alive))))
            plan.rank()
            if late:
                break
            search.alive = (alive + 1) // 2
            if left and kept >= 0:
                self._keep(kept)
        after = Attributes(m)
        mine.rng = int(after.rng)
        mine.memo = [int(note) for note in after.memo]

    def _plan(self, state: State, s: State, m: SeatInfo, rollouts: int, *, even: bool) -> Plan:
        """Return what to do for a decision, which `begin_search` has prepared.

        Kernels have `state` as `s`. There is time for `rollouts` by the script; with `even`
        all actions stay in the running.
        """
        run = partial(self._run, *self._given(s, m))
        return Plan(rollouts, run, partial(self._rank, self.search_state))

    def _given(self, s: State, m: SeatInfo) -> tuple[Any, ...]:
        """Return what every kernel that makes rollouts is given."""
        return (
            self._rules, s, m, self._known, self._world, self._trial, self._closed,
            self._seats, self.search_state, self._ways, self._begun,
        )  # fmt: skip

    def worlds(self, state: State, mine: SeatInfo, number: int) -> list[Hidden]:
        """Return closed cards that the seat of `mine`, which is to act, holds possible.

        They are drawn as for rollouts, by all evidence. The dice of `mine` move on.
        """
        s, m = map(self._scratch.record, (state, mine))
        search = self._fields
        self._begin(self._rules, s, m, self._known, self._world, self.search_state, self._ways)
        search.alive = 1  # a rollout for each world
        found = []
        for _ in range(number):
            self._run(*self._given(s, m), 1)
            found.append(_plain(self._world))
        mine.rng = int(Attributes(m).rng)
        return found

    def _solved(self, state: State, seat: int) -> dict[int, ExactValue]:
        """Return the exact value of each action; empty unless the seat knows every card."""
        search = self._fields
        if int(search.count) < 2 or search.open or not few_left(self._table, state):
            return {}
        if not one_world_left(self._table, state, Attributes(self._known), self._ways):
            return {}
        goal = SearchState(match=int(search.match), before=[int(total) for total in search.before])
        world = _plain(self._world)
        return exact_values(self._table, state, world, seat, self._listed(), goal)

    def _listed(self) -> list[int]:
        """Return the actions to choose from."""
        return [int(action) for action in self._fields.action[: int(self._fields.count)]]

    def _note_values(self, worlds: int) -> None:
        """Note the value of each action in each of the latest worlds."""
        alive = int(self._fields.alive)
        values = [int(value) for value in self._fields.values[: worlds * alive]]
        for i, action in enumerate(self._listed()[:alive]):
            self.values[action] += values[i::alive]

    def _kept(self, state: State, mine: SeatInfo, action: int) -> int:
        """Return the listed action that is equal to `action`; add it to the list if none is."""
        search, listed = self._fields, self._listed()
        same = equal_among(self._table, state, mine, action, listed)
        if same is not None:
            return same
        at = len(listed)
        search.action[at] = action
        for numbers in (
            search.rollouts, search.total, search.squares, search.contracts, search.made,
        ):  # fmt: skip
            numbers[at] = 0
        search.count = search.alive = at + 1
        return action

    def _keep(self, action: int) -> None:
        """Let an action stay in the running, beside those that are ahead of it."""
        search, at, alive = self._fields, self._listed().index(action), int(self._fields.alive)
        if at >= alive:
            for i in range(at, alive, -1):
                move_up(search, i)  # type: ignore[arg-type]  # its fields are those of a SearchState
            search.alive = alive + 1

    def configure(self, **settings: int) -> None:
        """Set how worlds are drawn and how rollouts are played: fields of `SearchState`."""
        for name, value in settings.items():
            setattr(self._fields, name, value)

    def tell(self, request: SearchRequest) -> None:
        """Write down what a seat knows besides what lies open and its own cards."""
        search, totals, cards = self._fields, request.totals, request.played
        search.match = int(bool(totals))
        search.before[: len(totals)] = totals
        note_calls(self._table, search, request.calls)
        search.played = 0
        # Which of its cards a blind hand turns up is no choice.
        if request.begun is not None and not self._table.blind and int(search.odd_card) < SURE:
            self._begun = self._scratch.record(request.begun)
            search.played = len(cards)
            search.card[: len(cards)] = cards

    def reveal(self, hands: Hidden) -> None:
        """Make every rollout in the true hands; for the laboratory alone."""
        self._world = self._scratch.record(copy_of(hands))
        self._fields.open = 1

    @property
    def best(self) -> int:
        """The action with the best rollouts."""
        return int(self._fields.action[0])

    @property
    def results(self) -> list[Result]:
        """The results of all actions, the best first; exact values go before rollouts."""
        search = self._fields
        results = [
            Result(*(int(getattr(search, name)[i]) for name in Result._fields))
            for i in range(int(search.count))
        ]
        if self.exact:
            results.sort(key=lambda result: -self.exact[result.action].value)
        return results


def _plain(record: Any) -> Hidden:  # noqa: ANN401
    """Return a record of hidden cards as the plain engine has it."""
    given = Attributes(record)
    values = ((getattr(given, name), size) for name, size in layout(Hidden))
    plain: Any = ([*map(int, value)] if size else int(value) for value, size in values)
    return Hidden(*plain)
