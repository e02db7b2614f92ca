"""Translates a table's socket for a program that speaks `rookery-bot/1`.

The program gets what its seat's socket gets, and its answers are a person's `act`. The translation
takes a free seat, asks for the next hand when one is done, accepts every undo and rejects claims.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated, Any, Final, NamedTuple

import msgspec
from msgspec import Meta

from rookery.server.names import new_token
from rookery.server.table import commands as cm
from rookery.server.table import messages as ms
from rookery.server.table.refusals import Refused

NAME: Final = "rookery-bot/1"
VERSION: Final = 1
PASSING: Final = ("storage", "busy", "failed")  # refusals of what may be done a moment later
UNHURRIED: Final = 60_000  # milliseconds, the deadline where the table has no clock


class _Answer(msgspec.Struct):
    """A program's answer; other fields are ignored."""

    id: Annotated[int, Meta(ge=0, le=1 << 53)]
    action: Annotated[str, Meta(min_length=1, max_length=300)]


class Translation(NamedTuple):
    """A translated message: lines to the program, and commands of its seat.

    Attributes:
        lines: the lines, ready for JSON, in order.
        commands: the commands to send in the program's name.
        ends: whether this is the last message.
        again: commands to send once more in a moment: nothing else may come that asks for them.
    """

    lines: list[dict[str, Any]]
    commands: list[cm.Changing]
    ends: bool
    again: Sequence[cm.Changing] = ()


_ANSWERS: Final[msgspec.json.Decoder[_Answer]] = msgspec.json.Decoder(_Answer)


class BotLine:
    """One program at one table: what it has been sent, and its open question."""

    def __init__(self, now: Callable[[], int]) -> None:
        """Store what says the time by which the table's turns go, milliseconds."""
        self._now = now
        self._turn = (-1, 0)  # since when a turn goes on, by the table; and by `now`
        self._mark = new_token()[:12]  # ids of an earlier connection stay taken
        self._rules: object = None
        self._seat: int | None = None
        self._hand: tuple[int, int] | None = None
        self._asked, self._open = 0, False
        self._waiting: str | None = None  # the command whose acknowledgement is due
        self._table: dict[str, Any] = {}
        self._done: set[str] = set()
        self._sent: dict[str, cm.Changing] = {}  # what is not answered yet, by its id

    def act_of(self, text: str) -> cm.Act | Refused | None:
        """Return the act in a program's line; None for an answer that comes too late.

        Return a refusal with code ``too-long`` or ``bad-message`` for a bad line.
        """
        if len(text) > cm.LONGEST:
            return Refused("too-long", f"a message has at most {cm.LONGEST} bytes")
        try:
            answer = _ANSWERS.decode(text)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            return Refused("bad-message", f"expected an id and an action: {str(error)[:200]}")
        if not self._open or answer.id != self._asked:
            return None
        self._open, self._waiting = False, self._id(f"a{answer.id}")
        return cm.Act(self._waiting, answer.action, self._table["seq"])

    def translate(self, message: ms.Message) -> Translation:
        """Return the translation of a message of the table."""
        if isinstance(message, ms.Welcome | ms.Update):
            events = message.events if isinstance(message, ms.Update) else []
            return self._table_changed(msgspec.json.decode(message.table), events)
        if isinstance(message, ms.Closing):
            return Translation([_bye(message.code, message.reason)], [], True)
        if isinstance(message, ms.Refused):
            return self._refused(message)
        if isinstance(message, ms.Ack):
            self._sent.pop(message.id, None)
            if message.id == self._waiting:
                self._waiting = None
        return Translation([], [], False)

    def _table_changed(self, table: dict[str, Any], events: list[dict[str, Any]]) -> Translation:
        self._table, view = table, table["view"]
        self._rules = table["rules"] or self._rules
        if table["you"] is None:
            return Translation([], self._once("sit", partial(cm.Sit, wait=True)), False)
        lines = self._begun(table) if view is not None else []
        for event in events:
            if event["type"] in ("acted", "undone"):
                self._open = False  # whatever was asked, the clock may have come before the answer
            if event["type"] == "acted":
                shown = {key: event[key] for key in ("type", "seat", "verb", "text")}
                lines.append({"type": "event", "event": shown})
            elif event["type"] == "undone":
                lines.append({"type": "hand", "view": view})
        commands: list[cm.Changing] = []
        if view is not None and view["phase"] in ("done", "redealt"):
            if f"result {self._hand}" not in self._done:
                self._done.add(f"result {self._hand}")
                lines.append({"type": "result", "score": view["score"]})
            if table["phase"] == "playing" and table["you"] not in table["ready"]:
                ready = partial(cm.Next, seen=table["seq"])
                commands += self._once(f"next {self._hand}", ready)
        commands += self._votes(table)
        lines += self._asks(table)
        over = table["phase"] == "over"
        return Translation(
            [*lines, _bye(1000, "the match is over")] if over else lines, commands, over
        )

    def _begun(self, table: dict[str, Any]) -> list[dict[str, Any]]:
        """Return the lines before a hand that is new to the program."""
        hand, lines = (table["match_number"], table["hand_number"]), []
        if table["you"] != self._seat:
            self._seat, self._hand = table["you"], None
            hello = {"protocol": VERSION, "rules": self._rules, "seat": self._seat}
            lines.append({"type": "hello", **hello})
        if hand != self._hand:
            self._hand, self._open = hand, False
            lines.append({"type": "hand", "view": table["view"]})
        return lines

    def _asks(self, table: dict[str, Any]) -> list[dict[str, Any]]:
        view = table["view"]
        if view is None or table["phase"] != "playing" or table["pending"] is not None:
            return []
        if view["to_act"] != table["you"] or not view["legal"]:
            self._open = False
            return []
        if self._open or self._waiting is not None:
            return []
        self._open = True
        self._asked += 1
        asked = {"id": self._asked, "deadline_ms": self._left(table)}
        return [{"type": "act", **asked, "view": view, "legal": view["legal"]}]

    def _left(self, table: dict[str, Any]) -> int:
        """Return how long an answer may take, milliseconds: what is left of the turn's time."""
        clock, since, now = table["turn_clock"], table["turn_since"], self._now()
        if clock is None:
            return UNHURRIED
        if since != self._turn[0]:
            # Longer than there is time: the server was started again, and so was the clock.
            self._turn = since, since if since <= now < since + 1000 * clock else now
        return max(0, 1000 * int(clock) - (now - self._turn[1]))

    def _votes(self, table: dict[str, Any]) -> list[cm.Changing]:
        asked, seat = table["pending"], table["you"]
        if asked is None or seat not in asked["voters"] or str(seat) in asked["votes"]:
            return []
        key = f"vote {asked['kind']} {asked['by']} {asked['since']}"
        return self._once(key, partial(cm.Vote, yes=asked["kind"] == "undo", seen=table["seq"]))

    def _refused(self, message: ms.Refused) -> Translation:
        line = {"type": "refused", "code": message.code, "reason": message.reason}
        sent = self._sent.pop(message.id or "", None)
        if isinstance(sent, cm.Sit):
            return Translation([line, _bye(1000, message.reason)], [], True)
        if sent is not None and message.code in PASSING:
            self._sent[sent.id] = sent
            return Translation([], [], False, [sent])
        if message.id is None or message.id != self._waiting:
            return Translation([line], [], False)
        self._waiting = None
        return Translation([line, *self._asks(self._table)], [], False)

    def _once(self, key: str, make: Callable[[str], cm.Changing]) -> list[cm.Changing]:
        """Return the command that `make` makes of an id, unless there was one for this `key`."""
        if key in self._done:
            return []
        self._done.add(key)
        command = make(self._id(f"c{len(self._done)}"))
        self._sent[command.id] = command
        return [command]

    def _id(self, what: str) -> str:
        return f"{self._mark}-{what}"


def _bye(code: int, reason: str) -> dict[str, Any]:
    return {"type": "bye", "code": code, "reason": reason}
