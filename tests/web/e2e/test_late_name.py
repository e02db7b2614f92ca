"""Whoever takes a free name during a round types a score that waits for somebody else."""

from __future__ import annotations

from playwright.sync_api import expect
from tests.web.e2e.people import NARROW
from tests.web.e2e.phones import Phones
from tests.web.e2e.test_evening import begin, come, new_evening, score, told


def test_a_score_by_a_name_taken_during_the_round_is_agreed_to_by_the_host(phones: Phones) -> None:
    host = phones.page(**NARROW)
    link = new_evening(host)
    begin(host, 1)
    host.get_by_role("button", name="Begin round 2").click()
    host.get_by_role("button", name="Yes, begin round 2 without these scores").click()
    expect(host.get_by_text("All tables of round 2")).to_be_visible()
    bo = phones.page(**NARROW)
    come(bo, link, "Bo")
    score(bo.locator(".place"), "120", "60")
    expect(bo.locator(".place .dispute")).to_contain_text("took that name only during the round")
    phones.look(bo, "a score that waits")
    assert not bo.get_by_role("button", name="I agree").count()  # they have said so themselves
    [table] = [one for one in told(bo)["evening"]["round"]["tables"] if one["state"] == "waiting"]
    host.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    row = host.locator(f".this-round [data-table='{table['number']}']")
    expect(row).to_contain_text("not agreed yet")
    row.get_by_role("button", name=f"Enter the score of table {table['number']}").click()
    agree = row.get_by_role("button", name="I agree")
    # What the server has against it is said.
    no = {"error": {"code": "bad-key", "reason": ""}}
    host.route("**/changes", lambda route: route.fulfill(status=403, json=no))
    agree.click()
    expect(row.get_by_role("alert")).to_contain_text("Only whoever made this")
    host.unroute("**/changes")
    agree.click()
    expect(bo.locator(".place .said-row b")).to_have_text(["120", "60"])
