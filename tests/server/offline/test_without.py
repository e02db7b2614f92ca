"""What a table needs: no threads, no NumPy, no database, no web framework; two packages more.

A fresh interpreter in which nothing else is to be had imports the table and plays a match.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
# What Python in a browser lacks, or could do nothing with.
GONE = (
    *("concurrent.futures.thread", "concurrent.futures.process", "multiprocessing"),
    *("sqlite3", "ssl", "numpy", "numba", "sqlalchemy", "alembic", "fastapi", "starlette"),
    *("uvicorn", "websockets", "typer", "rich", "segno", "openskill", "platformdirs"),
)
# pydantic and msgspec, and what these two are made of.
THERE = {
    *("rookery", "pydantic", "pydantic_core", "msgspec"),
    *("annotated_types", "typing_extensions", "typing_inspection"),
}
WITHOUT = f"""
import sys, asyncio, threading, _thread, zoneinfo

class Gone:
    def find_spec(self, name, path=None, target=None):
        if name in {GONE!r} or name.partition(".")[0] in {GONE!r}:
            raise ImportError(f"{{name}} is not here")

def no_thread(*args, **kwargs):
    raise RuntimeError("can't start new thread")

sys.meta_path.insert(0, Gone())
for name in ("start_new_thread", "start_joinable_thread"):
    setattr(_thread, name, no_thread)
    setattr(threading, f"_{{name}}", no_thread)
sys.platform = "emscripten"
before = set(sys.modules)
"""
LOADED = """
loaded = {name.partition(".")[0] for name in set(sys.modules) - before}
print(sorted(loaded - sys.stdlib_module_names))
"""
# The table's own logic, and what runs it, each by itself.
LOGIC = [
    *(f"rookery.server.table.{name}" for name in ("events", "decide", "timers", "projection")),
    *("rookery.server.live.actor", "rookery.server.store.base", "rookery.server.offline.kept"),
    *("rookery.rules", "rookery.engine.score", "rookery.view", "rookery.record"),
    *("rookery.fairness.check", "rookery.review.reasons", "rookery.review.document"),
    *("rookery.server.registry.tables", "rookery.server.offline.browser"),
    "rookery.server.offline.own",
]
MATCH = """
sys.path.insert(0, {root!r})
from tests.server.offline.device import Drawer, Page

async def match():
    page = await Page(Drawer()).begin()
    code = await page.table(rules={{"base": "kd_tournament", "target": 60}}, bots=["club"] * 3)
    socket = page.open(code)
    await socket.hear("welcome")
    assert (await socket.do(type="start"))["type"] == "ack"
    socket.say(type="hint")
    await socket.play()
    assert await page.get(f"/api/tables/{{code}}/hands")
    await page.end()

asyncio.run(match())
"""


def run(program: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=300, cwd=ROOT
    )


@pytest.mark.parametrize("module", LOGIC)
def test_a_part_of_the_table_loads_two_packages_alone(module: str) -> None:
    done = run(f"{WITHOUT}\nimport {module}\n{LOADED}")
    assert done.returncode == 0, done.stderr
    loaded = set(eval(done.stdout))  # noqa: S307  (a list that the program above wrote)
    assert loaded <= THERE
    assert "rookery" in loaded


def test_a_match_is_played_without_anything_else() -> None:
    done = run(WITHOUT + MATCH.format(root=str(ROOT)) + LOADED)
    assert done.returncode == 0, done.stderr
    assert set(eval(done.stdout)) <= THERE | {"tests"}  # noqa: S307


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("import rookery.server.store.sqlite", "sqlite3"),
        ("import rookery.server.store.postgres", "sqlalchemy"),
        ("import rookery.server.app", "fastapi"),
        ("import numpy", "numpy is not here"),
        ("from concurrent.futures import ThreadPoolExecutor", "thread is not here"),
        ("import threading; threading.Thread(target=print).start()", "can't start new thread"),
        ("async def f(): await asyncio.to_thread(print)\nasyncio.run(f())", "is not here"),
    ],
)
def test_what_is_gone_is_missed(fault: str, told: str) -> None:
    done = run(f"{WITHOUT}\n{fault}")
    assert done.returncode != 0
    assert told in done.stderr
