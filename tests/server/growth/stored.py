"""What a database keeps, table by table and column by column: an oracle of its own.

It is written down here and not asked of the program, so that what the program leaves out shows.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

KEPT = {
    "attempts": "person deal number day family actions begun ended",
    "mistakes": "person table_id hand place changed body",
    "sheets": "code person key_hash body touched_at",
    "sheet_entries": "code number entry_id person name writer hand seen body",
    "rated": "person table_id since",
    "rated_strangers": "person family since points error matches",
    "rated_matches": "table_id number",
    "blocks": "person blocked",
    "clock": "one at doubted ran kept_at kept_until",
    "events": "table_id seq at client_id body",
    "forgotten": "person at done",
    "passkeys": "credential person handle public_key count made_at used_at device",
    "people": "person name made_at",
    "reports": "table_id seq at person accused reason",
    "returns": "token_hash person expires",
    "seated": "person table_id",
    "sessions": "token_hash person made_at begun device",
    "spoke": "person table_id",
    "tables": "table_id open phase made_at touched_at epoch version",
}
# These belong to the servers that run.
LEFT_OUT = {
    "servers": "address secret beat_at",
    "timeline": "one id secret place commits",
    "spent": "challenge expires",
    "secrets": "name secret",
    "tables": "owner",
    "alembic_version": "version_num",
}


def rows(file: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return all that has to be kept of an SQLite database, by table, in order."""
    queries = {
        table: f"SELECT {columns.replace(' ', ', ')} FROM {table}"  # noqa: S608
        for table, columns in KEPT.items()
    }
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as plain:
        return {table: sorted(plain.execute(query), key=str) for table, query in queries.items()}
