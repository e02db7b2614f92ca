"""What a hand leaves behind once everybody may see it: its record, with the proof of its deal."""

from __future__ import annotations

from typing import Any

from rookery.fairness.deal import proof
from rookery.record import HandRecord, of_hand
from rookery.server.registry.history import Past, PlayedMatch


def hand_record(past: Past, match: int, place: int) -> HandRecord:
    """Return the record of hand `place` of match `match`, both from 0, with its ``proof``.

    Raises:
        LookupError: there is no such hand, or it is still being played.
    """
    written = of_hand(_match(past, match, place).hands[place])
    written.extra = {"proof": proof_of(past, match, place)}
    return written


def proof_of(past: Past, match: int, place: int) -> dict[str, Any]:
    """Return how a hand that is over was dealt, for whoever wants to check it; see `deals`.

    Raises:
        LookupError: there is no such hand, or it is still being played.
    """
    played = _match(past, match, place)
    dealt = played.proofs[place]
    key = bytes.fromhex(dealt.key)
    return proof(played.rules, past.table.code, dealt.number, key, dealt.shares)


def _match(past: Past, match: int, place: int) -> PlayedMatch:
    matches = past.matches
    if not 0 <= match < len(matches) or not 0 <= place < len(matches[match].hands):
        raise LookupError(f"there is no hand {place} of match {match} that is over")
    return matches[match]
