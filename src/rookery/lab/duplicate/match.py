"""Matches: bots against bots on duplicate boards, until all are played or a test has decided.

A match is cut into *stretches* of boards, and each stretch is a job. So progress can be shown, a
match can be resumed, and a sequential test can end it early. Which stretches count depends on
their results in the order of the boards, never on the order in which they finish.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from itertools import islice
from typing import Final, TypeAlias

import numpy as np

from rookery.about import code_version
from rookery.bots.names import Bot
from rookery.engine.kernel import sources_hash
from rookery.engine.targets import Target
from rookery.lab.duplicate import boards as at
from rookery.lab.duplicate.boards import play_boards, rooms_of, scale_of
from rookery.lab.duplicate.by_hand import DEADLINE, Told
from rookery.lab.duplicate.job import PLAIN_CHUNK, Boards, BoardsByHand
from rookery.lab.duplicate.seeds import Family
from rookery.lab.duplicate.sprt import Sprt
from rookery.lab.run.jobs import Counted, Executor, Journal, Progress, Sums, run_jobs
from rookery.rules import Rules
from rookery.rules.table import RuleTable, compile_rules

STRETCHES: Final = 100  # of a match without a test: the points of its running mean
SHORTEST: Final = 250  # boards of a stretch of compiled play
LOOK: Final = 50  # boards between two looks of a sequential test
FIRST_WAVE, LAST_WAVE = 8, 512  # looks that are played before the test is evaluated
SoFar: TypeAlias = tuple[int, int, int, int]


class Stopped(KeyboardInterrupt):
    """Somebody stopped a match; `played` is what had been played of it."""

    def __init__(self, played: Played) -> None:
        super().__init__()
        self.played = played


class BadLineup(ValueError):
    """More or fewer bots than the table takes. Code: ``bad-lineup``."""

    code = "bad-lineup"


def code_of(cast: Iterable[Bot]) -> str:
    """Return a hash of the code that decides how boards of these bots come out."""
    kernels = all(bot.kernel is not None for bot in cast)
    return sources_hash(play_boards) if kernels else code_version()


@dataclass(frozen=True)
class Match:
    """A match to play.

    Attributes:
        label: the rules' name in reports: a variant's id, or a file.
        bots: one for each seat, from seat 0 of the first room on; or two, the first for the side
            of seat 0 and the second for all other seats.
        deals: how many boards; with a test, how many at most.
        seed: of all boards, 0 to 2^63 - 1.
        sprt: the sequential test that may end the match early.
        target: where kernels run; never changes the result.
        deadline_ms: how long an outside program has for an action.
        told: called with each hand; all bots are then asked for one action at a time.
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
    told: Told | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Raise `BadLineup` where the number of bots does not fit the game."""
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
        """For each seat of the first room, the place in `bots` of the bot that sits there."""
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
    def scale(self) -> int:
        """The divisor that turns a board's result into points a board."""
        return scale_of(self.table, self.rooms)

    @property
    def question(self) -> str:
        """A hash of the bots, with their present code, and the rules.

        Neither the seed nor the number of deals is part of it, nor who has the first seat.
        """
        names = [str(bot) for bot in self.lineup]
        round_the_table = min(names[seat:] + names[:seat] for seat in range(len(names)))
        parts = [round_the_table, repr(self.table), code_of(self.bots)]
        return sha256(json.dumps(parts).encode()).hexdigest()[:16]

    @property
    def run(self) -> dict[str, str | int]:
        """Everything that the result depends on, by name, for a journal."""
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

    def played(self, sums: Sums) -> Played:
        """Return the match as played, from the sums over all its boards."""
        return Played(self, tuple(sums.tolist()), (), 0.0)

    def stretches(self) -> Iterator[Boards]:
        """Yield the match as jobs, in the order of their boards."""
        probe = self._boards(0, self.deals)
        length = LOOK
        if self.sprt is None:
            shortest = min(probe.chunk, max(SHORTEST, self.deals // STRETCHES))
            length = max(-(-self.deals // STRETCHES), shortest)
            if probe.chunk <= PLAIN_CHUNK:  # programs are started afresh for each chunk
                length = -(-length // probe.chunk) * probe.chunk
        for first in range(0, self.deals, length):
            yield self._boards(first, min(length, self.deals - first))

    def waves(self) -> Iterator[list[Boards]]:
        """Yield the stretches that are played before a test is evaluated; without one, all."""
        stretches, wave = self.stretches(), FIRST_WAVE if self.sprt else None
        while batch := [*islice(stretches, wave)]:
            yield batch
            wave = wave and min(2 * wave, LAST_WAVE)

    def _boards(self, first: int, size: int) -> Boards:
        compiled = self.told is None and all(bot.kernel is not None for bot in self.bots)
        return (Boards if compiled else BoardsByHand)(
            f"boards {first} to {first + size - 1}",
            size, self.rules, self.lineup, self.seed, self.family.first_board + first, self.target,
            by_hand=self.told is not None, deadline_ms=self.deadline_ms, told=self.told,
        )  # fmt: skip


@dataclass(frozen=True)
class Played:
    """A match that has been played.

    Attributes:
        sums: its sums; see `rookery.lab.duplicate.boards`, or `rookery.lab.games.games`.
        track: boards, total, squares and boards that did not end level, after each stretch; of a
            match that was stopped, with a test, only as far as it has been looked at in order.
        seconds: how long the play took, without compiling.
        stopped: whether somebody stopped it before its end.
    """

    match: Match
    sums: tuple[int, ...]
    track: tuple[SoFar, ...]
    seconds: float
    stopped: bool = False

    @property
    def ratio(self) -> float | None:
        """The test's likelihood ratio when it last looked, as a logarithm; None without a test."""
        if self.match.sprt is None:
            return None
        return self.match.sprt.ratio(*self.track[-1], self.match.scale) if self.track else 0.0


def play_match(
    match: Match,
    *,
    executor: Executor | None = None,
    journal: Journal | None = None,
    progress: Progress | None = None,
) -> Played:
    """Play a match and return its sums.

    `executor`, `journal` and `progress` are those of `rookery.lab.run.jobs.run_jobs`.

    Raises:
        BotFailed: a bot cannot play at all.
        OSError: the journal cannot be written.
        Stopped: somebody stopped it, after a board at least.
    """
    next(match.stretches()).count(0, 0)  # compiles
    began = time.perf_counter()
    sums = np.zeros(at.WIDTH, dtype=np.int64)
    track: list[SoFar] = []
    for batch in match.waves():
        wave_progress = ahead(progress, track[-1][0] if track else 0, match.deals)
        so_far: dict[str, Counted] = {}
        try:
            results = run_jobs(batch, executor, journal, wave_progress, so_far=so_far)
        except KeyboardInterrupt:
            looked = track.copy()
            counted, known = _looked(match, sums, looked, _whole(batch, so_far))
            if not known:
                counted = sum((one.sums for one in so_far.values() if one.sums is not None), sums)
            if not counted[at.BOARDS]:
                raise
            if not match.sprt:
                looked = [*track, _ends(counted)]
            seconds = time.perf_counter() - began
            partial = Played(match, tuple(counted.tolist()), tuple(looked), seconds, stopped=True)
            raise Stopped(partial) from None
        sums, known = _looked(match, sums, track, (results[job.name] for job in batch))
        if known:
            break
    seconds = time.perf_counter() - began
    return Played(match, tuple(sums.tolist()), tuple(track), seconds)


def _looked(
    match: Match, sums: Sums, track: list[SoFar], stretches: Iterable[Sums]
) -> tuple[Sums, bool]:
    """Add stretches in the order of their boards until a test answers; return whether it did."""
    for one in stretches:
        sums = sums + one
        track.append(_ends(sums))
        if match.sprt and match.sprt.answer(match.sprt.ratio(*track[-1], match.scale)):
            return sums, True
    return sums, False


def _whole(batch: Sequence[Boards], so_far: Mapping[str, Counted]) -> Iterator[Sums]:
    """Yield the sums of the stretches of a wave until one is not whole."""
    for job in batch:
        counted = so_far.get(job.name)
        if counted is None or counted.sums is None or counted.units < job.units:
            return
        yield counted.sums


def _ends(sums: Sums) -> SoFar:
    boards, level = int(sums[at.BOARDS]), int(sums[at.SPREAD + at.BINS // 2])
    return boards, int(sums[at.TOTAL]), int(sums[at.SQUARES]), boards - level


def ahead(progress: Progress | None, done: int, whole: int) -> Progress | None:
    """Return the progress callback of one part of the boards, which adds those before it."""
    return None if progress is None else (lambda more, _: progress(done + more, whole))
