"""The kernels in WebAssembly do in Node what they do in plain Python, step by step."""

from __future__ import annotations

import copy
import dataclasses
import gzip
from importlib.util import find_spec
from pathlib import Path

import pytest
from scripts.native.__main__ import told_by
from scripts.native.kernels import EXPORTED
from scripts.native.link import CONTENTS, VERSION
from scripts.native.wasm import ALONE, FORMS, PYODIDE, contents
from tests.engine.repeating import in_node
from tests.engine.stepping import casts, house_rules
from tests.engine.tape import (
    Step,
    tape_of_hands,
    tape_of_networks,
    tape_of_search,
    tape_of_solver,
    tape_of_streams,
)
from tests.search.positions import scripted
from tests.solver.test_solve import ending

from rookery.engine.records import Allocator
from rookery.engine.targets.native import symbol_of
from rookery.game import Hand
from rookery.learn import network_search
from rookery.learn.rollouts import note_scores, run_network_rollouts
from rookery.rules import catalog, load, variant
from rookery.rules.table import RuleTable, compile_rules

HANDS = 4
MOST = 400_000  # bytes, compressed

if find_spec("ziglang") or all(form.path.exists() for form in FORMS):
    pytestmark: list[pytest.MarkDecorator] = []
else:
    pytestmark = [pytest.mark.skip(reason="nothing can be built here: no ziglang")]


def test_the_files_are_here_and_fresh() -> None:
    """``python -m scripts.native.wasm`` builds them; without it the tests below say nothing."""
    for form in FORMS:
        assert told_by(form.path) == contents(), form.path.name


def test_it_is_small() -> None:
    assert len(gzip.compress(ALONE.path.read_bytes(), 9)) < MOST


def test_it_offers_the_kernels_and_asks_for_nothing(tmp_path: Path) -> None:
    about, _ = in_node([], tmp_path)
    assert about["imports"] == []
    kernels = {CONTENTS, VERSION, *map(symbol_of, EXPORTED)}
    assert set(about["exports"]) == {"memory", "__heap_base", *kernels}


def test_the_file_for_pyodide_asks_for_a_place_in_its_memory(tmp_path: Path) -> None:
    tapes = []
    for name in ("kd_tournament", "call_partner_6", "rook_two_1914"):
        table = compile_rules(variant(name))
        line_ups = casts(table.seats)
        tapes.append(tape_of_hands(table, line_ups, range(4)))
        tapes.append(tape_of_streams(table, line_ups[1:], seed=7, streams=1, hands=4))
    about, results = in_node(tapes, tmp_path, file=PYODIDE.path)
    assert set(about["imports"]) == {"memory", "__memory_base", "__stack_pointer", "__table_base"}
    assert set(about["exports"]) == {CONTENTS, VERSION, *map(symbol_of, EXPORTED)}
    assert [one.difference for one in results] == [""] * 6


@pytest.mark.parametrize("name", catalog())
def test_it_plays_every_variant_as_python_does(name: str, tmp_path: Path) -> None:
    table = compile_rules(variant(name))
    line_ups = casts(table.seats)
    hands = tape_of_hands(table, line_ups, range(HANDS))
    streams = tape_of_streams(table, line_ups[1:], seed=7, streams=1, hands=4)
    _, results = in_node([hands, streams], tmp_path)
    assert [one.difference for one in results] == ["", ""]
    assert results[0].agreed == len(hands) > 60 * HANDS
    assert results[1].agreed == 3


@pytest.mark.slow
def test_it_plays_house_rules_as_python_does(tmp_path: Path) -> None:
    tapes = []
    for rules in house_rules(40):
        table = compile_rules(rules)
        tapes.append(tape_of_hands(table, casts(table.seats), range(4)))
    _, results = in_node(tapes, tmp_path)
    assert {one.difference for one in results} == {""}
    assert len(results) > 40


@pytest.mark.slow
def test_the_search_and_the_solver_do_as_in_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tapes = []
    for name in ("kd_tournament", "call_partner_5", "rook_three_1914"):
        rules = load(name)
        tapes.append(tape_of_search(rules, 3, rollouts=20, decisions=8))
        tapes += [tape_of_solver(ending(rules, seed, 2), monkeypatch) for seed in range(3)]
    _, results = in_node(tapes, tmp_path)
    assert [one.difference for one in results] == [""] * 12
    assert [one.agreed for one in results] == [*map(len, tapes)]


def test_networks_play_and_score_as_in_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network_search, "A_TRICK", 0)  # the network plays though time is short
    tapes = []
    for name in ("kd_tournament", "one_low_180"):
        played = [*scripted(Hand.shuffled(load(name), dealer=0, seed=3))]
        hands = [hand for hand in played if hand.phase == "play"][::5]
        tapes += [tape_of_networks(hands, version, rollouts=24) for version in (3, 4)]
    called = {step["call"] for tape in tapes for step in tape}
    assert called >= {symbol_of(note_scores), symbol_of(run_network_rollouts)}
    _, results = in_node(tapes, tmp_path)
    assert [one.difference for one in results] == [""] * 4
    assert [one.agreed for one in results] == [*map(len, tapes)]
    wrong = copy.deepcopy(tapes[0])  # the control: a score with one bit less or more
    step = next(one for one in wrong if one["call"] == symbol_of(note_scores))
    step["after"][-1] = str(int(step["after"][-1]) ^ 1)
    _, (spoilt_one,) = in_node([wrong], tmp_path)
    assert spoilt_one.difference


def spoilt(steps: list[Step], table: RuleTable, field: str) -> list[Step]:
    """Return a tape with other numbers in one field of the rule table."""
    value = getattr(table, field)
    wrong = dataclasses.replace(table)
    setattr(wrong, field, value[1:] + value[:1] if isinstance(value, list) else value + 5)
    other = copy.deepcopy(steps)
    for step in other:
        for new in step["new"]:
            if new[0] == RuleTable.__name__:
                new[2] = bytes(Allocator("native").record(wrong)).hex()
    return other


def test_a_wrong_number_is_found(tmp_path: Path) -> None:
    """In the rule table that the kernels are given, or in what is expected of them."""
    table = compile_rules(variant("call_partner_4"))
    steps = tape_of_hands(table, casts(table.seats), range(8))
    tapes = [
        steps,
        *(spoilt(steps, table, field) for field in ("bonus_value", "strength", "target")),
    ]
    for change in ("returns", "after", "before"):
        wrong = copy.deepcopy(steps)
        step = next(one for one in wrong[400:] if one[change])
        if change == "returns":
            step["returns"] = str(int(step["returns"]) + 1)
        else:
            step[change][2] = str(int(step[change][2]) + 1)
        tapes.append(wrong)
    _, results = in_node(tapes, tmp_path)
    # The target has no part in one hand, so here it is the control of the control.
    assert [bool(one.difference) for one in results] == [False, True, True, False, *[True] * 3]
