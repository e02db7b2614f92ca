"""The native library plays as plain Python does, and needs nothing beside it.

Many hands are a few thousand of every variant here. In full, a million, which takes ten minutes:
`NATIVE_HANDS=1000000 .venv/bin/pytest tests/engine/test_native.py -k many_hands`
"""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from scripts.native.kernels import EXPORTED
from scripts.native.link import CONTENTS, VERSION, linker, without_errors
from scripts.native.machine import here
from scripts.native.symbols import too_much
from tests.engine.stepping import Structured, casts, first_difference, house_rules, step
from tests.engine.test_stale_code import CHANGES, change, outcome, package

from rookery.engine.actions import ACTIONS, legal
from rookery.engine.deal import deal
from rookery.engine.kernel import called_kernels
from rookery.engine.records import Allocator
from rookery.engine.rng import seeded
from rookery.engine.state import Hidden, State
from rookery.engine.targets import MissingTarget, load, native
from rookery.engine.targets.native import LIBRARY, PACKED, ready, symbol_of
from rookery.engine.targets.specialise import specialised
from rookery.lab.run.streams import play_plain, play_streams
from rookery.rules import catalog, variant
from rookery.rules.table import RuleTable, compile_rules

__all__ = ["package"]  # a fixture

HANDS = 12
HOUSE_HANDS = 8
MANY_HANDS = int(os.environ.get("NATIVE_HANDS", "6000"))  # of each variant, all line-ups together
STREAMS = 4

if LIBRARY.exists() or linker():
    pytestmark: list[pytest.MarkDecorator] = []
else:
    pytestmark = [pytest.mark.skip(reason="no library can be built here: no C compiler")]


def test_the_library_is_here_and_fresh() -> None:
    """scripts/setup builds it; without it the tests below would say nothing."""
    native.check(*EXPORTED)


@cache
def native_step() -> Callable[..., int]:
    """Return `step` with the library's kernels for those that it calls."""
    names: dict[str, Any] = {}
    for name, one in called_kernels(step):
        if one in EXPORTED:
            names[name] = load("native", one)
    missing = {name for name, one in called_kernels(step)} - set(names)
    assert missing == {"wild_action"}  # a test's own
    return specialised(step, None, names)


@pytest.mark.parametrize("name", catalog())
def test_it_plays_every_variant_as_python_does(name: str) -> None:
    table = compile_rules(variant(name))
    taken, difference = first_difference(table, step, native_step(), HANDS, Structured)
    assert difference == ""
    assert taken > 15 * HANDS


def test_it_plays_house_rules_as_python_does() -> None:
    for rules in house_rules(60):
        table = compile_rules(rules)
        taken, difference = first_difference(table, step, native_step(), HOUSE_HANDS, Structured)
        assert difference == "", rules.options()
        assert taken


@pytest.mark.parametrize("field", ["bonus_value", "card_points", "strength", "deck", "target"])
def test_a_wrong_number_in_the_table_is_found(field: str) -> None:
    table = compile_rules(variant("call_partner_4"))
    value = getattr(table, field)
    # The target has no part in one hand, so here it is the control of the control.
    other = dataclasses.replace(table)
    setattr(other, field, value[1:] + value[:1] if isinstance(value, list) else value + 5)
    spoilt = Allocator("native").record(other)

    def wrong(_: object, *rest: object) -> int:
        return native_step()(spoilt, *rest)

    _, difference = first_difference(table, step, wrong, HANDS, Structured)
    assert bool(difference) == (field != "target")


def line_ups(table: RuleTable) -> Iterable[list[int]]:
    return casts(table.seats)[1:]  # the first plays anything


@pytest.mark.parametrize("name", catalog())
def test_whole_streams_are_those_of_python(name: str) -> None:
    table = compile_rules(variant(name))
    for kinds in line_ups(table):
        scores, cancelled = play_streams(table, kinds, 7, 1, 6, cores=1, target="native")
        total, again = play_plain(table, kinds, 7, 0, 6)
        assert (scores, cancelled) == ([total], [again])


@pytest.mark.numba
@pytest.mark.slow
def test_many_hands_have_the_totals_of_numba() -> None:
    """Of all variants, with every line-up, by code of either kind that serves all rule sets."""
    for name in catalog():
        table = compile_rules(variant(name))
        cast = list(line_ups(table))
        hands = MANY_HANDS // (STREAMS * len(cast))
        for kinds in cast:
            ours, theirs = (
                play_streams(table, kinds, 1906, STREAMS, hands, target=target, bound=False)
                for target in ("native", "numba")
            )
            assert ours == theirs
            assert any(map(any, ours[0]))


KERNELS = {*map(symbol_of, EXPORTED)}
NAMES = {CONTENTS, VERSION, *KERNELS, *(f"{name}{PACKED}" for name in KERNELS)}


def test_it_offers_the_kernels_and_asks_for_almost_nothing() -> None:
    machine = here()
    assert machine is not None
    assert too_much(LIBRARY, machine, NAMES) == []


def test_a_library_that_asks_for_more_is_found(tmp_path: Path) -> None:
    command, machine = linker(), here()
    assert command is not None
    assert machine is not None
    source, made = tmp_path / "more.c", tmp_path / LIBRARY.name
    source.write_text("extern void PyErr_Clear(void);\nvoid more(void) { PyErr_Clear(); }\n")
    loose = ["-Wl,-undefined,dynamic_lookup"] if LIBRARY.suffix == ".dylib" else []
    subprocess.run([*command, "-shared", "-fPIC", *loose, "-o", made, source], check=True)
    assert too_much(made, machine, {"more"}) == [f"{made.name} asks others for ['PyErr_Clear']"]


def test_a_kernel_that_raises_cannot_be_built() -> None:
    pickled = r'@.const.pickledata.ab = internal constant [9 x i8] c"\80\04{}"'
    assert without_errors(pickled.format("tuple index out of range"))
    with pytest.raises(ValueError, match="a kernel may raise"):
        without_errors(pickled.format("division by zero"))


LOADED = """
from rookery.engine.targets import load
from rookery.engine.targets import MissingTarget
from rookery.engine.actions import actor, apply
from rookery.lab.run.streams import play_stream
from rookery.learn.rollouts import note_scores
for one in (actor, apply, play_stream, note_scores):
    try:
        load("native", one)
        print(one.__name__, "fresh")
    except MissingTarget as error:
        print(one.__name__, str(error))
"""
STALE = (
    f"{LIBRARY.name} is stale, the engine has changed since; scripts/setup builds it in a checkout"
)


@pytest.mark.slow
def test_a_library_of_other_sources_is_refused(package: Path) -> None:
    assert outcome(package, LOADED).splitlines() == [
        f"{name} fresh" for name in ("actor", "apply", "play_stream", "note_scores")
    ]
    for name, before, after, _ in CHANGES:
        change(package, name, before, after)
        told = outcome(package, LOADED).splitlines()
        change(package, name, after, before)
        user = "note_scores" if name == "engine/network.py" else "play_stream"
        assert f"{user} {STALE}" in told, name
        # What nothing that it is made from has to do with stays.
        assert ("actor fresh" in told) == (name not in ("engine/state.py", "engine/actions.py"))
    # The order of a record's fields, in a file that has no kernel.
    change(package, "rules/table.py", "    seats: int", "    spare: int = 0\n    seats: int")
    assert f"apply {STALE}" in outcome(package, LOADED).splitlines()
    (package / "rookery" / "engine" / "targets" / LIBRARY.name).write_bytes(b"no library")
    assert "no library for this machine" in outcome(package, LOADED)
    (package / "rookery" / "engine" / "targets" / LIBRARY.name).unlink()
    assert "the native library is not here" in outcome(package, LOADED)


ALONE = """
import json, sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("numpy", "numba", "llvmlite"):
            raise ModuleNotFoundError(name, name=name)
sys.meta_path.insert(0, Absent())
from rookery.game import Hand
from rookery.rules import load
from rookery.search.search import Search
from rookery.search.searcher import Searcher
from rookery.solver.solution import solve
rules = load("kd_tournament")
hand = Hand.shuffled(rules, dealer=0, seed=7)
search = Search(hand.table, bound=True)  # Numba takes minutes for all rules
bots = [Searcher(rules, seat, {"rollouts": "60", "ms": "600000"}, search) for seat in range(4)]
points = None
while hand.to_act is not None:
    if hand.phase == "play" and points is None:
        points = solve(hand).points
    hand = hand.act(bots[hand.turn].act(hand))
print(json.dumps([points, [str(action) for action in hand.actions]]))
"""


@pytest.mark.slow
def test_expert_and_the_solver_need_neither_numpy_nor_numba() -> None:
    told = {}
    for target, code in (("native", ALONE), ("numba", ALONE.replace('("numpy"', '("-"'))):
        code = code if target == "native" else code.replace('"numba", "llvmlite"', '"-"')
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "ROOKERY_TARGET": target, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        told[target] = json.loads(done.stdout)
    assert told["native"] == told["numba"]
    assert len(told["native"][1]) > 40


def test_a_call_that_is_made_ready_is_the_call() -> None:
    """Of every argument only where it lies is kept, so what changes there is seen."""
    for numbers in ((7, 0), (7, 1 << 40), ((1 << 63) - 1, 3)):
        assert ready(load("native", seeded), *numbers)() == seeded(*numbers)
    table = compile_rules(variant("kd_tournament"))
    rules, s, h = native_records(table)
    order, found = Allocator("native").zeros(57), Allocator("native").zeros(ACTIONS)
    native_deal = ready(load("native", deal), rules, s, h, order, 1)
    asked = ready(load("native", legal), rules, s, h, found)
    for turn in range(3):
        order[:] = [*range(turn, 57), *range(turn)]
        native_deal()
        plain_state, plain_hidden, expected = State(), Hidden(), [0] * ACTIONS
        deal(table, plain_state, plain_hidden, list(order), 1)
        assert asked() == legal(table, plain_state, plain_hidden, expected) > 0
        assert list(found)[: asked()] == expected[: asked()]
        assert list(h.hand) == plain_hidden.hand
    with pytest.raises(TypeError, match="legal takes State, got Hidden"):
        ready(load("native", legal), rules, h, s, found)


def test_what_is_no_record_of_the_kernel_is_refused() -> None:
    made = Allocator("native")
    native_legal = load("native", EXPORTED[4])
    table = compile_rules(variant("kd_tournament"))
    rules, s, h = native_records(table)
    with pytest.raises(TypeError, match="legal takes State, got Hidden"):
        native_legal(rules, h, s, made.zeros(9))
    with pytest.raises(TypeError, match="legal takes a list of int"):
        native_legal(rules, s, h, made.numbers([0.5]))
    with pytest.raises(TypeError, match="legal takes a list of int"):
        native_legal(rules, s, h, [0])
    with pytest.raises(TypeError, match="legal takes 4, got 3"):
        native_legal(rules, s, h)
    with pytest.raises(MissingTarget, match="the native library has no step"):
        load("native", step)


def native_records(table: RuleTable) -> tuple[Any, Any, Any]:
    hand = Structured(table, [0] * table.seats, step)
    return hand.table, hand.state, hand.hidden
