"""Records are cleared and copied field by field, by kernels that are made from their fields."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, make_dataclass
from random import Random
from typing import Any

import pytest
from tests.solver.test_sample import positions

from rookery.engine.deal import clear
from rookery.engine.kernel import generated_kernel
from rookery.engine.records import Attributes, array_of, clearing_source, copy_of, copying_source
from rookery.engine.state import Hidden, State, copy_hidden, copy_state
from rookery.engine.targets import load as compiled
from rookery.rules import catalog, load
from rookery.rules.fields import cells, layout
from rookery.rules.table import RuleTable, compile_rules


@pytest.mark.parametrize("name", catalog())
def test_a_copy_equals_the_table_in_every_position(name: str) -> None:
    s2, h2 = State(), Hidden()
    for table, s, h, _ in positions(load(name), range(1), "random"):
        before = copy_of(s), copy_of(h)
        copy_state(table, s, s2)
        copy_hidden(table, h, h2)
        h2.rng = h.rng
        assert (s2, h2) == (s, h)
        s2.trick[0], s2.won[0], h2.hand[0] = 99, 99, 99
        assert (s, h) == before


def scrawled(kind: type[Any], table: RuleTable) -> Any:  # noqa: ANN401  (a record of that class)
    """Return a record with another number in every cell that the rules use."""
    record, dice = kind(), Random(1)
    for one in fields(kind):
        if one.metadata:
            used = eval(one.metadata["used"], {"table": table})  # noqa: S307  (our own text)
            rest = getattr(record, one.name)[used:]
            setattr(record, one.name, [dice.getrandbits(20) for _ in range(used)] + rest)
        else:
            setattr(record, one.name, dice.getrandbits(20))
    return record


@pytest.mark.parametrize("name", ["kd_tournament", "rook_two_1914", "rook_1906_8"])
def test_before_a_deal_every_field_is_as_it_is_at_first(name: str) -> None:
    table = compile_rules(load(name))
    s, h = scrawled(State, table), scrawled(Hidden, table)
    rng = h.rng
    clear(table, s, h, 1)
    assert (s, h) == (State(dealer=1), Hidden(rng=rng))


@dataclass(slots=True)
class Longer(State):
    """A `State` with two fields more."""

    tally: int = 7
    notes: list[int] = cells(9, -2, used="table.seats")


copy_longer = generated_kernel(copying_source("copy_longer", Longer), globals())
clear_longer = generated_kernel(clearing_source("clear_longer", Longer, "dealer"), globals())


def test_a_new_field_is_copied_and_cleared_without_another_line() -> None:
    table = compile_rules(load("kd_tournament"))
    one, other = scrawled(Longer, table), Longer()
    copy_longer(table, one, other)
    assert other == one == copy_of(one)
    dealer = one.dealer
    clear_longer(table, one)
    assert one == Longer(dealer=dealer)
    assert len(layout(Longer)) == len(layout(State)) + 2


@pytest.mark.numba
@pytest.mark.slow
def test_compiled_code_copies_and_clears_like_plain_python() -> None:
    table = compile_rules(load("rook_two_1914"))
    one = scrawled(Longer, table)
    rules, row, other = array_of(table)[0], array_of(one)[0], array_of(Longer())[0]
    compiled("numba", copy_longer)(rules, row, other)
    assert other.tobytes() == row.tobytes()
    compiled("numba", clear_longer)(rules, row)
    assert row.tobytes() == array_of(Longer(dealer=one.dealer))[0].tobytes()


def test_fields_of_both_kinds_of_record_are_attributes() -> None:
    # NumPy's records have a `base` and a `size` of their own.
    kind = make_dataclass(
        "Record", [("base", int, field(default=3)), ("size", int, field(default=4))]
    )
    for record in (kind(), array_of(kind())[0]):
        attributes = Attributes(record)
        attributes.size = 5
        assert (attributes.base, attributes.size) == (3, 5)
