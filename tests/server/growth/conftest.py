"""One PostgreSQL and one Redis for all tests here, each of which finds the database empty."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.server.growth.engines import Engine, Postgres, postgres, redis


@pytest.fixture(scope="session")
def elephant() -> Iterator[Postgres]:
    with postgres() as engine:
        yield engine


@pytest.fixture
def database(elephant: Postgres) -> str:
    return elephant.emptied()


@pytest.fixture(scope="session")
def herald() -> Iterator[Engine]:
    with redis() as engine:
        yield engine
