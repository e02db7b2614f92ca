"""A passkey in Chromium, on a key made of software: made, used to come back, and removed."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import CDPSession, expect
from tests.web.e2e.looks import faults
from tests.web.e2e.people import NARROW, Someone
from tests.web.e2e.sizes import faults_in_both

from rookery.server.registry.passkeys import Passkeys

needs_package = pytest.mark.skipif(
    not (Passkeys.here or os.environ.get("CI")), reason="without the package for passkeys"
)
Invite = Callable[..., Someone]
KEY = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}
BACK = "Come back with a passkey"
CANCELLED = "() => Promise.reject(new DOMException('', 'NotAllowedError'))"


def at_localhost(someone: Someone) -> str:
    """Return the server's address by the name for which browsers have passkeys."""
    return someone.here.url.replace("127.0.0.1", "localhost")


def key_of(someone: Someone) -> tuple[CDPSession, str]:
    """Put a key into somebody's browser; return how it is reached."""
    line = someone.context.new_cdp_session(someone.page)
    line.send("WebAuthn.enable")
    made = line.send("WebAuthn.addVirtualAuthenticator", {"options": KEY})
    return line, made["authenticatorId"]


def credentials(line: CDPSession, key: str) -> list[dict[str, Any]]:
    return list(line.send("WebAuthn.getCredentials", {"authenticatorId": key})["credentials"])


@needs_package
def test_a_passkey_is_made_brings_back_and_is_removed(invite: Invite) -> None:
    ann = invite("Ann")
    home = at_localhost(ann)
    line, key = key_of(ann)
    ann.page.goto(f"{home}/")
    ann.page.get_by_label("Your name").fill("Ann")
    expect(ann.page.get_by_role("button", name=BACK)).to_be_visible()
    assert not faults_in_both(ann.page)
    ann.press("Play now against bots")
    ann.page.wait_for_url("**/t/*")
    code = ann.page.url.rsplit("/", 1)[1]
    ann.page.goto(f"{home}/")
    ann.page.get_by_text("Passkeys", exact=True).click()
    ann.press("Create a passkey")
    expect(ann.page.get_by_role("status").filter(has_text="You can come back")).to_be_visible()
    rows = ann.page.locator("details", has_text="security key").locator("li")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("Chrome · Linux")
    assert not faults_in_both(ann.page)
    [kept] = credentials(line, key)
    assert (kept["rpId"], kept["isResidentCredential"]) == ("localhost", True)
    # The same device again is told that it has one.
    ann.press("Create a passkey")
    expect(ann.page.locator("main").get_by_role("alert")).to_contain_text("already has a passkey")
    # The cookie is lost; the person is not.
    ann.context.clear_cookies()
    ann.page.goto(f"{home}/")
    ann.press(BACK)
    expect(ann.page.get_by_label("Your name")).to_have_value("Ann")
    expect(ann.page.get_by_role("link", name=code)).to_be_visible()
    ann.page.get_by_text("Passkeys", exact=True).click()
    ann.page.get_by_role("button", name="Remove: ").focus()
    ann.page.keyboard.press("Enter")
    expect(rows).to_have_count(0)
    expect(ann.page.locator("summary:focus")).to_have_text("Passkeys")
    # The device still shows it, and it is good for nothing.
    ann.context.clear_cookies()
    ann.page.goto(f"{home}/")
    ann.press(BACK)
    expect(ann.page.locator("main").get_by_role("alert")).to_contain_text("doesn't work here")
    assert not faults_in_both(ann.page)


@needs_package
def test_somebody_who_shows_none_is_told_and_a_link_brings_the_button(invite: Invite) -> None:
    ann = invite("Ann", **{**NARROW, "locale": "es-ES"})
    ann.page.goto(f"{at_localhost(ann)}/return/used")
    button = ann.page.get_by_role("button", name="Volver con una llave de acceso")
    expect(button).to_be_visible()
    # As where somebody closes the browser's own window.
    ann.page.evaluate(f"() => {{ navigator.credentials.get = {CANCELLED}; }}")
    button.click()
    expect(ann.page.locator("main").get_by_role("alert")).to_contain_text(
        "No se usó ninguna llave de acceso"
    )
    assert not faults(ann.page)


def test_where_there_are_none_nobody_is_offered_one(invite: Invite) -> None:
    ann = invite("Ann")
    ann.known(ann.here.browser("Ann"))
    ann.page.goto("/")  # an address, for which browsers have none
    expect(ann.page.get_by_text("Where you're signed in")).to_be_visible()
    expect(ann.page.get_by_text("Passkeys", exact=True)).to_have_count(0)
    ann.context.clear_cookies()
    ann.page.goto("/")
    expect(ann.page.get_by_label("Your name")).to_have_value("")
    expect(ann.page.get_by_role("button", name=BACK)).to_have_count(0)
