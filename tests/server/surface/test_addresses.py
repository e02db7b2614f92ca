"""Who asks one thing all the time: so much at once, refused a little, and then held up."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.datastructures import Headers
from tests.heap import left_alone
from tests.server.http.served import HOME, Here, no_limits
from tests.server.memory.store import MemoryStore
from tests.server.surface.loaded import LOADED

from rookery.server.http import ratelimit as limits
from rookery.server.http import static
from rookery.server.http.ratelimit import (
    HEALTH,
    HELD_FOR,
    RATES,
    Addresses,
    Buckets,
    Payer,
    Rate,
)
from rookery.server.http.static import LOOKED, Static
from rookery.server.live.sockets import AT_THE_DOOR
from rookery.server.monitoring import health as readiness
from rookery.server.monitoring.health import KNOWN_FOR, Readiness
from rookery.server.registry.tables import TableRegistry
from rookery.server.settings import Settings
from rookery.server.store.base import StoreError

AWAY = "203.0.113.5"
CLASS, MODULES = 30, 50
EIGHT = 8  # people at one table, or at two
NOTICED = 30.0  # seconds, on a slow machine too
OUTSIDE = ("/", "/new", "/t/ABCDEF2", "/static/app.js", "/sw.js", "/nothing.txt", "/ws/ABCDEF2")


def running(story: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(story())


def held_to(**rates: Rate) -> Buckets:
    """Return limits that nobody reaches but these, on a clock that stands still."""
    return Buckets(dict.fromkeys(RATES, Rate(1e9, 1, 1e9)) | rates, lambda: 0.0)


async def settled() -> None:
    """Return once everybody has come as far as they can; nobody here waits for anything outside."""
    for _ in range(100):
        await asyncio.sleep(0)


class Slept:
    """Time that passes when the test says so."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.now = 0.0
        self.over = asyncio.Event()

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)
        await self.over.wait()
        self.now += seconds


@pytest.mark.parametrize("path", OUTSIDE)
def test_pages_and_files_have_a_limit_and_no_other_address_is_hurt(path: str) -> None:
    async def story() -> None:
        here = Here(buckets=held_to(page=Rate(1, 60, 2)))

        def of(address: str) -> httpx.AsyncClient:
            transport = httpx.ASGITransport(app=here.app, client=(address, 1))
            return httpx.AsyncClient(transport=transport, base_url=HOME)

        async with of(AWAY) as eve, of("203.0.113.6") as ann, of("127.0.0.1") as home:
            for method in ("GET", "HEAD"):
                found = [(await eve.request(method, path)).status_code for _ in range(4)]
                assert found[2:] == [429, 429]
                assert (429 in found[:2]) == (method == "HEAD")
            # What is another limit's is not theirs.
            assert (await eve.get("/api/session")).status_code == 200
            assert (await eve.get("/readyz")).status_code == 200
            assert (await ann.get(path)).status_code != 429
            assert 429 not in {(await home.get(path)).status_code for _ in range(9)}

    running(story)


def test_a_class_loads_the_page_at_once() -> None:
    buckets = Buckets(clock=lambda: 0.0)
    assert all(buckets.take("page", AWAY) for _ in range(CLASS * MODULES))


@pytest.mark.parametrize("path", HEALTH)
def test_how_the_server_is_nobody_is_refused_but_a_flood_waits(path: str) -> None:
    async def story() -> None:
        slept = Slept()
        buckets = Buckets(dict.fromkeys(RATES, Rate(1, 1, 2)), lambda: slept.now)
        addresses = Addresses(buckets, sleep=slept)
        # There is no processor time left. Within the limit that is nobody's business.
        Payer(AWAY, addresses).pay(2 + 0.1 * HELD_FOR)
        assert [await addresses.admit(AWAY, path) for _ in range(2)] == [None] * 2
        # Who goes on beyond it waits, in order.
        asked = [asyncio.create_task(addresses.admit(AWAY, path)) for _ in range(9)]
        await settled()
        assert len(slept.seconds) == 1
        assert not any(task.done() for task in asked)
        # Whoever asks from elsewhere does not.
        assert await addresses.admit("203.0.113.6", path) is None
        slept.over.set()
        assert await asyncio.gather(*asked) == [None] * 9
        assert not addresses.waiting.taken

    running(story)


def test_a_balancer_that_asks_often_is_never_held() -> None:
    now = 0.0
    buckets = Buckets(clock=lambda: now)
    for _ in range(1_000):
        now += 0.2
        assert buckets.take("health", AWAY)


@pytest.mark.parametrize("path", HEALTH)
def test_nobody_is_let_off_what_they_owe_by_asking_how_the_server_is(path: str) -> None:
    async def story() -> None:
        buckets = held_to(processor=RATES["processor"])
        here = Here(registry=TableRegistry(MemoryStore(), Settings()), buckets=buckets)
        buckets.pay("processor", AWAY, 100.0)
        owed = buckets.due("processor", AWAY)
        transport = httpx.ASGITransport(app=here.app, client=(AWAY, 1))
        async with (
            here.running(),
            httpx.AsyncClient(transport=transport, base_url=HOME) as eve,
        ):
            answers = await asyncio.gather(*(eve.get(path) for _ in range(50)))
        assert {answer.status_code for answer in answers} == {200}
        assert buckets.due("processor", AWAY) >= owed

    running(story)


@pytest.mark.parametrize("path", ["/", "/api/bots"])
def test_who_has_no_processor_time_left_waits_in_order_and_is_let_in_as_it_comes(path: str) -> None:
    async def story() -> None:
        slept = Slept()
        slept.over.set()
        buckets = Buckets(dict.fromkeys(RATES, Rate(1, 10, 100)), lambda: slept.now)
        addresses, order = Addresses(buckets, sleep=slept), list[int]()

        async def asks(number: int) -> None:
            assert await addresses.admit(AWAY, path) is None
            order.append(number)
            Payer(AWAY, addresses).pay(0.1)

        Payer(AWAY, addresses).pay(100 + 0.2)
        await asyncio.gather(*(asks(number) for number in range(9)))
        # Two seconds for what was owed, and one for each that came before.
        assert order == list(range(9))
        assert sum(slept.seconds) == pytest.approx(2 + 8, abs=0.1)
        assert await addresses.admit("203.0.113.6", path) is None

    running(story)


def test_who_waits_too_long_is_refused_and_only_so_many_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def story() -> None:
        slept = Slept()
        buckets = Buckets(dict.fromkeys(RATES, Rate(1, 10, 100)), lambda: slept.now)
        addresses = Addresses(buckets, most=5, sleep=slept)
        Payer(AWAY, addresses).pay(100 + 3.0)
        asked = [asyncio.create_task(addresses.admit(AWAY, "/")) for _ in range(9)]
        await settled()
        assert (addresses.waiting.taken.total(), sum(task.done() for task in asked)) == (5, 4)
        found = await asyncio.gather(*asked)
        assert {(problem.code, problem.wait) for problem in found if problem} == {("too-many", 30)}
        assert len(found) == 9
        assert not addresses.waiting.taken
        assert not addresses._lines

    monkeypatch.setattr(limits, "HELD_MOST", 0.05)
    running(story)


def test_a_server_that_stops_does_not_wait_for_those_who_wait() -> None:
    async def story() -> None:
        buckets = Buckets(dict.fromkeys(RATES, Rate(1, 1e9, 1)), lambda: 0.0)
        addresses = Addresses(buckets)
        Payer(AWAY, addresses).pay(2.0)
        asked = [asyncio.create_task(addresses.turn(AWAY, most)) for most in (None, 1e9)]
        await settled()
        assert not any(task.done() for task in asked)
        addresses.end()
        assert await asyncio.gather(*asked) == [False] * 2
        # Nor does anybody begin to.
        assert not await addresses.turn(AWAY)
        assert await addresses.turn("203.0.113.6")

    running(story)


def test_a_server_stops_though_somebody_has_just_waited_for_too_long() -> None:
    async def story() -> None:
        buckets = Buckets(dict.fromkeys(RATES, Rate(1, 1e9, 1)), lambda: 0.0)
        addresses = Addresses(buckets)
        Payer(AWAY, addresses).pay(2.0)
        asked = [asyncio.create_task(addresses.turn(AWAY, most)) for most in (0.01, 1e9)]
        await settled()
        loop, failed = asyncio.get_running_loop(), list[object]()
        loop.set_exception_handler(lambda _, why: failed.append(why))
        # In the same turn of the loop, right after the time of the first is over.
        loop.call_at(min(wait.when() or 0.0 for wait in addresses._waits), addresses.end)
        assert await asyncio.wait_for(asyncio.gather(*asked), NOTICED) == [False] * 2
        assert not failed

    running(story)


def come_at_once() -> tuple[set[int], float]:
    """Have eight people of one address open everything; return the answers, and seconds waited."""
    slept = Slept()
    answers: set[int] = set()

    async def story() -> None:
        slept.over.set()
        buckets = Buckets(RATES, lambda: slept.now)
        registry = TableRegistry(MemoryStore(), Settings())
        here = Here(registry=registry, buckets=buckets)
        addresses = here.app._app.state.addresses  # type: ignore[attr-defined]
        addresses._sleep = slept

        async def comes(number: int) -> list[int]:
            # Of one network, in IPv6.
            client = (f"2001:db8:1:2::{number + 1}", 1)
            transport = httpx.ASGITransport(app=here.app, client=client)
            mine = {"origin": HOME}
            async with httpx.AsyncClient(transport=transport, base_url=HOME, headers=mine) as one:
                named = await one.post("/api/session", json={"name": f"Ann {number}"})
                asked = [await one.get(path) for path in LOADED]
            return [named.status_code, *(answer.status_code for answer in asked)]

        with left_alone():
            found = await asyncio.gather(*(comes(number) for number in range(EIGHT)))
        answers.update(code for codes in found for code in codes)
        await registry.close()

    running(story)
    return answers, sum(slept.seconds)


def notice(answers: set[int], waited: float) -> bool:
    """Return whether they do: it is more than they have at once, on a slow machine too."""
    return answers != {200} or waited >= NOTICED


def test_families_who_come_at_once_notice_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """As after a restart of the server. What else runs makes all dearer, so one of three counts."""
    assert not all(notice(*come_at_once()) for _ in range(3))
    # The control: where each answer costs a hundredth of a second they do.
    monkeypatch.setattr("rookery.server.http.middleware.REQUEST", 0.01)
    assert notice(*come_at_once())


def let_in_at_once(monkeypatch: pytest.MonkeyPatch) -> int:
    """Have a hundred ask within the limits; return how many were let in during one turn."""
    turns: list[int] = []

    async def story() -> None:
        addresses = Addresses(no_limits())
        asked = [asyncio.create_task(addresses.admit(AWAY, "/")) for _ in range(100)]
        while not all(task.done() for task in asked):
            turns.append(sum(task.done() for task in asked))
            await asyncio.sleep(0)
        turns.append(len(asked))

    running(story)
    return max(after - before for before, after in pairwise(turns))


def test_of_many_that_come_at_once_a_few_are_let_in_at_a_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert let_in_at_once(monkeypatch) <= AT_THE_DOOR
    # The control: without the door all of them are.
    monkeypatch.setattr("rookery.server.http.ratelimit.AT_THE_DOOR", 1_000)
    assert let_in_at_once(monkeypatch) > AT_THE_DOOR


class Asked(MemoryStore):
    """A store that counts who asks how it is, and can be ill."""

    def __init__(self) -> None:
        super().__init__()
        self.times, self.ill = 0, False

    async def ping(self) -> None:
        self.times += 1
        await asyncio.sleep(0)
        if self.ill:
            raise StoreError("the disk is full")


def written(known_for: float, monkeypatch: pytest.MonkeyPatch) -> int:
    """Return how often the store is asked for the sake of a hundred who ask within a second."""
    store = Asked()

    async def story() -> None:
        monkeypatch.setattr(readiness, "KNOWN_FOR", known_for)
        ready = Readiness(TableRegistry(store, Settings()), lambda: 0.0)
        assert await asyncio.gather(*(ready.here() for _ in range(50))) == [True] * 50
        for _ in range(50):
            assert await ready.here()

    running(story)
    return store.times


def test_all_who_ask_within_a_second_share_one_look_at_the_store(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert written(KNOWN_FOR, monkeypatch) == 1
    # The control: an answer that does not last.
    assert written(0.0, monkeypatch) > 50


def test_an_answer_is_forgotten_after_a_second_whatever_it_was() -> None:
    async def story() -> None:
        now, store = 0.0, Asked()
        ready = Readiness(TableRegistry(store, Settings()), lambda: now)
        assert await ready.here()
        store.ill = True
        assert await ready.here()
        now += KNOWN_FOR
        assert not await ready.here()
        store.ill = False
        assert not await ready.here()
        now += KNOWN_FOR
        assert await ready.here()
        assert store.times == 3

    running(story)


def test_one_who_goes_away_takes_nobody_elses_answer_along() -> None:
    async def story() -> None:
        ready = Readiness(TableRegistry(Asked(), Settings()))
        first, second = (asyncio.create_task(ready.here()) for _ in range(2))
        await asyncio.sleep(0)
        first.cancel()
        assert await second

    running(story)


def walks(folder: Path, looked: float, monkeypatch: pytest.MonkeyPatch) -> int:
    """Return how often the folder is looked through for twenty pages within a second."""
    (folder / "index.html").write_text("<head></head>")
    found, sound = 0, Path.rglob

    def rglob(self: Path, pattern: str) -> Any:  # noqa: ANN401
        nonlocal found
        found += 1
        return sound(self, pattern)

    monkeypatch.setattr(static, "LOOKED", looked)
    monkeypatch.setattr(Path, "rglob", rglob)
    served = Static(folder, lambda: 0.0)
    for _ in range(20):
        assert served.file("index.html", Headers()).status_code == 200
    monkeypatch.setattr(Path, "rglob", sound)
    return found


def test_the_folder_is_looked_through_once_a_second(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert walks(tmp_path, LOOKED, monkeypatch) == 1
    # The control: what this server did before.
    assert walks(tmp_path, 0.0, monkeypatch) == 20


def test_a_file_is_kept_once_however_it_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text("let a = 1;")
    served = Static(tmp_path)
    for number in range(20):
        assert served.file(f"x{number}/.././a.js", Headers()).status_code == 200
    assert len(served._read) == 1
