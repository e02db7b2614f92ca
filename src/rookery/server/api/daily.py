"""The daily deals: the list, the archive, an attempt as it is played, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rookery.game import BadAction, IllegalAction
from rookery.server.api import daily_seen as shown
from rookery.server.api.daily_seen import Acting, Archive, DayListed, Position, Results, Today
from rookery.server.api.problems import Problem
from rookery.server.api.state import AppState
from rookery.server.registry.daily import Day, Refused, Tried
from rookery.server.store.people.attempts import Attempt
from rookery.server.table.state import Who
from rookery.server.work import in_thread


async def today(state: AppState, who: Who | None) -> Today:
    """Return the deals of today.

    Raises:
        Problem: the server's clock is in doubt; code ``clock-doubted``.
    """
    with _refused():
        found = await state.daily.today()
    listed = await _listed(state, found, [found.name], who)
    return Today(**listed[0].model_dump(), since=found.since)


async def archive(state: AppState, who: Who | None) -> Archive:
    """Return the deals of the days before; the errors are those of `today`."""
    with _refused():
        found = await state.daily.today()
    return Archive(days=await _listed(state, found, found.past(), who))


async def begin(state: AppState, who: Who, day: str, family: str) -> Position:
    """Begin an attempt at a deal, or return the one that is under way.

    Raises:
        Problem: there is no such deal to play, or I have tried it nine times, or the one under way
            is none of this version's; codes ``clock-doubted no-daily attempts-spent no-attempt``.
    """
    with _refused():
        found, fresh = await state.daily.begin(who, day, family)
    return await _position(found, who, 0 if fresh else None, dealt=True)


async def position(
    state: AppState, who: Who, day: str, family: str, seen: int | None = None
) -> Position:
    """Return my latest attempt as it stands, with what was done after `seen` actions.

    Raises:
        Problem: there is none, or this version of the program does not accept what was done in it;
            codes ``clock-doubted no-daily no-attempt``.
    """
    with _refused():
        found = await state.daily.tried(who, day, family)
    if not found.attempts:
        raise Problem("no-attempt")
    return await _position(found, who, seen, dealt=True)


async def act(state: AppState, who: Who, day: str, family: str, acting: Acting) -> Position:
    """Do something in my latest attempt; return it with what was done after ``seen`` actions.

    What is said twice, or after the attempt is over, is done once. What is meant for another
    attempt is not done, and the latest one is returned without steps.

    Raises:
        Problem: there is none, or it may not be done; codes ``clock-doubted no-daily no-attempt``,
            and all of `IllegalAction` and `BadAction`.
    """
    with _refused():
        found = await state.daily.act(
            who, day, family, acting.action, acting.seen, number=acting.number
        )
    meant = acting.number in {None, found.attempts[-1].number}
    return await _position(found, who, acting.seen if meant else None, dealt=False)


async def results(state: AppState, who: Who, day: str, family: str) -> Results:
    """Return what came of a deal.

    Raises:
        Problem: my first attempt is not over, nor is the day; code ``daily-not-over``. There is no
            such deal; codes ``clock-doubted no-daily``.
    """
    with _refused():
        found = await state.daily.tried(who, day, family)
    ended = found.today.is_over(day)
    if not ended and not (found.attempts and found.attempts[0].ended):
        raise Problem("daily-not-over")
    friends = await state.daily.friends(who, found.deal)
    expert = state.daily.expert(found.deal)
    return await in_thread(shown.results, found, who, friends, expert, ended)


@contextmanager
def _refused() -> Iterator[None]:
    """Tell whoever asked what cannot be done."""
    try:
        yield
    except Refused as error:
        raise Problem(error.code) from None
    except IllegalAction as error:
        raise Problem(error.code, error.reason, 409) from None
    except BadAction as error:
        raise Problem(error.code, error.reason, 400) from None


async def _position(found: Tried, who: Who, seen: int | None, *, dealt: bool) -> Position:
    try:
        return await in_thread(shown.position, found, who, seen, dealt=dealt)
    except (IllegalAction, BadAction):
        raise Problem("no-attempt") from None


async def _listed(
    state: AppState, today: Day, days: Sequence[str], who: Who | None
) -> list[DayListed]:
    deals = await in_thread(lambda: {day: today.deals(day) for day in days})
    own: dict[str, list[Attempt]] = {}
    lost: set[tuple[str, str]] = set()
    if who is not None:
        held = state.registry.store.attempts
        there = [deal.commitment for those in deals.values() for deal in those]
        for attempt in await held.of(who.id, there):
            own.setdefault(attempt.deal, []).append(attempt)
        lost = await held.lost(who.id, min(days, default=today.name), there)
    return await in_thread(shown.days, today, deals, own, lost)
