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
