"""A whole evening on screens: a crowd, three browsers, who leaves, who is late, a mended score.

Reduced here. In full, with 40 people of whom 32 have a socket:
`EVENING_PEOPLE=40 EVENING_SOCKETS=32 .venv/bin/pytest tests/web/e2e/test_whole_evening.py`
"""

from __future__ import annotations

import os
import time
from collections import Counter
from itertools import combinations
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect
from tests.server.http.served import Served
from tests.web.e2e.conftest import Invite
from tests.web.e2e.crowd import Crowd
from tests.web.e2e.people import DESKTOP, NARROW, PHONE, Someone, meekest
from tests.web.e2e.test_evening import come, told
from tests.web.e2e.test_screens import on_screens, seat, sits

PEOPLE = int(os.environ.get("EVENING_PEOPLE", "12"))
SOCKETS = int(os.environ.get("EVENING_SOCKETS", "7"))
ROUNDS = 3
MOVES = 300.0  # seconds in which the slowest table of a round is done
SIDES = ((0, 2), (1, 3))

Rounds = list[dict[str, Any]]


def wrong_with(rounds: Rounds, standings: list[dict[str, Any]]) -> list[str]:
    """Return what is wrong with an evening, from its rounds alone: an oracle of its own.

    In so few rounds nobody has the same partner twice, though people come and leave, and of those
    who were there all the time nobody sits out twice before everybody has.
    """
    wrong, points, games, partners = [], Counter[int](), Counter[int](), Counter[Any]()
    byes, always = Counter[int](), set[int]()
    for at, one in enumerate(rounds):
        placed = [who for table in one["tables"] for who in table["seats"]] + one["byes"]
        always = {*placed} & (always if at else {*placed})
        byes.update(one["byes"])
        if len({*placed}) < len(placed):
            wrong.append(f"round {one['number']}: somebody has two places")
        for table in one["tables"]:
            if table["scores"] is None:
                wrong.append(f"round {one['number']}, table {table['number']}: no score")
                continue
            for who, scored in zip(table["seats"], table["scores"], strict=True):
                points[who] += scored
                games[who] += 1
            partners.update(frozenset(table["seats"][at] for at in side) for side in SIDES)
    for row in standings:
        if (row["points"], row["games"]) != (points[row["person"]], games[row["person"]]):
            wrong.append(f"person {row['person']}: the standings say something else")
    for row, other in combinations(standings, 2):
        better = row["points"] * max(1, other["games"]) - other["points"] * max(1, row["games"])
        if row["place"] < other["place"] and better < 0 and row["games"] and other["games"]:
            wrong.append(f"person {row['person']} stands before {other['person']}")
    if max(partners.values()) > 1:
        wrong.append("partners twice")
    if max(byes[who] for who in always) > 1 + min(byes[who] for who in always):
        wrong.append("somebody sits out twice before everybody has")
    return wrong


def changed(page: Page, id_: str, **change: object) -> None:
    """Have the host's page send a change."""
    sent = """async ([id, change]) => {
      const body = JSON.stringify({ id, change });
      const headers = { "content-type": "application/json" };
      const at = `/api/evenings/${location.pathname.split("/")[2]}/changes`;
      const answer = await fetch(at, { method: "POST", body, headers });
      if (!answer.ok) throw new Error(await answer.text());
    }"""
    page.evaluate(sent, [id_, change])


def rounds_of(page: Page, number: int) -> Rounds:
    """Return all rounds of an evening."""
    asked = """numbers => Promise.all(numbers.map((one) =>
      fetch(`/api/evenings/${location.pathname.split("/")[2]}/rounds/${one}`)
        .then((answer) => answer.json())))"""
    return list(page.evaluate(asked, [*range(1, number + 1)]))


def begun(page: Page, number: int) -> None:
    """Begin a round; where somebody left in that moment, the page says so, and it is done again."""
    while told(page)["evening"]["rounds"] < number:
        button = page.get_by_role("button", name=f"Begin round {number}")
        if button.is_visible():
            button.click()
        page.wait_for_timeout(500)


def scored(page: Page, crowd: Crowd) -> None:
    """Return once all tables have a score, and nobody of the crowd has failed."""
    until = time.monotonic() + MOVES
    while told(page)["evening"]["missing"]:
        assert time.monotonic() < until
        assert not crowd.failed
        page.wait_for_timeout(300)


def play_all(people: list[Someone], crowd: Crowd) -> None:
    """Have people play, who may sit at one table, until their tables are done."""
    while people:
        assert not crowd.failed
        for someone in list(people):
            asked = someone.shown(waiting=True)
            if asked["kind"] == "over":
                people.remove(someone)
            elif asked["kind"] not in ("wait", "done"):
                someone.act(asked, meekest)
            else:
                someone.page.wait_for_timeout(50)


@pytest.mark.slow
def test_a_whole_evening_ends_fair_and_finished(here: Served, invite: Invite) -> None:
    host, ann, bo = invite("Host", **DESKTOP), invite("Ann", **NARROW), invite("Bo", **PHONE)
    names = ("Ann", "Bo", *(f"P{number:02}" for number in range(2, PEOPLE)))
    code = on_screens(host.page, people=names, rounds=ROUNDS, auto=False)
    come(ann.page, f"/e/{code}", "Ann")
    come(bo.page, f"/e/{code}", "Bo")
    crowd = Crowd(here, code, range(2, 2 + SOCKETS), leaving={2, 3})
    for number in range(1, ROUNDS + 1):
        begun(host.page, number)
        for someone in (ann, bo):
            table = seat(host.page, someone.name)
            assert table["round"] == number
            sits(someone, table)
        play_all([ann, bo], crowd)
        scored(host.page, crowd)
        if number == 1:
            first = told(host.page)["evening"]["round"]["tables"][0]
            rows = [[one + 5 for one in first["scores"]]]
            score = {"round": 1, "table": first["number"], "rows": rows, "over": first["entry"]}
            changed(host.page, "a-score-is-mended", do="score", **score)
            changed(host.page, "somebody-comes-late", do="arrive", names=["Late"])
    changed(host.page, "the-evening-is-over", do="end", over=True)
    crowd.join()
    expect(ann.page.locator(".at-evening")).to_contain_text("The evening is over: you are")
    evening, rounds = told(host.page)["evening"], rounds_of(host.page, ROUNDS)
    assert wrong_with(rounds, evening["standings"]) == []
    assert evening["round"]["number"] == ROUNDS
    # Each socket was where the evening says, and those who left have played once.
    seats = {
        (who, table["code"]): at
        for one in rounds
        for table in one["tables"]
        for at, who in enumerate(table["seats"])
    }
    assert crowd.sat.items() <= seats.items()
    played = Counter(who for who, _ in crowd.sat)
    assert {who: played[who] for who in (2, 3)} == {2: 1, 3: 1}
    late = next(one["number"] for one in evening["people"] if one["name"] == "Late")
    assert Counter(who for who, _ in seats)[late] == ROUNDS - 1
    mended = rounds[0]["tables"][0]
    assert mended["scores"] == rows[0]
    assert len(mended["said"]["by"]) > 0
    # The control: whatever is told otherwise is found.
    for spoil, found in SPOILT.items():
        worse, standings = rounds_of(host.page, ROUNDS), list(evening["standings"])
        spoil(worse, standings)
        assert any(found in wrong for wrong in wrong_with(worse, standings))


def spoil_seat(rounds: Rounds, standings: list[dict[str, Any]]) -> None:
    """Plant somebody at two places."""
    rounds[1]["tables"][0]["seats"][0] = rounds[1]["tables"][1]["seats"][0]


def spoil_score(rounds: Rounds, standings: list[dict[str, Any]]) -> None:
    """Plant a score that is lost."""
    rounds[2]["tables"][0]["scores"] = None


def spoil_standing(rounds: Rounds, standings: list[dict[str, Any]]) -> None:
    """Plant a sum that is wrong."""
    standings[0] = {**standings[0], "points": standings[0]["points"] + 5}


def spoil_partner(rounds: Rounds, standings: list[dict[str, Any]]) -> None:
    """Plant two who are partners again."""
    rounds[1]["tables"][0]["seats"] = rounds[0]["tables"][0]["seats"]


def spoil_byes(rounds: Rounds, standings: list[dict[str, Any]]) -> None:
    """Plant somebody who sits out again and again."""
    stays = rounds[0]["tables"][0]["seats"][1]
    for one in rounds:
        one["byes"] = [*one["byes"], stays, stays]


SPOILT: Final = {
    spoil_seat: "has two places",
    spoil_score: "no score",
    spoil_standing: "the standings say something else",
    spoil_partner: "partners twice",
    spoil_byes: "sits out twice",
}
