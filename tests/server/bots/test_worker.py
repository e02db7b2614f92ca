"""What a worker thinks with: compiled before it is ready, and of each version its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from tests.search.positions import scripted

from rookery.bots.seat_info import SeatInfo
from rookery.engine.targets import load as load_kernel
from rookery.game import Hand
from rookery.learn import network_search
from rookery.rules import load
from rookery.search import search
from rookery.search.choice import Choice
from rookery.search.kernels import begin_search, rank, run_rollouts
from rookery.server.bots import wire as bm
from rookery.server.bots.searching import question
from rookery.server.bots.worker import Thinking

RULES = load("kd_tournament")


def test_what_is_compiled_is_used_before_a_worker_is_ready(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    called = Counter[str]()

    def counted(target: Any, kernel: Callable[..., Any], *given: Any) -> Callable[..., Any]:  # noqa: ANN401
        run = load_kernel(target, kernel, *given)

        def count(*arguments: Any) -> Any:  # noqa: ANN401
            called[kernel.__name__] += 1
            return run(*arguments)

        return count

    for module in (search, network_search):
        monkeypatch.setattr(module, "load", counted)
    assert Thinking("python").practise() > 0
    needed = (begin_search, run_rollouts, rank, *network_search.KERNELS)
    assert set(called) == {kernel.__name__ for kernel in needed}


def answer(hand: Hand, version: str, thinking: Thinking) -> list[bm.Answered]:
    """Return what a worker answers when it is asked for a card."""
    options = {"rollouts": "160", "ms": "600000", "version": version}
    return list(thinking.answers(question(hand, SeatInfo(rng=7), options, (), 1000)))


def test_each_version_has_a_search_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network_search, "A_TRICK", 0)
    thinking = Thinking("python")
    hands = [
        hand for hand in scripted(Hand.shuffled(RULES, dealer=0, seed=6))
        if hand.phase == "play" and hand.state.tricks > 5 and len(hand.legal_numbers()) > 1
    ]  # fmt: skip
    differ = [0, 0]
    for hand in hands:
        found = dict[str, list[Choice]]()
        for version in ("3", "2", "4", "3"):
            (told,) = answer(hand, version, thinking)
            assert isinstance(told, bm.Weighed)
            assert found.setdefault(version, told.choices) == told.choices
        alone = answer(hand, "3", Thinking("python"))[0]
        assert isinstance(alone, bm.Weighed)
        assert found["3"] == alone.choices
        for i, version in enumerate(("2", "4")):
            differ[i] += found["3"] != found[version]
    assert all(differ)
