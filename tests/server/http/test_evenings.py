"""An evening of many tables on a server: who may do what, what arrives once, what goes."""

from __future__ import annotations

import asyncio
from itertools import count
from typing import Any

import httpx
import pytest
from tests.server.http.served import Here
from tests.server.http.test_passkeys import Place

from rookery.evening.log.changes import MOST_ENTRIES
from rookery.server.api.evenings import evening as api
from rookery.server.registry.tables import TableRegistry
from rookery.server.settings import DAY, Settings

NAMES = ["Ann", "Bob", "Cy", "Dee", "Eve", "Flo", "Gus", "Hal"]
WANTED: dict[str, Any] = {"name": "Friday", "movement": "individual", "people": NAMES}
ROUND = {"do": "round", "round": 1}
IDS = count()
NOBODY = {"mine": False, "host": False, "table": None, "person": None, "writer": None}


async def made(browser: httpx.AsyncClient, **wanted: Any) -> dict[str, Any]:  # noqa: ANN401
    answer = await browser.post("/api/evenings", json={**WANTED, **wanted})
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


async def done(
    browser: httpx.AsyncClient,
    evening: dict[str, Any],
    change: Any,  # noqa: ANN401
    key: str | None = None,
    id_: str | None = None,
) -> httpx.Response:
    headers = {} if key is None else {"x-evening-key": key}
    body = {"id": id_ or f"{next(IDS):016}", "change": change}
    at = f"/api/evenings/{evening['code']}/changes"
    return await browser.post(at, json=body, headers=headers)


def score(table: int, one: int, other: int, over: int = 0, round_: int = 1) -> dict[str, Any]:
    rows = [[one, other, one, other]]
    return {"do": "score", "round": round_, "table": table, "rows": rows, "over": over}


def refusal(answer: httpx.Response) -> tuple[int, str, str | None]:
    error = answer.json()["error"]
    return answer.status_code, error["code"], (error.get("where") or {}).get("part")


async def key_of(host: httpx.AsyncClient, evening: dict[str, Any], table: int) -> str:
    link = (await host.get(f"/api/evenings/{evening['code']}/link?table={table}")).json()["link"]
    assert f"/e/{evening['code']}/t/{table}#" in link
    return str(link.partition("#")[2])


def test_a_host_runs_it_and_a_guest_scores_where_they_sit_and_nowhere_else() -> None:
    async def story() -> None:
        here = Here()
        async with here.person("Ann") as ann, here.person("Bob") as bob, here.browser() as eve:
            evening = await made(ann)
            at, key = f"/api/evenings/{evening['code']}", evening.pop("key")
            assert evening["you"] == {**NOBODY, "mine": True, "host": True}
            told = (await done(ann, evening, ROUND)).json()["evening"]
            tables = told["round"]["tables"]
            assert sorted(who for table in tables for who in table["seats"]) == [*range(8)]
            for change in (ROUND, score(1, 5, 5), {"do": "arrive", "names": ["X"]}):
                assert refusal(await done(bob, evening, change)) == (403, "bad-key", None)
            seen = (await done(bob, evening, {"do": "claim", "person": 1})).json()
            assert seen["you"] == {**NOBODY, "person": 1, "writer": 2}
            own = next(table["number"] for table in tables if 1 in table["seats"])
            other = 3 - own
            told = (await done(bob, evening, score(own, 110, 10))).json()["evening"]
            by_number = {table["number"]: table for table in told["round"]["tables"]}
            assert by_number[own]["scores"] == [110, 10, 110, 10]
            assert by_number[own]["said"]["by"] == "Bob"
            assert told["missing"] == [[1, other]]
            assert [row["points"] for row in told["standings"]] == [110, 110, 10, 10, 0, 0, 0, 0]
            assert refusal(await done(bob, evening, score(other, 5, 5)))[1] == "bad-key"
            # A table's key writes that table, in any hand; it leads nowhere else.
            of_table = await key_of(ann, evening, other)
            assert refusal(await done(bob, evening, ROUND, of_table))[1] == "bad-key"
            assert (await done(bob, evening, score(other, 60, 60), of_table)).status_code == 200
            async with here.person("Cy") as cy:
                wrong = f"{own}-{of_table.partition('-')[2]}"
                for shown in (of_table, wrong, "", key[:-1], key.swapcase(), "1-" + 32 * "0"):
                    answer = await done(cy, evening, score(own, 1, 1), shown)
                    assert refusal(answer)[1] == "bad-key", shown
                assert (await done(cy, evening, score(own, 1, 1, 9), key)).status_code == 200
                assert refusal(await cy.delete(at, headers={"x-evening-key": key}))[0] == 403
            assert refusal(await done(eve, evening, score(1, 1, 1), key))[:2] == (401, "no-session")
            # Nobody but those who run it is given keys.
            assert "#" not in (await bob.get(f"{at}/link")).json()["link"]
            assert refusal(await bob.get(f"{at}/link?table=1"))[1] == "bad-key"
            link = (await eve.get(f"{at}/link", headers={"x-evening-key": key})).json()["link"]
            assert link.endswith(f"/e/{evening['code']}#{key}")
            assert key not in str(vars(here.store.sheets))
            assert (await ann.delete(at)).json() == {"code": evening["code"]}
            assert refusal(await ann.get(at)) == (404, "no-evening", None)

    asyncio.run(story())


def test_what_is_sent_twice_happens_once_and_of_two_hosts_one_begins_the_round() -> None:
    async def story() -> None:
        here = Here()
        async with here.person("Ann") as ann, here.person("Bob") as bob:
            evening = await made(ann)
            both = await asyncio.gather(
                done(ann, evening, ROUND, id_="a" * 16),
                done(bob, evening, ROUND, evening["key"], id_="b" * 16),
            )
            assert sorted(answer.status_code for answer in both) == [200, 409]
            loser = next(answer for answer in both if answer.status_code == 409)
            assert refusal(loser) == (409, "round-begun", "round-begun")
            for _ in range(2):  # and asked for again it stays as it was
                again = await done(ann, evening, ROUND, id_="a" * 16)
                assert again.status_code == both[0].status_code
            late = {"do": "arrive", "names": ["Late"]}
            told = [(await done(ann, evening, late, id_="l" * 16)).json() for _ in range(3)]
            assert [len(one["evening"]["people"]) for one in told] == [9, 9, 9]
            assert told[0]["evening"] == told[2]["evening"]
            assert told[0]["evening"]["rounds"] == 1

    asyncio.run(story())


def test_two_phones_that_disagree_are_both_shown_and_one_entry_settles_it() -> None:
    async def story() -> None:
        here = Here()
        async with here.person("Ann") as ann, here.person("Bob") as bob:
            evening = await made(ann, agree=True)
            await done(ann, evening, ROUND)

            async def table(by: httpx.AsyncClient, one: int, over: int = 0) -> dict[str, Any]:
                answer = await done(by, evening, score(1, one, 20, over), evening["key"])
                return dict(answer.json()["evening"]["round"]["tables"][0])

            told = await table(ann, 100)
            assert (told["state"], told["scores"]) == ("waiting", None)
            told = await table(bob, 90)
            assert (told["state"], told["said"]["by"]) == ("disputed", "Ann")
            [other] = told["others"]
            assert (other["by"], other["settles"], other["rows"]) == ("Bob", False, [[90, 20] * 2])
            told = await table(ann, 90, told["entry"])
            assert (told["state"], told["scores"]) == ("stands", [90, 20, 90, 20])
            assert not told["others"]

    asyncio.run(story())


def test_who_says_that_they_sit_there_disputes_and_settles_nothing_alone() -> None:
    async def story() -> None:
        here = Here()
        async with here.person("Ann") as ann, here.person("Bob") as bob, here.person("Cy") as cy:
            evening = await made(ann)
            told = (await done(ann, evening, ROUND)).json()["evening"]["round"]["tables"][0]
            first, second = told["seats"][:2]
            await done(bob, evening, {"do": "claim", "person": first})
            await done(cy, evening, {"do": "claim", "person": second})

            async def said(by: httpx.AsyncClient, one: int, key: str | None = None) -> Any:  # noqa: ANN401
                seen = (await by.get(f"/api/evenings/{evening['code']}")).json()["entries"]
                told = (await done(by, evening, score(1, one, 20, seen), key)).json()
                table = told["evening"]["round"]["tables"][0]
                return table["state"], (table["scores"] or [None])[0]

            assert await said(bob, 100) == ("stands", 100)
            assert await said(bob, 105) == ("stands", 105)
            # However much of it they have seen, what Bob says goes on standing.
            assert await said(cy, 0) == ("disputed", 105)
            assert await said(cy, 10) == ("disputed", 105)
            assert await said(bob, 10) == ("stands", 10)
            assert await said(cy, 15) == ("disputed", 10)
            assert await said(cy, 20, await key_of(ann, evening, 1)) == ("stands", 20)

    asyncio.run(story())


def test_a_phone_cannot_fill_an_evening(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api, "FOR_EACH", 3)

    async def story() -> None:
        here = Here()
        async with here.person("Ann") as ann, here.person("Bob") as bob:
            evening = await made(ann)
            for number, status in enumerate((200, 200, 200, 409, 409)):
                answer = await done(bob, evening, {"do": "claim", "person": number})
                assert answer.status_code == status
            for _ in range(5):
                assert (await done(ann, evening, {"do": "clock", "minutes": 9})).is_success
            monkeypatch.setattr(api, "FOR_HOSTS", MOST_ENTRIES - 8)
            async with here.person("Cy") as cy:
                answer = await done(cy, evening, {"do": "claim", "person": 7})
                assert refusal(answer)[:2] == (409, "evening-full")
                assert (await done(ann, evening, ROUND)).is_success

    asyncio.run(story())


def test_a_person_is_one_phone_until_the_host_frees_them() -> None:
    async def story() -> None:
        here = Here()
        async with here.person("Bob") as bob, here.person("Ann") as ann, here.person("Cy") as cy:
            evening = await made(ann)
            await done(bob, evening, {"do": "claim", "person": 1})
            answer = await done(cy, evening, {"do": "claim", "person": 1})
            assert refusal(answer) == (422, "bad-change", "claimed")
            assert refusal(await done(cy, evening, {"do": "free", "person": 1}))[1] == "bad-key"
            assert refusal(await done(cy, evening, {"do": "leave", "person": 1}))[1] == "bad-key"
            await done(ann, evening, {"do": "free", "person": 1})
            seen = (await done(cy, evening, {"do": "claim", "person": 1})).json()
            assert seen["you"]["person"] == 1
            # Whoever is somebody else now is no longer who they were.
            seen = (await done(cy, evening, {"do": "claim", "person": 2})).json()
            claimed = [one["number"] for one in seen["evening"]["people"] if one["claimed"]]
            assert (seen["you"]["person"], claimed) == (2, [2])
            rename = {"do": "rename", "person": 2, "name": " Cy  B "}
            assert refusal(await done(cy, evening, rename))[1] == "bad-key"
            told = (await done(ann, evening, rename)).json()["evening"]
            assert told["people"][2]["name"] == "Cy B"
            gone = (await done(cy, evening, {"do": "leave", "person": 2})).json()
            assert not gone["evening"]["people"][2]["here"]

    asyncio.run(story())


def test_whoever_is_forgotten_takes_their_evenings_and_their_names_along() -> None:
    async def story() -> None:
        here = Here()
        async with here.person("Ann") as ann, here.person("Robert") as bob:
            hers, his = await made(ann), await made(bob)
            at = f"/api/evenings/{hers['code']}"
            await done(ann, hers, ROUND)
            await done(bob, hers, {"do": "claim", "person": 1})
            await done(bob, hers, {"do": "rename", "person": 1, "name": "Robert"}, hers["key"])
            tables = (await ann.get(at)).json()["evening"]["round"]["tables"]
            own = next(table["number"] for table in tables if 1 in table["seats"])
            await done(bob, hers, score(own, 110, 10))
            before = await ann.get(at)
            await bob.delete("/api/session")
            tag = before.headers["etag"]
            after = await ann.get(at, headers={"if-none-match": tag})
            assert "Robert" in before.text
            assert "Robert" not in after.text
            told = after.json()["evening"]
            assert (told["people"][1]["name"], told["people"][1]["claimed"]) == ("", False)
            assert told["round"]["tables"][own - 1]["scores"] == [110, 10, 110, 10]
            assert "No. 2" in (await ann.get(f"{at}/file?form=csv")).text
            assert refusal(await ann.get(f"/api/evenings/{his['code']}"))[0] == 404
            await ann.delete("/api/session")
            assert not vars(here.store.sheets)["_held"]

    asyncio.run(story())


def test_an_evening_goes_after_a_month_and_is_no_score_sheet() -> None:
    async def story() -> None:
        place = Place()
        async with place.person("Ann") as ann:
            evening = await made(ann)
            at = f"/api/evenings/{evening['code']}"
            assert refusal(await ann.get(f"/api/sheets/{evening['code']}"))[1] == "no-sheet"
            body = {"rules": "kd_tournament", "players": NAMES[:4]}
            sheet = (await ann.post("/api/sheets", json=body)).json()["code"]
            assert refusal(await ann.get(f"/api/evenings/{sheet}"))[1] == "no-evening"
            for day in range(1, 50):
                place.clock.turn(DAY)
                if day == 10:
                    await done(ann, evening, ROUND)
                found = (await ann.get(at)).status_code
                assert found == (200 if day < 33 else 404), day
            assert Settings().keep_sheet == 30 * DAY

    asyncio.run(story())


def test_a_phone_that_knows_it_is_told_so_until_something_happens_or_a_backup_comes() -> None:
    async def story() -> None:
        place = Place()
        async with place.person("Ann") as ann:
            evening = await made(ann)
            at, held = f"/api/evenings/{evening['code']}", vars(place.here.store.sheets)["_held"]
            backup = {code: (row, [*log]) for code, (row, log) in held.items()}
            seen = []
            for name in ("Late", "Later", "Last"):
                place.clock.turn(1_000)
                await done(ann, evening, {"do": "arrive", "names": [name]})
                answer = await ann.get(at)
                seen.append(answer.json()["evening"]["people"][-1]["name"])
                tag = {"if-none-match": answer.headers["etag"]}
                assert (await ann.get(at, headers=tag)).status_code == 304
                held.update({code: (row, [*log]) for code, (row, log) in backup.items()})
                assert (await ann.get(at, headers=tag)).status_code == 200
            assert seen == ["Late", "Later", "Last"]

    asyncio.run(story())


def test_two_servers_of_one_store_tell_the_same() -> None:
    async def story() -> None:
        here = Here()
        there = Here(registry=TableRegistry(here.store, here.settings))
        async with here.person("Ann") as ann, there.browser() as also:
            also.cookies = ann.cookies
            evening = await made(ann)
            at = f"/api/evenings/{evening['code']}"
            for number in range(1, 9):
                host, other = (ann, also) if number % 2 else (also, ann)
                await done(host, evening, {"do": "round", "round": number})
                told = [(await each.get(at)).json()["evening"] for each in (host, other)]
                assert told[0] == told[1]
                assert told[0]["rounds"] == number

    asyncio.run(story())


def test_the_links_of_all_tables_come_at_once_and_are_those_that_come_one_by_one() -> None:
    async def story() -> None:
        here = Here()
        async with here.person("Ann") as ann, here.person("Bob") as bob:
            people = [f"P {number}" for number in range(44)]
            evening = await made(ann, people=people, movement="redraw")
            await done(ann, evening, ROUND)
            at = f"/api/evenings/{evening['code']}"
            links = (await ann.get(f"{at}/rounds/1/links")).json()["links"]
            assert [one["table"] for one in links] == [*range(1, 12)]
            for one in links:
                alone = (await ann.get(f"{at}/link?table={one['table']}")).json()
                assert one["link"] == alone["link"]
                assert one["picture"].startswith("<svg")
            assert len({one["picture"] for one in links}) == 11
            by_key = await bob.get(
                f"{at}/rounds/1/links", headers={"x-evening-key": evening["key"]}
            )
            assert by_key.json()["links"] == links
            table = {"x-evening-key": links[0]["link"].partition("#")[2]}
            for shown in ({}, table):
                answer = await bob.get(f"{at}/rounds/1/links", headers=shown)
                assert refusal(answer)[:2] == (403, "bad-key")
            assert refusal(await ann.get(f"{at}/rounds/2/links"))[:2] == (404, "no-round")

    asyncio.run(story())


def test_an_evening_can_be_had_as_a_file_and_each_round_alone() -> None:
    async def story() -> None:
        here = Here()
        async with here.person("Ann") as ann, here.browser() as nobody:
            evening = await made(ann, people=["=1+2", *NAMES[1:], "Zoe"])
            await done(ann, evening, ROUND)
            await done(ann, evening, score(1, 110, 10))
            at = f"/api/evenings/{evening['code']}"
            csv, told, text = [
                await nobody.get(f"{at}/file?form={form}") for form in ("csv", "json", "text")
            ]
            lines = csv.text.splitlines()
            assert lines[0] == "\ufeffround,table,seat,person,name,deals,score"
            assert len(lines) == 9
            assert sorted(line.rpartition(",")[2] for line in lines[1:]) == (
                [*4 * [""], "10", "10", "110", "110"]
            )
            assert ",=1+2," not in csv.text
            [one] = told.json()["rounds"]
            assert one == (await nobody.get(f"{at}/rounds/1")).json()
            assert text.text.startswith("Friday\n\n1. ")
            assert "Sitting out: " in text.text
            assert refusal(await nobody.get(f"{at}/rounds/2"))[:2] == (404, "no-round")
            assert (await nobody.get(f"{at}/rounds/41")).status_code == 400
            assert (await nobody.get(f"{at}/file?form=exe")).status_code == 400

    asyncio.run(story())


def test_movements_that_suit_are_told_the_best_first() -> None:
    async def story() -> None:
        here = Here()
        async with here.browser() as nobody:

            async def choices(**asked: Any) -> list[dict[str, Any]]:  # noqa: ANN401
                answer = await nobody.get("/api/movements", params=asked)
                assert answer.status_code == 200, answer.text
                return list(answer.json()["choices"])

            best = (await choices(people=16, rounds=15))[0]
            assert (best["movement"], best["exact"], best["full"]) == ("individual", True, 15)
            by_name = {one["movement"]: one for one in await choices(people=16, rounds=5)}
            assert not by_name["pairs"]["fits"]
            assert by_name["swiss"]["fits"]
            assert await choices(people=16, minutes=110) == [*by_name.values()]
            six = await choices(people=12, rules="call_partner_6")
            assert {one["movement"] for one in six} == {"individual", "redraw"}
            few = await nobody.get("/api/movements?people=3")
            assert refusal(few) == (422, "bad-change", "people")

    asyncio.run(story())
