"""A score sheet for real cards on several phones: who may write, what arrives once, what goes."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any

import httpx
import pytest
from tests.server.http.served import Here
from tests.server.http.test_passkeys import Place

from rookery.server.api.sheets.told import ENTRIES, HANDS
from rookery.server.settings import DAY, Settings

NAMES = ["Ann", "Bob", "Cy", "Dee"]
WANTED: dict[str, Any] = {"rules": "kd_tournament", "players": NAMES}
SET = {"declarer": "Ann", "bid": 95, "points": {"Ann": "60+40-40"}}
MADE = {"declarer": "0", "bid": 100, "points": {"0": 110}}
KEPT = {"declarer": "0", "bid": 95, "points": {"0": 60}}


async def made(browser: httpx.AsyncClient, **wanted: Any) -> dict[str, Any]:  # noqa: ANN401
    answer = await browser.post("/api/sheets", json={**WANTED, **wanted})
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


def entry(number: int, said: Any, hand: int = 0, over: int = 0) -> dict[str, Any]:  # noqa: ANN401
    return {"id": f"{number:016}", "hand": hand, "over": over, "said": said}


async def sent(
    browser: httpx.AsyncClient,
    sheet: dict[str, Any],
    body: Any,  # noqa: ANN401
    key: str | None = None,
) -> httpx.Response:
    headers = {} if key is None else {"x-sheet-key": key}
    return await browser.post(f"/api/sheets/{sheet['code']}/entries", json=body, headers=headers)


def bare(said: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return what is said without what is not."""
    return None if said is None else {key: one for key, one in said.items() if one}


def test_two_phones_write_one_sheet_and_what_is_sent_twice_arrives_once() -> None:
    async def story() -> None:
        here = Here()
        async with here.person("Ann") as ann, here.person("Bob") as bob, here.browser() as eve:
            sheet = await made(ann)
            key, at = sheet.pop("key"), f"/api/sheets/{sheet['code']}"
            assert sheet["asks"]["first"] == ["redealt", "declarer", "bid", "points"]
            assert (sheet["rules"]["id"], sheet["players"]) == ("kd_tournament", NAMES)
            assert (await eve.get(at)).json() == {**sheet, "may_write": False, "mine": False}
            told = (await sent(ann, sheet, entry(1, SET))).json()
            assert told["totals"] == [-95, 60, -95, 60]
            [hand] = told["hands"]
            assert bare(hand["said"]) == KEPT
            assert (hand["by"], hand["state"], hand["entry"]) == ("Ann", "stands", 1)
            assert hand["scored"]["points"] == [60, 60]
            told = (await sent(bob, sheet, entry(2, MADE, 1), key)).json()
            assert (told["totals"], told["may_write"], told["mine"]) == (
                [15, 70, 15, 70],
                True,
                False,
            )
            again = await sent(bob, sheet, entry(2, SET, 5), key)
            assert (again.status_code, again.json()) == (200, told)
            # An earlier hand is changed by who has seen it, and taken off: all follows.
            told = (await sent(bob, sheet, entry(3, MADE, 0, 1), key)).json()
            assert (told["totals"], told["entries"]) == ([220, 20, 220, 20], 3)
            told = (await sent(bob, sheet, entry(4, None, 0, 3), key)).json()
            assert told["totals"] == [110, 10, 110, 10]
            assert [one["said"] is None for one in told["hands"]] == [True, False]
            assert told["hands"][1]["scored"]["hand"] == 1

    asyncio.run(story())


def test_a_dispute_shows_both_and_is_settled_by_one_entry() -> None:
    async def story() -> None:
        here = Here()
        async with here.person("Ann") as ann, here.person("Bob") as bob:
            sheet = await made(ann, agree=True)
            key = sheet["key"]
            [hand] = (await sent(ann, sheet, entry(1, SET))).json()["hands"]
            assert (hand["state"], hand["scored"]) == ("waiting", None)
            told = (await sent(bob, sheet, entry(2, MADE), key)).json()
            [hand] = told["hands"]
            assert (hand["state"], hand["by"], bare(hand["said"])) == ("disputed", "Ann", KEPT)
            [other] = hand["others"]
            assert (bare(other["said"]), other["by"], other["entry"]) == (MADE, "Bob", 2)
            assert told["totals"] == [0, 0, 0, 0]
            told = (await sent(ann, sheet, entry(3, MADE, 0, 2))).json()
            assert (told["hands"][0]["state"], told["totals"]) == ("stands", [110, 10, 110, 10])

    asyncio.run(story())


def test_without_the_key_nobody_writes_and_only_the_maker_deletes() -> None:
    async def story() -> None:
        here = Here()
        async with here.person("Ann") as ann, here.person("Eve") as eve, here.browser() as nobody:
            sheet = await made(ann)
            at = f"/api/sheets/{sheet['code']}"
            for key in (None, "", "x", sheet["key"][:-1], sheet["key"].lower()):
                answer = await sent(eve, sheet, entry(1, SET), key)
                assert (answer.status_code, answer.json()["error"]["code"]) == (403, "bad-key")
            assert (await sent(nobody, sheet, entry(1, SET), sheet["key"])).status_code == 401
            headers = {"x-sheet-key": sheet["key"]}
            assert (await eve.delete(at, headers=headers)).status_code == 403
            assert sheet["key"] not in str(vars(here.store.sheets))
            assert (await ann.get(at)).json()["entries"] == 0
            assert (await ann.delete(at)).status_code == 200
            for path in (at, f"{at}/file", "/api/sheets/ABCDEF2", "/api/sheets/..%2Fx"):
                assert (await ann.get(path)).status_code == 404

    asyncio.run(story())


def test_a_tally_that_cannot_be_is_refused_with_where_and_nothing_is_kept() -> None:
    async def story() -> None:
        here = Here()
        async with here.person("Ann") as ann:
            sheet = await made(ann)
            at = f"/api/sheets/{sheet['code']}"
            for said, part, seats in (
                ({**SET, "points": {"0": 61}}, "points", []),
                ({**SET, "points": {"0": 60, "Cy": 20}}, "points", [0, 2]),
                ({**SET, "points": {"0": 60, "Ann": 60}}, "points", []),
                ({**SET, "declarer": "Eve"}, "declarer", []),
                ({**SET, "bid": 1}, "bid", []),
                ({}, "declarer", []),
            ):
                answer = await sent(ann, sheet, entry(1, said))
                error = answer.json()["error"]
                assert (answer.status_code, error["code"]) == (422, "bad-tally")
                assert (error["where"]["part"], error["where"]["seats"]) == (part, seats)
                found = (await ann.post(f"{at}/check", json={"said": said})).json()
                assert (found["problem"], found["scored"]) == (error["where"], None)
            assert (await ann.get(at)).json()["entries"] == 0
            found = (await ann.post(f"{at}/check", json={"said": SET})).json()
            assert (found["problem"], found["scored"]["score"]) == (None, [-95, 60, -95, 60])
            assert found["sides"] == [[0, 2], [1, 3]]
            assert (await ann.get(at)).json()["entries"] == 0

    asyncio.run(story())


def test_a_phone_that_has_the_sheet_is_told_so_until_something_is_written() -> None:
    async def story() -> None:
        here = Here()
        async with here.person("Ann") as ann, here.person("Bob") as bob:
            sheet = await made(ann)
            at, key = f"/api/sheets/{sheet['code']}", {"x-sheet-key": sheet["key"]}
            await sent(bob, sheet, entry(1, SET), sheet["key"])

            async def look(tag: str) -> httpx.Response:
                return await ann.get(at, headers={"if-none-match": tag})

            tag = (await ann.get(at)).headers["etag"]
            assert [(await look(tag)).status_code, (await look('"x"')).status_code] == [304, 200]
            mine = await bob.get(at, headers={"if-none-match": tag, **key})
            assert (mine.status_code, mine.json()["may_write"]) == (200, True)
            await bob.delete("/api/session")
            answer = await look(tag)
            assert (answer.status_code, answer.json()["hands"][0]["by"]) == (200, "")
            tag = answer.headers["etag"]
            await sent(ann, sheet, entry(2, MADE, 1))
            assert (await look(tag)).status_code == 200

    asyncio.run(story())


def test_a_phone_hears_what_is_written_after_a_backup_was_restored() -> None:
    async def story() -> None:
        place = Place()
        async with place.person("Ann") as ann:
            sheet = await made(ann)
            at, held = f"/api/sheets/{sheet['code']}", vars(place.here.store.sheets)["_held"]
            backup = {code: (row, [*log]) for code, (row, log) in held.items()}
            tags = []
            for number, said in enumerate((SET, MADE)):
                place.clock.turn(1_000)
                await sent(ann, sheet, entry(number, said))
                tags.append((await ann.get(at)).headers["etag"])
                held.update(backup)
            assert len({*tags}) == len(tags)

    asyncio.run(story())


def test_whoever_is_forgotten_takes_their_sheets_and_their_name_along() -> None:
    async def story() -> None:
        here = Here()
        async with here.person("Ann") as ann, here.person("Bob") as bob, here.person("Cy") as cy:
            hers, his = await made(ann, agree=True), await made(bob)
            await sent(ann, hers, entry(1, SET))
            await sent(bob, hers, entry(2, SET), hers["key"])
            await sent(cy, hers, entry(3, SET), hers["key"])
            for one in (bob, cy):
                await one.delete("/api/session")
            told = (await ann.get(f"/api/sheets/{hers['code']}")).json()
            assert (told["hands"][0]["state"], told["hands"][0]["by"]) == ("stands", "Ann")
            log = await here.store.sheets.entries(hers["code"])
            assert [(one.person == "", one.name, one.writer) for one in log] == [
                *((False, "Ann", 1), (True, "", 2), (True, "", 3))
            ]
            assert (await ann.get(f"/api/sheets/{his['code']}")).status_code == 404
            await ann.delete("/api/session")
            assert not vars(here.store.sheets)["_held"]

    asyncio.run(story())


def test_a_sheet_that_nobody_writes_on_goes_after_a_month_and_is_hidden_before() -> None:
    async def story() -> None:
        place = Place()
        async with place.person("Ann") as ann:
            sheet = await made(ann)
            at = f"/api/sheets/{sheet['code']}"
            for day in range(1, 60):
                place.clock.turn(DAY)
                if day == 20:
                    await sent(ann, sheet, entry(1, SET))
                found = (await ann.get(at)).status_code
                assert found == (200 if day < 43 else 404), day
            assert Settings().keep_sheet == 30 * DAY
            now = place.clock.now()
            assert not await place.here.store.sheets.expire(now - 40 * DAY)
            assert await place.here.store.sheets.expire(now - 30 * DAY)

    asyncio.run(story())


ENGLISH = {"hand", "contract", "made", "deals", "next", "points", "dealer", "bid"}


def test_a_sheet_can_be_had_as_a_file_in_each_form() -> None:
    async def story() -> None:
        here = Here()
        async with here.person("Ann") as ann, here.browser() as nobody:
            sheet = await made(ann, players=["=1+2", *NAMES[1:]])
            await sent(ann, sheet, entry(1, MADE, 4))
            at = f"/api/sheets/{sheet['code']}/file"
            csv, told, text = [
                await nobody.get(f"{at}?form={form}") for form in ("csv", "json", "text")
            ]
            assert csv.text.splitlines()[1].startswith("5,'=1+2,'=1+2,100,made,110,")
            assert told.json()["totals"] == [110, 10, 110, 10]
            assert "   5  100 =1+2 made" in text.text
            assert csv.headers["content-disposition"].startswith("attachment; ")
            assert (await nobody.get(f"{at}?form=exe")).status_code == 400
            columns, same, read = [
                await nobody.get(f"{at}?form={form}&lang=es") for form in ("csv", "json", "text")
            ]
            assert [one.text[0] == "\ufeff" for one in (csv, text, columns)] == [True, False, True]
            head, hand = columns.text.removeprefix("\ufeff").splitlines()
            assert head.startswith("mano,reparte,declarante,apuesta,resultado,'=1+2 puntos,")
            assert hand.startswith("5,'=1+2,'=1+2,100,cumplido,110,")
            assert same.text == told.text
            assert "   5  100 =1+2 cumplido" in read.text
            assert "Se juega a " in read.text
            assert not ENGLISH & {*re.findall(r"\w+", read.text), *re.findall(r"\w+", head)}
            assert ENGLISH & {*re.findall(r"\w+", text.text)}
            assert (await nobody.get(f"{at}?lang=xx")).status_code == 400

    asyncio.run(story())


def test_a_game_has_its_own_end_and_own_rules() -> None:
    async def story() -> None:
        here = Here()
        async with here.person("Ann") as ann:
            own = {"base": "kd_tournament", "target": 200}
            sheet = await made(ann, rules=own, dealer=2)
            assert (sheet["rules"]["id"], sheet["dealer"]) == (None, 2)
            for number in range(2):
                told = (await sent(ann, sheet, entry(number, MADE, number))).json()
            assert (told["winners"], told["dealer"]) == ([0, 2], 0)
            sheet = await made(ann, hands=1)
            assert (await sent(ann, sheet, entry(9, SET))).json()["winners"] == [1, 3]

    asyncio.run(story())


@pytest.mark.parametrize("form", ["multi_round", "dealer_opens", "dealer_must_bid"])
def test_nobody_may_have_bid_only_where_the_dealer_has_not(form: str) -> None:
    async def story() -> None:
        here = Here()
        own = {"base": "kd_tournament", "all_pass": "no_contract", "first_bidder": "dealer"}
        async with here.person("Ann") as ann:
            sheet = await made(ann, rules={**own, "auction_form": form})
            assert sheet["nobody"] == (form == "multi_round")

    asyncio.run(story())


def test_a_hand_is_yours_by_who_you_are_and_not_by_your_name() -> None:
    async def story() -> None:
        here = Here()
        async with here.person("Ann") as ann, here.person("Ann") as other, here.browser() as eve:
            sheet = await made(ann, agree=True)
            at = f"/api/sheets/{sheet['code']}"

            async def yours(by: httpx.AsyncClient) -> tuple[bool, str]:
                answer = await by.get(at)
                return answer.json()["hands"][0]["yours"], answer.headers["etag"]

            await sent(ann, sheet, entry(1, SET))
            found = [await yours(one) for one in (ann, other, eve)]
            assert [mine for mine, _ in found] == [True, False, False]
            assert len({tag for _, tag in found}) == 3
            await sent(other, sheet, entry(2, SET, over=1), sheet["key"])
            assert (await yours(other))[0]

    asyncio.run(story())


BAD_SHEETS: dict[str, tuple[int, str, dict[str, Any]]] = {
    "no such game": (400, "unknown-rules", {"rules": "../../etc/passwd"}),
    "a file": (400, "unknown-rules", {"rules": "/etc/hostname"}),
    "a file as base": (400, "unknown-rules", {"rules": {"base": "./rules.toml"}}),
    "no rules": (400, "bad-request", {"rules": 5}),
    "an odd option": (400, "bad-rules", {"rules": {"base": "kd_tournament", "x": 1}}),
    "too many options": (400, "bad-rules", {"rules": {f"o{n}": 1 for n in range(101)}}),
    "too few": (400, "bad-name", {"players": NAMES[:3]}),
    "twice": (400, "bad-name", {"players": ["Ann", "Ann", "Cy", "Dee"]}),
    "nobody": (400, "bad-name", {"players": ["", *NAMES[1:]]}),
    "a number": (400, "bad-name", {"players": ["2", *NAMES[1:]]}),
    "control": (400, "bad-name", {"players": ["A\u202enn", *NAMES[1:]]}),
    "long": (400, "bad-name", {"players": ["A" * 25, *NAMES[1:]]}),
    "many": (400, "bad-request", {"players": NAMES * 3}),
    "hands": (400, "bad-request", {"hands": HANDS + 1}),
    "dealer": (400, "bad-request", {"dealer": 4}),
    "yes": (400, "bad-request", {"agree": "yes"}),
    "more": (400, "bad-request", {"key": "x"}),
}


@pytest.mark.parametrize("wrong", BAD_SHEETS)
def test_what_is_no_sheet_is_not_made(wrong: str) -> None:
    status, code, change = BAD_SHEETS[wrong]

    async def story() -> None:
        here = Here()
        async with here.person("Ann") as ann:
            answer = await ann.post("/api/sheets", json={**WANTED, **change})
            assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
            assert not vars(here.store.sheets)["_held"]

    asyncio.run(story())


BAD_ENTRIES: dict[str, Any] = {
    "no object": [],
    "deep": json.loads(200 * "[" + 200 * "]"),
    **{
        f"{key} {str(value)[:20]}": {**entry(1, SET), key: value}
        for key, value in (
            *(("id", "short"), ("id", "x" * 41), ("id", "x" * 15 + "\n"), ("id", None)),
            *(("hand", -1), ("hand", HANDS), ("hand", "0"), ("hand", True), ("hand", 1.0)),
            *(("over", -1), ("over", ENTRIES + 1), ("over", 1 << 80), ("said", []), ("said", "x")),
            ("who", "Eve"),
            *(("said", {**SET, "bid": 10**6}), ("said", {**SET, "bid": "moon"})),
            *(("said", {**SET, "points": {"0": -1}}), ("said", {**SET, "points": {"0": "1*2"}})),
            *(("said", {**SET, "points": {"0": "1+" * 50 + "1"}}), ("said", {**SET, "x": 1})),
            *(("said", {**SET, "declarer": "A" * 41}), ("said", {**SET, "partners": NAMES * 3})),
            ("said", {**SET, "tricks": {str(n): 1 for n in range(9)}}),
        )
    },
}


@pytest.mark.parametrize("wrong", BAD_ENTRIES)
def test_what_is_no_entry_is_not_written(wrong: str) -> None:
    async def story() -> None:
        here = Here()
        async with here.person("Ann") as ann:
            sheet = await made(ann)
            answer = await sent(ann, sheet, BAD_ENTRIES[wrong])
            assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad-request")
            assert not await here.store.sheets.entries(sheet["code"])

    asyncio.run(story())
