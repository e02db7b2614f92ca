"""The question `auctions`: what each card of a hand is worth, and where to stop bidding."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from textwrap import fill
from typing import TYPE_CHECKING, Final

from rookery.bots.dispatch import kind_of
from rookery.lab.run.jobs import Sums
from rookery.lab.studies.question import Answer, CannotAsk, Plan
from rookery.lab.studies.questions import hand_value as at
from rookery.lab.studies.questions.hand_worth import HandValues, Stop, Strength, Worth

if TYPE_CHECKING:
    import polars as pl

ABOUT: Final = "What a hand is worth by its cards, and up to where to bid on it."
WIDTH: Final = 80
SHARES: Final = ("tenth", "quarter", "half", "three_quarters", "nine_tenths")


def jobs(plan: Plan) -> Sequence[HandValues]:
    """Return a job for each rule set."""
    if len(plan.bots) != 1:
        raise CannotAsk(f"auctions: {len(plan.bots)} bots; expected 1, which plays all seats")
    if plan.target == "cuda":
        raise CannotAsk("auctions: the target cuda cannot play it; expected numba")
    bot, first = kind_of(plan.bots[0]), plan.family.first_board
    return [
        HandValues(one.label, one.rules, plan.boards, bot, plan.seed, first, plan.target)
        for one in plan.settings
    ]


def answer(plan: Plan, sums: Mapping[str, Sums]) -> Answer:
    """Return card values, the points that hands of each strength take, and stopping bids."""
    worth = [job.worth(sums[job.name]) for job in jobs(plan)]

    def draw() -> Mapping[str, bytes]:
        from rookery.lab.studies.questions import auctions_pictures as pictures

        return {
            "card-values.png": pictures.card_values(worth, plan),
            "stopping-bids.png": pictures.stopping_bids(worth, plan),
        }

    frames = {
        "card-values": card_values(worth),
        "strengths": strengths(worth),
        "stops": stops(worth),
    }
    return Answer(text(worth, plan), frames, draw)


def card_values(found: Sequence[Worth]) -> pl.DataFrame:
    """Return a row for each place in the order of trumps and of other suits.

    ``points`` is what such a card adds to what its side takes as declarer, above the lowest other
    card; the row of kind ``start`` is what a hand of those alone would take. ``card`` names it
    under the first call that the rules have; where low cards may be best, ``place`` counts.
    """
    import polars as pl

    rows: list[tuple[object, ...]] = []
    for worth in found:
        names = worth.place_names
        for place, (points, sure) in worth.values.items():
            kind = "start" if place == at.ONE else "trump" if place < at.SIDE else "other"
            first = {"start": 0, "trump": at.TRUMPS - 1, "other": at.SIDE - 1}[kind]
            ci95 = sure if isfinite(sure) else None
            rows.append((worth.label, kind, place - first, names.get(place), points, ci95))
    schema = {
        **dict.fromkeys(("rules", "kind"), pl.String),
        "place": pl.Int64,
        "card": pl.String,
        **dict.fromkeys(("points", "points_ci95"), pl.Float64),
    }
    return pl.DataFrame(rows, schema=schema, orient="row")


def strengths(found: Sequence[Worth]) -> pl.DataFrame:
    """Return a row for each class of hands: what they took, and where to stop bidding on them."""
    import polars as pl

    rows = [
        (
            *(worth.label, one.promise, one.hands, *one.taken, one.spread, *one.quantiles),
            *(one.best.bid, one.as_good[0].bid, one.as_good[1].bid, *one.best.gain),
        )
        for worth in found
        for one in worth.strengths
    ]
    schema = {
        **{"rules": pl.String, "promise": pl.Float64, "hands": pl.Int64},
        **dict.fromkeys(("taken", "taken_ci95", "spread", *SHARES), pl.Float64),
        **dict.fromkeys(("stop", "stop_at_least", "stop_at_most"), pl.Int64),
        **dict.fromkeys(("gain", "gain_ci95"), pl.Float64),
    }
    return pl.DataFrame(rows, schema=schema, orient="row")


def stops(found: Sequence[Worth]) -> pl.DataFrame:
    """Return a row for each class of hands and each bid at which one may stop.

    ``bid`` is null for never bidding. ``made_percent`` is the share that makes that bid as
    declarer. ``gain`` is the gain of that stop over never bidding, ``short`` its loss against the
    best stop, both in points a hand.
    """
    import polars as pl

    rows = [
        (worth.label, one.promise, stop.bid, stop.made, *stop.gain, *stop.short)
        for worth in found
        for one in worth.strengths
        for stop in one.stops
    ]
    numbers = ("made_percent", "gain", "gain_ci95", "short", "short_ci95")
    schema = {
        **{"rules": pl.String, "promise": pl.Float64, "bid": pl.Int64},
        **dict.fromkeys(numbers, pl.Float64),
    }
    return pl.DataFrame(rows, schema=schema, orient="row")


def text(found: Sequence[Worth], plan: Plan) -> str:
    """Return card values and stopping bids for a terminal of 80 columns."""
    parts = [
        fill(
            f"One hand of each of {plan.boards:,} boards, declared and played by {plan.bots[0]}. "
            "Card values: what a card adds to the points that its side takes as declarer. A hand's "
            "promise is what the bot expects to take with it. Stop: the bid up to which it is best "
            "to go against the strongest of the others, who bids as the bot does; in brackets "
            "what may be as good. Gain: points a hand over never bidding.",
            WIDTH,
        )
    ]
    parts += ["\n".join(_lines(worth)) for worth in found]
    return "\n\n".join(parts)


def _lines(worth: Worth) -> Iterator[str]:
    names = worth.place_names
    if not worth.hands:
        yield f"{worth.label}: its rules leave no choice of declarer"
        return
    yield f"{worth.label}: cards explain {100 * worth.explained:.0f} % of what a declarer takes"
    values = worth.values
    yield f"  start {values[at.ONE].mean:.0f}"
    for label, first, last in (("trumps", at.TRUMPS, at.SIDE), ("others", at.SIDE, at.TAKEN)):
        shown = ", ".join(
            f"{names.get(place, '?')}\u00a0{_signed(values[place].mean)}"
            for place in worth.places
            if first <= place < last
        )
        yield fill(shown, WIDTH, initial_indent=f"  {label} ", subsequent_indent=" " * 9)
    if not worth.strengths:
        yield "  too few boards to say up to where to bid"
        return
    head = f"  {'promise':>9}{'hands':>9}{'takes':>7}{'half of them':>15}{'stop at':>9}"
    yield f"{head}{'':15}{'gain':>7}"
    yield from (_row(one) for one in worth.strengths)


def _row(one: Strength) -> str:
    middle = f"{one.quantiles[1]:.0f} to {one.quantiles[3]:.0f}"
    low, high = one.as_good
    sure = "" if low is high else f"({_bid(low)} to {_bid(high)})"
    return (
        f"  {one.promise:>9.0f}{one.hands:>9,}{one.taken.mean:>7.0f}{middle:>15}"
        f"{_bid(one.best):>9} {sure:<14}{one.best.gain.mean:>7.0f}"
    )


def _bid(stop: Stop) -> str:
    return "pass" if stop.bid is None else str(stop.bid)


def _signed(value: float) -> str:
    return f"{value:+.0f}".replace("-", "\u2212") if round(value) else "0"
