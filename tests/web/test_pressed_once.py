"""What is pressed twice is done once, and for the moment at which it was pressed."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

# A room whose server is the test: `hear` has it say something, `sent` is what it was told.
ROOM = """async () => {
  [window.sent, window.said] = [[], []];
  window.WebSocket = class {
    static CONNECTING = 0;
    static OPEN = 1;
    readyState = 1;
    constructor() {
      window.line = this;
      window.hear = (told) => this.onmessage({ data: JSON.stringify(told) });
    }
    send(text) {
      const message = JSON.parse(text);
      if (message.id) sent.push(message);
    }
    close() {}
  };
  new MutationObserver(() => said.push(urgent.textContent)).observe(urgent, { childList: true });
  const { openRoom } = await import("/static/table/room.js");
  window.room = openRoom("AAAA");
  const about = { you: 0, phase: "playing", hand_number: 0, watchers: 0, turn_since: 0 };
  const view = { phase: "play", hand: null, to_act: null, trick: [], tricks: [] };
  const table = { seats: [], hands: [], hands_from: 0, rules: { options: {} }, view, ...about };
  window.shown = (type, seq, more) => hear({ type, seq, table: { ...table, seq, ...more } });
  shown("welcome", 7, { pending: null });
}"""
PRESS = "(message) => { room.ask(message); }"
ANSWER = "() => hear({ type: 'ack', id: sent.at(-1).id, seq: 8 })"
REFUSE = "(code) => hear({ type: 'refused', id: sent.at(-1).id, code, reason: '' })"
URGENT = "() => new Promise((done) => setTimeout(() => done(said), 200))"
COMMANDS: list[dict[str, Any]] = [
    {"type": "undo"},
    {"type": "claim"},
    {"type": "next"},
    {"type": "vote", "yes": True},
    {"type": "start"},
]


def sent(page: Page) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = page.evaluate("sent")
    return [{key: value for key, value in one.items() if key != "id"} for one in told]


@pytest.fixture
def page(bare: Page) -> Page:
    bare.evaluate(ROOM)
    return bare


def test_what_is_pressed_twice_before_the_answer_is_sent_once(page: Page) -> None:
    for command in COMMANDS:
        page.evaluate(ROOM)
        for _ in range(2):
            page.evaluate(PRESS, command)
        assert len(sent(page)) == 1, command
        page.evaluate(ANSWER)
        assert page.evaluate(URGENT) == [], command
        # What is pressed once the answer is there is another thing.
        page.evaluate(PRESS, command)
        assert len(sent(page)) == 2, command


def test_both_hear_how_it_was_answered(page: Page) -> None:
    page.evaluate("() => { window.heard = []; }")
    for _ in range(2):
        page.evaluate("() => { room.ask({ type: 'next' }).then((done) => heard.push(done)); }")
    page.evaluate(REFUSE, "not-now")
    assert len(page.evaluate(URGENT)) == 1
    assert page.evaluate("heard") == [False, False]


def test_the_same_line_may_be_said_twice_and_another_thing_asked_meanwhile(page: Page) -> None:
    said = {"type": "chat", "phrase": "hello"}
    bots = [{"type": "bot", "seat": seat, "bot": "club"} for seat in (1, 2)]
    for command in (said, said, *bots):
        page.evaluate(PRESS, command)
    assert sent(page) == [said, said, *bots]


SWITCHES: list[list[dict[str, Any]]] = [
    [{"type": "table", "open": yes} for yes in (True, False, True)],
    [{"type": "bot", "seat": 1, "bot": bot} for bot in ("club", "papa", "club")],
]


def test_a_switch_is_left_as_it_was_pressed_last(page: Page) -> None:
    for pressed in SWITCHES:
        page.evaluate(ROOM)
        for command in pressed:
            page.evaluate(PRESS, command)
        assert sent(page) == pressed
        # The answer to the first one says nothing about the last, which is sent once.
        page.evaluate("() => hear({ type: 'ack', id: sent[0].id, seq: 8 })")
        page.evaluate(PRESS, pressed[-1])
        assert sent(page) == pressed


def test_a_command_names_the_table_that_was_looked_at(page: Page) -> None:
    for command in COMMANDS[:4]:
        page.evaluate(ROOM)
        page.evaluate("(n) => shown('update', n, {})", 8)
        page.evaluate(PRESS, command)
        # However late it comes, and after whatever line.
        page.evaluate("() => shown('welcome', 31, {})")
        assert sent(page) == [{**command, "seen": 8}] * 2


def test_a_yes_to_the_next_question_is_another_than_the_one_on_its_way(page: Page) -> None:
    yes = {"type": "vote", "yes": True}
    for seq, since in ((8, 1), (20, 2)):
        page.evaluate("([n, since]) => shown('update', n, { pending: { since } })", [seq, since])
        page.evaluate(PRESS, yes)
    assert sent(page) == [{**yes, "seen": 8}, {**yes, "seen": 20}]


def test_a_server_of_before_is_told_what_it_knows(page: Page) -> None:
    for command in COMMANDS[:4]:
        page.evaluate(ROOM)
        page.evaluate(PRESS, command)
        page.evaluate(REFUSE, "bad-message")
        assert sent(page) == [{**command, "seen": 7}, command]
        assert page.evaluate("sent[0].id === sent[1].id")
        page.evaluate(ANSWER)
        assert page.evaluate(URGENT) == []


def test_whoever_goes_is_not_told_that_something_went_wrong(page: Page) -> None:
    for command in ({"type": "sit", "wait": True}, {"type": "leave"}):
        page.evaluate(PRESS, command)
    page.evaluate("() => room.close()")
    assert page.evaluate(URGENT) == []


def test_whoever_is_there_is_told_what_is_refused(page: Page) -> None:
    page.evaluate(PRESS, {"type": "leave"})
    page.evaluate(REFUSE, "not-seated")
    assert len(page.evaluate(URGENT)) == 1
