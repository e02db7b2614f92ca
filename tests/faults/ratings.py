"""The ratings of a long table as prices are taken: everybody is rated, and all hands count."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from rookery.server.registry.ratings import newcomers
from rookery.server.store.base import Store
from rookery.server.table.state import Who

CODE: Final = "ABCDEF2"
_ROUTE: Final = ("/api/tables/{code}/ratings", f"/api/tables/{CODE}/ratings")
_MINE: Final = "/api/session/ratings"
RATED: Final[dict[str, tuple[str, str, str, Any]]] = {
    "ratings": ("GET", *_ROUTE, None),
    "rate_me": ("PUT", *_ROUTE, {"on": True}),
    "stranger_ratings": ("GET", _MINE, f"{_MINE}?table={CODE}", None),
    "rate_with_strangers": ("PUT", _MINE, _MINE, {"on": True}),
}


async def with_ratings(store: Store, people: Sequence[Who]) -> None:
    """Have people rated from the first hand on, and with strangers; those who are known."""
    for who in people:
        await store.rated.switch(who.id, CODE, 0)
        await store.rated.meet(who.id, newcomers(0))
