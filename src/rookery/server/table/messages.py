"""The messages to a client, one struct each."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import msgspec

from rookery.server.table.events import Tagged


class Welcome(Tagged, frozen=True):
    """The whole table: the answer to `hello`, and sent again when a name has been deleted.

    Attributes:
        seq: the number of the last event.
        you: the seat of this person; None for a watcher.
        table: the snapshot for that seat, already JSON.
        chat: the latest lines of table talk.
        mark: proves that this client was told of that event.
    """

    seq: int
    you: int | None
    table: msgspec.Raw
    chat: list[Chat]
    mark: str = ""


class Update(Tagged, frozen=True):
    """New events, in order, and the table after them.

    Attributes:
        seq: the number of the last event.
        events: each with its own ``seq`` and ``type``.
        table: the snapshot for this seat, already JSON.
        mark: proves that this client was told of that event.
    """

    seq: int
    events: list[dict[str, Any]]
    table: msgspec.Raw
    mark: str = ""


class Changed(Tagged, frozen=True, omit_defaults=True, tag="change"):
    """New events, in order, and what they change in the table that was sent last.

    Attributes:
        seq: the number of the last event, and of the table after it.
        base: the `seq` of the table that is changed.
        events: each with its own ``seq`` and ``type``.
        table: the fields of the snapshot that are new; of a view that was there before it has the
            fields that are new. ``more`` has the lists that go on: how many of the first are kept,
            and what follows.
        mark: proves that this client was told of that event.
        check: now and then, the CRC-32 of the table after the change as JSON, without spaces, with
            ``rules`` null and ``hands_from`` 0. Whoever comes to another one says `hello` again.
    """

    seq: int
    base: int
    events: list[dict[str, Any]]
    table: dict[str, Any]
    mark: str = ""
    check: int | None = None


class Ack(Tagged, frozen=True):
    """A command was done and is on disk; `seq` is the number of its first event.

    Where nothing had to change there is no event, and `seq` is that of the table's last one.
    """

    id: str
    seq: int


class Refused(Tagged, frozen=True, omit_defaults=True):
    """A command was refused; the table is unchanged.

    Attributes:
        about: of a claim that is not proven, what stands against it: ``dummy``, ``lead`` or a card
            of one's own.
    """

    id: str | None
    code: str
    reason: str
    about: str | None = None


class Alternative(msgspec.Struct, frozen=True):
    """A possible action and its expected result.

    Attributes:
        action: as a record writes it, without the seat.
        margin: by how much the seat's side is expected to outscore the others in this hand, points.
        making: the chance that the contract is made, 0 to 1; of a bid, if it wins the auction.
        error: the standard error of its difference from the best action, points.
    """

    action: str
    margin: float
    making: float | None
    error: float = 0.0


class Hint(Tagged, frozen=True):
    """What a good bot would do in this seat, why, and its alternatives.

    Attributes:
        action: the best action, without the seat.
        why: the code of the reason, one of `review.reasons.REASONS`.
        reason: the same as a sentence.
        making: the chance that the contract is made, 0 to 1; None where it is unknown.
        alternatives: all actions that were compared, best first; empty without a search.
        by: the level that gives the advice.
        about: the values in the sentence, for other languages: cards, a suit, numbers.
    """

    action: str
    why: str
    reason: str
    making: float | None = None
    alternatives: tuple[Alternative, ...] = ()
    by: str = "club"
    about: dict[str, str | int] | None = None


class Chat(Tagged, frozen=True):
    """Table talk; ``from`` is the speaker's seat, null for a watcher."""

    seq: int
    seat: int | None = msgspec.field(name="from")
    name: str
    text: str | None = None
    phrase: str | None = None


class Watching(Tagged, frozen=True):
    """Who is here without a seat, for whoever has one; sent again when that changes.

    Attributes:
        count: how many they are.
        names: of those who have been here longest and are not muted, twenty at most.
    """

    count: int
    names: list[str]


class Pong(Tagged, frozen=True):
    """The answer to `ping`, with the number of the last event."""

    seq: int


class Closing(Tagged, frozen=True):
    """The connection ends; the socket is closed with `code`."""

    code: int
    reason: str


Message: TypeAlias = (
    Welcome | Update | Changed | Ack | Refused | Hint | Chat | Watching | Pong | Closing
)

_WRITER: Final = msgspec.json.Encoder()


def encoded(message: Message) -> bytes:
    """Return a message as JSON, in UTF-8.

    >>> encoded(Pong(3))
    b'{"type":"pong","seq":3}'
    """
    return _WRITER.encode(message)


def raw(value: object) -> msgspec.Raw:
    """Return a value encoded as JSON, to be put into messages unchanged."""
    return msgspec.Raw(_WRITER.encode(value))
