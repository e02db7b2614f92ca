"""Small things that people stumbled over: Back, a lost network, a search, letters on cards."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import WebSocketRoute, expect
from tests.server.http.served import table_for
from tests.web.e2e.looks import faults
from tests.web.e2e.people import DESKTOP, GO_ON, NARROW, PHONE, Someone

Invite = Callable[..., Someone]
SOON = 15_000  # milliseconds; without the event it took 25 seconds at least
# The text on a card's face, drawn by the page's own modules.
FACE = """async ([card, pack]) => {
  const [{ Face }, { html, render }] = await Promise.all(
    [import("/static/cards/face.js"), import("/static/core/ui.js")]);
  const box = document.createElement("div");
  render(html`<${Face} card=${card} rules=${{ pack, rook_value: 20, counters: {} }} />`, box);
  return [...box.querySelectorAll("text")].map((text) => text.textContent);
}"""
HAND = {
    "number": 0,
    "match": 0,
    "hand": 0,
    "dealer": 1,
    "declarer": 0,
    "bid": 85,
    "call": "red",
    "score": [100, 20, 100, 20],
    "totals": [100, 20, 100, 20],
    "players": ["Hana", "Kim", "Jo", "Ivan"],
    "bots": [None, None, None, None],
    "sides": [[0, 2], [1, 3]],
    "over": False,
}


def test_back_closes_the_dialog_and_not_the_table(invite: Invite) -> None:
    ann = invite("Ann", **PHONE)
    ann.page.goto("/rules")
    code = ann.at_table()
    at, dialog = re.compile(f"/t/{code}$"), ann.page.locator("dialog")
    for name in ("Rules", "More"):
        ann.press(name)
        expect(dialog).to_be_visible()
        ann.page.wait_for_function("() => history.state?.dialogs === 1")
        ann.page.go_back()
        expect(dialog).to_have_count(0)
        expect(ann.page).to_have_url(at)
        expect(ann.page.locator(".card-row.hand .card").first).to_be_visible()
    # A dialog that was closed in another way leaves nothing behind that Back would have to pass.
    ann.press("Rules")
    ann.page.wait_for_function("() => history.state?.dialogs === 1")
    ann.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    ann.page.wait_for_function("() => !history.state?.dialogs")
    # Nor does one that was open when the page was loaded again.
    ann.press("Rules")
    ann.page.wait_for_function("() => history.state?.dialogs === 1")
    ann.page.reload()
    expect(ann.page.locator(".card-row.hand .card").first).to_be_visible()
    ann.page.wait_for_function("() => !history.state?.dialogs")
    expect(dialog).to_have_count(0)
    ann.page.go_back()
    expect(ann.page).to_have_url(re.compile("/rules$"))


def test_a_network_that_goes_is_seen_at_once(invite: Invite) -> None:
    ann = invite("Ann")
    silent = False

    def through(route: WebSocketRoute) -> None:
        if silent:
            route.close()
            return
        server = route.connect_to_server()
        server.on_message(lambda message: None if silent else route.send(message))

    ann.page.route_web_socket(re.compile("/ws/"), through)
    ann.at_table()
    banner = ann.page.locator(".banner")
    silent = True
    ann.page.evaluate("dispatchEvent(new Event('offline'))")
    expect(banner).to_be_visible(timeout=SOON)
    silent = False
    ann.page.evaluate("dispatchEvent(new Event('online'))")
    expect(banner).to_have_count(0)


def test_all_hands_show_what_each_side_scored(invite: Invite) -> None:
    ann = invite("Ann")
    lines = [HAND, {**HAND, "number": 1, "hand": 1, "score": [-85, 40, 0, 40], "declarer": 0}]
    ann.page.route("**/hands", lambda route: route.fulfill(json=lines))
    ann.page.goto("/replay/ABCDEF")
    shown = ann.page.locator(".variant small")
    expect(shown.nth(0)).to_contain_text("Hana and Jo +100 · Kim and Ivan +20")
    expect(shown.nth(1)).to_contain_text("Hana \u221285 · Jo 0 · Kim and Ivan +40")


@pytest.mark.parametrize(("locale", "words"), [("en-GB", "no trump"), ("es-ES", "Sin triunfo")])
def test_words_side_by_side_are_searched_for_together(
    invite: Invite, locale: str, words: str
) -> None:
    ann = invite("Ann", **DESKTOP, locale=locale)
    ann.page.goto("/rules")
    search = ann.page.get_by_role("searchbox")
    search.fill(words)
    expect(ann.page.locator(".variants .variant")).to_have_count(4)
    # Words that stand nowhere together may stand apart.
    search.fill("rook kd")
    expect(ann.page.locator(".variants .variant").first).to_be_visible()


def test_an_empty_field_is_said_to_be_empty(invite: Invite) -> None:
    ann = invite("Ann")
    ann.page.goto("/rules/edit?base=kd_tournament")
    ann.page.locator("#option-seats").fill("")
    said = ann.page.locator("#option-seats-problem")
    expect(said).to_have_text("a value is missing; expected a whole number from 2 to 8")


def test_cards_carry_the_letters_of_the_readers_language(invite: Invite) -> None:
    ana, ann = invite("Ana", **DESKTOP, locale="es-ES"), invite("Ann")
    for someone, letters in ((ana, "RVAN"), (ann, "RGYB")):
        someone.page.goto("/rules")
        expect(someone.page.get_by_role("searchbox")).to_be_visible()
        for card, letter in zip(("R7", "G7", "Y7", "B7"), letters, strict=True):
            texts = someone.page.evaluate(FACE, [card, "rook"])
            assert texts == ["7", letter, letter, "7"]
    assert "J" in ann.page.evaluate(FACE, ["HJ", "standard"])
    joker = ann.page.evaluate(FACE, ["JK", "standard"])
    assert "J" not in joker
    assert "JOKER" in joker


def test_a_dialog_that_cannot_be_loaded_says_so(invite: Invite) -> None:
    ann = invite("Ann")
    ann.page.route("**/rules_dialog.js", lambda route: route.abort())
    ann.at_table()
    ann.press("Rules")
    dialog = ann.page.locator("dialog")
    expect(dialog).to_contain_text("This page couldn't be loaded.")
    ann.page.unroute("**/rules_dialog.js")
    ann.press("Try again")
    expect(dialog).to_contain_text("Bidding")
    ann.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


@pytest.mark.parametrize(
    ("device", "locale", "lead", "card"),
    [
        (DESKTOP, "en-GB", "only when it is your turn to lead", "Not all the rest is certain yet"),
        (NARROW, "es-ES", "solo puedes reclamar", "no es seguro que ganes todo"),
    ],
    ids=["desktop", "phone"],
)
def test_a_claim_that_is_refused_says_what_stands_against_it(
    invite: Invite, device: dict[str, object], locale: str, lead: str, card: str
) -> None:
    ann = invite("Ann", **device, locale=locale)
    client = ann.here.browser("Ann")
    code = table_for(client, rules="kd_tournament", bots=["papa"] * 3, pace="instant")
    ann.known(client)
    ann.page.goto(f"/t/{code}")
    ann.hit(ann.page.locator(".lobby .primary.big"))
    ann.page.wait_for_function("() => told.table.view")
    said, left = ann.page.locator(".notes .notice"), {lead, card}
    while left:
        asked = ann.until("play")
        expected = card if not ann.table()["view"]["trick"] else lead
        if expected in left:
            claim = re.compile("Claim the rest|El resto")
            ann.hit(ann.page.locator(".bar .button", has_text=claim))
            expect(said).to_contain_text(expected)
            expect(ann.page.locator("#urgent")).to_contain_text(expected)
            assert not faults(ann.page)
            left.discard(expected)
        ann.say(asked)


# As it is once the server is a newer version: a page that asks for what was not there before.
NEWER = 'import { notThere } from "/static/core/store.js"; export default notThere;'


def test_a_page_of_a_newer_version_comes_once_all_is_loaded_anew(invite: Invite) -> None:
    ann = invite("Ann")
    page = ann.page
    script = {"body": NEWER, "content_type": "text/javascript"}
    page.goto("/rules")
    page.route("**/pages/stats/stats.js", lambda route: route.fulfill(**script))
    page.evaluate(GO_ON, "/stats")
    expect(page.locator(".problem")).to_contain_text("This page couldn't be loaded.")
    page.unroute_all()
    ann.press("Try again")
    expect(page.get_by_role("heading", level=1)).to_have_text("My statistics")


def test_a_part_of_a_newer_version_comes_once_all_is_loaded_anew(invite: Invite) -> None:
    ann = invite("Ann")
    page = ann.page
    script = {"body": NEWER, "content_type": "text/javascript"}
    page.route("**/rules_dialog.js", lambda route: route.fulfill(**script))
    ann.at_table()
    ann.press("Rules")
    dialog = page.locator("dialog")
    expect(dialog).to_contain_text("This page couldn't be loaded.")
    page.unroute_all()
    ann.press("Try again")
    expect(dialog).to_have_count(0)
    ann.press("Rules")
    expect(dialog).to_contain_text("Bidding")


def test_the_title_is_in_the_language_that_was_chosen(invite: Invite) -> None:
    ann = invite("Ann")
    page = ann.page
    page.goto("/rules")
    expect(page).to_have_title("Rules · Rookery")
    speak = "(language) => import('/static/core/settings.js').then((it) => it.change({ language }))"
    page.evaluate(speak, "es")
    expect(page).to_have_title("Reglas · Rookery")
    page.evaluate(speak, "en")
    # What a table adds to it stays.
    ann.at_table(left_of_dealer=True, title="Friday")
    ann.shown()
    expect(page).to_have_title("● Your turn · Friday")
    page.evaluate(speak, "es")
    expect(page).to_have_title("● Te toca · Friday")


def test_a_line_that_is_closed_for_good_leaves_no_turn_in_the_title(invite: Invite) -> None:
    ann = invite("Ann")
    lines: list[WebSocketRoute] = []

    def through(route: WebSocketRoute) -> None:
        route.connect_to_server()
        lines.append(route)

    ann.page.route_web_socket(re.compile("/ws/"), through)
    ann.at_table(left_of_dealer=True)
    ann.shown()
    expect(ann.page).to_have_title(re.compile("^● Your turn"))
    lines[-1].close(code=4001)
    expect(ann.page.get_by_role("heading", name="That didn't work")).to_be_visible()
    expect(ann.page).to_have_title("Table · Rookery")


def test_enter_that_ends_a_word_leaves_no_field(invite: Invite) -> None:
    page = invite("Ann").page
    page.goto("/sheet")
    one, other = (
        page.get_by_label("Player 1", exact=True),
        page.get_by_label("Player 2", exact=True),
    )
    one.focus()
    for composing, focused in (True, one), (False, other):
        pressed = {"key": "Enter", "bubbles": True, "cancelable": True, "isComposing": composing}
        one.dispatch_event("keydown", pressed)
        expect(focused).to_be_focused()
