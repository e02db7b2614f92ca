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
    told = reference.rest().partition("## Bodies and answers")[2]
    assert max(map(len, told.splitlines())) <= 88
    lines = [" ".join(line.split()) for line in told.split("\n- ")]
    for line in (
        "`POST /api/session` takes `name`; answers `person`, `name`, ",
        "`POST /api/tables` takes `rules?`, `title?`, `open?`, `bots[]?`, ",
        "`GET /api/tables` answers [`code`, ",
        "`GET /api/tables/{code}/qr.svg` answers `image/svg+xml`.",
        "`GET /api/session/ratings` takes `table=?`; answers ",
        "`GET /api/movements` takes `people=`, `rounds=?`, ",
        "`GET /api/sheets/{sheet}/file` takes `form=?`, `lang=?`; answers `text/csv` or ",
    ):
        assert [one for one in lines if one.startswith(line)], line
    assert any(one.endswith(" answers `code`, `link`.") for one in lines)
