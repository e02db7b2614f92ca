"""What does not fit a route is said in plain words: where, and what was expected there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute
from pydantic import BaseModel, TypeAdapter, ValidationError
from tests.server.http.served import Here

from rookery.server.api.evenings.evening import EveningWanted
from rookery.server.api.people import Named
from rookery.server.api.problems import misfit
from rookery.server.api.tables import TableWanted

# What a program of another language, or whoever reads it, need not know.
PYDANTICS = (
    "Input",
    "should",
    "String",
    "dictionary",
    "extract",
    "Extra",
    "Field",
    "Value error",
    "valid",
    "tag",
    "constrained",
)
WRONG: list[Any] = [None, True, -1, 1.5, 10**9, "", "x", "x" * 9_999, [], ["x"] * 999, {}, {"x": 1}]


@cache
def bodies() -> dict[str, TypeAdapter[Any]]:
    """Return what each route takes, by the name of its kind."""
    app = getattr(Here().app, "_app", None)
    assert isinstance(app, FastAPI)
    fields = [route.body_field for route in app.routes if isinstance(route, APIRoute)]
    kinds: list[Any] = [field.field_info.annotation for field in fields if field]
    return {getattr(kind, "__name__", str(kind)): TypeAdapter(kind) for kind in kinds}


def inner(schema: dict[str, Any], defs: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the schemas of the objects that this one is, or may be."""
    if "$ref" in schema:
        schema = defs[schema["$ref"].rpartition("/")[2]]
    if "properties" in schema:
        yield schema
    for key in ("anyOf", "oneOf"):
        for one in schema.get(key, ()):
            yield from inner(one, defs)


def reasons(kind: TypeAdapter[Any]) -> Iterator[str]:
    """Yield what is said of wrong values, of the whole and of each part."""
    schema = kind.json_schema()
    said: list[Any] = [*WRONG]
    for one in inner(schema, schema.get("$defs", {})):
        const = {key: part["const"] for key, part in one["properties"].items() if "const" in part}
        said += [{**const, key: value} for key in one["properties"] for value in WRONG]
        said += [{**const, "an odd-field": 1}]
    for value in said:
        try:
            kind.validate_json(json.dumps(value))
        except ValidationError as error:
            yield from (misfit([fault]).reason for fault in error.errors())


@pytest.mark.parametrize("name", bodies())
def test_no_route_speaks_of_what_checks_it(name: str) -> None:
    told = {*reasons(bodies()[name])}
    assert len(told) > 2
    assert not {line for line in told if any(word in line for word in PYDANTICS)}
    assert any(line.endswith("an odd-field: there is no such field") for line in told)


def said_of(kind: type[BaseModel], body: str) -> str:
    with pytest.raises(ValidationError) as refused:
        kind.model_validate_json(body)
    return misfit(refused.value.errors()).reason


def test_it_is_said_where_and_what_was_expected() -> None:
    for body, line in (
        ("{}", "name: a value is missing"),
        ('{"name": 5}', "name: expected a text"),
        ('{"name": "A", "more": 1}', "more: there is no such field"),
        ("{", "no JSON; expected an object"),
        ("[]", "expected an object"),
        (json.dumps({"name": "A", "x" * 999: 1}), f"{'x' * 60}: there is no such field"),
    ):
        assert said_of(Named, body) == line
    for body, line in (
        ('{"rules": 5}', "rules: expected a text or an object"),
        ('{"rules": "circus", "bots": ["papa", 5]}', "bots.1: expected a text"),
        ('{"rules": "circus", "open": "x"}', "open: expected true or false"),
    ):
        assert said_of(TableWanted, body) == line
    evening = {"movement": "howell", "people": ["A"], "screens": {"pace": "x"}}
    paces = "screens.pace: expected one of instant, brisk, normal, calm"
    assert said_of(EveningWanted, json.dumps(evening)) == paces
