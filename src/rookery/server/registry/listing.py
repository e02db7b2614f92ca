"""What anybody may know of a table without sitting there: never a card of a hand under way."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from rookery.server.table.pieces import Chair
from rookery.server.table.projection import fixed_sides
from rookery.server.table.state import Table


class SeatListed(BaseModel):
    """A seat: who sits there, and whether somebody may sit down."""

    name: str
    kind: str
    bot: str | None
    here: bool
    free: bool


class RulesListed(BaseModel):
    """The rules of a table, whole."""

    id: str | None
    name: str
    options: dict[str, Any]


class TableListed(BaseModel):
    """A table in a list.

    ``you`` is the seat of whoever asks, ``touched_at`` when something last happened there,
    milliseconds since 1970.
    """

    code: str
    title: str
    open: bool
    phase: str
    rules_id: str | None
    rules_name: str
    seats: list[SeatListed]
    free: int
    you: int | None
    totals: list[int] | None
    winners: list[int] | None
    touched_at: int


class TableSeen(TableListed):
    """A table before one sits down: also its rules, its link, and how many hands are finished.

    ``sides`` is who plays with whom by the rules, null where a card calls the partner.
    """

    host: int | None
    pace: str
    clock: int | None
    rules: RulesListed
    sides: list[list[int]] | None
    link: str
    hands: int


def listed(table: Table, person: str | None) -> TableListed:
    """Return a table as it is listed for a person."""
    return TableListed(**_common(table, person))


def seen(table: Table, person: str | None, link: str) -> TableSeen:
    """Return a table as somebody sees it who has its link."""
    rules = RulesListed(
        id=table.rules.id, name=table.rules.name, options=dict(table.rules.options())
    )
    return TableSeen(
        **_common(table, person),
        host=table.host,
        pace=table.pace,
        clock=table.clock,
        rules=rules,
        sides=fixed_sides(table),
        link=link,
        hands=table.finished,
    )


def _common(table: Table, person: str | None) -> dict[str, Any]:
    match = table.match
    seats = [seat_listed(chair) for chair in table.chairs]
    return {
        "code": table.code,
        "title": table.title,
        "open": table.open,
        "phase": table.phase,
        "rules_id": table.rules.id,
        "rules_name": table.rules.name,
        "seats": seats,
        "free": sum(seat.free for seat in seats),
        "you": table.seat_of(person),
        "totals": None if match is None else list(match.totals),
        "winners": None if match is None or match.winners is None else list(match.winners),
        "touched_at": table.touched_at,
    }


def seat_listed(chair: Chair) -> SeatListed:
    """Return a seat as it is listed."""
    return SeatListed(
        name=chair.name,
        kind=chair.kind,
        bot=chair.bot,
        here=chair.here or chair.kind == "bot",
        free=chair.kind == "empty" or chair.spare,
    )
