"""P7 in a review: what is found about a match says nothing of the next one, which is under way.

Whoever judges here says all that was told, so that nothing which a review could hold is missed.
"""

from __future__ import annotations

import asyncio
import json
from random import Random

import pytest
from tests.server.core.tables import PEOPLE, FirstLegal, Sheet
from tests.server.http.served import Here
from tests.server.memory.store import MemoryStore

from rookery.rules import load
from rookery.server.bots.engine import OnProgress
from rookery.server.registry.history import History
from rookery.server.registry.played import Records, record_of
from rookery.server.registry.tables import TableRegistry
from rookery.server.settings import Settings
from rookery.server.store.base import TableRow
from rookery.server.table import commands as cm
from rookery.server.table import events as ev

SHORT = load({"base": "kd_tournament", "target": 40})


class Parrot(FirstLegal):
    """Say of a match all that there was to know of it."""

    async def review(self, record: bytes, progress: OnProgress) -> bytes:
        """Return a review that holds the whole record."""
        return json.dumps({"players": [], "told": record.decode()}).encode()


def under_way() -> Sheet:
    """Return a table where one match is over, and the first hand of the next has begun."""
    sheet = Sheet(SHORT)
    sheet.say(PEOPLE[0], cm.Start("s"))
    sheet.play(Random(1), lambda hand: False)
    assert sheet.table.phase == "over"
    sheet.say(PEOPLE[0], cm.Rematch("r"))
    assert not sheet.hand.over
    return sheet


def reviews(sheet: Sheet) -> list[str]:
    """Return what is said about the match that is over, and about the one that is not."""

    async def story() -> list[str]:
        settings = Settings()
        registry = TableRegistry(MemoryStore(), settings, thinker=Parrot())
        now = registry.clock.now()
        row = TableRow(sheet.table.code, False, sheet.table.phase, now, now)
        await registry.store.append(row, sheet.entries)
        here, found = Here(settings, registry=registry), []
        async with here.running(), here.browser() as stranger:
            for match in (0, 1):
                path = f"/api/tables/{sheet.table.code}/matches/{match}/review"
                answer = await stranger.get(path)
                if answer.status_code == 202:
                    (job,) = registry.reviews._jobs.values()
                    assert job.task is not None
                    await job.task
                    answer = await stranger.get(path)
                found.append(answer.text)
        return found

    return asyncio.run(story())


def secrets(sheet: Sheet) -> set[str]:
    """Return what nobody may know yet: the keys of the hand under way and of the next."""
    dealt = [one.seq for one in sheet.entries if isinstance(one.event, ev.HandDealt)]
    assert sheet.table.proof is not None
    found = {sheet.table.proof.key}
    for one in sheet.entries:
        if isinstance(one.event, ev.DealPromised) and one.seq > dealt[-1]:
            found.add(one.event.key)
    return found


def test_a_review_holds_no_key_of_the_match_under_way() -> None:
    sheet = under_way()
    past, present = reviews(sheet)
    assert "rookery/1" in past
    assert not any(key in text for key in secrets(sheet) for text in (past, present))
    assert json.loads(present)["error"]["code"] == "no-hand"


def test_the_control_a_review_of_a_match_under_way_is_caught(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def over(_: Records, past: History, match: int) -> str | None:
        found = record_of(past, 0)
        assert found is not None
        assert past.table.proof is not None
        return found.replace("rookery/1", past.table.proof.key)

    sheet = under_way()
    monkeypatch.setattr(Records, "over", over)
    assert any(key in text for key in secrets(sheet) for text in reviews(sheet))
