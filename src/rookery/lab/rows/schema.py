"""The columns of the rows that studies write: one table a hand, one a trick, one a decision.

``docs/reference/parquet.md`` is made from them by ``python -m scripts.docs.reference``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

import polars as pl
from polars._typing import PolarsDataType

TEXTS: Final = pl.List(pl.String)
PER_SEAT: Final = pl.List(pl.Int64)


class Column(NamedTuple):
    """A column of a file: its name and type, what its values are counted in, and one sentence."""

    name: str
    kind: PolarsDataType
    unit: str
    text: str


class Table(NamedTuple):
    """A table of rows: its file is ``NAME.parquet``."""

    name: str
    text: str
    columns: tuple[Column, ...]

    @property
    def schema(self) -> pl.Schema:
        """Return the columns as Polars has them."""
        return pl.Schema({column.name: column.kind for column in self.columns})


KEY: Final = Column(
    "hand", pl.Int64, "number", "Number of the hand in these files; it joins the tables."
)

HANDS: Final = Table(
    "hands",
    "One row a hand.",
    (
        KEY,
        Column(
            "rules",
            pl.String,
            "name",
            "What the study calls the rules: a variant's id, or a label.",
        ),
        Column("seed", pl.Int64, "number", "Seed of the run."),
        Column(
            "board", pl.Int64, "number", "Number of the board, or of the game in a study of games."
        ),
        Column(
            "room",
            pl.Int64,
            "number",
            "Number of the room in which the board was played, or of the hand in its game.",
        ),
        Column("dealer", pl.Int64, "seat", "Seat that deals."),
        Column("bots", TEXTS, "names", "Who sits where, from seat 0 on."),
        Column(
            "deal",
            pl.List(TEXTS),
            "cards",
            "The cards dealt to each seat, and last to a blind hand, in the order it plays them.",
        ),
        Column("nest", TEXTS, "cards", "The nest as it was dealt."),
        Column("ended", pl.String, "word", "`done`, or `redealt` where the hand ended unscored."),
        Column("declarer", pl.Int64, "seat", "Seat of the declarer; null where there is none."),
        Column("bid", pl.Int64, "points", "The contract, in points; null without a declarer."),
        Column("sun", pl.Boolean, "", "Whether the declarer bid the Sun."),
        Column("call", pl.String, "word", "The final trump call; null before one is made."),
        Column("rook_low", pl.Boolean, "", "Whether the declarer ranked the Rook low."),
        Column("called", TEXTS, "cards", "The partner cards called."),
        Column(
            "side", PER_SEAT, "seats", "Seats of the declarer's side, ascending; empty without one."
        ),
        Column(
            "discards",
            TEXTS,
            "cards",
            "The nest as the declarer left it; null where nobody took it up.",
        ),
        Column(
            "made", pl.Boolean, "", "Whether the contract was made; null where none was played."
        ),
        Column(
            "points",
            PER_SEAT,
            "points",
            "What each seat's side took, from seat 0; null if unscored.",
        ),
        Column(
            "score", PER_SEAT, "points", "What each seat scored, from seat 0; null if unscored."
        ),
    ),
)
TRICKS: Final = Table(
    "tricks",
    "One row a complete trick.",
    (
        KEY,
        Column("trick", pl.Int64, "number", "Number of the trick in its hand, from 0."),
        Column("leader", pl.Int64, "seat", "Seat that led."),
        Column("cards", TEXTS, "cards", "The cards in the order played, the leader's first."),
        Column(
            "winner", pl.Int64, "seat", "Seat that won it; the number of seats for a blind hand."
        ),
        Column("points", pl.Int64, "points", "Points of its counters."),
    ),
)
DECISIONS: Final = Table(
    "decisions",
    "One row a decision; cards discarded or called one at a time are a decision each.",
    (
        KEY,
        Column("step", pl.Int64, "number", "Number of the decision in its hand, from 0."),
        Column("seat", pl.Int64, "seat", "Who decides: the declarer for a dummy."),
        Column("place", pl.Int64, "seat", "Whose turn it is: the dummy's own seat for a dummy."),
        Column(
            "phase",
            pl.String,
            "word",
            "`auction`, `nest`, `trump`, `rook`, `call`, `leader`, `circus` or `play`.",
        ),
        Column(
            "action",
            pl.String,
            "words",
            "What was done, as a game record writes it, without the seat.",
        ),
        Column(
            "choices",
            pl.Int64,
            "actions",
            "How many actions were legal; null where the rules of Rook do not say.",
        ),
    ),
)
TABLES: Final[Mapping[str, Table]] = {table.name: table for table in (HANDS, TRICKS, DECISIONS)}
