"""The kernels in WebAssembly do in Chromium what they do in plain Python, step by step."""

from __future__ import annotations

import copy

import pytest
from playwright.sync_api import Browser
from scripts.native.wasm import ALONE
from tests.engine.repeating import in_browser
from tests.engine.stepping import casts
from tests.engine.tape import tape_of_hands, tape_of_search, tape_of_streams

from rookery.rules import load, variant
from rookery.rules.table import compile_rules

# In Node they play every variant.
VARIANTS = ("kd_tournament", "call_partner_6", "rook_two_1914")

pytestmark = pytest.mark.skipif(
    not ALONE.path.exists(), reason="python -m scripts.native.wasm builds what is tested"
)


@pytest.mark.slow
def test_hands_go_as_in_python(chromium: Browser) -> None:
    tapes = []
    for name in VARIANTS:
        table = compile_rules(variant(name))
        line_ups = casts(table.seats)
        tapes.append(tape_of_hands(table, line_ups, range(2)))
        tapes.append(tape_of_streams(table, line_ups[1:], seed=3, streams=1, hands=2))
    results = in_browser(chromium, tapes)
    assert [one.difference for one in results] == [""] * 2 * len(VARIANTS)
    assert [one.agreed for one in results] == [*map(len, tapes)]


def test_expert_decides_as_in_python(chromium: Browser) -> None:
    steps = tape_of_search(load("kd_tournament"), 5, rollouts=20, decisions=6)
    wrong = copy.deepcopy(steps)
    ranked = next(one for one in wrong if one["after"] and "rank" in one["call"])
    ranked["after"][2] = str(int(ranked["after"][2]) + 1)
    results = in_browser(chromium, [steps, wrong])
    assert [bool(one.difference) for one in results] == [False, True]
