"""Choosing who plays on the bots' seats, as a person does it: in the dialog of the levels."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect


def choose_bot(page: Page, button: str, *names: str) -> None:
    """Press `button`, open every fold, choose what begins with each of `names`, and take it."""
    page.get_by_role("button", name=button).first.click()
    dialog = page.locator("dialog[open]")
    expect(dialog.get_by_role("radio").first).to_be_visible()
    for name in names:
        dialog.evaluate(
            "(box) => box.querySelectorAll('details').forEach((d) => { d.open = true })"
        )
        dialog.get_by_role("radio", name=re.compile(rf"^{name}\b")).check()
    dialog.get_by_role("button", name="Choose this bot").click()
    expect(dialog).to_have_count(0)
    page.wait_for_function("() => !history.state?.dialogs")  # to go on stops a `goto`
