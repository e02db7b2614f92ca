"""Once the key of the prepared deals is shown their evening stays over, whoever is quicker."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from tests.server.http.served import Here
from tests.server.http.test_dealt_slips import PREPARED
from tests.server.http.test_evenings import done, made, refusal
from tests.server.http.test_screens import FAST, looks_often, until
from tests.server.memory.sheets import MemorySheets

from rookery.evening.log import fold
from rookery.evening.log.changes import Kept

__all__ = ["looks_often"]

END: dict[str, Any] = {"do": "end", "over": True}
AGAIN: dict[str, Any] = {"do": "end", "over": False}


def no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plant the fault: an evening does not know that its key has been shown."""
    sound = fold.EveningLog.take

    def take(self: fold.EveningLog, entry: int, id_: str, change: Kept, writer: int) -> None:
        sound(self, entry, id_, change, writer)
        self._shown = False

    monkeypatch.setattr(fold.EveningLog, "take", take)


async def _goes_on(here: Here, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Return whether an evening goes on of which one host has seen the key.

    The other one asks for that before the end, and their entry comes after it.
    """
    ended, asked, sound = asyncio.Event(), asyncio.Event(), MemorySheets.write

    async def write(self: MemorySheets, code: str, entry: Any, *more: Any) -> int | None:  # noqa: ANN401
        if json.loads(entry.body) == AGAIN:
            asked.set()
            await ended.wait()
        return await sound(self, code, entry, *more)

    monkeypatch.setattr(MemorySheets, "write", write)
    async with here.person("Ann") as ann, here.person("Bob") as bob:
        evening = await made(ann, **PREPARED, slips=True)
        at = f"/api/evenings/{evening['code']}"
        late = asyncio.create_task(done(bob, evening, AGAIN, evening["key"]))
        await asked.wait()
        assert (await done(ann, evening, END)).is_success
        assert (await ann.get(at)).json()["evening"]["key"]
        ended.set()
        answer = await late
        told = (await bob.get(at)).json()["evening"]
        refused = refusal(answer) if answer.is_error else None
        assert refused == (None if not told["over"] else (422, "bad-change", "opened"))
        return not told["over"]


def test_of_two_hosts_who_end_it_and_go_on_with_it_none_does_after_the_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert not asyncio.run(_goes_on(Here(), monkeypatch))
    no_memory(monkeypatch)
    assert asyncio.run(_goes_on(Here(), monkeypatch))


async def _after_a_score_was_taken_back(here: Here) -> tuple[bool, bool]:
    """Return whether an evening on screens whose key was shown goes on, and hides it again."""
    async with here.running(), here.person("Ann") as ann:
        screens = {**FAST, "auto": True, "rounds": 1}
        evening = await made(
            ann,
            movement="mitchell",
            boards=1,
            people=[f"P {n}" for n in range(12)],
            screens=screens,
        )
        at = f"/api/evenings/{evening['code']}"
        await done(ann, evening, {"do": "round", "round": 1})
        told = (await until(ann, at, lambda one: bool(one["key"])))["evening"]
        back = {
            "do": "score",
            "round": 1,
            "table": 1,
            "rows": None,
            "over": told["round"]["tables"][0]["entry"],
        }
        assert (await done(ann, evening, back)).is_success
        hidden = not (await ann.get(at)).json()["evening"]["key"]
        return (await done(ann, evening, AGAIN)).is_success, hidden


def test_whoever_takes_a_score_back_does_not_hide_the_key_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fold, "PAUSE", 0)
    assert asyncio.run(_after_a_score_was_taken_back(Here())) == (False, False)
    no_memory(monkeypatch)
    goes_on, _ = asyncio.run(_after_a_score_was_taken_back(Here()))
    assert goes_on
