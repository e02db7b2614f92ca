"""A killed server has lost nothing that it acknowledged, and a hasty one is found out."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from random import Random

KILLED = """
import asyncio, sys
from pathlib import Path
from rookery.server.table import messages as ms, commands as cm
from rookery.server.bots.engine import BotThreads
from rookery.server.registry.tables import TableRegistry
from rookery.server.settings import Settings
from rookery.server.store.sqlite import SqliteStore
from rookery.server.table.state import Who
from rookery.server.store.writer import Writer
from rookery.rules import load

class Early(Writer):
    "Answers first and commits later: what the order of things forbids."
    def _commit(self):
        pass

class EarlyStore(SqliteStore):
    def _writer_for(self, connection, count):
        writer = Early(connection, count)
        writer._began = 0
        def sql(statement, plain=writer._sql):
            if statement == "BEGIN IMMEDIATE":
                writer._began += 1
                if writer._began > 1:
                    return
            plain(statement)
        writer._sql = sql
        return writer

async def main(path, early):
    store = (EarlyStore if early else SqliteStore)(Path(path))
    registry = TableRegistry(store, Settings())
    ann = Who("a", "Ann")
    async def table(number):
        actor = await registry.create(ann, load("kd_tournament"))
        line = actor.connect(ann)
        for i in range(100000):
            actor.take(line, cm.Chat(f"c{i}", text="x"))
            while True:
                message = await line.outbox.get()
                if isinstance(message, ms.Ack):
                    sys.stdout.write(f"{actor.table.code} {message.seq}\\n")
                    sys.stdout.flush()
                    break
    await asyncio.gather(*(table(i) for i in range(4)))

asyncio.run(main(sys.argv[1], sys.argv[2] == "early"))
"""


def lost(path: Path, how: str, seed: int) -> tuple[int, int]:
    """Kill a server at work; return how many events it acknowledged and how many are not there."""
    root = Path(__file__).resolve().parents[3]
    environment = {**os.environ, "PYTHONPATH": str(root / "src")}
    command = [sys.executable, "-c", KILLED, str(path), how]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True) as server:
        assert server.stdout is not None
        told = [server.stdout.readline() for _ in range(Random(seed).randrange(20, 200))]
        server.send_signal(signal.SIGKILL)
        told += server.stdout.read().splitlines(keepends=True)
    acked = {(code, int(seq)) for code, seq in (line.split() for line in told if line[-1] == "\n")}
    connection = sqlite3.connect(path)
    kept = set(connection.execute("SELECT table_id, seq FROM events"))
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
    for code in {code for code, _ in kept}:
        numbers = sorted(seq for other, seq in kept if other == code)
        assert numbers == list(range(1, len(numbers) + 1))
    return len(acked), len(acked - kept)


def test_what_was_acknowledged_survives_a_kill(tmp_path: Path) -> None:
    results = [lost(tmp_path / f"{i}", "sound", i) for i in range(4)]
    assert sum(acked for acked, _ in results) > 40
    assert [missing for _, missing in results] == [0] * 4


def test_the_control_an_acknowledgement_before_the_commit_is_caught(tmp_path: Path) -> None:
    acked, missing = lost(tmp_path / "db", "early", 1)
    assert 0 < missing == acked
