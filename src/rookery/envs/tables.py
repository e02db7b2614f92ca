"""Tables on which agents play among bots: the arrays that compiled code writes into."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from rookery.bots.dispatch import kind_of, seated
from rookery.bots.seat_info import SeatInfo
from rookery.cards import CARDS
from rookery.engine.actions import ACTIONS
from rookery.engine.records import Allocator, Attributes
from rookery.engine.state import Hidden, State
from rookery.engine.targets import Target, load, native
from rookery.engine.targets.choice import for_laboratory, for_table
from rookery.envs.observation import MASK_WORDS, look, words_of, write_observation
from rookery.envs.stepping import EACH, begin_tables, draw_actions, step_tables
from rookery.rules import Rules
from rookery.rules import load as load_rules
from rookery.rules.table import PLACES, compile_rules

Bytes = npt.NDArray[np.int8]
Numbers = npt.NDArray[np.int64]

SEEDS: Final = 1 << 63  # seeds go from 0 to one less


class IllegalAgentAction(ValueError):
    """An agent's action that is not in its mask. Code: ``illegal-action``.

    Attributes:
        table: where, from 0.
        action: its number.
    """

    code = "illegal-action"

    def __init__(self, table: int, action: int) -> None:
        """Say which."""
        super().__init__(f"table {table}: action {action} is not legal, see its action_mask")
        self.table = table
        self.action = action


class Tables:
    """Tables that all wait for an agent, or whose hand is over. All arrays are written in place.

    Attributes:
        rules: the rules.
        agents: the seats that are agents.
        observations: what the agent of each table sees, int8, shape (tables, size); see
            `rookery.envs.observation`.
        last: the same at the end of a hand, where the next one was dealt at once.
        masks: what it may do, 1 or 0, int8, shape (tables, `ACTIONS`).
        seats: which seat it is, int64, shape (tables,); -1 where the hand is over.
        rewards: what the hand that has just ended was worth to each seat, else 0: the score of its
            side less the mean of the others, times the number of those (points); int64, shape
            (tables, seats).
        ended: 1 where a hand has just ended, else 0; int64, shape (tables,).
    """

    def __init__(
        self,
        rules: Rules | str,
        tables: int = 1,
        *,
        agents: Iterable[int] | None = None,
        opponents: str | Sequence[str] = "club",
        target: Target | None = None,
        bound: bool = True,
    ) -> None:
        """Set up tables, on which nothing is dealt yet.

        Args:
            rules: a variant's id, the path of a rule file, or rules.
            tables: how many.
            agents: the seats that are agents; all of them where it is None.
            opponents: the bot in the other seats, or several to draw from for each seat and hand.
            target: what runs the kernels; what this machine has, where it is None.
            bound: specialise the code to these rules and bots, as far as the target can.

        Raises:
            ValueError: there are no such tables or seats.
            UnknownBot: an opponent is no bot that compiled code can ask.
            RulesError: the rules cannot be read.
        """
        self.rules = load_rules(rules) if isinstance(rules, str) else rules
        table = compile_rules(self.rules)
        self.agents = tuple(sorted(set(range(table.seats) if agents is None else agents)))
        if tables < 1:
            raise ValueError(f"{tables} tables; expected at least 1")
        if not self.agents or not set(self.agents) <= set(range(table.seats)):
            raise ValueError(f"agents {self.agents}: expected seats from 0 to {table.seats - 1}")
        names = [opponents] if isinstance(opponents, str) else list(opponents)
        pool = [kind_of(name) for name in names]
        if not pool:
            raise ValueError("no opponents; expected the name of a bot, or several")
        # With all seats taken by agents no bot is ever asked.
        constants = seated(pool) if len(self.agents) < table.seats else (("SEATED", 0),)
        chosen = target or (for_laboratory() if bound else for_table(step_tables))
        made_for = (table, constants) if bound else (None, ())
        self._begin: Callable[..., None] = load(chosen, begin_tables, *made_for)
        step = load(chosen, step_tables, *made_for)
        self._write = load(chosen, write_observation, *made_for)
        self._look = load(chosen, look)
        self._looks: dict[tuple[int, int], Callable[[], None]] = {}
        made = Allocator(chosen)
        width = words_of(table)
        self._table = made.record(table)
        self.states = made.records(State() for _ in range(tables))
        self.hiddens = made.records(Hidden() for _ in range(tables))
        self._mine = made.records(SeatInfo() for _ in range(tables * EACH))
        self._dice = made.records([SeatInfo()])
        self._words = np.zeros(tables * width, np.int64)
        self._last_words = np.zeros(tables * width, np.int64)
        self._one = np.zeros(width, np.int64)
        self._mask_words = np.zeros(tables * MASK_WORDS, np.int64)
        # Plain Python computes with its own integers alone.
        self._plain = chosen == "python"
        self._actions: Any = [0] * tables if self._plain else np.zeros(tables, np.int64)
        self._rewards = np.zeros(tables * table.seats, np.int64)
        self.seats = np.full(tables, -1, np.int64)
        self.ended = np.zeros(tables, np.int64)
        self.observations: Bytes = self._words.view(np.int8).reshape(tables, -1)
        self.last: Bytes = self._last_words.view(np.int8).reshape(tables, -1)
        self.masks: Bytes = self._mask_words.view(np.int8).reshape(tables, -1)[:, :ACTIONS]
        self.rewards: Numbers = self._rewards.reshape(tables, table.seats)
        self._given = (
            self._table,
            self.states,
            self.hiddens,
            self._mine,
            made.zeros(tables * EACH),
            made.numbers(pool),
            made.zeros(CARDS),
            made.zeros(ACTIONS),
            sum(1 << seat for seat in self.agents),
            width,
        )
        written = (
            self._actions,
            self.seats,
            self._rewards,
            self.ended,
            self._words,
            self._last_words,
            self._mask_words,
        )
        self._steps = {
            again: _ready(step, *self._given, number, *written)
            for again, number in ((False, 0), (True, 1), (None, -1))
        }
        draw = load(chosen, draw_actions)
        self._draw = _ready(draw, self._dice, self._mask_words, self._actions)
        if self._plain:
            self._draw = lambda: draw(self._dice, self._mask_words.tolist(), self._actions)

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
        Attributes(self._dice[0]).rng = seed or 1
        self._begin(*self._given, seed, dealer, self.seats, self._words, self._mask_words)

    def step(self, actions: Any, *, again: bool | None = False) -> None:  # noqa: ANN401  (an array)
        """Do each table's action, and play on until its agent has to act or its hand is over.

        Args:
            actions: numbers of legal actions, whole numbers, shape (tables,).
            again: deal the next hand at once where one ends; None: deal nothing, not even after a
                hand that the rules cancel.

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
        self._actions[:] = given.tolist() if self._plain else given
        wrong = self._steps[again]()
        if wrong >= 0:
            raise IllegalAgentAction(int(wrong), int(self._actions[wrong]))

    def draw(self) -> Numbers:
        """Return a legal action for each table, each equally likely; always the same array."""
        self._draw()
        return np.asarray(self._actions)

    def seen(self, table: int, seat: int) -> Bytes:
        """Return what any seat of a table sees now, int8, shape (size,); a new array."""
        look_there = self._looks.get((table, seat))
        if look_there is None:
            info = self._mine[table * EACH + PLACES]
            s, h = self.states[table], self.hiddens[table]
            first = _ready(self._look, s, h, info, seat)
            then = _ready(self._write, self._table, s, info, self._one, 0)

            def look_there() -> None:
                first()
                then()

            self._looks[table, seat] = look_there
        look_there()
        return self._one.view(np.int8).copy()


def _ready(kernel: Callable[..., Any], *given: Any) -> Callable[[], Any]:  # noqa: ANN401
    """Return the call of a kernel with these arguments, as soon as a target can make it."""
    if isinstance(kernel, native.Routine):
        return kernel.ready(*given)
    return partial(kernel, *given)
