"""The table of what is defended names tests that there are, and misses no row of the checklist."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "SECURITY.md"
# What a table in a browser has to be defended against; see OWASP's ASVS 5.0, V4.4.
CHECKLIST = (
    *("TLS only", "Origin", "Session for sockets", "Seats", "Names and talk", "CSRF"),
    *("Size and rate", "Slow clients", "Types", "Errors", "Sessions end", "Proxy headers"),
    *("Accounts", "Logs and figures", "Packages", "Container"),
)


def rows(page: str) -> dict[str, list[str]]:
    """Return the tests that each row names."""
    table = page.partition("<!-- rows -->")[2].partition("<!-- end -->")[0]
    lines = [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("| ")]
    return {what: re.findall(r"`(\w+)`", tests) for what, _, tests in lines[1:]}


@cache
def known() -> set[str]:
    """Return the names of all tests."""
    return {
        node.name
        for path in (ROOT / "tests").rglob("test_*.py")
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


def missing(page: str) -> list[str]:
    """Return what the table lacks, and the tests that it names and there are not."""
    found, there = rows(page), known()
    lacks = [what for what in CHECKLIST if not found.get(what)]
    return lacks + sorted({test for tests in found.values() for test in tests} - there)


def test_every_row_has_tests_that_there_are() -> None:
    assert missing(PAGE.read_text("utf-8")) == []


def test_the_control_a_row_without_its_test_is_found() -> None:
    page = PAGE.read_text("utf-8")
    assert missing(page.replace("test_nobody_else_is", "test_nobody_is")) == ["test_nobody_is"]
    assert missing(page.replace("| Origin |", "| Origins |")) == ["Origin"]
