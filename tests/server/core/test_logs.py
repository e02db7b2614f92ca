"""What the server says of itself can be read by programs, and holds no secret."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import threading
from pathlib import Path

import pytest
from prometheus_client import PROCESS_COLLECTOR, CollectorRegistry, generate_latest
from tests.server.core.tables import KENTUCKY, PEOPLE, running
from tests.server.memory.store import MemoryStore

from rookery.server.monitoring import metrics
from rookery.server.monitoring.logs import OF_STRANGERS, JsonLine, begin
from rookery.server.monitoring.metrics import measured
from rookery.server.registry.tables import TableRegistry
from rookery.server.settings import Settings
from rookery.server.store.sqlite import FILE, SqliteStore


def test_a_fault_is_told_by_kind_and_place_and_never_by_its_words() -> None:
    said = io.StringIO()
    handler = logging.StreamHandler(said)
    handler.setFormatter(JsonLine())
    log = logging.getLogger("rookery.test.logs")
    log.addHandler(handler)
    log.propagate = False
    hand = ["R14", "G5"]
    try:
        raise KeyError(*hand)
    except KeyError:
        log.exception("table %s: %s failed", "ABCDEF2", "Act")
    finally:
        log.removeHandler(handler)
    (line,) = said.getvalue().splitlines()
    told = json.loads(line)
    assert told["text"] == "table ABCDEF2: Act failed"
    assert (told["level"], told["part"], told["fault"]) == (
        "error",
        "rookery.test.logs",
        "KeyError",
    )
    assert told["where"][-1].startswith("test_logs.py:")
    assert "R14" not in line


def test_a_path_that_is_no_unicode_is_told_in_json_too() -> None:
    made = {"levelname": "WARNING", "msg": "not stored: %s", "args": ("/srv/\udcff/á",)}
    line = JsonLine().format(logging.makeLogRecord(made))
    assert json.loads(line)["text"] == "not stored: /srv/\\udcff/á"


def test_the_figures_are_those_of_the_server(tmp_path: Path) -> None:
    async def scene() -> None:
        registry = TableRegistry(SqliteStore(tmp_path / FILE), Settings())
        collectors = CollectorRegistry()
        handler = measured(registry, collectors)
        await registry.create(PEOPLE[0], KENTUCKY)
        name, error = "rookery.server.bots.engine", logging.ERROR
        handler.handle(logging.LogRecord(name, error, "", 0, "", (), None))
        told = generate_latest(collectors).decode()
        for line in (
            "rookery_tables 1.0",
            "rookery_connections 0.0",
            "rookery_alive 1.0",
            "rookery_durable_seconds_count 1.0",
            'rookery_log_lines_total{level="error",part="bots"} 1.0',
        ):
            assert line in told.splitlines(), line
        assert "\nrookery_news " not in told  # one without hints lacks none
        await registry.close()

    running(scene)


def test_errors_of_other_parts_count_and_lines_of_strangers_do_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def scene() -> None:
        collectors = CollectorRegistry()
        collectors.register(PROCESS_COLLECTOR)
        monkeypatch.setattr(metrics, "REGISTRY", collectors)
        monkeypatch.setattr(metrics, "start_http_server", lambda *_: None)
        for name in ("", "rookery"):
            monkeypatch.setattr(logging.getLogger(name), "handlers", [])
        monkeypatch.setattr(logging.getLogger("uvicorn.error"), "filters", [])
        monkeypatch.setattr(threading, "excepthook", threading.excepthook)
        begin("text")
        registry = TableRegistry(MemoryStore(), Settings())
        metrics.publish("127.0.0.1", 9100)(registry)
        asyncio.get_running_loop().call_exception_handler({"message": "a task failed"})
        for line in (*OF_STRANGERS, "Exception in ASGI application\n"):
            logging.getLogger("uvicorn.error").error(line)
        logging.getLogger("rookery.server.bots.engine").error("late")
        told = generate_latest(collectors).decode().splitlines()
        assert {line for line in told if line.startswith("rookery_log_lines_total")} == {
            f'rookery_log_lines_total{{level="error",part="{part}"}} 1.0'
            for part in ("asyncio", "uvicorn", "bots")
        }
        assert "rookery_errors_total 3.0" in told
        await registry.close()

    running(scene)


def test_no_stranger_writes_a_line_with_each_request_that_is_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log = logging.getLogger("uvicorn.error")
    monkeypatch.setattr(log, "filters", [])
    monkeypatch.setattr(logging.getLogger(), "handlers", [])
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    begin("text")
    told = (*OF_STRANGERS, control := "Exception in ASGI application\n")
    assert [one for one in told if log.filter(logging.makeLogRecord({"msg": one}))] == [control]
