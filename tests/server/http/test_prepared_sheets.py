"""The sheet of a table with prepared deals: each hand is a deal's, by its number."""

from __future__ import annotations

from typing import Any

import pytest
from tests.server.http.test_evenings import refusal
from tests.server.http.test_sheets import MADE, entry
from tests.server.http.test_table_sheets import LOST, Table, at_a_table

ONE, OTHER = [110, 10, 110, 10], [10, 110, 10, 110]  # what MADE and LOST score
REDEALT = {"redealt": True}


async def lines(at: Table, written: list[tuple[int, Any]]) -> dict[str, Any]:
    """Write on the sheet of a table with two deals; return what it tells of the table."""
    sheet, told = (await at.sheet(at.bob)).json(), dict[str, Any]()
    for number, (hand, said) in enumerate(written, 1):
        told = await at.write(at.bob, sheet, entry(number, said, hand, over=number - 1))
    if told["table"]["prepared"] and told["table"]["lacks"]:
        assert refusal(await at.result(at.bob, sheet)) == (422, "bad-change", "scores")
    return dict(told["table"])


def test_a_hand_that_is_taken_off_leaves_its_deal_without_a_score() -> None:
    async def story(at: Table) -> None:
        told = await lines(at, [(0, MADE), (1, LOST), (2, MADE)])
        assert (told["same"], told["lacks"]) == (True, 0)
        assert (await at.told())["said"]["rows"] == [ONE, OTHER]
        sheet = (await at.sheet(at.bob)).json()
        told = (await at.write(at.bob, sheet, entry(4, None, 0, over=9)))["table"]
        # The hand that was one too many does not become the second deal's.
        assert (told["state"], told["same"], told["lacks"]) == ("open", False, 1)
        assert await at.stands() == ("open", None)
        assert refusal(await at.result(at.bob, sheet, told["entry"]))[1] == "bad-change"
        told = (await at.write(at.bob, sheet, entry(5, LOST, 0, over=9)))["table"]
        assert (told["state"], told["same"], told["lacks"]) == ("stands", True, 0)
        assert (await at.told())["said"]["rows"] == [OTHER, OTHER]

    at_a_table(story, movement="mitchell")


WRITTEN: dict[str, tuple[list[tuple[int, Any]], int, list[list[int]] | None]] = {
    "a hand is missing": ([(0, MADE)], 1, None),
    "the first is missing": ([(1, MADE)], 1, None),
    "a number is left out": ([(0, MADE), (2, LOST)], 1, None),
    "many are left out": ([(0, MADE), (5, LOST)], 4, None),
    "one that was said and one that was not": ([(0, MADE), (0, None), (2, LOST)], 2, None),
    "one that does not count is left out": ([(0, MADE), (1, LOST), (3, MADE)], 0, [ONE, OTHER]),
    "redealt first": ([(0, REDEALT), (1, MADE), (2, LOST)], 0, [ONE, OTHER]),
    "redealt in between": ([(0, LOST), (1, REDEALT), (2, MADE)], 0, [OTHER, ONE]),
    "written in another order": ([(1, LOST), (0, MADE)], 0, [ONE, OTHER]),
}


@pytest.mark.parametrize("case", WRITTEN)
def test_each_hand_is_the_deal_of_its_number_and_one_that_was_redealt_is_none(case: str) -> None:
    written, lacks, rows = WRITTEN[case]

    async def story(at: Table) -> None:
        told = await lines(at, written)
        assert told["lacks"] == lacks
        said = (await at.told())["said"]
        assert (said and said["rows"]) == rows

    at_a_table(story, movement="mitchell")


def test_a_table_is_told_how_many_hands_are_missing_until_the_end() -> None:
    async def story(at: Table) -> None:
        assert [(await lines(at, [(0, MADE)]))["lacks"], at.evening["evening"]["hands"]] == [3, 4]
        # Nobody sees a gap there: it is the total that counts.
        sheet = (await at.sheet(at.bob)).json()
        told = await at.write(at.bob, sheet, entry(2, LOST, 5))
        assert told["table"]["lacks"] == 2
        assert (await at.result(at.bob, sheet)).json()["table"]["same"]
        assert await at.stands() == ("stands", [120, 120, 120, 120])
        async with at.here.person("Eve") as eve:
            there = (await eve.get(f"/api/sheets/{sheet['code']}")).json()["table"]
            assert (there["may_score"], there["lacks"]) == (False, 0)

    at_a_table(story, movement="halves", hands=4)
