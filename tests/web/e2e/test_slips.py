"""An evening with real cards that the server deals: printed, played, opened, and verified."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import FilePayload, Page, expect
from tests.server.http.served import Served
from tests.web.e2e.paper import Pdf
from tests.web.e2e.people import DESKTOP, NARROW
from tests.web.e2e.phones import Phones
from tests.web.e2e.test_evening import begin, come, new_evening, score, told
from tests.web.e2e.test_prepared import planted_line
from tests.web.e2e.test_printed_slips import shown
from tests.web.e2e.test_screens import MOVES
from typer.testing import CliRunner, Result

from rookery.cli.main import app

__all__ = ["planted_line"]

PAIRS = ("Ann", "Bo", "Cy", "Dee", "Eve", "Fay", "Gus", "Hal", "Ian", "Jo", "Kim", "Lee")
POINTS = {1: ("60", "80"), 2: ("105", "15"), 3: ("20", "100")}  # of each table, in each deal


def verified(file: Path, fingerprint: str) -> Result:
    """Return what the command says of a file of opened deals."""
    return CliRunner().invoke(app, ["verify-deal", str(file), "--promised", fingerprint])


def at_fair(page: Page, name: str, found: dict[str, Any]) -> list[str]:
    """Return what the page "Check a deal" says of each deal of a file."""
    page.goto("/fair")
    written = FilePayload(name=name, mimeType="application/json", buffer=json.dumps(found).encode())
    page.locator("input[type=file]").set_input_files(written)
    expect(page.locator("[aria-labelledby=fair-check] ol li")).to_have_count(len(found["hands"]))
    return page.locator("[aria-labelledby=fair-check] ol li").all_inner_texts()


@pytest.mark.slow
@pytest.mark.usefixtures("planted_line")
def test_an_evening_dealt_by_slips_is_verified_deal_by_deal(
    phones: Phones, here: Served, tmp_path: Path
) -> None:
    host = phones.page(**DESKTOP, accept_downloads=True)
    link = new_evening(host, people=PAIRS, movement="one side moves (Mitchell)")
    fingerprint = told(host)["evening"]["commitment"]
    host.get_by_text("The promise of the deals").click()
    expect(host.locator(".proof")).to_contain_text(fingerprint)
    expect(host.get_by_role("link", name="The deals with their key")).to_have_count(0)
    host.goto(f"{link.partition('#')[0]}/print")
    host.locator("input[name=hands]").check()
    expect(host.locator(".paper-hands")).to_be_visible()
    paper = Pdf(host.pdf(format="A4"))

    host.goto(link)
    deals = 0
    for number in (1, 2, 3):
        begin(host, number)
        tables = told(host)["evening"]["round"]["tables"]
        deals = max(deals, *(deal for table in tables for deal in table["deals"]))
        for table in tables:
            row = host.locator(f"[data-missing='{number}-{table['number']}']")
            row.get_by_role("button", name="Enter score").click()
            score(row, *(POINTS[table["number"]] * len(table["deals"])))
            expect(row).to_have_count(0)
    guest = phones.page(**NARROW, accept_downloads=True)
    come(guest, link, "Ann")
    expect(guest.get_by_text("Deal by deal")).to_have_count(0)
    host.get_by_role("button", name="End the evening").click()
    host.get_by_role("button", name="Yes, the evening is over").click()
    expect(host.get_by_text("The evening is over. Scores can still")).to_be_visible()
    expect(host.get_by_role("button", name="Go on after all")).to_have_count(0)

    # Whoever played takes the file, and finds in it the cards that were on the slips.
    guest.reload()
    guest.get_by_text("The promise of the deals").click()
    expect(guest.locator(".proof")).to_contain_text(fingerprint)
    expect(guest.locator(".proof")).to_contain_text(told(host)["evening"]["key"])
    with guest.expect_download() as taken:
        guest.get_by_role("link", name="The deals with their key").click()
    file = tmp_path / "opened.json"
    taken.value.save_as(file)
    record = json.loads(file.read_text("utf-8"))
    assert len(record["hands"]) == deals == 12
    for number, hand in enumerate(record["hands"], 1):
        for cards in (*hand["deal"], hand["nest"]):
            assert any(
                f"Deal{number}\u00b7" in page and shown(cards) in page for page in paper.pages
            )
    said = verified(file, fingerprint)
    assert said.exit_code == 0, said.output
    assert f"All {deals} deals are as promised" in said.output
    said_here = at_fair(guest, "opened.json", record)
    fits = re.compile("the key fits its fingerprint|cards are a later deal of it")
    assert all(fits.search(one) for one in said_here)
    assert sum("later deal" in one for one in said_here) < deals / 2
    phones.look(guest, "checked")

    # The control: two cards that are exchanged, and a fingerprint of another evening.
    first, second = record["hands"][4]["deal"][:2]
    first[0], second[0] = second[0], first[0]
    file.write_text(json.dumps(record), "utf-8")
    said = verified(file, fingerprint)
    assert (said.exit_code, said.output.count("WRONG")) == (1, 1), said.output
    assert re.search(r"deal 5 of the evening \w+: WRONG", said.output)
    wrong = [one for one in at_fair(guest, "opened.json", record) if "other cards come out" in one]
    assert len(wrong) == 1
    assert wrong[0].startswith("\u2717 Hand 5")
    expect(guest.get_by_text("1 hand of 12 was not dealt as promised.")).to_be_visible()
    first[0], second[0] = second[0], first[0]
    file.write_text(json.dumps(record), "utf-8")
    assert verified(file, fingerprint).exit_code == 0
    assert verified(file, "0" * 64).exit_code == 1

    # Deal by deal: what each table made of it, its cards, the bot's line and the solver's.
    guest.goto(link.partition("#")[0])
    guest.get_by_text("Deal by deal").click()
    for number in (1, 12):
        guest.get_by_label("Which deal?").select_option(str(number))
        rows = guest.get_by_role("table", name=f"Deal {number}").locator("tbody tr")
        expect(rows).to_have_count(3)
        line = guest.get_by_text("The expert bot in all seats: East, 95")
        expect(line).to_be_visible(timeout=MOVES)
        expect(
            guest.get_by_text("this contract would take 110 points, and be made")
        ).to_be_visible()
        guest.get_by_text("All cards of this deal").click()
        faces = guest.locator(".shown-cards .face")
        expect(faces).to_have_count(41)
        guest.get_by_text("All cards of this deal").click()
    phones.look(guest, "deal by deal")
