"""Refusals: the closed list of codes, each with its sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

RULES_CODES: Final = frozenset(
    (
        *("not-your-turn", "not-now", "not-held", "must-follow", "bid-too-low", "bid-too-high"),
        *("bid-step", "already-passed", "discard-count", "discard-ban", "call-not-allowed"),
        *("card-not-callable", "no-redeal", "no-revoke", "hand-over", "bad-action", "unknown-card"),
    )
)
TABLE_CODES: Final = {
    "not-seated": "only a seated player can do that",
    "already-seated": "the person already has a seat at this table",
    "no-seat": "the table has no seat with that number",
    "seat-taken": "somebody sits there",
    "table-full": "no seat is free",
    "name-taken": "somebody at the table already has that name",
    "muted": "the host has muted the person, who only watches",
    "sent-away": "the host has sent the person away from the table",
    "no-watcher": "nobody who only watches has said that lately",
    "hand-under-way": "a spare seat is taken between hands; `wait` waits for that",
    "removed": "the host has removed the person from the table",
    "not-host": "only the host can do that",
    "bad-seats": "that is not an arrangement of the seats",
    "unknown-bot": "no bot has that name",
    "not-a-bot": "no bot sits there",
    "not-away": "the player is there",
    "may-return": "the player has just gone; wait until a bot stands in",
    "no-person": "no person sits there",
    "nothing-to-undo": "the last act is not the person's own",
    "too-late": "others have seen it; it cannot be taken back",
    "challenged-already": "one wrong challenge a trick is allowed",
    "asked-already": "the others have already said no",
    "vote-pending": "another question is open; answer it first",
    "no-vote": "that seat has nothing to answer",
    "claim-unproven": "the claim is not certain, so the bots do not accept it",
    "late": "the message was sent before the cards changed",
    "bad-share": "no such deal is promised, or the seat has contributed",
    "bad-title": "the title cannot be shown",
    "bad-text": "the text cannot be shown",
    "bad-setting": "the setting is not allowed",
    "bad-message": "not a message of this protocol",
    "not-unicode": "the message holds half a surrogate pair; expected text in Unicode",
    "too-long": "the message is too long",
    "busy": "too many messages wait at this table",
    "storage": "the server cannot write to its disk; nothing was changed",
    "failed": "something went wrong in the server; nothing was changed",
    "no-hint": "there is nothing to decide",
}
CODES: Final = RULES_CODES | TABLE_CODES.keys()


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a command is not done; the table is unchanged.

    Attributes:
        code: one of `CODES`, for programs.
        reason: the same in plain words, for the one who asked.
    """

    code: str
    reason: str

    def __post_init__(self) -> None:
        if self.code not in CODES:
            raise ValueError(f"{self.code} is not in the closed list of codes")


def refused(code: str, reason: str | None = None) -> Refused:
    """Return a refusal; its reason is the sentence of the list unless one is given."""
    return Refused(code, TABLE_CODES[code] if reason is None else reason)
