"""Whoever runs an evening by its key shows it wherever they look at rounds of prepared deals."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page
from tests.web.test_looks_again import PART, ROUNDS, rounds_so_far

KEY = "k" * 43
HOST = ["/static/pages/evening/host.js", "Run", "beside/evening"]
WAYS = ["/static/pages/evening/ways.js", "Result", "beside/evening"]
ROUND = {"number": 1, "tables": [], "byes": [], "beaten": [], "playing": []}


def by_key() -> dict[str, Any]:
    """Return what the page of a host with a key is drawn of, in the second round."""
    shown = rounds_so_far(1)
    shown["state"]["key"] = KEY
    shown["state"]["told"]["evening"] |= {
        **{"missing": [[1, 1]], "stay": [], "full": None, "by_results": False, "deals": 2},
        **{"round": {**ROUND, "number": 2}, "ends": None, "key": None},
    }
    return shown


@pytest.fixture(autouse=True)
def soon(bare: Page) -> None:
    bare.set_default_timeout(8_000)


@pytest.mark.parametrize("part", [ROUNDS, HOST], ids=["all rounds", "what is missing"])
def test_an_earlier_round_is_looked_at_with_the_key(bare: Page, part: list[str]) -> None:
    bare.route("**/rounds/1", lambda route: route.fulfill(json=ROUND))
    bare.evaluate(PART, [*part, by_key()])
    with bare.expect_request("**/rounds/1") as asked:
        if part is ROUNDS:
            bare.get_by_text("Round 1").click()
        else:
            bare.get_by_role("button", name="Enter score: ").click()
    assert asked.value.headers.get("x-evening-key") == KEY


def test_the_result_is_saved_with_the_key(bare: Page) -> None:
    bare.route("**/file?*", lambda route: route.fulfill(body="the result"))
    bare.evaluate(PART, [*WAYS, {"code": "ABCDEF2", "secret": KEY}])
    bare.locator("summary").filter(has_text="Result as a file").click()
    for form in ("csv", "json", "txt"):
        with bare.expect_request("**/file?*") as asked, bare.expect_download() as saved:
            bare.locator(f"a[download$={form}]").click()
        assert asked.value.headers.get("x-evening-key") == KEY
        assert saved.value.suggested_filename == f"rookery-evening-ABCDEF2.{form}"
        assert saved.value.path().read_text() == "the result"
    # One that is refused is no file.
    no = {"error": {"code": "not-over", "reason": ""}}
    bare.route("**/file?*", lambda route: route.fulfill(status=403, json=no))
    bare.locator("a[download$=csv]").click()
    bare.get_by_role("alert").filter(has_text="All tables play the same cards").wait_for()
