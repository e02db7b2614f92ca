"""The published schemas: what files, answers, sockets and tables hold, each a file of JSON.

All come from the models that the program itself reads and writes with.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any, Final

import polars as pl
from pydantic import TypeAdapter
from scripts.docs.reference import described_by_a_server

from rookery.cli.main import SCHEMAS, load
from rookery.lab.rows.schema import TABLES, Table
from rookery.server.api.tables import socket_schemas

FOLDER: Final = "reference/schemas"
DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
# The words of https://specs.frictionlessdata.io/table-schema/ for a column's type.
_KINDS: Final = {"Int64": "integer", "String": "string", "Boolean": "boolean"}


def files() -> dict[str, str]:
    """Return the text of each published schema by its path under ``docs/``."""
    found: dict[str, Any] = {
        name: {"$schema": DIALECT, **TypeAdapter(load(target)).json_schema()}
        for name, target in SCHEMAS.items()
    }
    found["openapi"] = asyncio.run(described_by_a_server())
    found |= {
        f"socket-{name}": {"$schema": DIALECT, **one} for name, one in socket_schemas().items()
    }
    found |= {f"parquet-{one.name}": table_schema(one) for one in TABLES.values()}
    return {
        f"{FOLDER}/{name}.json": json.dumps(one, indent=1) + "\n" for name, one in found.items()
    }


def table_schema(table: Table) -> dict[str, Any]:
    """Return the columns of a Parquet file as a Table Schema."""
    fields = [
        {"name": one.name, "type": _kind(one.kind), "description": one.text}
        for one in table.columns
    ]
    return {"title": f"{table.name}.parquet", "description": table.text, "fields": fields}


def _kind(kind: Any) -> str:  # noqa: ANN401  (Polars' own type)
    return "array" if isinstance(kind, pl.List) else _KINDS[str(kind)]
