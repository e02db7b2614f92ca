"""The process in which bots think: questions come by standard input, answers go by output."""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import json
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import BinaryIO, Final

from rookery import record
from rookery.bots.player import KernelPlayer
from rookery.bots.seat_info import SeatInfo
from rookery.engine.targets import MissingTarget
from rookery.engine.targets.choice import Cores
from rookery.game import Hand
from rookery.learn.network_search import A_TRICK, COST, KERNELS, NetworkSearch, search_for
from rookery.rules import Rules, load
from rookery.rules.table import compile_rules
from rookery.search.request import request_of
from rookery.search.search import Search, searching
from rookery.search.searcher import Searcher
from rookery.server.bots import wire as bm

SEARCHES: Final = 32  # games at once for which a worker keeps a search
PRACTICE: Final = "kd_tournament"
LAST: Final = 4  # tricks to come for the card, at most
ENOUGH: Final = COST[4] * A_TRICK * LAST  # rollouts, so that the network makes some


class Thinking:
    """Answers questions one after the other, and keeps a search for each game."""

    def __init__(self, target: Cores | None = None) -> None:
        """Begin without a search; `target` is what searches run on, as for `Search`."""
        self._target = target
        self._place = lru_cache(maxsize=SEARCHES)(self._made)

    def practise(self) -> float:
        """Search for a call and for a card, so that everything is compiled; return the seconds.

        Raises:
            MissingTarget: the target is not here.
        """
        began = time.perf_counter()
        rules = load(PRACTICE)
        search = NetworkSearch(compile_rules(rules), self._target, version=4)
        club = [KernelPlayer("club", seed=0, seat=seat) for seat in range(rules.seats)]
        hand = Hand.shuffled(rules, dealer=0, seed=0)
        tried = 0
        while (seat := hand.to_act) is not None and tried < 2:
            late = hand.phase == "play" and rules.hand_size - hand.state.tricks <= LAST
            if late or not hand.actions:
                options = {"version": "4", "rollouts": str(ENOUGH if late else 8)}
                asked = request_of(hand, SeatInfo(seat=seat))
                tried += len(Searcher(rules, seat, options, search).answer(asked).choices) > 1
            hand = club[seat].move(hand)
        return time.perf_counter() - began

    def answers(self, asked: bm.Asked) -> Iterator[bm.Answered]:
        """Yield the answer to a question; before a review, after each decision how far it is."""
        try:
            if isinstance(asked, bm.Weigh):
                yield self._weighed(asked)
            else:
                yield from self._looked(asked)
        except Exception as error:
            # Its text may name a card; where it comes from does not.
            yield bm.Failed(asked.number, _where(error))

    def _weighed(self, asked: bm.Weigh) -> bm.Weighed:
        began = time.perf_counter()
        rules, search = self._place(asked.rules, asked.options.get("version", ""))
        searcher = Searcher(rules, asked.request.mine.seat, asked.options, search)
        result = searcher.answer(asked.request, even=asked.even)
        took = time.perf_counter() - began
        return bm.Weighed(asked.number, result.choices, result.rng, result.memo, took)

    def _made(self, rules: bytes, version: str) -> tuple[Rules, Search]:
        loaded = load(json.loads(rules))
        options = {"version": version} if version else {}
        return loaded, search_for(compile_rules(loaded), options, self._target)

    def _looked(self, asked: bm.Look) -> Iterator[bm.Progress | bm.Reviewed]:
        from rookery.review.match_review import reviewing

        steps = reviewing(record.replay(record.loads(asked.record)))
        while True:
            try:
                done, whole = next(steps)
            except StopIteration as end:
                yield bm.Reviewed(asked.number, end.value.model_dump_json().encode())
                return
            yield bm.Progress(asked.number, done, whole)


def _where(error: Exception) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return type(error).__name__
    return f"{type(error).__name__} at {trace.tb_frame.f_code.co_qualname}:{trace.tb_lineno}"


_DEATH_SIGNAL: Final = 1  # PR_SET_PDEATHSIG


def main(arguments: Sequence[str] | None = None) -> None:
    """Answer questions until the input ends, or somebody asks for the end."""
    parser = argparse.ArgumentParser(prog="bot_child")
    parser.add_argument("--nice", type=int, default=0)
    parser.add_argument("--plain", action="store_true")
    chosen = parser.parse_args(arguments)
    _end_with_parent()
    give_way(chosen.nice)
    # Nobody else may write where the answers go.
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    coming: queue.SimpleQueue[bm.Message | None] = queue.SimpleQueue()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one who asks decides when it is over
    threading.Thread(target=_listen, args=(sys.stdin.buffer, coming), daemon=True).start()
    with contextlib.suppress(BrokenPipeError):
        _work(chosen.plain, coming, out)


def _work(plain: bool, coming: queue.SimpleQueue[bm.Message | None], out: BinaryIO) -> None:

    def tell(message: bm.Message) -> None:
        out.write(bm.written(message))
        out.flush()

    try:
        thinking = Thinking("python" if plain else searching(*KERNELS))
        took = thinking.practise()
    except MissingTarget as error:
        tell(bm.Unable(str(error)))
        return
    # From here on there may be an answer that somebody waits for.
    signal.signal(signal.SIGTERM, lambda _number, _frame: coming.put(None))
    tell(bm.Ready(took))
    while (asked := coming.get()) is not None:
        if isinstance(asked, bm.Weigh | bm.Look):
            for answer in thinking.answers(asked):
                tell(answer)
    tell(bm.Ending())


def _listen(source: BinaryIO, coming: queue.SimpleQueue[bm.Message | None]) -> None:
    while len(head := source.read(4)) == 4:
        try:
            coming.put(bm.read(source.read(bm.length_of(head))))
        except bm.Garbled:
            break
    os._exit(0)  # nobody is there to be answered


def give_way(nice: int) -> None:
    """Let other processes go before this one, by so much; where it may not say so, it does not."""
    with contextlib.suppress(OSError, AttributeError):
        os.nice(nice)


def _end_with_parent() -> None:
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_DEATH_SIGNAL, signal.SIGKILL)


if __name__ == "__main__":
    main()
