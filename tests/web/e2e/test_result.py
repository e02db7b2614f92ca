"""A hand's result: a sentence first, where the points came from, and it stays until it is read."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import expect
from tests.server.http.served import table_for
from tests.web.e2e.people import DESKTOP, NARROW, Someone, is_done, turns
from tests.web.e2e.sizes import faults_in_both, sized

Invite = Callable[..., Someone]


def test_alone_the_result_stays_and_says_first_what_came_of_the_bid(invite: Invite) -> None:
    ann = invite("Ann", **NARROW)
    ann.at_table(left_of_dealer=True, rules="kd_tournament", pace="instant")
    ann.until("play")
    counted = []
    while (asked := ann.shown())["kind"] == "play":
        table = ann.table()
        view = table["view"]
        side = next(side for side in table["sides"] if view["declarer"] in side)
        n = sum(table["taken"][seat] for seat in side)
        so_far = ann.page.locator(".contract .so-far .unseen")
        expect(so_far).to_have_text(re.compile(rf"(?<!\d){n} of {view['bid']}$"))
        counted.append(n)
        ann.act(asked)
    table = ann.table()
    view, result = table["view"], table["result"]
    assert view["phase"] == "done"
    assert counted == sorted(counted)
    title = ann.page.locator("#over-title")
    verdict = "Made" if result["made"] else "Set"
    score = view["score"][view["declarer"]]
    signed = f"+{score}" if score > 0 else f"\u2212{-score}"
    expect(title).to_have_text(
        re.compile(rf"^{verdict}.* bid {view['bid']} and .*took {view['points'][0]}: \{signed}\.$")
    )
    lines = ann.page.locator(".over .took li")
    for i, source in enumerate(result["sources"]):
        for kind, words in (("tricks", "in tricks"), ("nest", "from the nest")):
            if source[kind]:
                expect(lines.nth(i)).to_contain_text(f"{source[kind]} {words}")
    assert not faults_in_both(ann.page)
    # Nobody deals on: the pace of this table would do so at once.
    assert table["pause"] is None
    expect(ann.page.get_by_role("timer")).to_have_count(0)
    ann.page.wait_for_timeout(1500)
    assert ann.table()["hand_number"] == table["hand_number"]
    to_the_daily_deals(ann, ".over")
    # The match waits meanwhile.
    ann.page.go_back()
    ann.press("Next hand")
    ann.page.wait_for_function("(n) => told.table.hand_number > n", arg=table["hand_number"])


def to_the_daily_deals(ann: Someone, where: str) -> None:
    """Take the only link to the daily deals there, as large as a finger needs, and look at them."""
    link = ann.page.locator(where).get_by_role("link", name="Today's deals")
    expect(link).to_have_count(1)
    for device in sized(ann.page, NARROW, DESKTOP):
        box = link.bounding_box()
        assert box is not None
        assert box["height"] >= (44 if device is NARROW else 36)
    ann.hit(link)
    expect(ann.page.get_by_role("heading", name="Today's deals")).to_be_visible()


def test_from_the_end_of_a_match_a_way_leads_to_the_daily_deals(invite: Invite) -> None:
    ann = invite("Ann")
    ann.at_table(rules={"base": "kd_tournament", "target": 5}, pace="instant")
    while (table := ann.table())["phase"] != "over":
        if table["view"]["to_act"] == table["you"]:
            ann.turn()
        ann.moved(table["seq"])
    expect(ann.page.get_by_role("button", name="Rematch")).to_be_visible()
    assert not faults_in_both(ann.page)
    to_the_daily_deals(ann, ".over")


def test_with_others_a_countdown_is_seen(invite: Invite) -> None:
    ann, bob = invite("Ann"), invite("Bob")
    client = ann.here.browser("Ann")
    code = table_for(client, rules="kd_tournament", pace="brisk")
    ann.known(client)
    ann.page.goto(f"/t/{code}")
    bob.comes(code)
    ann.press("Start", exact=False)
    ann.page.wait_for_function("() => told.table.view")
    for due in turns((ann, bob), is_done):
        due.turn()
    for someone in (ann, bob):
        timer = someone.page.get_by_role("timer")
        expect(timer).to_have_text(re.compile(r"Next hand in \d+ seconds?"))
    # Nobody who plays with others is led away.
    expect(ann.page.get_by_role("link", name="Today's deals")).to_have_count(0)
    verdict, sources = (bob.words(css) for css in ("#over-title", ".over .took li"))
    ann.press("Next hand")
    expect(ann.page.locator(".over")).to_contain_text("Waiting for Bob.")
    bob.press("Next hand")
    bob.page.wait_for_function("() => told.table.view.phase === 'auction'")
    # Whoever has not read it, because it went by itself or too soon, can do so now.
    bob.press("Last hand")
    dialog = bob.page.locator("dialog")
    expect(dialog).to_contain_text(verdict[0])
    for line in sources:
        expect(dialog).to_contain_text(line)
    dialog.get_by_text("All cards of this hand").click()
    expect(dialog.locator(".face").nth(40)).to_be_attached()
    assert not faults_in_both(bob.page)
    bob.page.keyboard.press("Escape")
    bob.no_dialog()
    for due in turns((ann, bob), lambda table: bool(table["view"]["tricks"])):
        due.turn()
    # From then on there is a last trick to look at.
    expect(bob.page.get_by_role("button", name="Last trick")).to_be_visible()
    expect(bob.page.get_by_role("button", name="Last hand")).to_have_count(0)
