"""A fault's words may hold what a player wrote: no form of the log has them, whoever logs it."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest
from tests.deploy.stacks import resources
from tests.deploy.test_containers import SERVICES

SAID = "meet me behind the mill"
# Each of the ways by which a fault comes to the error output of a server.
PROGRAM = f"""
import asyncio, gc, logging, sys, threading
import httpx
import uvicorn
from fastapi import FastAPI
from rookery.server.http import errors
from rookery.server.monitoring import logs
from rookery.server.serving import bind, configured
from rookery.server.settings import Settings

form = sys.argv[1]
logs.begin(form)
# As a server with figures has, whose handler writes nothing.
logging.getLogger("rookery").addHandler(logging.NullHandler())

def fail(*words):
    raise ValueError(*words)

async def fail_soon():
    fail("{SAID}")

async def main():
    app = FastAPI()
    errors.install(app)

    @app.get("/")
    async def route():
        fail("{SAID}")

    server = uvicorn.Server(configured(app, Settings(log=form)))
    listening = bind("127.0.0.1", 0)
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    while not server.started:
        await asyncio.sleep(0.01)
    port = listening.getsockname()[1]
    async with httpx.AsyncClient(trust_env=False) as browser:
        answer = await browser.get(f"http://127.0.0.1:{{port}}/")
        assert answer.status_code == 500
    asyncio.get_running_loop().call_soon(fail, "{SAID}")
    task = asyncio.create_task(fail_soon())
    await asyncio.sleep(0.05)
    del task
    gc.collect()
    thread = threading.Thread(target=fail, args=("{SAID}",))
    thread.start()
    thread.join()
    try:
        fail("{SAID}")
    except ValueError:
        logging.getLogger("rookery.server.live.actor").exception("table %s failed", "ABCDEF2")
    server.should_exit = True
    await serving

asyncio.run(main())
"""
LINES = (
    "Exception in ASGI application",
    "Exception",  # in a callback
    "Task exception was never retrieved",
    "a thread failed",
    "table ABCDEF2 failed",
)


def said(form: str) -> list[str]:
    """Return what the program writes to the error output, line by line."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, form], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stderr.splitlines()


def test_in_text_a_fault_has_a_kind_and_a_place_and_no_words() -> None:
    lines = said("text")
    assert SAID not in "\n".join(lines)
    assert [line.partition(": ValueError at ")[0] for line in lines] == list(LINES)
    assert all(re.search(r"<string>:\d+ fail$", line) for line in lines)


def test_in_json_too() -> None:
    lines = [json.loads(line) for line in said("json")]
    assert [line["text"] for line in lines] == list(LINES)
    assert {(line["level"], line["fault"]) for line in lines} == {("error", "ValueError")}
    assert SAID not in json.dumps(lines)


@pytest.mark.parametrize(("name", "task"), [("app", "Server"), ("bots", "Bots")])
def test_every_container_logs_for_programs(name: str, task: str) -> None:
    (container,) = resources()[task]["Properties"]["ContainerDefinitions"]
    assert "--log=json" in SERVICES[name]["command"]
    assert "--log=json" in container["Command"]
