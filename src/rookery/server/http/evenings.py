"""The routes of evenings of many tables, which a host runs and many phones write."""

from __future__ import annotations

import gzip
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Header, Path, Query, Request, Response

from rookery.evening.log.changes import MOST_PEOPLE, MOST_ROUNDS
from rookery.evening.log.pairs import DealTold
from rookery.evening.log.told import RoundTold
from rookery.evening.movements.suited import rounds_in
from rookery.fairness.evening import MOST_DEALS
from rookery.server.api.evenings import evening as evenings
from rookery.server.api.evenings import table_sheet, telling
from rookery.server.api.evenings.screens import see_made
from rookery.server.api.state import KEY_MAX, Reader
from rookery.server.http.dependencies import (
    AddressLimit,
    LimitedRoute,
    Person,
    PersonLimit,
    State,
    Visitor,
)
from rookery.server.http.sheets import (
    LOOK,
    RECORD,
    TEXT,
    WRITTEN,
    FormAsked,
    LanguageAsked,
    to_keep,
)
from rookery.server.http.static import is_known, takes_gzip
from rookery.server.work import in_thread

router = APIRouter(route_class=LimitedRoute, tags=["evenings"])
At: Final = "/api/evenings/{evening}"
OfEvening = Annotated[str, Path(max_length=20, description="The code of the evening.")]
OfRound = Annotated[int, Path(ge=1, le=MOST_ROUNDS, description="The number of a round.")]
OfDeal = Annotated[int, Path(ge=1, le=MOST_DEALS, description="The number of a prepared deal.")]
OfTable = Annotated[int | None, Query(ge=1, lt=1000, description="For whoever scores this table.")]
Key = Annotated[str | None, Header(alias="x-evening-key", max_length=KEY_MAX)]
MADE: Final = [Depends(AddressLimit("tables")), Depends(PersonLimit("evening"))]
PACKED: Final = 2_000  # bytes, beyond which it saves something
_JSON: Final[dict[int | str, dict[str, Any]]] = {
    200: {"content": {"application/json": {"schema": {"type": "object"}}}}
}


async def _here(state: State, who: Visitor, evening: OfEvening, key: Key = None) -> evenings.Found:
    found = await evenings.find(state, evening, Reader(who, key))
    await see_made(state, found.held)
    return found


Here = Annotated[evenings.Found, Depends(_here)]


@router.get("/api/movements", dependencies=LOOK)
async def movements_for(
    people: Annotated[int, Query(ge=1, le=MOST_PEOPLE, description="How many play.")],
    rounds: Annotated[
        int | None, Query(ge=1, le=MOST_ROUNDS, description="For how many there is time.")
    ] = None,
    minutes: Annotated[
        int | None, Query(ge=1, le=1440, description="How long there is time, instead of rounds.")
    ] = None,
    rules: Annotated[
        list[Annotated[str, Query(max_length=64)]] | None,
        Query(max_length=evenings.MOST_GAMES, description="Games of the catalogue."),
    ] = None,
) -> evenings.Choices:
    """Return the movements that can seat so many people, the most suitable first."""
    if rounds is None and minutes is not None:
        rounds = min(rounds_in(minutes), MOST_ROUNDS)
    return await in_thread(evenings.choices, people, rounds, rules or [])


@router.post(
    "/api/evenings", status_code=201, response_model=telling.EveningMade, dependencies=MADE
)
async def make_evening(state: State, who: Person, wanted: evenings.EveningWanted) -> Response:
    """Make an evening of many tables, which you and whoever has its key can run."""
    found, key = await evenings.make(state, who, wanted)
    told = await in_thread(telling.tell, state, found)
    body = b'{"key":"%b",%b' % (key.encode(), told[1:])
    return Response(body, status_code=201, media_type="application/json")


@router.get(At, response_model=telling.EveningSeen, dependencies=LOOK)
async def one_evening(state: State, here: Here, request: Request) -> Response:
    """Return an evening; 304 where the last answer, named by its ETag, still holds."""
    headers = {
        "etag": f'"{here.tag}"',
        "cache-control": "private, no-cache",
        "vary": "cookie, x-evening-key, accept-encoding",
    }
    if is_known(request.headers.get("if-none-match", ""), here.tag):
        return Response(status_code=304, headers=headers)
    body = await in_thread(telling.tell, state, here)
    if len(body) > PACKED and takes_gzip(request.headers):
        # Quickly: it is another one for everybody, and for every score.
        body = await in_thread(gzip.compress, body, 1)
        headers["content-encoding"] = "gzip"
    return Response(body, headers=headers, media_type="application/json")


@router.get(f"{At}/rounds/{{number}}", dependencies=LOOK)
async def evening_round(here: Here, number: OfRound) -> RoundTold:
    """Return a round of an evening that has begun."""
    return await in_thread(telling.tell_round, here, number)


@router.get(f"{At}/rounds/{{number}}/links", dependencies=LOOK)
async def evening_links(state: State, here: Here, number: OfRound) -> telling.RoundLinks:
    """Return the links of all tables of a round and their QR codes, for whoever runs it."""
    return await telling.round_links(state, here, number)


@router.get(f"{At}/deals/{{number}}", dependencies=LOOK)
async def evening_deal(state: State, here: Here, number: OfDeal) -> DealTold:
    """Return what all tables made of a prepared deal, once the evening is over."""
    return await telling.tell_deal(state, here, number)


@router.get(f"{At}/slips", response_model=None, responses=_JSON, dependencies=RECORD)
async def evening_slips(here: Here) -> Response:
    """Return the slips to deal prepared cards by hand, for whoever runs it; they show all cards."""
    # Imported late: a start loads only what a page needs.
    from rookery.server.api.evenings.deals import tell_slips

    body = await tell_slips(here)
    return Response(body, headers={"cache-control": "no-store"}, media_type="application/json")


@router.get(f"{At}/opened", response_model=None, responses=_JSON, dependencies=RECORD)
async def evening_opened(here: Here) -> Response:
    """Return the record of all prepared deals with their key, once the evening is over."""
    # Imported late: a start loads only what a page needs.
    from rookery.server.api.evenings.deals import tell_opened

    name = f"rookery-evening-{here.row.code}-deals"
    return to_keep(await tell_opened(here), name, "json")


@router.post(f"{At}/changes", response_model=telling.EveningSeen, dependencies=WRITTEN)
async def change_evening(
    state: State, who: Person, here: Here, wanted: evenings.ChangeWanted
) -> Response:
    """Change an evening and return it. Sent again, a change counts once."""
    body = await in_thread(telling.tell, state, await evenings.change(state, here, who, wanted))
    return Response(body, media_type="application/json")


@router.post(f"{At}/sheets", dependencies=WRITTEN)
async def keep_sheet(
    state: State, who: Person, here: Here, wanted: table_sheet.TableSheetWanted
) -> table_sheet.SheetOfTable:
    """Return the score sheet of a table in a round; begin it where there is none yet."""
    return await table_sheet.keep(state, here, wanted)


@router.get(f"{At}/link", dependencies=LOOK)
async def evening_link(
    state: State, here: Here, table: OfTable = None, key: Key = None
) -> telling.EveningLink:
    """Return a link to an evening and its QR code: to look, to run it, or to score a table."""
    return await in_thread(telling.link, state, here, key, table)


@router.get(f"{At}/file", response_class=Response, responses=TEXT, dependencies=RECORD)
async def evening_file(here: Here, form: FormAsked = "csv", lang: LanguageAsked = "en") -> Response:
    """Return the standings and all rounds of an evening, to keep."""
    text = await in_thread(telling.file, here, form, lang)
    return to_keep(text, f"rookery-evening-{here.row.code}", form)


@router.delete(At, dependencies=WRITTEN)
async def drop_evening(state: State, who: Person, here: Here) -> evenings.EveningGone:
    """Delete an evening that you have made, for everybody."""
    return await evenings.drop(state, here)
