"""A sequential test: play until one of two hypotheses is accepted.

It is Wald's sequential probability ratio test, generalised to a mean of unknown variance. Under
each hypothesis the variance is the most likely one. So the logarithm of the likelihood ratio after
`n` values is ``n / 2 * log(v_low / v_high)``, where `v` is the mean square distance from the mean
that the hypothesis names.

The variance is that of the boards so far. Where two bots play alike on most boards, the first ones
may all come out level and seem to say for certain that there is no gap. So boards that do not end
level are waited for.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import Final, Literal, TypeAlias

from pydantic import BaseModel, Field

from rookery.game.errors import counted

FARTHEST: Final = 1e9  # points a board; a hypothesis so far away has no square to compute with
FEWEST: Final = 40  # boards that do not end level: with fewer it errs more often than it says
LEAST: Final = 1e-9  # square points: where results never vary, the ratio is large, not endless
Side: TypeAlias = Literal["low", "high"]


@dataclass(frozen=True)
class Sprt:
    """The test.

    Attributes:
        low: the mean that one hypothesis names, points a board.
        high: the mean that the other names; larger.
        alpha: how often it may say "high" where `low` is true.
        beta: how often it may say "low" where `high` is true.
    """

    low: float
    high: float
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self) -> tuple[float, float]:
        """The ratios, as logarithms, at which it says "low" and "high".

        >>> [round(bound, 3) for bound in Sprt(0, 5).bounds]
        [-2.944, 2.944]
        """
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def ratio(self, count: int, total: int, squares: int, unlike: int, unit: float = 1) -> float:
        """Return the logarithm of the likelihood ratio; positive where `high` is the likelier.

        `total` and `squares` are sums over so many boards; results divided by `unit` are points.
        `unlike` is how many of the boards did not end level, or nearly so; it is 0 while these are
        fewer than `FEWEST`.
        """
        if unlike < FEWEST:
            return 0.0
        mean = total / count / unit
        spread = max(0, squares * count - total * total) / (count * count) / unit**2
        one, other = (max(LEAST, spread + (mean - named) ** 2) for named in (self.low, self.high))
        return count / 2 * log(one / other)

    def answer(self, ratio: float) -> Side | None:
        """Return the hypothesis that the test accepts, None where it is undecided."""
        low, high = self.bounds
        return "low" if ratio <= low else "high" if ratio >= high else None


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


def tested(test: Sequential, deals: int) -> str:
    """Return what a report says of the test."""
    low, high = f"{test.low:+g}", f"{test.high:+g}"
    if test.answer is None:
        text = (
            f"The test of {low} against {high} points a board does not know yet after "
            f"{counted(deals, 'deal')}"
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
