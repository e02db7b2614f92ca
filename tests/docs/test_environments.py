"""The figures of the environments' page are those that are kept."""

from __future__ import annotations

from copy import deepcopy

from scripts.docs import environments


def test_the_page_has_the_figures_that_are_kept() -> None:
    text = environments.PAGE.read_text("utf-8")
    found = environments.latest()
    assert environments.filled(text, found) == text, "run: python -m scripts.docs.environments"


def test_another_figure_is_another_page() -> None:
    """The control."""
    text = environments.PAGE.read_text("utf-8")
    changed = deepcopy(environments.latest())
    changed["ours"]["vector"]["per_second"] += 1
    assert environments.filled(text, changed) != text


def test_what_could_not_run_is_said() -> None:
    found = deepcopy(environments.latest())
    found["others"]["rlcard bridge"] = {"failed": "no such package"}
    assert "| rlcard bridge | could not run |  |" in environments.tables(found)
