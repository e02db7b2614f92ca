"""What a client is told, one struct a message."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import msgspec

from rookery.server.table.events import snake


class Telling(msgspec.Struct, frozen=True, tag_field="type", tag=snake):
    """What all messages share: the field ``type``."""


class Welcome(Telling, frozen=True):
    """The answer to `hello`: everything the client has to know.

    Attributes:
        seq: the number of the last event.
        you: the seat of this person; None for a watcher.
        table: the snapshot for that seat, already JSON.
        chat: what was last said at the table.
    """

    seq: int
    you: int | None
    table: msgspec.Raw
    chat: list[Chat]


class Update(Telling, frozen=True):
    """What has just happened, in order, and how the table looks now.

    Attributes:
        seq: the number of the last event.
        events: each with its own ``seq`` and ``type``.
        table: the snapshot for this seat, already JSON.
    """

    seq: int
    events: list[dict[str, Any]]
    table: msgspec.Raw


class Ack(Telling, frozen=True):
    """A command was done and is on disk; `seq` numbers its first event."""

    id: str
    seq: int


class Refused(Telling, frozen=True):
    """A command was not done; the table is as it was."""

    id: str | None
    code: str
    reason: str


class Alternative(msgspec.Struct, frozen=True):
    """Something that could be done, and what may be expected of it.

    Attributes:
        action: as a record writes it, without the seat.
        margin: what the seat's side may expect to score above the others in this hand, points.
        making: the chance that the contract is made then, 0 to 1; of a bid, should it be the last.
        error: the standard error of its distance to the best, points.
    """

    action: str
    margin: float
    making: float | None
    error: float = 0.0


class Hint(Telling, frozen=True):
    """What a good bot would do in this seat, why, and what else it weighed.

    Attributes:
        action: what is best, without the seat.
        why: why it is, a word of `review.words.REASONS`.
        reason: the same as a sentence.
        making: the chance that the contract is made then, 0 to 1; None where it is not known.
        alternatives: what was weighed, best first; empty where nothing was tried out.
        by: the level whose advice it is.
        about: what the sentence speaks of, to say it in another language: cards, a suit, numbers.
    """

    action: str
    why: str
    reason: str
    making: float | None = None
    alternatives: tuple[Alternative, ...] = ()
    by: str = "club"
    about: dict[str, str | int] | None = None


class Chat(Telling, frozen=True):
    """Table talk; ``from`` is the speaker's seat, None for a watcher."""

    seq: int
    seat: int | None = msgspec.field(name="from")
    name: str
    text: str | None = None
    phrase: str | None = None


class Pong(Telling, frozen=True):
    """Here; with the number of the last event."""

    seq: int


class Closing(Telling, frozen=True):
    """The connection ends; `code` is the one the socket is closed with."""

    code: int
    reason: str


Message: TypeAlias = Welcome | Update | Ack | Refused | Hint | Chat | Pong | Closing

_WRITER: Final = msgspec.json.Encoder()


def encoded(message: Message) -> bytes:
    """Return a message as JSON, in UTF-8."""
    return _WRITER.encode(message)


def written(message: Message) -> str:
    """Return a message as a text frame.

    >>> written(Pong(3))
    '{"type":"pong","seq":3}'
    """
    return encoded(message).decode()


def raw(value: object) -> msgspec.Raw:
    """Return a value as JSON that is put into messages as it is."""
    return msgspec.Raw(_WRITER.encode(value))
