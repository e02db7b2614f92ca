"""Half a surrogate pair is found wherever JSON spells one, and nowhere else."""

from __future__ import annotations

import json
from random import Random

import pytest
from tests.unicode.halves import HALVES, halved, holds_half

from rookery.unicode.halves import half_at

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


@pytest.mark.parametrize("half", HALVES)
def test_a_half_is_found_however_deep_it_stands(half: str) -> None:
    assert half_at(DEEP) == 5_001
    assert half_at(f"[{half}") == 1 + (half[0] in "A")
