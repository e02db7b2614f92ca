"""The form of a new evening: how many hands a round has, and tables of several sizes."""

from __future__ import annotations

from playwright.sync_api import Page, expect
from tests.web.e2e.people import DESKTOP, NARROW
from tests.web.e2e.phones import Phones
from tests.web.e2e.test_evening import PEOPLE, told


def make(host: Page) -> None:
    """Make the evening whose form is filled in."""
    host.get_by_label("Your name").fill("Host")
    host.get_by_role("button", name="Make the evening").click()
    expect(host.get_by_role("heading", name="Run the evening")).to_be_visible()


def test_halves_have_four_hands_a_round_and_a_table_is_told_so(phones: Phones) -> None:
    host = phones.page(**NARROW)
    host.goto("/evening")
    hands = host.get_by_label("Hands a round")
    host.get_by_label("Who plays?").fill("\n".join(PEOPLE))
    expect(hands).to_have_value("0")
    host.get_by_role("radio", name="The first with the middle").check()
    expect(hands).to_have_value("4")
    phones.look(host, "hands a round")
    make(host)
    assert told(host)["evening"]["hands"] == 4
    expect(host.get_by_text("4 hands a round")).to_be_visible()
    host.goto("/evening")
    host.get_by_label("Who plays?").fill("\n".join(PEOPLE))
    host.get_by_role("radio", name="The first with the middle").check()
    # What a host has chosen stays, whatever the movement is.
    hands.select_option("6")
    host.get_by_role("radio", name="A new partner in each round").check()
    expect(hands).to_have_value("6")


def test_tables_of_another_size_are_offered_when_asked_for(phones: Phones) -> None:
    host = phones.page(**DESKTOP)
    host.goto("/evening")
    people = [*PEOPLE, "Ida", "Jo", "Kim", "Lou", "Mae"]
    host.get_by_label("Who plays?").fill("\n".join(people))
    best = host.locator(".movement").first
    expect(best).to_contain_text("1 person sits out")
    also = host.get_by_label("And at tables of another size")
    expect(also).to_have_count(0)
    host.get_by_role("button", name="Tables of another size too").click()
    expect(also).to_have_value("five_person_poker")
    also.select_option("call_partner_5")
    expect(best).not_to_contain_text("1 person sits out")
    # Fixed partners are those of one game.
    expect(host.locator(".movement")).to_have_count(2)
    host.get_by_role("button", name="Tables of another size too").click()
    expect(also).to_have_count(2)
    phones.look(host, "tables of several sizes")
    also.last.select_option("")
    expect(also).to_have_count(1)
    make(host)
    host.get_by_role("button", name="Begin round 1").click()
    expect(host.get_by_text("All tables of round 1")).to_be_visible()
    seats = [len(table["seats"]) for table in told(host)["evening"]["round"]["tables"]]
    assert sorted(seats) == [4, 4, 5]
