"""Behind a proxy: whose word on where a request comes from is believed."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest
from tests.server.http.served import Here
from typer.testing import CliRunner

from rookery.server.http.ratelimit import RATES, Buckets, Rate
from rookery.server.serving import configured
from rookery.server.settings import THIS_MACHINE, Settings

URL = "https://rook.example"
INSIDE, OUTSIDE = "10.71.0.9", "192.0.2.9"


def served(*proxies: str) -> Any:  # noqa: ANN401  (uvicorn's application)
    """Return an application behind proxies, where an address may ask three times."""
    settings = Settings(public_url=URL, proxies=proxies or THIS_MACHINE)
    here = Here(settings, Buckets(dict(RATES) | {"address": Rate(1, 3600, 3)}))
    config = configured(here.app, settings)
    config.load()
    return config.loaded_app


def asked(app: Any, hop: str, *forwarded: str | None) -> list[int]:  # noqa: ANN401
    """Ask once for each `X-Forwarded-For`, by a last hop; return the answers' status."""

    async def story() -> list[int]:
        transport = httpx.ASGITransport(app=app, client=(hop, 1))
        async with httpx.AsyncClient(transport=transport, base_url=URL) as browser:
            ways = ({} if way is None else {"x-forwarded-for": way} for way in forwarded)
            return [(await browser.get("/api/session", headers=w)).status_code for w in ways]

    return asyncio.run(story())


def test_people_behind_the_proxy_are_told_apart() -> None:
    app = served("10.71.0.0/23")
    people = [f"203.0.113.{number}" for number in range(1, 7)]
    assert asked(app, INSIDE, *people) == [200] * 6
    assert asked(app, INSIDE, *[people[0]] * 3) == [200, 200, 429]


def test_what_somebody_says_of_themselves_counts_for_nothing() -> None:
    app = served("10.71.0.0/23")
    lies = [f"198.51.100.{number}, 203.0.113.5" for number in range(1, 5)]
    assert asked(app, INSIDE, *lies) == [200, 200, 200, 429]
    # Of this machine, which has no limit, nobody is by saying so.
    assert asked(app, INSIDE, *["127.0.0.1, 203.0.113.6"] * 4) == [200, 200, 200, 429]


def test_no_other_hop_is_believed() -> None:
    app = served("10.71.0.0/23")
    assert asked(app, OUTSIDE, *map("203.0.113.{}".format, range(4))) == [200, 200, 200, 429]
    assert asked(app, "10.71.2.9", *map("203.0.113.{}".format, range(4)))[-1] == 429


def test_a_proxy_on_this_machine_is_believed_unless_others_are_named() -> None:
    people = [f"203.0.113.{number}" for number in range(1, 5)]
    assert asked(served(), "127.0.0.1", *people) == [200] * 4
    assert asked(served(), "127.0.0.1", *["203.0.113.7"] * 4)[-1] == 429
    # One that is not named is one address, whatever it says of others.
    named = served("10.71.0.0/23")
    assert asked(named, "127.0.0.1", *map("203.0.113.{}".format, range(4)))[-1] == 429


@pytest.mark.parametrize("hop", ["127.0.0.1", "::1", INSIDE])
def test_a_proxy_that_says_nothing_of_where_a_request_comes_from_is_one_address(hop: str) -> None:
    assert asked(served("10.71.0.0/23", *THIS_MACHINE), hop, *[None] * 4) == [200, 200, 200, 429]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--public-url", URL, "--proxy", "*"), "'*' is no address or network"),
        (("--public-url", URL, "--proxy", "10.71.0.9/23"), "'10.71.0.9/23' is no address"),
        (("--proxy", "10.71.0.0/23"), "give it with --public-url"),
        (("--proxy", "foo"), "'foo' is no address or network"),
    ],
)
def test_a_proxy_that_is_none_is_refused_in_one_line(words: tuple[str, ...], told: str) -> None:
    from rookery.cli.main import app

    done = CliRunner().invoke(app, ["serve", "--no-open", "--port", "0", *words])
    assert done.exit_code == 2
    assert done.stdout == ""
    lines = done.stderr.splitlines()
    assert len(lines) == 1
    assert "--proxy: " in lines[0]
    assert told in lines[0]
