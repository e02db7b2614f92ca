"""A house-rule file is read by the server, as the command line reads it."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx
import pytest
from tests.server.http.served import Here
from tests.server.http.test_catalogue import got

from rookery.rules import RulesUnreadable, load, parse
from rookery.server.api.rules import FILE_MAX

TOML = """
# Tuesday
base = "kd_full_57"
name = "Tuesday rules"
counters = { 5 = 5, 10 = 10, 14 = 10, r1 = 30 }
special_bids = [{ name = "sun", value = "game" }]
"""


# Deeper than may be read; some of it is deeper than an answer may be, and not than Python reads.
DEEP = (201, 256, 300, 450, 900)


def parsed(text: str, name: str = "ours.toml", lang: str = "en") -> Any:  # noqa: ANN401
    return got(f"/api/rules/parse?lang={lang}", {"text": text, "name": name})


def test_a_file_is_read_as_the_command_line_reads_it() -> None:
    answer = parsed(TOML)
    assert answer == {"ok": True, "problems": [], "rules": parse(TOML, "ours.toml")}
    checked = got("/api/rules/check", {"rules": answer["rules"]})
    assert checked["options"] == load(answer["rules"]).options()
    written = json.dumps(answer["rules"])
    assert parsed(written, "ours.json") == parsed(f"\ufeff {written}", "ours") == answer


@pytest.mark.parametrize(("text", "name"), [('{"a": %s%s}', "a.json"), ("a = %s%s", "a.toml")])
def test_a_file_is_read_as_deep_as_it_may_be_nested(text: str, name: str) -> None:
    held = text % (199 * "[", 199 * "]")
    assert parsed(held, name) == {"ok": True, "problems": [], "rules": parse(held, name)}


@pytest.mark.parametrize(
    ("text", "name", "code", "line"),
    [
        ("target = 500\nseats = ", "ours.toml", "not-toml", 2),
        ("a = 1\n\na = 2", "ours.toml", "not-toml", 3),
        ("seats", "ours", "not-toml", 1),
        ('{"seats": 4,\n"a"', "ours", "not-json", 2),
        ("[1, 2]", "ours.json", "no-options", None),
        *((f"{deep * '[1,'}1{deep * ']'}", "ours.json", "not-json", 1) for deep in DEEP),
        *((f"a = {deep * '['}1{deep * ']'}", "ours.toml", "not-toml", 1) for deep in DEEP),
        ("[" * FILE_MAX, "ours.toml", "not-toml", 1),
        ("[" * FILE_MAX, "ours.json", "not-json", 1),
        (f"a = {'9' * 5000}", "ours.toml", "not-toml", 1),
    ],
)
def test_a_file_that_cannot_be_read(text: str, name: str, code: str, line: int | None) -> None:
    with pytest.raises(RulesUnreadable) as caught:
        parse(text, name)
    assert parsed(text, name)["problems"] == [
        {"option": name, "code": code, "text": str(caught.value).partition(": ")[2]}
    ]
    (spanish,) = parsed(text, name, "es")["problems"]
    assert line is None or spanish["text"].startswith(f"la línea {line} no es")


def test_what_json_cannot_say_is_read_as_a_text() -> None:
    answer = parsed("day = 2024-01-02\nn = nan\nx = [1.5, { y = inf }]")
    assert answer["rules"] == {"day": "2024-01-02", "n": "nan", "x": [1.5, {"y": "inf"}]}
    (problem,) = parsed('{\n"a": "\\ud800"}', "a.json", "es")["problems"]
    assert problem["code"] == "not-unicode"
    assert problem["text"].startswith("medio par sustituto en la línea 2")


@pytest.mark.parametrize(
    "file",
    [
        {"text": "x" * (FILE_MAX + 1)},
        {"text": "", "name": "x" * 256},
        {"text": 5},
        {"more": 1},
        {},
    ],
)
def test_a_file_that_is_refused(file: object) -> None:
    assert got("/api/rules/parse", file)["error"]["code"] in ("bad-request", "bad-rules")


@pytest.mark.parametrize("rules", [{"name": "\ud800"}, {"seats": "\ud800"}, {"\udfff": 1}])
def test_half_a_surrogate_pair_is_no_rule(rules: object) -> None:
    async def ask() -> httpx.Response:
        async with Here().browser() as browser:
            body = json.dumps({"rules": rules})
            return await browser.post(
                "/api/rules/check", content=body, headers={"content-type": "application/json"}
            )

    answer = asyncio.run(ask())
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "not-unicode")
