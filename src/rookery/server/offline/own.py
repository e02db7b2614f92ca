"""What only a device answers: its person's own records, and odds. They cost no server anything."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, SerializeAsAny

from rookery.lab.odds import hand as odds
from rookery.lab.odds.answer import Answer
from rookery.lab.odds.unseen import OddsError, Unseen
from rookery.record import RecordError
from rookery.server.api.rules import asked_rules
from rookery.server.offline.told import LONGEST, ToldMatches

_Text = Annotated[str, Field(max_length=1_000)]


class RecordGiven(BaseModel, extra="forbid", strict=True):
    """The text of a ``rookery/1`` record."""

    text: str


class RecordTaken(BaseModel):
    """The code by which a record is replayed; null where it cannot be, with the `problem`."""

    code: str | None = None
    problem: str | None = None


class OddsWanted(BaseModel, extra="forbid", strict=True):
    """A question about a hand; its words are those of ``rookery odds``."""

    question: Literal["partner-trumps", "split", "nest"]
    rules: Annotated[str, Field(max_length=64)] | dict[str, Any] = "kd_tournament"
    hand: _Text
    trump: _Text = ""
    suit: _Text = ""
    nest: _Text = ""
    played: _Text = ""
    declarer: _Text = ""
    called: _Text = ""
    voids: Annotated[list[_Text], Field(max_length=32)] = []


class OddsFound(BaseModel):
    """The answer of ``rookery odds --json``; null where there is none, with the `problem`."""

    answer: SerializeAsAny[Answer] | None = None
    problem: str | None = None


async def take_record(told: ToldMatches, given: RecordGiven) -> RecordTaken:
    """Keep a record, to be replayed and reviewed as a table's matches are."""
    if len(given.text) > LONGEST:
        return RecordTaken(problem=f"more than {LONGEST:,} characters; expected a record")
    try:
        return RecordTaken(code=await told.take(given.text))
    except RecordError as error:
        return RecordTaken(problem=str(error))


def odds_of(wanted: OddsWanted) -> OddsFound:
    """Return the odds of a hand.

    Raises:
        Problem: there are no such rules; codes ``bad-rules unknown-rules``.
    """
    try:
        return OddsFound(answer=_odds(wanted))
    except OddsError as error:
        # It names the command's options.
        return OddsFound(problem=str(error).replace("--", ""))


def _odds(wanted: OddsWanted) -> Answer:
    rules = asked_rules(wanted.rules)

    def cards(name: str) -> list[int]:
        return odds.parse_cards(getattr(wanted, name), rules, f"--{name}")

    unseen: Unseen = odds.look(
        rules,
        cards("hand"),
        trump=wanted.trump or None,
        nest=cards("nest"),
        played=cards("played"),
        declarer=wanted.declarer or None,
        voids=wanted.voids,
    )
    if wanted.question == "split":
        return odds.split_odds(unseen, wanted.suit)
    if wanted.question == "nest":
        return odds.nest_odds(unseen)
    called = cards("called")
    if len(called) > 1:
        raise OddsError(f"--called {wanted.called!r}: expected one card")
    return odds.partner_trumps(unseen, called[0] if called else None)
