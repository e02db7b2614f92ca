"""The spaces of Gymnasium and PettingZoo, and observations that are in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from rookery.engine.actions import ACTIONS
from rookery.envs.observations.parts import PARTS
from rookery.envs.tables import Last, Numbers, Tables
from rookery.rules.table import compile_rules

if TYPE_CHECKING:
    from rookery.envs.gpu.tables import DeviceTables

Seen = dict[str, npt.NDArray[Any]]

WORTH: Final = 1 << 62  # seeds that are drawn go from 0 to one less


def check_mode(mode: str | None, modes: Sequence[str]) -> None:
    """Raise a ValueError for a way of rendering that an environment does not have."""
    if mode is not None and mode not in modes:
        raise ValueError(f"render_mode {mode}: expected {', '.join([*modes, 'None'])}")


def space_of(tables: Tables | DeviceTables) -> spaces.Dict:
    """Return the space of what one agent of these tables sees, and of what it may do."""
    table = compile_rules(tables.rules)
    boxes: dict[str, spaces.Space[Any]] = {
        part.key: spaces.Box(
            part.least, part.most, (part.length(table),), np.dtype(part.dtype).type
        )
        for part in (PARTS[name] for name in tables.parts)
    }
    return spaces.Dict({**boxes, "action_mask": spaces.Box(0, 1, (ACTIONS,), np.int8)})


def rows_of(tables: Tables, rows: Tables | Last, seat: int) -> Seen:
    """Return the arrays that observations stand in, shape (tables, ...); no copies.

    `rows` is `tables`, or what stood there at the end of a hand. Every table waits for `seat`.
    """
    arrays: Seen = {
        "compact": rows.observations,
        "history": rows.histories[:, seat],
        "oracle": rows.oracles,
        "totals": np.zeros((len(tables.seats), tables.rules.seats), np.int32),
    }
    return {PARTS[name].key: arrays[name] for name in tables.parts}


def turn_totals(tables: Tables, totals: Numbers, seat: int, rows: Seen) -> None:
    """Write the totals of matches into rows, from a seat on clockwise; nothing without matches."""
    if tables.match and "totals" in rows:
        seats = totals.shape[1]
        rows["totals"][:, : seats - seat] = totals[:, seat:]
        rows["totals"][:, seats - seat :] = totals[:, :seat]


def asks_of(
    tables: Tables, seat: int, *, to_act: bool = False
) -> dict[str, Callable[[], npt.NDArray[Any]]]:
    """Return what to call for each part of what a seat of the first table sees; new arrays.

    Where it is to act, what it sees stands in the tables' own rows; for any seat it is written.
    """
    ask: dict[str, Callable[[], npt.NDArray[Any]]] = {
        "compact": tables.observations[0].copy if to_act else partial(tables.seen, 0, seat),
        "history": tables.histories[0, seat].copy,
        "oracle": tables.oracles[0].copy if to_act else partial(tables.laid_open, 0, seat),
        "totals": partial(totals_from, tables, seat),
    }
    return {PARTS[name].key: ask[name] for name in tables.parts}


def seen_from(tables: Tables, seat: int) -> Seen:
    """Return what any seat of the first table sees, whether or not it is to act; new arrays."""
    return {key: ask() for key, ask in asks_of(tables, seat).items()}


def totals_from(tables: Tables, seat: int) -> npt.NDArray[np.int32]:
    """Return the totals of the match at the first table, from a seat on clockwise; a new array."""
    if not tables.match:
        return np.zeros(tables.rules.seats, np.int32)
    turned: npt.NDArray[np.int32] = np.roll(tables.totals[0], -seat).astype(np.int32)
    return turned
