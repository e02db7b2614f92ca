"""The reference pages that are made from the code are what the code makes today."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from scripts.docs import reference

from rookery.cli.main import COMMANDS
from rookery.rules import METADATA, OPTIONS, catalog


@pytest.mark.parametrize(("file", "page"), reference.PAGES.items(), ids=list(reference.PAGES))
def test_a_page_is_what_the_code_makes(file: str, page: Callable[[], str]) -> None:
    kept = (reference.FOLDER / file).read_text("utf-8")
    assert kept == page(), "run: python -m scripts.docs.reference"


def test_nothing_is_left_out() -> None:
    text = "".join(page() for page in reference.PAGES.values())
    for name in COMMANDS:
        assert f"\n## rookery {name}\n" in text
    for row in (*OPTIONS, *METADATA, *catalog()):
        assert f"\n| `{row}` | " in text


def test_what_a_route_takes_and_answers_stands_beside_it() -> None:
    rows = dict[str, list[str]]()
    for line in reference.rest().partition("## Bodies and answers")[2].splitlines():
        if line.startswith("| `"):
            route, *rest = line.strip("| ").split(" | ")
            rows[route.strip("`")] = [*map(str.strip, rest)]
    assert rows["POST /api/session"][0] == "`name`"
    assert rows["POST /api/tables"][0].startswith("`rules?`, ")
    assert rows["POST /api/tables"][1] == "`code`, `link`"
    assert rows["GET /api/tables"][1].startswith("[`code`, ")
    assert rows["GET /api/tables/{code}/qr.svg"][-1].endswith("`image/svg+xml`")
    assert rows["GET /api/session/ratings"][0] == "`?table`"
    assert all(len(row) == 2 or row[0].startswith("|") for row in rows.values())
