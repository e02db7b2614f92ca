"""Code compiled by Numba: bit primitives, disk cache, and that no kernel reaches past an array."""

# ruff: noqa: ANN401  (the lists stand in for lists of any record)

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba.core.registry import cpu_target
from tests.engine.stepping import OVER, Plain, casts, house_rules

from rookery.engine.auction import bid_floor
from rookery.engine.card_sets import count, highest, lowest, nth
from rookery.engine.kernel import kernel
from rookery.engine.records import array_of
from rookery.engine.state import State
from rookery.engine.targets import load
from rookery.engine.targets.numba import build, cache_folder
from rookery.rules import catalog, variant
from rookery.rules.fields import layout
from rookery.rules.table import compile_rules

pytestmark = pytest.mark.numba

NOTICE = "Compiling the engine for these rules (once; later runs start at once) ...\n"

HERE = numba.__version__

masks = st.integers(min_value=1, max_value=(1 << 57) - 1)


@kernel
def answers(mask: int, out: list[int]) -> None:
    out[0] = count(mask)
    out[1] = lowest(mask)
    out[2] = highest(mask)
    for n in range(count(mask)):
        out[3 + n] = nth(mask, n)


def run(code: str, folder: Path, **switches: str) -> subprocess.CompletedProcess[str]:
    """Run a program in a process of its own, with its compiled code under `folder`."""
    return subprocess.run(
        [sys.executable, "-c", code],
        env={
            **os.environ,
            "ROOKERY_CACHE": str(folder),
            "PYTHONPATH": os.pathsep.join(map(str, (folder, *sys.path))),
            "PYTHONDONTWRITEBYTECODE": "1",
            **switches,
        },
        capture_output=True,
        text=True,
        check=False,
    )


@given(masks)
def test_the_primitives_agree_with_python(mask: int) -> None:
    plain = [0] * 60
    answers(mask, plain)
    told = np.zeros(60, dtype=np.int64)
    compiled_answers: Callable[..., None] = load("numba", answers)
    compiled_answers(mask, told)
    assert told.tolist() == plain


def test_specialised_code_knows_its_own_rules() -> None:
    """Two tables that differ in one number have code that differs."""
    told = []
    for minimum in (70, 80):
        table = compile_rules(variant("kd_tournament").model_copy(update={"bid_minimum": minimum}))
        code: Callable[..., int] = load("numba", bid_floor, table)
        told.append(code(array_of(table)[0], array_of(State(bidder=-1))[0]))
    assert told == [70, 80]


FLOOR = """
from rookery.engine.auction import bid_floor
from rookery.engine.targets import load
from rookery.engine.targets.numba import build
from rookery.engine.records import array_of
from rookery.engine.state import State
from rookery.rules import load as rules
from rookery.rules.table import compile_rules
table = compile_rules(rules({"bid_minimum": MINIMUM}))
print(load("numba", bid_floor, table)(array_of(table)[0], array_of(State())[0]))
"""


@pytest.mark.slow
def test_a_second_process_finds_the_code_of_the_first(tmp_path: Path) -> None:
    first = run(FLOOR.replace("MINIMUM", "70"), tmp_path)
    assert (first.stdout, first.stderr) == ("70\n", NOTICE)
    files = sorted(tmp_path.rglob("*.nb?"))
    assert files
    second = run(FLOOR.replace("MINIMUM", "70"), tmp_path)
    assert (second.stdout, second.stderr) == ("70\n", "")
    assert sorted(tmp_path.rglob("*.nb?")) == files
    other_rules = run(FLOOR.replace("MINIMUM", "80"), tmp_path)
    assert (other_rules.stdout, other_rules.stderr) == ("80\n", NOTICE)


@pytest.mark.slow
def test_where_nothing_can_be_kept_it_is_said_that_every_run_compiles(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    found = run(FLOOR.replace("MINIMUM", "70"), tmp_path / "file" / "cache")
    each = f"each time: {tmp_path / 'file' / 'cache'} cannot be written"
    notice = NOTICE.replace("once; later runs start at once", each)
    assert (found.stdout, found.stderr) == ("70\n", notice)


CALLER = """
from rookery.engine.kernel import kernel
from {folder}_called import answer
@kernel
def ask(n: int) -> int:
    return answer(n)
"""
CALLED = """
from rookery.engine.kernel import kernel
@kernel
def answer(n: int) -> int:
    return n + {more}
"""


@pytest.mark.slow
def test_a_change_in_a_called_kernel_of_another_file_is_seen(tmp_path: Path) -> None:
    """Numba's own cache would go on with the old code: it looks at the caller's file alone."""
    (tmp_path / "its_caller.py").write_text(CALLER.format(folder="its"), encoding="utf-8")
    told = []
    for more in (1, 1, 2):
        (tmp_path / "its_called.py").write_text(CALLED.format(more=more), encoding="utf-8")
        done = run(
            "from rookery.engine.targets import load\nfrom its_caller import ask\n"
            "print(load('numba', ask)(40))",
            tmp_path,
        )
        told.append((done.stdout, done.stderr))
    assert told == [("41\n", NOTICE), ("41\n", ""), ("42\n", NOTICE)]


@pytest.mark.slow
def test_without_a_place_for_the_cache_it_compiles_all_the_same() -> None:
    done = run(FLOOR.replace("MINIMUM", "70"), Path("/dev/null/cache"))
    assert (done.returncode, done.stdout) == (0, "70\n")


@kernel
def below_both(mask: int) -> int:
    return count(mask) + lowest(mask)


@kernel
def one_side(mask: int) -> int:
    return below_both(mask) - highest(mask)


def test_compiled_code_is_kept_where_the_user_keeps_such_things(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.delenv("ROOKERY_CACHE", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert cache_folder() == tmp_path / ".cache" / "rookery"
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    assert cache_folder() == tmp_path / ".cache" / "rookery"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "other"))
    assert cache_folder() == tmp_path / "other" / "rookery"


def test_a_user_without_a_home_keeps_no_compiled_code(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless(path: Path) -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "expanduser", homeless)
    monkeypatch.delenv("ROOKERY_CACHE", raising=False)
    with pytest.raises(OSError, match=os.devnull):
        cache_folder().mkdir(parents=True, exist_ok=True)


@kernel
def both_sides(mask: int) -> int:
    return 100 * one_side(mask) + one_side(mask & (mask - 1))


@pytest.mark.parametrize("version", [HERE, "0.61.2"])
def test_what_a_kernel_calls_is_no_code_by_itself(
    version: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """So all is optimised once; a Numba from within unknown does it in its own way."""
    monkeypatch.setenv("ROOKERY_CACHE", str(tmp_path))
    monkeypatch.setattr(numba, "__version__", version)
    engine = cpu_target.target_context.codegen()._engine
    before = set(engine._defined_symbols)
    code: Any = build(both_sides, None)
    some = 6, 7, 1 << 56 | 1
    assert [code(mask) for mask in some] == [both_sides(mask) for mask in some]
    assert len(list(tmp_path.rglob("*.nbc"))) == 1
    made = {one for one in engine._defined_symbols - before if "NumbaEnv" not in one}
    assert any("both_sides" in one for one in made)
    assert any("one_side" in one or "below_both" in one for one in made) == (version != HERE)


class FromTheFront(list[Any]):
    """A list that has no place -1; Python itself refuses what lies past its end."""

    def __getitem__(self, at: Any) -> Any:
        assert at >= 0, f"place {at} of a list"
        return super().__getitem__(at)

    def __setitem__(self, at: Any, value: Any) -> None:
        assert at >= 0, f"place {at} of a list"
        super().__setitem__(at, value)


def with_strict_lists(record: Any) -> Any:
    """Give a record lists as long as the arrays of compiled code, which has no check."""
    for name, size in layout(type(record)):
        if size:
            assert len(getattr(record, name)) == size
            setattr(record, name, FromTheFront(getattr(record, name)))
    return record


def test_no_hand_reaches_past_an_array() -> None:
    for rules in [*map(variant, catalog()), *house_rules(40)]:
        table = with_strict_lists(dataclasses.replace(compile_rules(rules)))
        for seed, kinds in enumerate(3 * casts(table.seats)):
            hand = Plain(table, FromTheFront(kinds))
            for record in (hand.state, hand.hidden, *hand.mine):
                with_strict_lists(record)
            hand.mine = FromTheFront(hand.mine)
            hand.order, hand.actions = FromTheFront(hand.order), FromTheFront(hand.actions)
            hand.advance(seed, seed % table.seats)
            while hand.advance(seed) != OVER:
                pass


def test_a_list_that_counts_from_the_front_tells() -> None:
    for at, error in ((-1, AssertionError), (2, IndexError)):
        with pytest.raises(error):
            past_the_end(FromTheFront([1, 2]), at)


@kernel
def past_the_end(cells: list[int], at: int) -> int:
    return cells[at]
