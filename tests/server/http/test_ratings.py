"""Ratings over HTTP: off until somebody wants them, for themselves alone, and never of others."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import httpx
import pytest
from tests.server.http.served import QUICK, served, table_for
from tests.server.http.test_match import a_match

from rookery.ratings.estimate import Figure, Pair, Person, Ratings
from rookery.server.api.tables import _family


def ratings(browser: httpx.Client, code: str) -> dict[str, Any]:
    """Return a table's ratings once they are worked out."""
    while True:
        found: dict[str, Any] = browser.get(f"/api/tables/{code}/ratings").json()
        if found["done"] == found["whole"]:
            return found
        time.sleep(0.05)


def switch(browser: httpx.Client, code: str, on: bool) -> httpx.Response:
    return browser.put(f"/api/tables/{code}/ratings", json={"on": on})


@pytest.mark.slow
def test_whoever_wants_it_is_rated_with_bots_for_anchors_and_nobody_else() -> None:
    with served() as here:
        ann, eve = here.browser("Ann"), here.browser("Eve")
        code = table_for(ann, rules=QUICK, bots=["club", "casual", "club"])
        assert ratings(ann, code) == {
            "mine": False,
            "may": True,
            "people": 0,
            "families": [],
            "done": 0,
            "whole": 0,
        }
        assert switch(eve, code, True).json()["error"]["code"] == "no-seat"
        assert switch(ann, code, True).json()["mine"]
        asyncio.run(a_match(here, [ann], code))
        hands = ann.get(f"/api/tables/{code}/hands").json()
        found = ratings(eve, code)
        assert (found["mine"], found["people"], found["whole"]) == (False, 1, len(hands))
        family = found["families"][0]
        assert (family["family"], family["hands"]) == ("four", len(hands))
        assert [one["name"] for one in family["people"]] == ["Ann"]
        assert {one["bot"]: one["hands"] for one in family["bots"]} == {
            "club": 2 * len(hands),
            "casual": len(hands),
        }
        assert ratings(ann, code)["mine"]
        gone = switch(ann, code, False).json()
        assert (gone["mine"], gone["people"], gone["whole"]) == (False, 0, 0)
        # What was played before is not rated later: it is as if she had never been.
        assert not any(one["people"] for one in gone["families"])
        assert switch(ann, code, True).json()["whole"] == 0


def test_whoever_has_sat_at_a_table_may_be_rated_there_however_long_ago() -> None:
    with served() as here:
        ann, eve = here.browser("Ann"), here.browser("Eve")
        first, *_ = [table_for(ann, rules=QUICK) for _ in range(9)]
        assert len(ann.get("/api/session").json()["tables"]) < 9  # her page is not told of all
        for browser, may in ((ann, True), (eve, False), (here.browser(), False)):
            assert ratings(browser, first)["may"] is may
            assert ratings(browser, first.lower())["may"] is may
        assert switch(ann, first, True).json()["may"]


def test_bad_bodies_and_tables_get_one_clear_line() -> None:
    with served() as here:
        ann = here.browser("Ann")
        code = table_for(ann, rules=QUICK)
        bodies: list[object] = [
            {},
            {"on": 1},
            {"on": "yes"},
            {"on": None},
            {"on": True, "all": True},
            [],
        ]
        for body in bodies:
            assert ann.put(f"/api/tables/{code}/ratings", json=body).status_code == 400
        for path in ("/api/tables/2222222/ratings", "/api/tables/x/ratings"):
            assert ann.get(path).json()["error"]["code"] == "no-table"
            assert ann.put(path, json={"on": True}).json()["error"]["code"] == "no-table"


def test_the_best_come_first_and_whoever_is_rated_no_more_is_left_out() -> None:
    worth = {"a": 1.0, "b": -2.0, "c": 3.0, "d": 9.0}
    figures = {who: Figure(points, 1.0, 5) for who, points in worth.items()}
    people = {who: Person(figure, 0, 0) for who, figure in figures.items()}
    pairs = {
        (one, other): Pair(figures[one], figures["a"])
        for one, other in (("b", "c"), ("a", "b"), ("a", "d"))
    }
    bots = {"club": figures["b"], "hog": figures["c"]}
    names = {"a": "Ann", "b": "Bob", "c": "Cid"}
    found = _family("four", Ratings(people, pairs, bots, 0.0, 7), names)
    assert [one.name for one in found.people] == ["Cid", "Ann", "Bob"]
    assert [one.pair for one in found.pairs] == [(1, 2), (0, 2)]
    assert [one.bot for one in found.bots] == ["hog", "club"]
