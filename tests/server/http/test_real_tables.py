"""An evening on screens with tables that have real cards: not opened, scored by their people."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import httpx
import pytest
from tests.server.http.served import Here
from tests.server.http.test_evenings import NAMES, done, key_of, made, refusal, score
from tests.server.http.test_screens import FAST, until

from rookery.evening.log.fold import EveningLog
from rookery.evening.log.screens import PAUSE
from rookery.server.api.evenings import evening as api
from rookery.server.api.evenings import screens, table_sheet
from rookery.server.api.evenings.evening import Found

Happens = dict[str, Any]


@pytest.fixture(autouse=True)
def looks_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Phones in these tests look often, and so does the server."""
    monkeypatch.setattr(screens, "EVERY", 0.0)


def real(table: int, with_cards: bool = True) -> Happens:
    """Return what a host says of a table."""
    return {"do": "real_cards", "table": table, "real": with_cards}


def begin(number: int) -> Happens:
    """Return how a round begins."""
    return {"do": "round", "round": number, "slow": []}


class Both(NamedTuple):
    """An evening whose second table has real cards, in its first round.

    Attributes:
        here: the server.
        host: who runs it.
        at: its address.
        evening: what was told when it was made.
        guests: a browser of somebody at each table, by its number.
    """

    here: Here
    host: httpx.AsyncClient
    at: str
    evening: dict[str, Any]
    guests: dict[int, httpx.AsyncClient]

    async def table(self, number: int) -> dict[str, Any]:
        """Return a table of the last round."""
        told = (await self.host.get(self.at)).json()["evening"]["round"]
        return dict(next(one for one in told["tables"] if one["number"] == number))

    async def screens(self) -> dict[str, Any]:
        """Return how tables on screens play."""
        return dict((await self.host.get(self.at)).json()["evening"]["screens"])


def one_is_done(evening: dict[str, Any]) -> bool:
    """Return whether the table on screens is done."""
    return evening["rounds"] > 0 and [one for _, one in evening["missing"]] == [2]


@asynccontextmanager
async def both(**wanted: Any) -> AsyncIterator[Both]:  # noqa: ANN401
    """Yield an evening in whose first round table 1 has played on screens, and table 2 plays."""
    here = Here()
    people = here.person("Ann"), here.person("Bob"), here.person("Cy")
    async with here.running(), people[0] as ann, people[1] as bob, people[2] as cy:
        evening = await made(ann, screens={**FAST, **wanted})
        at = f"/api/evenings/{evening['code']}"
        assert (await done(ann, evening, real(2))).is_success
        assert (await done(ann, evening, begin(1))).is_success
        told = (await until(ann, at, one_is_done))["evening"]
        guests = dict[int, httpx.AsyncClient]()
        for table, browser in zip(told["round"]["tables"], (bob, cy), strict=True):
            claim = {"do": "claim", "person": table["seats"][1]}
            assert (await done(browser, evening, claim)).is_success
            guests[table["number"]] = browser
        yield Both(here, ann, at, evening, guests)


async def what_they_may() -> dict[str, Any]:
    """Return what became of the two tables, and what their people may say of them."""
    told = dict[str, Any]()
    async with both() as at:
        one, two = await at.table(1), await at.table(2)
        told["opened"] = [bool(one["code"]), bool(two["code"])]
        told["real"] = [one["real"], two["real"]]
        tables = len(at.here.store.rows)  # type: ignore[attr-defined]
        told["tables"] = tables
        # Who sits at a table on screens says nothing of its score, nor do others of a real one.
        for name, table in (("on screens", 1), ("elsewhere", 2)):
            answer = await done(at.guests[1], at.evening, score(table, 5, 5, one["entry"]))
            told[name] = answer.status_code
        sheet = {"round": 1, "table": 1}
        told["sheet on screens"] = (
            await at.guests[1].post(f"{at.at}/sheets", json=sheet)
        ).status_code
        key = await key_of(at.host, at.evening, 1)
        told["key on screens"] = (
            await done(at.guests[2], at.evening, score(1, 5, 5), key)
        ).status_code
        sheet["table"] = 2
        begun = await at.guests[2].post(f"{at.at}/sheets", json=sheet)
        told["sheet"] = begun.status_code
        code = begun.json()["code"]
        # As many hands as at the tables on screens, in each of which a score is what they bring.
        told["hands"] = (await at.host.get(f"/api/sheets/{code}")).json()["hands_wanted"]
        told["own"] = (await done(at.guests[2], at.evening, score(2, 110, 10))).status_code
        after = await at.table(2)
        told["scores"] = after["scores"], after["said"]["by"]
    return told


MAY = {
    "opened": [True, False],
    "real": [False, True],
    "tables": 1,
    "on screens": 403,
    "elsewhere": 403,
    "sheet on screens": 403,
    "key on screens": 403,
    "sheet": 200,
    "hands": 1,
    "own": 200,
    "scores": ([110, 10, 110, 10], "Cy"),
}


def test_a_table_with_real_cards_is_not_opened_and_its_people_score_it() -> None:
    assert asyncio.run(what_they_may()) == MAY


def as_before(found: Found, round_: int, table: int) -> bool:
    """Let whoever sits there score every table, also one that scores by itself."""
    return (
        found.you.table == table
        or found.you.person in found.held.log.evening.table(round_, table).seats
    )


def test_the_control_a_guest_who_may_score_a_table_on_screens_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in (api, table_sheet):
        monkeypatch.setattr(module, "may_score", as_before)
    told = asyncio.run(what_they_may())
    found = {name for name, said in told.items() if MAY[name] != said}
    assert found >= {"on screens", "sheet on screens", "key on screens"}


async def in_the_next_round() -> list[list[bool]]:
    """Return which tables have real cards in each of three rounds.

    Table 1 is said to have them in the first round; in the second, table 2 to have none.
    """
    async with both() as at:
        found = [[(await at.table(n))["real"] for n in (1, 2)]]
        await done(at.host, at.evening, real(1))
        assert [(await at.table(n))["real"] for n in (1, 2)] == found[0]  # this round is as it was
        for number, then in ((2, real(2, with_cards=False)), (3, real(2))):
            for table in (1, 2):
                if (await at.table(table))["scores"] is None:
                    await done(at.host, at.evening, score(table, 5, 5, round_=number - 1))
            assert (await done(at.host, at.evening, begin(number))).is_success
            found.append([(await at.table(n))["real"] for n in (1, 2)])
            await done(at.host, at.evening, then)
        assert (await at.screens())["real"] == [1, 2]
        return found


def test_what_is_said_of_a_table_counts_from_the_next_round_on() -> None:
    assert asyncio.run(in_the_next_round()) == [[False, True], [True, True], [True, False]]


def test_the_control_a_table_that_changes_within_its_round_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def now(self: EveningLog, round_: int, table: int) -> bool:
        return table not in self.real

    monkeypatch.setattr(EveningLog, "plays_on_screens", now)
    with pytest.raises(AssertionError):
        asyncio.run(in_the_next_round())


async def when_it_goes_on() -> dict[str, Any]:
    """Return when the next round is said to begin: while a table plays, then, and in a dispute."""
    told = dict[str, Any]()
    async with both(auto=True) as at:
        clock = at.here.registry.clock
        told["plays"] = (await at.screens())["next_at"]
        at.here.registry.clock = Later(clock.now, 50_000)  # type: ignore[assignment]
        await done(at.guests[2], at.evening, score(2, 110, 10))
        told["scored"] = (await at.screens())[
            "next_at"
        ] - at.here.registry.clock.now() > PAUSE - 20_000
        await done(at.host, at.evening, {**score(2, 105, 15), "over": 0})
        told["disputed"] = (await at.table(2))["state"], (await at.screens())["next_at"]
        newest = (await at.table(2))["entry"]
        await done(at.host, at.evening, score(2, 105, 15, newest))
        told["settled"] = (await at.screens())["next_at"] is not None
    return told


class Later(NamedTuple):
    """A clock that is so many milliseconds later than another."""

    before: Callable[[], int]
    by: int

    def now(self) -> int:
        """Return the time, milliseconds since 1970."""
        return self.before() + self.by


def test_the_next_round_waits_for_real_cards_and_leaves_their_people_a_minute_too() -> None:
    assert asyncio.run(when_it_goes_on()) == {
        "plays": None,
        "scored": True,
        "disputed": ("disputed", None),
        "settled": True,
    }


def test_the_control_a_round_that_waits_for_screens_alone_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def at_once(self: EveningLog) -> int | None:
        return self.begun[-1] + PAUSE if self.begun else None

    monkeypatch.setattr(EveningLog, "next_at", property(at_once))
    told = asyncio.run(when_it_goes_on())
    assert told["plays"] is not None
    assert (told["scored"], told["disputed"][1] is None) == (False, False)


def test_where_a_bot_sits_too_a_table_stays_on_screens() -> None:
    async def story() -> None:
        here = Here()
        async with here.running(), here.person("Ann") as ann:
            evening = await made(ann, screens=FAST, people=NAMES[:7])
            at = f"/api/evenings/{evening['code']}"
            bots = {one["number"] for one in evening["evening"]["people"] if one["bot"]}
            for table in (1, 2):
                await done(ann, evening, real(table))
            await done(ann, evening, begin(1))
            told = await until(ann, at, lambda one: len(one["missing"]) == 1)
            tables = told["evening"]["round"]["tables"]
            assert {one["real"] for one in tables} == {True, False}
            for one in tables:
                assert one["real"] is not bool(bots & {*one["seats"]})
                assert one["real"] is (one["code"] is None)

    asyncio.run(story())


def test_a_round_of_real_cards_alone_can_be_undone() -> None:
    async def story() -> None:
        here = Here()
        async with here.running(), here.person("Ann") as ann:
            evening = await made(ann, screens=FAST)
            at = f"/api/evenings/{evening['code']}"
            for table in (1, 2):
                await done(ann, evening, real(table))
            await done(ann, evening, begin(1))
            assert (await done(ann, evening, {"do": "undo_round", "round": 1})).is_success
            await done(ann, evening, real(1, with_cards=False))
            await done(ann, evening, begin(1))
            told = (await until(ann, at, one_is_done))["evening"]
            assert [one["real"] for one in told["round"]["tables"]] == [False, True]
            undone = await done(ann, evening, {"do": "undo_round", "round": 1})
            assert refusal(undone) == (422, "bad-change", "on-screens")

    asyncio.run(story())


def test_prepared_deals_have_no_real_cards_and_nobody_but_a_host_says_so() -> None:
    async def story() -> None:
        here = Here()
        async with here.running(), here.person("Ann") as ann, here.person("Bob") as bob:
            people = [*NAMES, *"abcd"]
            prepared = await made(ann, movement="mitchell", people=people, screens=FAST)
            answer = await done(ann, prepared, real(2))
            assert refusal(answer) == (422, "bad-change", "prepared")
            paper = await made(ann)
            assert refusal(await done(ann, paper, real(2))) == (422, "bad-change", "real")
            evening = await made(ann, screens=FAST)
            assert refusal(await done(bob, evening, real(2)))[:2] == (403, "bad-key")
            assert refusal(await done(ann, evening, real(0)))[:2] == (400, "bad-request")

    asyncio.run(story())
