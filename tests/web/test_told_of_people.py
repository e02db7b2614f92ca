"""What is said to those who listen of people, of questions to a table and of the end of a match."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

SAID = """async (pairs) => {
  const { changes } = await import("/static/table/words.js");
  return pairs.map(([before, after]) => changes(before, after));
}"""
OUTCOMES = """async ([events, table, before]) => {
  const { outcomes } = await import("/static/table/words.js");
  return events.map((event) => outcomes([event], table, before));
}"""


def seat(name: str, kind: str = "person", here: bool = True, **more: object) -> dict[str, Any]:
    return {"name": name, "kind": kind, "here": here, **more}


def lobby(*seats: dict[str, Any], **more: object) -> dict[str, Any]:
    """Return a table of Ann and others before its match, as Ann sees it."""
    both = {"phase": "lobby", "view": None, "hand_number": None, "winners": None, "pending": None}
    people = {"you": 0, "host": 1, "host_asked": False, "evening": None}
    return {**both, **people, "seats": [seat("Ann"), *(seats or (seat("Bob"),))], **more}


FREE = seat("", "empty", here=False)
CLUB = seat("Cleo", "bot", bot="club")
ASKED = {"kind": "undo", "by": 1}
CHANGES: list[tuple[dict[str, Any] | None, dict[str, Any], list[str]]] = [
    (None, lobby(), []),
    (lobby(), lobby(), []),
    # Who sits where.
    (lobby(FREE), lobby(seat("Bob")), ["Bob sat down."]),
    (lobby(FREE), lobby(CLUB), ["Cleo sat down."]),
    (lobby(FREE), lobby(FREE), []),
    (lobby(seat("Bob")), lobby(FREE), ["Bob left the table."]),
    (lobby(seat("Bob")), lobby(seat("Bob", here=False)), ["Bob is away."]),
    (lobby(seat("Bob", here=False)), lobby(seat("Bob")), ["Bob is back."]),
    (lobby(seat("Bob", here=False)), lobby(seat("Bob", here=False)), []),
    (lobby(CLUB), lobby(CLUB), []),
    (lobby(CLUB), lobby(seat("Bob")), []),  # who took a bot's seat is told by the event
    (lobby(seat("Bob", here=False)), lobby(CLUB), ["Cleo sits down for Bob."]),
    (lobby(CLUB), lobby(FREE), ["Cleo left the table."]),
    # Whoever changes their seat neither comes nor goes, nor is back.
    (lobby(FREE, seat("Bob")), lobby(seat("Bob"), FREE), []),
    (lobby(seat("Bob"), FREE), lobby(FREE, seat("Bob")), []),
    (lobby(seat("Bob"), CLUB), lobby(CLUB, seat("Bob")), []),
    (lobby(seat("Bob", here=False), seat("Cy")), lobby(seat("Cy"), seat("Bob", here=False)), []),
    (lobby(FREE, seat("Bob"), CLUB), lobby(seat("Bob"), FREE, FREE), ["Cleo left the table."]),
    (lobby(), lobby(seat("Bob"), seat("Cy")), []),  # the seats are others
    # The match begins, and ends.
    (lobby(), lobby(phase="playing"), ["The match begins."]),
    (lobby(phase="playing"), lobby(phase="playing"), []),
    (lobby(phase="playing"), lobby(phase="over", winners=[0]), ["You won the match!"]),
    (lobby(phase="over", winners=[0]), lobby(phase="over", winners=[0]), []),
    (None, lobby(phase="over", winners=[1]), ["Bob won the match."]),
    (None, lobby(phase="over", winners=[]), ["The match is over."]),
    (None, lobby(phase="over", evening={"code": "A"}, winners=[0]), ["This table is done."]),
    # A question to the table, and one to its host.
    (lobby(), lobby(pending=ASKED), ["Bob wants to undo their last move."]),
    (None, lobby(pending={"kind": "claim", "by": 1}), ["Bob claims the rest."]),
    (lobby(pending=ASKED), lobby(pending=ASKED), []),
    (
        lobby(),
        lobby(host_asked=True),
        [
            "Several hands in a row were redealt or played by bots alone."
            " Bob decides whether to keep dealing."
        ],
    ),
    (
        None,
        lobby(host_asked=True, host=0),
        ["Several hands in a row were redealt or played by bots alone. Keep dealing?"],
    ),
    (lobby(host_asked=True), lobby(host_asked=True), []),
]


def test_what_changes_at_a_table_is_said_once(bare: Page) -> None:
    said = bare.evaluate(SAID, [[before, after] for before, after, _ in CHANGES])
    assert said == [lines for *_, lines in CHANGES]


CLAIM = {"type": "vote_closed", "kind": "claim", "seat": 1}
UNDO = {"type": "vote_closed", "kind": "undo", "seat": 1}
ACTED = {"type": "acted", "seat": 1}
EVENTS: list[tuple[dict[str, Any], list[str]]] = [
    ({**CLAIM, "accepted": True}, ["Bob takes the rest. The cards were played out."]),
    ({**CLAIM, "accepted": False}, ["Bob's claim was turned down. Play goes on."]),
    ({**UNDO, "accepted": False}, ["The others don't agree. Bob's move stands."]),
    ({**UNDO, "accepted": True}, []),  # then it is undone
    ({"type": "undone", "seat": 1}, ["Bob undid their last move."]),
    ({"type": "sat", "seat": 1}, ["Bob sits down for Cleo."]),
    ({"type": "sat", "seat": 0}, []),  # where nobody sat before
    ({**ACTED, "by": "auto"}, ["Time is up: a bot took the turn for Bob."]),
    ({**ACTED, "by": "bot"}, []),
    (
        {"type": "challenged", "seat": 1, "accused": 0},
        ["Bob claimed that Ann revoked. There was no revoke."],
    ),
    (
        {**ACTED, "by": "person", "verb": "challenge", "text": "1 challenge 0"},
        ["Ann revoked: the claim was right."],
    ),
    ({**ACTED, "by": "person", "verb": "play", "text": "1 play R5"}, []),
    ({"type": "said", "seat": 1}, []),
]


def test_how_questions_end_is_said(bare: Page) -> None:
    before = lobby(CLUB)
    before["seats"][0] = FREE
    said = bare.evaluate(OUTCOMES, [[event for event, _ in EVENTS], lobby(), before])
    assert said == [lines for _, lines in EVENTS]
