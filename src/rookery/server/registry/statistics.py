"""What a person has played on this server, added up from finished hands."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from pydantic import BaseModel

from rookery.server.registry.history import History, PlayedHand, PlayedMatch

TABLES: Final = 100  # of a person's tables the latest are counted


class Statistics(BaseModel):
    """A person's figures, in hands, matches and game points.

    A hand is *declared* where the person, or a partner, won the auction, and *made* where that
    scored above zero; else it is *defended*, and *defeated* where the declarer was set.
    """

    tables: int = 0
    matches: int = 0
    matches_won: int = 0
    hands: int = 0
    points: int = 0
    best_hand: int | None = None
    declared: int = 0
    made: int = 0
    bid_total: int = 0
    defended: int = 0
    defeated: int = 0
    variants: dict[str, int] = {}


async def statistics_of(
    person: str, codes: Sequence[str], history: Callable[[str], Awaitable[History | None]]
) -> Statistics:
    """Return a person's figures at the first `TABLES` of these tables.

    Args:
        person: the public number of the person.
        codes: tables where the person has sat, the latest first.
        history: returns what was played at a table.

    Raises:
        StoreError: the store cannot be read.
    """
    counted = codes[:TABLES]
    sums = Statistics(tables=len(counted))
    for code in counted:
        found = await history(code)
        for match in () if found is None else found.matches:
            for hand in match.hands:
                _add(sums, person, match, hand)
    return sums


def _add(sums: Statistics, person: str, match: PlayedMatch, hand: PlayedHand) -> None:
    line, seat = hand.line, dict(hand.people).get(person)
    if seat is None or line.score is None:
        return
    score, name = line.score[seat], match.rules.name
    sums.hands += 1
    sums.points += score
    sums.best_hand = score if sums.best_hand is None else max(score, sums.best_hand)
    sums.variants[name] = sums.variants.get(name, 0) + 1
    if line.declarer is not None:
        made = line.score[line.declarer] > 0
        if seat in hand.declaring:
            sums.declared += 1
            sums.made += made
            sums.bid_total += line.bid if isinstance(line.bid, int) else 0
        else:
            sums.defended += 1
            sums.defeated += not made
    if match.winners is not None and hand is match.hands[-1]:
        sums.matches += 1
        sums.matches_won += seat in match.winners
