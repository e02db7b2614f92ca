"""What the rest of the program may use of the rules, and that it uses nothing else."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import rookery
import rookery.rules

PACKAGE = Path(rookery.__file__).parent
# The rules as integers, for the engine and for whatever runs as fast.
TABLES = {f"rookery.rules.{name}" for name in ("chances", "fields", "order", "table")}


def imports() -> Iterator[tuple[str, str, str]]:
    """Yield file, module and name of whatever is imported from the rules by other packages."""
    for path in PACKAGE.rglob("*.py"):
        file = path.relative_to(PACKAGE).as_posix()
        if file.startswith("rules/"):
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("rookery.rules"):
                yield from ((file, node.module or "", alias.name) for alias in node.names)


def test_others_import_public_names_and_tables_alone() -> None:
    found = list(imports())
    assert len(found) > 100
    public = set(rookery.rules.__all__)
    assert [
        each
        for each in found
        if each[1] not in TABLES and not (each[1] == "rookery.rules" and each[2] in public)
    ] == []


def test_every_public_name_is_there() -> None:
    assert sorted(rookery.rules.__all__) == sorted(set(rookery.rules.__all__))
    assert all(hasattr(rookery.rules, name) for name in rookery.rules.__all__)
