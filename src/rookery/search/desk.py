"""The search with its scratch paper: what it is given is one position, seen from a seat.

The code is compiled once for all rule sets, so that a table with a new house rule need not wait.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any, Final, Literal, NamedTuple

from rookery.bots.dispatch import SILENT_CLUB, seated
from rookery.bots.seat_info import SeatInfo
from rookery.engine.records import Allocator, Attributes
from rookery.engine.state import Hidden, State
from rookery.engine.targets import load
from rookery.rules.table import PLACES, RuleTable
from rookery.search.ending import Sure, few_left, only_one, sure_of
from rookery.search.expert import begin_thought, move_up, rank, try_worlds
from rookery.search.inference import SURE
from rookery.search.thought import Thought, standing_for
from rookery.solver.constraints import Constraints
from rookery.solver.sample import ROOM

SLICE: Final = 64  # tries between two looks at the clock, at most
PATIENCE: Final = 8  # a slice is meant to take no more than this part of the time that is left


class Call(NamedTuple):
    """A call of the auction: a bid in points, or 0 for a pass."""

    seat: int
    bid: int


class Weighed(NamedTuple):
    """An action and what was seen of it, as `Thought` has it."""

    action: int
    tried: int
    total: int
    stood: int
    made: int
    square: int = 0


class Desk:
    """Where one thread thinks. What it thought last is in `weighed`.

    Attributes:
        rows: after thinking with `even`, what each action was worth in each world, by action.
        sure: after thinking with `exact`, what each action is sure to bring, by action; empty where
            that is not known.
    """

    def __init__(
        self,
        table: RuleTable,
        target: Literal["python", "numba"] = "numba",
        *,
        bound: bool = False,
    ) -> None:
        """Lay out the scratch paper; the first compiled desk of all compiles.

        With `bound` the code is compiled for this table alone: some three times as fast, but every
        rule set waits for the compiler.
        """
        given = (table if bound else None, seated([SILENT_CLUB]))
        self._begin: Callable[..., None] = load(target, begin_thought, *given)
        self._try: Callable[..., None] = load(target, try_worlds, *given)
        self._rank: Callable[..., None] = load(target, rank, *given)
        self.rows: dict[int, list[int]] = {}
        self.sure: dict[int, Sure] = {}
        self._table = table
        self._scratch = Allocator(target)
        rules, known, thought, trial, closed, world = map(
            self._scratch.record, (table, Constraints(), Thought(), State(), Hidden(), Hidden())
        )
        self._rules, self._known, self.thought = rules, known, thought
        self._trial, self._closed, self._world = trial, closed, world
        self._cast = self._scratch.records(SeatInfo() for _ in range(PLACES))
        self._ways = self._scratch.numbers([0.0] * ROOM)
        self._begun = self._scratch.record(State())

    def think(
        self,
        state: State,
        mine: SeatInfo,
        tries: int,
        milliseconds: float = float("inf"),
        *,
        also: int | None = None,
        even: bool = False,
        exact: bool = False,
    ) -> None:
        """Weigh the actions of the seat of `mine`, whose turn it is, in about `tries` tries.

        After `milliseconds` it stops where it stands; each action has been tried once at least.
        With `also` that action, or its equal, stays in the running to the end; with `even` all do,
        a lone one too. With `exact` the solver is asked where every card is known to lie. The
        generator and the notes of `mine` move on.
        """
        until = time.perf_counter() + milliseconds / 1000
        s, m = map(self._scratch.record, (state, mine))
        t = Attributes(self.thought)
        self._begin(self._rules, s, m, self._known, self._world, self.thought, self._ways)
        kept = -1 if also is None else self._kept(state, mine, also)
        self.sure = self._solved(state, mine.seat) if exact else {}
        rounds = 1 if even else max(1, (int(t.count) - 1).bit_length())
        slice_ = 1  # worlds
        late = False
        self.rows = {int(t.action[i]): [] for i in range(int(t.count))} if even else {}
        for left in reversed(range(rounds if even or t.count > 1 else 0)):
            alive = int(t.alive)
            worlds = max(1, tries // (rounds * alive))
            while worlds and not late:
                some = min(worlds, slice_)
                began = time.perf_counter()
                self._try(
                    self._rules, s, m, self._known, self._world, self._trial, self._closed,
                    self._cast, self.thought, self._ways, self._begun, some,
                )  # fmt: skip
                now = time.perf_counter()
                if even:
                    self._note(some)
                worlds -= some
                late = now >= until
                room = (until - now) / PATIENCE / max(1e-9, (now - began) / some)
                slice_ = int(max(1, min(room, max(1, SLICE // alive))))
            self._rank(self.thought)
            if late:
                break
            t.alive = (alive + 1) // 2
            if left and kept >= 0:
                self._keep(kept)
        m = Attributes(m)
        mine.rng = int(m.rng)
        mine.memo = [int(note) for note in m.memo]

    def _solved(self, state: State, seat: int) -> dict[int, Sure]:
        """Return what each action is sure to bring, where every card is known to lie."""
        t = Attributes(self.thought)
        if int(t.count) < 2 or t.open or not few_left(self._table, state):
            return {}
        if not only_one(self._table, state, Attributes(self._known), self._ways):
            return {}
        stakes = Thought(match=int(t.match), standing=[int(total) for total in t.standing])
        actions = [int(t.action[i]) for i in range(int(t.count))]
        return sure_of(self._table, state, _plain(self._world), seat, actions, stakes)

    def _note(self, worlds: int) -> None:
        """Note what each action was worth in each of the worlds just tried."""
        t = Attributes(self.thought)
        alive = int(t.alive)
        worths = [int(worth) for worth in t.worths[: worlds * alive]]
        for i in range(alive):
            self.rows[int(t.action[i])] += worths[i::alive]

    def _kept(self, state: State, mine: SeatInfo, action: int) -> int:
        """Return what stands for an action among those weighed; where nothing does, add it."""
        t = Attributes(self.thought)
        listed = [int(t.action[i]) for i in range(int(t.count))]
        found = standing_for(self._table, state, mine, action, listed)
        if found is not None:
            return found
        at = len(listed)
        t.action[at] = action
        for numbers in (t.tried, t.total, t.square, t.stood, t.made):
            numbers[at] = 0
        t.count = t.alive = at + 1
        return action

    def _keep(self, action: int) -> None:
        """Let an action stay in the running, beside those that are ahead of it."""
        t = Attributes(self.thought)
        at = next(i for i in range(int(t.count)) if t.action[i] == action)
        alive = int(t.alive)
        if at >= alive:
            for i in range(at, alive, -1):
                move_up(t, i)  # type: ignore[arg-type]  # its fields are those of a Thought
            t.alive = alive + 1

    def temper(
        self,
        *,
        heed: bool = True,
        scatter: int = 25,
        doubt: int = 4,
        anew: bool = False,
        recall: int = 1024,
    ) -> None:
        """Say what is made of others' calls, and how far the script is trusted; see `Thought`."""
        t = Attributes(self.thought)
        t.heed, t.scatter, t.doubt, t.anew = int(heed), scatter, doubt, int(anew)
        t.recall = recall

    def stakes(self, totals: tuple[int, ...]) -> None:
        """Say what the totals are before this hand; none where points are what counts."""
        t = Attributes(self.thought)
        t.match = int(bool(totals))
        for seat, total in enumerate(totals):
            t.standing[seat] = total

    def peep(self, truth: Hidden) -> None:
        """Let every try be made in the true hands; for the laboratory alone."""
        world = Attributes(self._world)
        for field in fields(Hidden):
            value = getattr(truth, field.name)
            if isinstance(value, list):
                getattr(world, field.name)[:] = value
            else:
                setattr(world, field.name, value)
        Attributes(self.thought).open = 1

    @property
    def in_match(self) -> bool:
        """Whether what counts is to win the match."""
        return bool(Attributes(self.thought).match)

    def watch(self, begun: State | None, cards: Sequence[int]) -> None:
        """Say how the table was before the first lead, and what was played since, in order."""
        t = Attributes(self.thought)
        t.played = 0
        # Which of its cards a blind hand turns is no choice.
        if begun is None or self._table.blind or int(t.recall) >= SURE:
            return
        self._begun = self._scratch.record(begun)
        t.played = len(cards)
        for place, card in enumerate(cards):
            t.card[place] = card

    def hear(self, calls: Sequence[Call]) -> None:
        """Say what has been called in this hand's auction, in order."""
        t, table = Attributes(self.thought), self._table
        for seat in range(PLACES):
            t.bid_at[seat] = t.pass_at[seat] = 0
        t.heard = int(bool(calls))
        high, bidder = 0, -1
        for seat, bid in calls:
            mate = int(bidder >= 0 and not table.called and table.partners[seat] >> bidder & 1)
            price = high or table.bid_minimum
            if bid:
                t.bid_at[seat], t.bid_price[seat], t.bid_mate[seat] = bid, price, mate
                high, bidder = bid, seat
            else:
                floor = high + table.bid_step if high else table.bid_minimum
                t.pass_at[seat], t.pass_price[seat], t.pass_mate[seat] = floor, price, mate

    @property
    def best(self) -> int:
        """The action that did best in the tries."""
        return int(Attributes(self.thought).action[0])

    @property
    def weighed(self) -> list[Weighed]:
        """Every action and what was seen of it, the best first; what is `sure` counts more."""
        t = Attributes(self.thought)
        found = [
            Weighed(*(int(getattr(t, name)[i]) for name in ("action", *Weighed._fields[1:])))
            for i in range(int(t.count))
        ]
        return sorted(found, key=lambda w: -self.sure[w.action].worth) if self.sure else found


def _plain(record: Any) -> Hidden:  # noqa: ANN401
    """Return a record of closed cards as the plain engine has it."""
    given, plain = Attributes(record), Hidden()
    for field in fields(Hidden):
        value = getattr(given, field.name)
        setattr(plain, field.name, [*map(int, value)] if field.metadata else int(value))
    return plain
