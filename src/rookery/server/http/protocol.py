"""The socket's protocol for programmers: schemas, and the tables of docs/reference/socket.md."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, Final, get_args

import msgspec

from rookery.server.http.ratelimit import RATES
from rookery.server.http.sockets import CLOSINGS
from rookery.server.http.websocket import kind_of
from rookery.server.table import commands as cm
from rookery.server.table import messages as ms
from rookery.server.table.refusals import RULES_CODES, TABLE_CODES
from rookery.server.table.snapshot import Snapshot

ELSEWHERE: Final = {
    1009: "a message was too long",
    1011: "nothing was heard for too long",
    1012: "the server restarts; come back",
}
TOO_FAST_TOLD: Final = "too many messages; the reason says how long to wait"
RULES_TOLD: Final = "the rules do not allow it; the reason says why"


@lru_cache(maxsize=1)
def schemas() -> dict[str, Any]:
    """Return the JSON schemas of what is said on a socket."""
    return {
        "commands": msgspec.json.schema(cm.Command),
        "messages": msgspec.json.schema(ms.Message),
        "snapshot": msgspec.json.schema(Snapshot),
    }


def commands_table() -> str:
    """Return what a client may say, a row each."""
    rows = (
        (f"`{_tag(kind)}`", _fields(kind), f"`{kind_of(kind)}`", _first_line(kind))
        for kind in get_args(cm.Command)
    )
    return _table(("type", "fields", "limit", "means"), rows)


def messages_table() -> str:
    """Return what a client is told, a row each."""
    rows = ((f"`{_tag(kind)}`", _fields(kind), _first_line(kind)) for kind in get_args(ms.Message))
    return _table(("type", "fields", "means"), rows)


def refusals_table() -> str:
    """Return why something may be refused, a row each."""
    rules = ", ".join(f"`{code}`" for code in sorted(RULES_CODES))
    rows = [(f"`{code}`", told) for code, told in sorted(TABLE_CODES.items())]
    return _table(("code", "means"), [*rows, ("`too-fast`", TOO_FAST_TOLD), (rules, RULES_TOLD)])


def closings_table() -> str:
    """Return with what number a socket may be closed, a row each."""
    rows = [(str(code), told) for code, told in sorted({**ELSEWHERE, **CLOSINGS}.items())]
    return _table(("code", "means"), rows)


def limits_table() -> str:
    """Return how often something may be said, a row each."""
    kinds = sorted({kind_of(kind) for kind in get_args(cm.Command)} | {"garbage", "connect"})
    rates = [(kind, RATES[kind]) for kind in kinds]
    rows = [(f"`{k}`", f"{r.tokens:g} in {r.seconds:g} s", f"{r.burst:g}") for k, r in rates]
    return _table(("limit", "how often", "at once"), rows)


TABLES: Final[dict[str, Callable[[], str]]] = {
    "commands": commands_table,
    "messages": messages_table,
    "refusals": refusals_table,
    "closings": closings_table,
    "limits": limits_table,
}


def _tag(kind: type[msgspec.Struct]) -> str:
    return str(kind.__struct_config__.tag)


def _fields(kind: type[msgspec.Struct]) -> str:
    names = (
        f"`{field.encode_name}{'' if field.required else '?'}`"
        for field in msgspec.structs.fields(kind)
    )
    return ", ".join(names)


def _first_line(kind: type[msgspec.Struct]) -> str:
    text = (inspect.getdoc(kind) or "").partition("\n\n")[0]
    return text.replace("\n", " ").replace("``", "`")


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    names = list(head)
    lines = [names, ["---"] * len(names), *(list(row) for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def rewritten(page: str) -> str:
    """Return a page with each table behind its mark, such as ``<!-- commands -->``, made anew."""
    for name, table in TABLES.items():
        fresh = f"<!-- {name} -->\n\n{table()}\n\n<!-- end -->"
        before, mark, rest = page.partition(f"<!-- {name} -->")
        if mark:
            page = before + fresh + rest.partition("<!-- end -->")[2]
    return page
