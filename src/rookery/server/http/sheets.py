"""The routes of score sheets for real cards, which several phones write."""

from __future__ import annotations

from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Header, Path, Query, Request, Response

from rookery.rules import Language
from rookery.server.api.evenings.telling import Form
from rookery.server.api.sheets import sheet as sheets
from rookery.server.api.sheets import told as sheet_told
from rookery.server.api.state import KEY_MAX, Reader
from rookery.server.http.dependencies import (
    AddressLimit,
    LimitedRoute,
    Person,
    PersonLimit,
    State,
    Visitor,
)
from rookery.server.http.static import is_known
from rookery.server.work import in_thread

router = APIRouter(route_class=LimitedRoute, tags=["score sheets"])
At: Final = "/api/sheets/{sheet}"
OfSheet = Annotated[str, Path(max_length=20, description="The code of the sheet.")]
Key = Annotated[str | None, Header(alias="x-sheet-key", max_length=KEY_MAX)]
EveningKey = Annotated[
    str | None,
    Header(
        alias="x-evening-key",
        max_length=KEY_MAX,
        description="The key of the evening, or of the table, where the sheet is kept.",
    ),
]
MADE: Final = [Depends(AddressLimit("tables")), Depends(PersonLimit("sheet"))]
LOOK: Final = [Depends(AddressLimit("look"))]
WRITTEN: Final = [Depends(PersonLimit("score"))]
RECORD: Final = [Depends(AddressLimit("record"))]
KINDS: Final = {"csv": "text/csv", "json": "application/json", "text": "text/plain"}


def to_keep(body: str, name: str, form: Form) -> Response:
    """Return the answer that a browser keeps as a file of that name, which `form` ends."""
    end = "txt" if form == "text" else form
    if form == "csv":
        body = f"\ufeff{body}"  # by this mark a spreadsheet reads names as UTF-8
    headers = {"content-disposition": f'attachment; filename="{name}.{end}"'}
    return Response(body, media_type=KINDS[form], headers=headers)


async def _reader(who: Visitor, key: Key = None, evening: EveningKey = None) -> Reader:
    return Reader(who, key, evening)


By = Annotated[Reader, Depends(_reader)]
FormAsked = Annotated[Form, Query(description="What is wanted.")]
LanguageAsked = Annotated[Language, Query(description="The language of the words; JSON has none.")]
TEXT: Final[dict[int | str, dict[str, Any]]] = {
    200: {"content": {kind: {"schema": {"type": "string"}} for kind in KINDS.values()}}
}


@router.post("/api/sheets", status_code=201, dependencies=MADE)
async def make_sheet(
    state: State, who: Person, wanted: sheet_told.SheetWanted
) -> sheet_told.SheetMade:
    """Make a score sheet, which you and whoever has its key can write."""
    return await sheets.make(state, who, wanted)


@router.get(At, response_model=sheet_told.SheetTold, dependencies=LOOK)
async def one_sheet(state: State, by: By, sheet: OfSheet, request: Request) -> Response:
    """Return a score sheet; 304 where the last answer, named by its ETag, still holds."""
    found = await sheets.find(state, sheet, by)
    headers = {
        "etag": f'"{found.tag}"',
        "cache-control": "private, no-cache",
        "vary": "cookie, x-sheet-key, x-evening-key",
    }
    if is_known(request.headers.get("if-none-match", ""), found.tag):
        return Response(status_code=304, headers=headers)
    told = await sheets.tell(state, found)
    body = await in_thread(told.model_dump_json)
    return Response(body, headers=headers, media_type="application/json")


@router.post(f"{At}/entries", dependencies=WRITTEN)
async def write_on_sheet(
    state: State, who: Person, by: By, sheet: OfSheet, wanted: sheet_told.EntryWanted
) -> sheet_told.SheetTold:
    """Write an entry; whoever has not made the sheet sends its key. Sent again, it counts once."""
    return await sheets.write(state, await sheets.find(state, sheet, by), who, wanted)


@router.post(f"{At}/result", dependencies=WRITTEN)
async def sheet_result(
    state: State, who: Person, by: By, sheet: OfSheet, wanted: sheet_told.ResultWanted
) -> sheet_told.SheetTold:
    """Score the sheet's table at an evening by the sheet's total. Sent again, it counts once."""
    return await sheets.result(state, await sheets.find(state, sheet, by), who, wanted)


@router.post(f"{At}/check", dependencies=[Depends(AddressLimit("check"))])
async def check_hand(
    state: State, who: Visitor, sheet: OfSheet, wanted: sheet_told.HandAsked
) -> sheet_told.HandChecked:
    """Return which fields a hand needs, what is wrong with it, and what it would score."""
    found = await sheets.find(state, sheet, Reader(who, None))
    return await in_thread(sheets.check, found, wanted.said)


@router.get(f"{At}/link", dependencies=LOOK)
async def sheet_link(
    state: State, who: Visitor, sheet: OfSheet, key: Key = None
) -> sheet_told.SheetLink:
    """Return the link to a score sheet and its QR code; with the key in it, if you send that."""
    return await sheets.link(state, await sheets.find(state, sheet, Reader(who, key)), key)


@router.get(f"{At}/file", response_class=Response, responses=TEXT, dependencies=RECORD)
async def sheet_file(
    state: State,
    who: Visitor,
    sheet: OfSheet,
    form: FormAsked = "csv",
    lang: LanguageAsked = "en",
) -> Response:
    """Return a score sheet to keep, as `rookery evening score` prints it."""
    found = await sheets.find(state, sheet, Reader(who, None))
    text = await sheets.file(state, found, form, lang)
    return to_keep(text, f"rookery-sheet-{found.found.sheet.code}", form)


@router.delete(At, dependencies=WRITTEN)
async def drop_sheet(state: State, who: Person, sheet: OfSheet) -> sheet_told.SheetGone:
    """Delete a score sheet that you have made, for everybody."""
    return await sheets.drop(state, await sheets.find(state, sheet, Reader(who, None)))
