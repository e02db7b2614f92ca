"""What the site is made of: the pages under ``docs/``, those made from the code, and files."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from scripts.docs.website import interface, schemas, variants
from scripts.docs.website.navigation import DOCS, Section, sections, toctree_below, toctrees

from rookery.rules import catalog

_FIRST_CELL: Final = re.compile(r"^\| `([\w-]+)` \|", re.MULTILINE)
_SCHEMAS_TAIL: Final = """
## Files

Each schema above is a file beside this page, and so are:

| File | Describes |
|---|---|
| [`openapi`](schemas/openapi.json) | the [REST interface](rest.md) of a server, as OpenAPI |
| [`socket-commands`](schemas/socket-commands.json) | what a client sends, see [socket](socket.md) |
| [`socket-messages`](schemas/socket-messages.json) | what a client is sent there |
| [`socket-snapshot`](schemas/socket-snapshot.json) | a table as it is shown to one seat |
"""


def below() -> dict[str, list[tuple[str, str]]]:
    """Return the pages made from the code, by the page that they belong to."""
    return {"reference/variants": variants.names(), "reference/python": interface.names()}


@cache
def menu() -> Sequence[Section]:
    """Return the navigation with the pages that are made from the code."""
    return sections(below())


def texts() -> dict[str, str]:
    """Return every page in Markdown and every file of JSON, by its path under ``docs/``."""
    written = {
        path.relative_to(DOCS).as_posix(): path.read_text("utf-8")
        for path in sorted(DOCS.rglob("*.md"))
    }
    published = schemas.files()
    made = {
        **{f"reference/variants/{one}.md": variants.page(one) for one in catalog()},
        **{f"reference/variants/{one}.json": variants.document(one) for one in catalog()},
        **interface.pages(),
        **published,
    }
    written["reference/variants.md"] = _linked(written["reference/variants.md"], "variants", made)
    tail = _SCHEMAS_TAIL + "".join(_parquet_rows(published))
    named = _linked(written["reference/schemas.md"], "schemas", made)
    written["reference/schemas.md"] = named.rstrip("\n") + "\n" + tail
    return written | made


def write(folder: Path, found: Mapping[str, str]) -> None:
    """Write pages and files for Sphinx, the navigation among them, and the pictures and data."""
    for name, text in found.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        page = name.removesuffix(".md")
        text += toctrees(menu()) if page == "index" else toctree_below(menu(), page)
        path.write_text(text, "utf-8")
    for path in others():
        target = folder / path.relative_to(DOCS)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(path.read_bytes())


def others() -> list[Path]:
    """Return the files under ``docs/`` that pages show or link to."""
    return [path for path in sorted(DOCS.rglob("*.*")) if path.suffix in (".png", ".svg", ".json")]


def _linked(page: str, folder: str, made: Mapping[str, str]) -> str:
    """Return a page with the names in the first column of its tables leading to what they name."""

    def link(found: re.Match[str]) -> str:
        name = found[1]
        for ending in (".md", ".json"):
            if f"reference/{folder}/{name}{ending}" in made:
                return f"| [`{name}`]({folder}/{name}{ending}) |"
        return found[0]

    return _FIRST_CELL.sub(link, page)


def _parquet_rows(published: Mapping[str, str]) -> list[str]:
    names = [path.rpartition("/")[2].removesuffix(".json") for path in published]
    return [
        f"| [`{name}`](schemas/{name}.json) | a file of [rows in Parquet](parquet.md), "
        "as a [Table Schema](https://specs.frictionlessdata.io/table-schema/) |\n"
        for name in names
        if name.startswith("parquet-")
    ]
