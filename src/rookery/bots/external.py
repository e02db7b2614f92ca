"""`exec:COMMAND`: a program of somebody else in a seat, speaking `rookery-bot/1`.

It is told what its seat may know, is asked with a deadline, and is never trusted: its answers go
through the same legality as a person's actions. Each seat has a process of its own, so that a
program sees no partner's cards and meets no deal twice.
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
from dataclasses import asdict, replace
from typing import IO, Any, Final

from rookery.bots.player import BotFailed, NoAnswer
from rookery.game import Action, BadAction, Hand
from rookery.game.errors import shortened
from rookery.rules import Rules
from rookery.view import rules_seen, view_of

PROTOCOL: Final = 1
RESTARTS: Final = 3  # of one seat's program, after it has ended by itself
START: Final = 10.0  # seconds that its first answer may take on top of the deadline
LONGEST: Final = 1 << 16  # bytes of one line from a bot; more is no answer
WAITING: Final = 4096  # lines to a bot that it has not read yet
UNREAD: Final = 64  # lines from a bot that nobody has read yet; it has to wait with more
KILLED: Final = -9  # the status of a program that was killed, where the system has signals
FAREWELL: Final = 1.0  # seconds that a bot has after `bye`


class ExternalPlayer:
    """A `Player` that asks a program."""

    def __init__(self, command: Sequence[str], rules: Rules, seat: int, deadline_ms: int) -> None:
        """Take a seat; `command` starts the program, with the first hand."""
        self._command, self._rules, self._seat = tuple(command), rules, seat
        self._deadline_ms = deadline_ms
        self._process: ExternalProcess | None = None
        self._starts = 0
        self._answered = False
        self._starting = 0.0  # seconds that its next answer may take on top of the deadline
        self._asked = 0
        self._sent = 0  # actions of the hand that it has been told
        self._totals: Sequence[int] | None = None

    def begin(self, hand: Hand, dice: int, totals: Sequence[int] = ()) -> None:
        """Show the program its new hand, and the totals before it; its dice are its own.

        Raises:
            BotFailed: it cannot be started.
        """
        self._sent, self._totals = 0, totals or None
        # One that has never answered yet is not started again: `act` will say that it failed.
        if self._answered and self._process is not None and self._process.silent.is_set():
            self._process.end(0)
        if self._process is None or self._process.ended.is_set():
            if self._starts > RESTARTS:
                return
            self._starts, self._starting = self._starts + 1, START
            self._process = ExternalProcess(self._command)
            rules = asdict(rules_seen(self._rules))
            self._send(type="hello", protocol=PROTOCOL, rules=rules, seat=self._seat)
        self._send(type="hand", view=self._view(hand))

    def act(self, hand: Hand) -> Action:
        """Return what the program answers, legal or not, as the action of this seat.

        Raises:
            BadAction: its answer is no action.
            NoAnswer: it is late, writes no sense, or has ended.
            BotFailed: it has ended without ever having answered.
        """
        process = self._process
        if process is None:
            raise NoAnswer("no hand has begun; expected begin(hand, dice) first")
        if process.ended.is_set():
            raise NoAnswer("it is not running")
        self._send_events(hand)
        self._asked += 1
        view = self._view(hand)
        request = {"type": "act", "id": self._asked, "deadline_ms": self._deadline_ms}
        process.send({**request, "view": view, "legal": view["legal"]})
        try:
            seconds, self._starting = self._deadline_ms / 1000 + self._starting, 0.0
            answer = process.answer(self._asked, seconds)
        except NoAnswer as error:
            if process.ended.is_set() and not self._answered:
                name = " ".join(self._command)
                raise BotFailed(f"exec:{name}: {error} before it had answered once") from None
            raise
        self._answered = True
        action = answer.get("action")
        if not isinstance(action, str):
            was = shortened(json.dumps(action))
            raise BadAction("bad-action", f'the action is {was}; expected a text such as "play R5"')
        return hand.parse(f"{hand.turn} {action}")

    def finish(self, hand: Hand) -> None:
        """Tell the program what happened since its last action, and the score."""
        if self._process is not None and not self._process.ended.is_set():
            self._send_events(hand)
            self._send(type="result", score=hand.score)

    def close(self) -> None:
        """Say goodbye and end the program."""
        if self._process is not None and not self._process.ended.is_set():
            self._send(type="bye")
            self._process.end()

    def _view(self, hand: Hand) -> dict[str, Any]:
        return replace(view_of(hand, self._seat, self._totals), rules=None).as_dict()

    def _send_events(self, hand: Hand) -> None:
        for action in hand.actions[self._sent :]:
            text = str(action) if action.verb.public or action.seat == self._seat else None
            event = {"type": "acted", "seat": action.seat, "verb": action.verb, "text": text}
            self._send(type="event", event=event)
        self._sent = len(hand.actions)

    def _send(self, **message: object) -> None:
        if self._process is not None:
            with contextlib.suppress(NoAnswer):  # it will be late with its next answer as well
                self._process.send(message)


class ExternalProcess:
    """A running program that is sent JSON objects, one a line, and answers the same way.

    Two threads stand between it and us, so that a program that neither reads nor writes holds
    nobody up. What it starts is ended with it, where the system has process groups. What has left
    its group may keep the pipes open, and with them the threads; nobody waits for those.

    Attributes:
        silent: set once it has closed its output, as by ending: it will never answer again.
        ended: set by `end`, here or where its end was read: nothing of it runs any more.
    """

    def __init__(self, command: Sequence[str]) -> None:
        """Start the program in a process group of its own.

        Raises:
            BotFailed: it cannot be started.
        """
        self._name = f"exec:{' '.join(command)}"
        try:
            self._process = subprocess.Popen(  # noqa: S603  (the program that the user names)
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            why = (getattr(error, "strerror", None) or str(error)).lower()
            raise BotFailed(f"{self._name}: cannot be started: {why}") from None
        self._from: queue.Queue[bytes] = queue.Queue(UNREAD)
        self._to: queue.Queue[bytes | None] = queue.Queue(WAITING)
        self.ended, self.silent = threading.Event(), threading.Event()
        for work, pipe in ((self._read, self._process.stdout), (self._write, self._process.stdin)):
            threading.Thread(target=work, args=(pipe,), daemon=True).start()

    def __reduce__(self) -> str | tuple[Any, ...]:
        """Raise a TypeError: nobody can copy a program that runs."""
        raise TypeError(f"{self._name}: a program that is running cannot be copied or pickled")

    def _read(self, pipe: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError), pipe:
            while line := pipe.readline(LONGEST):
                self._received(line)
        self._received(b"")
        self.silent.set()

    def _received(self, line: bytes) -> None:
        while not self.ended.is_set():
            with contextlib.suppress(queue.Full):
                self._from.put(line, timeout=FAREWELL)
                return

    def _write(self, pipe: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError):
            while (line := self._to.get()) is not None:
                pipe.write(line)
                pipe.flush()
        with contextlib.suppress(OSError, ValueError):
            pipe.close()

    def send(self, message: Mapping[str, Any]) -> None:
        """Send a message.

        Raises:
            NoAnswer: the program has read nothing for so long that there is no room for more.
        """
        try:
            self._to.put_nowait(json.dumps(message, separators=(",", ":")).encode() + b"\n")
        except queue.Full:
            raise NoAnswer("it reads nothing") from None

    def answer(self, number: int, seconds: float) -> dict[str, Any]:
        """Return the answer whose ``id`` is `number`; older ones are passed over.

        Raises:
            NoAnswer: it is late, no JSON object, or the program has ended (`ended` is true then).
        """
        until, passed_over = time.monotonic() + seconds, ""
        while (left := until - time.monotonic()) > 0:
            try:
                line = self._from.get(timeout=left)
            except queue.Empty:
                break
            if not line:
                self.end(0)
                # One that ends by itself keeps its status; any other was ended just now.
                if (status := self._process.returncode) == KILLED:
                    raise NoAnswer("it closed its output, or was killed")
                raise NoAnswer(f"it ended with status {status}")
            try:
                answer = json.loads(line)
            except (ValueError, RecursionError):
                answer = None
            if not isinstance(answer, dict) or type(answer.get("id")) not in (int, float):
                text = line.decode(errors="replace").strip()
                wanted = json.dumps({"id": number, "action": "play R5"})
                raise NoAnswer(f"no answer but {shortened(text)}; expected one such as {wanted}")
            if answer["id"] == number:
                return answer
            passed_over = f"; its id was {shortened(answer['id'], 24)}, not '{number}'"
        raise NoAnswer(f"no answer within {seconds * 1000:.0f} ms{passed_over}")

    def end(self, patience: float = FAREWELL) -> None:
        """End the program and all that it has started; `patience` is how long it may take itself.

        Safe to call twice.
        """
        if self.ended.is_set():
            return
        self.ended.set()
        with contextlib.suppress(queue.Full):
            self._to.put_nowait(None)  # closes its standard input
        self.silent.wait(patience)
        # Its group is ended before it is waited for: until then nobody else can have its number.
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        self._process.wait()
