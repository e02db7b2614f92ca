"""A program of somebody else: lines to it and from it, with a deadline, and a sure end.

Two threads stand between it and us, so that a program that neither reads nor writes holds nobody
up. What it starts is ended with it, where the system has process groups.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from typing import IO, Any, Final

from rookery.bots.mover import BotFailed, NoAnswer

LONGEST: Final = 1 << 16  # bytes of one line from a bot; more is no answer
WAITING: Final = 4096  # lines to a bot, or from it, that nobody has read yet
FAREWELL: Final = 1.0  # seconds that a bot has after `bye`


class OutsideProcess:
    """A running program that is told things, one JSON object a line, and answers the same way."""

    def __init__(self, command: Sequence[str]) -> None:
        """Start the program in a process group of its own.

        Raises:
            BotFailed: it cannot be started.
        """
        try:
            self._process = subprocess.Popen(  # noqa: S603  (the program that the user names)
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            why = (getattr(error, "strerror", None) or str(error)).lower()
            raise BotFailed(f"exec:{' '.join(command)}: cannot be started: {why}") from None
        self._said: queue.Queue[bytes] = queue.Queue(WAITING)
        self._told: queue.Queue[bytes | None] = queue.Queue(WAITING)
        self._ended, self._silent = threading.Event(), threading.Event()
        for work, pipe in ((self._read, self._process.stdout), (self._write, self._process.stdin)):
            threading.Thread(target=work, args=(pipe,), daemon=True).start()

    def _read(self, pipe: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError):
            while line := pipe.readline(LONGEST):
                self._heard(line)
        self._heard(b"")
        self._silent.set()

    def _heard(self, line: bytes) -> None:
        while not self._ended.is_set():
            with contextlib.suppress(queue.Full):
                self._said.put(line, timeout=FAREWELL)
                return

    def _write(self, pipe: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError):
            while (line := self._told.get()) is not None:
                pipe.write(line)
                pipe.flush()
        with contextlib.suppress(OSError, ValueError):
            pipe.close()

    def tell(self, message: Mapping[str, Any]) -> None:
        """Send a message.

        Raises:
            NoAnswer: the program has read nothing for so long that there is no room for more.
        """
        try:
            self._told.put_nowait(json.dumps(message, separators=(",", ":")).encode() + b"\n")
        except queue.Full:
            raise NoAnswer("it reads nothing") from None

    def answer(self, number: int, seconds: float) -> dict[str, Any]:
        """Return the answer whose ``id`` is `number`; older ones are passed over.

        Raises:
            NoAnswer: it is late, no JSON object, or the program has ended (`ended` is true then).
        """
        until = time.monotonic() + seconds
        while True:
            try:
                line = self._said.get(timeout=max(0.0, until - time.monotonic()))
            except queue.Empty:
                raise NoAnswer(f"no answer within {seconds * 1000:.0f} ms") from None
            if not line:
                self.end(0)
                raise NoAnswer(f"it ended with status {self._process.returncode}")
            try:
                found = json.loads(line)
            except (ValueError, RecursionError):
                found = None
            if not isinstance(found, dict) or not isinstance(found.get("id"), int):
                raise NoAnswer(f"no answer but {_shown(line)}")
            if found["id"] == number:
                return found

    @property
    def ended(self) -> bool:
        """Whether the program is gone."""
        return self._ended.is_set()

    def end(self, patience: float = FAREWELL) -> None:
        """End the program and all that it has started; `patience` is how long it may take itself.

        Safe to call twice.
        """
        if self._ended.is_set():
            return
        self._ended.set()
        with contextlib.suppress(queue.Full):
            self._told.put_nowait(None)  # closes its standard input
        self._silent.wait(patience)
        # Its group is ended before it is waited for: until then nobody else can have its number.
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdout, self._process.stdin):
            with contextlib.suppress(OSError, ValueError):
                if pipe is not None:
                    pipe.close()


def _shown(line: bytes) -> str:
    text = line.decode(errors="replace").strip()
    return repr(text if len(text) <= 60 else text[:57] + "...")
