"""Reading a data set: its facts, and its tables in Polars."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import polars as pl
from pydantic import BaseModel

from rookery.lab.rows.schema import TABLES

FACTS: Final = "dataset.json"


class Facts(BaseModel, frozen=True, extra="forbid"):
    """What is to be said of a data set, as ``dataset.json`` keeps it.

    Attributes:
        rules: a variant's id, or a house-rule file.
        bots: who played: two for the two sides, or one a seat.
        deals: how many; each was played from all sides.
        rows: how many rows each table has.
        points_a_board: how far the first bot's side was ahead.
        points_a_board_ci95: its 95 % interval; None where there is none, as after one deal.
        made: each bot's share of its contracts that were made, 0 to 1; None without any.
        unscored: hands that ended without a score.
    """

    rules: str
    bots: list[str]
    deals: int
    seed: int
    version: str
    rows: dict[str, int]
    points_a_board: float
    points_a_board_ci95: tuple[float, float] | None
    made: dict[str, float | None]
    unscored: int


class NoDataSet(ValueError):
    """A folder that holds no data set. Code: ``no-dataset``."""

    code = "no-dataset"


def sample() -> Path:
    """Return the folder of the small data set that comes with Rookery."""
    return Path(__file__).parent / "sample"


def facts_of(folder: str | Path) -> Facts:
    """Return what is said of the data set in a folder.

    Raises:
        NoDataSet: there is none.

    >>> facts_of(sample()).rules
    'kd_tournament'
    """
    path = Path(folder) / FACTS
    try:
        return Facts.model_validate_json(path.read_bytes())
    except (OSError, ValueError):
        line = f"{path}: expected the facts of a data set, which `rookery study dataset` writes"
        raise NoDataSet(line) from None


def scan(folder: str | Path) -> dict[str, pl.LazyFrame]:
    """Return the tables of a data set by name: ``hands``, ``tricks`` and ``decisions``.

    Nothing is read before it is collected.

    Raises:
        NoDataSet: there is none in the folder, or it lacks a table.

    >>> sorted(scan(sample()))
    ['decisions', 'hands', 'tricks']
    """
    files = {name: sorted((Path(folder) / "data").glob(f"{name}-*.parquet")) for name in TABLES}
    for name, found in files.items():
        if not found:
            raise NoDataSet(f"{folder}: has no data/{name}-*.parquet; expected a data set")
    return {name: pl.scan_parquet(found) for name, found in files.items()}


def hand_by_hand(folder: str | Path, batch: int = 1_000) -> Iterator[tuple[dict[str, Any], Any]]:
    """Yield each hand's row with the rows of its decisions, as dictionaries, in the order of hands.

    As many hands as `batch` are read at a time.

    Raises:
        NoDataSet: there is none in the folder, or it lacks a table.
    """
    tables = scan(folder)
    count = int(tables["hands"].select(pl.len()).collect().item())
    for first in range(0, count, batch):
        hands = tables["hands"].slice(first, batch).collect()
        low, high = hands["hand"].min(), hands["hand"].max()
        of_hands = tables["decisions"].filter(pl.col("hand").is_between(low, high)).collect()
        steps = {key: rows for (key,), rows in of_hands.group_by("hand", maintain_order=True)}
        for row in hands.iter_rows(named=True):
            found = steps.get(row["hand"])
            yield row, [] if found is None else found.sort("step").to_dicts()
