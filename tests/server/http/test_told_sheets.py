"""What a phone is told of the sheet of a table, and when it has to hear it anew."""

from __future__ import annotations

from tests.server.http.test_table_sheets import NAMES, Table, at_a_table


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
