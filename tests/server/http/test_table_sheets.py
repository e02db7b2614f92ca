"""A score sheet of a table at an evening: who keeps it, and how its total becomes the score."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from random import Random
from secrets import token_hex
from typing import Any, NamedTuple

import httpx
import pytest
from tests.server.http.served import Here
from tests.server.http.test_evenings import ROUND, done, key_of, made, refusal, score
from tests.server.http.test_sheets import MADE, SET, entry

from rookery.server.api.evenings import table_sheet
from rookery.server.api.evenings.table_sheet import AtTable

LOST = {"declarer": "1", "bid": 100, "points": {"1": 110}}
NAMES = ["Ann", "Bob", "Cy", "Dee", "Eve", "Flo", "Gus", "Hal"]
Story = Callable[["Table"], Awaitable[None]]


class Table(NamedTuple):
    """An evening that Ann has made, its first table in round 1, and the phones of two there."""

    here: Here
    ann: httpx.AsyncClient
    bob: httpx.AsyncClient
    cy: httpx.AsyncClient
    evening: dict[str, Any]
    seats: list[int]

    async def sheet(
        self, by: httpx.AsyncClient, key: str | None = None, table: int = 1
    ) -> httpx.Response:
        headers = {} if key is None else {"x-evening-key": key}
        at = f"/api/evenings/{self.evening['code']}/sheets"
        return await by.post(at, json={"round": 1, "table": table}, headers=headers)

    async def write(
        self,
        by: httpx.AsyncClient,
        sheet: dict[str, str],
        body: Any,  # noqa: ANN401
        **keys: str,
    ) -> dict[str, Any]:
        headers = {"x-sheet-key": sheet["key"], **({"x-evening-key": keys["key"]} if keys else {})}
        at = f"/api/sheets/{sheet['code']}/entries"
        answer = await by.post(at, json=body, headers=headers)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    async def game(self, by: httpx.AsyncClient, sheet: dict[str, str], **keys: str) -> Any:  # noqa: ANN401
        """Write three hands, with which the game is over; return the sheet."""
        told = {}
        for hand in range(3):
            told = await self.write(by, sheet, entry(hand + 1, MADE, hand), **keys)
        return told

    async def result(
        self, by: httpx.AsyncClient, sheet: dict[str, str], over: int = 0, key: str | None = None
    ) -> httpx.Response:
        headers = {} if key is None else {"x-evening-key": key}
        at = f"/api/sheets/{sheet['code']}/result"
        return await by.post(at, json={"over": over}, headers=headers)

    async def told(self) -> dict[str, Any]:
        at = f"/api/evenings/{self.evening['code']}"
        return dict((await self.ann.get(at)).json()["evening"]["round"]["tables"][0])

    async def stands(self) -> tuple[str, list[int] | None]:
        told = await self.told()
        return told["state"], told["scores"]


def at_a_table(story: Story, here: Here | None = None, **wanted: Any) -> None:  # noqa: ANN401
    async def go() -> None:
        at = here or Here()
        async with at.person("Ann") as ann, at.person("Bob") as bob, at.person("Cy") as cy:
            evening = await made(ann, **wanted)
            begun = (await done(ann, evening, ROUND)).json()["evening"]
            seats = begun["round"]["tables"][0]["seats"]
            await done(bob, evening, {"do": "claim", "person": seats[0]})
            await done(cy, evening, {"do": "claim", "person": seats[1]})
            await story(Table(at, ann, bob, cy, evening, seats))

    asyncio.run(go())


def test_whoever_may_score_a_table_keeps_its_sheet_and_nobody_else() -> None:
    async def story(at: Table) -> None:
        both = await asyncio.gather(at.sheet(at.bob), at.sheet(at.cy))
        [sheet, again] = [dict(one.json()) for one in both]
        assert sheet == again
        assert len(sheet["key"]) == 43
        assert (await at.sheet(at.ann)).json() == sheet
        of_table = await key_of(at.ann, at.evening, 1)
        async with at.here.person("Eve") as eve, at.here.browser() as nobody:
            assert (await at.sheet(eve, of_table)).json() == sheet
            assert refusal(await at.sheet(eve))[:2] == (403, "bad-key")
            assert refusal(await at.sheet(nobody, of_table))[:2] == (401, "no-session")
            assert refusal(await at.sheet(at.bob, table=2))[1] == "bad-key"
            told = (await nobody.get(f"/api/sheets/{sheet['code']}")).json()
            assert told["players"] == [NAMES[who] for who in at.seats]
            assert (told["may_write"], told["mine"]) == (False, False)
            assert told["table"] == {
                **{"evening": at.evening["code"], "round": 1, "table": 1, "prepared": False},
                **{"may_score": False, "state": None, "same": False, "entry": 0, "lacks": 0},
            }
        missing = await at.sheet(at.ann, table=3)
        assert refusal(missing) == (422, "bad-change", "no-table")
        # Without its key it is written by whoever may say what the table scored.
        for by in (at.bob, at.ann):
            seen = await by.get(f"/api/sheets/{sheet['code']}")
            assert seen.json()["may_write"]
        other = (await at.sheet(at.ann, table=2)).json()
        assert other["code"] != sheet["code"]
        assert other["key"] != sheet["key"]

    at_a_table(story)


def test_the_total_is_the_score_once_the_game_is_over_and_a_correction_follows() -> None:
    async def story(at: Table) -> None:
        sheet = (await at.sheet(at.bob)).json()
        for hand in (0, 1):
            told = await at.write(at.bob, sheet, entry(hand + 1, MADE, hand))
        assert told["table"]["state"] == "open"
        assert await at.stands() == ("open", None)
        last = entry(3, MADE, 2)
        for _ in range(3):  # an answer gets lost
            told = await at.write(at.bob, sheet, last)
        assert (told["totals"], told["winners"]) == ([330, 30, 330, 30], [0, 2])
        assert (told["table"]["state"], told["table"]["same"]) == ("stands", True)
        assert await at.stands() == ("stands", [330, 30, 330, 30])
        assert (await at.told())["said"]["by"] == "Bob"
        newest = (await at.told())["entry"]
        # What changes no total says nothing; a hand after the end counts for nothing.
        await at.write(at.bob, sheet, entry(4, MADE, 3))
        assert (await at.told())["entry"] == newest
        # Bob corrects what Bob has said.
        lower = {**MADE, "points": {"0": 115}}
        await at.write(at.bob, sheet, entry(5, lower, 2, over=3))
        assert await at.stands() == ("stands", [335, 25, 335, 25])
        # Cy knows otherwise: on the sheet that counts, at the table it is a dispute.
        told = await at.write(at.cy, sheet, entry(6, MADE, 2, over=5))
        assert told["totals"] == [330, 30, 330, 30]
        assert (told["table"]["state"], told["table"]["same"]) == ("disputed", False)
        assert await at.stands() == ("disputed", [335, 25, 335, 25])
        # The host has the last word: all that was said came from the sheet, which has seen it.
        await at.write(at.ann, sheet, entry(7, {**MADE, "points": {"0": 120}}, 2, over=6))
        assert await at.stands() == ("stands", [340, 20, 340, 20])

    at_a_table(story)


def test_what_was_typed_at_the_evening_is_disputed_and_not_written_over() -> None:
    async def story(at: Table) -> None:
        sheet = (await at.sheet(at.bob)).json()
        await done(at.ann, at.evening, score(1, 300, 20))
        told = await at.game(at.ann, sheet)
        assert told["table"]["state"] == "stands"  # of a host who changes what they said
        await done(at.cy, at.evening, score(1, 290, 20))
        await at.write(at.ann, sheet, entry(9, {**MADE, "points": {"0": 115}}, 2, over=9))
        assert (await at.stands())[0] == "disputed"
        newest = (await at.told())["entry"]
        told = (await at.result(at.ann, sheet, newest)).json()
        assert (told["table"]["state"], told["table"]["same"]) == ("stands", True)
        assert await at.stands() == ("stands", [335, 25, 335, 25])

    at_a_table(story)


def test_the_phone_of_a_table_shows_the_key_of_its_table() -> None:
    async def story(at: Table) -> None:
        key = await key_of(at.ann, at.evening, 1)
        other = await key_of(at.ann, at.evening, 2)
        async with at.here.person("Phone") as phone:
            sheet = (await at.sheet(phone, key)).json()
            told = await at.game(phone, sheet)
            # The sheet's key writes the sheet, and is no way to the score.
            assert (told["table"]["may_score"], told["winners"]) == (False, [0, 2])
            assert await at.stands() == ("open", None)
            for wrong in ("", other, sheet["key"]):
                assert refusal(await at.result(phone, sheet, key=wrong))[1] == "bad-key"
            told = (await at.result(phone, sheet, key=key)).json()
            assert told["table"]["same"]
            assert await at.stands() == ("stands", [330, 30, 330, 30])

    at_a_table(story)


def test_this_is_the_result_is_said_before_the_end_and_follows_the_sheet_from_then_on() -> None:
    async def story(at: Table) -> None:
        sheet = (await at.sheet(at.bob)).json()
        assert refusal(await at.result(at.bob, sheet)) == (422, "bad-change", "scores")
        await at.write(at.bob, sheet, entry(1, SET_BY_SEAT, 0))
        async with at.here.person("Eve") as eve:
            assert refusal(await at.result(eve, sheet))[1] == "bad-key"
        for _ in range(2):
            assert (await at.result(at.bob, sheet)).json()["table"]["same"]
        assert await at.stands() == ("stands", [-95, 60, -95, 60])
        entries = (await at.told())["entry"]
        told = await at.write(at.bob, sheet, entry(2, MADE, 1))
        assert await at.stands() == ("stands", [15, 70, 15, 70])
        assert told["table"]["entry"] == entries + 1
        for hand in (0, 1):
            told = await at.write(at.bob, sheet, entry(hand + 3, None, hand, over=9))
        assert (told["totals"], (await at.stands())) == ([0, 0, 0, 0], ("open", None))
        body = {"rules": "kd_tournament", "players": NAMES[:4]}
        alone = (await at.bob.post("/api/sheets", json=body)).json()
        assert alone["table"] is None
        assert refusal(await at.result(at.bob, alone))[:2] == (404, "no-evening")

    at_a_table(story)


SET_BY_SEAT = {**SET, "declarer": "0", "points": {"0": "60+40-40"}}


def test_prepared_deals_are_the_hands_of_the_sheet() -> None:
    async def story(at: Table) -> None:
        sheet = (await at.sheet(at.bob)).json()
        told = await at.write(at.bob, sheet, entry(1, MADE, 0))
        assert (told["hands_wanted"], told["table"]["prepared"]) == (2, True)
        assert refusal(await at.result(at.bob, sheet)) == (422, "bad-change", "scores")
        told = await at.write(at.bob, sheet, entry(2, LOST, 1))
        assert told["table"]["same"]
        assert (await at.told())["said"]["rows"] == [[110, 10, 110, 10], [10, 110, 10, 110]]
        # Whoever says only now that they sit there sees none of it.
        async with at.here.person("Eve") as eve:
            await done(eve, at.evening, {"do": "claim", "person": at.seats[2]})
            assert refusal(await at.sheet(eve))[:2] == (403, "bad-key")
            assert (await at.sheet(at.cy)).json() == sheet
            assert (await at.sheet(eve, await key_of(at.ann, at.evening, 1))).json() == sheet

    at_a_table(story, movement="mitchell")


def test_people_who_change_places_have_a_sheet_of_their_own_and_are_called_as_they_are_now() -> (
    None
):
    async def story(at: Table) -> None:
        before = (await at.sheet(at.ann)).json()
        await at.write(at.ann, before, entry(1, MADE, 0))
        others = sorted({*range(8)} - {*at.seats})
        await done(at.ann, at.evening, {"do": "exchange", "one": at.seats[3], "other": others[0]})
        await at.game(at.ann, before)
        assert await at.stands() == ("open", None)
        assert refusal(await at.result(at.ann, before))[1] == "bad-key"
        after = (await at.sheet(at.ann)).json()
        assert after["code"] != before["code"]
        for name in ("7", "Bea", NAMES[at.seats[0]]):
            change = {"do": "rename", "person": others[0], "name": name}
            await done(at.ann, at.evening, change)
            told = (await at.ann.get(f"/api/sheets/{after['code']}")).json()
            other = [NAMES[who] for who in at.seats[:3]]
            if name == other[0]:
                other[0], name = (f"{name} ({who + 1})" for who in (at.seats[0], others[0]))
            shown = f"#{others[0] + 1}" if name == "7" else name
            assert told["players"] == [*other, shown]
        # With the evening go all sheets of its tables, whoever sat there.
        assert (await at.ann.delete(f"/api/evenings/{at.evening['code']}")).is_success
        assert not vars(at.here.store.sheets)["_held"]

    at_a_table(story)


def test_a_sheet_that_was_deleted_and_begun_anew_says_its_total_again() -> None:
    async def story(at: Table) -> None:
        sheet = (await at.sheet(at.bob)).json()
        await at.game(at.bob, sheet)
        await done(at.bob, at.evening, {**score(1, 0, 0, 99), "rows": None})
        assert (await at.stands())[0] == "open"
        assert refusal(await at.bob.delete(f"/api/sheets/{sheet['code']}"))[1] == "bad-key"
        assert (await at.ann.delete(f"/api/sheets/{sheet['code']}")).is_success
        assert (await at.sheet(at.bob)).json() == sheet
        await at.game(at.bob, sheet)
        assert await at.stands() == ("stands", [330, 30, 330, 30])

    at_a_table(story)


def test_a_hand_that_comes_and_goes_has_the_total_follow_each_time() -> None:
    async def story(at: Table) -> None:
        sheet = (await at.sheet(at.bob)).json()
        told = await at.game(at.bob, sheet)
        for number, said in enumerate((None, MADE, None), 10):
            seen = next(one["entry"] for one in told["hands"] if one["number"] == 2)
            told = await at.write(at.bob, sheet, entry(number, said, 2, over=seen))
            assert told["table"]["same"]
            assert await at.stands() == ("stands", told["totals"])

    at_a_table(story)


async def evenings_entries(at: Table) -> int:
    return int((await at.ann.get(f"/api/evenings/{at.evening['code']}")).json()["entries"])


async def played(at: Table, seed: int) -> None:
    """Play a game whose answers get lost now and then, and correct it; check the laws of it.

    A total is said once, by those who may; as long as nobody else speaks, it is the score.
    """
    dice, sheet = Random(seed), (await at.sheet(at.ann)).json()
    key, number, totals = await key_of(at.ann, at.evening, 1), 0, list[list[int] | None]()
    async with at.here.person("Phone") as phone:
        before, over = await evenings_entries(at), False
        for _ in range(9):
            number += 1
            said = dice.choice([MADE, LOST, SET_BY_SEAT, None] if number > 3 else [MADE])
            body = entry(number, said, dice.randrange(3) if number > 3 else number - 1, number)
            by, keys = dice.choice([(at.ann, {}), (phone, {"key": key})])
            for _ in range(dice.choice([1, 1, 2, 3])):
                told = await at.write(by, sheet, body, **keys)
            over = over or bool(told["winners"])
            counts = [one["number"] for one in told["hands"] if one["scored"]]
            total = told["totals"] if counts else None
            if over and (not totals or totals[-1] != total):
                totals.append(total)
            expected = ("stands", total) if over and counts else ("open", None)
            assert await at.stands() == expected
        assert await evenings_entries(at) - before == len(totals)
        assert (await at.sheet(phone, "1-" + 32 * "0")).status_code == 403


@pytest.mark.parametrize("seed", range(6))
def test_a_total_is_said_once_and_by_those_who_may(seed: int) -> None:
    at_a_table(partial(played, seed=seed))


def anew(at: AtTable, mark: str) -> str:
    return f"{mark}-{token_hex(12)}"[:40]


FAULTS = {
    "another id each time": ("_id", anew),
    "what the sheet said is not known": ("_said_before", lambda at: None),
    "anybody may": ("may_score", lambda found, round_, table: True),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_breaks_the_law(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_sheet, *FAULTS[fault])
    broken = 0
    for seed in range(6):
        try:
            at_a_table(partial(played, seed=seed))
        except AssertionError:
            broken += 1
    assert broken


def test_the_sheet_of_an_evening_of_so_many_hands_a_round_ends_by_itself_after_them() -> None:
    async def story(at: Table) -> None:
        assert at.evening["evening"]["hands"] == 4
        sheet = (await at.sheet(at.bob)).json()
        for hand in range(3):
            told = await at.write(at.bob, sheet, entry(hand + 1, MADE, hand))
        # By the game's own target it would be over.
        assert (told["totals"], told["winners"], told["hands_wanted"]) == ([330, 30] * 2, [], 4)
        assert await at.stands() == ("open", None)
        # Whoever stops when the time is over says so, and what comes then follows.
        assert (await at.result(at.bob, sheet)).json()["table"]["same"]
        assert await at.stands() == ("stands", [330, 30, 330, 30])
        assert (await done(at.bob, at.evening, score(1, 0, 0, 99) | {"rows": None})).is_success
        # What was passed out does not count, and the fourth hand ends it.
        await at.write(at.bob, sheet, entry(4, {"redealt": True}, 3))
        assert await at.stands() == ("open", None)
        told = await at.write(at.bob, sheet, entry(5, LOST, 4))
        assert told["winners"] == [0, 2]
        assert await at.stands() == ("stands", [340, 140, 340, 140])

    at_a_table(story, movement="halves", hands=4)
