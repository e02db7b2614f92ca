"""What a server and its bot workers say to each other: a length of four bytes, then msgpack.

A worker is told what the seat may know for which it thinks, and never a hand. Who asks numbers the
questions; a worker answers each once, by its number.
"""

from __future__ import annotations

import asyncio
import struct
from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta

from rookery.search.choice import Choice
from rookery.search.seat import Seen
from rookery.server.table.events import snake

PROTOCOL: Final = 1
LONGEST: Final = 16 * 1024 * 1024  # bytes; a long match looked at decision by decision
SHORT: Final = 1024  # bytes; until it is known who speaks
_LENGTH: Final = struct.Struct(">I")

Purpose: TypeAlias = Literal["play", "review"]
Nonce: TypeAlias = Annotated[bytes, Meta(min_length=16, max_length=64)]


class WireMessage(msgspec.Struct, frozen=True, tag_field="type", tag=snake):
    """What all messages share: the field ``type``."""


class Greeting(WireMessage, frozen=True):
    """A worker's first word: which protocol it speaks, and a number to prove oneself with."""

    protocol: int
    nonce: Nonce


class Proof(WireMessage, frozen=True):
    """The answer: that one knows the secret, what one comes for, and a number in return."""

    mac: bytes
    nonce: Nonce
    purpose: Purpose


class Welcome(WireMessage, frozen=True):
    """A worker's proof, and how many questions it takes at a time."""

    mac: bytes
    room: int


class Ready(WireMessage, frozen=True):
    """It can think from now on; its code took so many seconds to be there."""

    took: float


class Unable(WireMessage, frozen=True):
    """It never will be able to think; why, in a few words without a card."""

    why: str


class Weigh(WireMessage, frozen=True):
    """What to do in a seat.

    Attributes:
        number: of the question.
        rules: all options of the rules, JSON.
        options: of the searching bot, by name.
        seen: what the seat knows.
        patience: after how many milliseconds nobody waits any more.
        even: whether all choices are to meet the same worlds.
    """

    number: int
    rules: bytes
    options: dict[str, str]
    seen: Seen
    patience: int
    even: bool = False


class Look(WireMessage, frozen=True):
    """What a match that is over was played like.

    Attributes:
        number: of the question.
        record: the match, ``rookery/1``, open to everybody at its table.
    """

    number: int
    record: bytes


class Weighed(WireMessage, frozen=True):
    """What came of it: the choices, the best first, and where the seat's dice and notes are."""

    number: int
    choices: list[Choice]
    rng: int
    memo: list[int]
    took: float


class Progress(WireMessage, frozen=True):
    """How much of a review is done."""

    number: int
    done: int
    whole: int


class Reviewed(WireMessage, frozen=True):
    """A review, JSON."""

    number: int
    document: bytes


class Failed(WireMessage, frozen=True):
    """There is no answer; why, in a few words without a card."""

    number: int
    why: str


class Ending(WireMessage, frozen=True):
    """It takes nothing more, and is gone when it has answered what it has."""


Asked: TypeAlias = Weigh | Look
Answered: TypeAlias = Weighed | Progress | Reviewed | Failed
Said: TypeAlias = Greeting | Proof | Welcome | Ready | Unable | Ending | Asked | Answered

_WRITER: Final = msgspec.msgpack.Encoder()
_READER: Final = msgspec.msgpack.Decoder(Said)


class Garbled(Exception):
    """What came is nothing that a worker or a server says."""


def written(message: WireMessage) -> bytes:
    r"""Return a message as it goes over the line.

    >>> written(Ending())[:4]
    b'\x00\x00\x00\r'
    """
    body = _WRITER.encode(message)
    return _LENGTH.pack(len(body)) + body


def read(body: bytes) -> Said:
    """Return the message in `body`, which is without its length.

    Raises:
        Garbled: there is none.

    >>> read(written(Ready(0.5))[4:])
    Ready(took=0.5)
    """
    try:
        message: Said = _READER.decode(body)
    except (msgspec.MsgspecError, ValueError, OverflowError, RecursionError):
        raise Garbled("no message") from None
    return message


def length_of(head: bytes, most: int = LONGEST) -> int:
    """Return how long the message is that follows these four bytes, in bytes.

    Raises:
        Garbled: longer than `most`.
    """
    length: int = _LENGTH.unpack(head)[0]
    if length > most:
        raise Garbled("too long")
    return length


async def heard(reader: asyncio.StreamReader, most: int = LONGEST) -> Said:
    """Return the next message of a stream, which has `most` bytes.

    Raises:
        Garbled: what comes is none.
        EOFError: the stream has ended.
    """
    length = length_of(await reader.readexactly(_LENGTH.size), most)
    return read(await reader.readexactly(length))
