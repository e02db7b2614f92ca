"""The editor's words: every option and every value has them, in every language."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import rookery
from rookery.rules import Rules
from rookery.rules.model import METADATA

WORDS = Path(rookery.__file__).parent / "web" / "static" / "i18n"


@pytest.mark.parametrize("tongue", ["en", "es"])
def test_the_editor_has_words_for_every_option_and_value(tongue: str) -> None:
    known = json.loads((WORDS / f"editor.{tongue}.json").read_text("utf-8"))
    schema = Rules.model_json_schema()
    for name, spec in schema["properties"].items():
        if name in METADATA or "const" in spec:
            continue
        assert known[f"editor.option.{name}"]
        if tongue == "en":
            assert known[f"editor.help.{name}"] == spec["description"]
        else:
            assert known[f"editor.help.{name}"] != spec["description"]
        for value in _values(spec, schema["$defs"]):
            assert known[f"editor.value.{name}.{value}"]


def _values(spec: dict[str, Any], defs: dict[str, Any]) -> Iterator[str]:
    if "$ref" in spec:
        found = defs[spec["$ref"].rsplit("/", 1)[1]]
        yield from found["properties"]
        return
    yield from spec.get("enum", ())
    if "const" in spec:
        yield spec["const"]
    for each in spec.get("anyOf", ()):
        yield from _values(each, defs) if each.get("type") != "integer" else ["number"]
    items = spec.get("items", {})
    yield from items.get("enum", ())
    yield from items.get("discriminator", {}).get("mapping", ())
