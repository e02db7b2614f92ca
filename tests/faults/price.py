"""What one address can take of a server: the dearest request of each route, asked without end.

A table with many hands, and people with many cookies, are in the database before the server starts.
Who asks comes through a proxy; beside it, hosts change the titles of their tables.

What an address pays is compared with what it takes, too: in processor time, on any machine.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, Final, NamedTuple
from unittest.mock import patch

import httpx
from fastapi import FastAPI
from msgspec.structs import replace
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from tests.faults.asker import AWAY
from tests.faults.deluge import Deluge, deluge
from tests.faults.evenings import EVENINGS, OF_HOST, with_evening, with_prepared
from tests.faults.handed import HANDED
from tests.faults.priced import LOCAL, Ask, once
from tests.faults.ratings import RATED, with_ratings
from tests.faults.score_sheets import SHEETS, with_sheet
from tests.heap import left_alone
from tests.server.core.tables import PEOPLE, Sheet
from tests.server.daily.tried import tried
from tests.server.http.served import Here
from tests.server.http.test_mistakes import DECISION, ONE
from tests.unicode.halves import halved

from rookery.daily.day import day_at
from rookery.puzzles.shelf import shelf
from rookery.rules import load
from rookery.server.api.mistakes import AT_ONCE, LONGEST
from rookery.server.http import middleware
from rookery.server.http.ratelimit import RATES, Buckets, Rate
from rookery.server.names import token_hash
from rookery.server.registry.tables import TableRegistry
from rookery.server.settings import Settings
from rookery.server.store.base import Challenge, Passkey, TableRow
from rookery.server.store.people.mistakes import MOST, Mistake
from rookery.server.store.sqlite import FILE, SqliteStore
from rookery.server.table import commands as cm
from rookery.server.table import events as ev
from rookery.server.table.state import Who

CODE: Final = "ABCDEF2"
PUZZLE: Final = max(shelf(), key=lambda one: len(one.plays)).id  # the longest to play again
DAY: Final = day_at(round(1000 * time.time()))
DEAL, DAILY = "/api/daily/{day}/{family}", f"/api/daily/{DAY}/five"
COOKIES: Final = 20  # people of one who asks: as many as an address may make in a minute
HANDS: Final = 300
LINES: Final = 32
REVIEW: Final = "/api/tables/{code}/matches/{match}/review"
TIMES: Final = 12  # that each is asked for to see what it costs
ALL: Final = "all at once"
# All cards count, every list is long, the text is as long as it may be.
RULES: Final = {
    "base": "kd_full_57",
    "notes": "x" * 500,
    "counters": {f"{suit}{rank}": 5 for suit in "RYGB" for rank in range(1, 15)},
}
LONG: Final = "\n".join(f"option{number} = [1, 2, 3]" for number in range(1000))[:23_000]
MADE: Final = dict.fromkeys(("credential", "client_data", "attestation"), 8_000 * "x")
SHOWN: Final = {
    "credential": 1_000 * "x",
    **dict.fromkeys(("client_data", "device_data", "signature"), 8_000 * "x"),
    "handle": 1_000 * "x",
}
_ASKED: Final = {**DECISION, "alternatives": DECISION["alternatives"] * 10}
# As many as are taken at once, nearly as long as they may be.
MISTAKES: Final = {"mistakes": [{**ONE, "hand": n, "decision": _ASKED} for n in range(AT_ONCE)]}


# Each address that a server listens to, with the dearest that may be asked for there.
DEAR: Final[dict[str, Ask]] = {
    "record": Ask("GET", "/api/tables/{code}/record", f"/api/tables/{CODE}/record"),
    "replay": Ask("GET", "/api/replay/{code}/{hand}", f"/api/replay/{CODE}/0"),
    "hands": Ask("GET", "/api/tables/{code}/hands", f"/api/tables/{CODE}/hands"),
    "regulars": Ask("GET", "/api/tables/{code}/statistics", f"/api/tables/{CODE}/statistics"),
    "review": Ask("GET", REVIEW, f"/api/tables/{CODE}/matches/0/review"),
    "one_table": Ask("GET", "/api/tables/{code}", f"/api/tables/{CODE}"),
    "picture": Ask("GET", "/api/tables/{code}/qr.svg", f"/api/tables/{CODE}/qr.svg"),
    "statistics": Ask("GET", "/api/session/statistics", "/api/session/statistics"),
    "me": Ask("GET", "/api/session", "/api/session"),
    "all_sessions": Ask("GET", "/api/sessions", "/api/sessions"),
    "all_passkeys": Ask("GET", "/api/passkeys", "/api/passkeys"),
    "all_mistakes": Ask("GET", "/api/mistakes", "/api/mistakes"),
    "keep_mistakes": Ask("PATCH", "/api/mistakes", "/api/mistakes", MISTAKES),
    **{name: Ask(*one) for name, one in {**RATED, **SHEETS, **EVENINGS, **HANDED}.items()},
    "want_passkey": Ask("POST", "/api/passkeys/wanted", "/api/passkeys/wanted", {}),
    "make_passkey": Ask("POST", "/api/passkeys", "/api/passkeys", MADE),
    "drop_passkey": Ask("DELETE", "/api/passkeys/{number}", f"/api/passkeys/{'0' * 16}"),
    "ask_passkey": Ask("POST", "/api/return/wanted", "/api/return/wanted", {}),
    "show_passkey": Ask("POST", "/api/return/passkey", "/api/return/passkey", SHOWN),
    "make": Ask("POST", "/api/tables", "/api/tables", {"rules": RULES, "bots": ["papa"] * 3}),
    "play_with_others": Ask("POST", "/api/tables/quick", "/api/tables/quick", {"rules": RULES}),
    "check": Ask("POST", "/api/rules/check", "/api/rules/check", {"rules": RULES}),
    "parse_file": Ask("POST", "/api/rules/parse", "/api/rules/parse", {"text": LONG}),
    "name_me": Ask("POST", "/api/session", "/api/session", {"name": "Ann"}),
    "link_me": Ask("POST", "/api/session/return", "/api/session/return", {}),
    "come_back": Ask("POST", "/api/return", "/api/return", {"token": "x" * 40}),
    "open_tables": Ask("GET", "/api/tables", "/api/tables"),
    "schema": Ask("GET", "/api/rules/schema", "/api/rules/schema?lang=es"),
    "names": Ask("GET", "/api/rules/names", "/api/rules/names?lang=es"),
    "variants": Ask("GET", "/api/variants", "/api/variants?lang=es"),
    "one_variant": Ask("GET", "/api/variants/{variant_id}", "/api/variants/kd_tournament?lang=es"),
    "all_puzzles": Ask("GET", "/api/puzzles", "/api/puzzles"),
    "one_puzzle": Ask("GET", "/api/puzzles/{puzzle_id}", f"/api/puzzles/{PUZZLE}"),
    "puzzle_answer": Ask("GET", "/api/puzzles/{puzzle_id}/answer", f"/api/puzzles/{PUZZLE}/answer"),
    "daily_deals": Ask("GET", "/api/daily", "/api/daily"),
    "daily_archive": Ask("GET", "/api/daily/archive", "/api/daily/archive"),
    "begin_daily": Ask("POST", DEAL, DAILY, {}),
    "daily_position": Ask("GET", f"{DEAL}/position", f"{DAILY}/position?seen=0"),
    "act_daily": Ask("POST", f"{DEAL}/act", f"{DAILY}/act", {"action": "pass", "seen": 1}),
    "daily_results": Ask("GET", f"{DEAL}/results", f"{DAILY}/results"),
    "bots": Ask("GET", "/api/bots", "/api/bots"),
    "socket_schemas": Ask("GET", "/api/protocol.json", "/api/protocol.json"),
    "description": Ask("GET", "/api/openapi.json", "/api/openapi.json"),
    "admin": Ask("GET", "/api/admin", "/api/admin"),
    "talk": Ask("GET", "/api/admin/talk", f"/api/admin/talk?code={CODE}&seq=9"),
    "alive": Ask("GET", "/healthz", "/healthz"),
    "at_work": Ask("GET", "/readyz", "/readyz"),
    "page": Ask("GET", "/{path:path}", "/new"),
    "worker": Ask("GET", "/sw.js", "/sw.js"),
    "file": Ask("GET", "/static", "/static/app.js"),
    "kit": Ask("GET", "/kit", "/kit/list.json"),
    "no_handshake": Ask("GET", "/ws/{code}", f"/ws/{CODE}"),
    "one_session": Ask("DELETE", "/api/sessions/{number}", f"/api/sessions/{'0' * 16}"),
    "other_sessions": Ask("DELETE", "/api/sessions", "/api/sessions"),
    "forget_me": Ask("DELETE", "/api/session", "/api/session"),
}
# Tables with as many hands that sleep: who wakes them, a stranger or somebody with a seat there.
SLEEPING: Final = tuple(f"ABCDEF{letter}" for letter in "GHJKLMNPQRST")
WAKE, OWN = "sleeping tables", "own tables that sleep"
# Each message, by those who say it without end; `#` is a number. One in twenty of them is host.
SAID: Final[Mapping[str, Sequence[str]]] = {
    "hello": ['{"type":"hello"}', '{"type":"hello","parts":true,"changes":true}'],
    WAKE: ['{"type":"hello"}'],
    OWN: ['{"type":"hello"}'],
    "ping": ['{"type":"ping"}'],
    "chat": [f'{{"type":"chat","id":"c#","text":"{"x" * 280}"}}'],
    "sit": ['{"type":"sit","id":"s#"}', '{"type":"sit","id":"m#","matched":true}'],
    "table": ['{"type":"table","id":"t#","title":"Evening #","open":true}'],
    "hint": ['{"type":"hint"}'],
    "odd messages": [
        '{"type":"chat","id":"c#","text":"\\ud800"}',
        f'{{"type":"chat","id":"c#","text":"{"x" * 4_000}"}}',
        f'{{"type":"act","id":"a#","action":"play {"9" * 200}"}}',
        4_000 * "[",
    ],
    "all else that is said": [
        '{"type":"leave","id":"#"}',
        '{"type":"act","id":"#","action":"pass"}',
        '{"type":"start","id":"#"}',
        '{"type":"arrange","id":"#","seats":[1,0,2,3]}',
        '{"type":"bot","id":"#","seat":2,"bot":"papa"}',
        '{"type":"replace","id":"#","seat":0}',
        '{"type":"host","id":"#","seat":1}',
        '{"type":"rematch","id":"#"}',
        '{"type":"stand_in","id":"#","seat":0}',
        '{"type":"mute","id":"#","line":9}',
        '{"type":"send_away","id":"#","line":9}',
        '{"type":"undo","id":"#"}',
        '{"type":"claim","id":"#"}',
        '{"type":"vote","id":"#","yes":true}',
        '{"type":"challenge","id":"#","seat":0}',
        '{"type":"next","id":"#"}',
        '{"type":"contribute","id":"#","number":0,"share":"00000000000000000000000000000000"}',
        '{"type":"halt","id":"#"}',
        '{"type":"face","id":"#","face":"Egret"}',
        '{"type":"report","id":"#","seat":1}',
        '{"type":"block","id":"#","seat":1}',
    ],
}
NAMES: Final = (*DEAR, *SAID, ALL)


@lru_cache(maxsize=1)
def long_table(hands: int) -> list[ev.Entry]:
    """Return the events of a table where so many hands were played, and one is under way."""
    sheet = Sheet(load({"base": "kd_tournament", "target": 100_000}), people=4)
    sheet.say(PEOPLE[0], cm.Start("g"))
    rng = Random(hands)
    while sheet.table.finished < hands:
        sheet.play(rng, lambda hand: hand.over)
        for seat in range(4):
            if sheet.hand.over:
                sheet.say(sheet.person(seat), cm.Next("n"))
    return sheet.entries


async def filled(folder: Path, hands: int, more: Sequence[str] = ()) -> list[str]:
    """Keep a long table, or more such, and people in a data folder; return the cookies of these."""
    store, entries = SqliteStore(folder / FILE), long_table(hands)
    try:
        now = round(1000 * time.time())  # what is old expires
        for code in (CODE, *more):
            made = replace(entries[0], event=replace(entries[0].event, code=code))
            await store.append(TableRow(code, True, "playing", now, now), [made, *entries[1:]])
        tokens = [f"cookie-{number:032d}" for number in range(COOKIES)]
        for number, token in enumerate(tokens):
            # The first of them has played at the long table.
            who = PEOPLE[0] if number == 0 else Who(f"{number:016x}", f"Ann {number}")
            await store.add_person(who, token_hash(token), now)
            passkey = Passkey(f"a2V5{number:04}", who.id, "aGFuZGxl", "a2V5", 0, now, now)
            spent = Challenge(f"challenge {number}", now)
            await store.add_passkey(passkey, spent, token_hash(token), 1)
            await tried(store, who.id, DAY, "five", now)
        long = f'{{"x":"{LONGEST * "x"}"}}'
        mistakes = [Mistake(CODE, hand, 7, now, long) for hand in range(MOST)]
        await store.mistakes.keep(PEOPLE[0].id, mistakes)
        await with_ratings(store, PEOPLE[:4])
        at = await with_evening(store, max(1, hands // 20), now)
        await with_sheet(store, CODE, hands, now, at)
        await with_prepared(store, max(1, hands // 30), now)
    finally:
        await store.close()
    return [f"rookery={token}" for token in tokens]


def asks(name: str) -> Iterator[tuple[str, str, str | None]]:
    """Yield requests of that name: method, path, and what is sent; some of it is odd."""
    dice = Random(name)
    for one in DEAR.values() if name == ALL else [DEAR[name]]:
        sent = None if one.body is None else json.dumps(one.body)
        yield one.method, one.path, sent
        if sent is not None and name != ALL:
            yield one.method, one.path, json.dumps(halved(one.body, dice))
            yield one.method, one.path, json.dumps(dict.fromkeys(one.body, "x" * 20_000))


def flooded(
    folder: Path, name: str | None, seconds: float, build: str = "sound", hands: int = HANDS
) -> Deluge:
    """Return what a server makes of somebody who asks for one of `NAMES` without end, or nobody."""

    async def story() -> Deluge:
        cookies = await filled(place, hands, SLEEPING if name in (WAKE, OWN) else ())
        path = None if name is None else f"/ws/{CODE}"
        more: dict[str, Any] = {"cookies": cookies}
        if name in (WAKE, OWN):
            more["cookies"] = cookies[1:] if name == WAKE else cookies[:1]
            more["paths"] = [f"/ws/{code}" for code in SLEEPING]
        if name is not None and name in SAID:
            more["say"] = SAID[name]
        elif name is not None:
            more["asks"] = list(asks(name))
            more["cookies"] = cookies[:1] if name in OF_HOST else cookies
        # Somebody plays at the long table; they are forgotten too, at some time.
        awake = CODE, cookies[0]
        return await deluge(place, path, seconds, build, lines=LINES, more=more, awake=awake)

    place = folder / f"{build}-{name}".replace(" ", "-")
    place.mkdir(parents=True)
    return asyncio.run(story())


class Cost(NamedTuple):
    """Seconds of a core that a request takes, what its address pays, and how it was answered."""

    taken: float
    paid: float
    status: int


def costs(folder: Path, hands: int, times: int = TIMES) -> dict[str, Cost]:
    """Return what one request of each of `DEAR` costs: the median of so many, whatever else runs.

    It is asked for without a network. So reading it and writing the answer is not in it, for which
    an address pays a fixed price.
    """

    async def story() -> dict[str, Cost]:
        cookies = await filled(folder, hands)
        buckets = Buckets(dict.fromkeys(RATES, Rate(1e9, 1, 1e9)), lambda: 0.0)
        registry = TableRegistry(SqliteStore(folder / FILE), Settings())
        app = Here(registry=registry, buckets=buckets).app
        transport = httpx.ASGITransport(app=_Timed(app), client=(AWAY, 1))
        found = {}
        await registry.open(str)
        async with httpx.AsyncClient(
            transport=transport, base_url=LOCAL, headers={"origin": LOCAL}
        ) as one:

            async def asked(ask: Ask, cookie: str) -> httpx.Response:
                one.cookies.clear()
                told = {"cookie": cookie}
                return await one.request(ask.method, ask.path, json=ask.body, headers=told)

            ready = once(DEAR, asked, cookies)
            for name, ask in DEAR.items():
                wanted = [(ask, cookies[0])] * (times + 1)
                if name in ready:
                    wanted = [await ready[name](number) for number in range(times + 1)]
                await asked(*wanted[0])
                taken, paid, worst = list[float](), list[float](), 0
                for each in wanted[1:]:
                    spent, before = _Timed.spent, _paid(buckets)
                    worst = max(worst, (await asked(*each)).status_code)
                    taken.append(_Timed.spent - spent)
                    paid.append(_paid(buckets) - before)
                found[name] = Cost(median(taken), median(paid), worst)
        await registry.close()
        return found

    with left_alone():
        return asyncio.run(story())


def _paid(buckets: Buckets) -> float:
    return 1e9 - buckets._filled.get(("processor", AWAY), (1e9, 0.0))[0]


class _Timed:
    """An application, and how many seconds of a core this process has spent in it, threads too."""

    spent = 0.0

    def __init__(self, app: Any) -> None:  # noqa: ANN401  (any ASGI application)
        self._app = app

    async def __call__(self, *asked: Any) -> None:  # noqa: ANN401
        began = time.process_time()
        await self._app(*asked)
        _Timed.spent += time.process_time() - began


def unpriced(app: FastAPI) -> set[tuple[str, str]]:
    """Return what an application listens to and `DEAR` does not ask for: method and route."""
    asked = {(one.method, one.route) for one in DEAR.values()}
    return {each for route in app.routes for each in _listens(route)} - asked


def _listens(route: BaseRoute) -> Iterator[tuple[str, str]]:
    match route:
        case Route():
            yield from ((method, route.path) for method in (route.methods or set()) - {"HEAD"})
        case Mount() | WebSocketRoute():
            yield "GET", route.path
        case _:  # routes of a router that was included
            for inner in route.original_router.routes:  # type: ignore[attr-defined]
                yield from _listens(inner)


@contextmanager
def unpaid(route: str) -> Iterator[None]:
    """Have nobody pay for a while for what is asked for at one path."""
    sound = middleware.Guard._answer

    async def answer(self: middleware.Guard, payer: Any, scope: Any, *rest: Any) -> None:  # noqa: ANN401
        if scope["path"] == route and payer is not None:
            with patch.object(payer, "pay", lambda _: None):
                await sound(self, payer, scope, *rest)
        else:
            await sound(self, payer, scope, *rest)

    with patch.object(middleware.Guard, "_answer", answer):
        yield
