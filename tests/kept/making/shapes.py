"""Print which fields everything has that two servers of different versions read of each other."""

from __future__ import annotations

import json
from typing import Any, get_args

import msgspec

from rookery.evening.log.changes import KEPT
from rookery.server.cluster.pubsub import Notice
from rookery.server.table.events import Event


def structs(union: Any) -> dict[str, list[str]]:  # noqa: ANN401
    """Return the fields of each struct of a union, as they are written, by its tag."""
    found: dict[str, list[str]] = {}
    for struct in get_args(union):
        tag = struct.__struct_config__.tag
        found[tag] = [field.encode_name for field in msgspec.structs.fields(struct)]
    return found


def changes() -> dict[str, list[str]]:
    """Return the fields of each entry in the log of an evening, by what it does."""
    models = KEPT.json_schema(mode="serialization")
    kinds = models["discriminator"]["mapping"]
    of = {do: models["$defs"][at.rpartition("/")[2]] for do, at in kinds.items()}
    return {do: [name for name in model["properties"] if name != "do"] for do, model in of.items()}


def shapes() -> dict[str, dict[str, list[str]]]:
    """Return the fields of the events of a table, of notices, and of the entries of an evening."""
    return {"events": structs(Event), "notices": structs(Notice), "changes": changes()}


if __name__ == "__main__":
    lines = ",\n".join(
        f' "{kind}": {{\n'
        + ",\n".join(f'  "{tag}": {json.dumps(names)}' for tag, names in sorted(found.items()))
        + "\n }"
        for kind, found in shapes().items()
    )
    print(f"{{\n{lines}\n}}")
