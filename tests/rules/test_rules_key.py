"""The hash of a rule set: a new option leaves that of every older record and table as it was."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

import rookery
from rookery.fairness.deal import rules_key
from rookery.rules import OPTIONS, Rules, load
from rookery.rules.model import FIRST_OPTIONS

# Written by the program that had the first 61 options. It stays as it is.
GOLDEN: Final[dict[str, Any]] = json.loads(
    Path(__file__).with_name("rules_keys.json").read_text("utf-8")
)
PACKAGE: Final = Path(rookery.__file__).parent
LATER: Final = """
    last_card: Literal["hidden", "open"] = "hidden"
    rotation: """
PRINT_KEYS: Final = """
import json, sys
from rookery.rules import OPTIONS, Rules, load
from rookery.fairness.deal import rules_key
variants, house_rules = json.load(sys.stdin)
later = {name for name, form in Rules.model_json_schema()["properties"].items() if "later" in form}
print(json.dumps({
    "options": len(OPTIONS),
    "later": sorted(later),
    "variants": {name: rules_key(load(name)) for name in variants},
    "house_rules": [{"rules": rules, "key": rules_key(load(rules))} for rules in house_rules],
    "changed": rules_key(load({"last_card": "open"})),
}))
"""


@pytest.mark.parametrize("name", GOLDEN["variants"])
def test_a_variant_keeps_its_key(name: str) -> None:
    assert rules_key(load(name)) == GOLDEN["variants"][name]


def test_house_rules_keep_their_key() -> None:
    for one in GOLDEN["house_rules"]:
        assert rules_key(load(one["rules"])) == one["key"]


def test_every_option_of_the_first_program_counts() -> None:
    assert len(FIRST_OPTIONS) == 61
    assert set(OPTIONS) >= FIRST_OPTIONS
    rules = load("kd_tournament")
    assert rules.hashed_options().keys() >= FIRST_OPTIONS
    schema = Rules.model_json_schema()["properties"]
    assert {name for name in OPTIONS if "later" in schema[name]} == set(OPTIONS) - FIRST_OPTIONS


def test_a_new_option_changes_only_the_keys_of_rules_that_use_it(tmp_path: Path) -> None:
    """Copy the program, give the copy one option more, and ask it for the keys."""
    copy = tmp_path / "rookery"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__", "static"))
    options = copy / "rules" / "options.py"
    text = options.read_text("utf-8")
    options.write_text(text.replace("\n    rotation: ", LATER, 1), "utf-8")
    with (copy / "rules" / "lang" / "en.toml").open("a", encoding="utf-8") as english:
        english.write('[option.last_card]\nname = "Last card"\nhelp = "What it is."\n')
    variants = list(GOLDEN["variants"])
    house_rules = [one["rules"] for one in GOLDEN["house_rules"]]
    answer = subprocess.run(
        [sys.executable, "-c", PRINT_KEYS],
        input=json.dumps([variants, house_rules]),
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        cwd=tmp_path,
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
    )
    seen = json.loads(answer.stdout)
    assert seen["options"] == len(OPTIONS) + 1
    assert "last_card" in seen["later"]
    assert seen["variants"] == GOLDEN["variants"]
    assert seen["house_rules"] == GOLDEN["house_rules"]
    assert seen["changed"] != GOLDEN["variants"]["kd_tournament"]
