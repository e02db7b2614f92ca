"""The checker finds what it is for: each fault is planted into a history that was sound."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from tests.faults.history import History, Line, Op, complaints

from rookery.rules import load
from rookery.server.registry.history import history_of
from rookery.server.table import events as ev
from rookery.server.table.dealing import frozen_rules
from rookery.server.table.projection import snapshot

Scene = tuple[History, list[ev.Entry]]


def scene() -> Scene:
    """Return three people who sit and talk, and the log of it."""
    rules = frozen_rules(load("kd_tournament"))
    said = [ev.Chatted("ann", "Ann", 0, text="one"), ev.Chatted("bob", "Bob", 1, text="two")]
    events: list[ev.Event] = [
        ev.TableMade("ABCDEF2", "", False, rules, "normal", None),
        ev.Sat(0, "ann", "Ann"),
        ev.Sat(1, "bob", "Bob"),
        *said,
        ev.Chatted("ann", "Ann", 0, text="three"),
    ]
    clients = [None, None, "bob:o1", "ann:o1", "bob:o2", "ann:o2"]
    log = [
        ev.Entry(seq, 1000 + seq, event, client)
        for seq, (event, client) in enumerate(zip(events, clients, strict=True), 1)
    ]
    history = History("ABCDEF2")
    history.ops = [
        Op("bob", "o1", {"type": "sit"}, 2, 0.0, 0.1, seq=3, sends=1),
        Op("ann", "o1", {"type": "chat", "text": "one"}, 3, 1.0, 1.1, seq=4, sends=1),
        Op("bob", "o2", {"type": "chat", "text": "two"}, 4, 2.0, 2.2, seq=5, sends=2),
        Op("ann", "o2", {"type": "chat", "text": "three"}, 5, 3.0, None, sends=1),
        Op("ann", "o3", {"type": "act", "action": "bid 75"}, 5, 4.0, 4.1, refused="not-now"),
    ]
    table = snapshot(history_of(log[:3]).table, 0)
    shown = msgspec.json.decode(msgspec.json.encode(table))
    line = Line("ann", 0, 3, 2, [chat(4, "one"), chat(5, "two"), chat(6, "three")], [shown])
    history.lines = [line]
    return history, log


def chat(seq: int, text: str) -> dict[str, Any]:
    return {"type": "chat", "seq": seq, "text": text}


def lost_at_the_end(history: History, log: list[ev.Entry]) -> None:
    del log[4:]
    del history.lines[0].told[1:]


def somebody_elses(history: History, log: list[ev.Entry]) -> None:
    log[3] = msgspec.structs.replace(log[3], client="bob:o9")


def twice_by_id(history: History, log: list[ev.Entry]) -> None:
    log.append(ev.Entry(7, 0, ev.Sat(2, "bob", "Bob"), "bob:o1"))


def twice_by_words(history: History, log: list[ev.Entry]) -> None:
    log.append(ev.Entry(7, 0, ev.Chatted("ann", "Ann", 0, text="three")))


def something_else(history: History, log: list[ev.Entry]) -> None:
    history.ops[1].command["text"] = "won"


def done_though_refused(history: History, log: list[ev.Entry]) -> None:
    history.ops[3].refused = "too-fast"


def unknown_code(history: History, log: list[ev.Entry]) -> None:
    history.ops[4].refused = "whatever"


def before_it_was_asked(history: History, log: list[ev.Entry]) -> None:
    history.ops[2].invoked, history.ops[2].replied = 0.2, 0.3
    history.ops[1].seq, history.ops[2].seq = 5, 4
    log[3], log[4] = (
        ev.Entry(4, 0, log[4].event, "bob:o2"),
        ev.Entry(5, 0, log[3].event, "ann:o1"),
    )
    history.ops[2].invoked, history.ops[2].replied = 2.0, 2.2
    history.lines[0].told[:2] = [chat(4, "two"), chat(5, "one")]
    history.ops[2].seen = 3


def known_before(history: History, log: list[ev.Entry]) -> None:
    history.ops[1].seen = 4


def skipped(history: History, log: list[ev.Entry]) -> None:
    del history.lines[0].told[1]


def repeated(history: History, log: list[ev.Entry]) -> None:
    history.lines[0].told.insert(1, chat(4, "one"))


def made_up(history: History, log: list[ev.Entry]) -> None:
    history.lines[0].told[2] = chat(6, "four")


def went_back(history: History, log: list[ev.Entry]) -> None:
    history.lines[0].knew = 5


def other_view(history: History, log: list[ev.Entry]) -> None:
    history.lines[0].shown[0]["seats"][1]["name"] = "Eve"


def other_seat(history: History, log: list[ev.Entry]) -> None:
    history.lines[0].person = "bob"


def hole(history: History, log: list[ev.Entry]) -> None:
    del log[2]


FAULTS: dict[Callable[[History, list[ev.Entry]], None], set[str]] = {
    lost_at_the_end: {"lost"},
    somebody_elses: {"lost"},
    twice_by_id: {"twice"},
    twice_by_words: {"twice"},
    something_else: {"other"},
    done_though_refused: {"refused"},
    unknown_code: {"code"},
    before_it_was_asked: {"order"},
    known_before: {"order"},
    skipped: {"jump"},
    repeated: {"jump"},
    made_up: {"told"},
    went_back: {"back"},
    other_view: {"view"},
    other_seat: {"seat"},
    hole: {"gap"},
}


def test_a_sound_history_is_explained() -> None:
    assert complaints(*scene()) == []


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_planted_fault_is_found(fault: Callable[[History, list[ev.Entry]], None]) -> None:
    history, log = scene()
    fault(history, log)
    assert {complaint.kind for complaint in complaints(history, log)} == FAULTS[fault]


def test_what_never_got_an_answer_may_be_there_or_not() -> None:
    history, log = scene()
    del log[5], history.lines[0].told[2]
    assert complaints(history, log) == []
