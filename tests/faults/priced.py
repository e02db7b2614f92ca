"""A request that has a price, and those that are good but once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import httpx
from tests.server.http.authenticator import Authenticator

LOCAL: Final = "http://localhost:8000"  # by that name passkeys are offered


class Ask(NamedTuple):
    """A request: its route as the server has it, what is asked for there, and what is sent."""

    method: str
    route: str
    path: str
    body: Any = None


def once(
    dear: Mapping[str, Ask],
    asked: Callable[[Ask, str], Awaitable[httpx.Response]],
    cookies: Sequence[str],
) -> dict[str, Callable[[int], Awaitable[tuple[Ask, str]]]]:
    """Return what makes request number so many, and its cookie, where it is good but once."""
    keys = [Authenticator(LOCAL) for _ in cookies]

    async def told(name: str, cookie: str) -> Any:  # noqa: ANN401  (JSON)
        return (await asked(dear[name], cookie)).json()

    async def make(number: int) -> tuple[Ask, str]:
        body = keys[number].made(await told("want_passkey", cookies[number]))
        return dear["make_passkey"]._replace(body=body), cookies[number]

    async def drop(number: int) -> tuple[Ask, str]:
        await asked(*await make(number))
        listed = await told("all_passkeys", cookies[number])
        path = f"/api/passkeys/{listed[0]['id']}"
        return dear["drop_passkey"]._replace(path=path), cookies[number]

    async def show(number: int) -> tuple[Ask, str]:
        await asked(*await make(number))
        body = keys[number].shown(await told("ask_passkey", ""))
        return dear["show_passkey"]._replace(body=body), ""

    async def change(number: int) -> tuple[Ask, str]:
        body = {**dear["change_evening"].body, "id": f"change-{number:016}"}
        return dear["change_evening"]._replace(body=body), cookies[0]

    async def drop_evening(number: int) -> tuple[Ask, str]:
        made = await told("make_evening", cookies[number])
        return dear["drop_evening"]._replace(path=f"/api/evenings/{made['code']}"), cookies[number]

    async def drop_sheet(number: int) -> tuple[Ask, str]:
        made = await told("make_sheet", cookies[number])
        return dear["drop_sheet"]._replace(path=f"/api/sheets/{made['code']}"), cookies[number]

    async def forget(number: int) -> tuple[Ask, str]:
        # The first of them has played for hours, and is not forgotten here.
        return dear["forget_me"], cookies[-1 - number]

    return {
        "make_passkey": make,
        "drop_passkey": drop,
        "show_passkey": show,
        "change_evening": change,
        "drop_evening": drop_evening,
        "drop_sheet": drop_sheet,
        "forget_me": forget,
    }
