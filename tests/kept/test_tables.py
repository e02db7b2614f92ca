"""A data folder that `rookery serve` left is served: everybody finds their seat, cards and scores.

What each table showed when it was kept stands in ``v0_1/tables``. A later program may show more
than that, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import pytest
from tests.kept.looks import got, kept, lasting, missing, of_person, of_table
from tests.kept.served import Line, Server

PEOPLE = kept("people.json")
TOKENS: dict[str, str] = PEOPLE["tokens"]
CODES: dict[str, str] = PEOPLE["tables"]


@pytest.fixture(scope="module", autouse=True)
def persons(server: Server) -> dict[str, Any]:
    """Return what everybody is told of themselves before anybody comes, or why they are not."""
    found: dict[str, Any] = {}
    for name, token in TOKENS.items():
        try:
            found[name] = of_person(server, token)
        except AssertionError as error:  # for one test to tell, and not for all
            found[name] = str(error)
    return found


Lines: TypeAlias = dict[str, Line]


def told(line: Line, what: Callable[[dict[str, Any]], bool]) -> None:
    """Return once somebody is shown a table that is as it should be."""
    while not what(line.table):
        line.hear()


def goes_on(lines: Lines) -> None:
    """Play a card, or give one; bots, by the names that were kept, act until a person's turn."""
    ann, people = lines["Ann"], {line.table["you"] for line in lines.values()}
    action = str(ann.table["view"]["legal"][0])
    ann.done("act", action=action, seen=ann.table["seq"])
    told(ann, lambda shown: action.split()[1] not in shown["view"]["hand"])
    told(ann, lambda shown: shown["view"]["to_act"] in people)


def is_taken_back(lines: Lines) -> None:
    """Let the last one answer whether an act may be taken back."""
    before = len(lines["Ann"].table["view"]["hand"])
    lines["Cy"].done("vote", yes=True)
    told(lines["Ann"], lambda shown: not shown["pending"])
    assert len(lines["Ann"].table["view"]["hand"]) == before + 1


def begins(lines: Lines) -> None:
    """Let the host, whose powers were kept, begin the match."""
    lines["Diana"].done("start")
    told(lines["Diana"], lambda shown: bool(shown["phase"] == "playing"))


def is_played_again(lines: Lines) -> None:
    """Let the host play a third match."""
    lines["Ann"].done("rematch")
    told(lines["Ann"], lambda shown: bool(shown["match_number"] == 2))


def is_not_heard(lines: Lines) -> None:
    """Let somebody speak whom somebody else has blocked."""
    lines["Ann"].done("chat", text="Can you hear me?")
    heard = {}
    for name, line in lines.items():
        line.done("chat", phrase="hello")
        heard[name] = [one for one in line.heard if one["type"] == "chat"]
    assert "Can you hear me?" in [one["text"] for one in heard["Bob"]]
    assert "Ann" not in [one["name"] for one in heard["Cy"]]


AFTER: dict[str, Callable[[Lines], None]] = {
    "finished": is_played_again,
    "mid_hand": goes_on,
    "lobby": begins,
    "six": is_not_heard,
    "undo": is_taken_back,
    "circus": goes_on,
}


@pytest.mark.parametrize("what", CODES)
def test_a_table_is_as_it_was_and_goes_on(server: Server, what: str) -> None:
    before = kept(f"tables/{what}.json")
    come = {name: TOKENS[name] for name in before["people"]}
    with server.lines(CODES[what], come) as lines:
        assert missing(before, of_table(server, CODES[what], lines)) == []
        if what in AFTER:
            AFTER[what](lines)


def test_a_token_opens_the_seat_the_statistics_and_the_list_of_tables(
    persons: dict[str, Any],
) -> None:
    assert missing(kept("persons.json"), persons) == []


def test_a_return_link_makes_another_browser_the_same_person(server: Server) -> None:
    link = PEOPLE["return"]
    answer = server.browser().post("/api/return", json={"token": link["token"]})
    assert answer.status_code == 200, answer.text
    me = lasting(answer.json())
    assert me["person"] == kept("persons.json")[link["person"]]["me"]["person"]


def test_open_tables_are_listed(server: Server) -> None:
    (one,) = got(server.browser(), "/api/tables")
    title = kept("tables/lobby.json")["listed"]["title"]
    expected = {"code": CODES["lobby"], "title": title, "seats": 4, "people": 2}
    assert missing(expected, one) == []
