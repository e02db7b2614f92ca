"""The process in which bots think: questions come by its standard input, answers go by its output.

It ends with its parent, however that ends: the system tells it, or its input does.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import os
import queue
import signal
import sys
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, BinaryIO, Final, Literal

if TYPE_CHECKING:
    from rookery.server.bots.wire import Said, Saying

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
    coming: queue.SimpleQueue[Said | None] = queue.SimpleQueue()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one who asks decides when it is over
    threading.Thread(target=_listen, args=(sys.stdin.buffer, coming), daemon=True).start()
    with contextlib.suppress(BrokenPipeError):
        _work("python" if chosen.plain else "numba", coming, out)


def _work(
    target: Literal["python", "numba"], coming: queue.SimpleQueue[Said | None], out: BinaryIO
) -> None:
    # Loading all this takes a second, by when it has to be known whose process it is.
    from rookery.server.bots.thinking import Thinking
    from rookery.server.bots.wire import Ending, Look, Ready, Unable, Weigh, written

    thinking = Thinking(target)

    def tell(message: Saying) -> None:
        out.write(written(message))
        out.flush()

    try:
        took = thinking.practise()
    except ModuleNotFoundError as error:
        tell(Unable(f"{error.name} is not installed"))
        return
    # From here on there may be an answer that somebody waits for.
    signal.signal(signal.SIGTERM, lambda _number, _frame: coming.put(None))
    tell(Ready(took))
    while (asked := coming.get()) is not None:
        if isinstance(asked, Weigh | Look):
            thinking.answer(asked, tell)
    tell(Ending())


def _listen(source: BinaryIO, coming: queue.SimpleQueue[Said | None]) -> None:
    while len(head := source.read(4)) == 4:
        # Nobody asks before the other thread has loaded it, so that only one of them loads.
        from rookery.server.bots.wire import Garbled, length_of, read

        try:
            coming.put(read(source.read(length_of(head))))
        except Garbled:
            break
    os._exit(0)  # nobody is there to be answered


def give_way(nice: int) -> None:
    """Let other processes go before this one, by so much; where it may not say so, it does not."""
    if hasattr(os, "nice"):
        with contextlib.suppress(OSError):
            os.nice(nice)


def _end_with_parent() -> None:
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_DEATH_SIGNAL, signal.SIGKILL)


if __name__ == "__main__":
    main()
