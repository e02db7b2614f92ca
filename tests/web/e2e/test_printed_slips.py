"""Slips for dealing by hand say what they must and nothing else: printed to a PDF and read."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect
from tests.server.http.served import Served
from tests.web.e2e.paper import Pdf
from tests.web.e2e.phones import Phones
from tests.web.e2e.spanish import ENGLISH
from tests.web.e2e.test_hall import Evening, people
from tests.web.e2e.test_print import DASH, MAY_BE_CUT, at_desk, printed

KINDS = ("hands", "orders", "dealing", "tables", "pairs")
PLACES = ("North", "East", "South", "West", "Nest")
SIDES = ("North and South", "East and West")
Slips = dict[str, Any]


def shown(cards: list[str]) -> str:
    """Return cards as a slip shows them."""
    return "".join("Rook" if card == "RK" else card for card in cards)


def wanted(slips: Slips, pairs: list[str]) -> dict[str, list[str]]:
    """Return what each slip and card has to say, by its kind and in order."""
    found = dict[str, list[str]]((kind, []) for kind in KINDS)
    for deal in slips["deals"]:
        head = f"Friday\u00b7Deal {deal['number']}"
        deals = f"\u00b7{PLACES[deal['dealer']]} deals"
        for place, cards in zip(PLACES, (*deal["hands"], deal["nest"]), strict=True):
            found["hands"].append(f"{place}{head}{deals}{shown(cards)}")
        steps = "".join(f"{at}.{shown([card])}" for at, card in enumerate(deal["order"], 1))
        found["orders"].append(f"Order of the pack{head}{steps}")
        steps = "".join(f"{at}.{PLACES[pile]}" for at, pile in enumerate(deal["piles"], 1))
        found["dealing"].append(f"How to deal{head}{deals}{steps}")
    for number in sorted({one["table"] for row in slips["rounds"] for one in row}):
        rows = f"Table {number}RoundDeals{''.join(SIDES)}"
        for turn, row in enumerate(slips["rounds"], 1):
            here = [one for one in row if one["table"] == number]
            rows += f"{turn}{3 * DASH}" if not here else ""
            for one in here:
                rows += f"{turn}{among(one)}{''.join(pairs[team] for team in one['teams'])}"
        found["tables"].append(rows)
    for pair, name in enumerate(pairs):
        rows = f"{name}RoundTableTeamDealsAgainst"
        for turn, row in enumerate(slips["rounds"], 1):
            here = [one for one in row if pair in one["teams"]]
            rows += f"{turn}sits out{3 * DASH}" if not here else ""
            for one in here:
                side = one["teams"].index(pair)
                against = pairs[one["teams"][1 - side]]
                rows += f"{turn}{one['table']}{SIDES[side]}{among(one)}{against}"
        found["pairs"].append(rows)
    return found


def among(table: dict[str, Any]) -> str:
    """Return the deals of a table as they are written."""
    return f"{table['deals'][0]}{DASH}{table['deals'][-1]}"


def told_wrong(page: Page, kinds: dict[str, list[str]]) -> set[str]:
    """Print each kind; return those that say something else, or where a slip is cut in two."""
    wrong = set[str]()
    for kind, texts in kinds.items():
        for box in KINDS:
            page.locator(f"input[name={box}]").set_checked(box == kind)
        expect(page.locator(f".paper-{kind}")).to_be_visible()
        paper: Pdf = printed(page)
        head = ENGLISH[f"print.kind.{kind}"] + ENGLISH[f"print.how.{kind}"]
        all_of_it = "".join("".join([head, *texts]).split())
        if "".join(paper.pages) != all_of_it or not all(paper.whole(text) for text in texts):
            wrong.add(kind)
    return wrong


def answered(body: Slips, route: Route) -> None:
    """Answer with other slips."""
    route.fulfill(json=body)


def a_card(slips: Slips) -> None:
    hands = slips["deals"][3]["hands"]
    hands[0][0], hands[1][0] = hands[1][0], hands[0][0]


def a_card_too_many(slips: Slips) -> None:
    slips["deals"][0]["hands"][2].append(slips["deals"][0]["hands"][3][0])


def the_order(slips: Slips) -> None:
    order = slips["deals"][-1]["order"]
    order[0], order[1] = order[1], order[0]


def where_it_goes(slips: Slips) -> None:
    piles = slips["deals"][1]["piles"]
    at = next(i for i, pile in enumerate(piles) if pile != piles[0])
    piles[0], piles[at] = piles[at], piles[0]


def the_dealer(slips: Slips) -> None:
    slips["deals"][2]["dealer"] = 0


def the_deals_of_a_table(slips: Slips) -> None:
    one, other = slips["rounds"][1][:2]
    one["deals"], other["deals"] = other["deals"], one["deals"]


def the_sides(slips: Slips) -> None:
    slips["rounds"][0][0]["teams"].reverse()


# Each of these together is found on papers of its own.
FAULTS: dict[tuple[Callable[[Slips], None], ...], set[str]] = {
    (a_card, the_order, where_it_goes, the_sides): {*KINDS},
    (a_card_too_many, the_deals_of_a_table): {"hands", "tables", "pairs"},
    (the_dealer,): {"hands", "dealing"},
}


@pytest.mark.slow
def test_slips_and_cards_say_what_they_must_and_whatever_is_wrong_is_found(
    phones: Phones, here: Served
) -> None:
    # Seven pairs: one sits out in each round, and a table is empty.
    evening = Evening(here, people(14), movement="mitchell", boards=2, slips=True)
    page = at_desk(phones, evening)  # before the first round
    expect(page.get_by_text("Whoever prints slips sees the cards")).to_be_visible()
    told = evening.host.get(f"/api/evenings/{evening.code}/slips").json()
    names = [one["name"] for one in evening.told["evening"]["people"]]
    pairs = [" and ".join(names[who] for who in team) for team in evening.told["evening"]["teams"]]
    sound = wanted(told, pairs)
    assert {kind: len(texts) for kind, texts in sound.items()} == {
        **{"hands": 40, "orders": 8, "dealing": 8},
        **{"tables": 4, "pairs": 7},
    }
    assert told_wrong(page, sound) == set()
    # The control: slips that may be cut are.
    page.evaluate(MAY_BE_CUT.replace(".score-form", ".dealing"))
    assert told_wrong(page, {"hands": sound["hands"], "orders": sound["orders"]})

    # The control: whatever the page is told otherwise is on some paper.
    for faults, kinds in FAULTS.items():
        changed = deepcopy(told)
        for fault in faults:
            fault(changed)
        page.route("**/slips", partial(answered, changed))
        page.reload()
        assert told_wrong(page, sound) == kinds, faults
        page.unroute("**/slips")


def test_whoever_does_not_run_it_or_deals_by_slips_of_their_own_prints_none(
    phones: Phones, here: Served
) -> None:
    dealt = Evening(here, people(16), movement="mitchell", boards=2, slips=True)
    other = at_desk(phones, dealt, host=False)
    expect(other.locator("input[name=hands]")).to_have_count(0)
    own = Evening(here, people(16), movement="mitchell", boards=2)
    expect(at_desk(phones, own).locator("input[name=hands]")).to_have_count(0)
