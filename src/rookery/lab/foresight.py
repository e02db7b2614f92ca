"""Over many records: who plays better than their information allows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final, Literal, TypeAlias

from pydantic import BaseModel, Field

from rookery.game import Hand, Match
from rookery.lab.stats import variance_of
from rookery.review.foresight import PARTS, TRICKS, WORLDS, Observer, fingerprint
from rookery.rules import Rules

FORMAT: Literal["rookery-foresight/1"] = "rookery-foresight/1"
Verdict = Literal["too-few", "nothing", "more"]


class PlayerForesight(BaseModel, frozen=True):
    """A player's figures, over all hands with a decision that made a difference.

    All figures but the counts are game points a hand.
    """

    name: str | None = Field(description="Null in records without names.")
    seat: int | None = Field(description="The seat in records without names; else null.")
    hands: int = Field(description="Hands with a decision that made a difference.")
    decisions: int = Field(description="Cards chosen that were looked at.")
    foresight: float | None = Field(
        description="By how much more the cards gained over the best guess in the true hands than "
        "in others that looked the same; null without any hand."
    )
    error: float | None = Field(description="Its standard error over hands; null below 2 hands.")
    allowed: float | None = Field(
        description="What honest players stay below; null without any hand."
    )
    verdict: Verdict = Field(
        description="`too-few` hands to say; `nothing` to see; `more` than chance explains."
    )


class Foresight(BaseModel, frozen=True):
    """Many records, looked at for play that is better than its information."""

    format: Literal["rookery-foresight/1"] = FORMAT
    records: int = Field(description="Files read.")
    hands: int = Field(description="Hands looked at.")
    again: int = Field(description="Hands left out because they were there before.")
    unsuited: int = Field(
        description="Hands looked at with nothing to see: no contest of two sides over points, or "
        "broken off before the last tricks."
    )
    worlds: int = Field(description="Hands that each card was held against, beside the true one.")
    tricks: int = Field(description="Tricks left from which on cards were looked at.")
    seed: int
    players: list[PlayerForesight] = Field(description="Most foresight in standard errors first.")


ENOUGH: Final = 100  # hands, below which nothing is said of a player
BEYOND: Final = 4.0  # standard errors
HONEST: Final = 0.01  # parts of a hand's points: above all that honest players were measured at
SEED: Final = 1

Player: TypeAlias = str | int
"""A name, or a seat where a record names nobody."""

Progress: TypeAlias = Callable[[int, int], None]


@dataclass
class PlayerSums:
    """The sums of a player, in whole numbers, so that their order does not matter.

    Attributes:
        hands: in which a decision made a difference.
        decisions: that did.
        total: what the cards gained, thousandths of a point.
        squares: the squares of what the hands gained.
        points: the points of all these hands.
    """

    hands: int = 0
    decisions: int = 0
    total: int = 0
    squares: int = 0
    points: int = 0

    def add(self, gains: Sequence[int], points: int) -> None:
        """Add a hand: what each card gained, thousandths of a point, and the hand's points."""
        gain = sum(gains)
        self.hands += 1
        self.decisions += len(gains)
        self.total += gain
        self.squares += gain * gain
        self.points += points

    @property
    def foresight(self) -> float | None:
        """The mean over hands, points."""
        return self.total / self.hands / PARTS if self.hands else None

    @property
    def error(self) -> float | None:
        """The standard error of the mean, points."""
        if self.hands < 2:
            return None
        return sqrt(variance_of(self.hands, self.total, self.squares) / self.hands) / PARTS

    @property
    def allowed(self) -> float | None:
        """The largest foresight measured of honest players, points a hand."""
        return HONEST * self.points / self.hands if self.hands else None

    @property
    def beyond(self) -> float:
        """The mean less the allowed value, in standard errors; 0 where there is no error."""
        if self.foresight is None or self.allowed is None or not self.error:
            return 0.0
        return (self.foresight - self.allowed) / self.error

    @property
    def verdict(self) -> Verdict:
        """The verdict on the player."""
        if self.hands < ENOUGH:
            return "too-few"
        return "more" if self.beyond > BEYOND else "nothing"


def look(
    matches: Iterable[Match],
    *,
    hands: int | None = None,
    worlds: int = WORLDS,
    tricks: int = TRICKS,
    seed: int = SEED,
    progress: Progress = lambda done, whole: None,
) -> Foresight:
    """Return the foresight of each player in some matches.

    A hand's figures do not depend on the other hands. A hand that occurs twice counts once.

    Args:
        matches: of any rules.
        hands: how many hands to examine, the first ones; all where None.
        worlds: how many worlds each card is compared with, besides the true one.
        tricks: how many tricks may be left to play, the current one among them.
        seed: of the dice that draw them.
        progress: called with how many hands are done, and how many there are.
    """
    given = list(matches)
    once = _once(given)
    chosen = list(once.values())[:hands]
    observers: dict[Rules, Observer] = {}
    sums: dict[Player, PlayerSums] = {}
    unsuited = 0
    progress(0, len(chosen))
    for done, (match, hand) in enumerate(chosen, 1):
        for seat in range(match.rules.seats):
            sums.setdefault(_player(match, seat), PlayerSums())
        if match.rules not in observers:
            observers[match.rules] = Observer(match.rules, worlds=worlds, tricks=tricks, seed=seed)
        gains: dict[Player, list[int]] = {}
        for one in observers[match.rules].observations(hand):
            gains.setdefault(_player(match, one.seat), []).append(one.gain)
        for player, values in gains.items():
            sums[player].add(values, match.rules.total_points)
        unsuited += not gains
        progress(done, len(chosen))
    players = sorted(sums.items(), key=lambda one: -one[1].beyond)
    return Foresight(
        records=len(given),
        hands=len(chosen),
        again=sum(len(match.hands) for match in given) - len(once),
        unsuited=unsuited,
        worlds=worlds,
        tricks=tricks,
        seed=seed,
        players=[_figures(player, of) for player, of in players],
    )


def _once(matches: Iterable[Match]) -> dict[object, tuple[Match, Hand]]:
    """Return every hand with its match in order, without duplicates."""
    hands: dict[object, tuple[Match, Hand]] = {}
    for match in matches:
        for hand in match.hands:
            key = (match.rules, match.players, fingerprint(hand))
            hands.setdefault(key, (match, hand))
    return hands


def _player(match: Match, seat: int) -> Player:
    return match.players[seat] if match.players else seat


def _figures(player: Player, sums: PlayerSums) -> PlayerForesight:
    return PlayerForesight(
        name=player if isinstance(player, str) else None,
        seat=player if isinstance(player, int) else None,
        hands=sums.hands,
        decisions=sums.decisions,
        foresight=_rounded(sums.foresight),
        error=_rounded(sums.error),
        allowed=_rounded(sums.allowed),
        verdict=sums.verdict,
    )


def _rounded(points: float | None) -> float | None:
    return None if points is None else round(points, 3) + 0.0  # never -0.0
