"""P17: nothing across tables or seats, at every door in turn and by chance."""

from __future__ import annotations

import asyncio
from itertools import count
from typing import Any

import pytest
from msgspec.structs import replace
from tests.faults.closed_doors import knocked
from tests.server.memory.store import MemoryStore

from rookery.server.monitoring.security import SecurityLog
from rookery.server.registry import passkeys
from rookery.server.store.base import Passkey
from rookery.server.table import commands as cm
from rookery.server.table import decide

KNOCKS = 400
FEW = 200  # that find a control by ten or more of them


def test_every_door_is_closed_and_says_always_the_same() -> None:
    found = asyncio.run(knocked(KNOCKS, seed=1))
    assert found.opened == []
    assert found.unlike == []
    assert len(found.asked) == 15
    assert min(found.asked.values()) > 10
    # Nobody learns that a link was good once, or how near a guess was.
    assert found.bodies["a link"] == found.bodies["a used link"]
    assert found.bodies["a table"] == found.bodies["a near table"]
    # Whoever runs the server is told of each guess, in a few lines that name none of them.
    assert not found.unnoted
    assert len(found.logged) <= 8
    assert {*found.noted} == {"code-guess", "link-guess", "token-guess", "passkey-guess"}


def test_the_control_guesses_that_nobody_is_told_of_are_missed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(SecurityLog, "refused", lambda *_: None)
    found = asyncio.run(knocked(FEW, seed=1))
    assert {*found.unnoted} == {"code-guess", "link-guess", "passkey-guess"}


def unguarded(whole: Any) -> Any:  # noqa: ANN401
    """Return what decides for who sits there, without asking who is host."""

    def seated(table: Any, seat: int, command: Any, secret: Any, bot: str, now: int) -> Any:  # noqa: ANN401
        hosts = cm.Start | cm.Arrange | cm.Bot | cm.Replace | cm.Host | cm.Table
        if isinstance(command, hosts):
            table = replace(table, host=seat)
        return whole(table, seat, command, secret, bot, now)

    return seated


def test_the_control_a_door_without_a_guard_is_found_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decide, "_seated", unguarded(decide._seated))
    found = asyncio.run(knocked(FEW, seed=1))
    assert any(line.startswith("the host's") for line in found.opened)


def test_the_control_sessions_that_anybody_may_end_are_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def anybody(self: MemoryStore, person: str, but: str, only: str = "") -> list[str]:
        for key in [key for key in self._tokens if key.startswith(only) and key != but]:
            del self._tokens[key]
        return []  # the sockets, by which the other doors are tried, stay

    monkeypatch.setattr(MemoryStore, "sign_out", anybody)
    found = asyncio.run(knocked(FEW, seed=1))
    assert any(line.startswith("a session of others") for line in found.opened)


@pytest.mark.parametrize("wrong", ["signed by anybody", "dropped by anybody"])
def test_the_control_passkeys_that_are_hardly_looked_at_are_found(
    wrong: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def anybodys(self: MemoryStore, person: str, credential: str) -> None:
        self._passkeys.pop(credential)

    async def every(self: MemoryStore, person: str) -> list[Passkey]:
        return list(self._passkeys.values())

    if wrong == "signed by anybody":
        counts = count(10)
        monkeypatch.setattr(passkeys, "_count", lambda *_: next(counts))
        door = "a passkey: 200"
    else:
        monkeypatch.setattr(MemoryStore, "drop_passkey", anybodys)
        monkeypatch.setattr(MemoryStore, "passkeys", every)
        door = "a passkey of others: "
    found = asyncio.run(knocked(KNOCKS, seed=1))
    assert any(line.startswith(door) for line in found.opened), found.opened
