"""What a phone is told of the sheet of a table, and when it has to hear it anew."""

from __future__ import annotations

import asyncio
import json
from itertools import count
from typing import Any

import pytest
from tests.server.http.test_sheets import MADE, entry
from tests.server.http.test_table_sheets import LOST, NAMES, Table, at_a_table

from rookery.server.api.evenings import evening as api_evening
from rookery.server.api.evenings import table_sheet
from rookery.server.api.evenings.table_sheet import AtTable
from rookery.server.api.sheets import sheet as api_sheet
from rookery.server.api.state import AppState
from rookery.server.store.people.sheets import SheetEntry

BODIES = [json.dumps(said) for said in (MADE, LOST)]


def test_a_phone_hears_that_somebody_at_the_table_has_no_name_any_more() -> None:
    async def story(at: Table) -> None:
        sheet = (await at.sheet(at.cy)).json()
        way = f"/api/sheets/{sheet['code']}"
        before = await at.cy.get(way)
        assert before.json()["players"][0] == NAMES[at.seats[0]]
        known = {"if-none-match": before.headers["etag"]}
        assert (await at.cy.get(way, headers=known)).status_code == 304
        assert (await at.bob.delete("/api/session")).is_success
        after = await at.cy.get(way, headers=known)
        assert after.status_code == 200
        assert after.json()["players"][0] == f"#{at.seats[0] + 1}"

    at_a_table(story)


def test_of_two_phones_at_once_the_evening_has_the_newer_total(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sound, there, go_on = table_sheet.say, asyncio.Event(), asyncio.Event()

    async def slow(*what: Any) -> AtTable:  # noqa: ANN401
        if not there.is_set():
            there.set()
            await go_on.wait()
        return await sound(*what)

    async def story(at: Table) -> None:
        sheet = (await at.sheet(at.ann)).json()
        for hand in (0, 1):
            await at.write(at.ann, sheet, entry(hand + 1, MADE, hand))
        monkeypatch.setattr(table_sheet, "say", slow)
        last = asyncio.create_task(at.write(at.ann, sheet, entry(3, MADE, 2)))
        await there.wait()
        # Before its total is said, the other phone corrects a hand and writes one more.
        await at.write(at.ann, sheet, entry(4, LOST, 0, over=1))
        await at.write(at.ann, sheet, entry(5, MADE, 3))
        go_on.set()
        told = await last
        assert (told["totals"], told["entries"]) == ([340, 140, 340, 140], 5)
        assert told["table"]["same"]
        assert await at.stands() == ("stands", told["totals"])

    at_a_table(story)


def test_phones_that_write_without_end_have_nobody_wait_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sound, numbers = table_sheet.say, count(4)

    async def story(at: Table) -> None:
        sheet = (await at.sheet(at.ann)).json()
        await at.game(at.ann, sheet)
        cy = (await at.cy.get("/api/session")).json()["person"]

        async def overtaken(state: AppState, *what: Any) -> AtTable:  # noqa: ANN401
            said = await sound(state, *what)
            number = next(numbers)
            other = SheetEntry(0, f"{number:016}", cy, "Cy", 0, 0, number, BODIES[number % 2])
            now = state.registry.clock.now()
            assert await state.registry.store.sheets.write(sheet["code"], other, now, 999)
            return said

        monkeypatch.setattr(table_sheet, "say", overtaken)
        await asyncio.wait_for(at.write(at.ann, sheet, entry(99, LOST, 1, over=9)), 60)
        monkeypatch.undo()
        # Whoever writes next says what is on the sheet.
        told = await at.write(at.ann, sheet, entry(100, MADE, 1, over=99))
        assert told["table"]["same"]
        assert await at.stands() == ("stands", told["totals"])

    at_a_table(story)


def test_what_one_version_has_told_is_told_anew_by_another(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(at: Table) -> None:
        sheet = (await at.sheet(at.ann)).json()
        ways = f"/api/sheets/{sheet['code']}", f"/api/evenings/{at.evening['code']}"
        known = [{"if-none-match": (await at.ann.get(way)).headers["etag"]} for way in ways]

        async def told() -> list[int]:
            answers = [
                await at.ann.get(way, headers=tag) for way, tag in zip(ways, known, strict=True)
            ]
            return [one.status_code for one in answers]

        assert await told() == [304, 304]
        for tells in (api_sheet, api_evening):
            monkeypatch.setattr(tells, "version", lambda: "99.0.0")
        assert await told() == [200, 200]

    at_a_table(story)
