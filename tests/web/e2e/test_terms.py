"""The game's words say what they mean, wherever they stand."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect
from tests.web.e2e.looks import faults
from tests.web.e2e.people import DESKTOP, NARROW, PHONE, Someone
from tests.web.e2e.sizes import faults_in_both

Invite = Callable[..., Someone]


def word(within: Locator, name: str) -> Locator:
    return within.get_by_role("button", name=name, exact=True)


@pytest.mark.parametrize(
    ("device", "locale", "name", "says"),
    [
        (DESKTOP, "en-GB", "nest", "The cards set aside in the deal."),
        (NARROW, "es-ES", "nido", "Las cartas que se apartan al repartir."),
    ],
    ids=["desktop", "phone"],
)
def test_a_word_of_the_rules_is_explained_where_it_stands(
    invite: Invite, device: dict[str, object], locale: str, name: str, says: str
) -> None:
    ann = invite("Ann", **{**device, "locale": locale})
    ann.page.goto("/rules/kd_tournament")
    rules, dialog = ann.page.locator(".rules-text"), ann.page.locator("dialog")
    nest = word(rules, name)
    # Each is marked once on a page, where it comes first.
    expect(nest).to_have_count(1)
    ann.hit(nest)
    expect(dialog).to_contain_text(says)
    expect(dialog.get_by_role("heading", name=name.capitalize())).to_be_focused()
    assert not faults(ann.page)
    ann.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(nest).to_be_focused()
    ann.page.keyboard.press("Enter")
    expect(dialog).to_contain_text(says)
    ann.page.wait_for_function("() => history.state?.dialogs === 1")
    ann.page.go_back()
    expect(dialog).to_have_count(0)
    expect(rules).to_be_visible()


def test_words_are_explained_at_the_table(invite: Invite) -> None:
    ann = invite("Ann", **PHONE)
    ann.at_table(rules="kd_tournament", left_of_dealer=True, pace="instant")
    dialog = ann.page.locator("dialog")
    ann.press("Rules")
    ann.hit(word(dialog, "trump"))
    # A dialog over the other; Back takes one away at a time.
    expect(dialog.last).to_contain_text("The suit that beats all others in this hand")
    ann.page.wait_for_function("() => history.state?.dialogs === 2")
    ann.page.go_back()
    expect(dialog).to_have_count(1)
    ann.page.wait_for_function("() => history.state?.dialogs === 1")
    ann.page.go_back()
    expect(dialog).to_have_count(0)
    # The contract's line keeps its words, and explains them.
    ann.until("play")
    contract = ann.page.locator(".contract")
    ann.hit(word(contract, "bid"))
    expect(dialog).to_contain_text("A promise that one's side will take at least so many points.")
    assert not faults_in_both(ann.page)
    ann.page.keyboard.press("Escape")
    expect(word(contract, "bid")).to_be_focused()
    expect(contract).to_contain_text("Ann bid 120")
    # The result too.
    ann.until("done")
    verdict = ann.page.locator("#over-title")
    made = ann.table()["result"]["made"]
    ann.hit(word(verdict, "Made" if made else "Set"))
    expect(dialog).to_contain_text("A contract is " + ("made" if made else "set"))
    assert not faults_in_both(ann.page)


def test_sentences_do_without_explanations_that_cannot_be_loaded(invite: Invite) -> None:
    ann = invite("Ann")
    ann.page.route("**/terms.*", lambda route: route.abort())
    with ann.page.expect_request("**/terms.*"):
        ann.page.goto("/rules/kd_tournament")
    expect(ann.page.locator(".rules-text")).to_contain_text("The declarer takes the nest")
    expect(ann.page.locator(".term")).to_have_count(0)
