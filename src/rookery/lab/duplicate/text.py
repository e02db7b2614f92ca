"""The report of a match as text, for a terminal of 80 columns."""

from __future__ import annotations

from math import ceil
from textwrap import fill

from rookery.lab.duplicate.known_places import where_they_stand
from rookery.lab.duplicate.result import Result, Sequential
from rookery.lab.duplicate.seeds import Family

COLUMNS = 79
NAME = 24  # columns for a bot
OTHERS = "the others"
SURE_ENOUGH = 10**12  # boards: a gap that would take more is none


def report(result: Result) -> str:
    """Return the match as text."""
    parts = [_head(result), _table(result), _verdict(result)]
    if result.test is not None:
        parts.append(_tested(result.test, result.deals))
    parts.append(_folded(where_they_stand(result.rules, result.seats)))
    parts.append(_checked(result))
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
    family = "" if result.family is Family.TUNING else f", {result.family.value}"
    return (
        f"{result.rules}: {result.deals:,} deals, each played {times(result.rooms)}, the bots "
        f"changing places\n"
        f"{result.hands_played:,} hands in {_time(result.seconds)}, seed {result.seed}{family}"
    )


def _folded(text: str) -> str:
    """Return a text wrapped to the terminal's width, without a break inside "95 %"."""
    return fill(text.replace(" %", "\u00a0%"), COLUMNS).replace("\u00a0", " ")


def _time(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds >= 1 else f"{1000 * seconds:.0f} ms"


def _table(result: Result) -> str:
    lines = [f"{'':{NAME}}{'points':>10}{'contracts':>12}{'made':>9}{'bid':>10}{'taken':>10}"]
    lines.append(f"{'':{NAME}}{'a hand':>10}{'':>12}{'':>9}{'on average':>20}")
    for i, name in enumerate(result.seats):
        shown = name if len(name) < NAME else name[: NAME - 2] + "~"
        lines.append(
            f"{shown:{NAME}}{result.points_per_hand[i]:>+10.2f}{result.contracts[i]:>12,}"
            f"{_share(result.made[i]):>9}{_points(result.mean_bid[i]):>10}"
            f"{_points(result.mean_taken[i]):>10}"
        )
    return "\n".join(lines)


def _share(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f} %"


def _points(points: float | None) -> str:
    return "-" if points is None else f"{points:.1f}"


def _verdict(result: Result) -> str:
    one, other = who(result)
    mean, (low, high) = result.difference.mean, result.difference.ci95
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
            f"95 % interval {low:+.2f} to {high:+.2f}." + _more(result)
        )
    if result.worth is not None:
        text += f" A hand on these boards says as much as {result.worth:.1f} on deals of their own."
    return _folded(text[0].upper() + text[1:])


def _more(result: Result) -> str:
    """Return a sentence on how many deals would show a gap of this size; "" for no gap."""
    mean, (low, high) = result.difference.mean, result.difference.ci95
    if not mean:
        return ""
    needed = result.deals * ((high - low) / 2 / abs(mean)) ** 2
    if needed > SURE_ENOUGH:
        return ""
    size = 10 ** max(0, len(str(ceil(needed))) - 2)
    rounded = ceil(needed / size) * size
    return f" If the gap is what it seems, about {rounded:,} deals would show it."


def _tested(test: Sequential, deals: int) -> str:
    low, high = f"{test.low:+g}", f"{test.high:+g}"
    if test.answer is None:
        text = (
            f"The test of {low} against {high} points a board does not know yet after {deals:,} "
            f"deals: {test.ratio:+.2f}, where {test.bounds[0]:+.2f} or {test.bounds[1]:+.2f} ends "
            "it. More deals may settle it."
        )
    else:
        accepted = high if test.answer == "high" else low
        other = low if test.answer == "high" else high
        rate = test.alpha if test.answer == "high" else test.beta
        text = (
            f"The test says {accepted} points a board rather than {other}, after {deals:,} deals. "
            f"Where {other} is true it says so in {100 * rate:.0f} of 100 matches at most. A test "
            "that may stop early makes the interval above a little too sure."
        )
    return _folded(text)


def _checked(result: Result) -> str:
    text = f"All {result.decisions:,} actions were checked against the rules; "
    text += f"{result.illegal:,} of them were illegal." if result.illegal else "none was illegal."
    late = [
        f"{name} {count:,}"
        for name, count in zip(result.seats, result.fallbacks, strict=True)
        if count
    ]
    if late:
        text += f" Answered for, being late, gone, senseless or illegal: {', '.join(late)} times."
    if result.unscored:
        text += f" {result.unscored:,} hands ended without a score and count 0."
    return _folded(text)
