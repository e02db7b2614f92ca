"""An evening on screens at which nobody looks: it goes on, is paid for, and ends when deleted."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine
from copy import copy
from typing import Any, Final, cast

import httpx
import pytest
from tests.server.core.tables import PEOPLE
from tests.server.http.served import HOME, Here
from tests.server.http.test_evenings import done, made, score
from tests.server.http.test_screens import FAST, PATIENCE

from rookery.evening.log import fold
from rookery.server import names
from rookery.server.api.evenings import care, screens
from rookery.server.api.evenings.held import Evenings, Held
from rookery.server.api.state import AppState
from rookery.server.http.ratelimit import RATES, Buckets, Rate
from rookery.server.registry.tables import TableRegistry
from rookery.server.table import events as ev
from rookery.server.work import Tab

AWAY: Final = "203.0.113.5"
MANY: Final = 24  # tables: more than the fastest machine opens with what is allowed at once
STILL: Final = 0.5  # seconds in which something would have happened
ROUND: Final = {"do": "round", "round": 1}


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next round begins soon after the last table."""
    monkeypatch.setattr(fold, "PAUSE", 30)


def parts(here: Here) -> AppState:
    """Return the parts of a server that stands behind its guard."""
    return cast(AppState, cast(Any, here.app)._app.state.rookery)


async def held(here: Here, evening: dict[str, Any]) -> Held:
    """Return an evening as it is, without a look at it."""
    found = await parts(here).evenings.at(evening["code"])
    assert found is not None
    return found


async def until(there: Callable[[], Awaitable[bool]]) -> None:
    """Return once something is so."""
    async with asyncio.timeout(PATIENCE):
        while True:
            if await there():
                return
            await asyncio.sleep(0.01)


async def over(here: Here, evening: dict[str, Any]) -> None:
    """Return once an evening is over."""

    async def there() -> bool:
        return (await held(here, evening)).log.over

    await until(there)


async def opened(here: Here, evening: dict[str, Any], tables: int) -> None:
    """Return once so many tables are open."""

    async def there() -> bool:
        return len((await held(here, evening)).log.codes) >= tables

    await until(there)


async def all_done(here: Here, tables: int) -> None:
    """Return once so many tables are done."""

    async def there() -> bool:
        return sum(one.table.phase == "over" for one in here.registry.actors) >= tables

    await until(there)


async def entries(here: Here, evening: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what the log of an evening says."""
    log = await here.store.sheets.entries(evening["code"], 0)
    return [json.loads(one.body) for one in log]


def test_an_evening_goes_on_though_nobody_looks_and_the_control_stands_still() -> None:
    async def story(*, told: bool) -> Counter[str]:
        here = Here()
        if not told:
            here.registry.admission.done = bool
        async with here.running(), here.person("Ann") as ann:
            evening = await made(ann, screens={**FAST, "auto": True, "rounds": 3})
            await done(ann, evening, ROUND)
            if told:
                await over(here, evening)
            else:
                await all_done(here, 2)
                await asyncio.sleep(STILL)
            return Counter(one["do"] for one in await entries(here, evening))

    assert asyncio.run(story(told=True)) == {"round": 3, "opened": 6, "played": 6, "end": 1}
    # The last two are the control: what was due was known, and nobody was told.
    assert asyncio.run(story(told=False)) == {"round": 1, "opened": 2}


def test_a_hall_of_bots_at_which_nobody_has_looked_for_long_waits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(care, "AWHILE", 0.0)

    async def story() -> None:
        here = Here()
        async with here.running(), here.person("Ann") as ann:
            evening = await made(ann, screens={**FAST, "auto": True, "rounds": 2})
            await done(ann, evening, ROUND)
            await all_done(here, 2)
            await asyncio.sleep(STILL)
            assert "played" not in [one["do"] for one in await entries(here, evening)]

            async def looked() -> bool:
                assert (await ann.get(f"/api/evenings/{evening['code']}")).is_success
                return (await held(here, evening)).log.over

            await until(looked)

    asyncio.run(story())


def test_after_a_start_of_the_server_an_evening_goes_on_once_a_table_is_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def story(*, sound: bool) -> bool:
        before = Here()
        before.registry.admission.done = bool  # it has ended before it has told anybody
        async with before.running(), before.person("Ann") as ann:
            evening = await made(ann, screens={**FAST, "auto": True, "rounds": 2})
            await done(ann, evening, ROUND)
            await all_done(before, 2)
        after = Here(registry=TableRegistry(before.store, before.settings))
        if not sound:
            monkeypatch.setattr(care.Cares, "since_start", lambda *_: None)
        async with after.running():
            code = (await held(after, evening)).log.codes[1, 1]
            table = await after.registry.table(code)
            assert table is not None
            assert table.evening is not None
            after.registry.admission.done(table.evening)
            if sound:
                await over(after, evening)
            else:
                await asyncio.sleep(STILL)
            return (await held(after, evening)).log.over

    assert asyncio.run(story(sound=True))
    assert not asyncio.run(story(sound=False))


async def _by_two(here: Here) -> tuple[Counter[tuple[object, ...]], int]:
    """Have two servers look after an evening at once; return its entries, and its tables."""
    async with here.running(), here.person("Ann") as ann:
        one = parts(here)
        other = copy(one)
        other.evenings = Evenings(one.registry.store.sheets)

        def both(joined: ev.EveningJoined) -> None:
            for each in (one, other):
                screens.table_done(each, joined)

        one.registry.admission.done = both
        evening = await made(ann, screens={**FAST, "auto": True, "rounds": 3})
        found = await other.evenings.at(evening["code"])
        assert found is not None
        screens.look_after(other, found, host=True)
        await done(ann, evening, ROUND)
        screens.look_after(other, found, host=True, at_once=True)
        await over(here, evening)
        await other.evenings.cares.close()
        said = await entries(here, evening)
        return Counter((each["do"], each.get("round"), each.get("table")) for each in said), len(
            here.registry.actors
        )


def test_two_servers_that_look_after_one_evening_do_everything_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said, tables = asyncio.run(_by_two(Here()))
    assert set(said.values()) == {1}
    assert (len(said), tables) == (3 + 6 + 6 + 1, 6)
    # The control: an entry whose id does not follow from round and table is there twice.
    monkeypatch.setattr(screens, "IDS", {**screens.IDS, "opened": Anew()})
    assert max(asyncio.run(_by_two(Here()))[0].values()) > 1


class Anew(str):
    """A text that is another one each time it is filled in."""

    def format(self, *args: object, **named: object) -> str:
        """Return what nobody has said before."""
        return names.new_token()[:20]


def test_tables_of_a_deleted_evening_rest_but_for_those_where_somebody_is() -> None:
    async def story() -> None:
        here = Here()
        async with here.running(), here.person("Ann") as ann:
            evening = await made(ann, screens={**FAST, "pace": "normal"})
            await done(ann, evening, ROUND)
            await opened(here, evening, 2)
            await asyncio.sleep(STILL)
            assert len(here.registry.actors) == 2  # the control: they play
            attended = here.registry.actors[0]
            attended.connect(PEOPLE[0])
            at = f"/api/evenings/{evening['code']}"
            assert (await ann.delete(at)).is_success
            assert here.registry.actors == [attended]
            assert parts(here).evenings.cares.of(evening["code"]) is None

    asyncio.run(story())


def test_tables_of_a_deleted_evening_rest_though_somebody_has_typed_their_scores() -> None:
    async def story() -> None:
        here = Here()
        async with here.running(), here.person("Ann") as ann:
            evening = await made(ann, screens={**FAST, "pace": "normal"})
            await done(ann, evening, ROUND)
            await opened(here, evening, 2)
            assert (await done(ann, evening, score(1, 10, 20))).is_success
            assert len(here.registry.actors) == 2  # the control: they play on
            assert (await ann.delete(f"/api/evenings/{evening['code']}")).is_success
            assert here.registry.actors == []

    asyncio.run(story())


class Clock:
    """A clock that goes on by `step` seconds whenever somebody looks at it."""

    def __init__(self, step: float = 0.0) -> None:
        self.now, self.step = 0.0, step

    def __call__(self) -> float:
        self.now += self.step
        return self.now


class Hall:
    """An evening on screens whose host comes from elsewhere, and all of whose people are there."""

    def __init__(self, tables: int, clock: Clock, **limits: Rate) -> None:
        self.buckets = Buckets({**dict.fromkeys(RATES, Rate(1e9, 1, 1e9)), **limits}, clock)
        self.here, self.clock, self.tables = Here(buckets=self.buckets), clock, tables
        self.evening: dict[str, Any] = {}
        self.host = self._from(AWAY)

    def _from(self, address: str) -> httpx.AsyncClient:
        transport = httpx.ASGITransport(app=self.here.app, client=(address, 1))
        return httpx.AsyncClient(transport=transport, base_url=HOME, headers={"origin": HOME})

    async def gather(self) -> None:
        """Make the evening, and have everybody say who they are, so that no bot has to think."""
        await self.host.post("/api/session", json={"name": "Ann"})
        people = [f"Guest {n}" for n in range(4 * self.tables)]
        wanted = {**FAST, "pace": "normal"}
        self.evening = await made(self.host, people=people, screens=wanted)
        for number, name in enumerate(people):
            async with self._from("127.0.0.1") as guest:
                await guest.post("/api/session", json={"name": name})
                await done(guest, self.evening, {"do": "claim", "person": number})

    async def begin(self) -> None:
        """Begin the first round, and wait for a while."""
        assert (await done(self.host, self.evening, ROUND)).is_success
        await asyncio.sleep(STILL)

    async def opened(self) -> int:
        """Return how many tables are open."""
        return len((await held(self.here, self.evening)).log.codes)

    def paid(self) -> float:
        """Return what the host's address has paid, seconds of a core."""
        return 1e9 - self.buckets._filled.get(("processor", AWAY), (1e9, 0.0))[0]


def test_whoever_runs_an_evening_pays_for_its_tables_and_what_is_free_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def story() -> float:
        hall = Hall(12, Clock())
        async with hall.here.running():
            await hall.gather()
            before, began = hall.paid(), time.process_time()
            await hall.begin()
            assert await hall.opened() == hall.tables
            return (hall.paid() - before) / (time.process_time() - began)

    async def free(account: object, work: Coroutine[Any, Any, str]) -> str:
        return await work

    share = asyncio.run(story())
    assert 0.5 < share <= 1.0
    monkeypatch.setattr(screens, "metered", free)
    assert asyncio.run(story()) < 0.5


def test_tables_wait_until_those_before_them_are_paid() -> None:
    async def story(**limits: Rate) -> int:
        hall = Hall(MANY, Clock(step=10.0), **limits)
        async with hall.here.running():
            await hall.gather()
            hall.clock.step = 0.0
            await hall.begin()
            found = await hall.opened()
            hall.clock.step = 1.0
            await opened(hall.here, hall.evening, hall.tables)
            return found

    assert asyncio.run(story(moment=RATES["moment"])) < MANY
    assert asyncio.run(story()) == MANY  # the control


def test_the_host_pays_as_long_as_one_has_looked_and_else_whoever_looks() -> None:
    host, other, guest = Tab(), Tab(), Tab()
    found = care.Care()
    found.seen(guest, host=False)
    assert found.payer is guest
    found.seen(host, host=True)
    found.seen(guest, host=False)
    assert found.payer is host
    found.seen(other, host=True)
    assert found.payer is other
