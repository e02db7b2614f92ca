"""Write the reference pages that can be made from the code.

    python -m scripts.docs.reference

A test holds each page to what this module returns.
"""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import fill
from typing import Any, Final

import typer
from httpx import ASGITransport, AsyncClient
from scripts.docs import datasets, observations
from typer.testing import CliRunner

from rookery.cli.main import COMMANDS, SCHEMAS, app
from rookery.lab.dataset.card import columns
from rookery.lab.rows.schema import TABLES
from rookery.rules import METADATA, OPTIONS, Rules, catalog, describe, load
from rookery.server.app import create_app, registry_of
from rookery.server.http.ratelimit import RATES
from rookery.server.settings import Settings
from rookery.show.words import words

FOLDER: Final = Path(__file__).resolve().parents[2] / "docs" / "reference"
MADE: Final = "<!-- Made by `python -m scripts.docs.reference`; change the code, not this page. -->"
DAY: Final = 86_400  # seconds
SCHEMA: Final = Rules.model_json_schema()


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a Markdown table; bars inside a cell are escaped."""
    names = list(head)
    cells = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    lines = [names, ["---"] * len(names), *cells]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def commands() -> str:
    """Return the page of the command line, from the commands' own help."""
    root: Any = typer.main.get_command(app)  # of a type of Click's
    rows = ((f"[`{name}`](#rookery-{name})", does) for name, (_, does) in COMMANDS.items())
    parts = [
        "# Commands",
        MADE,
        "Every command with its arguments and options. `rookery COMMAND --help` prints the same.",
        "With `--json` a command prints one JSON document and nothing else.\n"
        "The exit status is 0 for success, 1 where the answer is no, and 2 where the input cannot\n"
        "be used. Then one line on standard error says what was wrong, and what was expected.",
        table(("Command", "Does"), rows),
    ]
    context = typer.Context(root)
    for name in COMMANDS:
        parts += _command(root.get_command(context, name), f"rookery {name}")
    return "\n\n".join(parts) + "\n"


def _command(command: Any, path: str) -> Iterator[str]:  # noqa: ANN401  (Click's own type)
    """Yield the section of one command, and those of the commands in it."""
    context = typer.Context(command, info_name=path)
    yield f"## {path}"
    yield inspect.cleandoc(command.help or "")
    inner = getattr(command, "commands", {})
    records = [param.get_help_record(context) for param in command.get_params(context)]
    rows = [
        (f"`{' '.join(record[0].split())}`", " ".join(record[1].split()))
        for record in records
        if record is not None and "--help" not in record[0]
    ]
    if rows or not inner:
        yield f"```text\n{' '.join([path, *command.collect_usage_pieces(context)])}\n```"
    if rows:
        yield table(("Argument or option", "Meaning"), rows)
    for name, one in inner.items():
        yield from _command(one, f"{path} {name}")


def variants() -> str:
    """Return the page of the catalogue: each variant with what is special about it."""
    found = [(rules, describe(rules)) for rules in map(load, catalog())]
    rows = (
        (f"`{rules.id}`", words.name, str(rules.seats), str(rules.cards), words.special or "")
        for rules, words in found
    )
    doubts = (
        (f"`{rules.id}`", words.reconstructed) for rules, words in found if words.reconstructed
    )
    parts = [
        "# Variants",
        MADE,
        f"The {len(found)} games of the catalogue. `rookery rules show ID` puts all the rules of\n"
        "one into plain words. Wherever a command takes an id, it also takes a\n"
        "[house-rule file](../tutorials/first-house-rule.md).",
        table(("Id", "Name", "Seats", "Cards", "What is special about it"), rows),
        "## Where details are our guess",
        "Some sources leave part of a game open. The missing part had to be chosen:",
        table(("Id", "What was chosen, and why"), doubts),
    ]
    return "\n\n".join(parts) + "\n"


def rule_options() -> str:
    """Return the page of the options of a rule set, from the schema of rules."""
    properties = SCHEMA["properties"]
    parts = [
        "# Rule options",
        MADE,
        f"All {len(OPTIONS)} options of a game. A house-rule file names a variant as its `base`\n"
        "and the options that differ from it; see\n"
        "[your first house rule](../tutorials/first-house-rule.md). `rookery schema rules` prints\n"
        "the same as a JSON schema.",
        _options((key, properties[key]) for key in OPTIONS),
        "## Values that are objects",
        table(("Written as", "Meaning"), _objects()),
        "## About the rule set",
        "These fields describe a game and change nothing in its play.",
        _options((key, properties[key]) for key in METADATA),
    ]
    return "\n\n".join(parts) + "\n"


def _options(options: Iterable[tuple[str, Mapping[str, Any]]]) -> str:
    rows = (
        (f"`{key}`", one["description"], _values(one), f"`{_toml(one['default'])}`")
        for key, one in options
    )
    return table(("Option", "Meaning", "Values", "Default"), rows)


def _objects() -> Iterator[tuple[str, str]]:
    for kind in SCHEMA["$defs"].values():
        fields = (f"{key} = {_value(one)}" for key, one in kind["properties"].items())
        yield f"`{{ {', '.join(fields)} }}`", kind["description"]


def _value(one: Mapping[str, Any]) -> str:
    """Return how a field of an object is written: its only value, or a letter for a number."""
    if "const" in one:
        return _toml(one["const"])
    if "anyOf" in one:
        return " or ".join(_value(way) for way in one["anyOf"])
    return " or ".join(map(_toml, one["enum"])) if "enum" in one else "n"


def _toml(value: object) -> str:
    """Return a value as a house-rule file in TOML writes it."""
    if isinstance(value, dict):
        pairs = (f"{_toml(key) if key.isdecimal() else key} = {_toml(value[key])}" for key in value)
        return f"{{ {', '.join(pairs)} }}"
    return "none" if value is None else json.dumps(value, ensure_ascii=False)


def _values(one: Mapping[str, Any]) -> str:
    """Return in words which values a field of the schema may take."""
    if "$ref" in one:
        kind = SCHEMA["$defs"][one["$ref"].rpartition("/")[2]]
        fields = ", ".join(f"{key} = {_value(field)}" for key, field in kind["properties"].items())
        return f"`{{ {fields} }}`"
    for key in ("anyOf", "oneOf"):
        if key in one:
            return ", ".join(_values(way) for way in one[key] if way.get("type") != "null")
    if "const" in one:
        return f"`{_toml(one['const'])}`"
    if "enum" in one:
        return ", ".join(f"`{_toml(word)}`" for word in one["enum"])
    if one["type"] == "array":
        return f"list of {_values(one['items'])}"
    if one["type"] == "object":
        return f"table: card or rank to {_values(one['additionalProperties'])}"
    if one["type"] == "integer":
        return f"{one['minimum']} to {one['maximum']}"
    return {"boolean": "`true`, `false`", "string": "text"}[one["type"]]


def schemas() -> str:
    """Return the page of the JSON schemas, with the fields at the top of each."""
    parts = [
        "# JSON schemas",
        MADE,
        "`rookery schema NAME` prints a JSON schema: of a file that Rookery reads, or of what a\n"
        "command prints with `--json`. A server gives the schemas of its REST interface at\n"
        "`/api/openapi.json`, and those of its socket at `/api/protocol.json`. The documentation\n"
        "has all of them as files.",
        table(("Schema", "Fields"), map(_schema, SCHEMAS)),
    ]
    return "\n\n".join(parts) + "\n"


def _schema(name: str) -> tuple[str, str]:
    if name == "rules":
        return "`rules`", "[the rule options](rule-options.md)"
    schema = json.loads(CliRunner().invoke(app, ["schema", name]).output)
    fields = (f"`{key}`" for one in _branches(schema, schema) for key in one["properties"])
    return f"`{name}`", ", ".join(dict.fromkeys(fields))


def _branches(one: Mapping[str, Any], schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the objects that a schema describes at its top: one, or each of several."""
    if "$ref" in one:
        yield from _branches(schema["$defs"][one["$ref"].rpartition("/")[2]], schema)
    elif "properties" in one:
        yield one
    elif "items" in one:
        yield from _branches(one["items"], schema)
    else:
        for branch in one.get("anyOf") or one["oneOf"]:
            yield from _branches(branch, schema)


def rest() -> str:
    """Return the page of the REST interface, from the description that a server gives."""
    described = asyncio.run(described_by_a_server())
    kinds = described["components"]["schemas"]
    routes = [
        (f"`{method.upper()} {path}`", operation)
        for path, methods in described["paths"].items()
        for method, operation in methods.items()
    ]
    rows = ((route, _first_line(told), _limit(told)) for route, told in routes)
    shapes = (_shape(route, told, kinds) for route, told in routes)
    parts = [
        "# REST",
        MADE,
        "The routes of a server. `/api/openapi.json`, or [the same as a file](schemas.md),\n"
        "describes each of them in full; [the fields](#bodies-and-answers) of bodies and answers\n"
        "are below. Seats and play go through the [socket](socket.md).",
        'Answers are JSON. A refusal is `{"error": {"code", "reason"}}` with a 4xx status.\n'
        "Whoever has the cookie `rookery` is that person; `POST /api/session` gives one, behind\n"
        "https as `__Host-rookery`.\n"
        "Every request that changes something carries the header `Origin` with the server's own\n"
        "address. Routes about rules take `?lang=en` or `es`.",
        "A limit counts the requests of one person, or of one address. Beyond it the answer is\n"
        "429, and the header `Retry-After` says how many seconds to wait. All routes under `/api`\n"
        f"together have a limit for each address: {_often(*RATES['address'])}.",
        table(("Route", "Does", "How often"), rows),
        "## Bodies and answers",
        "The fields of what a route takes and of what it answers. `=` behind a name says that it\n"
        "stands in the query, `?` that it may be left out, `[]` that it is a list; brackets\n"
        "around all fields, that the answer is a list of such objects. Their types, and the\n"
        "fields within them, are in the description.",
        "\n".join(shapes),
    ]
    return "\n\n".join(parts) + "\n"


def _shape(route: str, operation: Mapping[str, Any], kinds: Mapping[str, Any]) -> str:
    taken = _taken(operation, kinds)
    line = f"- {route}{f' takes {taken};' * bool(taken)} answers {_answered(operation, kinds)}."
    return fill(line, 88, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def _taken(operation: Mapping[str, Any], kinds: Mapping[str, Any]) -> str:
    asked = [one for one in operation.get("parameters", ()) if one["in"] == "query"]
    query = [f"`{one['name']}={'?' * (not one.get('required'))}`" for one in asked]
    body = operation.get("requestBody", {}).get("content", {}).get("application/json")
    return ", ".join([*query, *([_fields(body["schema"], kinds)] if body else [])])


def _answered(operation: Mapping[str, Any], kinds: Mapping[str, Any]) -> str:
    good = next(one for code, one in operation["responses"].items() if code.startswith("2"))
    fields = _fields(next(iter(good["content"].values()))["schema"], kinds)
    # A field that has a value by itself is answered all the same.
    return fields.replace("?", "") or " or ".join(f"`{media}`" for media in good["content"])


def _fields(one: Mapping[str, Any], kinds: Mapping[str, Any]) -> str:
    """Return the names of an object's fields, those of a list's objects in brackets."""
    if one.get("type") == "array":
        return f"[{_fields(one['items'], kinds)}]"
    if "$ref" in one:
        one = kinds[one["$ref"].rpartition("/")[2]]
    fields = one.get("properties", {}).items()
    must = one.get("required", ())
    return ", ".join(
        f"`{key}{'[]' * (part.get('type') == 'array')}{'?' * (key not in must)}`"
        for key, part in fields
    )


async def described_by_a_server() -> dict[str, Any]:
    """Return the description of the REST interface that every server gives."""
    with TemporaryDirectory() as folder:
        registry = registry_of(Settings(data=Path(folder)))
        transport = ASGITransport(create_app(registry))
        async with AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            described = dict((await client.get("/api/openapi.json")).json())
        await registry.store.close()
    return described


def _first_line(operation: Mapping[str, Any]) -> str:
    text = operation["description"].partition("\n\n")[0]
    return str(text).replace("\n", " ").replace("``", "`")


def _limit(operation: Mapping[str, Any]) -> str:
    limit = operation.get("x-limit")
    return "" if limit is None else _often(limit["often"], limit["seconds"], limit["at_once"])


def _often(tokens: float, seconds: float, burst: float) -> str:
    if seconds == DAY:
        return f"{tokens} a day"
    return f"{tokens} in {seconds} s, {burst} at once"


PARQUET: Final = """\
Every hand, trick and decision of a study as a row, for your own analysis.

`rookery study NAME --rows N --out DIR` writes the first N boards (games, in the Menagerie) of every
rule set and line-up. The hands are those that the question `match`, or the Menagerie, counts: the
same seed, the same cards, the same bots.

Seats are numbered clockwise from 0. Cards and calls are written as in a [record](records.md):
`R14 G1 RK`, or `SA HK JK` in a standard pack. `DIR` holds three files; the column `hand` joins
them. For programs, the columns are among the [schemas](schemas.md).

```python
import polars as pl

hands = pl.read_parquet("DIR/hands.parquet")
tricks = pl.read_parquet("DIR/tricks.parquet").join(hands, on="hand")
```

`rookery.lab.rows.record.record_of` makes a game record of any hand, for `rookery replay`."""


def parquet() -> str:
    """Return the page of the columns of the rows that a study writes."""
    parts = ["# Rows in Parquet", MADE, PARQUET]
    for one in TABLES.values():
        parts += [f"## `{one.name}.parquet`", one.text, columns(one)]
    return "\n\n".join(parts) + "\n"


def dataset() -> str:
    """Return the page of data sets, with the datasheet of the one in the package."""
    return "\n\n".join(("# Data sets", MADE, *datasets.body())) + "\n"


def glossary() -> str:
    """Return the glossary, the words of the game from what the interface says of them."""
    said = words("terms")
    named = {key: said[f"{key}.as"].split("; ")[0] for key in said if not key.endswith(".as")}
    rows = ((f"**{name[0].upper()}{name[1:]}**", said[key]) for key, name in named.items())
    head, game, rest = (FOLDER / "glossary.md").read_text("utf-8").partition("## The game\n")
    _, others, tail = rest.partition("## The table\n")
    made = MADE.replace("this page", "this table")
    parts = [f"{head}{game}", made, table(("Word", "Meaning"), rows), f"{others}{tail}"]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def shown() -> str:
    """Return the page of what environments show."""
    return f"# Observations\n\n{MADE}\n\n{observations.page()}\n"


def python() -> str:
    """Return the page of what a program may import."""
    from scripts.docs.website import interface  # it needs this module

    return interface.kept()


PAGES: Final[Mapping[str, Callable[[], str]]] = {
    "commands.md": commands,
    "glossary.md": glossary,
    "variants.md": variants,
    "rule-options.md": rule_options,
    "schemas.md": schemas,
    "rest.md": rest,
    "parquet.md": parquet,
    "dataset.md": dataset,
    "observations.md": shown,
    "python.md": python,
}


def main() -> None:
    """Write every page."""
    for name, page in PAGES.items():
        (FOLDER / name).write_text(page(), "utf-8")


if __name__ == "__main__":
    main()
