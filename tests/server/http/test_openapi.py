"""The description of REST is whole: every route, what it takes, and what it answers."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import FastAPI
from fastapi.routing import APIRoute
from starlette.routing import Mount, Route, WebSocketRoute
from tests.server.http.served import Here, listening

from rookery.server.http.routes import router


def described() -> dict[str, Any]:
    async def ask() -> dict[str, Any]:
        async with Here().browser() as browser:
            return dict((await browser.get("/api/openapi.json")).json())

    return asyncio.run(ask())


def test_every_route_is_described() -> None:
    told = described()["paths"]
    routes = [route for route in router.routes if isinstance(route, APIRoute)]
    found = {(route.path, method.lower()) for route in routes for method in route.methods or ()}
    assert found <= {(path, method) for path, methods in told.items() for method in methods}
    assert {"/healthz", "/readyz", "/api/protocol.json"} <= told.keys()


def test_no_route_waits_for_a_first_request_to_be_made() -> None:
    app = listening()
    kinds = APIRoute, Mount, Route, WebSocketRoute
    assert [route for route in app.routes if not isinstance(route, kinds)] == []
    app.include_router(router)
    assert [route for route in app.routes if not isinstance(route, kinds)] != []


# Asked for with nothing more to say.
BARE = {
    "/api/session/return",
    "/api/passkeys/wanted",
    "/api/return/wanted",
    "/api/daily/{day}/{family}",
}


def test_every_answer_has_a_shape() -> None:
    told = described()
    for path, methods in told["paths"].items():
        for method, operation in methods.items():
            good = [code for code in operation["responses"] if code.startswith("2")]
            assert good
            assert good[1:] in ([], ["202"]), path  # what takes its time says how far it is
            for code in good:
                content = operation["responses"][code]["content"]
                assert content, path
                assert all(shape.get("schema") for shape in content.values()), (path, content)
            for bad in ("4XX", "5XX"):
                shape = operation["responses"][bad]["content"]["application/json"]["schema"]
                assert shape["$ref"].endswith("/Answer")
            if method == "post" and path not in BARE:
                assert operation["requestBody"]["content"]["application/json"]["schema"], path


def test_every_body_refuses_what_it_does_not_know() -> None:
    schemas = described()["components"]["schemas"]
    for name in (
        "Acting",
        "Named",
        "PasskeyMade",
        "PasskeyShown",
        "Returning",
        "RulesWritten",
        "SheetWanted",
        "EntryWanted",
        "HandAsked",
        "ResultWanted",
        "TableSheetWanted",
        "TableWanted",
    ):
        assert schemas[name]["additionalProperties"] is False


def test_it_is_made_when_it_is_asked_for() -> None:
    here = Here()
    inner = getattr(here.app, "_app", None)
    assert isinstance(inner, FastAPI)
    assert inner.openapi_schema is None
