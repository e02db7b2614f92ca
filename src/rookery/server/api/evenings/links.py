"""The links to an evening: to look, to run it, and to score one of its tables."""

from __future__ import annotations

import hmac

from pydantic import BaseModel

from rookery.server import names
from rookery.server.api.evenings.evening import Found, table_key
from rookery.server.api.links import qr_svg
from rookery.server.api.problems import Problem
from rookery.server.api.state import AppState


class EveningLink(BaseModel):
    """The link to an evening, with the key that was shown or a table's, and its QR code, SVG."""

    link: str
    picture: str


def link(state: AppState, found: Found, key: str | None, table: int | None) -> EveningLink:
    """Return the link to an evening.

    Args:
        state: the server.
        found: the evening.
        key: its key, if the link is for others who run it; None to look.
        table: the number of a table, if the link is for whoever scores that.

    Raises:
        Problem: the key is not its, or somebody else runs it; code ``bad-key``.
    """
    row = found.row
    if table is not None:
        if not found.you.host:
            raise Problem("bad-key")
        way = state.links.evening(row.code, table_key(row, table), table)
    else:
        if key is not None and not hmac.compare_digest(names.token_hash(key), row.key):
            raise Problem("bad-key")
        way = state.links.evening(row.code, key)
    return EveningLink(link=way, picture=qr_svg(way).decode())
