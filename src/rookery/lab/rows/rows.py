"""Rows of a study's hands: the hands are played again, recorded and written to files.

Some hundreds of hands at a time are played, made into frames and written. So memory stays flat.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from errno import EIO
from io import BytesIO
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np
import polars as pl

from rookery.bots.names import bot
from rookery.cards import CARDS
from rookery.engine.actions import ACTIONS
from rookery.engine.targets import Target
from rookery.engine.targets.choice import for_laboratory
from rookery.files import make_safe
from rookery.lab.duplicate.boards import rooms_of
from rookery.lab.rows import play as at
from rookery.lab.rows.frames import Frames, Written, frames_of
from rookery.lab.rows.schema import TABLES
from rookery.lab.run.jobs import Progress
from rookery.lab.run.programs import program, records, zeros
from rookery.lab.studies.question import CannotAsk, Plan, Setting
from rookery.rules.table import PLACES, RuleTable

BATCH: Final = 256  # hands
USUAL: Final = 150  # decisions in a long hand
GROUP: Final = 16 * BATCH  # hands in a part of a file
PLAIN: Final = 10_000  # boards, up to which the plain engine is done sooner than the compiler
FEW: Final = 3  # rule sets, up to which a program for each compiles sooner than one for all


def lineups(table: RuleTable, bots: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the line-ups from seat 0 on, for each pair of bots: one on a side, one elsewhere.

    >>> from rookery.rules import load as rules
    >>> from rookery.rules.table import compile_rules
    >>> lineups(compile_rules(rules("kd_tournament")), ["papa", "hog"])
    [('papa', 'hog', 'papa', 'hog')]
    """
    pairs = combinations(bots, 2) if len(bots) > 1 else [(bots[0], bots[0])]
    side = table.partners[0]
    return [
        tuple(one if side >> seat & 1 else other for seat in range(table.seats))
        for one, other in pairs
    ]


def check_bots(plan: Plan) -> None:
    """Refuse a plan with a bot that rows cannot have.

    Raises:
        CannotAsk: there is one.
    """
    for name in plan.bots:
        _kernel(name)


def plan_rows(
    plan: Plan, boards: int, told: Progress = lambda done, whole: None
) -> Iterator[Frames]:
    """Yield frames of the first boards of every rule set and line-up of a plan.

    There are so many boards of each, but never more than the plan has. `told` is called with how
    many are done, and how many there are. All its bots pass `check_bots`.
    """
    hands = done = 0
    some = min(boards, plan.boards)
    whole = some * sum(len(lineups(setting.table, plan.bots)) for setting in plan.settings)
    told(0, whole)
    for setting in plan.settings:
        for lineup in lineups(setting.table, plan.bots):
            kinds = [_kernel(name) for name in lineup]
            names = dict(zip(kinds, lineup, strict=True))
            for played, written in _played(plan, setting, kinds, some):
                yield frames_of(written, setting, names, plan.seed, hands)
                hands += len(written.hands)
                done += played
                told(done, whole)


def _kernel(name: str) -> int:
    number = bot(name).kernel
    if number is None:
        raise CannotAsk(
            f"{name}: plays a hand at a time, and rows are of compiled play; leave it out"
        )
    return number


def _played(
    plan: Plan, setting: Setting, kinds: Sequence[int], boards: int
) -> Iterator[tuple[int, Written]]:
    """Play a plan's first boards and yield batches: the number of boards, and their hands."""
    table = setting.table
    target = at_leisure(plan.target, boards <= PLAIN)
    made_for = frozenset(kinds) if len(plan.settings) <= FEW else None
    play, rules = program(target, at.play_boards_noted, setting.rules, made_for)
    rooms = rooms_of(table, kinds)
    some = max(1, BATCH // rooms)
    notes = Notes(target, some * rooms, table.hand_size, rooms)
    lineup, *lists = zeros(target, PLACES, PLACES, PLACES, CARDS)
    lineup[: len(kinds)] = kinds
    blank = records(target)
    first = 0
    while first < boards:
        played = play(
            rules, *blank, lineup, *lists, rooms, plan.seed, plan.family.first_board + first,
            min(some, boards - first), *notes.rooms, notes.capacity,
        )  # fmt: skip
        yield played, notes.take()
        first += played


def at_leisure(target: Target | None, few: bool) -> Target:
    """Return where rows are played that are few or many: on the cores, whatever a study ran on."""
    if few:
        return "python"
    return for_laboratory() if target in (None, "cuda") else target


class Notes:
    """Buffers in which hands are recorded, with room for `capacity` decisions.

    The `rooms` are how many rows there are, hands, tricks and decisions, and room for `legal`.
    """

    def __init__(self, target: Target, hands: int, tricks: int, longest: int = 1) -> None:
        """Make room for `hands` hands of `tricks` tricks, `longest` of them as long as can be."""
        self.capacity = hands * USUAL + longest * at.MOST_DECISIONS
        rows = (hands * at.HAND, hands * tricks * at.TRICK, self.capacity * at.DECISION)
        self.rooms = zeros(target, 3, *rows, ACTIONS)

    @property
    def hands(self) -> int:
        """Return how many hands have been recorded."""
        return int(self.rooms[0][at.HANDS_USED])

    @property
    def decisions(self) -> int:
        """Return how many decisions have been recorded."""
        return int(self.rooms[0][at.DECISIONS_USED])

    def take(self) -> Written:
        """Return the recorded hands as new arrays, and empty the buffers."""
        used, hands, tricks, decisions, _ = self.rooms

        def rows(room: Any, place: int, width: int) -> Any:  # noqa: ANN401
            found = np.array(room[: int(used[place]) * width], np.int64).reshape(-1, width)
            used[place] = 0
            return found

        return Written(
            rows(hands, at.HANDS_USED, at.HAND),
            rows(tricks, at.TRICKS_USED, at.TRICK),
            rows(decisions, at.DECISIONS_USED, at.DECISION),
        )


def write_rows(folder: Path, batches: Iterable[Frames]) -> list[Path]:
    """Write frames into a Parquet file for each table, and return the files.

    They replace older files in `folder` only when all are written.

    Raises:
        OSError: they cannot be written; `folder` is as it was before.
    """
    with TemporaryDirectory(dir=folder, prefix=".rows-", ignore_cleanup_errors=True) as name:
        parts = Path(name)
        try:
            _write_parts(parts, batches)
            made = [_joined(parts, table) for table in TABLES]
        except pl.exceptions.PolarsError as error:
            reason = f"rows cannot be written: {str(error).splitlines()[0]}"
            raise OSError(EIO, reason, str(folder)) from None
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(folder)) from None
        return [path.replace(folder / path.name) for path in made]


def _write_parts(parts: Path, batches: Iterable[Frames]) -> None:
    waiting: list[Frames] = [{name: pl.DataFrame(schema=t.schema) for name, t in TABLES.items()}]
    number = 0

    def write() -> None:
        for name in TABLES:
            frame = pl.concat([frames[name] for frames in waiting])
            data = BytesIO()  # Polars itself does not say that a disk is full
            frame.write_parquet(data)
            (parts / f"{name}-{number:06}.parquet").write_bytes(data.getbuffer())

    for frames in batches:
        waiting.append(frames)
        if sum(len(one["hands"]) for one in waiting) >= GROUP:
            write()
            waiting.clear()
            number += 1
    if waiting:
        write()


def _joined(parts: Path, name: str) -> Path:
    """Return one file with all rows of a table, safe on the disk."""
    whole = parts / f"{name}.parquet"
    pl.scan_parquet(sorted(parts.glob(f"{name}-*.parquet"))).sink_parquet(whole)
    make_safe(whole)
    whole.chmod(0o644)
    return whole
