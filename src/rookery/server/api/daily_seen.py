"""What is shown of the daily deals, and how it is made of attempts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, Any

from pydantic import BaseModel, Field

from rookery.daily import sitting
from rookery.daily.day import FAMILIES, after, deal_of, end_of
from rookery.daily.sitting import Outcome
from rookery.fairness.day import DayDeal
from rookery.game import BadAction, IllegalAction
from rookery.server.bots.engine import Played
from rookery.server.registry.daily import EXPERT_NAME, Day, Tried
from rookery.server.store.people.attempts import Attempt, Friend
from rookery.server.table.state import Who
from rookery.view import rules_seen


class AttemptSeen(Outcome):
    """What an attempt came to; all of it is null while it is under way.

    So it is where this version of the program does not accept what was done in it.
    ``second`` is an attempt after the first one, ``late`` one that was not over when its day ended.
    """

    number: int
    second: bool
    late: bool


class Mine(AttemptSeen):
    """My first attempt at a deal; ``attempts`` are all, of which the last may be ``open``."""

    over: bool
    open: bool
    attempts: int


class FamilyOfDay(BaseModel):
    """A deal of a day.

    ``commitment`` binds the server to its key, which is null until the day has ended. ``tomorrow``
    is the commitment of the next day. ``replaced`` says that I have tried a deal of that day which
    was lost, because the server's database was brought back.
    """

    family: str
    rules: str = Field(description="The id of the rules in the catalogue.")
    name: str
    seats: int
    seat: int
    commitment: str
    tomorrow: str | None
    key: str | None
    replaced: bool
    mine: Mine | None


class DayListed(BaseModel):
    """The deals of a day; ``ends`` is when it ends, milliseconds since 1970."""

    day: str
    ends: int
    families: list[FamilyOfDay]


class Today(DayListed):
    """The deals of today; ``since`` is the first day of this server's deals."""

    since: str


class Archive(BaseModel):
    """The days before today that can still be played, the latest first."""

    days: list[DayListed]


class ResultOfDeal(BaseModel):
    """What a hand came to, as in the snapshot of a table."""

    made: bool | None
    sources: list[dict[str, int]]


class Frame(BaseModel):
    """What the seat saw after an action; once the hand is over, ``cards`` and ``nest`` too.

    ``action`` is written as in a record; of cards that go face down only seat and verb.
    """

    action: str | None
    view: dict[str, Any] = Field(
        description="A table's view, with ``trumps``, ``led`` and ``taken`` of its snapshot."
    )
    cards: list[list[str]] | None = None
    nest: list[str] | None = None


class Position(BaseModel):
    """An attempt as it stands: ``seen`` counts all actions, ``steps`` are those asked for."""

    day: str
    family: str
    number: int
    late: bool
    rules: dict[str, Any]
    sides: list[list[int]] | None
    names: list[str]
    bots: list[str | None]
    seat: int
    seen: int
    view: dict[str, Any]
    steps: list[Frame]
    over: bool
    result: ResultOfDeal | None
    ends: int


class Acting(BaseModel, extra="forbid"):
    """What I do in my attempt, without the seat, and how many actions I have seen.

    ``number`` is the attempt that is meant; where it is not my latest one, nothing is done.
    """

    action: Annotated[str, Field(max_length=200)]
    seen: Annotated[int, Field(ge=0, le=1000)]
    number: Annotated[int, Field(ge=1, le=1000)] | None = None


class FriendSeen(AttemptSeen):
    """What somebody with whom I have sat at a table made of a deal the first time."""

    name: str


class ExpertSeen(AttemptSeen):
    """What the bot of that name made of a deal."""

    bot: str


class DealOfDay(BaseModel):
    """All cards of a deal, by name."""

    dealer: int
    deal: list[list[str]]
    nest: list[str]


class Results(BaseModel):
    """What came of a deal, for whoever has finished their first attempt, and after its day.

    ``record`` is my first attempt that is over, as ``rookery/1``, unless this version of the
    program does not accept what was done in it; ``expert_state`` is ``absent`` where no bot that
    searches is here, ``working`` while it plays; ``again`` says whether I may try it once more.
    """

    day: str
    family: str
    ends: int
    ended: bool
    commitment: str
    key: str | None
    mine: list[AttemptSeen]
    friends: list[FriendSeen]
    expert: ExpertSeen | None
    expert_state: Played
    deal: DealOfDay
    record: dict[str, Any] | None
    again: bool


def days(
    today: Day,
    deals: dict[str, list[DayDeal]],
    own: dict[str, list[Attempt]],
    lost: set[tuple[str, str]],
) -> list[DayListed]:
    """Return what is shown of some days to somebody, by their `own` attempts and those `lost`."""
    return [
        DayListed(
            day=day,
            ends=end_of(day),
            families=[
                _family(today, deal, own.get(deal.commitment, []), (day, deal.family) in lost)
                for deal in those
            ],
        )
        for day, those in deals.items()
    ]


def _family(today: Day, deal: DayDeal, own: Sequence[Attempt], replaced: bool) -> FamilyOfDay:
    rules, next_day = deal.rules, None
    if deal.day == today.name:
        next_day = deal_of(today.secret, after(deal.day), deal.family).commitment
    return FamilyOfDay(
        family=deal.family,
        rules=FAMILIES[deal.family],
        name=rules.name,
        seats=rules.seats,
        seat=sitting.SEAT,
        commitment=deal.commitment,
        tomorrow=next_day,
        key=deal.key.hex() if today.is_over(deal.day) else None,
        replaced=replaced,
        mine=_mine(today, deal, own) if own else None,
    )


def _mine(today: Day, deal: DayDeal, own: Sequence[Attempt]) -> Mine:
    first = _seen(today, deal, own[0])
    return Mine(
        **first.model_dump(),
        over=bool(own[0].ended),
        open=not own[-1].ended,
        attempts=len(own),
    )


def _seen(today: Day, deal: DayDeal, attempt: Attempt) -> AttemptSeen:
    outcome = (_outcome(deal, attempt) if attempt.ended else None) or Outcome()
    return AttemptSeen(
        **outcome.model_dump(),
        number=attempt.number,
        second=attempt.number > 1,
        late=today.is_late(attempt),
    )


def _outcome(deal: DayDeal, attempt: Attempt) -> Outcome | None:
    """Return what an attempt came to; None where this version does not accept it."""
    try:
        return sitting.outcome_of(deal, attempt.actions)
    except (IllegalAction, BadAction):
        return None


def position(found: Tried, who: Who, seen: int | None, *, dealt: bool) -> Position:
    """Return what is shown of somebody's latest attempt, with the steps after `seen` actions.

    By default there are none. After 0 the first is the deal itself, where it is to be `dealt`.

    Raises:
        IllegalAction: the rules do not allow what was done, in this version of the program.
        BadAction: it is none that this version knows.
    """
    deal, attempt = found.deal, found.attempts[-1]
    actions, rules = attempt.actions, deal.rules
    hand = sitting.dealt(deal).act_all(actions)
    since = len(actions) if seen is None else seen
    steps = sitting.frames(deal, actions, since)
    if steps and steps[0]["action"] is None and not (dealt and seen == 0):
        del steps[0]
    return Position(
        day=deal.day,
        family=deal.family,
        number=attempt.number,
        late=found.today.is_late(attempt),
        rules=asdict(rules_seen(rules)),
        sides=None if rules.fixed_sides is None else [list(side) for side in rules.fixed_sides],
        names=sitting.names(deal, who.name),
        bots=[None, *[sitting.BOT] * (rules.seats - 1)],
        seat=sitting.SEAT,
        seen=len(actions),
        view=sitting.seen(hand),
        steps=[Frame(**step) for step in steps],
        over=hand.over,
        result=None
        if hand.sources is None
        else ResultOfDeal(made=hand.made, sources=[one._asdict() for one in hand.sources]),
        ends=end_of(deal.day),
    )


def results(
    found: Tried,
    who: Who,
    friends: Sequence[Friend],
    expert: tuple[Played, tuple[str, ...]],
    ended: bool,
) -> Results:
    """Return what is shown of a deal to whoever has finished it, or after its day has `ended`."""
    today, deal, (how, acts) = found.today, found.deal, expert
    done = [one for one in found.attempts if one.ended]
    record = None
    if done and _outcome(deal, done[0]) is not None:
        record = sitting.record_of(deal, done[0].actions, who.name, ended=ended).written()
    dealt = sitting.dealt(deal)
    best = None
    if how == "played":
        told = sitting.outcome_of(deal, acts)
        best = ExpertSeen(**told.model_dump(), number=1, second=False, late=False, bot=EXPERT_NAME)
    return Results(
        day=deal.day,
        family=deal.family,
        ends=end_of(deal.day),
        ended=ended,
        commitment=deal.commitment,
        key=deal.key.hex() if ended else None,
        mine=[_seen(today, deal, one) for one in done],
        friends=[
            FriendSeen(**_seen(today, deal, one.attempt).model_dump(), name=one.name)
            for one in friends
            if _outcome(deal, one.attempt) is not None
        ],
        expert=best,
        expert_state=how,
        deal=DealOfDay(
            dealer=dealt.dealer,
            deal=[dealt.names(cards) for cards in dealt.dealt],
            nest=dealt.names(dealt.nest_dealt),
        ),
        record=record,
        again=found.again,
    )
