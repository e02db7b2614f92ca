"""What a server shows of kept tables and people, and how that is compared with what it showed."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any, NamedTuple

import httpx
from tests.kept.served import PATIENCE, Line, Server

HERE = Path(__file__).parent
V0_1 = HERE / "v0_1"
V1_0 = HERE / "v1_0"

# What hangs on the moment or on the address of the server.
PASSING = {
    *("touched_at", "turn_since", "here", "away_since", "since", "watchers", "seq", "beat_at"),
    *("link", "base", "seconds", "changed", "line", "line_state", "now"),
}


class Held(NamedTuple):
    """What a browser has kept: a session's token, and what lies in localStorage."""

    token: str
    stored: dict[str, str]


def kept(name: str, folder: Path = V0_1) -> Any:  # noqa: ANN401  (JSON)
    """Return what a kept file of JSON holds."""
    return json.loads((folder / name).read_text("utf-8"))


def lasting(found: Any) -> Any:  # noqa: ANN401  (JSON)
    """Return what is shown without what hangs on the moment."""
    if isinstance(found, dict):
        return {key: lasting(value) for key, value in found.items() if key not in PASSING}
    return [lasting(one) for one in found] if isinstance(found, list) else found


def missing(before: Any, now: Any, where: str = "") -> list[str]:  # noqa: ANN401  (JSON)
    """Return where `now` does not say what `before` said; what it says besides is welcome.

    >>> missing({"a": [1, {"b": 2}]}, {"a": [1, {"b": 3, "c": 4}], "d": 5})
    ['a.1.b: 2, now 3']
    >>> missing({"a": 1, "e": [1]}, {"e": [1, 2]})
    ['a: 1, now not there', 'e: 1 entries, now 2']
    """
    at = f"{where}." if where else ""
    if isinstance(before, dict) and isinstance(now, dict):
        found: list[str] = []
        for key, value in before.items():
            if key in now:
                found += missing(value, now[key], f"{at}{key}")
            else:
                found.append(f"{at}{key}: {value!r:.80}, now not there")
        return found
    if isinstance(before, list) and isinstance(now, list):
        if len(before) != len(now):
            return [f"{where}: {len(before)} entries, now {len(now)}"]
        pairs = zip(before, now, strict=True)
        return [line for i, (a, b) in enumerate(pairs) for line in missing(a, b, f"{at}{i}")]
    same = before == now and isinstance(before, bool) == isinstance(now, bool)
    return [] if same else [f"{where}: {before!r:.80}, now {now!r:.80}"]


def got(browser: httpx.Client, path: str) -> Any:  # noqa: ANN401  (JSON)
    """Return what the server answers to a request."""
    answer = browser.get(path)
    assert answer.status_code == 200, (path, answer.text)
    return lasting(answer.json())


def of_table(server: Server, code: str, lines: dict[str, Line]) -> dict[str, Any]:
    """Return what a table shows to anybody, and what it showed these people when they came."""
    stranger = server.browser()
    hands = got(stranger, f"/api/tables/{code}/hands")
    replays = {}
    for number in (hand["number"] for hand in hands):
        whole = got(stranger, f"/api/replay/{code}/{number}")
        # The first steps follow from deal and actions; the last shows who won what.
        replays[str(number)] = {**whole, "steps": whole["steps"][-1:]}
    return {
        "listed": got(stranger, f"/api/tables/{code}"),
        "hands": hands,
        "replays": replays,
        "records": {
            str(match): got(stranger, f"/api/tables/{code}/record?match={match}")
            for match in sorted({hand["match"] for hand in hands})
        },
        "people": {
            name: {"table": lasting(line.first), "chat": line.chat} for name, line in lines.items()
        },
    }


def of_person(server: Server, token: str) -> dict[str, Any]:
    """Return what somebody is told of themselves."""
    browser = server.browser(token)
    return {
        "me": got(browser, "/api/session"),
        "statistics": got(browser, "/api/session/statistics"),
    }


def of_paths(server: Server, people: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return what people, by name, are shown where they look, or the code of why they are not."""
    found: dict[str, dict[str, Any]] = {}
    for name, paths in people["looks"].items():
        browser = server.browser(people["tokens"].get(name))
        answers = {path: _whole(browser, path) for path in paths}
        found[name] = {
            path: lasting(answer.json()) if answer.is_success else answer.json()["error"]["code"]
            for path, answer in answers.items()
        }
    return found


def _whole(browser: httpx.Client, path: str) -> httpx.Response:
    """Return an answer once all of it is worked out."""
    until = time.monotonic() + PATIENCE
    while True:
        answer = browser.get(path)
        shown = answer.json()
        if "whole" not in shown or shown["done"] == shown["whole"] or time.monotonic() > until:
            return answer
        time.sleep(0.1)
