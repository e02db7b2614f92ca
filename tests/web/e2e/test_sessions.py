"""Where somebody is signed in, as a page shows it and ends it."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect
from tests.web.e2e.looks import faults
from tests.web.e2e.people import NARROW, Someone
from tests.web.e2e.sizes import faults_in_both

Invite = Callable[..., Someone]
TITLE = "Where you're signed in"


def test_another_browser_is_seen_and_signed_out(invite: Invite) -> None:
    ann, phone = invite("Ann"), invite("Ann's phone")
    client = ann.here.browser("Ann")
    ann.known(client)
    link = client.post("/api/session/return").json()["link"]
    phone.page.goto(link)
    phone.press("That's me")
    expect(phone.page.get_by_text("Hello again, Ann.")).to_be_visible()
    ann.page.goto("/")
    ann.page.get_by_text(TITLE, exact=True).click()
    rows = ann.page.locator("details", has_text=TITLE).locator("li")
    expect(rows).to_have_count(2)
    expect(rows.filter(has_text="this device")).to_contain_text("Unknown device")
    expect(rows.filter(has_text="Chrome · Linux")).to_contain_text("last used")
    assert not faults_in_both(ann.page)
    # By keys: the focus does not get lost with the button.
    ann.page.get_by_role("button", name="Sign out: Chrome").focus()
    ann.page.keyboard.press("Enter")
    expect(rows).to_have_count(1)
    expect(ann.page.get_by_role("status").filter(has_text="signed out there")).to_be_visible()
    expect(ann.page.locator("summary:focus")).to_have_text(TITLE)
    expect(ann.page.get_by_role("button", name="Sign out everywhere else")).to_have_count(0)
    assert not faults_in_both(ann.page)
    phone.page.goto("/")
    expect(phone.page.get_by_label("Your name")).to_have_value("")
    expect(phone.page.get_by_text(TITLE)).to_have_count(0)


def test_everywhere_else_is_one_button_in_either_language(invite: Invite) -> None:
    ann = invite("Ann", **{**NARROW, "locale": "es-MX"})
    client = ann.here.browser("Ann")
    ann.known(client)
    others = [ann.here.browser() for _ in range(2)]
    for other in others:
        token = client.post("/api/session/return").json()["token"]
        other.post("/api/return", json={"token": token}).raise_for_status()
    ann.page.goto("/")
    ann.page.get_by_text("Dónde tienes la sesión abierta", exact=True).click()
    ann.press("Cerrar todas las demás")
    expect(ann.page.get_by_text("Hecho. Allí la sesión está cerrada.")).to_be_visible()
    assert not faults(ann.page)
    assert [one.get("/api/session").json()["person"] for one in others] == [None, None]
    assert client.get("/api/session").json()["name"] == "Ann"
