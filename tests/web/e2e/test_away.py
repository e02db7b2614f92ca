"""Somebody is away: how long until a bot plays for them, and who may have it play now."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, expect
from tests.server.http.served import Served, served
from tests.web.e2e.looks import faults
from tests.web.e2e.people import DESKTOP, NARROW, Someone
from tests.web.e2e.sizes import sized

from rookery.server.table import absence

# Milliseconds; on a slow machine, too, no bot steps in before it is told to.
GRACE = 15 * 60_000
RELOADING = 2_000  # milliseconds in which somebody may be loading the page again
Invite = Callable[..., Someone]


@pytest.fixture(scope="module")
def here(luck_of_a_module: None) -> Iterator[Served]:
    with pytest.MonkeyPatch.context() as patch, served(grace=GRACE) as running:
        patch.setattr(absence, "RELOADING", RELOADING)
        yield running


def seconds(line: Locator) -> int:
    return int(re.findall(r"\d+", line.inner_text())[0])


def test_the_host_sees_a_countdown_and_has_a_bot_step_in(invite: Invite) -> None:
    ann, bob, cy = invite("Ann", **NARROW), invite("Bob"), invite("Cy")
    code = ann.hosts(rules="kd_tournament")
    for other in (bob, cy):
        other.comes(code)
    ann.press("Start, with 1 more bot")
    ann.page.wait_for_function("() => told.table.view")
    line = ann.page.locator(".absent")
    expect(line).to_have_count(0)
    bob.page.goto("about:blank")
    expect(line).to_have_text(re.compile(r"^Bob is away\. A bot steps in after \d+ seconds\."))
    first = seconds(line)
    now = line.get_by_role("button", name="Now let a bot play for Bob")
    expect(line).not_to_contain_text(f" {first} ")
    assert seconds(line) < first
    for device in sized(ann.page, NARROW, DESKTOP):
        now.click(trial=True)
        assert not faults(ann.page), device
    expect(cy.page.locator(".absent")).to_have_text(re.compile("^Bob is away"))
    expect(cy.page.locator(".absent button")).to_have_count(0)
    ann.hit(now)
    expect(ann.page.locator(".plate .tag.warn")).to_have_text("away, a bot plays")
    expect(line).to_have_count(0)
    expect(cy.page.locator(".absent")).to_have_count(0)
    # Their seat is theirs when they are back.
    bob.page.goto(f"/t/{code}")
    expect(ann.page.locator(".plate .tag.warn")).to_have_count(0)
