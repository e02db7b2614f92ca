"""A server on a copy of the kept data folder, and a browser."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.kept.looks import V0_1
from tests.kept.served import Server, brought_to_today, served
from tests.web.conftest import chromium, pytest_runtest_teardown, running

__all__ = ["chromium", "pytest_runtest_teardown", "running", "server"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    data = Path(shutil.copytree(V0_1 / "data", tmp_path_factory.mktemp("kept") / "data"))
    (database,) = (path for path in data.iterdir() if path.suffix == ".sqlite3")
    brought_to_today(database)
    with served(data) as running:
        yield running
