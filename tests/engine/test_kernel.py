"""Binding a rule set's constants into the source: what it drops, and that play stays the same."""

from __future__ import annotations

import ast
import inspect
import weakref
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engine.stepping import Plain, first_difference, house_rules, step

from rookery.bots.dispatch import KERNELS, decide, kind_of, seated
from rookery.bots.seat_info import SeatInfo
from rookery.engine import card_sets
from rookery.engine.actions import apply
from rookery.engine.auction import bid, bid_floor, call_pass, open_auction
from rookery.engine.card_sets import weakest
from rookery.engine.kernel import called_kernels, family, kernel
from rookery.engine.score import trick_bonus
from rookery.engine.state import State
from rookery.engine.targets import load
from rookery.engine.targets.specialise import (
    Constants,
    Parts,
    _definition,
    _Specialiser,
    _truth,
    specialised,
    table_hash,
)
from rookery.rules import catalog, variant
from rookery.rules.table import RuleTable, compile_rules


def truth(text: str) -> bool | None:
    return _truth(ast.parse(text, mode="eval").body)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1", True),
        ("0", False),
        ("x", None),
        ("3 == 3", True),
        ("3 != 3", False),
        ("1 < 2 < 3", True),
        ("2 + 2 == 5", False),
        ("3 == x", None),
        ("not 0", True),
        ("not 1", False),
        ("not x", None),
        ("1 and 1", True),
        ("1 and 0", False),
        ("0 and x", False),
        ("0 or 0", False),
        ("0 or 1", True),
        ("1 or x", True),
        ("1 and x", None),
        ("0 or x", None),
        ("x and 1", None),
        ("x or 0", None),
        # x is asked first, and asking may do something: the condition has to stay.
        ("x and 0", None),
        ("x or 1", None),
        ("1 and x and 0", None),
        ("1 and 0 and x", False),
        ("(0 or x) and 0", None),
        ("not (1 and 0)", True),
        ("not (x or 1)", None),
        ("f(1)", None),
        ("a[0]", None),
    ],
)
def test_a_condition_is_decided_only_by_its_constants(text: str, expected: bool | None) -> None:
    assert truth(text) is expected


conditions = st.recursive(
    st.sampled_from(["0", "1", "2 == 2", "3 < 2", "x", "y"]),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(
            lambda parts: f"({' '.join(parts)})"
        ),
        inner.map(lambda one: f"(not {one})"),
    ),
    max_leaves=8,
)


@given(conditions)
def test_a_decided_condition_has_that_value_whatever_the_unknowns_are(text: str) -> None:
    decided = truth(text)
    if decided is not None:
        values = {bool(eval(text, {"x": x, "y": y})) for x in (0, 1) for y in (0, 1)}  # noqa: S307
        assert values == {decided}


def bound_source(source: str, **scalars: int) -> str:
    table = RuleTable()
    for name, value in scalars.items():
        setattr(table, name, value)
    return ast.unparse(
        _Specialiser(bound_source, table, ()).visit(ast.parse(inspect.cleandoc(source)))
    )


def test_branches_that_the_rules_rule_out_are_dropped() -> None:
    source = """
    def f(table, s):
        if table.seats == 4:
            a(s)
        elif table.blind:
            b(s)
        else:
            c(s)
        if table.blind:
            d(s)
        return e(s) if table.called else table.suit[s.row]
    """
    four = bound_source(source, seats=4, called=1)
    assert four == "def f(table, s):\n    a(s)\n    pass\n    return e(s)"
    two = bound_source(source, seats=2, blind=1)
    assert two == "def f(table, s):\n    b(s)\n    d(s)\n    return table.suit[s.row]"


def test_only_the_scalars_of_the_table_are_written_in() -> None:
    assert bound_source(
        "f(table.seats, other.seats, table.deck[table.cards])", seats=4, cards=41
    ) == ("f(4, other.seats, table.deck[41])")


def test_a_family_lists_each_kernel_after_those_that_it_calls() -> None:
    members = family(apply)
    assert members[-1] is apply
    assert len(members) == len(set(members)) > 30
    for at, one in enumerate(members):
        for _, other in called_kernels(one):
            assert (
                other in (card_sets.count, card_sets.lowest, card_sets.highest)
                or members.index(other) < at
            )


def test_a_function_without_the_mark_is_no_kernel() -> None:
    assert [name for name, _ in called_kernels(weakest)] == ["lowest", "_top", "_bottom"]


def test_plain_python_gets_the_function_itself() -> None:
    assert load("python", bid_floor) is bid_floor
    assert load("python", bid_floor, compile_rules(variant("circus"))) is bid_floor


def test_every_variant_has_code_of_its_own() -> None:
    tables = {name: compile_rules(variant(name)) for name in catalog()}
    for one in tables:
        for other in tables:
            same_game = tables[one] == tables[other]
            assert (table_hash(tables[one]) == table_hash(tables[other])) == same_game
    assert table_hash(None) == "generic"


def bound(function: Callable[..., Any], table: RuleTable) -> Callable[..., Any]:
    """Return the plain function with the table's scalars written into its whole family."""
    made: dict[Any, Any] = {}
    for one in family(function):
        made[one] = specialised(
            one, table, {name: made.get(other, other) for name, other in called_kernels(one)}
        )
    result: Callable[..., Any] = made[function]
    return result


def test_bound_python_plays_as_unbound_python_does() -> None:
    for rules in [*map(variant, catalog()), *house_rules(40)]:
        table = compile_rules(rules)
        taken, difference = first_difference(table, step, bound(step, table), 4, Plain)
        assert difference == "", rules.options()
        assert taken


def test_code_bound_to_other_rules_is_found() -> None:
    table = compile_rules(variant("kd_tournament"))
    _, difference = first_difference(
        table, step, bound(step, compile_rules(variant("kd_original"))), 4, Plain
    )
    assert difference


def test_a_rebuilt_kernel_keeps_its_lines_for_a_traceback() -> None:
    made = specialised(open_auction, None, {})
    assert made.__code__.co_filename == open_auction.__code__.co_filename
    assert made.__code__.co_firstlineno in range(
        open_auction.__code__.co_firstlineno, open_auction.__code__.co_firstlineno + 3
    )


def test_the_mark_leaves_the_function_alone() -> None:
    def one() -> int:
        return 1

    assert kernel(one) is one
    assert one() == 1


def test_code_for_all_rules_leaves_out_bots_that_do_not_play_too() -> None:
    constants = seated([kind_of("papa")])
    assert table_hash(None, constants) not in (
        "generic",
        table_hash(None, seated([kind_of("hog")])),
    )
    s, mine = State(), SeatInfo()
    for name, answers in (("papa", True), ("hog", False)):
        names = {one.__name__: (lambda *_: 7) for _, one in called_kernels(decide)}
        made = specialised(decide, None, names, constants)
        assert (made(RuleTable(), s, mine, kind_of(name)) == 7) is answers
    assert specialised(decide, None, names)(RuleTable(), s, mine, kind_of("hog")) == 7


def test_constants_are_written_in_but_never_over_a_local_name() -> None:
    table = compile_rules(variant("wanamingo"))

    def source_of(function: Callable[..., Any], given: Constants = ()) -> str:
        return ast.unparse(
            _Specialiser(function, table, given).visit(deepcopy(_definition(function)))
        )

    assert "PER_TRICK" not in source_of(trick_bonus)
    club = kind_of("club")
    called = f"{KERNELS[club].action.__name__}("
    others = [kind_of(name) for name in ("karapet", "papa", "hog", "rabbit")]
    assert called not in source_of(decide, seated(others))
    assert called in source_of(decide, seated([club]))

    def shadowed(table: RuleTable, PLAY: int) -> int:
        return PLAY

    shadowed.__globals__["PLAY"] = 7
    source = ast.parse("def shadowed(table, PLAY):\n    return PLAY").body[0]
    assert "7" not in ast.unparse(_Specialiser(shadowed, table, ()).visit(source))


class Made:
    """Stands for a function of some target."""


def test_a_part_is_made_once_for_all_that_is_the_same_and_let_go(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    parts, called = Parts(), Made()

    def part(
        function: Callable[..., Any] = trick_bonus, made_for: str = "a", **names: Made
    ) -> Made:
        found: Made = parts.part(function, {"count": called, **names}, made_for, Made)
        return found

    one = part()
    assert part() is one
    assert part(bid_floor) is not one
    assert part(made_for="b") is not one
    assert part(count=Made()) is not one
    # A constant that it reads is another.
    monkeypatch.setitem(trick_bonus.__globals__, "BONUS_PER_TRICK", 77)
    assert part() is not one
    monkeypatch.undo()
    assert part() is one
    seen = weakref.ref(one)
    del one
    assert seen() is None


@pytest.mark.numba
def test_kernels_for_one_rule_set_share_what_they_call() -> None:
    rules, others = (compile_rules(variant(name)) for name in ("kd_tournament", "circus"))
    made: list[Any] = [
        load("numba", one, table)
        for one, table in ((bid, rules), (call_pass, rules), (call_pass, others))
    ]
    one, same, other = (code.py_func.__globals__["next_speaker"] for code in made)
    assert one is same is not other
