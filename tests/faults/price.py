"""What one address can take of a server: the dearest request of each route, asked without end.

A table with many hands, and people with many cookies, are in the database before the server starts.
Who asks comes through a proxy; beside it, hosts change the titles of their tables.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any, Final

from tests.faults.deluge import Deluge, deluge
from tests.server.core.tables import PEOPLE, Sheet

from rookery.rules import load
from rookery.server.names import token_hash
from rookery.server.store.base import TableRow
from rookery.server.store.sqlite import FILE, SqliteStore
from rookery.server.table import commands as cm
from rookery.server.table import events as ev
from rookery.server.table.state import Who

CODE: Final = "ABCDEF2"
COOKIES: Final = 20  # people of one who asks: as many as an address may make in a minute
HANDS: Final = 300
LINES: Final = 32
# All cards count, every list is long, the text is as long as it may be.
RULES: Final = {
    "base": "kd_full_57",
    "notes": "x" * 500,
    "counters": {f"{suit}{rank}": 5 for suit in "RYGB" for rank in range(1, 15)},
}
# Each route: what is asked for, and what is sent. Those that take no more than a file are left out.
DEAR: Final[Mapping[str, tuple[str, Any]]] = {
    "record": (f"/api/tables/{CODE}/record", None),
    "replay": (f"/api/replay/{CODE}/0", None),
    "hands": (f"/api/tables/{CODE}/hands", None),
    "review": (f"/api/tables/{CODE}/matches/0/review", None),
    "one_table": (f"/api/tables/{CODE}", None),
    "picture": (f"/api/tables/{CODE}/qr.svg", None),
    "statistics": ("/api/session/statistics", None),
    "me": ("/api/session", None),
    "all_sessions": ("/api/sessions", None),
    "make": ("/api/tables", {"rules": RULES, "bots": ["papa"] * 3}),
    "check": ("/api/rules/check", {"rules": RULES}),
    "parse_file": ("/api/rules/parse", {"text": "counters.R1 = 5\n" * 400, "format": "toml"}),
    "name_me": ("/api/session", {"name": "Ann"}),
    "open_tables": ("/api/tables", None),
    "schema": ("/api/rules/schema", None),
    "variants": ("/api/variants", None),
}
# Each message that somebody without a seat may send, or is refused.
SAID: Final[Mapping[str, str]] = {
    "hello": '{"type":"hello"}',
    "ping": '{"type":"ping"}',
    "chat": f'{{"type":"chat","id":"c#","text":"{"x" * 280}"}}',
    "sit": '{"type":"sit","id":"s#"}',
}


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


async def filled(folder: Path, hands: int) -> list[str]:
    """Keep a long table and people in a data folder; return the cookies of these."""
    store, entries = SqliteStore(folder / FILE), long_table(hands)
    try:
        now = round(1000 * time.time())  # what is old expires
        await store.append(TableRow(CODE, True, "playing", now, now), entries)
        tokens = [f"cookie-{number:032d}" for number in range(COOKIES)]
        for number, token in enumerate(tokens):
            # The first of them has played at the long table.
            who = PEOPLE[0] if number == 0 else Who(f"{number:016x}", f"Ann {number}")
            await store.add_person(who, token_hash(token), now)
    finally:
        await store.close()
    return [f"rookery={token}" for token in tokens]


def flooded(
    folder: Path, name: str | None, seconds: float, build: str = "sound", hands: int = HANDS
) -> Deluge:
    """Return what a server makes of somebody who asks for one of `DEAR` or `SAID`, or of nobody."""

    async def story() -> Deluge:
        cookies = await filled(place, hands)
        path, body = (None, None) if name is None else DEAR.get(name, (f"/ws/{CODE}", None))
        more: dict[str, Any] = {"cookies": cookies}
        if body is not None:
            more["body"] = json.dumps(body)
        if name is not None and name in SAID:
            more["say"] = SAID[name]
        return await deluge(place, path, seconds, build, lines=LINES, more=more)

    place = folder / f"{build}-{name}"
    place.mkdir(parents=True)
    return asyncio.run(story())
