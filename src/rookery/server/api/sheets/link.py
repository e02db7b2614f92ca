"""The link to a score sheet, for whoever looks and for whoever writes too."""

from __future__ import annotations

import hmac

from pydantic import BaseModel

from rookery.server import names
from rookery.server.api.links import qr_svg
from rookery.server.api.problems import Problem
from rookery.server.api.sheets.sheet import Sheet
from rookery.server.api.state import AppState


class SheetLink(BaseModel):
    """The link to a sheet, with the key if that was shown, and its QR code, an SVG picture."""

    link: str
    picture: str


async def link(state: AppState, sheet: Sheet, key: str | None) -> SheetLink:
    """Return the link to a sheet, for those who may write if its `key` is shown.

    Raises:
        Problem: the key is not its; code ``bad-key``.
    """
    row = sheet.found.sheet
    if key is not None and not hmac.compare_digest(names.token_hash(key), row.key):
        raise Problem("bad-key")
    way = state.links.sheet(row.code, key)
    return SheetLink(link=way, picture=qr_svg(way).decode())
