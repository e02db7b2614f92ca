"""Duplicate boards with a policy in some seats, many tables at a time in compiled code.

The boards, their rooms and their sums are the laboratory's: a bot that decided as a policy would
score the same in a match. Where a bot searches, or is a program, or where revokes are punished, a
board is played one action at a time, as the laboratory plays such bots. Bots are not checked here
as in a match, but what a policy answers always is; so `DECISIONS` counts the policy's alone, where
code is compiled.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from rookery.bots.names import Bot
from rookery.engine.records import Allocator, Attributes
from rookery.engine.targets import load
from rookery.engine.targets.choice import for_table
from rookery.envs.evaluation.dealing import DRAWN, Sitting, begin_boards, note_rooms
from rookery.envs.evaluation.policy import DrawnBot, PolicyBot
from rookery.envs.stepping import step_tables
from rookery.envs.tables import Numbers, Tables
from rookery.lab.duplicate import boards as at
from rookery.lab.duplicate.boards import note_board
from rookery.lab.duplicate.job import Boards, bin_width
from rookery.lab.run.jobs import Sums
from rookery.rules.table import PLACES, compile_rules

TABLES: Final = 250  # boards that are played at a time


class BoardTables(Tables):
    """Tables at which boards are played in one of their rooms; a policy has some of the seats."""

    def __init__(self, job: PolicyBoards, room: int, boards: int) -> None:
        seats = job.rules.seats
        there = [job.lineup[(seat - room) % seats] for seat in range(seats)]
        pool = next((bot.pool for bot in there if isinstance(bot, DrawnBot)), ())
        others = pool or [bot for bot in there if not isinstance(bot, PolicyBot)]
        target = job.target if job.target == "python" else for_table(
            step_tables, begin_boards, note_rooms
        )  # fmt: skip
        super().__init__(
            job.rules,
            boards,
            agents=[seat for seat, bot in enumerate(there) if isinstance(bot, PolicyBot)],
            opponents=[str(bot) for bot in others],
            target=target,
            bound=False,
        )
        made = Allocator(target)
        kinds = [0 if isinstance(bot, PolicyBot) else _kind(bot) for bot in job.lineup]
        lineup = kinds + [0] * (PLACES - seats)
        self._room, self._sitting = room, made.record(Sitting(room=room, lineup=lineup))
        self._begin_boards: Callable[..., None] = load(target, begin_boards)
        self._note: Callable[..., None] = load(target, note_rooms)

    def deal(self, seed: int, first: int) -> None:
        """Deal the boards from number `first` on, and play to the policy's first decisions."""
        sitting = Attributes(self._sitting)
        sitting.seed, sitting.first = seed, first
        self._begin_boards(*self._shared, self._sitting)

    def play(self, policy: PolicyBot) -> int:
        """Play all boards to their ends; return how often the policy decided.

        Raises:
            PolicyError: it answered no legal action.
        """
        decisions = 0
        actions = np.zeros(len(self.seats), np.int64)
        while (waiting := np.flatnonzero(self.seats >= 0)).size:
            actions[waiting] = policy.actions(
                self.observations[waiting], self.masks[waiting], self.seats[waiting]
            )
            self.step(actions, again=None)
            decisions += waiting.size
        return decisions

    def note(self, sums: Sums, margins: Numbers) -> None:
        """Add what the boards came to."""
        self._note(self._table, self.states, self._room, sums, margins)


@dataclass(frozen=True)
class PolicyBoards(Boards):
    """A job: some boards of a line-up in which a policy has seats; see `Boards`."""

    @property
    def policy(self) -> PolicyBot:
        """The policy."""
        return next(bot for bot in self.lineup if isinstance(bot, PolicyBot))

    @property
    def compiled(self) -> bool:
        """Whether compiled code can ask all the others, and nobody watches for revokes."""
        others = [bot for bot in self.lineup if not isinstance(bot, PolicyBot)]
        asked = [
            one for bot in others for one in (bot.pool if isinstance(bot, DrawnBot) else [bot])
        ]
        watched = self.rules.renege == "penalised"  # the kernels leave that to the referee
        return not (self.by_hand or watched) and all(bot.kernel is not None for bot in asked)

    @property
    def chunk(self) -> int:
        """How many boards are played at a time."""
        return TABLES if self.compiled else super().chunk

    def count(self, first: int, size: int) -> Sums:
        """Return the sums of these boards, shape (WIDTH,); see `rookery.lab.duplicate.boards`.

        Raises:
            BotFailed: a bot cannot play at all, or the policy answered no legal action.
        """
        sums: Any = np.zeros(at.WIDTH, np.int64)  # a list, as kernels see it
        if not size:
            return np.array(sums)
        if not self.compiled:
            return super().count(first, size)
        rooms, made = self.rooms, self.policy.made
        margins = np.zeros((rooms, size), np.int64)
        for room in range(rooms):
            key = (*map(str, self.lineup), room, size)
            if key not in made:
                made[key] = BoardTables(self, room, size)
            tables: BoardTables = made[key]
            tables.deal(self.seed, self.skip + first)
            sums[at.DECISIONS] += tables.play(self.policy)
            tables.note(sums, margins[room])
        width = bin_width(compile_rules(self.rules), rooms)
        for board in margins.T.tolist():
            note_board(sum(board), sum(one * one for one in board), width, sums)
        return np.array(sums)


def _kind(bot: Bot) -> int:
    return DRAWN if bot.kernel is None else bot.kernel
