"""The report of an evaluation: JSON, of matches as `rookery match --json` prints them."""

from __future__ import annotations

from pathlib import Path
from textwrap import fill
from typing import Final, Literal

from pydantic import BaseModel, Field, ValidationError

from rookery.lab.duplicate.result import Result
from rookery.lab.duplicate.seeds import Family
from rookery.lab.duplicate.sprt import Sequential
from rookery.rules import parse_json

FORMAT: Final = "rookery-evaluation/1"
OBSERVATIONS: Final = "rookery/Rook-v0"  # what a policy is given; another meaning is another number
COLUMNS: Final = 79
# One that does no harm in a table of Markdown, and is short enough for one of a terminal.
NAME: Final = r"^[A-Za-z0-9][A-Za-z0-9 .+_-]{0,39}$"

Partner = Literal["self", "known", "unknown", "alone"]
WITH: Final = {"self": "itself", "known": "a known", "unknown": "unknown", "alone": "nobody"}


class BadReport(ValueError):
    """A file that holds no report of an evaluation. Code: ``bad-report``."""

    code = "bad-report"


class Meeting(Result, frozen=True):
    """A match of the policy against bots of one kind: what `rookery match --json` prints, and who.

    The policy is the first of `seats`.
    """

    opponent: str = Field(description="Whom it met, as it was asked for: a level or a bot.")
    partner: Partner = Field(
        description="Who has the other seats of its side: itself; a bot like its opponents, which "
        "it may be told; one that is drawn for every hand, untold; alone: its side has no other."
    )


class Evaluation(BaseModel, frozen=True):
    """What a policy is worth, as whoever ran it declares it."""

    format: Literal["rookery-evaluation/1"] = FORMAT
    name: str = Field(pattern=NAME, description="What the policy is called.")
    rules: str = Field(description="A variant's id, or a house-rule file.")
    rookery: str = Field(pattern=r"^[\w.+-]{1,40}$", description="The version of Rookery.")
    observations: str = Field(description="What the policy was given.")
    seed: int
    family: Family = Field(description="What the deals are for; see the page on comparing bots.")
    seconds: float = Field(description="How long the play took.")
    meetings: list[Meeting] = Field(min_length=1)

    def __str__(self) -> str:
        """Return the report as text, 80 columns wide at most."""
        head = f"{self.name}: {self.rules}, {self.family} deals, seed {self.seed}"
        lines = [
            _folded(head),
            "",
            _row("against", "with", "deals", "points a board", "contracts", "made"),
        ]
        for one in self.meetings:
            lines.append(
                _row(
                    one.opponent, WITH[one.partner], f"{one.deals:,}", points(one),
                    f"{one.contracts[0]:,}", "-" if one.made[0] is None else f"{one.made[0]:.1%}",
                )
            )  # fmt: skip
        tests = [_tested(one, one.test) for one in self.meetings if one.test is not None]
        meaning = (
            "Points a board: how far its side is ahead of the others, each deal played from every "
            "side of the table, with half of the 95 % interval. Contracts: those it played itself."
        )
        return "\n".join([*lines, "", *tests, _folded(meaning)])


def points(one: Result) -> str:
    """Return points a board with half of the interval, where there is one."""
    mean, ends = one.difference.mean, one.difference.ci95
    return f"{mean:+.2f}" if ends is None else f"{mean:+.2f} ± {(ends[1] - ends[0]) / 2:.2f}"


def read(path: Path) -> Evaluation:
    """Return the report that a file holds.

    Raises:
        BadReport: it holds none; one line says what is wrong where.
        OSError: it cannot be read.
    """
    try:
        held = parse_json(path.read_text("utf-8"), number=float)
    except ValueError as error:
        raise BadReport(
            f"{path}: is no JSON ({error}); expected a report of rookery.evaluate"
        ) from None
    try:
        return Evaluation.model_validate(held)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "the whole file"
        text = first["msg"][:1].lower() + first["msg"][1:]
        raise BadReport(f"{path}: {where}: {text}; expected a report of rookery.evaluate") from None


def _row(against: str, beside: str, deals: str, mean: str, contracts: str, made: str) -> str:
    shown = against if len(against) < 22 else f"{against[:20]}~"
    return f"{shown:<22}{beside:<9}{deals:>9}{mean:>19}{contracts:>11}{made:>9}"


def _tested(one: Meeting, test: Sequential) -> str:
    low, high = f"{test.low:+g}", f"{test.high:+g}"
    said = {"low": f"{low} rather than {high}", "high": f"{high} rather than {low}"}
    answer = "it does not know yet" if test.answer is None else said[test.answer]
    who = f"against {one.opponent} with {WITH[one.partner]}"
    return _folded(f"The test, {who}: {answer}, after {one.deals:,} deals.")


def _folded(text: str) -> str:
    return fill(text.replace(" %", "\u00a0%"), COLUMNS).replace("\u00a0", " ")
