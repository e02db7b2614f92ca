"""Foresight: who plays better than their information allows, over many records.

A card is compared with others in hands that its player could not tell from the true one. With all
hands open, the solver gives the value of each card that could be played in each of these hands. The
best guess is the card with the highest mean. Another card is better in some of these hands and
worse in others. For an honest player the true hand is one like the others. So over many hands,
good players and bad ones are right in the true hand as often as in the others. A player who sees
hidden cards is right in it more often: their unusual cards work.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, Field

from rookery.game import Hand, Match
from rookery.lab.observations import PARTS, TRICKS, WORLDS, Observer, fingerprint
from rookery.lab.run.jobs import Progress
from rookery.lab.stats import variance_of
from rookery.rules import Rules

FORMAT: Literal["rookery-foresight/1"] = "rookery-foresight/1"
Verdict = Literal["too-few", "nothing", "more"]
# Game points to three digits, never -0.0.
Rounded: TypeAlias = Annotated[float, AfterValidator(lambda points: round(points, 3) + 0.0)]


class _Figures(BaseModel, frozen=True):
    """What was seen of somebody, over all hands with a decision that made a difference.

    All figures but the counts are game points a hand.
    """

    hands: int = Field(description="Hands with a decision that made a difference.")
    decisions: int = Field(description="Cards chosen that were looked at.")
    foresight: Rounded | None = Field(
        description="By how much more the cards gained over the best guess in the true hands than "
        "in others that looked the same; null without any hand."
    )
    error: Rounded | None = Field(description="Its standard error over hands; null below 2 hands.")
    allowed: Rounded | None = Field(
        description="What honest players stay below; null without any hand."
    )
    verdict: Verdict = Field(
        description="`too-few` hands to say; `nothing` to see; `more` than chance explains."
    )


class PlayerForesight(_Figures, frozen=True):
    """A player's figures."""

    name: str | None = Field(description="Null in records without names.")
    seat: int | None = Field(description="The seat in records without names; else null.")


class PairForesight(_Figures, frozen=True):
    """The figures of two partners together: who tells the other their cards shows in both."""

    names: list[str] | None = Field(description="Null in records without names.")
    seats: list[int] | None = Field(description="The seats in records without names; else null.")


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
    pairs: list[PairForesight] = Field(
        description="The same of fixed partners together; none where there are no such."
    )


ENOUGH: Final = 100  # hands, below which nothing is said of a player
BEYOND: Final = 4.0  # standard errors
HONEST: Final = 0.01  # parts of a hand's points: above all that honest players were measured at
SEED: Final = 1

Player: TypeAlias = str | int
"""A name, or a seat where a record names nobody."""


@dataclass
class PlayerSums:
    """The sums of a player, in whole numbers, so that their order does not matter.

    They are over the hands in which a decision made a difference: how many, the decisions that did,
    what they gained in thousandths of a point, the squares of that by hand, and the hands' points.
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

    A hand's figures do not depend on the other hands. A hand that occurs twice counts once. The
    first `hands` are examined, all where None. `worlds`, `tricks` and `seed` are those of
    `Observer`. `progress` is called with how many hands are done, and how many there are.
    """
    given = list(matches)
    once = _once(given)
    chosen = list(once.values())[:hands]
    observers: dict[Rules, Observer] = {}
    sums: dict[tuple[Player, ...], PlayerSums] = {}
    unsuited = 0
    progress(0, len(chosen))
    for done, (match, hand) in enumerate(chosen, 1):
        if match.rules not in observers:
            observers[match.rules] = Observer(match.rules, worlds=worlds, tricks=tricks, seed=seed)
        gains: dict[Player, list[int]] = {}
        for one in observers[match.rules].observations(hand):
            gains.setdefault(_player(match, one.seat), []).append(one.gain)
        for group in _groups(match):
            own = [gain for player in {*group} for gain in gains.get(player, ())]
            of_group = sums.setdefault(group, PlayerSums())
            if own:
                of_group.add(own, match.rules.total_points)
        unsuited += not gains
        progress(done, len(chosen))
    found = sorted(sums.items(), key=lambda one: -one[1].beyond)
    return Foresight(
        records=len(given),
        hands=len(chosen),
        again=sum(len(match.hands) for match in given) - len(once),
        unsuited=unsuited,
        worlds=worlds,
        tricks=tricks,
        seed=seed,
        players=[
            PlayerForesight(
                name=player if isinstance(player, str) else None,
                seat=player if isinstance(player, int) else None,
                **_figures(of),
            )
            for (player, *others), of in found
            if not others
        ],
        pairs=[
            PairForesight(
                names=[one for one in pair if isinstance(one, str)] or None,
                seats=[one for one in pair if isinstance(one, int)] or None,
                **_figures(of),
            )
            for pair, of in found
            if len(pair) == 2
        ],
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


def _groups(match: Match) -> Iterator[tuple[Player, ...]]:
    """Yield each player of a match, and each two who are partners in every hand, in one order."""
    players = [_player(match, seat) for seat in range(match.rules.seats)]
    yield from ((player,) for player in dict.fromkeys(players))
    for side in match.rules.fixed_sides or ():
        for pair in combinations([players[seat] for seat in side], 2):
            yield tuple(sorted(pair, key=str))


def _figures(sums: PlayerSums) -> dict[str, Any]:
    return {name: getattr(sums, name) for name in _Figures.model_fields}
