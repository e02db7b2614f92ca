"""What a match says of its sequential test."""

from __future__ import annotations

from typing import Final, Literal

from pydantic import BaseModel, Field

from rookery.lab.duplicate.match import Played
from rookery.lab.duplicate.sprt import FEWEST

ROUNDED: Final = 4


class Sequential(BaseModel, frozen=True):
    """The sequential test and its outcome."""

    low: float = Field(description="Points a board of the one hypothesis.")
    high: float = Field(description="Points a board of the other.")
    alpha: float = Field(description='How often it may say "high" where "low" is true.')
    beta: float = Field(description='How often it may say "low" where "high" is true.')
    ratio: float = Field(description="The likelihood ratio at the end, as a logarithm.")
    unlike: int | None = Field(
        default=None,  # as in reports of before
        description=f"Deals that did not end level or nearly so; below {FEWEST} the ratio is 0.",
    )
    bounds: tuple[float, float] = Field(description="The ratios at which it knows.")
    answer: Literal["low", "high"] | None = Field(description="null: it does not know yet.")


def test_of(played: Played) -> Sequential | None:
    """Return the test of a match; None where it has none."""
    sprt, ratio = played.match.sprt, played.ratio
    if sprt is None or ratio is None:
        return None
    return Sequential(
        low=sprt.low, high=sprt.high, alpha=sprt.alpha, beta=sprt.beta,
        ratio=round(ratio, ROUNDED), unlike=played.track[-1][-1] if played.track else 0,
        bounds=sprt.bounds, answer=sprt.answer(ratio),
    )  # fmt: skip


def tested(test: Sequential, deals: int) -> str:
    """Return what a report says of the test."""
    low, high = f"{test.low:+g}", f"{test.high:+g}"
    if test.answer is None:
        text = (
            f"The test of {low} against {high} points a board does not know yet after "
            f"{deals:,} deal{'s' * (deals != 1)}"
        )
        if test.unlike is not None and test.unlike < FEWEST:
            text += (
                f". It waits for {FEWEST} that do not end level or nearly so; there were "
                f"{test.unlike}."
            )
        else:
            text += (
                f": {test.ratio:+.2f}, where {test.bounds[0]:+.2f} or {test.bounds[1]:+.2f} ends "
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
    return text
