"""What somebody's own rules say of themselves is read by others, and made fit for that."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.server.http.served import Here

SAID: list[tuple[str, str]] = [
    ("Grandma's", "Grandma's"),
    ("  two \u202e sides \x07", "two sides"),
    ("\u200b\u202e", "House rules"),
    ("x" * 500, "x" * 79 + "…"),
    ("<b>bold</b>", "<b>bold</b>"),
]


def made(rules: dict[str, Any]) -> dict[str, Any]:
    """Return what anybody sees of a table with these rules."""

    async def story() -> dict[str, Any]:
        here = Here()
        async with here.person("Ann") as ann, here.browser() as bob:
            answer = await ann.post("/api/tables", json={"rules": rules})
            assert answer.status_code == 201, answer.text
            seen = (await bob.get(f"/api/tables/{answer.json()['code']}")).json()
            checked = (await bob.post("/api/rules/check", json={"rules": rules})).json()
            assert checked["name"] == seen["rules"]["name"] == seen["rules_name"]
            table = await here.registry.table(answer.json()["code"])
            assert table is not None
            assert len(table.rules.notes) <= 600
            return dict(seen)

    return asyncio.run(story())


@pytest.mark.parametrize(("written", "shown"), SAID)
def test_a_name_is_shown_as_it_can_be(written: str, shown: str) -> None:
    seen = made({"base": "kd_tournament", "target": 60, "name": written, "notes": "n" * 9_000})
    assert seen["rules"]["name"] == shown
    assert seen["rules"]["options"]["target"] == 60


def test_an_id_of_ones_own_leads_nowhere_and_is_dropped() -> None:
    assert made({"base": "circus", "target": 60, "id": "grandmas"})["rules_id"] is None
    assert made({"base": "circus", "id": "circus"})["rules_id"] == "circus"


def test_rules_do_not_pass_for_others_of_the_catalogue() -> None:
    async def story() -> None:
        here = Here()
        async with here.person("Ann") as ann:
            rules = {"base": "kd_full_57", "id": "kd_tournament"}
            answer = await ann.post("/api/tables", json={"rules": rules})
            assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad-rules")

    asyncio.run(story())
