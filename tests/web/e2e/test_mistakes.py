"""What a review found to be mistakes is asked again, after 1, 3, 9 and 30 days."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from playwright.sync_api import expect
from tests.server.http.served import Served, token_of, wait_for
from tests.web.e2e.looks import faults
from tests.web.e2e.people import NARROW, Someone
from tests.web.e2e.sizes import faults_in_both
from tests.web.e2e.test_afterwards import Match, finished, reviewed

from rookery.server.names import token_hash
from rookery.server.registry.passkeys import Passkeys
from rookery.server.store.base import Challenge, Passkey

Invite = Callable[..., Someone]
DAY = 86_400_000  # milliseconds
# A list is kept for each person: that of whoever is here.
KEY = """const { person } = await (await fetch("/api/session")).json();
  const key = `rookery.mistakes.${person}`;"""
KEPT = f"""async () => {{
  {KEY}
  return JSON.parse(localStorage.getItem(key) || "[]");
}}"""


def changed_by(all_of: str) -> str:
    """Return a script that keeps `all_of` instead; it may name the first, `one`, and the `rest`."""
    return f"""async () => {{
      {KEY}
      const [one, ...rest] = JSON.parse(localStorage.getItem(key));
      localStorage.setItem(key, JSON.stringify({all_of}));
    }}"""


# The list is that of whoever plays on this device, and so is the table: a worker answers `replay`.
ON_DEVICE = f"""async (code) => {{
  {KEY}
  localStorage["rookery.mistakes.me"] = localStorage[key];
  localStorage.removeItem(key);
  localStorage["rookery.device"] = JSON.stringify({{ kit: "1", tables: [code] }});
  const opening = indexedDB.open("rookery.device", 1);
  opening.onupgradeneeded = () => {{
    opening.result.createObjectStore("kept").put('{{"id":"me"}}', "person");
  }};
  await new Promise((done) => (opening.onsuccess = done));
  opening.result.close();
}}"""
WORKER = """window.Worker = class {
  constructor() { setTimeout(() => this.onmessage({ data: { ready: [] } })); }
  postMessage(text) {
    const { id } = JSON.parse(text);
    const data = JSON.stringify({ type: "answer", id, status: 200, body: %s });
    setTimeout(() => this.onmessage({ data }));
  }
  terminate() {}
};"""
# The first question alone, due at once.
DUE = changed_by("[{ ...one, due: 0 }]")


@pytest.fixture(scope="module")
def match(here: Served) -> Match:
    return finished(here, "kd_tournament", 2)


def worst(match: Match) -> list[dict[str, Any]]:
    """Return the decisions of seat 0 that cost most, as the review has them."""
    of_ann = [
        one
        for hand in match.review["hands"]
        for one in hand["decisions"]
        if one["seat"] == 0 and one["sure"] and one["cost"] >= 5
    ]
    return sorted(of_ann, key=lambda one: -one["cost"])[:5]


def opened(invite: Invite, match: Match) -> Someone:
    """Return Ann, who has looked at the review of her match."""
    ann = invite("Ann")
    ann.known(match.browser)
    reviewed(ann.page, match.review)
    ann.page.goto(f"/review/{match.code}/0")
    expect(ann.page.get_by_text("asked again, after some days")).to_be_visible()
    return ann


def ask(ann: Someone) -> dict[str, Any]:
    """Have one question due, open the page, and return what is kept of it."""
    ann.page.evaluate(DUE)
    ann.page.goto("/mistakes")
    expect(ann.page.get_by_role("heading", name="What do you do now?")).to_be_visible()
    return dict(ann.page.evaluate(KEPT)[0])


def asked_of(decision: dict[str, Any]) -> dict[str, Any]:
    """Return what a question keeps of a decision in a review."""
    choices = [
        {key: one[key] for key in ("action", "margin", "error", "making")}
        for one in decision["alternatives"]
    ]
    return {**{key: decision[key] for key in ("seat", "best", "reason")}, "alternatives": choices}


def ask_first(ann: Someone) -> dict[str, Any]:
    """Have the first question due beside the others, open the page, and return what is kept."""
    ann.page.evaluate(changed_by("[{ ...one, due: 0 }, ...rest]"))
    ann.page.goto("/mistakes")
    expect(ann.page.get_by_role("heading", name="What do you do now?")).to_be_visible()
    return next(dict(one) for one in ann.page.evaluate(KEPT) if one["due"] == 0)


def place(one: dict[str, Any]) -> tuple[str, int, int]:
    return one["code"], one["hand"], one["at"]


def has_passkey(here: Served, match: Match) -> None:
    """Give the person of a browser a passkey."""
    person = match.browser.get("/api/session").json()["person"]
    passkey = Passkey(f"key of {person}", person, "handle", "key", 0, 5, 5)
    spent = Challenge(f"challenge of {person}", 10)
    by = token_hash(token_of(match.browser))
    adding = here.registry.store.add_passkey(passkey, spent, by, 9)
    with ThreadPoolExecutor(1) as apart:  # the browser's loop runs in this thread
        assert apart.submit(asyncio.run, adding).result()


def server_has(match: Match) -> tuple[bool, list[dict[str, Any]]]:
    told = match.browser.get("/api/mistakes").json()
    return told["kept"], told["mistakes"]


def days_left(ann: Someone) -> float:
    return float(ann.page.evaluate(f"async () => (await ({KEPT})())[0].due - Date.now()")) / DAY


def choose(ann: Someone, action: str) -> None:
    ann.hit(ann.page.locator(f'[data-action="{action}"]'))


@pytest.mark.slow
def test_a_mistake_is_asked_until_it_is_known(invite: Invite, match: Match) -> None:
    ann = opened(invite, match)
    kept = ann.page.evaluate(KEPT)
    wanted = worst(match)
    assert wanted
    assert [one["decision"] for one in kept] == [asked_of(decision) for decision in wanted]
    # What was kept once is not kept twice, and is not asked on the same day.
    ann.page.reload()
    expect(ann.page.get_by_text("asked again, after some days")).to_be_visible()
    assert ann.page.evaluate(KEPT) == kept
    ann.page.goto("/mistakes")
    expect(ann.page.get_by_text("Nothing to ask today.")).to_be_visible()

    one = ask(ann)["decision"]
    offered = {each["action"] for each in one["alternatives"]}
    shown = ann.page.locator("[data-action]")
    expect(shown).to_have_count(len(offered))
    assert {shown.nth(i).get_attribute("data-action") for i in range(shown.count())} == offered
    # The others' cards are closed: the board is what this seat saw.
    own = ann.page.get_by_role("group", name="Ann", exact=True)
    assert ann.page.locator(".replay-place .face").count() >= own.locator(".face").count() > 0
    assert not faults_in_both(ann.page)
    wrong = next(
        each["action"]
        for each in sorted(one["alternatives"], key=lambda each: each["margin"])
        if each["action"] != one["best"]
    )
    choose(ann, wrong)
    expect(ann.page.locator("main").get_by_text("Better:")).to_be_visible()
    expect(ann.page.get_by_text("Asked again tomorrow.")).to_be_visible()
    assert days_left(ann) == pytest.approx(1, abs=0.1)
    assert not faults_in_both(ann.page)
    for days in (3, 9, 30):
        ask(ann)
        choose(ann, one["best"])
        expect(ann.page.get_by_text(f"Asked again in {days} days.")).to_be_visible()
        assert days_left(ann) == pytest.approx(days, abs=0.1)
    ask(ann)
    choose(ann, one["best"])
    expect(ann.page.get_by_text("It won't be asked again.")).to_be_visible()
    [done] = ann.page.evaluate(KEPT)
    assert (done["step"], done["decision"]) == (4, None)
    ann.press("Finish")
    expect(ann.page.get_by_text("Nothing to ask yet.")).to_be_visible()
    # No later look at the review brings it back.
    ann.page.goto(f"/review/{match.code}/0")
    expect(ann.page.get_by_text("asked again, after some days")).to_be_visible()
    again = [one for one in ann.page.evaluate(KEPT) if one["step"] < 4]
    assert len(again) == len(kept) - 1


def test_an_answer_that_the_browser_cannot_keep_is_not_said_to_be_kept(
    invite: Invite, match: Match
) -> None:
    ann = opened(invite, match)
    one = ask(ann)
    ann.page.evaluate("""() => {
      Storage.prototype.setItem = () => { throw new DOMException("", "QuotaExceededError"); };
    }""")
    choose(ann, one["decision"]["best"])
    expect(ann.page.get_by_text("no room to keep your answer")).to_be_visible()
    expect(ann.page.get_by_text("Asked again in")).to_have_count(0)
    # The question is due as before.
    assert ann.page.evaluate(KEPT) == [one]


def test_a_hand_that_is_gone_and_what_nobody_can_read_are_left_out(
    invite: Invite, match: Match
) -> None:
    ann = opened(invite, match)
    # A server that was restored from a backup may have another hand under that number.
    other = "decision: { ...one.decision, seat: (one.decision.seat + 1) % 4 }"
    changes = ('code: "2222222"', "at: 9999", other)
    gone = ", ".join(f"{{ ...one, {change}, due: 0 }}" for change in changes)
    odd = "null, 7, { ...one, step: 9 }, { ...one, decision: {} }"
    ann.page.evaluate(changed_by(f"[{odd}, {gone}]"))
    ann.page.goto("/mistakes")
    for number in range(1, 4):
        expect(ann.page.get_by_text(f"Question {number} of 3")).to_be_visible()
        expect(ann.page.get_by_text("no longer on the server")).to_be_visible()
        ann.press("Next question")
    expect(ann.page.get_by_text("Nothing to ask yet.")).to_be_visible()
    assert [one["step"] for one in ann.page.evaluate(KEPT)] == [4, 4, 4]


def test_what_was_played_on_the_device_is_asked_where_the_server_answers(
    invite: Invite, match: Match
) -> None:
    ann = opened(invite, match)
    ann.page.evaluate(DUE)
    [one] = ann.page.evaluate(KEPT)
    ann.page.evaluate(ON_DEVICE, match.code)
    replay = match.browser.get(f"/api/replay/{match.code}/{one['hand']}?seat=0").text
    ann.context.add_init_script(WORKER % json.dumps(replay))
    ann.page.route("**/api/replay/**", lambda route: route.fulfill(status=404, body="{}"))
    ann.page.goto("/mistakes")
    expect(ann.page.get_by_role("heading", name="What do you do now?")).to_be_visible()
    choose(ann, one["decision"]["best"])
    expect(ann.page.get_by_text("Asked again in 3 days.")).to_be_visible()
    [one] = ann.page.evaluate("() => JSON.parse(localStorage['rookery.mistakes.me'])")
    assert one["step"] == 1
    ann.press("Finish")
    expect(ann.page.get_by_text("Nothing to ask today.")).to_be_visible()
    assert not ann.faults


@pytest.mark.skipif(not Passkeys.here, reason="without the package for passkeys")
def test_with_a_passkey_the_list_is_one_on_all_devices(
    invite: Invite, match: Match, here: Served
) -> None:
    ann = opened(invite, match)
    phone = invite("Ann", **NARROW)
    phone.known(match.browser)
    phone.page.goto("/mistakes")
    expect(phone.page.get_by_text("in this browser alone")).to_be_visible()
    assert server_has(match) == (False, [])
    has_passkey(here, match)
    # This time the review tells the server too.
    ann.page.reload()
    expect(ann.page.get_by_text("asked again, after some days")).to_be_visible()
    kept = ann.page.evaluate(KEPT)
    wait_for(lambda: server_has(match) == (True, sorted(kept, key=place)))
    phone.page.reload()
    expect(phone.page.get_by_text("this server keeps the list too")).to_be_visible()
    assert sorted(phone.page.evaluate(KEPT), key=place) == sorted(kept, key=place)
    assert not faults(phone.page)
    # An answer on the phone counts on the desktop.
    first = ask_first(phone)
    choose(phone, first["decision"]["best"])
    expect(phone.page.get_by_text("Asked again in 3 days.")).to_be_visible()
    wait_for(lambda: any(one["step"] == 1 for one in server_has(match)[1]))
    ann.page.goto("/mistakes")
    expect(ann.page.get_by_text("this server keeps the list too")).to_be_visible()
    steps = {place(one): one["step"] for one in ann.page.evaluate(KEPT)}
    assert steps == {place(one): int(place(one) == place(first)) for one in kept}
    # One that the server does not take keeps no other from being kept.
    odd = '{ ...one, hand: 77, decision: { ...one.decision, best: "<odd>" } }'
    ann.page.evaluate(changed_by(f"[one, ...rest, {odd}, {{ ...one, hand: 78 }}]"))
    ann.page.reload()
    expect(ann.page.get_by_text("this server keeps the list too")).to_be_visible()
    assert {one["hand"] for one in server_has(match)[1]} >= {78}
    assert 77 not in {one["hand"] for one in server_has(match)[1]}
    # Somebody else who comes to this browser gets nothing of it, and gives nothing.
    eves = here.browser("Eve")
    before = server_has(match)
    ann.context.clear_cookies()
    ann.known(eves)
    has_passkey(here, match._replace(browser=eves))
    ann.page.reload()
    expect(ann.page.get_by_text("Nothing to ask yet.")).to_be_visible()
    assert ann.page.evaluate(KEPT) == []
    assert eves.get("/api/mistakes").json() == {"kept": True, "mistakes": []}
    assert server_has(match) == before
    # Without an answer of the server the page asks what is in the browser.
    phone.page.route("**/api/mistakes", lambda route: route.abort())
    assert ask_first(phone)["decision"]
    assert not ann.faults
    assert not phone.faults


def test_somebody_elses_decisions_are_not_kept(invite: Invite, match: Match, here: Served) -> None:
    eve = invite("Eve")
    eve.known(here.browser("Eve"))
    reviewed(eve.page, match.review)
    eve.page.goto(f"/review/{match.code}/0")
    expect(eve.page.get_by_role("heading", name="Hand 1")).to_be_visible()
    eve.page.wait_for_load_state("networkidle")  # they would be kept once it is known who is here
    assert eve.page.evaluate(KEPT) == []
