"""The tables of docs/reference/socket.md: ``python -m scripts.docs.protocol`` makes them afresh.

Commands, messages, codes and limits are read from the program.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, get_args

import msgspec

from rookery.server.http.ratelimit import RATES, kind_of_command
from rookery.server.live.sockets import CLOSINGS
from rookery.server.table import commands as cm
from rookery.server.table import messages as ms
from rookery.server.table.refusals import RULES_CODES, TABLE_CODES

PAGE: Final = Path(__file__).resolve().parents[2] / "docs" / "reference" / "socket.md"
# What uvicorn closes a socket with.
OF_THE_TRANSPORT: Final = {
    1009: "a message was too long",
    1011: "the client did not answer a ping",
}
TOO_FAST: Final = "too many messages; the reason says how long to wait"
RULES: Final = "the rules do not allow it; the reason says why"


def commands_table() -> str:
    """Return the commands of a client, a row each."""
    rows = (
        (f"`{_tag(kind)}`", _fields(kind), f"`{kind_of_command(kind)}`", _first_line(kind))
        for kind in get_args(cm.Command)
    )
    return _table(("type", "fields", "limit", "means"), rows)


def messages_table() -> str:
    """Return the messages to a client, a row each."""
    rows = ((f"`{_tag(kind)}`", _fields(kind), _first_line(kind)) for kind in get_args(ms.Message))
    return _table(("type", "fields", "means"), rows)


def refusals_table() -> str:
    """Return the codes of all refusals and what each means; those of the rules share a row."""
    rows = [(f"`{code}`", meaning) for code, meaning in sorted(TABLE_CODES.items())]
    rules = ", ".join(f"`{code}`" for code in sorted(RULES_CODES))
    return _table(("code", "means"), [*rows, ("`too-fast`", TOO_FAST), (rules, RULES)])


def closings_table() -> str:
    """Return the codes with which a socket may be closed, a row each."""
    rows = [
        (str(code), meaning) for code, meaning in sorted({**OF_THE_TRANSPORT, **CLOSINGS}.items())
    ]
    return _table(("code", "means"), rows)


def limits_table() -> str:
    """Return how often a client may send each kind of command, a row each."""
    others = {"garbage", "connect", "household"}
    kinds = sorted({kind_of_command(kind) for kind in get_args(cm.Command)} | others)
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
    """Return a page with every table made afresh behind its mark, such as ``<!-- commands -->``."""
    for name, table in TABLES.items():
        fresh = f"<!-- {name} -->\n\n{table()}\n\n<!-- end -->"
        before, mark, rest = page.partition(f"<!-- {name} -->")
        if mark:
            page = before + fresh + rest.partition("<!-- end -->")[2]
    return page


if __name__ == "__main__":
    PAGE.write_text(rewritten(PAGE.read_text("utf-8")), "utf-8")
