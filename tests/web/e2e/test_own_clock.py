"""A device whose clock is set back during an evening."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from tests.web.e2e.conftest import Invite
from tests.web.e2e.real_evenings import CALM
from tests.web.e2e.test_hall import Evening, people

HOUR = 3_600_000  # milliseconds
SET_BACK = "(ms) => { const now = Date.now; Date.now = () => now() - ms; }"


@pytest.mark.parametrize("back", [0, HOUR], ids=["right", "set back"])
def test_whoever_has_the_evening_open_is_taken_to_their_table(invite: Invite, back: int) -> None:
    bo = invite("Bo")
    evening = Evening(bo.here, people(8), screens=CALM)
    client = bo.here.browser("Bo")
    claim = {"id": f"claim-{evening.code:>016}", "change": {"do": "claim", "person": 0}}
    client.post(f"/api/evenings/{evening.code}/changes", json=claim).raise_for_status()
    bo.known(client)
    bo.page.goto(f"/e/{evening.code}")
    expect(bo.page.locator("#place-title")).to_contain_text("The first round hasn't begun")
    bo.page.evaluate(SET_BACK, back)
    evening.begin(1)
    bo.page.wait_for_url("**/t/*", timeout=20_000)
