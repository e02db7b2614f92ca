"""Reading a data set: its facts, and its tables in Polars."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl

from rookery.lab.dataset.facts import FACTS, Facts
from rookery.lab.rows.schema import TABLES


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
        found: dict[str, Any] = json.loads(path.read_text("utf-8"))
        ends = found.pop("points_a_board_ci95")
        return Facts(**found, points_a_board_ci95=None if ends is None else (ends[0], ends[1]))
    except (AttributeError, KeyError, OSError, RecursionError, TypeError, ValueError):
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

    Args:
        folder: of the data set.
        batch: how many hands are read at a time.

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
