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
    "not-seated": "only players at the table can do that",
    "already-seated": "you already have a seat at this table",
    "no-seat": "this table does not have that seat",
    "seat-taken": "that seat is taken",
    "table-full": "there are no free seats",
    "name-taken": "somebody at this table has that name, or one that looks like it",
    "muted": "the host has muted you",
    "sent-away": "the host has sent you away from this table",
    "no-watcher": "that person has a seat now, or has not said anything lately",
    "hand-under-way": "a hand is being played; with `wait` you sit down after it",
    "removed": "the host has given your seat to a bot; you cannot sit down here again",
    "not-host": "only the host can do that",
    "bad-seats": "the seats cannot be arranged like that",
    "unknown-bot": "there is no such bot",
    "not-a-bot": "there is no bot in that seat",
    "not-away": "that player is here",
    "may-return": "that player may be right back; wait until their time is over",
    "no-person": "there is nobody in that seat",
    "not-your-table": "the evening has not given you that seat",
    "of-evening": "this is a table of an evening, which says who sits here and what is played",
    "nothing-to-undo": "there is nothing to undo",
    "too-late": "it is too late to undo that: others have seen it",
    "challenged-already": "you have already made a wrong claim in this trick",
    "asked-already": "the others have already said no",
    "vote-pending": "answer the open question first",
    "no-vote": "there is nothing for you to answer",
    "claim-unproven": "you cannot prove that yet; play on",
    "late": "the table has changed since then; look again",
    "no-face": "there is no such face",
    "bad-share": "it is too late to add randomness to that deal",
    "bad-title": "that table name cannot be used",
    "bad-text": "that text cannot be sent",
    "bad-setting": "that setting is not allowed",
    "bad-message": "not a message of this protocol",
    "not-unicode": "the message holds half a surrogate pair; expected text in Unicode",
    "too-long": "that is too long",
    "busy": "the table is busy; try again",
    "storage": "the server cannot write to its disk; nothing has changed",
    "failed": "something went wrong in the server; nothing has changed",
    "no-hint": "there is nothing to decide",
}
CODES: Final = RULES_CODES | TABLE_CODES.keys()


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a command is not done; the table is unchanged.

    Attributes:
        code: one of `CODES`, for programs.
        reason: the same in plain words, for the one who asked.
        about: of a claim that is not proven, what stands against it; see `voting.doubt`.
    """

    code: str
    reason: str
    about: str | None = None

    def __post_init__(self) -> None:
        if self.code not in CODES:
            raise ValueError(f"{self.code} is not in the closed list of codes")


def refused(code: str, reason: str | None = None) -> Refused:
    """Return a refusal; its reason is the sentence of the list unless one is given."""
    return Refused(code, TABLE_CODES[code] if reason is None else reason)
