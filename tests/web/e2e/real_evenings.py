"""Evenings with people, under way and over: with real cards, on screens, with prepared deals."""

from __future__ import annotations

import httpx
from tests.server.http.served import Served
from tests.web.e2e.test_hall import Evening, people

CALM = {"hands": 1, "bot": "papa", "pace": "calm", "auto": False}


def with_cards(here: Served, guest: httpx.Client) -> list[str]:
    """Return the pages of an evening in its second round; two differ at the table of the guest.

    One came late, one has left, one sits out, and the clock runs.
    """
    evening = Evening(here, people(13))
    at = f"/api/evenings/{evening.code}"
    evening.play(1)
    first, second, *_ = evening.begin(2)
    evening.score(first["number"], 120, 60)
    for who, browser in zip(second["seats"], (guest, here.browser("Other")), strict=False):
        said = {"do": "score", "round": 2, "table": second["number"], "over": 0}
        rows = [[100, 80 + 5 * who] * 2]
        for change in ({"do": "claim", "person": who}, {**said, "rows": rows}):
            wanted = {"id": f"{change['do']}-of-{who:016}", "change": change}
            browser.post(f"{at}/changes", json=wanted).raise_for_status()
    evening.do(do="arrive", names=["Zoe"])
    evening.do(do="leave", person=first["seats"][0])
    told = evening.do(do="clock", minutes=20)
    states = {table["number"]: table["state"] for table in told["round"]["tables"]}
    assert (states[second["number"]], len(told["round"]["byes"])) == ("disputed", 1)
    sheet = guest.post(f"{at}/sheets", json={"round": 2, "table": second["number"]}).json()
    tables = [f"/e/{evening.code}/t/{table['number']}" for table in (first, second)]
    return [*pages(evening), *tables, f"/s/{sheet['code']}", *of_host(evening)]


def with_slips(here: Served, guest: httpx.Client) -> list[str]:
    """Return the pages of an evening with prepared deals, and of one that is over."""
    found = []
    for over in (False, True):
        evening = Evening(here, people(16), movement="mitchell", boards=2, slips=True)
        claim = {"id": f"claim-{evening.code:>016}", "change": {"do": "claim", "person": 0}}
        guest.post(f"/api/evenings/{evening.code}/changes", json=claim).raise_for_status()
        evening.play(1)
        evening.begin(2)
        evening.score(1, 110, 10)
        if over:
            evening.do(do="end", over=True)
        found += [*pages(evening), *of_host(evening)]
    return found


def on_screens(here: Served) -> list[str]:
    """Return the pages of two evenings on screens: one table has real cards, or deals are prepared.

    The guest is nobody there: the page of whoever plays goes to their table.
    """
    found = []
    for movement in ("individual", "mitchell"):
        evening = Evening(here, people(8), movement=movement, screens=CALM)
        if movement == "individual":
            evening.do(do="real_cards", table=2, real=True)
        evening.begin(1)
        found += [*pages(evening), *of_host(evening)]
    return found


def real_evenings(here: Served, guest: httpx.Client) -> list[str]:
    """Return the pages of all of them, those of a guest before those of the host of each."""
    return [*with_cards(here, guest), *with_slips(here, guest), *on_screens(here)]


def pages(evening: Evening) -> list[str]:
    """Return the pages that everybody has of an evening."""
    return [f"/e/{evening.code}{end}" for end in ("", "/hall", "/print")]


def of_host(evening: Evening) -> list[str]:
    """Return those that are others for whoever runs it; the first tells the browser the key."""
    return [f"/e/{evening.code}#{evening.key}", f"/e/{evening.code}/print"]
