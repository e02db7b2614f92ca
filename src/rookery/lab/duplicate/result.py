"""What a match says: the JSON document of `rookery match`, and the text for a terminal.

It says where known bots stand between `random` and `open-hand`. These figures are those of the
published league. ``python -m benchmarks.ladder.ladder docs`` writes them again, with the page about
the bots.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from math import ceil, nan
from textwrap import fill
from typing import Any, Final

from pydantic import BaseModel, Field

from rookery.bots.names import EXTERNAL
from rookery.lab.duplicate import boards as at
from rookery.lab.duplicate.match import Played
from rookery.lab.duplicate.seeds import Family
from rookery.lab.duplicate.sprt import Sequential, tested
from rookery.lab.stats import Interval, interval_of, variance_of
from rookery.rules import capital

ROUNDED: Final = 4  # places
COLUMNS = 79
NAME = 24  # columns for a bot
OTHERS = "the others"
SURE_ENOUGH = 10**12  # boards: a gap that would take more is none
NINE_OF_TEN: Final = 2.735  # times the deals of which every second match shows a gap
FLOOR: Final = "random"
CEILING: Final = "open-hand"
FILE: Final = "known_places.json"


class Difference(BaseModel, frozen=True):
    """The first bot's side against the others."""

    mean: float = Field(description="Points a board: see the page on the laboratory.")
    ci95: tuple[float, float] | None = Field(
        description="The 95 % interval; the deal is the unit. null where there is none: after one "
        "deal, or where all came out alike, but not level."
    )


class Result(BaseModel, frozen=True):
    """What `rookery match --json` prints."""

    rules: str = Field(description="A variant's id, or a house-rule file.")
    deals: int = Field(description="Deals that were played and counted.")
    hands_played: int = Field(description="Deals times rooms.")
    seats: list[str] = Field(description="The bots; two of them stand for the two sides.")
    points_per_hand: list[float] = Field(description="Each bot's score a hand, one seat's.")
    difference: Difference
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
    mean_bid: list[float | None] = Field(description="Points that its contracts were for.")
    mean_taken: list[float | None] = Field(description="Points that it took in them.")
    rooms: int = Field(description="How often each deal was played.")
    unscored: int = Field(description="Hands that ended without a score; 0 for everybody.")
    worth: float | None = Field(
        description="How many hands on deals of their own would say as much as one of these."
    )
    seed: int
    family: Family
    test: Sequential | None
    places: list[float | None] = Field(
        description="Where each bot stands between random (0) and open-hand (100) in the kept "
        "league of this game, percent; null where that is not known."
    )
    stopped: bool = Field(
        default=False,
        description="Whether somebody stopped it; the figures are then those of the deals so far.",
    )


def result_of(played: Played) -> Result:
    """Return the result of a match, of one board or more."""
    match, boards = played.match, played.sums[at.BOARDS]
    interval, blocks = difference_of(played), _blocks_of(played)
    return Result(
        **common_fields(played, boards * match.rooms),
        deals=boards,
        difference=Difference(mean=round(interval.mean, ROUNDED), ci95=_ends(interval)),
        mean_bid=[_a_contract(block, at.BID) for block in blocks],
        mean_taken=[_a_contract(block, at.TAKEN) for block in blocks],
        worth=_worth(played),
        test=_test_of(played),
        places=[place_of(match.label, str(bot)) for bot in match.bots],
    )


def common_fields(played: Played, hands: int) -> dict[str, Any]:
    """Return what the results of boards and of whole games both have, by field."""
    match, sums, blocks = played.match, played.sums, _blocks_of(played)
    return {
        "rules": match.label,
        "hands_played": hands,
        "seats": [str(bot) for bot in match.bots],
        "points_per_hand": [
            round(block[at.POINTS] / (hands * match.places.count(place)), ROUNDED)
            for place, block in enumerate(blocks)
        ],
        "made": [_a_contract(block, at.MADE) for block in blocks],
        "illegal": sum(block[at.ILLEGAL] for block in blocks),
        "seconds": round(played.seconds, 3),
        "decisions": sums[at.DECISIONS],
        "fallbacks": [block[at.FALLBACKS] for block in blocks],
        "contracts": [block[at.CONTRACTS] for block in blocks],
        "rooms": match.rooms,
        "unscored": sums[at.UNSCORED],
        "seed": match.seed,
        "family": match.family,
        "stopped": played.stopped,
    }


def _blocks_of(played: Played) -> list[list[int]]:
    """Return the block of sums of each bot: of all its seats together."""
    blocks = [[0] * at.EACH for _ in played.match.bots]
    for slot, place in enumerate(played.match.places):
        first = at.BOTS + at.EACH * slot
        own = played.sums[first : first + at.EACH]
        blocks[place] = [a + b for a, b in zip(blocks[place], own, strict=True)]
    return blocks


def _a_contract(block: Sequence[int], place: int) -> float | None:
    """Return the mean over a bot's contracts of a number in its block; None without any."""
    return round(block[place] / block[at.CONTRACTS], ROUNDED) if block[at.CONTRACTS] else None


def difference_of(played: Played) -> Interval:
    """Return points a board with the 95 % interval; boards are the unit, not hands.

    One board has none. Nor have boards that are alike but not level: a few are so by chance.
    """
    sums, scale = played.sums, played.match.scale
    boards, total, squares = (sums[place] for place in (at.BOARDS, at.TOTAL, at.SQUARES))
    if boards == 1 or boards * squares == total * total != 0:
        return Interval(total / boards / scale, nan)
    return interval_of(boards, total, squares, scale)


def _ends(interval: Interval) -> tuple[float, float] | None:
    if not interval.known:
        return None
    return round(interval.low, ROUNDED), round(interval.high, ROUNDED)


def _test_of(played: Played) -> Sequential | None:
    sprt, ratio = played.match.sprt, played.ratio
    if sprt is None or ratio is None:
        return None
    return Sequential(
        low=sprt.low, high=sprt.high, alpha=sprt.alpha, beta=sprt.beta,
        ratio=round(ratio, ROUNDED), unlike=played.track[-1][-1] if played.track else 0,
        bounds=sprt.bounds, answer=sprt.answer(ratio),
    )  # fmt: skip


def _worth(played: Played) -> float | None:
    """Return the variance of the mean over single hands divided by that over boards."""
    sums, rooms = played.sums, played.match.rooms
    boards = sums[at.BOARDS]
    if boards < 2:
        return None
    single = variance_of(boards * rooms, sums[at.TOTAL], sums[at.ROOM_SQUARES])
    board = variance_of(boards, sums[at.TOTAL], sums[at.SQUARES]) / rooms
    return round(single / board, 2) if board else None


def report(result: Result) -> str:
    """Return the match as text."""
    parts = [_head(result), _table(result), _verdict(result)]
    if result.test is not None:
        parts.append(folded(tested(result.test, result.deals)))
    parts.append(folded(where_they_stand(result.rules, result.seats)))
    unscored = ""
    if result.unscored:
        unscored = f" {result.unscored:,} hands ended without a score and count 0."
    parts.append(
        checked(result.decisions, result.illegal, result.seats, result.fallbacks, unscored)
    )
    return "\n\n".join(parts) + "\n"


def who(result: Result) -> tuple[str, str]:
    """Return the names of the two sides of the difference."""
    first, *others = result.seats
    if len(result.seats) == 2:
        return first, others[0]
    return f"{first}'s side", OTHERS


def times(count: int) -> str:
    """Return how often, in words.

    >>> times(2), times(5)
    ('twice', '5 times')
    """
    return {2: "twice", 3: "three times", 4: "four times"}.get(count, f"{count} times")


def _head(result: Result) -> str:
    deals = "1 deal" if result.deals == 1 else f"{result.deals:,} deals, each"
    what = f"{deals} played {times(result.rooms)}"
    return head_of(
        f"{result.rules}: {what}", result.hands_played, result.seconds, result.seed, result.family,
        stopped=result.stopped,
    )  # fmt: skip


def head_of(
    what: str, hands: int, seconds: float, seed: int, family: Family, *, stopped: bool
) -> str:
    """Return the first lines of a report: what was played, how much of it, and how long it took."""
    told = "Stopped; what was played until then:\n" if stopped else ""
    kept = "" if family is Family.TUNING else f", {family.value}"
    return (
        f"{told}{folded(f'{what}, the bots changing places')}\n"
        f"{hands:,} hands in {written_time(seconds)}, seed {seed}{kept}"
    )


def folded(text: str) -> str:
    """Return a text wrapped to the terminal's width, without a break inside "95 %"."""
    return fill(text.replace(" %", "\u00a0%"), COLUMNS).replace("\u00a0", " ")


def sentences(text: str) -> str:
    """Return sentences, folded; the first begins with a capital, but a command stays as it is."""
    return folded(text if text.startswith(f"{EXTERNAL}:") else capital(text))


def written_time(seconds: float) -> str:
    """Return how long something took, in words."""
    return f"{seconds:.1f} s" if seconds >= 1 else f"{1000 * seconds:.0f} ms"


def _table(result: Result) -> str:
    lines = [f"{'':{NAME}}{'points':>10}{'contracts':>12}{'made':>9}{'bid':>10}{'taken':>10}"]
    lines.append(f"{'':{NAME}}{'a hand':>10}{'':>12}{'':>9}{'on average':>20}")
    for i, name in enumerate(result.seats):
        shown = name if len(name) < NAME else name[: NAME - 2] + "~"
        lines.append(
            f"{shown:{NAME}}{result.points_per_hand[i]:>+10.2f}{result.contracts[i]:>12,}"
            f"{share_text(result.made[i]):>9}{_points(result.mean_bid[i]):>10}"
            f"{_points(result.mean_taken[i]):>10}"
        )
    return "\n".join(lines)


def share_text(share: float | None) -> str:
    """Return a share as a percentage; a dash for none."""
    return "-" if share is None else f"{100 * share:.1f} %"


def _points(points: float | None) -> str:
    return "-" if points is None else f"{points:.1f}"


def _verdict(result: Result) -> str:
    one, other = who(result)
    mean, ends = result.difference.mean, result.difference.ci95
    if ends is None:
        which = "this one deal" if result.deals == 1 else f"each of these {result.deals:,} deals"
        return folded(
            f"{one} against {other} {mean:+.2f} points on {which}, which gives no interval; more "
            "deals have one."
        )
    low, high = ends
    if low == high == 0:
        text = f"{one} and {other} come out level on every deal."
    elif low > 0 or high < 0:
        ahead, behind = (one, other) if low > 0 else (other, one)
        least, most = sorted((abs(low), abs(high)))
        verb = "are" if ahead == OTHERS else "is"
        text = (
            f"{ahead} {verb} ahead of {behind} by {abs(mean):.2f} points a board; "
            f"95 % interval {least:.2f} to {most:.2f}."
        )
    else:
        text = (
            f"Nobody is ahead for certain: {one} against {other} {mean:+.2f} points a board, "
            f"95 % interval {low:+.2f} to {high:+.2f}." + _more(result.deals, mean, high - mean)
        )
    if result.worth is not None:
        text += f" A hand on these boards says as much as {result.worth:.1f} on deals of their own."
    return sentences(text)


def _more(deals: int, mean: float, ci95: float) -> str:
    """Return a sentence on how many deals would show a gap of this size; "" for no gap."""
    if not mean:
        return ""
    needed = NINE_OF_TEN * deals * (ci95 / abs(mean)) ** 2
    if needed > SURE_ENOUGH:
        return ""
    size = 10 ** max(0, len(str(ceil(needed))) - 2)
    rounded = ceil(needed / size) * size
    return f" If the gap is what it seems, about {rounded:,} deals would show it nine times in ten."


def checked(
    decisions: int, illegal: int, seats: Sequence[str], fallbacks: Sequence[int], more: str = ""
) -> str:
    """Return what a report says of illegal actions and of bots that were answered for."""
    text = f"All {decisions:,} actions were checked against the rules; "
    text += f"{illegal:,} of them were illegal." if illegal else "none was illegal."
    late = [f"{name} {count:,}" for name, count in zip(seats, fallbacks, strict=True) if count]
    if late:
        text += f" Answered for, being late, gone, senseless or illegal: {', '.join(late)} times."
    return folded(text + more)


def place_of(rules: str, name: str) -> float | None:
    """Return where a bot stands at a game: `random` is 0, `open-hand` is 100, percent.

    None where the published league lacks the game, or the bot with these options. The time limit
    ``ms`` is not compared.

    >>> place_of("kd_tournament", "random"), place_of("kd_tournament", "open-hand")
    (0.0, 100.0)
    >>> place_of("kd_tournament", "exec:mine") is None
    True
    >>> place_of("wanamingo", "expert:ms=9") == place_of("wanamingo", "expert")
    True
    """
    words = [word for word in name.split(":") if not word.startswith("ms=")]
    return _kept().get(rules, {}).get(":".join(words))


def where_they_stand(rules: str, names: Sequence[str]) -> str:
    """Return one or two sentences for a report on where bots stand at a game.

    >>> where_they_stand("my rules", ["papa"])  # doctest: +ELLIPSIS
    'Where they stand between random play and seeing all cards has not been measured ...'
    """
    places = {name: place_of(rules, name) for name in names}
    known = [f"{name} at {place:.0f}" for name, place in places.items() if place is not None]
    if known:
        return (
            "On the way from random play (0) to seeing all cards (100), in the kept league of this "
            f"game: {', '.join(known)}."
        )
    return (
        "Where they stand between random play and seeing all cards has not been measured for this "
        f"game: a league of them with {FLOOR} and {CEILING} would tell."
    )


@cache
def _kept() -> dict[str, dict[str, float]]:
    text = files("rookery.lab.duplicate").joinpath(FILE).read_text("utf-8")
    kept: dict[str, dict[str, float]] = json.loads(text)
    return kept
