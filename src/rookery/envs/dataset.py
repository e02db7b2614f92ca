"""A data set as examples to learn from: what a seat saw, what it might do, and what it did.

Every hand is played again, and each decision shows what its seat saw, as in the environments:
nothing of the other cards in the data set gets in.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rookery.cards import parse_card
from rookery.engine.actions import ACTIONS, apply, legal
from rookery.engine.deal import deal
from rookery.engine.records import Allocator, Attributes
from rookery.engine.state import State
from rookery.engine.targets import load
from rookery.engine.targets.choice import for_table
from rookery.envs.tables import Tables
from rookery.game.action import action_of
from rookery.lab.dataset.read import facts_of, hand_by_hand
from rookery.lab.duplicate.boards import margin
from rookery.rules import Rules
from rookery.rules import load as load_rules
from rookery.rules.table import compile_rules

if TYPE_CHECKING:
    from torch.utils.data import IterableDataset


class Example(NamedTuple):
    """A decision.

    Attributes:
        observation: what its seat saw, int8; see `rookery.envs.observations.compact`.
        action_mask: 1 for what it might do, int8, shape (`ACTIONS`,).
        action: the number of what it did.
        seat: who decided.
        board: the number of the board; the hands of a board share their cards.
        reward: the score of the seat's side in the hand less the mean of the other sides, times the
            number of these, in points; 0 for a hand without a score.
    """

    observation: npt.NDArray[np.int8]
    action_mask: npt.NDArray[np.int8]
    action: int
    seat: int
    board: int
    reward: int


class NotThisGame(ValueError):
    """A data set whose hands cannot be played by its rules. Code: ``not-this-game``."""

    code = "not-this-game"


class Forked(RuntimeError):
    """A worker that was forked wants to read a data set. Code: ``forked``."""

    code = "forked"


class Replayer:
    """Plays the hands of a data set again; one table, used for one hand after the other."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._compiled = compile_rules(rules)
        target = for_table(deal, apply, legal)
        self._deal: Callable[..., None] = load(target, deal)
        self._apply: Callable[..., None] = load(target, apply)
        self._legal: Callable[..., int] = load(target, legal)
        made = Allocator(target)
        self._table = made.record(self._compiled)
        self._tables = Tables(rules, target=target, bound=False)
        self._tables.begin(0)
        self._state, self._hidden = self._tables.states[0], self._tables.hiddens[0]
        self._numbers = made.zeros(ACTIONS)
        self._made = made

    def examples(
        self, hand: dict[str, Any], decisions: Sequence[dict[str, Any]], bots: Sequence[str] = ()
    ) -> Iterator[Example]:
        """Yield the decisions of a hand; those of some bots alone where these are named.

        Raises:
            NotThisGame: a decision is not legal by these rules.
        """
        names = [name for cards in (*hand["deal"], hand["nest"]) for name in cards]
        order = self._made.numbers([parse_card(name, self._rules.pack) for name in names])
        self._deal(self._table, self._state, self._hidden, order, hand["dealer"])
        scored = State(score=hand["score"] or [0] * self._rules.seats)
        rewards = [margin(self._compiled, scored, seat) for seat in range(self._rules.seats)]
        for step in decisions:
            choices = self._choices()
            action = choices.get(step["action"])
            if action is None:
                raise NotThisGame(
                    f"hand {hand['hand']}, step {step['step']}: '{step['action']}' is not legal by "
                    f"these rules; expected one of {', '.join(choices)}"
                )
            seat = step["seat"]
            if not bots or hand["bots"][seat] in bots:
                mask = np.zeros(ACTIONS, np.int8)
                mask[list(choices.values())] = 1
                seen = self._tables.seen(0, seat)
                yield Example(seen, mask, action, seat, hand["board"], rewards[seat])
            self._apply(self._table, self._state, self._hidden, action)

    def _choices(self) -> dict[str, int]:
        """Return the numbers of the legal actions by their words."""
        count = int(self._legal(self._table, self._state, self._hidden, self._numbers))
        phase = int(Attributes(self._state).phase)
        return {
            action_of(self._compiled, phase, 0, number, self._rules.pack).words: number
            for number in map(int, self._numbers[:count])
        }


def examples(
    folder: str | Path,
    bots: Sequence[str] = (),
    rules: Rules | None = None,
    share: tuple[int, int] = (0, 1),
) -> Iterator[Example]:
    """Yield the decisions of a data set, hand after hand.

    Args:
        folder: of the data set.
        bots: whose decisions, as the column `bots` names them; everybody's where empty.
        rules: what it was played by; needed where its rules were a file.
        share: which part of the boards, and of how many: ``(0, 4)`` are boards 0, 4, 8 and so on.

    Raises:
        NoDataSet: there is none in the folder.
        NotThisGame: its hands were not played by these rules.
        RulesError: its rules cannot be read.

    >>> from rookery.lab.dataset.read import sample
    >>> first = next(examples(sample()))
    >>> first.observation.shape, int(first.action_mask[first.action])
    ((912,), 1)
    """
    replayer = Replayer(rules or load_rules(facts_of(folder).rules))
    part, parts = share
    for hand, decisions in hand_by_hand(folder):
        if hand["board"] % parts == part:
            yield from replayer.examples(hand, decisions, bots)


def torch_decisions(
    folder: str | Path, bots: Sequence[str] = (), rules: Rules | None = None
) -> IterableDataset[dict[str, Any]]:
    """Return the decisions of a data set as an `IterableDataset` of PyTorch.

    Each is a dictionary of what an `Example` has, which `DataLoader` makes batches of. Its workers
    share out the boards; they have to be started afresh (``multiprocessing_context="spawn"``). The
    arguments are those of `examples`.

    Raises:
        ModuleNotFoundError: there is no PyTorch; nothing else here needs it.
        Forked: from a worker that is a fork of a process.
    """
    from torch.utils.data import IterableDataset, get_worker_info

    here = os.getpid()

    class Decisions(IterableDataset):  # type: ignore[misc, type-arg, unused-ignore]
        def __reduce__(self) -> Any:  # noqa: ANN401  (a worker in a process of its own makes one)
            return torch_decisions, (folder, bots, rules)

        def __iter__(self) -> Iterator[dict[str, Any]]:
            # Polars has threads of its own. A fork lacks them, and would wait for them forever.
            if os.getpid() != here:
                raise Forked(
                    "a worker that was forked cannot read a data set; expected"
                    ' DataLoader(..., multiprocessing_context="spawn")'
                )
            worker = get_worker_info()
            share = (0, 1) if worker is None else (worker.id, worker.num_workers)
            for example in examples(folder, bots, rules, share):
                yield example._asdict()

    return Decisions()
