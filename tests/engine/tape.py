"""Tapes: what kernels were given and did, for another program to do it again.

A tape is a list of steps. Each makes records that are new to it, changes cells that somebody
changed since, calls one kernel, and says what it returned and which cells are different then. So
whoever repeats it needs to know no rule. tests/engine/tape.js repeats it in WebAssembly.
"""

from __future__ import annotations

import ctypes
import functools
import struct
import time
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import pytest
from scripts.native.kernels import EXPORTED, signature_of
from tests.engine.stepping import OVER, Plain, numbers_of, step

from rookery.bots.seat_info import SeatInfo
from rookery.cards import CARDS
from rookery.engine.kernel import called_kernels
from rookery.engine.records import Allocator
from rookery.engine.state import Hidden, State
from rookery.engine.targets import load
from rookery.engine.targets.choice import Cores
from rookery.engine.targets.native import symbol_of
from rookery.engine.targets.specialise import specialised
from rookery.game import Hand
from rookery.lab.run.streams import play_stream
from rookery.learn.network_search import NetworkSearch
from rookery.learn.rollouts import note_scores, rank_by_scores, run_network_rollouts
from rookery.rules import Rules
from rookery.rules.table import RuleTable, compile_rules
from rookery.search.kernels import begin_search, rank, run_rollouts
from rookery.search.search import Search
from rookery.search.searcher import Searcher
from rookery.solver import solution

Step: TypeAlias = dict[str, Any]


class Tape:
    """Records what kernels do, while they are called.

    Attributes:
        steps: what was recorded, as JSON can say it. Numbers of 64 bits are text.
        ms: how long each call took.
    """

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.ms: list[float] = []
        self._places: dict[int, tuple[int, int]] = {}  # of a record: which list, where in it
        self._lists: list[tuple[str, Any]] = []
        self._cells: list[list[int]] = []
        self._new: list[list[Any]] = []

    def know(self, word: str, value: Any) -> int:  # noqa: ANN401  (a record or a list)
        """Take a record or a list of this kind; return its number."""
        if id(value) not in self._places:
            number = len(self._lists)
            kind = word.removesuffix("[]")
            self._lists.append((kind, value))
            self._places[id(value)] = number, -1
            if isinstance(value, list) and kind not in ("int", "float"):
                for i, one in enumerate(value):
                    self._places[id(one)] = number, i
            cells = cells_of(kind, value)
            count = len(value) if hasattr(value, "__len__") else 1
            self._cells.append(cells)
            plain = kind in ("int", "float") and not any(cells)
            told = "" if plain else struct.pack(f"<{len(cells)}q", *cells).hex()
            self._new.append([kind, count, told])
        return self._places[id(value)][0]

    def recorded(
        self, kernel: Callable[..., Any], run: Callable[..., Any] | None = None
    ) -> Callable[..., Any]:
        """Return a function that does what a kernel does, and records it.

        Args:
            kernel: the kernel.
            run: the same from the native library, on its records; plain Python where None.
        """
        takes, returns = signature_of(kernel)
        symbol = symbol_of(kernel)
        run = run or kernel

        @functools.wraps(kernel)
        def call(*given: Any) -> Any:  # noqa: ANN401  (what the kernel takes)
            passed: list[Any] = []
            used: dict[int, None] = {}
            for word, value in zip(takes, given, strict=True):
                if word in ("int", "float"):
                    passed.append(str(int(value)) if word == "int" else value)
                    continue
                number = self.know(word, value)
                used[number] = None
                passed.append([number, self._places[id(value)][1]])
            before = self._changes(used)
            began = time.perf_counter()
            returned = run(*given)
            self.ms.append((time.perf_counter() - began) * 1000)
            told = "" if returned is None else str(int(returned) if returns == "int" else returned)
            self.steps.append(
                {
                    "new": self._new,
                    "before": before,
                    "call": symbol,
                    "given": passed,
                    "returns": told,
                    "after": self._changes(used),
                }
            )
            self._new = []
            return returned

        return call

    def _changes(self, lists: dict[int, None]) -> list[Any]:
        """Return what has changed in these lists: which list, which cell, and what it is now."""
        found: list[Any] = []
        for number in lists:
            kind, value = self._lists[number]
            if kind == RuleTable.__name__:
                continue  # nobody writes in one; the other program looks
            now, known = cells_of(kind, value), self._cells[number]
            if now != known:
                for at, (new, old) in enumerate(zip(now, known, strict=True)):
                    if new != old:
                        found += [number, at, str(new)]
                self._cells[number] = now
        return found


def cells_of(kind: str, value: Any) -> list[int]:  # noqa: ANN401  (as above)
    """Return the cells of a record or a list, as int64; a float's bits are taken for one."""
    if isinstance(value, ctypes.Structure | ctypes.Array):
        return memoryview(bytes(value)).cast("q").tolist()
    if kind == "float":
        return list(struct.unpack(f"<{len(value)}q", struct.pack(f"<{len(value)}d", *value)))
    if kind == "int":
        return [*map(int, value)]
    records = value if isinstance(value, list) else [value]
    return [number for one in records for number in numbers_of(one)]


def tape_of_hands(table: RuleTable, line_ups: Sequence[Sequence[int]], seeds: range) -> list[Step]:
    """Return the tape of hands, played one action at a time by the kernels of plain Python.

    Args:
        table: the rules.
        line_ups: who plays, one line-up for a hand and then again from the first.
        seeds: of the hands.
    """
    tape = Tape()
    names = {name: tape.recorded(one) for name, one in called_kernels(step) if one in EXPORTED}
    played = specialised(step, None, names)
    for seed in seeds:
        hand = Plain(table, list(line_ups[seed % len(line_ups)]), played)
        tape.know("SeatInfo[]", hand.mine)
        dealer = seed % table.seats
        while hand.advance(seed, dealer) != OVER:
            dealer = -1
    return tape.steps


def tape_of_streams(
    table: RuleTable,
    line_ups: Sequence[Sequence[int]],
    *,
    seed: int,
    streams: int,
    hands: int,
    target: Cores = "python",
    tape: Tape | None = None,
) -> list[Step]:
    """Return the tape of whole hands: `hands` of each of `streams` streams for each line-up."""
    tape = tape or Tape()
    made = Allocator(target)
    play = tape.recorded(play_stream, load(target, play_stream))
    rules, state, hidden = map(made.record, (table, State(), Hidden()))
    mine = made.records(SeatInfo() for _ in range(table.seats))
    order = made.zeros(CARDS)
    for kinds in line_ups:
        cast = made.numbers(kinds)
        for stream in range(streams):
            total = made.zeros(table.seats)
            play(rules, state, hidden, mine, cast, order, seed, stream, hands, total)
    return tape.steps


def tape_of_search(
    rules: Rules,
    seed: int,
    *,
    rollouts: int,
    decisions: int = 999,
    target: Cores = "python",
    tape: Tape | None = None,
) -> list[Step]:
    """Return the tape of `expert`'s first decisions in a hand in which it has every seat."""
    tape = tape or Tape()
    found = Search(compile_rules(rules), target)
    for name, kernel in (("_begin", begin_search), ("_run", run_rollouts), ("_rank", rank)):
        setattr(found, name, tape.recorded(kernel, getattr(found, name)))
    options = {"rollouts": str(rollouts), "ms": "600000"}
    bots = [Searcher(rules, seat, options, found) for seat in range(rules.seats)]
    hand = Hand.shuffled(rules, dealer=0, seed=seed)
    for _ in range(decisions):
        if hand.to_act is None:
            break
        hand = hand.act(bots[hand.to_act].act(hand))
    return tape.steps


def tape_of_networks(hands: Sequence[Hand], version: int, rollouts: int) -> list[Step]:
    """Return the tape of decisions of a game, in plain Python, whose rollouts a network plays."""
    tape = Tape()
    found = NetworkSearch(hands[0].table, "python", version=version)
    for name, kernel in (
        ("_begin", begin_search),
        ("_run_learned", run_network_rollouts),
        ("_note_scores", note_scores),
        ("_rank_by_scores", rank_by_scores),
    ):
        setattr(found, name, tape.recorded(kernel))
    options = {"rollouts": str(rollouts), "ms": "600000", "version": str(version)}
    for hand in hands:
        Searcher(hand.rules, hand.to_act or 0, options, found).weigh(hand)
    return tape.steps


def tape_of_solver(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> list[Step]:
    """Return the tape of solving a position in plain Python."""
    tape = Tape()
    with monkeypatch.context() as patch:
        patch.setattr(solution, "FEW_CARDS", 100)
        patch.setattr(solution, "load", lambda _target, kernel: tape.recorded(kernel))
        solution.solve(hand)
    return tape.steps
