"""The routes of what is played alone: daily deals, puzzles, mistakes, and matches on a device."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Path, Query, Request, Response

from rookery.puzzles.document import PuzzleAnswer, PuzzleEntry, PuzzleQuestion
from rookery.server.api import daily, handed, mistakes, puzzles
from rookery.server.api.daily_seen import Acting, Archive, Position, Results, Today
from rookery.server.http.dependencies import (
    AddressLimit,
    LimitedRoute,
    Person,
    PersonLimit,
    State,
    Visitor,
)
from rookery.server.http.static import Content, json_content, kept
from rookery.server.work import in_thread

router = APIRouter(route_class=LimitedRoute)
LISTED: Final = [Depends(AddressLimit("check"))]
PLAYED: Final = [Depends(PersonLimit("daily"))]
BEGUN: Final = [Depends(AddressLimit("attempts")), *PLAYED]
At: Final = "/api/daily/{day}/{family}"
OfDay = Annotated[str, Path(max_length=10, description="The day, by UTC, as 2026-11-23.")]
OfFamily = Annotated[str, Path(max_length=10, description="One of those of `/api/daily`.")]
HANDED: Final = [Depends(AddressLimit("tables")), Depends(PersonLimit("table"))]
MISTAKES: Final = [Depends(AddressLimit("mistakes"))]


@router.get("/api/daily", tags=["daily deals"], dependencies=LISTED)
async def daily_deals(state: State, who: Visitor) -> Today:
    """Return the deals of today, by UTC, and the fingerprints of those of tomorrow."""
    return await daily.today(state, who)


@router.get("/api/daily/archive", tags=["daily deals"], dependencies=LISTED)
async def daily_archive(state: State, who: Visitor) -> Archive:
    """Return the deals of the thirty days before, with their keys; they can still be played."""
    return await daily.archive(state, who)


@router.post(At, tags=["daily deals"], dependencies=BEGUN)
async def begin_daily(state: State, who: Person, day: OfDay, family: OfFamily) -> Position:
    """Begin an attempt of yours at a deal, nine at most, or return the one that is under way."""
    return await daily.begin(state, who, day, family)


@router.get(f"{At}/position", tags=["daily deals"], dependencies=PLAYED)
async def daily_position(
    state: State,
    who: Person,
    day: OfDay,
    family: OfFamily,
    seen: Annotated[int | None, Query(ge=0, le=1000)] = None,
) -> Position:
    """Return your latest attempt at a deal, with what was done after `seen` actions."""
    return await daily.position(state, who, day, family, seen)


@router.post(f"{At}/act", tags=["daily deals"], dependencies=PLAYED)
async def act_daily(
    state: State, who: Person, day: OfDay, family: OfFamily, acting: Acting
) -> Position:
    """Act in your latest attempt; bots play until you have to decide again."""
    return await daily.act(state, who, day, family, acting)


@router.get(f"{At}/results", tags=["daily deals"], dependencies=PLAYED)
async def daily_results(state: State, who: Person, day: OfDay, family: OfFamily) -> Results:
    """Return how people did at a deal, once your first attempt or its day is over."""
    return await daily.results(state, who, day, family)


@router.get("/api/puzzles", tags=["puzzles"], response_model=list[PuzzleEntry])
async def all_puzzles(request: Request) -> Response:
    """Return a summary of every puzzle, the easiest first."""
    return await kept(request, puzzles.listed)


@router.get("/api/puzzles/{puzzle_id}", tags=["puzzles"], response_model=PuzzleQuestion)
async def one_puzzle(puzzle_id: str, request: Request) -> Response:
    """Return one puzzle as its seat sees it."""
    return await _puzzle(request, puzzles.asked, puzzle_id)


@router.get("/api/puzzles/{puzzle_id}/answer", tags=["puzzles"], response_model=PuzzleAnswer)
async def puzzle_answer(puzzle_id: str, request: Request) -> Response:
    """Return one puzzle with its answer, what each choice is worth and why, and all cards."""
    return await _puzzle(request, puzzles.answered, puzzle_id)


@router.get(
    "/api/mistakes",
    tags=["people"],
    response_model=mistakes.MistakesKept,
    dependencies=MISTAKES,
)
async def all_mistakes(state: State, who: Person) -> Response:
    """Return the mistakes that you are asked again; none are kept without a passkey."""
    return Response(await mistakes.listed(state, who), media_type="application/json")


@router.patch("/api/mistakes", tags=["people"], dependencies=MISTAKES)
async def keep_mistakes(
    state: State, who: Person, changed: mistakes.MistakesChanged
) -> mistakes.MistakesKept:
    """Keep mistakes of yours, or your answers to them; the last answer counts."""
    return await mistakes.keep(state, who, changed)


@lru_cache(maxsize=256)
def _content(make: Callable[[str], object], puzzle_id: str) -> Content:
    """Return what is told of a puzzle, as JSON.

    There are more puzzles than are kept, so they are kept apart: whoever goes through all of them
    takes nothing else from the others.
    """
    return json_content.__wrapped__(make, puzzle_id)


async def _puzzle(request: Request, make: Callable[[str], object], puzzle_id: str) -> Response:
    """Return what is told of a puzzle, as content that browsers keep."""
    content = await in_thread(_content, make, puzzle_id.strip().lower())
    return content.answer(request.headers)


@router.post("/api/matches", tags=["tables"], status_code=201, dependencies=HANDED)
async def hand_in(state: State, who: Person, played: handed.MatchPlayed) -> handed.MatchKept:
    """Keep a match that you have played on your device, against bots, at a table of its own.

    It may be sent again until it is answered: the same match is kept once.
    """
    return await handed.hand_in(state, who, played)
