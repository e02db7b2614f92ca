"""Every step of every variant, by what the page offers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from tests.server.http.served import Served
from tests.web.e2e.people import Asked, Someone, boldest, meekest

import rookery
from rookery.rules import Rules, load

CATALOG = Path(rookery.__file__).parent / "rules" / "catalog"
VARIANTS = sorted(path.stem for path in CATALOG.glob("*.toml"))
TRICKS = 2


def steps(rules: Rules) -> set[str]:
    """Return what a declarer has to do under these rules, as verbs."""
    found = {"bid", "trump", "play"}
    if rules.nest_size:
        found.add("discard")
    if rules.rook_rank == "declared":
        found.add("rook")
    if rules.called_cards:
        found.add("call")
    if rules.first_lead == "declarer_chooses":
        found.add("leader")
    return found


class Player:
    """Somebody who is to be declarer and make a certain call."""

    def __init__(self, call: str) -> None:
        self.call = call
        self.did: list[str] = []

    def __call__(self, asked: Asked) -> str:
        action = boldest(asked)
        if asked["kind"] == "trump":
            action = next((one for one in asked["actions"] if self.fits(one)), action)
        self.did.append(action)
        return action

    def fits(self, action: str) -> bool:
        word = action.split()[1]
        suit = not word.startswith("notrump") and word != "circus"
        if not suit:
            return word == self.call
        return self.call == ("suits-low" if word.endswith("-low") else "suits")

    @property
    def verbs(self) -> set[str]:
        return {action.split()[0] for action in self.did}


@pytest.fixture(scope="module")
def ann(chromium: Browser, here: Served) -> Someone:
    return Someone(chromium, here, "Ann")


def declared(ann: Someone, variant: str, call: str) -> Player:
    """Play until Ann was declarer with that call and has played some tricks."""
    for _ in range(6):
        player = Player(call)
        ann.at_next_table(rules=variant)
        while ann.shown(waiting=True)["phase"] in ("auction", "redealt"):
            ann.turn(player)
        view = ann.table()["view"]
        if view["declarer"] == 1 and "bid" in player.verbs:
            break
    else:
        raise AssertionError("Ann never had the contract")
    while True:
        asked = ann.shown()
        if asked["phase"] == "done" or asked["kind"] == "over":
            return player
        if asked["phase"] == "play" and len(ann.table()["view"]["tricks"]) >= TRICKS:
            return player
        ann.act(asked, player)


# Every variant, and every call beside suits in one of those that have it.
CALLS = {call: variant for variant in VARIANTS for call in load(variant).trump_calls}
CALLED = [(variant, "suits") for variant in VARIANTS]
CALLED += [(variant, call) for call, variant in CALLS.items() if call != "suits"]


@pytest.mark.slow
@pytest.mark.parametrize(("variant", "call"), CALLED)
def test_a_declarer_can_take_every_step(ann: Someone, variant: str, call: str) -> None:
    rules = load(variant)
    player = declared(ann, variant, call)
    view = ann.table()["view"]
    if call == "circus":
        assert {"give", "trump"} <= player.verbs
        assert view["circus"]
    else:
        assert steps(rules) <= player.verbs, player.did
        assert any(player.fits(action) for action in player.did if action[:6] == "trump ")
    if view["called"]:
        called = ann.page.locator(".contract .tag", has_text="called: ")
        assert not re.search(r"\b[A-Z]{1,2}\d*$", called.inner_text())
    if rules.dummy == "partner":
        dummys = [card["card"] for card in view["tricks"][-1]["cards"] if card["place"] == 3]
        assert f"play {dummys[0]}" in player.did
        expect(ann.page.locator(".card-row.dummy .card")).to_have_count(view["hand_sizes"][3])
    elif rules.dummy == "blind":
        expect(ann.page.get_by_text("Blind hand", exact=True)).to_be_visible()
    assert not ann.faults


# What is another thing for somebody who passes.
SEEN = (
    *("seats", "partnership", "pack", "first_bidder", "auction_form", "return_after_pass"),
    *("redeal", "nest_face_up", "nest_shown", "nest_statement", "first_lead", "trump_lead"),
    *("void_duty", "dummy", "dummy_exposed", "callable", "partner_revealed"),
)


def each_seen() -> Iterator[str]:
    """Yield variants in which each value of these options is found at least once."""
    values = {one: {(key, getattr(load(one), key)) for key in SEEN} for one in VARIANTS}
    left = set().union(*values.values())
    while left:
        variant = max(VARIANTS, key=lambda one: len(values[one] & left))
        yield variant
        left -= values[variant]


@pytest.mark.slow
@pytest.mark.parametrize("variant", [*each_seen()])
def test_somebody_who_passes_follows(ann: Someone, variant: str) -> None:
    rules = load(variant)
    ann.at_next_table(rules=variant)
    while ann.shown(waiting=True)["phase"] in ("auction", "redealt"):
        ann.turn(meekest)
    said = ann.table()["view"]["calls"]
    assert "1 pass" in said
    while (asked := ann.shown())["phase"] not in ("done", None):
        if ann.table()["view"]["tricks"]:
            break
        ann.act(asked, meekest)
    view = ann.table()["view"]
    if rules.nest_statement != "none":
        assert view["nest_statement"] is not None
    assert not ann.faults


def test_a_banned_card_is_explained(ann: Someone) -> None:
    ann.at_table(
        left_of_dealer=True, rules={"base": "wanamingo", "counters": {"14": 10, "13": 10, "12": 5}}
    )
    asked = ann.until("discard", choose=boldest)
    view = ann.table()["view"]
    banned = next(card for card in view["hand"] if card not in asked["cards"])
    closed = ann.card(banned)
    assert "not allowed now" in str(closed.get_attribute("aria-label"))
    ann.hit(closed, card=True)
    expect(ann.page.locator(".notice")).to_contain_text("Counters can't be discarded.")
    ann.hit(ann.card(asked["cards"][0]), card=True)
    expect(ann.page.locator(".discard")).to_contain_text(f"1 of {asked['discard']} chosen")


def test_cards_without_a_counter_may_be_dealt_again(ann: Someone) -> None:
    # One card and the Rook count, so that most hands hold nothing that does.
    rules = {"base": "kd_tournament", "counters": {"R5": 100}}
    for _ in range(30):
        ann.at_table(left_of_dealer=True, rules=rules)
        asked = ann.shown()
        held = ann.table()["view"]["hand"]
        assert ("redeal" in asked["actions"]) == (not {"R5", "RK"} & set(held))
        if "redeal" in asked["actions"]:
            break
    ann.act(asked, lambda _: "redeal")
    ann.page.wait_for_function("(held) => told.table.view.hand.join() !== held.join()", arg=held)
    assert ann.table()["hands"][0]["score"] is None
