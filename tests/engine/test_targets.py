"""The same seeds on every target give the same states, after every action, for every variant."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from tests.engine.stepping import (
    OVER,
    VERBS,
    Plain,
    casts,
    first_difference,
    house_rules,
    step,
    verb_of,
)

from rookery.bots.dispatch import seated
from rookery.engine.kernel import called_kernels, family
from rookery.engine.records import array_of
from rookery.engine.targets import load
from rookery.engine.targets.specialise import Constants, specialised
from rookery.rules import Rules, catalog, variant
from rookery.rules.table import RuleTable, compile_rules

HANDS = 12
HOUSE_HANDS = 16
SIMULATED_HANDS = 4
# Between them: a blind hand and partial exchange, a called partner, circus and low order; and all
# line-ups. One is compiled as well.
SPECIALISED = (("rook_two_1914", 2), ("call_partner_pagat", 3), ("circus", 1))


@pytest.fixture(scope="session")
def generic() -> Callable[..., int]:
    return load("numba", step)


@pytest.fixture(scope="session")
def simulator() -> dict[str, tuple[int, str]]:
    return simulate(SIMULATED_HANDS)


def simulate(hands: int, *options: str) -> dict[str, tuple[int, str]]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.engine.simulated", str(hands), *options],
        env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    report: dict[str, tuple[int, str]] = json.loads(done.stdout)
    return report


@pytest.mark.numba
@pytest.mark.parametrize("name", catalog())
def test_numba_plays_every_variant_as_python_does(generic: Callable[..., int], name: str) -> None:
    taken, difference = first_difference(compile_rules(variant(name)), step, generic, HANDS)
    assert difference == ""
    assert taken > 15 * HANDS


@pytest.mark.numba
def test_numba_plays_house_rules_as_python_does(generic: Callable[..., int]) -> None:
    for rules in house_rules(60):
        taken, difference = first_difference(compile_rules(rules), step, generic, HOUSE_HANDS)
        assert difference == "", rules.options()
        assert taken


def rewritten(table: RuleTable, constants: Constants) -> Callable[..., int]:
    """Return `step` as targets compile it for a rule set, but as plain Python."""
    made: dict[Any, Any] = {}
    for one in family(step):
        names = {name: made.get(other, other) for name, other in called_kernels(one)}
        made[one] = specialised(one, table, names, constants)
    return made[step]  # type: ignore[no-any-return]


@pytest.mark.parametrize(("name", "line_up"), SPECIALISED)
def test_specialised_code_plays_as_python_does(name: str, line_up: int) -> None:
    table = compile_rules(variant(name))
    line_ups = [casts(table.seats)[at] for at in (0, line_up)]
    made = rewritten(table, seated(line_ups[1]))
    taken, difference = first_difference(table, step, made, 40, Plain, line_ups)
    assert difference == ""
    assert taken > 600


@pytest.mark.numba
@pytest.mark.slow
def test_specialised_code_that_is_compiled_does_so_too() -> None:
    name, line_up = SPECIALISED[1]
    table = compile_rules(variant(name))
    line_ups = [casts(table.seats)[at] for at in (0, line_up)]
    made = load("numba", step, table, seated(line_ups[1]))
    assert first_difference(table, step, made, 40, line_ups=line_ups)[1] == ""


@pytest.mark.cuda
@pytest.mark.slow
@pytest.mark.parametrize("name", catalog())
def test_the_cuda_simulator_plays_every_variant_as_python_does(
    simulator: dict[str, tuple[int, str]], name: str
) -> None:
    taken, difference = simulator[name]
    assert difference == ""
    assert taken > 15 * SIMULATED_HANDS


@pytest.mark.cuda
def test_a_wrong_primitive_in_the_simulator_is_found() -> None:
    (_, difference), *_ = simulate(1, "plant").values()
    assert difference


@pytest.mark.numba
@pytest.mark.parametrize("field", ["bonus_value", "card_points", "strength", "deck", "target"])
def test_a_wrong_number_in_the_table_is_found(generic: Callable[..., int], field: str) -> None:
    table = compile_rules(variant("call_partner_4"))
    value = getattr(table, field)
    # The target has no part in one hand, so here it is the control of the control.
    other = dataclasses.replace(table)
    setattr(other, field, value[1:] + value[:1] if isinstance(value, list) else value + 5)

    def wrong(_: object, *rest: object) -> int:
        return generic(array_of(other)[0], *rest)

    _, difference = first_difference(table, step, wrong, HANDS)
    assert bool(difference) == (field != "target")


def test_the_compared_hands_take_every_kind_of_action() -> None:
    """Else the targets could differ where nobody looked."""
    missed = {verb for verb, _ in VERBS}
    for rules in reversed(house_rules(60)):
        if missed:
            missed -= actions_taken(rules)
    assert missed == set()


def actions_taken(rules: Rules) -> set[str]:
    table = compile_rules(rules)
    found = set()
    for seed in range(HOUSE_HANDS):
        hand = Plain(table, casts(table.seats)[seed % 4])
        hand.advance(seed, seed % table.seats)
        while (action := hand.advance(seed)) != OVER:
            found.add(verb_of(action))
    return found
