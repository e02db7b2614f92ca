"""The prepared deals of an evening with real cards: slips to deal them by, and at the end all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

import msgspec

from rookery.evening.duplicate.slips import opened_hand, opened_record, seated_rounds, slips_of
from rookery.evening.movements.rounds import laid_out, prepared_deals
from rookery.evening.movements.state import Evening, EveningError
from rookery.server.api.evenings.evening import Found, refused
from rookery.server.api.problems import Problem
from rookery.server.work import in_pieces, in_thread

T = TypeVar("T")
PIECE: Final = 50  # deals, some 20 ms of a core


async def tell_slips(found: Found) -> bytes:
    """Return the slips of an evening with real cards, for whoever runs it; they show all cards.

    They are JSON: ``deals`` as in `Slips`, and ``rounds`` as they are planned, see `_rounds`.

    Raises:
        Problem: somebody else runs it (``bad-key``), the server does not deal these cards
            (``no-slips``), or so many pairs cannot play (``bad-change``).
    """
    if not found.you.host:
        raise Problem("bad-key")
    deals = found.held.deals()
    if deals is None or found.held.log.screens is not None:
        raise Problem("no-slips")
    evening = await in_thread(_laid_out, found)
    told = {
        "deals": await _of_all(lambda number: slips_of(deals, number)._asdict(), evening),
        "rounds": await in_thread(_rounds, evening),
    }
    return await in_thread(msgspec.json.encode, told)


async def tell_opened(found: Found) -> str:
    """Return the record of all prepared deals with their key, once the evening is over.

    Raises:
        Problem: others may still play (``not-over``), or the server did not deal (``no-slips``).
    """
    deals = found.held.deals()
    if deals is None:
        raise Problem("no-slips")
    if not found.held.log.is_open:
        raise Problem("not-over")
    evening = await in_thread(_laid_out, found)
    hands = await _of_all(lambda number: opened_hand(deals, number), evening)
    return await in_thread(opened_record, deals, hands)


async def _of_all(make: Callable[[int], T], evening: Evening) -> list[T]:
    """Return what is made of each deal, by its number."""
    numbers = range(1, prepared_deals(evening) + 1)
    return await in_pieces(lambda some: [make(one) for one in some], numbers, PIECE)


def _rounds(evening: Evening) -> list[list[dict[str, Any]]]:
    """Return the tables of all rounds: the two teams that meet, and the numbers of their deals."""
    many = evening.boards
    return [
        [
            {
                "table": one.table,
                "teams": one.pairs,
                "deals": [one.deals * many + at + 1 for at in range(many)],
            }
            for one in tables
        ]
        for tables in seated_rounds(evening, len(evening.teams))
    ]


def _laid_out(found: Found) -> Evening:
    try:
        return laid_out(found.held.log.evening)
    except EveningError as error:
        raise refused(error) from None
