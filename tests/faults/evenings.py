"""The dearest that may be asked of an evening of many tables, and a long one."""

from __future__ import annotations

import json
from typing import Any, Final

from tests.server.core.tables import PEOPLE

from rookery.evening.log.changes import KEPT, Change, End, NextRound, Score
from rookery.evening.log.fold import EveningLog
from rookery.evening.log.names import begun
from rookery.rules import variant
from rookery.server.store.base import Store
from rookery.server.store.people.sheets import SheetEntry, SheetRow

CODE: Final = "ABCDEF4"
PREPARED: Final = "ABCDEF6"  # of prepared deals, which is over
MANY: Final = 400
NAMES: Final = [f"Guest {number:>17}" for number in range(MANY)]
NEWEST: Final = 12_000  # entry that a phone can have seen
SCORED: Final = {"do": "score", "round": 1, "table": 1, "rows": [[70, 50] * 2], "over": NEWEST}
_ONE: Final = "/api/evenings/{evening}"
_AT: Final = f"/api/evenings/{CODE}"
_DEALT: Final = f"/api/evenings/{PREPARED}"
# By name: the method, the route, the path, and what is sent.
EVENINGS: Final[dict[str, tuple[str, str, str, Any]]] = {
    "movements_for": ("GET", "/api/movements", f"/api/movements?people={MANY}&rounds=12", None),
    "make_evening": (
        *("POST", "/api/evenings", "/api/evenings"),
        {"movement": "individual", "people": NAMES},
    ),
    "one_evening": ("GET", _ONE, _AT, None),
    "evening_round": ("GET", f"{_ONE}/rounds/{{number}}", f"{_AT}/rounds/1", None),
    "evening_links": ("GET", f"{_ONE}/rounds/{{number}}/links", f"{_AT}/rounds/1/links", None),
    "change_evening": (
        *("POST", f"{_ONE}/changes", f"{_AT}/changes"),
        {"id": "a-change-of-many-#", "change": SCORED},
    ),
    "evening_deal": ("GET", f"{_ONE}/deals/{{number}}", f"{_DEALT}/deals/1", None),
    "evening_slips": ("GET", f"{_ONE}/slips", f"{_DEALT}/slips", None),
    "evening_opened": ("GET", f"{_ONE}/opened", f"{_DEALT}/opened", None),
    "keep_sheet": ("POST", f"{_ONE}/sheets", f"{_AT}/sheets", {"round": 1, "table": 1}),
    "evening_link": ("GET", f"{_ONE}/link", f"{_AT}/link", None),
    "evening_file": ("GET", f"{_ONE}/file", f"{_AT}/file?form=json", None),
    "drop_evening": ("DELETE", _ONE, "/api/evenings/ABCDEF5", None),
}
# What is dear for whoever runs it alone, and refused to others.
OF_HOST: Final = {"evening_links", "change_evening", "evening_slips"}


async def with_evening(store: Store, rounds: int, now: int) -> dict[str, Any]:
    """Keep an evening of so many rounds, each table with a score; return where table 1 is in one.

    That is what a score sheet keeps of its table.
    """
    about = {"movement": "halves", "boards": 2}
    log = await _kept(store, CODE, rounds, now, about)
    seats = list(log.evening.table(1, 1).seats)
    return {"evening": CODE, "round": 1, "table": 1, "seats": seats, "since": 0, "mark": "x"}


async def with_prepared(store: Store, boards: int, now: int) -> None:
    """Keep an evening that is over, whose tables had so many deals each, by the server's slips."""
    about = {"movement": "mitchell", "boards": boards, "key": bytes(32).hex()}
    await _kept(store, PREPARED, 1, now, about, End(do="end", over=True))


async def _kept(
    store: Store, code: str, rounds: int, now: int, about: dict[str, Any], *more: Change
) -> EveningLog:
    """Keep an evening of so many rounds, each table with a score, and of what happens then."""
    rules = [variant("kd_tournament").model_dump(mode="json")]
    about |= {"name": "Friday", "best_of": 1, "agree": False, "people": NAMES, "rules": rules}
    about |= {"seed": 1}
    body = json.dumps({"kind": "evening", **about})
    await store.sheets.add(SheetRow(code, PEOPLE[0].id, "hash", body, now))
    log, number = begun(about), 0

    async def write(change: Change) -> None:
        nonlocal number
        kept, number = log.asked(change, now), number + 1
        log.take(number, f"entry {number}", kept, 1)
        line = KEPT.dump_json(kept).decode()
        entry = SheetEntry(0, f"entry {number}", PEOPLE[0].id, "Ann", 0, 0, 0, line)
        await store.sheets.write(code, entry, now, 20_000)

    for round_ in range(1, rounds + 1):
        await write(NextRound(do="round", round=round_))
        for table in log.evening.rounds[-1].tables:
            row = [10 * (table.number % 9), 60, 10 * (table.number % 9), 60]
            rows = [row] * (len(table.boards) or 1)
            said = Score(do="score", round=round_, table=table.number, rows=rows, over=0)
            await write(said)
    for change in more:
        await write(change)
    return log
