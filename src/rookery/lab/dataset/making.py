"""Making a data set: deals are played, written in parts, and put together when all are there.

A part has a hundred deals and is on the disk before the journal notes it. So a run that was stopped
loses the parts that were being played and no others, and comes to the same files. Parts stay as
long as the journal does.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from errno import EIO
from io import BytesIO
from pathlib import Path
from typing import Final

import polars as pl

from rookery.about import version
from rookery.bots.names import Bot, bot
from rookery.files import make_safe, write_file
from rookery.lab.dataset.card import card
from rookery.lab.dataset.read import FACTS, Facts, facts_of
from rookery.lab.duplicate.by_hand import HandPlayed
from rookery.lab.duplicate.job import boards_by_hand
from rookery.lab.duplicate.match import Match
from rookery.lab.duplicate.result import result_of
from rookery.lab.rows.played import played_rows
from rookery.lab.rows.schema import TABLES
from rookery.lab.run.jobs import Executor, Journal, Progress, Sums, run_jobs
from rookery.lab.studies.question import Setting

BOTS: Final = ("expert:ms=600000", "club")  # without its clock, which would tell of the machine
JOB: Final = "deals"
PART: Final = 100  # deals
FILE: Final = 20_000  # deals in a file of each table
PARTS: Final = "parts"
WHOLE: Final = "data"
README: Final = "README.md"
MADE: Final = (README, WHOLE, FACTS)
_TABLE: Final = f"({'|'.join(TABLES)})"
_OWN_FILES: Final = re.compile(rf"{_TABLE}-\d{{5,}}-of-\d{{5,}}\.parquet")
# Also what a run leaves that is killed while it writes.
_OWN_PARTS: Final = re.compile(rf"{WHOLE}|{_TABLE}-\d{{12}}\.parquet|\.[0-9a-f]{{16}}")


class PartsLost(ValueError):
    """Parts that the journal knows are not there. Code: ``parts-lost``."""

    code = "parts-lost"


class FolderTaken(ValueError):
    """A folder with other files where a data set's would go. Code: ``folder-taken``."""

    code = "folder-taken"


@dataclass(frozen=True)
class DataSet:
    """A data set to make; its bots are two, for the two sides, or one a seat."""

    setting: Setting
    bots: tuple[str, ...]
    deals: int
    seed: int = 1

    @property
    def match(self) -> Match:
        """The match that plays these deals."""
        cast: tuple[Bot, ...] = tuple(bot(name) for name in self.bots)
        setting = self.setting
        return Match(setting.rules, setting.label, cast, self.deals, self.seed, target="python")

    @property
    def run(self) -> dict[str, str | int]:
        """Everything that the files depend on, by name, for a journal."""
        return {**self.match.run, "dataset": self.setting.label}

    def job(self, folder: Path) -> Parts:
        """Return the job that plays the deals and writes their parts into a folder."""
        return Parts(JOB, self.deals, PART, self, str(folder))


@dataclass(frozen=True)
class Parts:
    """A job: deals that are played and written to a file of each table in a folder."""

    name: str
    units: int
    chunk: int
    asked: DataSet
    folder: str

    def count(self, first: int, size: int) -> Sums:
        """Play deals and write their part; return the sums of their boards."""
        *_, (_, sums) = self.parts(first, size)
        return sums

    def parts(self, first: int, size: int) -> Generator[tuple[int, Sums], None, None]:
        """Yield 0 and no sums after each deal, then all at once, with their part on the disk.

        Raises:
            BotFailed: a bot cannot play at all.
            OSError: the part cannot be written.
        """
        played: list[HandPlayed] = []
        match = self.asked.match
        # Asked for one action at a time, so that search and kernels are written alike.
        job = replace(match, told=played.append).job(JOB)
        whole = job.count(first, 0)
        with closing(boards_by_hand(job, first, size)) as boards:
            for sums in boards:
                yield 0, whole * 0
                whole += sums
        if size:
            rows = played_rows(played, self.asked.setting, self.asked.seed, first * match.rooms)
            for name, frame in rows.items():
                data = BytesIO()
                frame.write_parquet(data)
                write_file(part_of(Path(self.folder), name, first), data.getvalue())
        yield size, whole


def part_of(folder: Path, name: str, first: int) -> Path:
    """Return the file of a table's part from deal `first` on."""
    return folder / f"{name}-{first:012}.parquet"


def make(
    asked: DataSet,
    folder: Path,
    *,
    executor: Executor | None = None,
    journal: Journal | None = None,
    progress: Progress | None = None,
) -> Facts:
    """Make a data set in a folder, or go on with it, and return what is to be said of it.

    The folder gets ``data/*.parquet``, ``README.md`` and ``dataset.json``: the layout that Hugging
    Face's `datasets` reads. It exists already. `executor`, `journal` and `progress` are those of
    `rookery.lab.run.jobs.run_jobs`. The parts stay in it; see `clear_parts`.

    Raises:
        FolderTaken: what would be deleted is no data set's; nothing has been played.
        PartsLost: the journal knows of parts that somebody has deleted.
        OSError: something cannot be written; parts that are there stay.
    """
    _refuse_others(folder, begun=journal is not None and journal.counted(JOB).units > 0)
    parts = folder / PARTS
    parts.mkdir(exist_ok=True)
    sums = run_jobs([asked.job(parts)], executor, journal, progress)[JOB]
    result = result_of(asked.match.played(sums))
    whole = parts / WHOLE
    shutil.rmtree(whole, ignore_errors=True)
    whole.mkdir()
    rows = {name: sum(_put_together(asked, parts, whole, name)) for name in TABLES}
    match = asked.match
    facts = Facts(
        rules=asked.setting.label,
        bots=[*asked.bots],
        deals=asked.deals,
        seed=asked.seed,
        version=version(),
        rows=rows,
        points_a_board=result.difference.mean,
        points_a_board_ci95=result.difference.ci95,
        made=_made(list(map(str, match.bots)), result.made, result.contracts),
        unscored=result.unscored,
    )
    # What an earlier run left goes only now, when all that replaces it is there; first what its
    # datasheet says, so that whoever goes on after a kill here does not take it for somebody's own.
    if (folder / README).exists():
        write_file(folder / README, b"")
    shutil.rmtree(folder / WHOLE, ignore_errors=True)
    whole.replace(folder / WHOLE)
    write_file(folder / FACTS, (json.dumps(facts.model_dump(), indent=2) + "\n").encode())
    write_file(folder / README, card(facts).encode())
    return facts


def clear_parts(folder: Path) -> None:
    """Delete the parts of a data set that is made: after its journal, which counts on them.

    Raises:
        OSError: they cannot be deleted.
    """
    shutil.rmtree(folder / PARTS)


def _refuse_others(folder: Path, *, begun: bool) -> None:
    """Raise `FolderTaken` where something would be deleted that no data set has.

    Tables without facts are this run's own if it has `begun`: noted parts already.
    """
    parts = folder / PARTS
    for path in (folder / WHOLE, parts, parts / WHOLE):
        if path.is_symlink():
            raise FolderTaken(f"{path}: is a link; expected a folder without it")
    others = [
        *_others(parts, _OWN_PARTS),
        *_others(parts / WHOLE, _OWN_FILES),
        *_others(folder / WHOLE, _OWN_FILES),
    ]
    readme, told = folder / README, _datasheet(folder)
    if told is None:
        own = (WHOLE,) if begun else ()
        others += [path for name in MADE if name not in own and (path := folder / name).exists()]
    if others:
        raise FolderTaken(f"{others[0]}: is no data set's; expected a folder without it")
    if readme.exists() and not (readme.is_file() and readme.read_bytes() in (told, b"")):
        why = "was changed, or another version wrote it"
        raise FolderTaken(f"{readme}: {why}; expected a folder without it")


def _others(folder: Path, own: re.Pattern[str]) -> list[Path]:
    """Return what is in a folder under no name of a data set's; the path itself if it is a file."""
    if not folder.is_dir():
        return [folder] if folder.exists() else []
    return [
        path
        for path in sorted(folder.iterdir())
        if not own.fullmatch(path.name) or path.is_dir() != (path.name == WHOLE)
    ]


def _datasheet(folder: Path) -> bytes | None:
    """Return the datasheet of the data set in a folder; None if there is none."""
    try:
        return card(facts_of(folder)).encode()
    except (LookupError, StopIteration, ValueError):  # its tables may be others, or too large
        return None


def _made(
    bots: Sequence[str], shares: Sequence[float | None], contracts: Sequence[int]
) -> dict[str, float | None]:
    """Return each bot's share of its contracts that were made, in all its seats together.

    >>> _made(["papa", "club", "papa"], [0.5, None, 0.8], [10, 0, 20])
    {'papa': 0.7, 'club': None}
    """
    played, made = dict.fromkeys(bots, 0), dict.fromkeys(bots, 0.0)
    for name, share, count in zip(bots, shares, contracts, strict=True):
        played[name] += count
        made[name] += count * (share or 0.0)
    return {name: round(made[name] / count, 6) if count else None for name, count in played.items()}


def _put_together(asked: DataSet, parts: Path, data: Path, name: str) -> Iterator[int]:
    """Write a table's files into `data` from its parts; yield how many rows each has."""
    count = -(-asked.deals // FILE)
    for number in range(count):
        first, end = number * FILE, min(asked.deals, (number + 1) * FILE)
        files = [part_of(parts, name, at) for at in range(first, end, PART)]
        for file in files:
            if not file.exists():
                raise PartsLost(
                    f"{file}: is gone, though the journal notes its deals; delete the journal "
                    "beside its folder to begin anew"
                )
        frame = pl.scan_parquet(files)
        file = data / f"{name}-{number:05}-of-{count:05}.parquet"
        try:
            frame.sink_parquet(file)
        except pl.exceptions.PolarsError as error:
            raise OSError(EIO, str(error).splitlines()[0], str(file)) from None
        make_safe(file)  # before the parts that it replaces are deleted
        yield int(frame.select(pl.len()).collect().item())
