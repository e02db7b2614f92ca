"""The dearest that may be asked of an evening of many tables, and a long one."""

from __future__ import annotations

import json
from typing import Any, Final

from tests.server.core.tables import PEOPLE

from rookery.evening.log.changes import KEPT, NextRound, Score
from rookery.evening.log.fold import EveningLog
from rookery.evening.movements.changes import begin
from rookery.rules import variant
from rookery.server.store.base import Store
from rookery.server.store.people.sheets import SheetEntry, SheetRow

CODE: Final = "ABCDEF4"
MANY: Final = 400
NAMES: Final = [f"Guest {number:>17}" for number in range(MANY)]
LATE: Final = {"do": "arrive", "names": [f"Late {number}" for number in range(MANY)]}
_ONE: Final = "/api/evenings/{evening}"
_AT: Final = f"/api/evenings/{CODE}"
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
        {"id": "x" * 16, "change": LATE},
    ),
    "evening_deal": ("GET", f"{_ONE}/deals/{{number}}", f"{_AT}/deals/1", None),
    "evening_slips": ("GET", f"{_ONE}/slips", f"{_AT}/slips", None),
    "evening_opened": ("GET", f"{_ONE}/opened", f"{_AT}/opened", None),
    "keep_sheet": ("POST", f"{_ONE}/sheets", f"{_AT}/sheets", {"round": 1, "table": 1}),
    "evening_link": ("GET", f"{_ONE}/link", f"{_AT}/link", None),
    "evening_file": ("GET", f"{_ONE}/file", f"{_AT}/file?form=json", None),
    "drop_evening": ("DELETE", _ONE, "/api/evenings/ABCDEF5", None),
}


async def with_evening(
    store: Store, rounds: int, now: int, code: str = CODE, people: int = MANY
) -> dict[str, Any]:
    """Keep an evening of so many rounds, each table with a score; return where table 1 is in one.

    That is what a score sheet keeps of its table.
    """
    names = NAMES[:people]
    rules = [variant("kd_tournament").model_dump(mode="json")]
    about: dict[str, Any] = {"name": "Friday", "movement": "halves", "best_of": 1, "boards": 2}
    about |= {"agree": False, "people": names, "rules": rules, "seed": 1}
    body = json.dumps({"kind": "evening", **about})
    await store.sheets.add(SheetRow(code, PEOPLE[0].id, "hash", body, now))
    log, number = EveningLog(begin("halves", people, seed=1), names), 0

    async def write(change: NextRound | Score) -> None:
        nonlocal number
        kept, number = log.asked(change, now), number + 1
        log.take(number, f"entry {number}", kept, 1)
        line = KEPT.dump_json(kept).decode()
        entry = SheetEntry(0, f"entry {number}", PEOPLE[0].id, "Ann", 0, 0, 0, line)
        await store.sheets.write(code, entry, now, 20_000)

    for round_ in range(1, rounds + 1):
        await write(NextRound(do="round", round=round_))
        for table in log.evening.rounds[-1].tables:
            rows = [[10 * (table.number % 9), 60, 10 * (table.number % 9), 60]]
            said = Score(do="score", round=round_, table=table.number, rows=rows, over=0)
            await write(said)
    seats = list(log.table(1, 1).seats)
    return {"evening": code, "round": 1, "table": 1, "seats": seats, "since": 0, "mark": "x"}
