"""`rookery serve` with evenings on screens that go on soon, and a fault in them; see `broken`."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Sequence
from typing import Any

from rookery.evening.log import fold
from rookery.server import names
from rookery.server.api.evenings import screens
from rookery.server.store.people.sheets import SheetEntry, SheetFound
from rookery.server.store.people.sheets_sql import SqlSheets
from rookery.server.table import events as ev
from rookery.server.table import seating


def brisk() -> None:
    """Go on soon after the last table of a round, which is no fault: a test cannot wait."""
    vars(fold)["PAUSE"] = 150
    vars(screens)["EVERY"] = 0.05


def foretold() -> None:
    """Show what is written of tables on screens before it is in the database."""
    brisk()
    of, entries, write = SqlSheets.of, SqlSheets.entries, SqlSheets.write
    early: dict[str, list[SheetEntry]] = {}
    running: list[asyncio.Task[None]] = []

    async def found(self: SqlSheets, code: str, since: int) -> SheetFound | None:
        sound = await of(self, code, since)
        more = len(early.get(code, []))
        return sound and sound._replace(entries=sound.entries + more)

    async def told(self: SqlSheets, code: str, after: int = 0) -> list[SheetEntry]:
        more = [one for one in early.get(code, []) if one.number > after]
        return [*await entries(self, code, after), *more]

    async def written(self: SqlSheets, code: str, entry: SheetEntry, *rest: Any) -> int | None:  # noqa: ANN401
        there = await found(self, code, 0)
        if there is None or not entry.id.startswith(("t-", "s-", "r-", "e-")):
            return await write(self, code, entry, *rest)
        kept = entry._replace(number=there.entries + 1, writer=there.entries + 1)
        early.setdefault(code, []).append(kept)

        async def later() -> None:
            await asyncio.gather(*running[-2:-1])
            await asyncio.sleep(0.2)
            await write(self, code, entry, *rest)
            early[code].remove(kept)

        running.append(asyncio.create_task(later()))
        return kept.number

    for name, fault in {"of": found, "entries": told, "write": written}.items():
        setattr(SqlSheets, name, fault)


def anew() -> None:
    """Make a table on screens once more, under a code that the log does not know."""
    brisk()
    sound: Callable[..., Any] = screens._open

    async def opened(*asked: Any) -> None:  # noqa: ANN401
        await sound(*asked)
        await sound(*asked[:-1], names.new_code())

    vars(screens).update(_open=opened)


def turned() -> None:
    """Seat everybody one place further at a table on screens than their evening says."""
    brisk()
    sound = seating.opened

    def opened(made: Any, joined: Any, sitting: Any, *rest: Any) -> list[ev.Event]:  # noqa: ANN401
        return sound(made, joined, [*sitting[1:], sitting[0]], *rest)

    vars(seating)["opened"] = opened


def unscored() -> None:
    """Do not write what tables on screens have scored."""
    sound: Callable[..., Any] = screens._rows

    async def rows(*asked: Any) -> None:  # noqa: ANN401
        await sound(*asked)

    vars(screens).update(_rows=rows)


FAULTS: dict[str, Callable[[], None]] = {
    "brisk": brisk,
    "foretold": foretold,
    "anew": anew,
    "turned": turned,
    "unscored": unscored,
}


def main(arguments: Sequence[str]) -> None:
    """Put the fault in and serve."""
    from rookery.cli.main import app

    FAULTS[arguments[0]]()
    app(args=list(arguments[1:]))


if __name__ == "__main__":
    main(sys.argv[1:])
