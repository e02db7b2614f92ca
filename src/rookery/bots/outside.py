"""`exec:COMMAND`: an outside program in a seat, speaking `rookery-bot/1` over its standard streams.

It is told what its seat may know, is asked with a deadline, and is never trusted: whatever it
answers goes through the same legality as a person's action. Each seat has a process of its own, so
that a program sees no partner's cards and meets no deal twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any, Final

from rookery.bots.mover import BotFailed, NoAnswer
from rookery.bots.outside_process import OutsideProcess
from rookery.game import Action, Hand
from rookery.rules import Rules
from rookery.view import rules_seen, view_of

PROTOCOL: Final = 1
RESTARTS: Final = 3  # of one seat's program, after it has ended by itself
START: Final = 10.0  # seconds that its first answer may take on top of the deadline


class Outside:
    """A `Mover` that asks a program."""

    def __init__(self, command: Sequence[str], rules: Rules, seat: int, deadline_ms: int) -> None:
        """Take a seat; the program is started with the first hand.

        Args:
            command: the words that start it.
            rules: the rules that it is told.
            seat: its seat.
            deadline_ms: how long it may take for an action.
        """
        self._command, self._rules, self._seat = tuple(command), rules, seat
        self._deadline_ms = deadline_ms
        self._process: OutsideProcess | None = None
        self._starts = 0
        self._answered = False
        self._asked = 0
        self._seen = 0  # actions of the hand that it has been told

    def begin(self, hand: Hand, dice: int) -> None:
        """Show the program its new hand; its dice are its own.

        Raises:
            BotFailed: it cannot be started.
        """
        self._seen = 0
        if self._process is None or self._process.ended:
            if self._starts > RESTARTS:
                return
            self._starts += 1
            self._process = OutsideProcess(self._command)
            rules = asdict(rules_seen(self._rules))
            self._tell(type="hello", protocol=PROTOCOL, rules=rules, seat=self._seat)
        self._tell(type="hand", view=self._view(hand))

    def act(self, hand: Hand) -> Action:
        """Return what the program answers, legal or not, as the action of this seat.

        Raises:
            BadAction: its answer is no action.
            NoAnswer: it is late, writes no sense, or has ended.
            BotFailed: it has ended without ever having answered.
        """
        process = self._process
        if process is None or process.ended:
            raise NoAnswer("it is not running")
        self._tell_events(hand)
        self._asked += 1
        view = self._view(hand)
        process.tell(
            {
                "type": "act",
                "id": self._asked,
                "deadline_ms": self._deadline_ms,
                "view": view,
                "legal": view["legal"],
            }
        )
        try:
            seconds = self._deadline_ms / 1000 + (0 if self._answered else START)
            found = process.answer(self._asked, seconds)
        except NoAnswer as error:
            if process.ended and not self._answered:
                name = " ".join(self._command)
                raise BotFailed(f"exec:{name}: {error} before it had answered once") from None
            raise
        self._answered = True
        text = f"{hand.turn} {found.get('action')}"
        return Action.parse(text, hand.rules.pack, hand.rules.seats)

    def finish(self, hand: Hand) -> None:
        """Tell the program what happened since its last action, and the score."""
        if self._process is not None and not self._process.ended:
            self._tell_events(hand)
            self._tell(type="result", score=hand.score)

    def close(self) -> None:
        """Say goodbye and end the program."""
        if self._process is not None and not self._process.ended:
            self._tell(type="bye")
            self._process.end()

    def _view(self, hand: Hand) -> dict[str, Any]:
        return replace(view_of(hand, self._seat), rules=None).as_dict()

    def _tell_events(self, hand: Hand) -> None:
        for action in hand.actions[self._seen :]:
            text = str(action) if action.verb.public or action.seat == self._seat else None
            event = {"type": "acted", "seat": action.seat, "verb": action.verb, "text": text}
            self._tell(type="event", event=event)
        self._seen = len(hand.actions)

    def _tell(self, **message: object) -> None:
        try:
            if self._process is not None:
                self._process.tell(message)
        except NoAnswer:
            pass  # it will be late with its next answer as well
