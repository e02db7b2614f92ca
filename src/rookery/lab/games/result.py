"""What whole matches say: the JSON document of `rookery match --games`, and the text."""

from __future__ import annotations

from math import sqrt
from typing import Final

from pydantic import BaseModel, Field

from rookery.lab.duplicate.boards import sides_of
from rookery.lab.duplicate.match import Played
from rookery.lab.duplicate.result import (
    ROUNDED,
    checked,
    common_fields,
    head_of,
    sentences,
    share_text,
    times,
)
from rookery.lab.duplicate.seeds import Family
from rookery.lab.games import games as at
from rookery.lab.games.games import DEALS, WHOLE
from rookery.lab.stats import student

NAME: Final = 40  # columns for a bot


class Share(BaseModel, frozen=True):
    """The share of the games that the first bot's side won."""

    mean: float = Field(description="0 to 1; a game that several sides win counts in parts.")
    ci95: tuple[float, float] = Field(
        description="The 95 % interval. Its unit is the set of mirrored games."
    )


class SeriesResult(BaseModel, frozen=True):
    """What `rookery match --games --json` prints."""

    rules: str = Field(description="A variant's id, or a house-rule file.")
    games: int = Field(description="Whole matches that were played and counted.")
    hands_played: int = Field(description="Hands in them, those without a score too.")
    seats: list[str] = Field(description="The bots; two of them stand for the two sides.")
    points_per_hand: list[float] = Field(description="Each bot's score a hand, one seat's.")
    won: Share
    made: list[float | None] = Field(
        description="Each bot's share of its contracts that were made, 0 to 1; null without any."
    )
    illegal: int = Field(description="Actions that the rules did not allow, of all bots.")
    seconds: float = Field(description="How long the play took, compiling left aside.")
    decisions: int = Field(description="Actions that were checked against the rules.")
    fallbacks: list[int] = Field(
        description="How often each bot was answered for: late, gone, no sense, or illegal."
    )
    contracts: list[int] = Field(description="How many contracts each bot played.")
    target: int = Field(description="The points that a match is played to.")
    rooms: int = Field(description="How many games are played on the same deals, mirrored.")
    even: float = Field(
        description="What the first bot's side would win of bots as good as it is: 1 divided by "
        "the number of sides."
    )
    shared: int = Field(description="Games that several sides won together, or nobody.")
    undecided: int = Field(description=f"Games that nobody had won after {DEALS} deals.")
    unscored: int = Field(description="Hands that ended without a score.")
    seed: int
    family: Family
    stopped: bool = Field(
        description="Whether somebody stopped it; the figures are then those of the games so far."
    )


def series_result(played: Played) -> SeriesResult:
    """Return the result of a series of one set of games or more."""
    match, sums = played.match, played.sums
    return SeriesResult(
        **common_fields(played, sums[at.HANDS]),
        games=sums[at.GAMES],
        won=share_of(sums[at.SETS], sums[at.WON], sums[at.WON_SQUARES], match.rooms),
        target=match.table.target,
        even=round(1 / sides_of(match.table), ROUNDED),
        shared=sums[at.SHARED],
        undecided=sums[at.UNDECIDED],
    )


def share_of(sets: int, won: int, squares: int, rooms: int) -> Share:
    """Return the share of the games that was won, with its 95 % interval.

    The games of a set share their cards, so the set is the unit. As in "plus four", a set that is
    won whole and one that is lost whole are added before Student's interval is taken: ten games
    out of ten are no proof that none can be lost.
    How much was `won` is in parts, `WHOLE` of each game, of which a set has `rooms`; `squares` is
    the sum over the sets of the square of that.

    >>> share = share_of(30, 2 * 30 * WHOLE, 30 * (2 * WHOLE) ** 2, 2)
    >>> share.mean, [round(end, 3) for end in share.ci95]
    (1.0, [0.905, 1.0])
    """
    whole = WHOLE * rooms
    n = sets + 2
    mean = (won / whole + 1) / n
    variance = max(0.0, (squares / whole**2 + 1) - n * mean * mean) / (n - 1)
    half = student(n) * sqrt(variance / n)
    low, high = max(0.0, mean - half), min(1.0, mean + half)
    return Share(
        mean=round(won / whole / sets, ROUNDED), ci95=(round(low, ROUNDED), round(high, ROUNDED))
    )


def series_report(result: SeriesResult) -> str:
    """Return the series as text."""
    told = checked(result.decisions, result.illegal, result.seats, result.fallbacks)
    return "\n\n".join((_head(result), _table(result), _verdict(result), told)) + "\n"


def _head(result: SeriesResult) -> str:
    what = f"{result.games:,} games to {result.target}, the same deals {times(result.rooms)}"
    return head_of(
        f"{result.rules}: {what}", result.hands_played, result.seconds, result.seed, result.family,
        stopped=result.stopped,
    )  # fmt: skip


def _table(result: SeriesResult) -> str:
    lines = [f"{'':{NAME}}{'points a hand':>14}{'contracts':>12}{'made':>9}"]
    for i, name in enumerate(result.seats):
        shown = name if len(name) < NAME else name[: NAME - 2] + "~"
        points, made = result.points_per_hand[i], share_text(result.made[i])
        lines.append(f"{shown:{NAME}}{points:>+14.2f}{result.contracts[i]:>12,}{made:>9}")
    return "\n".join(lines)


def _verdict(result: SeriesResult) -> str:
    first = result.seats[0] if len(result.seats) == 2 else f"{result.seats[0]}'s side"
    low, high = result.won.ci95
    text = (
        f"{first} won {100 * result.won.mean:.1f} % of the games; "
        f"95 % interval {100 * low:.1f} to {100 * high:.1f} %."
    )
    if result.even < 1 / 2:
        text += f" An even share is {100 * result.even:.1f} %."
    shared = result.shared - result.undecided
    if shared:
        text += f" Several sides won {shared:,} of them together and share them."
    if result.undecided:
        text += (
            f" Nobody had won {result.undecided:,} of them after {DEALS} deals; they count as "
            "shared by all sides."
        )
    return sentences(text)
