"""The messages between a server and its bot workers: a length of four bytes, then msgpack.

A worker gets what the seat may know, and never a whole hand. The server numbers its questions; a
worker answers each once, by its number.
"""

from __future__ import annotations

import asyncio
import struct
from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta

from rookery.search.choice import Choice
from rookery.search.request import SearchRequest
from rookery.server.table.events import Tagged

PROTOCOL: Final = 4  # before 4, a worker took version 4 of a bot for version 3
LONGEST: Final = 16 * 1024 * 1024  # bytes; enough for the review of a long match
SHORT: Final = 1024  # bytes; until the other side has proved who it is
_LENGTH: Final = struct.Struct(">I")

Purpose: TypeAlias = Literal["play", "review"]
Nonce: TypeAlias = Annotated[bytes, Meta(min_length=16, max_length=64)]


class Greeting(Tagged, frozen=True):
    """A worker's first message: its protocol, and a random number for the proof."""

    protocol: int
    nonce: Nonce


class Proof(Tagged, frozen=True):
    """The server's proof that it knows the secret, its purpose, and its random number."""

    mac: bytes
    nonce: Nonce
    purpose: Purpose


class Welcome(Tagged, frozen=True):
    """A worker's proof, and how many questions it takes at a time."""

    mac: bytes
    room: int


class Ready(Tagged, frozen=True):
    """The worker is ready; getting ready took so many seconds."""

    took: float


class Unable(Tagged, frozen=True):
    """The worker can never be ready; the reason, without naming a card."""

    why: str


class Weigh(Tagged, frozen=True):
    """The question what to do in a seat.

    Attributes:
        rules: all options of the rules, JSON.
        options: the searching bot's options, by name.
        request: what the seat knows.
        patience: the deadline, milliseconds.
        even: whether all choices are tried in the same worlds.
    """

    rules: bytes
    options: dict[str, str]
    request: SearchRequest
    patience: int
    even: bool = False
    number: int = 0


class Look(Tagged, frozen=True):
    """The question how well a finished match was played.

    Attributes:
        record: the match, ``rookery/1``, which everybody at its table may see.
    """

    record: bytes
    number: int = 0


class Weighed(Tagged, frozen=True):
    """The answer: the choices, best first, and the new state of the seat's bot."""

    number: int
    choices: list[Choice]
    rng: int
    memo: list[int]
    took: float


class Progress(Tagged, frozen=True):
    """How much of a review is done."""

    number: int
    done: int
    whole: int


class Reviewed(Tagged, frozen=True):
    """A review, JSON."""

    number: int
    document: bytes


class Failed(Tagged, frozen=True):
    """There is no answer; the reason, without naming a card."""

    number: int
    why: str


class Ending(Tagged, frozen=True):
    """The worker takes no more questions, and ends when it has answered the open ones."""


Asked: TypeAlias = Weigh | Look
Answered: TypeAlias = Weighed | Progress | Reviewed | Failed
Message: TypeAlias = Greeting | Proof | Welcome | Ready | Unable | Ending | Asked | Answered

_WRITER: Final = msgspec.msgpack.Encoder()
_READER: Final = msgspec.msgpack.Decoder(Message)


class Garbled(Exception):
    """The bytes are not a message of this protocol."""


def written(message: Message) -> bytes:
    r"""Return a message as it is sent.

    >>> written(Ending())[:4]
    b'\x00\x00\x00\r'
    """
    body = _WRITER.encode(message)
    return _LENGTH.pack(len(body)) + body


def read(body: bytes) -> Message:
    """Return the message in `body`, without its length.

    Raises:
        Garbled: it is not a message.

    >>> read(written(Ready(0.5))[4:])
    Ready(took=0.5)
    """
    try:
        message: Message = _READER.decode(body)
    except (msgspec.MsgspecError, ValueError, OverflowError, RecursionError):
        raise Garbled("no message") from None
    return message


def length_of(head: bytes, most: int = LONGEST) -> int:
    """Return the length of the message that follows these four bytes, in bytes.

    Raises:
        Garbled: it is longer than `most`.
    """
    length: int = _LENGTH.unpack(head)[0]
    if length > most:
        raise Garbled("too long")
    return length


async def receive(reader: asyncio.StreamReader, most: int = LONGEST) -> Message:
    """Return the next message of a stream, of at most `most` bytes.

    Raises:
        Garbled: it is not a message.
        EOFError: the stream has ended.
    """
    length = length_of(await reader.readexactly(_LENGTH.size), most)
    return read(await reader.readexactly(length))
