"""The library plays until Numba has compiled, and nobody can tell but by the speed."""

from __future__ import annotations

import gc
import os
import pickle
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("numba")

from rookery.cards import CARDS
from rookery.engine import targets
from rookery.engine.deal import shuffle
from rookery.engine.records import Allocator
from rookery.engine.state import Hidden, State
from rookery.engine.targets import MissingTarget, load, native, soon
from rookery.lab.run.streams import play_plain, play_streams
from rookery.rules import variant
from rookery.rules.table import compile_rules

pytestmark = [pytest.mark.numba]
TABLE = compile_rules(variant("kd_tournament"))
PATIENCE = 120.0  # seconds for another process to compile

try:
    native.check(shuffle)
except MissingTarget:
    pytestmark.append(pytest.mark.skip(reason="there is no native library here"))


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROOKERY_CACHE", str(tmp_path))
    monkeypatch.setattr(targets, "_loaded", {})
    monkeypatch.setattr(soon, "_FIRST", 0.0)


def shuffled(kernel: Any) -> list[int]:  # noqa: ANN401
    """Return an order of the cards from a kernel that shuffles them."""
    made = Allocator("soon")
    order = made.zeros(CARDS)
    kernel(made.record(TABLE), made.record(Hidden(rng=9)), order)
    return [int(card) for card in order]


def settled(kernel: soon.Meanwhile) -> bool:
    """Have it play until it has looked at what came of compiling."""
    until = time.monotonic() + PATIENCE
    while not kernel._settled and time.monotonic() < until:
        shuffled(kernel)
        time.sleep(0.05)
    return kernel._settled


@pytest.mark.slow
def test_it_plays_at_once_and_then_by_numba() -> None:
    kernel: Any = load("soon", shuffle, TABLE)
    plain = [0] * CARDS
    shuffle(TABLE, Hidden(rng=9), plain)
    assert shuffled(kernel) == plain
    assert isinstance(kernel._play, native.Routine)
    assert settled(kernel)
    assert not isinstance(kernel._play, native.Routine)
    assert kernel._play.signatures  # it was compiled, and not anew for every call
    assert shuffled(kernel) == plain
    # What is in the cache is Numba's from the start.
    targets._loaded.clear()
    assert not isinstance(load("soon", shuffle, TABLE), soon.Meanwhile)


def test_nothing_is_compiled_for_what_is_over_in_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soon, "_FIRST", PATIENCE)
    kernel: Any = load("soon", shuffle, TABLE)
    shuffled(kernel)
    before = kernel._played
    shuffled(kernel)
    assert 0 < before < kernel._played < PATIENCE
    assert kernel._compiling is None
    monkeypatch.setattr(soon, "_FIRST", kernel._played)
    shuffled(kernel)
    assert kernel._compiling is not None


@pytest.mark.slow
def test_where_it_cannot_be_compiled_the_library_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soon, "_COMPILER", "raise SystemExit(1)")
    kernel: Any = load("soon", shuffle, TABLE)
    before = shuffled(kernel)
    assert settled(kernel)
    assert isinstance(kernel._play, native.Routine)
    assert shuffled(kernel) == before


@pytest.mark.parametrize("command", ["/nowhere/python", "/bin/true"])
def test_where_no_compiler_can_be_started_the_library_goes_on(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", command)
    monkeypatch.setattr(pickle, "dumps", lambda _: bytes(1 << 20))  # more than a pipe holds
    kernel: Any = load("soon", shuffle, TABLE)
    plain = [0] * CARDS
    shuffle(TABLE, Hidden(rng=9), plain)
    assert shuffled(kernel) == plain
    if command == "/nowhere/python":
        assert settled(kernel)
        assert isinstance(kernel._play, native.Routine)


def test_who_is_forked_off_meanwhile_goes_on_with_the_library(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(soon, "_COMPILER", "import time; time.sleep(600)")
    kernel: Any = load("soon", shuffle, TABLE)
    before = shuffled(kernel)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that there are threads
        child = os.fork()
    if not child:
        same = shuffled(kernel) == before == shuffled(kernel)
        os._exit(0 if same and isinstance(kernel._play, native.Routine) else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert kernel._compiling.poll() is None


def test_nobody_waits_for_the_compiler() -> None:
    scores, _ = play_streams(TABLE, [0] * 4, 7, 2, 3, cores=2, target="soon")
    assert scores == [play_plain(TABLE, [0] * 4, 7, stream, 3)[0] for stream in (0, 1)]
    [kernel] = [one for (target, *_), one in targets._loaded.items() if target == "soon"]
    assert isinstance(kernel, soon.Meanwhile)
    compiling = kernel._compiling
    assert compiling is not None
    assert compiling.poll() is None
    targets._loaded.clear()
    del kernel
    gc.collect()
    assert compiling.wait(PATIENCE) < 0  # killed


def test_other_records_of_numpy_are_refused() -> None:
    made = Allocator("numba")
    kernel: Any = load("native", shuffle)
    with pytest.raises(TypeError, match="shuffle takes Hidden, got void"):
        kernel(made.record(TABLE), made.record(State()), made.zeros(CARDS))
    with pytest.raises(TypeError, match="shuffle takes RuleTable, got ndarray"):
        kernel(made.records([TABLE]), made.record(Hidden()), made.zeros(CARDS))
    with pytest.raises(TypeError, match="shuffle takes a list of int, got ndarray"):
        kernel(made.record(TABLE), made.record(Hidden()), made.zeros(2 * CARDS)[::2])
