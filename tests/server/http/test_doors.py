"""Nothing across tables or seats: every route and every command, by everybody who may not."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping
from typing import Any, get_args

import httpx
import pytest
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from tests.server.http.served import QUICK, Here, Line, Served, line, listening, served, table_for
from tests.server.http.test_openapi import described

from rookery.daily.day import day_at
from rookery.server.clock import Clock
from rookery.server.http.dependencies import PersonLimit, person
from rookery.server.table import commands as cm
from rookery.server.table import events as ev

CARDS = ("deal", "hand", "nest", "cards", "steps")
HOSTS: list[dict[str, Any]] = [
    {"type": "start"},
    {"type": "arrange", "seats": [1, 0, 2, 3]},
    {"type": "bot", "seat": 2, "bot": "papa"},
    {"type": "replace", "seat": 0},
    {"type": "host", "seat": 1},
    {"type": "rematch"},
    {"type": "stand_in", "seat": 0},
    {"type": "table", "title": "Mine now", "open": True},
    {"type": "mute", "line": 9},
    {"type": "send_away", "line": 9},
]
SEATED: list[dict[str, Any]] = [
    {"type": "leave"},
    {"type": "act", "action": "pass"},
    {"type": "undo"},
    {"type": "claim"},
    {"type": "vote", "yes": True},
    {"type": "challenge", "seat": 0},
    {"type": "next"},
    {"type": "halt"},
    {"type": "face", "face": "Egret"},
    {"type": "contribute", "number": 0, "share": "0" * 32},
]


# What anybody at a table may send, or whoever watches.
ANYBODY = {"hello", "sit", "chat", "report", "block", "hint", "ping"}


def test_every_command_is_known_to_be_the_hosts_a_players_or_anybodys() -> None:
    kinds = [command["type"] for command in (*HOSTS, *SEATED)] + sorted(ANYBODY)
    assert len(kinds) == len(set(kinds))
    assert set(kinds) == {ev.tag(kind) for kind in get_args(cm.Command)}


async def refused(one: Line, command: dict[str, Any]) -> str:
    answer = await one.do(**command)
    assert answer["type"] == "refused", answer
    return str(answer["code"])


def test_nobody_does_what_another_seat_may_do() -> None:
    async def story(here: Served) -> None:
        ann, bob, eve = here.browser("Ann"), here.browser("Bob"), here.browser("Eve")
        code = table_for(ann, rules=QUICK, bots=["papa", "papa"])
        async with (
            line(here, ann, code) as host,
            line(here, bob, code) as other,
            line(here, eve, code) as watcher,
        ):
            assert (await other.do(type="sit"))["type"] == "ack"
            before = here.registry._actors[code].table
            for command in HOSTS:
                assert await refused(other, command) == "not-host"
            for command in (*HOSTS, *SEATED):
                assert await refused(watcher, command) == "not-seated"
            assert await refused(watcher, {"type": "sit"}) == "table-full"
            assert here.registry._actors[code].table == before
            await host.do(type="start")
            while host.table["phase"] != "playing" or host.table["view"]["to_act"] not in (
                0,
                3,
            ):
                await host.hear_type("update")
            turn = host.table["view"]["to_act"]
            wrong = other if turn == 0 else host
            seq = host.table["seq"]
            act = {"type": "act", "action": "pass", "seen": seq}
            assert await refused(wrong, act) == "not-your-turn"
            assert await refused(watcher, act) == "not-seated"
            while watcher.table["seq"] < seq:
                await watcher.hear_type("update")
            assert watcher.table["you"] is None
            assert watcher.table["view"]["hand"] is None
            assert watcher.table["view"]["legal"] == []

    with served() as here:
        asyncio.run(story(here))


TODAY = f"/api/daily/{day_at(Clock().now())}/four"


def reading(code: str) -> list[str]:
    """Return every route that shows something of a table."""
    return [
        f"/api/tables/{code}",
        f"/api/tables/{code}/qr.svg",
        f"/api/tables/{code}/hands",
        f"/api/tables/{code}/statistics",
        f"/api/tables/{code}/ratings",
        f"/api/tables/{code}/record",
        f"/api/tables/{code}/record?match=0",
        f"/api/replay/{code}/0",
        f"/api/replay/{code}/0?seat=0",
        f"/api/replay/{code}/1",
        f"/api/tables/{code}/matches/0/review",
        f"/api/tables/{code}/matches/1/review",
        "/api/tables",
        "/api/session",
        "/api/session/statistics",
        "/api/session/ratings",
        f"/api/session/ratings?table={code}",
        "/api/sessions",
        "/api/passkeys",
        "/api/mistakes",
        "/api/daily",
        "/api/daily/archive",
        *(f"{TODAY}/{what}" for what in ("position", "position?seen=0", "results")),
    ]


# What is asked for at any time and says nothing of a table, or has a secret of its own.
ELSEWHERE = {
    "/api/variants",
    "/api/variants/{variant_id}",
    "/api/rules/names",
    "/api/rules/schema",
    "/api/bots",
    "/api/puzzles",
    "/api/puzzles/{puzzle_id}",
    "/api/puzzles/{puzzle_id}/answer",
    "/api/sheets/{sheet}",
    "/api/sheets/{sheet}/file",
    "/api/sheets/{sheet}/link",
    "/api/movements",
    "/api/evenings/{evening}",
    "/api/evenings/{evening}/rounds/{number}",
    "/api/evenings/{evening}/rounds/{number}/links",
    "/api/evenings/{evening}/deals/{number}",
    "/api/evenings/{evening}/slips",
    "/api/evenings/{evening}/opened",
    "/api/evenings/{evening}/file",
    "/api/evenings/{evening}/link",
    "/api/admin",
    "/api/admin/talk",
    "/api/protocol.json",
    "/healthz",
    "/readyz",
}


def forgotten(paths: Mapping[str, Mapping[str, object]]) -> set[str]:
    """Return the routes of a description that show something, and that `reading` leaves out."""
    asked = [path.partition("?")[0] for path in reading("CODE")]
    shown = {path for path, methods in paths.items() if "get" in methods} - ELSEWHERE
    patterns = {path: re.sub(r"\{\w+\}", "[^/]+", path) for path in shown}
    return {path for path in shown if not any(re.fullmatch(patterns[path], each) for each in asked)}


def test_no_route_that_shows_something_is_forgotten() -> None:
    paths = described()["paths"]
    assert forgotten(paths) == set()
    # What is left out on purpose is there, and of no table.
    assert paths.keys() >= ELSEWHERE
    assert not any("{code}" in path for path in ELSEWHERE)


def listened_to(router: Any) -> set[str]:  # noqa: ANN401  (routers of several kinds)
    """Return every address of a router and of those in it, described or not."""
    within = (getattr(route, "original_router", None) for route in router.routes)
    own = {route.path for route in router.routes if hasattr(route, "path")}
    return own.union(*(listened_to(one) for one in within if one is not None))


def test_what_the_description_leaves_out_is_written_here() -> None:
    apart = {"/ws/{code}", "/static", "/kit", "/sw.js", "/{path:path}", "/api/openapi.json"}
    inner: Any = Here().app
    assert listened_to(inner._app.router) == described()["paths"].keys() | apart


def test_the_control_a_new_route_is_missed() -> None:
    for new in ("/api/tables/{code}/peek", "/api/tables/{code}/record/{seat}", "/api/hands"):
        assert forgotten({**described()["paths"], new: {"get": {}}}) == {new}
    assert forgotten({"/api/tables/{code}/peek": {"post": {}}}) == set()


def names_in(value: object) -> set[str]:
    """Return every name and text in some JSON."""
    if isinstance(value, dict):
        return set(value) | set().union(*(names_in(part) for part in value.values()), set())
    if isinstance(value, list):
        return set().union(*(names_in(part) for part in value), set())
    return {value} if isinstance(value, str) else set()


def test_a_hand_under_way_is_shown_to_nobody_by_any_route() -> None:
    async def story(here: Served) -> str:
        ann, bob = here.browser("Ann"), here.browser("Bob")
        code = table_for(ann, rules=QUICK, open=True)
        async with line(here, ann, code) as host, line(here, bob, code) as other:
            await other.do(type="sit")
            await host.do(type="start")
            while host.table["view"] is None:
                await host.hear_type("update")
        return code

    with served() as here:
        code = asyncio.run(story(here))
        hand = here.registry._actors[code].table.hand
        assert hand is not None
        dealt = {name for cards in hand.dealt for name in hand.names(cards)}
        callers: list[httpx.Client] = [here.browser(), here.browser("Eve"), *here.open[:2]]
        for browser in callers:
            for path in reading(code):
                answer = browser.get(path)
                if path.endswith("svg"):
                    assert answer.headers["content-type"] == "image/svg+xml"
                    continue
                told = names_in(json.loads(answer.content))
                assert not told & dealt, path
                if any(word in path for word in ("replay", "record", "review")):
                    assert answer.json()["error"]["code"] == "no-hand"
                if path.endswith("hands"):
                    assert answer.json() == []


@pytest.mark.parametrize(
    "code", ["ZZZZZZZ", "ABC", "a" * 200, "..%2F..%2Fetc", "%00%00%00%00%00%00%00", "ABCDEF0"]
)
def test_a_table_that_is_not_there_is_always_the_same_answer(code: str) -> None:
    with served() as here:
        ann = here.browser("Ann")
        answers = [ann.get(path) for path in reading(code) if f"/{code}" in path]
        found = [(answer.status_code, answer.json()) for answer in answers]
    assert all(status == 404 for status, _ in found)
    assert {body["error"]["code"] for _, body in found} <= {"no-table", "not-found"}


def test_a_stranger_has_no_person_no_table_and_no_socket() -> None:
    async def story(here: Served, code: str) -> None:
        async with line(here, here.browser(), code, hello=False) as one:
            assert (await one.hear())["code"] == 4003

    with served() as here:
        code = table_for(here.browser("Ann"))
        nobody = here.browser()
        for method, path in (
            ("POST", "/api/tables"),
            ("POST", "/api/tables/quick"),
            ("POST", "/api/session/return"),
            ("GET", "/api/session/statistics"),
            ("GET", "/api/session/ratings"),
            ("PUT", "/api/session/ratings"),
            ("GET", "/api/sessions"),
            ("DELETE", "/api/sessions"),
            ("DELETE", "/api/sessions/0123456789abcdef"),
            ("GET", "/api/passkeys"),
            ("GET", "/api/mistakes"),
            ("PATCH", "/api/mistakes"),
            ("PUT", "/api/tables/ABCDEF2/ratings"),
            ("POST", "/api/passkeys/wanted"),
            ("DELETE", "/api/passkeys/0123456789abcdef"),
            ("POST", TODAY),
            ("POST", "/api/sheets"),
            ("POST", "/api/sheets/ABCDEF2/entries"),
            ("POST", "/api/sheets/ABCDEF2/result"),
            ("DELETE", "/api/sheets/ABCDEF2"),
            ("POST", "/api/evenings"),
            ("POST", "/api/evenings/ABCDEF4/changes"),
            ("POST", "/api/evenings/ABCDEF4/sheets"),
            ("DELETE", "/api/evenings/ABCDEF4"),
            ("GET", f"{TODAY}/position"),
            ("POST", f"{TODAY}/act"),
            ("GET", f"{TODAY}/results"),
        ):
            body = None if method != "POST" else {"rules": "kd_tournament"}
            answer = nobody.request(method, path, json=body)
            assert (answer.status_code, answer.json()["error"]["code"]) == (401, "no-session")
        asyncio.run(story(here, code))


def needed_by(route: Dependant) -> list[object]:
    """Return all that a route depends on, directly or not."""
    return [one for inner in route.dependencies for one in (inner.call, *needed_by(inner))]


def test_a_limit_of_a_person_lets_nobody_in_whose_name_the_route_does_not_ask_for() -> None:
    """Such a limit counts nothing for those without a name."""
    needed = {
        (method, route.path): needed_by(route.dependant)
        for route in listening().routes
        if isinstance(route, APIRoute)
        for method in route.methods or ()
    }
    limited = {
        way for way, calls in needed.items() if any(isinstance(one, PersonLimit) for one in calls)
    }
    assert len(limited) > 25
    # Whoever has no name yet gets one there, which their address pays for.
    assert {way for way in limited if person not in needed[way]} == {("POST", "/api/session")}
