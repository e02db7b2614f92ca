"""Two servers of one store that look after an evening on screens do everything once."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from tests.server.core.tables import LATER
from tests.server.http.served import Here
from tests.server.http.test_evenings import done, made
from tests.server.http.test_screens import FAST, PATIENCE, looks_often
from tests.server.memory.sheets import MemorySheets

from rookery.evening.log import fold
from rookery.server.api.evenings import screens
from rookery.server.names import new_code, new_token
from rookery.server.registry.tables import TableRegistry

__all__ = ["looks_often"]


async def _kept_by_two_servers(rounds: int) -> tuple[Counter[str], int]:
    """Return how often each thing has happened at an evening, and its tables: two a round.

    Two servers of one store look after it at the same time.
    """
    here = Here()
    there = Here(registry=TableRegistry(here.store, here.settings))
    async with here.running(), there.running(), here.person("Ann") as ann, there.browser() as also:
        also.cookies = ann.cookies
        evening = await made(ann, screens={**FAST, "auto": True, "rounds": rounds})
        at = f"/api/evenings/{evening['code']}"
        await done(ann, evening, {"do": "round", "round": 1})
        async with asyncio.timeout(PATIENCE):
            while not (await ann.get(at)).json()["evening"]["over"]:
                await asyncio.gather(ann.get(at), also.get(at))
        bodies = [json.loads(one.body) for one in await here.store.sheets.entries(evening["code"])]
        happened = Counter(
            " ".join(str(one.get(p, "")) for p in ("do", "round", "table")) for one in bodies
        )
        return happened, len(await here.store.past(LATER, LATER))


def test_two_servers_open_a_table_once_and_write_its_score_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fold, "PAUSE", 0)
    happened, tables = asyncio.run(_kept_by_two_servers(2))
    places = [f"{round_} {table}" for round_ in (1, 2) for table in (1, 2)]
    assert {place: happened[f"opened {place}"] for place in places} == dict.fromkeys(places, 1)
    assert {place: happened[f"played {place}"] for place in places} == dict.fromkeys(places, 1)
    assert tables == len(places)


class Anew(str):
    """A text that is another one each time it is filled in."""

    def format(self, *args: object, **named: object) -> str:
        """Return what nobody has said before."""
        return new_token()[:20]


@pytest.mark.parametrize("what", ["opened", "played", "tables"])
def test_the_control_what_is_done_by_each_of_two_servers_is_found(
    what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fold, "PAUSE", 0)
    if what == "tables":
        sound: Callable[..., Any] = screens._open

        async def opened(*asked: Any) -> None:  # noqa: ANN401
            await sound(*asked)
            await sound(*asked[:-1], new_code())

        monkeypatch.setattr(screens, "_open", opened)
    else:
        monkeypatch.setattr(screens, "IDS", {**screens.IDS, what: Anew()})
        write = MemorySheets.write

        async def late(*asked: Any) -> Any:  # noqa: ANN401
            await asyncio.sleep(0.1)
            return await write(*asked)

        monkeypatch.setattr(MemorySheets, "write", late)
    for _ in range(9):  # both have to look in the same moment
        happened, tables = asyncio.run(_kept_by_two_servers(1))
        twice = {key.split()[0] for key, times in happened.items() if times > 1}
        if tables > 2 if what == "tables" else what in twice:
            return
    raise AssertionError(what)
