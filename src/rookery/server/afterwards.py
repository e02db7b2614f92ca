"""What a hand leaves behind once everybody may see it: its record, with the proof of its deal."""

from __future__ import annotations

from typing import Any

from rookery.game import Match
from rookery.record import HandRecord, of_hand
from rookery.server.deals import proof
from rookery.server.table import Table


def hand_record(table: Table, match: int, place: int) -> HandRecord:
    """Return the record of hand `place` of match `match`, both from 0, with its ``proof``.

    Raises:
        LookupError: there is no such hand, or it is still being played.
    """
    written = of_hand(_match(table, match, place).hands[place])
    written.extra = {"proof": proof_of(table, match, place)}
    return written


def proof_of(table: Table, match: int, place: int) -> dict[str, Any]:
    """Return how a hand that is over was dealt, for whoever wants to check it; see `deals`.

    Raises:
        LookupError: there is no such hand, or it is still being played.
    """
    played = _match(table, match, place)
    dealt = (*table.earlier_proofs, table.proofs)[match][place]
    key = bytes.fromhex(dealt.key)
    return proof(played.rules, table.code, dealt.number, key, dealt.shares)


def _match(table: Table, match: int, place: int) -> Match:
    matches = [*table.matches, *([] if table.match is None else [table.match])]
    if not 0 <= match < len(matches) or not 0 <= place < len(matches[match].hands):
        raise LookupError(f"there is no hand {place} of match {match}")
    if not matches[match].hands[place].over:
        raise LookupError(f"hand {place} of match {match} is not over")
    return matches[match]
