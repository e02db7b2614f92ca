"""The paper's four conclusions as statements that a run can confirm, contradict or leave open.

Each statement says that a difference is above zero. It holds where the whole 95 % interval of the
difference lies above zero, fails where it lies below, and is open where it includes zero.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

from rookery.bots.menagerie import HOG, KARAPET, PAPA, RABBIT
from rookery.lab.menagerie.figures import (
    A_THIRD,
    EVERY_GAME,
    EVERY_TRICK,
    games_of,
    tricks_in,
    tricks_of,
)
from rookery.lab.menagerie.tally import HANDS, Sums, Weights, difference
from rookery.lab.stats import Interval

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
        f"{_capital(PEOPLE[kind])} takes {'more' if wins else 'less'} than a quarter of tricks "
        f"{'1-3' if third == EARLY else '7-9'}: {share:.2f} %."
    )
    return Statement(text, sums.share(above, A_THIRD))


def _more_games(sums: Sums, one: int, other: int) -> Statement:
    return Statement(
        f"{_capital(PEOPLE[one])} wins more games than {PEOPLE[other]}: "
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
            f"{_capital(PEOPLE[more])} wins more games than {PEOPLE[less]} with fewer tricks: "
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


def _capital(words: str) -> str:
    return words[0].upper() + words[1:]
