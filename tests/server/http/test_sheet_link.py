"""The link of a score sheet for whoever writes too, and what its form is told to ask for."""

from __future__ import annotations

import asyncio

from tests.server.http.served import Here
from tests.server.http.test_sheets import NAMES, made


def test_the_link_of_a_sheet_has_the_key_that_was_shown_and_no_other() -> None:
    async def story() -> None:
        here = Here()
        async with here.person("Ann") as ann, here.browser() as eve:
            sheet = await made(ann)
            at, key = f"/api/sheets/{sheet['code']}/link", sheet["key"]
            plain = (await eve.get(at)).json()
            assert plain["link"].endswith(f"/s/{sheet['code']}")
            assert plain["picture"].startswith("<svg")
            shown = (await eve.get(at, headers={"x-sheet-key": key})).json()
            assert shown["link"] == f"{plain['link']}#{key}"
            assert shown["picture"] != plain["picture"]
            refused = await eve.get(at, headers={"x-sheet-key": "a" * 22})
            assert (refused.status_code, refused.json()["error"]["code"]) == (403, "bad-key")

    asyncio.run(story())


def test_what_can_be_captured_is_said_without_the_bonus() -> None:
    async def story() -> None:
        async with Here().person("Ann") as ann:
            sheet = await made(ann, rules="call_partner_5", players=[*NAMES, "Eve"])
            assert (sheet["total_points"], "last_trick" in sheet["asks"]["all"]) == (180, True)

    asyncio.run(story())
