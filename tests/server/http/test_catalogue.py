"""The catalogue and the house-rule editor's routes: the same words as the command line's."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from pydantic import TypeAdapter
from tests.server.http.served import QUICK, Here, makes_no_table
from typer.testing import CliRunner

from rookery.bots.names import LEVELS
from rookery.cli.main import app
from rookery.rules import Rules, catalog, load, rules_schema, sections, summary
from rookery.server.api.rules import Variant, VariantInFull


def got(path: str, body: object = None) -> Any:  # noqa: ANN401  (JSON is anything)
    async def ask() -> Any:  # noqa: ANN401
        async with Here().browser() as browser:
            method = "GET" if body is None else "POST"
            return (await browser.request(method, path, json=body)).json()

    return asyncio.run(ask())


def told(*words: str) -> Any:  # noqa: ANN401
    return json.loads(CliRunner().invoke(app, [*words, "--json"]).stdout)


def test_the_catalogue_is_the_command_lines_with_a_summary() -> None:
    listed = got("/api/variants")
    TypeAdapter(list[Variant]).validate_python(listed)
    assert all(len(line.pop("summary")) > 200 for line in listed)
    assert listed == told("rules", "list")


@pytest.mark.parametrize("name", ["kd_tournament", "circus", "call_partner_5"])
def test_a_variant_is_the_command_lines_with_its_words(name: str) -> None:
    shown = got(f"/api/variants/{name}")
    VariantInFull.model_validate(shown)
    assert shown.pop("summary") == summary(load(name))
    assert shown.pop("sections") == sections(load(name))
    assert shown == told("rules", "show", name)


@pytest.mark.parametrize("name", ["none", "../kd_tournament", "kd_tournament.toml", "%2e%2e"])
def test_a_variant_that_is_none_is_not_found(name: str) -> None:
    assert got(f"/api/variants/{name}")["error"]["code"] in ("unknown-rules", "not-found")


def test_the_schema_is_that_of_a_rule_set_with_its_words() -> None:
    schema = got("/api/rules/schema")
    assert schema == got("/api/rules/schema?lang=en") == rules_schema()
    assert got("/api/rules/schema?lang=es") == rules_schema("es")
    for form in schema["properties"].values():
        form.pop("words", None)
        form.pop("group", None)
    assert schema == Rules.model_json_schema()


@pytest.mark.parametrize("rules", ["kd_tournament", {"base": "circus"}, QUICK])
def test_rules_that_fit_are_put_into_words(rules: Any) -> None:  # noqa: ANN401
    checked = got("/api/rules/check", {"rules": rules})
    assert (checked["ok"], checked["problems"]) == (True, [])
    assert checked["summary"] == summary(load(rules))
    assert checked["options"] == load(rules).options()


@pytest.mark.parametrize(
    ("rules", "option"),
    [
        ({"seats": 9}, "seats"),
        ({"base": "none"}, "base"),
        ({"wings": 2}, "wings"),
        ({"bid_minimum": "x"}, "bid_minimum"),
        ("pyproject.toml", "rules"),
        ("/etc/passwd", "rules"),
    ],
)
def test_rules_that_do_not_fit_are_told_by_option(rules: Any, option: str) -> None:  # noqa: ANN401
    checked = got("/api/rules/check", {"rules": rules})
    assert not checked["ok"]
    assert checked["problems"][0]["option"] == option
    assert checked["summary"] is None


def test_every_bot_is_described() -> None:
    names = {*LEVELS, "karapet", "papa", "hog", "rabbit", "random"}
    assert {bot["id"] for bot in got("/api/bots")} == names
    assert all(bot["title"] and bot["description"] for bot in got("/api/bots"))
    # A level can be played by what it was before.
    versions = {bot["id"]: bot["versions"] for bot in got("/api/bots") if bot["versions"]}
    all_four = ["4", "3", "2", "1"]
    assert versions == {"strong": ["2", "1"], "expert": all_four, "master": all_four}


def test_a_table_for_every_variant() -> None:
    async def story() -> None:
        here = Here()
        async with here.running(), here.person("Ann") as ann:
            for name in catalog():
                made = await ann.post("/api/tables", json={"rules": name})
                assert made.status_code == 201, made.text
                seen = (await ann.get(f"/api/tables/{made.json()['code']}")).json()
                assert (seen["rules_id"], seen["you"]) == (name, 0)
                assert len(seen["seats"]) == load(name).seats

    asyncio.run(story())


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ({"rules": "none"}, "unknown-rules"),
        ({"rules": {"seats": 9}}, "bad-rules"),
        ({"bots": ["nobody"]}, "unknown-bot"),
        ({"bots": ["papa"] * 4}, "no-seat"),
        ({"title": "a\u202eb"}, "bad-title"),
        ({"clock": 2}, "bad-setting"),
        ({"pace": "mad"}, "bad-request"),
        ({"more": 1}, "bad-request"),
        ({"open": "yes"}, "bad-request"),
    ],
)
def test_a_table_that_cannot_be_made(wanted: dict[str, Any], code: str) -> None:
    makes_no_table("/api/tables", wanted, code)


def test_tables_are_listed_for_strangers_only_if_they_are_open() -> None:
    async def story() -> None:
        here = Here()
        async with here.running(), here.person("Ann") as ann, here.browser() as stranger:
            await ann.post("/api/tables", json={"title": "Ours"})
            made = (await ann.post("/api/tables", json={"title": "All", "open": True})).json()
            listed = (await stranger.get("/api/tables")).json()
            assert [table["title"] for table in listed] == ["All"]
            assert listed[0]["code"] == made["code"]
            picture = await stranger.get(f"/api/tables/{made['code']}/qr.svg")
            assert picture.headers["content-type"] == "image/svg+xml"
            assert picture.text.startswith("<svg")

    asyncio.run(story())


def test_the_description_of_rest_says_how_requests_fail() -> None:
    told = got("/api/openapi.json")
    operations = [each for path in told["paths"].values() for each in path.values()]
    assert len(operations) > 15
    for operation in operations:
        assert "422" not in operation["responses"]
        assert operation["responses"]["4XX"]["content"]["application/json"]
        assert operation["description"]
