"""What a page sends and hears, whatever happens to the network and the server, drawn by chance."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

HERE = Path(__file__).parent
HAPPENS_AT_A_TABLE = {
    *("welcome", "cut", "restart", "dead", "refuses", "hangs", "up", "online", "offline"),
    *("hidden", "seen", "damaged", "given-up", "for-good", "cut-before-the-answer"),
}
HAPPENS_TO_PHONES = {
    *("cut", "lost", "hangs", "proxy", "up", "gone", "restored", "online", "hidden", "seen"),
    *(
        "clock",
        "reload",
        "refused",
        "nameless",
        "named",
        "GET lost",
        "POST lost",
        "GET hangs",
        "POST hangs",
    ),
}


def played(page: Page, what: str, episodes: int) -> tuple[list[str], set[str]]:
    """Return what went wrong, and what happened five times or more."""
    page.evaluate((HERE / "made_up_time.js").read_text("utf-8"))
    script = (HERE / f"{what}_by_chance.js").read_text("utf-8")
    wrong, counted = page.evaluate(script, list(range(episodes)))
    return wrong, {name for name, times in counted.items() if times >= 5}


def test_each_command_at_a_table_has_one_answer(bare: Page) -> None:
    wrong, happened = played(bare, "line", 300)
    assert wrong == []
    assert happened == HAPPENS_AT_A_TABLE


def test_what_two_phones_write_arrives_once_and_in_their_order(bare: Page) -> None:
    wrong, happened = played(bare, "outbox", 150)
    assert wrong == []
    assert happened == HAPPENS_TO_PHONES
