"""The review of a match: made once, when there is time, for whoever may read its record."""

from __future__ import annotations

import asyncio
import json
from random import Random
from typing import Any

import httpx
import pytest
from tests.server.bots.workers import HOUR, PATIENCE, Said, Worker, pool, silent, until
from tests.server.core.tables import PEOPLE, FirstLegal, Sheet
from tests.server.http.served import Here
from tests.server.memory.store import MemoryStore

from rookery.record import loads, replay
from rookery.rules import load
from rookery.server.bots import wire as bm
from rookery.server.bots.engine import BotTally, BotThreads, OnProgress, Unanswered
from rookery.server.bots.searching import Searching
from rookery.server.http.ratelimit import RATES, Buckets, Rate
from rookery.server.registry.reviews import AT_WORK, FAILED, ReviewAtWork, Reviews, anonymous
from rookery.server.registry.tables import TableRegistry
from rookery.server.settings import Settings
from rookery.server.store.base import TableRow
from rookery.server.table import commands as cm

SHORT = load({"base": "kd_tournament", "target": 40})
REVIEW: dict[str, Any] = {"players": [{"seat": seat, "name": None} for seat in range(4)]}


def over(matches: int = 1) -> Sheet:
    """Return a table at which so many matches are over."""
    sheet = Sheet(SHORT)
    for number in range(matches):
        sheet.say(PEOPLE[0], cm.Rematch("r") if number else cm.Start("s"))
        sheet.play(Random(number), lambda hand: False)
    assert sheet.table.phase == "over"
    return sheet


class Judges(FirstLegal):
    """Look at a match when they are let."""

    def __init__(self) -> None:
        super().__init__()
        self.asked_for: list[bytes] = []
        self.halfway, self.go = asyncio.Event(), asyncio.Event()
        self.fails: str | Exception = ""

    async def review(self, record: bytes, progress: OnProgress) -> bytes:
        self.asked_for.append(record)
        progress(7, 40)
        self.halfway.set()
        await self.go.wait()
        if self.fails:
            raise Unanswered(self.fails) if isinstance(self.fails, str) else self.fails
        return json.dumps(REVIEW).encode()


async def opened(sheet: Sheet, thinker: BotThreads, buckets: Buckets | None = None) -> Here:
    """Return a server that has a table."""
    settings = Settings(bot_deadline=HOUR)
    registry = TableRegistry(MemoryStore(), settings, thinker=thinker)
    now = registry.clock.now()
    row = TableRow(sheet.table.code, False, sheet.table.phase, now, now)
    await registry.store.append(row, sheet.entries)
    return Here(settings, buckets, registry)


async def asked(browser: httpx.AsyncClient, sheet: Sheet, match: int = 0) -> httpx.Response:
    return await browser.get(f"/api/tables/{sheet.table.code}/matches/{match}/review")


def code_of(answer: httpx.Response) -> str:
    return str(answer.json()["error"]["code"])


def test_it_is_made_once_and_says_how_far_it_is() -> None:
    async def story() -> None:
        sheet, judges = over(), Judges()
        here = await opened(sheet, judges)
        async with here.running(), here.browser() as stranger:
            first = await asked(stranger, sheet)
            assert (first.status_code, first.headers["retry-after"]) == (202, "1")
            assert first.json() == {"done": 0, "whole": 0}
            await judges.halfway.wait()
            assert (await asked(stranger, sheet)).json() == {"done": 7, "whole": 40}
            judges.go.set()
            await until(lambda: not here.registry.reviews._jobs)
            for _ in range(2):
                found = await asked(stranger, sheet)
                assert found.status_code == 200
                assert [one["name"] for one in found.json()["players"]] == [
                    who.name for who in PEOPLE[:4]
                ]
            assert len(judges.asked_for) == 1
            assert here.registry.bot_tally.reviews == {"done": 1}

    asyncio.run(story())


def test_who_judges_is_told_no_names_and_can_play_the_match_again() -> None:
    async def story() -> None:
        sheet, judges = over(), Judges()
        here = await opened(sheet, judges)
        async with here.running(), here.browser() as stranger:
            await asked(stranger, sheet)
            await judges.halfway.wait()
        (record,) = judges.asked_for
        assert not any(who.name.encode() in record for who in PEOPLE[:4])
        assert sheet.table.match is not None
        assert replay(loads(record)).totals == sheet.table.match.totals

    asyncio.run(story())


def test_each_match_of_a_table_has_its_own() -> None:
    async def story() -> None:
        sheet, judges = over(2), Judges()
        here = await opened(sheet, judges)
        async with here.running(), here.browser() as stranger:
            for match in (0, 1):
                assert (await asked(stranger, sheet, match)).status_code == 202
            await until(lambda: len(judges.asked_for) == 2)
            assert judges.asked_for[0] != judges.asked_for[1]

    asyncio.run(story())


@pytest.mark.parametrize("match", [1, 999])
def test_a_match_that_there_is_not_has_none(match: int) -> None:
    async def story() -> None:
        sheet = over()
        here = await opened(sheet, Judges())
        async with here.running(), here.browser() as stranger:
            answer = await asked(stranger, sheet, match)
            assert (answer.status_code, code_of(answer)) == (404, "no-hand")

    asyncio.run(story())


def test_a_match_that_is_not_over_has_none() -> None:
    async def story() -> None:
        sheet, judges = Sheet(), Judges()
        sheet.say(PEOPLE[0], cm.Start("s"))
        sheet.play(Random(1), lambda hand: hand.over)
        assert sheet.table.phase == "playing"
        here = await opened(sheet, judges)
        async with here.running(), here.browser() as stranger:
            answer = await asked(stranger, sheet)
            assert (answer.status_code, code_of(answer)) == (404, "no-hand")
            assert (await stranger.get("/api/tables/AAAAAA2/matches/0/review")).status_code == 404
            bad = await stranger.get(f"/api/tables/{sheet.table.code}/matches/x/review")
            assert (bad.status_code, code_of(bad)) == (400, "bad-request")
        assert not judges.asked_for

    asyncio.run(story())


def test_where_nobody_can_judge_it_says_so_and_tries_again_later() -> None:
    async def story() -> None:
        sheet = over()
        here = await opened(sheet, BotThreads(1, HOUR))
        async with here.running(), here.browser() as stranger:
            for _ in range(2):
                assert (await asked(stranger, sheet)).status_code == 202
                await until(lambda: not here.registry.reviews._jobs)
                answer = await asked(stranger, sheet)
                assert (answer.status_code, code_of(answer)) == (409, "no-review")
            assert here.registry.bot_tally.reviews == {"absent": 2}

    asyncio.run(story())


def test_one_address_begins_so_many_and_looks_as_often_as_it_likes() -> None:
    async def story() -> None:
        sheet, judges = over(3), Judges()
        free = Rate(1e9, 1, 1e9)  # a busy machine needs more processor time than an address has
        endless = dict.fromkeys(("look", "processor", "moment"), free)
        rates = dict(RATES) | endless | {"review": Rate(1, 1e9, 2)}
        here = await opened(sheet, judges, Buckets(rates))
        async with here.running():
            transport = httpx.ASGITransport(app=here.app, client=("203.0.113.7", 1))
            async with httpx.AsyncClient(
                transport=transport, base_url="http://127.0.0.1:8000"
            ) as far:
                statuses = [(await asked(far, sheet, match)).status_code for match in (0, 1, 2)]
                assert statuses == [202, 202, 429]
                assert (await asked(far, sheet, 0)).status_code == 202

    asyncio.run(story())


def test_the_oldest_give_way_and_are_made_again() -> None:
    async def story() -> None:
        judges = Judges()
        judges.go.set()
        reviews = Reviews(BotTally(), room=1)
        for record in (b"one", b"other", b"one"):
            assert reviews.of(record, judges) == ReviewAtWork(done=0, whole=0)
            await until(lambda: not reviews._jobs)
            assert reviews.of(record, judges) == json.dumps(REVIEW).encode()
        assert judges.asked_for == [b"one", b"other", b"one"]
        await reviews.close()

    asyncio.run(story())


def test_more_than_can_wait_are_refused() -> None:
    async def story() -> None:
        judges, reviews = Judges(), Reviews(BotTally())
        for number in range(32):
            reviews.of(bytes([number]), judges)
        with pytest.raises(Unanswered, match="busy"):
            reviews.of(b"one more", judges)
        await reviews.close()
        assert not reviews._jobs

    asyncio.run(story())


@pytest.mark.parametrize("fault", ["failed", TimeoutError(), ValueError("unforeseen"), OSError()])
def test_whatever_fails_is_said_once_and_then_tried_again(
    fault: str | Exception, caplog: pytest.LogCaptureFixture
) -> None:
    async def story() -> None:
        judges, tally = Judges(), BotTally()
        judges.go.set()
        judges.fails = fault
        reviews = Reviews(tally)
        for number in (1, 2):
            assert reviews.of(b"one", judges) == ReviewAtWork(done=0, whole=0)
            await until(lambda: not reviews._jobs)
            assert len(caplog.records) == number
            assert tally.reviews == {"failed": number}
            with pytest.raises(Unanswered, match="failed"):
                reviews.of(b"one", judges)
        judges.fails = ""
        reviews.of(b"one", judges)
        await until(lambda: not reviews._jobs)
        assert reviews.of(b"one", judges) == json.dumps(REVIEW).encode()
        await reviews.close()

    asyncio.run(story())


def test_of_those_that_failed_the_latest_are_kept() -> None:
    async def story() -> None:
        judges, reviews = Judges(), Reviews(BotTally())
        judges.go.set()
        judges.fails = "failed"
        for number in range(FAILED + 1):
            reviews.of(number.to_bytes(2, "big"), judges)
            if len(reviews._jobs) == AT_WORK or number == FAILED:
                await until(lambda: not reviews._jobs)
        assert len(reviews._failed) == FAILED
        with pytest.raises(Unanswered):
            reviews.of(FAILED.to_bytes(2, "big"), judges)
        assert isinstance(reviews.of(bytes(2), judges), ReviewAtWork)
        await reviews.close()

    asyncio.run(story())


def test_a_review_takes_no_worker_from_those_who_play() -> None:
    async def story() -> None:
        async def plays(said: Said) -> None:
            said.say(bm.Ready(0.0))
            await said.answer()

        bots = Searching(pool(Worker(plays)), pool(Worker(silent)), 1, HOUR)
        hand = Sheet(SHORT)
        hand.say(PEOPLE[0], cm.Start("s"))
        bots.expect(["expert"])
        async with asyncio.timeout(PATIENCE):
            assert await bots._play.settled() == "ready"
            looking = asyncio.create_task(bots.review(b"{}", lambda done, whole: None))
            await until(lambda: bots._reviews._links[0].busy == 1)
            # The match is still being looked at, and a bot has long since played.
            assert await bots.move("T", "expert", hand.hand)
            assert not bots._tally.stood_in
        assert not looking.done()
        looking.cancel()
        await bots.leave()

    asyncio.run(story())


def test_names_are_taken_out_and_nothing_else_that_counts() -> None:
    written = '{"format":"rookery/1","players":["Ann"],"hands":[{"deal":[],"proof":{"key":"0"}}]}'
    assert anonymous(written) == b'{"format":"rookery/1","hands":[{"deal":[]}]}'
