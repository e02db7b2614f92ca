"""Whole games as a job: each game is seeded by its own number."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, Final, TypeAlias

import numpy as np

from rookery.bots.dispatch import seated
from rookery.bots.seat_info import SeatInfo
from rookery.engine.state import Hidden, State
from rookery.engine.targets import Target, load
from rookery.lab.menagerie.tally import CAST, Tally
from rookery.lab.run.jobs import Sums
from rookery.rules.table import RuleTable

CHUNK: Final = 500  # games; a few milliseconds of compiled play
GPU_CHUNK: Final = 1 << 21

Games: TypeAlias = Callable[..., None]
"""A kernel over ``(table, s, h, mine, tally, seed, first, games)``, as `published_games` is."""


@dataclass(frozen=True)
class PlayedGames:
    """A job: games 0 to `units` - 1 of a seed; its sums are those of `Tally`.

    Attributes:
        name: the job's name.
        units: how many games.
        kernel: plays a run of games on one tally.
        table: the rules.
        seed: 0 to 2^63 - 1.
        target: where the kernel runs.
        chunk: how many games a thread takes at a time.
    """

    name: str
    units: int
    kernel: Games
    table: RuleTable
    seed: int
    target: Target = "numba"
    chunk: int = CHUNK

    def count(self, first: int, size: int) -> Sums:
        """Play games `first` to `first` + `size` - 1 and return ``Tally.sums``, flat, over them."""
        if self.target == "cuda":
            from rookery.lab.menagerie.games_gpu import play_games_on_gpu

            return play_games_on_gpu(self.kernel, self.table, self.seed, first, size)
        play = self._play
        if self.target == "python":
            tally = Tally()
            mine = [SeatInfo() for _ in range(CAST)]
            play(self.table, State(), Hidden(), mine, tally, self.seed, first, size)
            return np.array(tally.sums, dtype=np.int64)
        rules, *records = self._blank
        (state,), (hidden,), private, (noted,) = (record.copy() for record in records)
        play(rules[0], state, hidden, private, noted, self.seed, first, size)
        sums: Sums = noted["sums"].copy()
        return sums

    def __getstate__(self) -> dict[str, object]:
        """Return the fields without compiled code, which cannot be pickled."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @cached_property
    def _play(self) -> Games:
        return load(self.target, self.kernel, self.table, seated(range(CAST)))

    @cached_property
    def _blank(self) -> tuple[Any, ...]:
        """The records to play on; all but the first are to be copied."""
        from rookery.engine.records import array_of

        mine = array_of(*(SeatInfo() for _ in range(CAST)))
        return (
            *(array_of(self.table), array_of(State()), array_of(Hidden())),
            *(mine, array_of(Tally())),
        )
