"""An evening on screens that is ended while its tables are opened, or by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from tests.server.http.served import Here
from tests.server.http.test_evenings import ROUND, done, made
from tests.server.http.test_screens import FAST
from tests.server.http.test_screens_alone import held, parts

from rookery.evening.log.changes import MOST_ROUNDS, NextRound, Opened, Played
from rookery.evening.log.fold import EveningLog
from rookery.server.api.evenings import screens
from rookery.server.work import Tab


class Waiting(Tab):
    """Pays for nothing; while it is waited for, somebody does something."""

    def __init__(self, does: Callable[[], Awaitable[object]]) -> None:
        super().__init__()
        self._does = does

    async def turn(self) -> bool:
        await self._does()
        return True


@pytest.mark.parametrize("ended", [True, False])  # the second is the control
def test_its_tables_are_opened_once_it_goes_on(
    monkeypatch: pytest.MonkeyPatch, *, ended: bool
) -> None:
    monkeypatch.setattr(screens, "look_after", lambda *_, **__: None)

    async def story() -> None:
        here = Here()
        async with here.running(), here.person("Ann") as ann:
            evening = await made(ann, screens=FAST)

            async def over(*, now: bool) -> None:
                if ended:
                    answer = await done(ann, evening, {"do": "end", "over": now})
                    assert answer.is_success

            await done(ann, evening, ROUND)
            ends = Waiting(lambda: over(now=True))
            await screens.tend(parts(here), evening["code"], ends)
            assert len((await held(here, evening)).log.codes) == (not ended)
            await over(now=False)
            for _ in range(20):
                if not await screens.tend(parts(here), evening["code"], None):
                    break
            else:
                raise AssertionError("there is always something to do, and nothing is done")
            assert len((await held(here, evening)).log.codes) == 2

    asyncio.run(story())


def play(log: EveningLog, round_: int) -> None:
    """Have a round begin and be played, which nobody has written down."""
    log.take(0, f"r-{round_}", log.asked(NextRound(do="round", round=round_), round_), 1)
    for table in log.evening.rounds[-1].tables:
        at, rows = f"{round_}-{table.number}", [[5, 10, 5, 10]]
        opened = Opened(do="opened", round=round_, table=table.number, code=at)
        log.take(0, f"t-{at}", opened, 1)
        done = Played(do="played", round=round_, table=table.number, rows=rows, at=round_)
        log.take(0, f"s-{at}", done, 1)


@pytest.mark.parametrize("rounds", [MOST_ROUNDS - 1, MOST_ROUNDS])  # the first is the control
def test_it_is_over_after_as_many_rounds_as_there_can_be(
    monkeypatch: pytest.MonkeyPatch, rounds: int
) -> None:
    monkeypatch.setattr(screens, "look_after", lambda *_, **__: None)

    async def story() -> None:
        here = Here()
        async with here.running(), here.person("Ann") as ann:
            evening = await made(ann, screens={**FAST, "auto": True})
            log = (await held(here, evening)).log
            for number in range(1, rounds + 1):
                play(log, number)
            assert await screens.tend(parts(here), evening["code"], None)
            after = (await held(here, evening)).log
            assert (after.over, len(after.evening.rounds)) == (rounds == MOST_ROUNDS, MOST_ROUNDS)

    asyncio.run(story())
