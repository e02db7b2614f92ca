"""Tables on which agents play among bots: the arrays that compiled code writes into."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from operator import index
from typing import Any, Final, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from rookery.bots.dispatch import seated
from rookery.bots.names import bot_or_level
from rookery.bots.register import UnknownBot
from rookery.bots.seat_info import SeatInfo
from rookery.engine.actions import ACTIONS
from rookery.engine.records import Allocator, kept_of, put_back
from rookery.engine.state import Hidden, State
from rookery.engine.targets import MissingTarget, Target, load, native
from rookery.engine.targets.choice import for_laboratory, for_table
from rookery.envs.observations.compact import (
    CHOICES,
    MASK_WORDS,
    look,
    words_of,
    write_observation,
)
from rookery.envs.observations.history import history_words
from rookery.envs.observations.masks import Dice, draw_actions
from rookery.envs.observations.oracle import oracle_words, write_oracle
from rookery.envs.observations.parts import named
from rookery.envs.stepping import begin_tables, first_of, step_tables
from rookery.rules import Rules
from rookery.rules import load as load_rules
from rookery.rules.table import compile_rules

Bytes = npt.NDArray[np.int8]
Numbers = npt.NDArray[np.int64]
Tokens = npt.NDArray[np.int16]

SEEDS: Final = 1 << 63  # seeds go from 0 to one less
FEW: Final = 128  # so few tables are as fast without Numba: a call of its code takes 12 µs more


class IllegalAgentAction(ValueError):
    """An agent's action that is not in its mask. Code: ``illegal-action``.

    Attributes:
        table: where, from 0.
        action: its number.
    """

    code = "illegal-action"

    def __init__(self, table: int, action: int) -> None:
        super().__init__(f"table {table}: action {action} is not legal, see its action_mask")
        self.table = table
        self.action = action


class Last(NamedTuple):
    """What agents saw and were told at the end; the arrays are as those of `Tables`."""

    observations: Bytes
    histories: Tokens
    oracles: Bytes
    totals: Numbers


class Tables:
    """Tables that all wait for an agent, or whose episode is over. All arrays are written in place.

    Attributes:
        parts: what is written of `rookery.envs.observations.parts`.
        observations: what the agent of each table sees, int8, shape (tables, size); see
            `rookery.envs.observations.compact`. It is written whether or not it is among `parts`.
        histories: what each agent was told, int16, shape (tables, seats, size), a row of padding
            for other seats; see `rookery.envs.observations.history`. Of size 0 where nobody asked
            for it.
        oracles: what nobody may see, int8, shape (tables, size); see
            `rookery.envs.observations.oracle`. Likewise.
        totals: of each table's match, game points by seat, int64, shape (tables, seats). Of size 0
            where an episode is a hand.
        last: the four at the end of an episode, where the next one began at once.
        masks: what it may do, 1 or 0, int8, shape (tables, `ACTIONS`).
        seats: which seat it is, int64, shape (tables,); -1 where the episode is over.
        rewards: what the hand that has just ended was worth to each seat, else 0: the score of its
            side less the mean of the others, times the number of those (points); int64, shape
            (tables, seats). In a match the hands after it in which no agent decided are added.
        ended: 1 where an episode has just ended, else 0; of a match the set of the seats that won
            it; int64, shape (tables,).
    """

    def __init__(
        self,
        rules: Rules | str,
        tables: int = 1,
        *,
        agents: Iterable[int] | None = None,
        opponents: str | Sequence[str] = "club",
        observations: str | Sequence[str] = "compact",
        match: bool = False,
        target: Target | None = None,
        bound: bool = True,
    ) -> None:
        """Set up tables, on which nothing is dealt yet.

        Args:
            rules: a variant's id, the path of a rule file, or rules.
            tables: how many.
            agents: the seats that are agents; all of them where it is None.
            opponents: the bot in the other seats, or several to draw from for each seat and hand.
            observations: what to write of `rookery.envs.observations.parts`, by name.
            match: an episode is a whole match, to the target of the rules, and not a hand.
            target: what runs the kernels; what this machine has, where it is None. Tables on a GPU
                are `rookery.envs.gpu.tables.DeviceTables`.
            bound: specialise the code to these rules and bots, as far as the target can.

        Raises:
            ValueError: there are no such tables, seats or observations.
            UnknownBot: an opponent is no bot that compiled code can ask.
            RulesError: the rules cannot be read.
            MissingTarget: the target is not here, or is none for these tables.
        """
        match = bool(match)  # it is also a factor of sizes
        self.rules = rules if isinstance(rules, Rules) else load_rules(rules)
        table = compile_rules(self.rules)
        try:
            chosen_seats = range(table.seats) if agents is None else agents
            self.agents = tuple(sorted({*map(index, chosen_seats)}))
        except TypeError:
            self.agents = ()
        asked = [observations] if isinstance(observations, str) else [*observations]
        self.parts = named([*asked, "totals"] if match and asked else asked)
        if tables < 1:
            raise ValueError(f"{tables} tables; expected at least 1")
        if not self.agents or not set(self.agents) <= set(range(table.seats)):
            raise ValueError(f"agents {agents}: expected seats from 0 to {table.seats - 1}")
        names = [opponents] if isinstance(opponents, str) else list(opponents)
        pool = [_kernel(name) for name in names]
        if not pool:
            raise ValueError("no opponents; expected the name of a bot, or several")
        # With all seats taken by agents no bot is ever asked.
        self._constants = (
            *(seated(pool) if len(self.agents) < table.seats else (("SEATED", 0),)),
            ("TELLS", int("history" in self.parts)),
            ("SHOWS", int("oracle" in self.parts)),
            ("MATCHES", int(match)),
        )
        many = bound and tables > FEW
        chosen = target or (for_laboratory() if many else for_table(step_tables))
        made_for = (table, self._constants) if bound else (None, ())
        made = Allocator(chosen)
        width, oracle_width = words_of(table), oracle_words(table) * ("oracle" in self.parts)
        told_width = table.seats * history_words(table) * ("history" in self.parts)
        self._table = made.record(table)
        self.states = made.copies(State(), tables)
        self.hiddens = made.copies(Hidden(), tables)
        self._mine = made.copies(SeatInfo(), first_of(table, tables))
        self._dice = made.copies(Dice(), tables)
        # The second half of each is what stood there at the end of a hand.
        words, oracles, told = (
            np.zeros(2 * tables * each, np.int64) for each in (width, oracle_width, told_width)
        )
        self._mask_words = np.zeros(tables * MASK_WORDS, np.int64)
        self._choices = made.zeros(tables * CHOICES)
        self._actions = np.zeros(tables, np.int64)
        self._rewards = np.zeros(tables * table.seats, np.int64)
        self.seats = np.full(tables, -1, np.int64)
        self.ended = np.zeros(tables, np.int64)
        seen: Bytes = words.view(np.int8).reshape(2, tables, -1)
        open_to_none: Bytes = oracles.view(np.int8).reshape(2, tables, 8 * oracle_width)
        size = told_width * 4 // table.seats
        tokens: Tokens = told.view(np.int16).reshape(2, tables, table.seats, size)
        (self.observations, last), (self.oracles, last_oracle) = seen, open_to_none
        self.histories, last_history = tokens
        self.masks: Bytes = self._mask_words.view(np.int8).reshape(tables, -1)[:, :ACTIONS]
        self.rewards: Numbers = self._rewards.reshape(tables, table.seats)
        # What a copy is made from; its memory is then filled.
        self._again = partial(
            type(self), self.rules, tables, agents=self.agents, opponents=names,
            observations=self.parts, match=match, target=chosen, bound=bound,
        )  # fmt: skip
        self._load, self._made_for = partial(load, chosen), made_for
        self._asked: dict[tuple[int, int, bool], Callable[[], Bytes]] = {}
        self.match = match
        totals = np.zeros(2 * tables * table.seats * match, np.int64)
        shape = (2, tables, table.seats * match)
        self.totals, last_totals = cast("tuple[Numbers, Numbers]", totals.reshape(shape))
        self.last = Last(last, last_history, last_oracle, last_totals)
        self._shared = (
            self._table,
            self.states,
            self.hiddens,
            self._mine,
            made.zeros(first_of(table, tables)),
            made.numbers(pool),
            made.zeros(ACTIONS),
            sum(1 << seat for seat in self.agents),
            self.seats,
            words,
            self._mask_words,
            self._choices,
            oracles,
            told,
            made.zeros(tables * table.seats),
            totals,
        )
        self._first = made.zeros(2)  # a seed, and who deals
        self._bind(chosen)

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what `copy` and `pickle` make the same tables from, with memory of their own."""
        return self._again, (), [kept_of(one) for one in self._memory()]

    def __setstate__(self, kept: list[Any]) -> None:
        """Write down what stood at the tables that these are a copy of."""
        for one, known in zip(self._memory(), kept, strict=True):
            put_back(one, known)

    def _memory(self) -> list[Any]:
        """Return all that kernels write into."""
        written = (self._first, self._dice, self._actions, self._rewards, self.ended)
        return [one for one in (*self._shared[1:], *written) if not isinstance(one, int)]

    def _bind(self, target: Target) -> None:
        """Get the kernels of a target ready to work on these arrays."""
        if target == "cuda":
            raise MissingTarget(
                "target cuda: expected many tables for one seat, gymnasium.make_vec"
                " or rookery.envs.gpu.tables.DeviceTables"
            )
        begin: Callable[..., None] = load(target, begin_tables, *self._made_for)
        step = load(target, step_tables, *self._made_for)
        self._begin = native.ready(begin, *self._shared, self._first, self._dice)
        # A number is read and written through these in half the time that an array takes.
        seats, action = cast("tuple[Any, Any]", (self.seats, self._actions))
        self._seat, self._action = memoryview(seats), memoryview(action)
        # Plain Python computes with its own integers alone.
        actions = self._action if target == "python" else self._actions
        written = (actions, self._rewards, self.ended)
        self._steps = {
            again: native.ready(step, *self._shared, number, *written)
            for again, number in ((False, 0), (True, 1), (None, -1))
        }
        self._act = self._steps[False]
        draw = load(target, draw_actions)
        self._draw = native.ready(draw, self._dice, self._choices, actions)

    def begin(self, seed: int, dealer: int = 0) -> None:
        """Deal a first hand at each table; the same seed gives the same hands.

        Args:
            seed: from 0 to 2^63 - 1.
            dealer: who deals at the first table; at each further one the next seat does.

        Raises:
            ValueError: there is no such seed.
        """
        if not 0 <= seed < SEEDS:
            raise ValueError(f"seed {seed}: expected 0 to 2^63 - 1")
        self.ended[:] = 0
        self._rewards[:] = 0
        self._first[0], self._first[1] = seed, dealer
        self._begin()

    def step(self, actions: Any, *, again: bool | None = False) -> None:  # noqa: ANN401  (an array)
        """Do each table's action, and play on until its agent has to act or its episode is over.

        Args:
            actions: numbers of legal actions, whole numbers, shape (tables,).
            again: begin the next episode at once where one ends; None: deal nothing, not even after
                a hand that the rules cancel.

        Raises:
            TypeError: they are no whole numbers.
            ValueError: they are not as many as there are tables.
            IllegalAgentAction: one is not legal; nothing was done then.
        """
        given = np.asarray(actions)
        if given.dtype.kind not in "iu":
            raise TypeError(f"actions of {given.dtype}; expected whole numbers, such as int64")
        if given.shape != self.seats.shape:
            expected = self.seats.shape
            raise ValueError(f"actions of shape {given.shape}; expected {expected}, one a table")
        self._actions[:] = given
        wrong = self._steps[again]()
        if wrong >= 0:
            raise IllegalAgentAction(int(wrong), int(given[wrong]))

    def draw(self) -> Numbers:
        """Return a legal action for each table, each equally likely; always the same array."""
        self._draw()
        return self._actions

    def draw_one(self) -> int:
        """Return a legal action for a single table, as `draw` does, but quicker."""
        self._draw()
        number: int = self._action[0]
        return number

    def act(self, action: Any) -> int:  # noqa: ANN401  (anything that is a whole number)
        """Do the action of a single table, as `step` does, but quicker; return whose turn is next.

        Raises:
            TypeError: it is no whole number.
            IllegalAgentAction: it is not legal; nothing was done then.
        """
        try:
            self._action[0] = index(action)
        except TypeError:
            name = getattr(action, "dtype", type(action).__name__)
            raise TypeError(f"an action of {name}; expected a whole number") from None
        except ValueError:  # so large that there is no room for it
            raise IllegalAgentAction(0, index(action)) from None
        if self._act() >= 0:
            raise IllegalAgentAction(0, index(action))
        return self._seat[0]

    def seen(self, table: int, seat: int) -> Bytes:
        """Return what any seat of a table may know now, int8, shape (size,); a new array."""
        return self._ask(table, seat, oracle=False)

    def laid_open(self, table: int, seat: int) -> Bytes:
        """Return what lies face down, as `oracles` has it for any seat; a new array."""
        return self._ask(table, seat, oracle=True)

    def _ask(self, table: int, seat: int, *, oracle: bool) -> Bytes:
        """Return a row that is written when it is asked for."""
        ask = self._asked.get((table, seat, oracle))
        if ask is None:
            ask = self._asked[table, seat, oracle] = self._asking(table, seat, oracle=oracle)
        return ask()

    def _asking(self, table: int, seat: int, *, oracle: bool) -> Callable[[], Bytes]:
        rules, s, h = compile_rules(self.rules), self.states[table], self.hiddens[table]
        row = np.zeros(oracle_words(rules) if oracle else words_of(rules), np.int64)
        numbers: Bytes = row.view(np.int8)
        write: Callable[..., None]
        if oracle:
            write = self._load(write_oracle, *self._made_for)
            calls = [native.ready(write, self._table, s, h, seat, row, 0)]
        else:
            m = self._mine[first_of(rules, table + 1) - 1]
            write = self._load(write_observation, *self._made_for)
            looks = native.ready(self._load(look), s, h, m, seat)
            calls = [looks, native.ready(write, self._table, s, m, row, 0)]

        def ask() -> Bytes:
            for call in calls:
                call()
            return numbers.copy()

        return ask


def _kernel(name: str) -> int:
    """Return the number by which compiled code knows a bot or level."""
    kind = bot_or_level(name).kernel
    if kind is None:
        raise UnknownBot(
            f"{name}: compiled code cannot ask this bot; one table alone can seat it,"
            " gymnasium.make or make_vec(..., vectorization_mode='sync')"
        )
    return kind
