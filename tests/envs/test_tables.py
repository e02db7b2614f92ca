"""Tables play the same on every target, deal on by themselves, and refuse what is no action."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from rookery.bots.register import UnknownBot
from rookery.engine.kernel import called_kernels, family
from rookery.engine.records import Attributes
from rookery.engine.targets import MissingTarget, Target, native
from rookery.engine.targets.specialise import specialised
from rookery.envs import tables as envs_tables
from rookery.envs.observations.rows import copy_words
from rookery.envs.stepping import step_tables
from rookery.envs.tables import IllegalAgentAction, Tables
from rookery.rules import catalog

try:
    native.check(step_tables)
    HERE: tuple[Target, ...] = ("native",)
except MissingTarget:
    HERE = ()

ARRAYS = ("observations", "histories", "oracles", "masks", "seats", "rewards", "ended")


def first_difference(one: Tables, other: Tables, steps: int) -> str:
    """Play the same at both; return what differs first, or an empty text."""
    for step in range(steps):
        for name in ARRAYS:
            if not np.array_equal(getattr(one, name), getattr(other, name)):
                return f"{name} after {step}"
        for name in ("observations", "histories", "oracles"):
            if not np.array_equal(getattr(one.last, name), getattr(other.last, name)):
                return f"last {name} after {step}"
        actions = one.draw().copy()
        if not np.array_equal(actions, other.draw()):
            return f"what is drawn after {step}"
        one.step(actions, again=True)
        other.step(actions, again=True)
    return ""


def pair(
    name: str, target: Target, opponents: Sequence[str] = ("random", "club")
) -> tuple[Tables, Tables]:
    """Return tables of a target and of plain Python, dealt alike."""
    given = {
        "agents": [0, 1],
        "opponents": opponents,
        "observations": ["compact", "history", "oracle"],
    }
    both = tuple(Tables(name, 3, target=one, **given) for one in (target, "python"))  # type: ignore[arg-type]
    for tables in both:
        tables.begin(5)
    return both[0], both[1]


@pytest.mark.parametrize("target", HERE)
@pytest.mark.parametrize("name", catalog())
def test_the_native_library_plays_as_python_does(name: str, target: Target) -> None:
    assert first_difference(*pair(name, target), 60) == ""


@pytest.mark.slow
@pytest.mark.numba
def test_numba_plays_as_python_does() -> None:
    pytest.importorskip("numba")
    # With one simple bot, since it is compiled for those that play.
    assert first_difference(*pair("call_partner_pagat", "numba", ["random"]), 200) == ""


def test_few_tables_do_not_wait_for_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    def laboratory() -> Target:
        raise MissingTarget("the laboratory's")

    monkeypatch.delenv("ROOKERY_TARGET", raising=False)
    monkeypatch.setattr(envs_tables, "for_laboratory", laboratory)
    monkeypatch.setattr(envs_tables, "for_table", lambda *_kernels: "python")
    given: Any = {"agents": [0], "opponents": "random"}
    for few in (1, envs_tables.FEW):
        made = Tables("kd_tournament", few, **given)
        assert isinstance(made._first, list)  # plain Python's: on what one table takes
    with pytest.raises(MissingTarget, match="the laboratory's"):
        Tables("kd_tournament", envs_tables.FEW + 1, **given)


def from_the_front(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """Return a kernel in plain Python that refuses a place in a list before its first."""

    def place(at: int) -> int:
        assert at >= 0, f"place {at} of a list"
        return at

    made: dict[Any, Any] = {}
    for one in family(kernel):
        names = {name: made.get(other, other) for name, other in called_kernels(one)}
        made[one] = specialised(one, None, names, place=place)
    found: Callable[..., Any] = made[kernel]
    return found


@pytest.mark.parametrize("name", ["kd_tournament", "call_partner_5", "circus", "rook_two_1914"])
def test_no_table_counts_from_the_end_of_a_list(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Code that Numba makes would reach past the list: it does not ask."""
    monkeypatch.setattr(envs_tables, "load", lambda _target, kernel, *_: from_the_front(kernel))
    parts = ["compact", "history", "oracle"]
    tables = Tables(
        name, 2, agents=[0], opponents=["random", "club"], observations=parts, match=True,
        target="python",
    )  # fmt: skip
    tables.begin(3)
    for _ in range(60):
        tables.step(tables.draw(), again=True)
    with pytest.raises(AssertionError, match="place -8 of a list"):
        from_the_front(copy_words)([1, 2], 0, -8, 1)  # the control


def test_other_cards_are_a_difference() -> None:
    """The control of the two above."""
    one, other = pair("kd_tournament", "python")
    Attributes(other.hiddens[2]).rng += 1
    assert first_difference(one, other, 60).startswith("observations")


def test_an_agent_with_bots_gets_what_the_hand_scored() -> None:
    tables = Tables("kd_tournament", 5, agents=[2], opponents="club", target="python")
    tables.begin(8)
    dealers = [[Attributes(s).dealer] for s in tables.states]
    assert [one for [one] in dealers] == [0, 1, 2, 3, 0]
    ended = np.zeros(5, int)
    while ended.min() < 3:
        before = [list(Attributes(s).score) for s in tables.states]
        tables.step(tables.draw())
        assert not np.isin(tables.seats, [0, 1, 3]).any()
        for table in range(5):
            done = tables.seats[table] < 0
            assert done == bool(tables.ended[table]) or before
            if tables.ended[table]:
                ours, theirs = (Attributes(tables.states[table]).score[seat] for seat in (2, 1))
                assert tables.rewards[table].tolist() == [
                    ours - theirs, theirs - ours, ours - theirs, theirs - ours
                ]  # fmt: skip
                assert not tables.masks[table].any()
            else:
                assert not tables.rewards[table].any()
        if (tables.seats < 0).all():
            break


def test_a_hand_that_ends_is_followed_by_the_next_with_another_dealer() -> None:
    tables = Tables("kd_tournament", 1, target="python")
    tables.begin(4, dealer=3)
    dealers: list[int] = []
    while len(dealers) < 5:
        dealer = Attributes(tables.states[0]).dealer
        tables.step(tables.draw(), again=True)
        if tables.ended[0]:
            dealers.append(dealer)
            assert tables.last.observations[0].any()
            assert tables.masks[0].any()
    assert dealers == [3, 0, 1, 2, 3]


def test_the_same_seed_deals_the_same_and_another_does_not() -> None:
    first, same, other = (Tables("circus", 2, target="python") for _ in range(3))
    for tables, seed in ((first, 1), (same, 1), (other, 2)):
        tables.begin(seed)
    assert np.array_equal(first.observations, same.observations)
    assert not np.array_equal(first.observations, other.observations)


def test_opponents_are_drawn_from_the_pool_for_every_hand() -> None:
    tables = Tables(
        "kd_tournament", 40, agents=[0], opponents=["random", "club", "papa"], target="python"
    )
    tables.begin(3)
    drawn = Counter(
        tables._shared[4][table * 5 + seat] for table in range(40) for seat in (1, 2, 3)
    )
    assert len(drawn) == 3
    assert min(drawn.values()) > 20  # of 120


def test_every_legal_action_is_drawn_equally_often() -> None:
    tables = Tables("kd_tournament", 1, target="python")
    tables.begin(7)
    legal = np.flatnonzero(tables.masks[0]).tolist()
    drawn = Counter(int(tables.draw()[0]) for _ in range(200 * len(legal)))
    assert sorted(drawn) == legal
    assert sum((count - 200) ** 2 / 200 for count in drawn.values()) < 2.5 * len(legal)


def test_what_is_no_legal_action_is_refused_and_nothing_is_done() -> None:
    tables = Tables("kd_tournament", 3, target="python")
    tables.begin(7)
    good = tables.draw().copy()
    before = tables.observations.copy()
    for wrong in (5, -1, 218, 10**12):
        actions = good.copy()
        actions[1] = wrong
        with pytest.raises(IllegalAgentAction, match=f"table 1: action {wrong} is not legal"):
            tables.step(actions)
    large = good.astype(np.uint64)
    large[1] = 2**64 - 1
    with pytest.raises(IllegalAgentAction, match=f"table 1: action {2**64 - 1} is not legal"):
        tables.step(large)
    with pytest.raises(TypeError, match="actions of float64; expected whole numbers"):
        tables.step(good.astype(float))
    with pytest.raises(ValueError, match=r"actions of shape \(2,\); expected \(3,\), one a table"):
        tables.step(good[:2])
    assert np.array_equal(tables.observations, before)
    tables.step(good.astype(np.int32))
    assert not np.array_equal(tables.observations, before)


def test_a_row_is_the_same_as_one_that_is_written_anew() -> None:
    """Rows are changed number by number; a table that looks for the first time sees the same."""
    tables = Tables("call_partner_pagat", 3, observations=["compact", "oracle"], target="python")
    tables.begin(2)
    for _ in range(60):
        tables.step(tables.draw(), again=True)
        fresh = Tables("call_partner_pagat", 3, target="python")
        fresh.states[:], fresh.hiddens[:] = tables.states, tables.hiddens
        for table in range(3):
            seat = int(tables.seats[table])
            assert (fresh.seen(table, seat) == tables.observations[table]).all()
            assert (fresh.laid_open(table, seat) == tables.oracles[table]).all()


def test_tables_that_cannot_be_are_refused() -> None:
    for given, message in (
        ({"tables": 0}, "0 tables; expected at least 1"),
        ({"agents": []}, "expected seats from 0 to 3"),
        ({"agents": [4]}, "expected seats from 0 to 3"),
        ({"agents": [1.0]}, r"agents \[1.0\]: expected seats from 0 to 3"),
        ({"agents": 1}, "agents 1: expected seats from 0 to 3"),
        ({"opponents": []}, "no opponents"),
    ):
        with pytest.raises(ValueError, match=message):
            Tables("kd_tournament", target="python", **given)
    with pytest.raises(UnknownBot, match="'nobody' is no bot"):
        Tables("kd_tournament", agents=[0], opponents="nobody")
    with pytest.raises(ValueError, match="seed -1: expected 0 to"):
        Tables("kd_tournament", target="python").begin(-1)
