"""An evening of prepared deals that is deleted while they are played."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import httpx
import pytest
from tests.server.core.tables import PEOPLE, quiet
from tests.server.http.served import HOUR, Here
from tests.server.http.test_evenings import NAMES, ROUND, done, made, refusal
from tests.server.http.test_screens import (
    FAST,
    _cards_in,
    _first_round,
    _looked,
    all_scored,
    looks_often,
    until,
)
from tests.server.http.test_screens_alone import opened, parts

from rookery.server.api.evenings import screens
from rookery.server.live.actor import Actor
from rookery.server.registry.tables import TableRegistry
from rookery.server.settings import Settings
from rookery.server.table.state import Who

__all__ = ["looks_often"]


async def deleted(ann: httpx.AsyncClient, code: str) -> httpx.Response:
    """Delete an evening."""
    return await ann.delete(f"/api/evenings/{code}")


async def forgotten(ann: httpx.AsyncClient, code: str) -> httpx.Response:
    """Have whoever has made it forgotten."""
    return await ann.delete("/api/session")


@pytest.mark.parametrize("delete", [deleted, forgotten])
def test_its_deals_show_no_card_until_it_would_have_gone_by_itself(
    delete: Callable[[httpx.AsyncClient, str], Awaitable[httpx.Response]],
) -> None:
    async def story() -> None:
        here = Here()
        async with here.running(), here.person("Ann") as ann, here.browser() as eve:
            evening, codes = await _first_round(ann)
            assert (await delete(ann, evening["code"])).is_success
            for code in codes:
                answer = await eve.get(f"/api/tables/{code}/record")
                assert refusal(answer)[:2] == (403, "not-over")
                assert _cards_in(await _looked(eve, code)) == set()
                found = await here.registry.place(code)
                assert isinstance(found, Actor)
                assert not await parts(here).evenings.shows(found.table, PEOPLE[0].id)
            here.registry.clock.set(here.registry.clock.now() + here.settings.keep_sheet)
            for code in codes:
                assert len(_cards_in(await _looked(eve, code))) > 30

    asyncio.run(story())


def test_the_tables_of_one_that_is_past_its_time_show_their_cards_whoever_comes_back() -> None:
    async def story() -> None:
        here = Here(Settings(grace=100, unseen=100))
        async with here.running(), here.person("Ann") as ann, here.browser() as eve:
            evening = await made(ann, movement="mitchell", people=[*NAMES, *"abcd"], screens=FAST)
            await done(ann, evening, {"do": "claim", "person": 0})
            await done(ann, evening, ROUND)
            await until(ann, f"/api/evenings/{evening['code']}", all_scored)
            actors = here.registry.actors
            seats = [(one, chair) for one in actors for chair in one.table.chairs if chair.person]
            ((actor, chair),) = seats
            here.registry.clock.set(here.registry.clock.now() + here.settings.keep_sheet)
            await here.store.sheets.expire(here.registry.clock.now() - here.settings.keep_sheet)
            for comes_back in (False, True):
                if comes_back:
                    actor.connect(Who(chair.person or "", chair.name))
                    await quiet(actor)
                    assert here.registry.clock.now() - actor.table.touched_at < HOUR
                record = await eve.get(f"/api/tables/{actor.table.code}/record")
                assert record.status_code == 200

    asyncio.run(story())


def test_its_name_goes_from_its_tables_with_whoever_has_made_it() -> None:
    async def story() -> None:
        here = Here()
        async with here.running(), here.person("Ann") as ann:
            evening = await made(ann, name="Larkspur", screens=FAST)
            await done(ann, evening, ROUND)
            await opened(here, evening, 2)
            await until(ann, f"/api/evenings/{evening['code']}", all_scored)
            codes = [one.table.code for one in here.registry.actors]

            async def called() -> int:
                tables = [str(await here.store.read(code)) for code in codes]
                return sum("Larkspur" in one for one in tables)

            assert (len(codes), await called()) == (2, 2)
            assert (await forgotten(ann, evening["code"])).is_success
            assert await called() == 0

    asyncio.run(story())


def test_its_tables_rest_at_another_server_too_but_for_those_where_somebody_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def story() -> None:
        here = Here()
        other = TableRegistry(here.store, here.settings)
        async with here.running(), here.person("Ann") as ann:
            evening = await made(ann, screens={**FAST, "pace": "calm"})
            await done(ann, evening, ROUND)
            await opened(here, evening, 2)
            monkeypatch.setattr(screens, "look_after", lambda *_, **__: None)
            for actor in here.registry.actors:
                await here.registry.put_away(actor.table.code)
                assert isinstance(await other.place(actor.table.code), Actor)
            attended = other.actors[0]
            attended.connect(PEOPLE[0])
            await other.sweep()
            assert len(other.actors) == 2  # the control: they play
            assert (await deleted(ann, evening["code"])).is_success
            await other.sweep()
            assert other.actors == [attended]
            await other.leave()

    asyncio.run(story())
