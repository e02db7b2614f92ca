"""Frames with the documented columns, made from the whole numbers that kernels write."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import polars as pl

from rookery.cards import CARDS, NAMES, by_suit
from rookery.engine.state import DONE, PHASES
from rookery.game.action import action_of, call_words
from rookery.lab.rows import play as at
from rookery.lab.rows.schema import DECISIONS, HANDS, TRICKS
from rookery.lab.studies.question import Setting

Numbers = npt.NDArray[np.int64]
Frames = dict[str, pl.DataFrame]

SORTED: Final[Numbers] = np.argsort(by_suit((1 << CARDS) - 1))
"""Where each card stands in a sorted hand."""
MANY_ACTIONS: Final = 1 << 10  # more than there are


@dataclass(frozen=True)
class Written:
    """Recorded hands, tricks and decisions: rows of `HAND`, `TRICK` and `DECISION` whole numbers.

    The choices of a decision are -1 where they were not counted.
    """

    hands: Numbers
    tricks: Numbers
    decisions: Numbers


def frames_of(
    written: Written, setting: Setting, bots: Mapping[int, str], seed: int, first: int
) -> Frames:
    """Return the three frames of `rookery.lab.rows.schema`, by name; hands count from `first` on.

    `bots` are the bots' names by their numbers, and `seed` is that of the run.
    """
    return {
        HANDS.name: pl.DataFrame(_hands(written.hands, setting, bots, seed, first), HANDS.schema),
        TRICKS.name: pl.DataFrame(_tricks(written.tricks, setting, first), TRICKS.schema),
        DECISIONS.name: pl.DataFrame(
            _decisions(written.decisions, setting, first), DECISIONS.schema
        ),
    }


def _hands(
    rows: Numbers, setting: Setting, bots: Mapping[int, str], seed: int, first: int
) -> dict[str, Any]:
    rules = setting.rules
    seats, size, cards = rules.seats, rules.hand_size, NAMES[rules.pack]
    played = rows[:, at.DECLARER] >= 0
    scored = rows[:, at.PHASE] == DONE
    dealt = rows[:, at.DEALT : at.DEALT + rules.cards]
    held = dealt[:, : seats * size].reshape(len(rows), seats, size)
    held = np.take_along_axis(held, np.argsort(SORTED[held], axis=2), axis=2)
    blind = dealt[:, None, seats * size : rules.hands * size]
    hands = [held, blind] if rules.blind else [held]
    calls = call_words(rules.pack)
    return {
        "hand": np.arange(first, first + len(rows)),
        "rules": pl.repeat(setting.label, len(rows), dtype=pl.String, eager=True),
        "seed": np.full(len(rows), seed),
        "board": rows[:, at.BOARD],
        "room": rows[:, at.ROOM],
        "dealer": rows[:, at.DEALER],
        "bots": _named(rows[:, at.SITTING : at.SITTING + seats], bots),
        "deal": _named(np.concatenate(hands, axis=1), cards),
        "nest": _named(dealt[:, rules.hands * size :], cards),
        "ended": _named(rows[:, at.PHASE], PHASES),
        "declarer": _where(played, rows[:, at.DECLARER]),
        "bid": _where(played, rows[:, at.CONTRACT]),
        "sun": rows[:, at.SUN_BID] == 1,
        "call": _named(rows[:, at.CALL], {**dict(enumerate(calls)), -1: None}),
        "rook_low": rows[:, at.ROOK_LOW] == 1,
        "called": _sets(_mask(rows[:, at.CALLED : at.CALLED + 2]), cards),
        "side": _sets(rows[:, at.SIDE], range(seats)),
        "discards": _where(rows[:, at.PICKUP] != 0, _sets(rows[:, at.DISCARDS], cards)),
        "made": _where(played & scored, rows[:, at.MADE] == 1),
        "points": _where(scored, _lists(rows[:, at.POINTS : at.POINTS + seats])),
        "score": _where(scored, _lists(rows[:, at.SCORE : at.SCORE + seats])),
    }


def _tricks(rows: Numbers, setting: Setting, first: int) -> dict[str, Any]:
    rules = setting.rules
    return {
        "hand": rows[:, at.TRICK_HAND] + first,
        "trick": rows[:, at.NUMBER],
        "leader": rows[:, at.LEADER],
        "cards": _named(rows[:, at.LAID : at.LAID + rules.hands], NAMES[rules.pack]),
        "winner": rows[:, at.WINNER],
        "points": rows[:, at.WORTH],
    }


def _decisions(rows: Numbers, setting: Setting, first: int) -> dict[str, Any]:
    codes, index = np.unique(
        rows[:, at.IN_PHASE] * MANY_ACTIONS + rows[:, at.ACTION], return_inverse=True
    )
    words = [
        action_of(
            setting.table,
            int(code) // MANY_ACTIONS,
            0,
            int(code) % MANY_ACTIONS,
            setting.rules.pack,
        ).words
        for code in codes
    ]
    return {
        "hand": rows[:, at.OF_HAND] + first,
        "step": rows[:, at.STEP],
        "seat": rows[:, at.SEAT],
        "place": rows[:, at.PLACE],
        "phase": _named(rows[:, at.IN_PHASE], PHASES),
        "action": _named(index, words),
        "choices": _where(rows[:, at.CHOICES] >= 0, rows[:, at.CHOICES]),
    }


def _named(
    numbers: Numbers, names: Sequence[str] | Mapping[int, str] | Mapping[int, str | None]
) -> pl.Series:
    """Return the names of some numbers, in lists as deep as the array."""
    known = dict(names) if isinstance(names, Mapping) else dict(enumerate(names))
    low, high = min(known, default=0), max(known, default=-1)
    texts = pl.Series([known.get(i) for i in range(low, high + 1)], dtype=pl.String)
    return _nested(texts.gather(numbers.ravel() - low), numbers.shape)


def _lists(numbers: Numbers) -> pl.Series:
    return _nested(pl.Series(numbers.ravel()), numbers.shape)


def _nested(flat: pl.Series, shape: tuple[int, ...]) -> pl.Series:
    kind: Any = flat.dtype
    for _ in shape[1:]:
        kind = pl.List(kind)
    if 0 in shape:
        return pl.Series([[]] * shape[0], dtype=kind)
    return flat.reshape(shape).cast(kind)


def _mask(cards: Numbers) -> Numbers:
    """Return the sets of the cards in each row; -1 is none."""
    bits = np.where(cards >= 0, np.int64(1) << np.maximum(cards, 0), 0)
    sets: Numbers = np.bitwise_or.reduce(bits, axis=1)
    return sets


def _sets(masks: Numbers, members: Sequence[str] | range) -> pl.Series:
    """Return the members of each set, ascending."""
    row, member = np.nonzero(masks[:, None] >> np.arange(len(members)) & 1)
    told = pl.Series("of", members).gather(member)
    found = pl.DataFrame({"row": row, "of": told}).group_by("row", maintain_order=True).agg("of")
    whole = pl.DataFrame({"row": np.arange(len(masks))}).join(
        found, on="row", how="left", maintain_order="left"
    )
    return whole.select(pl.col("of").fill_null(pl.lit([], dtype=pl.List(told.dtype))))["of"]


def _where(there: npt.NDArray[np.bool_], values: Any) -> pl.Series:  # noqa: ANN401
    """Return the values, null where there are none."""
    return pl.select(pl.when(pl.Series(there)).then(pl.Series("values", values))).to_series()
