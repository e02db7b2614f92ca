"""What every client did and was told, and whether one stored log can explain all of it.

No part of this asks the server for its opinion: the log is read from the database, and what a
client saw is what came over its socket.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import msgspec

from rookery.server.http.websocket import SOCKET_CODES
from rookery.server.store.base import StoreError
from rookery.server.table import events as ev
from rookery.server.table.fold import evolve
from rookery.server.table.projection import Showing, public_event
from rookery.server.table.state import Table

# What an acknowledged command has to have left in the log.
LEFT: dict[str, tuple[type[ev.Event], ...]] = {
    "sit": (ev.Sat,),
    "start": (ev.MatchBegun, ev.BotSeated),
    "act": (ev.Acted,),
    "next": (ev.Ready,),
    "chat": (ev.Chatted,),
    "undo": (ev.Undone, ev.VoteAsked),
    "claim": (ev.VoteAsked, ev.VoteClosed, ev.Acted),
    "vote": (ev.Voted, ev.VoteClosed),
    "rematch": (ev.Rematched,),
}


class Complaint(NamedTuple):
    """Something that no log of a sound server can explain; `kind` says what, for counting."""

    kind: str
    text: str


@dataclass
class Op:
    """One command of one person, however often it was sent.

    Attributes:
        person: whose it is.
        id: what the client called it.
        command: the message without its id.
        seen: the number of the last event that the person knew of.
        invoked: when it was first sent, by the clock that all clients share.
        replied: when the answer came; None while there is none.
        seq: the event that an acknowledgement named.
        refused: the code of a refusal.
        sends: how often it was sent.
    """

    person: str
    id: str
    command: dict[str, Any]
    seen: int
    invoked: float
    replied: float | None = None
    seq: int | None = None
    refused: str | None = None
    sends: int = 0

    @property
    def client(self) -> str:
        """What the log calls it."""
        return f"{self.person}:{self.id}"


@dataclass
class Line:
    """One connection of one person, from its welcome to its end.

    Attributes:
        person: whose it was.
        seat: where the welcome said they sit.
        began: the number in the welcome.
        knew: the last number the person had seen before.
        told: what came, each with its ``seq``.
        shown: the first snapshot and the last.
    """

    person: str
    seat: int | None
    began: int
    knew: int
    told: list[dict[str, Any]] = field(default_factory=list)
    shown: list[dict[str, Any]] = field(default_factory=list)

    def see(self, table: dict[str, Any]) -> None:
        """Keep a snapshot in place of the one before it, but never of the first."""
        del self.shown[1:]
        self.shown.append(table)


@dataclass
class History:
    """Everything that the clients of one table did and were told."""

    code: str
    ops: list[Op] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)

    def acked(self) -> int:
        """Return how many commands were acknowledged."""
        return sum(op.seq is not None for op in self.ops)


def complaints(history: History, log: Sequence[ev.Entry], *, views: bool = True) -> list[Complaint]:
    """Return what the log does not explain; `views` also folds it and compares snapshots."""
    found = list(_numbers(log))
    if not found:
        found = [
            *_once(history, log),
            *_kept(history, log),
            *_in_time(history),
            *_heard(history, log),
        ]
        if views:
            found += _seen(history, log)
    return [Complaint(kind, f"table {history.code}: {text}") for kind, text in found]


def _numbers(log: Sequence[ev.Entry]) -> Iterator[Complaint]:
    for place, entry in enumerate(log, 1):
        if entry.seq != place:
            yield Complaint("gap", f"event {place} is missing from the log")
            return


def _once(history: History, log: Sequence[ev.Entry]) -> Iterator[Complaint]:
    """Each command is in the log once at the most, by its id and by what it says."""
    ids = Counter(entry.client for entry in log if entry.client is not None)
    yield from (
        Complaint("twice", f"{client} is there {n} times") for client, n in ids.items() if n > 1
    )
    said = Counter(
        (entry.event.person, entry.event.text)
        for entry in log
        if isinstance(entry.event, ev.Chatted)
    )
    for op in history.ops:
        times = said[op.person, op.command.get("text")] if op.command["type"] == "chat" else 1
        if times > 1:
            yield Complaint("twice", f"{op.client} was said {times} times, sent {op.sends} times")
        if op.refused is not None and ids[op.client]:
            yield Complaint("refused", f"{op.client} was refused as {op.refused}, and is there")
        if op.refused is not None and op.refused not in SOCKET_CODES:
            yield Complaint("code", f"{op.client}: {op.refused} is not in the list")


def _kept(history: History, log: Sequence[ev.Entry]) -> Iterator[Complaint]:
    """What was acknowledged stands where the acknowledgement said, and is what was asked for."""
    for op in history.ops:
        if op.seq is None:
            continue
        if op.seq > len(log):
            yield Complaint("lost", f"{op.client} was acknowledged as {op.seq} of {len(log)}")
            continue
        entry = log[op.seq - 1]
        if entry.client != op.client:
            yield Complaint("lost", f"event {op.seq} is not {op.client}, but {entry.client}")
        elif not _is_what_was_asked(op, entry.event):
            yield Complaint("other", f"event {op.seq} is not what {op.client} asked for")
        if op.seq <= op.seen:
            yield Complaint("order", f"{op.client} saw event {op.seen} and became {op.seq}")


def _is_what_was_asked(op: Op, event: ev.Event) -> bool:
    if not isinstance(event, LEFT[op.command["type"]]):
        return False
    if isinstance(event, ev.Chatted):
        return event.text == str(op.command["text"])
    if isinstance(event, ev.Acted) and op.command["type"] == "act":
        asked, done = op.command["action"].split(), event.text.split()[1:]
        same = asked[:1] == done[:1] and sorted(asked) == sorted(done)
        return bool(same) and event.by == "person"
    return True


def _in_time(history: History) -> Iterator[Complaint]:
    """What was answered before something else was asked comes before it in the log."""
    done = [op for op in history.ops if op.seq is not None and op.replied is not None]
    asked = sorted(done, key=lambda op: op.invoked)
    answered = sorted(done, key=lambda op: op.replied or 0.0)
    before, highest = 0, 0
    for op in asked:
        while (earlier := answered[before]).replied is not None and earlier.replied < op.invoked:
            highest = max(highest, earlier.seq or 0)
            before += 1
        if op.seq is not None and op.seq < highest:
            yield Complaint("order", f"{op.client} became {op.seq} after {highest} was answered")


def _heard(history: History, log: Sequence[ev.Entry]) -> Iterator[Complaint]:
    """What a client was told is what is in the log, number after number."""
    for line in history.lines:
        if line.began < line.knew:
            yield Complaint("back", f"{line.person} knew {line.knew} and was shown {line.began}")
        expected = line.began
        for event in line.told:
            expected += 1
            seq = event["seq"]
            if seq != expected:
                yield Complaint("jump", f"{line.person} was told {seq} in place of {expected}")
                break
            if seq > len(log) or not _told_of(event, log[seq - 1], line.seat):
                yield Complaint(
                    "told", f"{line.person} was told of an event {seq} that is not there"
                )
                break


def _told_of(event: dict[str, Any], entry: ev.Entry, seat: int | None) -> bool:
    if event["type"] == "chat":
        said = entry.event
        return isinstance(said, ev.Chatted) and said.text == str(event["text"])
    expected = public_event(entry, seat)
    # Seats are dealt out anew between matches: whether a text is shown is for the leak tests.
    names = expected.keys() & event.keys() - {"text"}
    return all(bool(event[name] == expected[name]) for name in names)


def _seen(history: History, log: Sequence[ev.Entry]) -> Iterator[Complaint]:
    """What a client was shown is the fold of the events so far, for that seat."""
    shown = [
        (table, line.person, place == 0)
        for line in history.lines
        for place, table in enumerate(line.shown)
    ]
    wanted = {table["seq"] for table, _, _ in shown}
    states: dict[int, Table] = {}
    state = Table("")
    for entry in log:
        try:
            state = evolve(state, entry)
        except (ValueError, LookupError, StoreError) as error:
            yield Complaint("fold", f"event {entry.seq} has no place: {error!r}")
            return
        if entry.seq in wanted:
            states[entry.seq] = state
    for table, person, welcomed in shown:
        before = states.get(table["seq"])
        if before is None:
            yield Complaint("view", f"{person} was shown event {table['seq']} of {len(log)}")
            continue
        if before.seat_of(person) != table["you"]:
            yield Complaint("seat", f"{person} was shown seat {table['you']}")
        showing = Showing(before, table["watchers"], _steps_in(table))
        fold = msgspec.json.decode(msgspec.json.encode(showing.to(table["you"], rules=True)))
        if not welcomed:
            _without_rules(fold, table)
        if fold != table:
            yield Complaint("view", f"{person} was shown another table at event {table['seq']}")


def _steps_in(table: dict[str, Any]) -> dict[int, int]:
    """Return what a client was told of the moments at which bots step in; no event has them."""
    return {one["seat"]: one["bot_at"] for one in table["absent"]}


def _without_rules(fold: dict[str, Any], table: dict[str, Any]) -> None:
    """Drop the rules where an update leaves them out, for they are as the welcome said."""
    for mine, theirs in ((fold, table), (fold["view"] or {}, table["view"] or {})):
        if "rules" in mine and theirs.get("rules") is None:
            mine["rules"] = theirs.get("rules")


def told_first(found: Sequence[Complaint]) -> str:
    """Return what the checker found first, for the page."""
    return f"{found[0].kind}: {found[0].text}"[:300] if found else ""
