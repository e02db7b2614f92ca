"""Tables: how one is made and found, what was played there, and reviews of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec
from pydantic import BaseModel, Field

from rookery.server.api.links import qr_svg
from rookery.server.api.people import RatingWanted
from rookery.server.api.problems import Problem
from rookery.server.api.rules import asked_rules
from rookery.server.api.state import AppState
from rookery.server.bots.engine import Unanswered
from rookery.server.registry import played
from rookery.server.registry.history import History
from rookery.server.registry.listing import TableSeen, seen
from rookery.server.registry.played import HandListed, HandReplayed
from rookery.server.registry.ratings import Rated, counting
from rookery.server.registry.regulars import Regulars, regulars_of
from rookery.server.registry.reviews import ReviewAtWork, anonymous, named
from rookery.server.registry.strangers import Found
from rookery.server.settings import PaceName
from rookery.server.table.commands import Command
from rookery.server.table.messages import Message
from rookery.server.table.projection import Snapshot
from rookery.server.table.refusals import Refused
from rookery.server.table.state import Who
from rookery.server.work import in_thread

if TYPE_CHECKING:
    from rookery.ratings.estimate import Figure, Person, Ratings

BUSY: Final = 30  # seconds to wait while too many reviews are being made


class TableWanted(BaseModel, extra="forbid", strict=True):
    """A new table; bots take the seats from seat 1 on, and `clock` is seconds for a turn."""

    rules: Annotated[str, Field(max_length=64)] | dict[str, Any] = "kd_tournament"
    title: Annotated[str, Field(max_length=300)] = ""
    open: bool = False
    bots: Annotated[list[Annotated[str, Field(max_length=64)]], Field(max_length=8)] = []
    pace: PaceName = "normal"
    clock: Annotated[int, Field(ge=0, le=3600)] | None = None


class TableMade(BaseModel):
    """A new table: its code, and the link for friends."""

    code: str
    link: str


class QuickWanted(BaseModel, extra="forbid", strict=True):
    """A table with strangers: of these rules or, with `any`, of whatever is played.

    `but` is at which tables there was no seat, as the socket said. A table that has to be made has
    `rules` and `pace`.
    """

    rules: Annotated[str, Field(max_length=64)] | dict[str, Any] = "kd_tournament"
    any: bool = False
    but: Annotated[list[Annotated[str, Field(max_length=16)]], Field(max_length=16)] = []
    pace: PaceName = "normal"


class QuickFound(BaseModel):
    """A table with strangers, or a new one that they will find.

    `people` is how many others are there, `seated` whether you have a seat there already.
    """

    code: str
    phase: str
    people: int
    seated: bool


class FigureSeen(BaseModel):
    """An estimate: hundredths of the points in the cards, a hand; the truth is within ``ci95``."""

    points: float
    ci95: float


class PersonRated(FigureSeen):
    """Somebody who is rated: how much more their side scores than with the mean of those rated.

    They are surely ahead of so many others, and behind so many; of the rest nobody knows.
    """

    name: str
    hands: int
    ahead: int
    behind: int


class PairRated(BaseModel):
    """Two partners, by their places among the people: as a side, and what only both make of it."""

    pair: tuple[int, int]
    hands: int
    together: FigureSeen
    partner: FigureSeen


class BotRated(FigureSeen):
    """What a bot is worth beside these people, of those that have sat with them."""

    bot: str
    hands: int


class FamilyRated(BaseModel):
    """Those who are rated in a family of rules, the best first."""

    family: str
    hands: int
    people: list[PersonRated]
    pairs: list[PairRated]
    bots: list[BotRated]


class RatingsSeen(BaseModel):
    """The ratings of a table.

    Attributes:
        mine: whether you are rated here.
        may: whether you may be: you have sat here.
        people: how many are.
        families: what is known.
        done: of how many hands that count it is known what bots make of them.
        whole: how many hands count.
    """

    mine: bool
    may: bool
    people: int
    families: list[FamilyRated]
    done: int
    whole: int


async def make(state: AppState, who: Who, wanted: TableWanted) -> TableMade:
    """Make a table; whoever makes it is host and has seat 0.

    Raises:
        Problem: it cannot be made; codes ``bad-rules unknown-rules`` and those of
            `TableRegistry.create`.
    """
    rules = await in_thread(asked_rules, wanted.rules)
    made = await state.registry.create(
        who,
        rules,
        title=wanted.title,
        listed=wanted.open,
        bots=wanted.bots,
        pace=wanted.pace,
        clock=wanted.clock or None,
    )
    if isinstance(made, Refused):
        raise Problem(made.code, made.reason, 409)
    code = made.table.code
    return TableMade(code=code, link=state.links.table(code))


async def quick(state: AppState, who: Who, wanted: QuickWanted) -> QuickFound:
    """Return the open table where most people wait, or a new one; see `Strangers`.

    Raises:
        Problem: it cannot be made; see `make`.
    """
    rules, strangers = await in_thread(asked_rules, wanted.rules), state.registry.strangers
    but = {code.strip().upper() for code in wanted.but}
    elsewhere = await strangers.elsewhere()
    async with strangers.line:
        found = await strangers.find(who, None if wanted.any else rules, but, elsewhere)
        if found is None:
            made = await state.registry.create(
                who, rules, listed=True, pace=wanted.pace, matched=True
            )
            if isinstance(made, Refused):
                raise Problem(made.code, made.reason, 409)
            found = Found(made.table, people=0, seated=True)
    table = found.table
    return QuickFound(code=table.code, phase=table.phase, people=found.people, seated=found.seated)


async def one_table(state: AppState, code: str, who: Who | None) -> TableSeen:
    """Return what anybody may know of a table before sitting down."""
    table = await state.table(code, who)
    return seen(table, None if who is None else who.id, state.links.table(table.code))


async def picture(state: AppState, code: str) -> bytes:
    """Return a table's link as a QR code, an SVG picture."""
    table = await state.table(code)
    return qr_svg(state.links.table(table.code))


async def hands(state: AppState, code: str) -> list[HandListed]:
    """Return the finished hands of a table; never one that is under way."""
    history = await state.history(code)
    return await in_thread(lambda: [one.listed() for one in played.finished(history)])


async def regulars(state: AppState, code: str) -> Regulars:
    """Return what the people of a table, and each two partners, have made of its matches."""
    return await in_thread(regulars_of, await state.history(code))


async def ratings(state: AppState, code: str, who: Who | None) -> RatingsSeen:
    """Return how well those at a table play who are rated there, as far as that is known."""
    return await _ratings(state, await state.history(code), who)


async def rate_me(state: AppState, code: str, who: Who, wanted: RatingWanted) -> RatingsSeen:
    """Rate somebody at a table from the next hand on, or no more.

    Raises:
        Problem: they have never played there; code ``no-seat``.
    """
    history = await state.history(code)
    table, store = history.table, state.registry.store
    if wanted.on and not await state.has_sat(table.code, who):
        raise Problem("no-seat")
    under_way = table.hand is not None and not table.hand.over
    since = history.hands + under_way if wanted.on else None
    if not await store.rated.switch(who.id, table.code, since):
        raise Problem("no-session")
    return await _ratings(state, history, who)


async def _ratings(state: AppState, history: History, who: Who | None) -> RatingsSeen:
    code = history.table.code
    since = await state.registry.store.rated.of(code)
    may = who is not None and await state.has_sat(code, who)
    counted = await in_thread(counting, history, since)
    found = state.registry.ratings.of(code, counted, since)
    names = {
        person: hand.players[seat]
        for match in history.matches
        for hand in match.hands
        for person, seat in hand.people
        if person in since
    }
    return await in_thread(_rated, found, since, names, who and who.id, may)


def _rated(
    found: Rated, since: dict[str, int], names: dict[str, str], mine: str | None, may: bool
) -> RatingsSeen:
    return RatingsSeen(
        mine=mine in since,
        may=may,
        people=len(since),
        families=[_family(name, one, names) for name, one in found.families.items()],
        done=found.done,
        whole=found.whole,
    )


def _family(family: str, found: Ratings, names: dict[str, str]) -> FamilyRated:
    """Return what is shown of a family, without those who are rated no more."""
    people = {who: one for who, one in found.people.items() if who in names}
    order = sorted(people, key=lambda who: -people[who].figure.points)
    place = {who: at for at, who in enumerate(order)}
    pairs = [
        PairRated(
            pair=(min(place[a], place[b]), max(place[a], place[b])),
            hands=pair.together.boards,
            together=_figure(pair.together),
            partner=_figure(pair.partner),
        )
        for (a, b), pair in found.pairs.items()
        if a in place and b in place
    ]
    bots = [
        BotRated(bot=bot, hands=one.boards, **_figure(one).model_dump())
        for bot, one in found.bots.items()
    ]
    return FamilyRated(
        family=family,
        hands=found.boards,
        people=[_person(names[who], people[who]) for who in order],
        pairs=sorted(pairs, key=lambda one: -one.together.points),
        bots=sorted(bots, key=lambda one: -one.points),
    )


def _person(name: str, one: Person) -> PersonRated:
    figure = _figure(one.figure).model_dump()
    hands = one.figure.boards
    return PersonRated(name=name, hands=hands, ahead=one.ahead, behind=one.behind, **figure)


def _figure(one: Figure) -> FigureSeen:
    return FigureSeen(points=round(one.points, 1), ci95=round(one.ci95, 1))


async def record(state: AppState, code: str, match: int | None) -> tuple[str, str]:
    """Return the name of a file, and the ``rookery/1`` record to keep in it.

    The record has the finished hands of a match, by default of the last one.

    Raises:
        Problem: there is no such hand yet; code ``no-hand``.
    """
    history = await state.history(code)
    text = await state.registry.records.of(history, match)
    if text is None:
        raise Problem("no-hand")
    return f"rookery-{history.table.code}.json", text


async def replay(state: AppState, code: str, hand: int, seat: int | None) -> HandReplayed:
    """Return one finished hand step by step, all open or as one seat saw it.

    Raises:
        Problem: there is no such hand or seat; code ``no-hand``.
    """
    history = await state.history(code)
    if seat is not None and seat >= len(history.table.chairs):
        raise Problem("no-hand")
    found = await in_thread(played.replayed, history, hand, seat)
    if found is None:
        raise Problem("no-hand")
    return found


async def review(
    state: AppState, code: str, match: int, count: Callable[[], None]
) -> bytes | ReviewAtWork:
    """Return the review of a finished match, JSON, or how far it is; it is begun if need be.

    Matches of a table have numbers from 0. `count` is called before a review is begun, and may
    refuse that.

    Raises:
        Problem: there is no such match (``no-hand``), too many reviews are being made
            (``too-many``), or this one cannot be made (``no-review``).
    """
    history = await state.history(code)
    whole = await state.registry.records.over(history, match)
    if whole is None:
        raise Problem("no-hand", "there is no such match, or it is not over")
    record = await in_thread(anonymous, whole)
    reviews = state.registry.reviews
    if not reviews.there(record):
        count()
    try:
        known = reviews.of(record, state.registry.thinker)
    except Unanswered as error:
        if error.why == "busy":
            raise Problem("too-many", wait=BUSY) from None
        raise Problem("no-review") from None
    if isinstance(known, ReviewAtWork):
        return known
    return await in_thread(named, known, history.matches[match].players)


@lru_cache(maxsize=1)
def socket_schemas() -> dict[str, Any]:
    """Return the JSON schemas of what is said on the socket of a table."""
    schemas = {
        "commands": msgspec.json.schema(Command),
        "messages": msgspec.json.schema(Message),
        "snapshot": msgspec.json.schema(Snapshot),
    }
    # The end of a text is \Z in Python alone; there `$` would let a new line follow, elsewhere not.
    text = msgspec.json.encode(schemas).replace(rb"\\Z", b"$")
    return msgspec.json.decode(text, type=dict[str, Any])
