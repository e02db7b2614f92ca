"""Half a surrogate pair is found wherever JSON spells one, and nowhere else."""

from __future__ import annotations

import json
import tracemalloc
from random import Random

import pytest
from tests.unicode.halves import HALVES, halved, holds_half

from rookery.server.http.middleware import BODY_MAX
from rookery.unicode.halves import half_at, where_half

PIECES = ("\\", "\\\\", '"', "u", "d8", "00", "\\ud83d", "\\ude00", "\\uD800", "\\udFFF", "é", "😀")
DEEP = "[" * 5_000 + '"\\ud800"'


def test_what_python_cannot_write_is_found_and_nothing_else() -> None:
    dice, found = Random(6), 0
    for _ in range(30_000):
        text = '"' + "".join(dice.choices(PIECES, k=dice.randint(1, 6))) + '"'
        try:
            json.loads(text)
        except ValueError:
            continue
        half = holds_half(text)
        found += half
        assert (half_at(text) is not None) == half, text
    assert 1_000 < found < 20_000


def test_each_place_of_a_value_gets_one() -> None:
    dice, places = Random(6), set()
    for _ in range(2_000):
        value = halved({"name": "Ann", "rules": {"base": "kd", "seats": 4, "cards": ["R1"]}}, dice)
        text = json.dumps(value)
        assert holds_half(text)
        assert half_at(text) is not None
        assert half_at(json.dumps(value, ensure_ascii=False)) is not None
        places |= {key for key in ("name", "rules") if holds_half(json.dumps(value.get(key, 0)))}
        places |= {"a key"} if holds_half(json.dumps(list(value))) else set()
    assert places == {"name", "rules", "a key"}


def test_it_is_told_where_it_stands_and_no_word_that_stood_there() -> None:
    dice, told = Random(7), set()
    names = {"text", "rules", "notes", "cards", "seats"}
    for _ in range(2_000):
        whole = {"text": "Marigold", "rules": {"notes": ["Marigold"], "Marigold": "x"}}
        value = halved({**whole, "cards": ["R1", "Marigold"], "seats": [0, 1]}, dice)
        text = json.dumps(value, ensure_ascii=dice.random() < 0.5)
        where = where_half(text)
        assert {word for word in where.split(".") if not word.isdigit()} <= {*names, "?"}, where
        for step in where.split("."):
            # A question mark is a name that could not be told, or one that holds the half.
            value = None if step == "?" else value[int(step) if step.isdigit() else step]
            if value is None:
                break
        assert value is None or any("\ud800" <= c <= "\udfff" for c in value)
        told.add(where)
    assert told >= {"text", "?", "rules.notes.0", "rules.?", "cards.0", "cards.1", "seats.1"}
    assert where_half('{"a": "\ud800') == "character 8"
    assert where_half(DEEP) == "character 5002"


@pytest.mark.parametrize("half", HALVES)
def test_a_half_is_found_however_deep_it_stands(half: str) -> None:
    assert half_at(DEEP) == 5_001
    assert half_at(f"[{half}") == 1 + (half[0] in "A")


def test_thousands_of_values_hundreds_deep_take_no_more_than_they_are() -> None:
    """What looks for the place must not remember all the way to each value apart."""
    text = "[" * 900 + "0," * 15_000 + '"\\ud800"' + "]" * 900
    assert len(text) < BODY_MAX
    tracemalloc.start()
    try:
        where = where_half(text)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert where.count(".") == 899
    assert where.endswith(".0.15000")
    assert most < 200 * len(text)
