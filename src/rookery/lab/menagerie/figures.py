"""The figures of the Menagerie study in percent, and those of the paper."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Final, Generic, TypeAlias, TypeVar

from rookery.lab.menagerie import tally as at
from rookery.lab.menagerie.tally import Sums, Weights
from rookery.lab.stats import Interval

NAMES: Final = ("karapet", "papa", "hog", "rabbit")
PAIR_NAMES: Final = tuple("-".join(pair) for pair in combinations(NAMES, 2))
HAND: Final = 9  # tricks

_Cell = TypeVar("_Cell")
_Other = TypeVar("_Other")
Key: TypeAlias = tuple[str, int, str]
"""Which figure: the table, the trimester (1 to 3, else 0) and the name."""


@dataclass(frozen=True, slots=True)
class Tables(Generic[_Cell]):
    """The tables of the study, a cell for each character or pair.

    Attributes:
        games_won: share of the games; both partners win, so the column adds up to 200 %.
        tricks_won: share of all tricks.
        pair_games: share of the games that a pair won together.
        pair_tricks: share of the tricks won by a pair; in mode ``published`` as the program books
            them.
        pair_tricks_honest: the same counted correctly, where `pair_tricks` is not.
        trimesters: share of tricks 1 to 3, 4 to 6, 7 to 9.
    """

    games_won: Mapping[str, _Cell]
    tricks_won: Mapping[str, _Cell]
    pair_games: Mapping[str, _Cell]
    pair_tricks: Mapping[str, _Cell]
    pair_tricks_honest: Mapping[str, _Cell] | None
    trimesters: tuple[Mapping[str, _Cell], ...]

    def cells(self) -> Iterator[tuple[Key, _Cell]]:
        """Yield every cell with its key."""
        whole = {
            "games_won": self.games_won,
            "tricks_won": self.tricks_won,
            "partnerships.games": self.pair_games,
            "partnerships.tricks": self.pair_tricks,
            "partnerships.tricks_honest": self.pair_tricks_honest or {},
        }
        for table, cells in whole.items():
            for name, cell in cells.items():
                yield (table, 0, name), cell
        for third, cells in enumerate(self.trimesters, 1):
            for name, cell in cells.items():
                yield ("trimesters", third, name), cell

    def as_json(self, show: Callable[[_Cell], _Other]) -> dict[str, object]:
        """Return the tables as ``study menagerie --json`` has them, each cell through `show`."""

        def shown(cells: Mapping[str, _Cell]) -> dict[str, _Other]:
            return {name: show(cell) for name, cell in cells.items()}

        pairs = {"games": shown(self.pair_games), "tricks": shown(self.pair_tricks)}
        if self.pair_tricks_honest is not None:
            pairs["tricks_honest"] = shown(self.pair_tricks_honest)
        return {
            "games_won": shown(self.games_won),
            "tricks_won": shown(self.tricks_won),
            "partnerships": pairs,
            "trimesters": [shown(cells) for cells in self.trimesters],
        }


EVERY_GAME: Final[Weights] = {at.ONE: 1}
EVERY_TRICK: Final[Weights] = {at.HANDS: HAND}
A_THIRD: Final[Weights] = {at.HANDS: HAND / at.THIRDS}


def games_of(kind: int) -> Weights:
    """Return the weights that count the games that a character won."""
    return {at.GAMES + kind: 1}


def tricks_of(kind: int) -> Weights:
    """Return the weights that count the tricks that a character won."""
    return {at.TRICKS + third * at.CAST + kind: 1 for third in range(at.THIRDS)}


def tricks_in(third: int, kind: int) -> Weights:
    """Return the weights that count a character's tricks in a trimester, 0 to 2."""
    return {at.TRICKS + third * at.CAST + kind: 1}


def tables_of(sums: Sums, *, booked: bool) -> Tables[Interval]:
    """Return the measured tables; `booked` adds the pairs' tricks as the program books them."""

    def cast(part: Callable[[int], Weights], whole: Weights) -> dict[str, Interval]:
        return {name: sums.share(part(kind), whole) for kind, name in enumerate(NAMES)}

    def pairs(place: int, whole: Weights) -> dict[str, Interval]:
        return {name: sums.share({place + i: 1}, whole) for i, name in enumerate(PAIR_NAMES)}

    honest = pairs(at.PAIR_TRICKS, EVERY_TRICK)
    all_booked = {at.BOOKED + i: 1 for i in range(at.PAIRS)}
    return Tables(
        games_won=cast(games_of, EVERY_GAME),
        tricks_won=cast(tricks_of, EVERY_TRICK),
        pair_games=pairs(at.PAIR_GAMES, EVERY_GAME),
        pair_tricks=pairs(at.BOOKED, all_booked) if booked else honest,
        pair_tricks_honest=honest if booked else None,
        trimesters=tuple(cast(partial(tricks_in, third), A_THIRD) for third in range(at.THIRDS)),
    )


PAPER_GAMES: Final = 100_000

HONEST: Final = dict(zip(PAIR_NAMES, (16.75, 15.89, 15.22, 19.03, 17.24, 15.87), strict=True))
"""Not in the paper: its games counted again, each trick for the two who were partners [X10]."""

PAPER: Final[Tables[float]] = Tables(
    # The paper prints Karapet 54.90 and Papa 54.82; its own partnership table says which is whose.
    games_won=dict(zip(NAMES, (54.82, 54.90, 53.11, 37.16), strict=True)),
    tricks_won=dict(zip(NAMES, (21.84, 29.46, 26.24, 22.47), strict=True)),
    pair_games=dict(zip(PAIR_NAMES, (21.42, 20.70, 12.71, 20.72, 12.76, 11.70), strict=True)),
    pair_tricks=dict(zip(PAIR_NAMES, (16.93, 16.24, 14.98, 18.26, 17.20, 16.37), strict=True)),
    pair_tricks_honest=HONEST,
    trimesters=(
        dict(zip(NAMES, (5.01, 34.10, 44.30, 16.59), strict=True)),
        dict(zip(NAMES, (17.36, 35.50, 22.84, 24.30), strict=True)),
        dict(zip(NAMES, (43.14, 18.77, 11.57, 26.52), strict=True)),
    ),
)
"""The paper's figures with the two names that it prints the wrong way round put right."""

SWAPPED: Final = ("karapet", "papa")
"""Whose games won the paper prints under each other's name."""

CHANCES: Final = (
    # at least so many of so many target cards among 41, in a hand of nine; what the paper prints
    ("low cards (5 to 9)", 20, 1, 99.92),
    ("low cards (5 to 9)", 20, 4, 74.79),
    ("low cards (5 to 9)", 20, 7, 5.45),
    ("high cards (10 to 14, the Rook)", 21, 1, 99.95),
    ("high cards (10 to 14, the Rook)", 21, 2, 99.20),
    ("high cards (10 to 14, the Rook)", 21, 4, 79.84),
    ("high cards (10 to 14, the Rook)", 21, 7, 7.55),
)
"""The paper's seven chances: of what, how many there are, at least how many, percent as printed."""
