"""P17: who floods a server, and guesses, is told of in few lines that have no address."""

from __future__ import annotations

import asyncio
import re
import signal
from collections import Counter
from pathlib import Path

import pytest
from tests.faults.asker import AWAY, ask
from tests.faults.serving import PATIENCE, Server

pytestmark = pytest.mark.slow

PATH = "/api/tables/ZZZZZZ9/record"  # an address may ask for few of them at once
MANY = 40  # refusals


async def said(folder: Path, build: str) -> tuple[Server, Counter[int]]:
    """Return a server that has ended after many guesses, and how it answered them."""

    def enough(answers: Counter[int]) -> bool:
        return answers[429] >= MANY

    server = Server(folder, build)
    server.believe_proxies()
    await server.start()
    try:
        answers = (await ask(server.port, PATH, PATIENCE, 8, enough)).answers
    finally:
        await server.end(signal.SIGTERM)
    return server, answers


def test_many_guesses_are_a_few_lines_without_an_address_and_the_control_has_it(
    tmp_path: Path,
) -> None:
    server, answers = asyncio.run(said(tmp_path / "sound", "sound"))
    assert server.errors() == []  # but for events in the form that has no address
    log = (server.folder / "errors.txt").read_text()
    assert AWAY not in log
    told: Counter[str] = Counter()
    for kind, times in re.findall(r"^([a-z-]+) by [0-9a-f]{12}, times (\d+): ", log, re.MULTILINE):
        told[kind] += int(times)
    assert told.keys() == {"code-guess", "flood"}
    # Those that were still on their way when it was enough count too.
    assert told["code-guess"] >= answers[404] > 0
    assert told["flood"] >= answers[429] >= MANY
    assert len(log.splitlines()) < 12
    server, _ = asyncio.run(said(tmp_path / "telling", "telling"))
    assert any(AWAY in line for line in server.errors())
