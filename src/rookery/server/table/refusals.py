"""The closed list of answers to what cannot be done."""

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
    "not-seated": "only somebody who sits at the table can do that",
    "already-seated": "the person has a seat at this table already",
    "no-seat": "the table has no seat of that number",
    "seat-taken": "somebody sits there",
    "table-full": "no seat is free",
    "name-taken": "somebody at the table has that name",
    "has-seen": "the person has seen another hand of this deal",
    "removed": "the host has removed the person from the table",
    "not-host": "only the host can do that",
    "bad-seats": "that is no arrangement of the seats",
    "unknown-bot": "no bot has that name",
    "not-a-bot": "no bot sits there",
    "not-away": "the player is there",
    "no-person": "no person sits there",
    "nothing-to-undo": "the last act is not the person's own",
    "too-late": "what was shown cannot be unseen",
    "challenged-already": "one challenge in vain a trick is enough",
    "asked-already": "the others have said no to that already",
    "vote-pending": "a question is open; it is answered first",
    "no-vote": "nothing is asked of that seat",
    "claim-unproven": "the bots at the table do not see it yet",
    "late": "the message was sent before the cards changed",
    "bad-share": "no such deal is promised, or the seat has contributed",
    "bad-title": "a title that cannot be shown",
    "bad-text": "a text that cannot be shown",
    "bad-setting": "a setting that is not allowed",
    "bad-message": "not a message of this protocol",
    "too-long": "a message beyond the limit",
    "busy": "too many messages wait at this table",
    "storage": "the server cannot write to its disk; nothing was changed",
    "failed": "something went wrong in the server; nothing was changed",
    "no-hint": "there is nothing to decide",
}
CODES: Final = RULES_CODES | TABLE_CODES.keys()


@dataclass(frozen=True, slots=True)
class Refused:
    """Something that cannot be done: the table is as it was.

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
    """Return a refusal, in the words of the list where no others are given."""
    return Refused(code, TABLE_CODES[code] if reason is None else reason)
