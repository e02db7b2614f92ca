"""A match: bots against bots on duplicate deals, until the deals are played or the answer is known.

The match is cut into *stretches* of boards, each a job, so that it can be watched on its way, be
taken up again, and, with a sequential test, end where the test knows. Which stretches count depends
on their results in the order of the boards, never on who was first to finish.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from typing import Final

import numpy as np

from rookery.bots.names import Bot
from rookery.engine.kernel import sources_hash
from rookery.engine.targets import Target
from rookery.lab.duplicate.boards import (
    BOARDS,
    SQUARES,
    TOTAL,
    WIDTH,
    play_boards,
    rooms_of,
    scale_of,
    sides_of,
)
from rookery.lab.duplicate.job import DEADLINE, Boards
from rookery.lab.duplicate.seeds import Family
from rookery.lab.duplicate.sprt import Sprt
from rookery.lab.run.jobs import Executor, Journal, Progress, run_jobs
from rookery.lab.run.journal import code_version
from rookery.rules import Rules
from rookery.rules.table import RuleTable, compile_rules

STRETCHES: Final = 100  # of a match without a test: the points of its running mean
SHORTEST: Final = 250  # boards of a stretch of compiled play
LOOK: Final = 50  # boards between two looks of a sequential test
FIRST_WAVE, LAST_WAVE = 8, 512  # looks that are played ahead of a test's answer


class BadLineup(ValueError):
    """More or fewer bots than the table takes. Code: ``bad-lineup``."""

    code = "bad-lineup"


@dataclass(frozen=True)
class Match:
    """What is to be played.

    Attributes:
        rules: the rules.
        label: what they are called: a variant's id, or a file.
        bots: one a seat, from seat 0 of the first room on; or two, the first for the side of seat
            0 and the second for all the rest.
        deals: how many boards, 2 or more; with a test, how many at most.
        seed: of all of them, 0 to 2^63 - 1.
        family: which of the three families of boards they are from.
        sprt: the sequential test that may end it early.
        target: where kernels run; never changes the answer.
        deadline_ms: how long an outside program has for an action.
    """

    rules: Rules
    label: str
    bots: tuple[Bot, ...]
    deals: int
    seed: int = 1
    family: Family = Family.TUNING
    sprt: Sprt | None = None
    target: Target = "numba"
    deadline_ms: int = DEADLINE

    def __post_init__(self) -> None:
        """Check the line-up.

        Raises:
            BadLineup: as many bots do not sit down at this game.
        """
        if len(self.bots) not in (2, self.rules.seats):
            raise BadLineup(
                f"{len(self.bots)} bot{'s' * (len(self.bots) != 1)} for {self.label}; expected 2, "
                f"for the two sides, or {self.rules.seats}, one a seat"
            )

    @property
    def table(self) -> RuleTable:
        """The rules as the engine reads them."""
        return compile_rules(self.rules)

    @property
    def places(self) -> tuple[int, ...]:
        """Whose bot sits in each seat of the first room, by its place in `bots`."""
        if len(self.bots) == self.rules.seats:
            return tuple(range(self.rules.seats))
        first = self.table.partners[0]
        return tuple(0 if first >> seat & 1 else 1 for seat in range(self.rules.seats))

    @property
    def lineup(self) -> tuple[Bot, ...]:
        """The bots from seat 0 of the first room on, one a seat."""
        return tuple(self.bots[place] for place in self.places)

    @property
    def rooms(self) -> int:
        """How often each board is played."""
        return rooms_of(self.table, self.lineup)

    @property
    def sides(self) -> int:
        """How many sides play for themselves."""
        return sides_of(self.table)

    @property
    def scale(self) -> int:
        """By what a board's result is divided to be points a board."""
        return scale_of(self.table, self.rooms)

    @property
    def question(self) -> str:
        """A hash of what is asked: these bots, as they are written now, at these rules.

        Neither the cards nor their number are part of it.
        """
        kernels = all(bot.kernel is not None for bot in self.bots)
        written = sources_hash(play_boards) if kernels else code_version()
        asked = [sorted(str(bot) for bot in self.lineup), repr(self.table), written]
        return sha256(json.dumps(asked).encode()).hexdigest()[:16]

    @property
    def run(self) -> dict[str, str | int]:
        """All that the answer depends on, by name, for a journal."""
        return {
            "match": repr(self.table),
            "bots": " ".join(str(bot) for bot in self.lineup),
            "deals": self.deals,
            "seed": self.seed,
            "family": self.family.value,
            "sprt": json.dumps(self.sprt and asdict(self.sprt)),
            "deadline": self.deadline_ms,
        }

    def job(self, name: str) -> Boards:
        """Return all the boards as one job, called `name`."""
        return replace(self._boards(0, self.deals), name=name)

    def stretches(self) -> list[Boards]:
        """Return the match as jobs, in the order of their boards."""
        probe = self._boards(0, self.deals)
        length = LOOK
        if self.sprt is None:
            shortest = min(probe.chunk, max(SHORTEST, self.deals // STRETCHES))
            length = max(-(-self.deals // STRETCHES), shortest)
        return [
            self._boards(first, min(length, self.deals - first))
            for first in range(0, self.deals, length)
        ]

    def _boards(self, first: int, size: int) -> Boards:
        return Boards(
            f"boards {first} to {first + size - 1}",
            size, self.rules, self.lineup, self.seed, self.family.first_board + first, self.target,
            deadline_ms=self.deadline_ms,
        )  # fmt: skip


@dataclass(frozen=True)
class Played:
    """What was played of a match.

    Attributes:
        match: what was to be played.
        sums: what was noted, as `rookery.lab.duplicate.boards` notes it.
        track: boards, total and squares after each stretch, for the running mean.
        seconds: how long the play took, compiling left aside.
    """

    match: Match
    sums: tuple[int, ...]
    track: tuple[tuple[int, int, int], ...]
    seconds: float

    @property
    def ratio(self) -> float | None:
        """The test's likelihood ratio at the end, as a logarithm; None without a test."""
        if self.match.sprt is None:
            return None
        return self.match.sprt.ratio(*self.track[-1], self.match.scale)


def play_match(
    match: Match,
    *,
    executor: Executor | None = None,
    journal: Journal | None = None,
    progress: Progress | None = None,
    ready: Callable[[], None] = lambda: None,
) -> Played:
    """Play a match and return what was noted.

    Args:
        match: what to play.
        executor: who plays; threads on all cores where None.
        journal: what it holds is not played again.
        progress: told how many boards are done, and how many there are.
        ready: called once the code is compiled.

    Raises:
        BotFailed: a bot cannot play at all.
        OSError: the journal cannot be written.
    """
    stretches = match.stretches()
    stretches[0].count(0, 0)
    ready()
    began = time.perf_counter()
    sums = np.zeros(WIDTH, dtype=np.int64)
    track: list[tuple[int, int, int]] = []
    known = False
    at, wave = 0, FIRST_WAVE if match.sprt else len(stretches)
    while at < len(stretches) and not known:
        batch = stretches[at : at + wave]
        told = _ahead(progress, track[-1][0] if track else 0, match.deals)
        found = run_jobs(batch, executor, journal, told)
        for job in batch:
            sums += found[job.name]
            noted = int(sums[BOARDS]), int(sums[TOTAL]), int(sums[SQUARES])
            track.append(noted)
            if match.sprt and match.sprt.answer(match.sprt.ratio(*noted, match.scale)):
                known = True
                break
        at, wave = at + len(batch), min(2 * wave, LAST_WAVE)
    seconds = time.perf_counter() - began
    return Played(match, tuple(int(number) for number in sums), tuple(track), seconds)


def _ahead(progress: Progress | None, done: int, whole: int) -> Progress | None:
    """Return what tells of one wave, with the boards before it."""
    return None if progress is None else (lambda more, _: progress(done + more, whole))
