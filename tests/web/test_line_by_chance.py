"""A table's line: each command has one answer, whatever happens to the network and the server."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

PLAYED = Path(__file__).with_name("line_by_chance.js").read_text("utf-8")
EPISODES = 300
HAPPENS = {
    *("welcome", "cut", "restart", "dead", "refuses", "hangs", "up", "online", "offline"),
    *("hidden", "seen", "damaged", "given-up", "for-good", "cut-before-the-answer"),
}


def test_each_command_has_one_answer_whatever_happens_to_the_line(bare: Page) -> None:
    wrong, counted = bare.evaluate(PLAYED, list(range(EPISODES)))
    assert wrong == []
    # All that may happen has happened, the rarest of it some times.
    assert {name for name, times in counted.items() if times >= 5} == HAPPENS
