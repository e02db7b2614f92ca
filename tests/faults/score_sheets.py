"""The dearest that may be asked of a score sheet, and a long one."""

from __future__ import annotations

import json
from typing import Any, Final

from tests.server.core.tables import PEOPLE

from rookery.rules import variant
from rookery.server.store.base import Store
from rookery.server.store.people.sheets import SheetEntry, SheetRow

CODE: Final = "ABCDEF2"
PLAYERS: Final = ["Ann", "Bob", "Cy", "Dee"]
SAID: Final = {"declarer": "0", "bid": 100, "points": {"0": "+".join(["10"] * 11)}}
WRITTEN: Final = {"id": "x" * 16, "hand": 7, "over": 1_000, "said": SAID}
_ONE: Final = "/api/sheets/{sheet}"
_AT: Final = f"/api/sheets/{CODE}"
# By name: the method, the route, the path, and what is sent.
SHEETS: Final[dict[str, tuple[str, str, str, Any]]] = {
    "make_sheet": (
        *("POST", "/api/sheets", "/api/sheets"),
        {"rules": "kd_full_57", "players": PLAYERS},
    ),
    "one_sheet": ("GET", _ONE, _AT, None),
    "write_on_sheet": ("POST", f"{_ONE}/entries", f"{_AT}/entries", WRITTEN),
    "check_hand": ("POST", f"{_ONE}/check", f"{_AT}/check", {"said": SAID}),
    "sheet_result": ("POST", f"{_ONE}/result", f"{_AT}/result", {"over": 12_000}),
    "sheet_link": ("GET", f"{_ONE}/link", f"{_AT}/link", None),
    "sheet_file": ("GET", f"{_ONE}/file", f"{_AT}/file", None),
    "drop_sheet": ("DELETE", _ONE, "/api/sheets/ABCDEF3", None),
}


async def with_sheet(
    store: Store, code: str, hands: int, now: int, at: dict[str, Any] | None = None
) -> None:
    """Keep a score sheet of so many hands; `at` says of which table at an evening."""
    rules = variant("kd_tournament").model_dump(mode="json")
    who = {"players": PLAYERS} if at is None else {"at": at}
    about = {"rules": rules, "hands": None, "dealer": 0, "agree": False, **who}
    await store.sheets.add(SheetRow(code, PEOPLE[0].id, "hash", json.dumps(about), now))
    for hand in range(hands):
        # As different as can be: what is said alike is read once.
        points, bid = 5 * (hand % 25), 70 + 5 * (hand % 11)
        said = json.dumps({"declarer": str(hand % 4), "bid": bid, "points": {"0": points}})
        entry = SheetEntry(0, f"entry {hand}", PEOPLE[0].id, "Ann", 0, hand, 0, said)
        await store.sheets.write(code, entry, now, hands)
