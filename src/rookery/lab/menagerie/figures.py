"""The figures of the Menagerie study in percent, those of the paper, and its conclusions.

The paper's four conclusions are statements that a run can confirm, contradict or leave open. Each
says that a difference is above zero. It holds where the whole 95 % interval of the difference lies
above zero, fails where it lies below, and is open where it includes zero.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from itertools import combinations
from typing import Final, Generic, TypeAlias, TypeVar

from rookery.bots.menagerie import HOG, KARAPET, PAPA, RABBIT
from rookery.lab.menagerie import tally as at
from rookery.lab.menagerie.tally import HANDS, Sums, Weights, difference
from rookery.lab.stats import Interval
from rookery.rules import capital

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


PEOPLE = ("Karapet", "Papa", "the Hog", "the Rabbit")
EARLY, LATE = 0, 2  # trimesters
A_QUARTER: Weights = {HANDS: 3 / 4}  # of the tricks of a trimester


class Verdict(StrEnum):
    """A run's verdict on a statement or a conclusion."""

    SURVIVES = "survives"
    PARTLY = "survives in part"
    OPEN = "is not shown"
    FAILS = "does not survive"


@dataclass(frozen=True, slots=True)
class Statement:
    """A difference that a conclusion needs to be above zero, in points."""

    text: str
    gap: Interval

    @property
    def verdict(self) -> Verdict:
        """Return whether the interval of the difference lies above zero, below it or around it."""
        if self.gap.low > 0:
            return Verdict.SURVIVES
        return Verdict.FAILS if self.gap.high < 0 else Verdict.OPEN


@dataclass(frozen=True, slots=True)
class Conclusion:
    """One conclusion of the paper, the statements that decide it, and the verdict."""

    title: str
    statements: tuple[Statement, ...]
    verdict: Verdict


def conclusions(sums: Sums) -> tuple[Conclusion, ...]:
    """Return the paper's four conclusions, judged by a run."""
    return (
        _all_of(
            "Conservative play loses early and wins late.",
            _against_a_quarter(sums, KARAPET, EARLY, wins=False),
            _against_a_quarter(sums, KARAPET, LATE, wins=True),
        ),
        _all_of(
            "Aggressive play wins early and loses late.",
            _against_a_quarter(sums, HOG, EARLY, wins=True),
            _against_a_quarter(sums, HOG, LATE, wins=False),
        ),
        _all_of(
            "The middle way is best.",
            *(_more_games(sums, PAPA, other) for other in (KARAPET, HOG, RABBIT)),
        ),
        _crossings(sums),
    )


def front_runners(sums: Sums) -> tuple[int, ...]:
    """Return the character with most games won, and all that may have won as many."""
    kinds = range(len(PEOPLE))
    best = max(kinds, key=lambda kind: sums.total(games_of(kind)))
    return tuple(
        kind
        for kind in kinds
        if kind == best or _more_games(sums, best, kind).verdict is not Verdict.SURVIVES
    )


def _all_of(title: str, *statements: Statement) -> Conclusion:
    verdicts = {statement.verdict for statement in statements}
    if len(verdicts) == 1:
        verdict = verdicts.pop()
    elif Verdict.FAILS not in verdicts:
        verdict = Verdict.OPEN
    else:
        verdict = Verdict.PARTLY if Verdict.SURVIVES in verdicts else Verdict.FAILS
    return Conclusion(title, statements, verdict)


def _against_a_quarter(sums: Sums, kind: int, third: int, *, wins: bool) -> Statement:
    won = tricks_in(third, kind)
    above = difference(won, A_QUARTER) if wins else difference(A_QUARTER, won)
    share = sums.share(won, A_THIRD).mean
    text = (
        f"{capital(PEOPLE[kind])} takes {'more' if wins else 'less'} than a quarter of tricks "
        f"{'1-3' if third == EARLY else '7-9'}: {share:.2f} %."
    )
    return Statement(text, sums.share(above, A_THIRD))


def _more_games(sums: Sums, one: int, other: int) -> Statement:
    return Statement(
        f"{capital(PEOPLE[one])} wins more games than {PEOPLE[other]}: "
        f"{_games(sums, one)} % to {_games(sums, other)} %.",
        sums.share(difference(games_of(one), games_of(other)), EVERY_GAME),
    )


def _crossings(sums: Sums) -> Conclusion:
    """Return the conclusion on whether a character wins more games with fewer tricks."""
    crossed = []
    settled = True
    for pair in combinations(range(len(PEOPLE)), 2):
        more, less = sorted(pair, key=lambda kind: -sums.total(games_of(kind)))
        games = _more_games(sums, more, less)
        tricks = Statement(
            f"{capital(PEOPLE[more])} wins more games than {PEOPLE[less]} with fewer tricks: "
            f"{_games(sums, more)} % to {_games(sums, less)} % of games, "
            f"{_tricks(sums, more)} % to {_tricks(sums, less)} % of tricks.",
            sums.share(difference(tricks_of(less), tricks_of(more)), EVERY_TRICK),
        )
        if games.verdict is Verdict.SURVIVES and tricks.verdict is Verdict.SURVIVES:
            crossed.append(tricks)
        settled &= games.verdict is Verdict.SURVIVES and tricks.verdict is Verdict.FAILS
    verdict = Verdict.SURVIVES if crossed else Verdict.FAILS if settled else Verdict.OPEN
    return Conclusion("Games won do not follow tricks won.", tuple(crossed), verdict)


def _games(sums: Sums, kind: int) -> str:
    return f"{sums.share(games_of(kind), EVERY_GAME).mean:.2f}"


def _tricks(sums: Sums, kind: int) -> str:
    return f"{sums.share(tricks_of(kind), EVERY_TRICK).mean:.2f}"
