"""What a client may say, one struct a message, with its limits beside it.

A command that changes something carries an ``id`` of the client's making, kept with what it did:
sent again, it does nothing and is acknowledged again.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Any, Final, TypeAlias

import msgspec
from msgspec import Meta

from rookery.server.settings import PaceName
from rookery.server.table.events import snake
from rookery.server.table.refusals import Refused

LONGEST: Final = 4096  # bytes

Id: TypeAlias = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,64}\Z")]
Number: TypeAlias = Annotated[int, Meta(ge=0, le=1 << 53)]
SeatNumber: TypeAlias = Annotated[int, Meta(ge=0, le=7)]
BotName: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64)]
Text: TypeAlias = Annotated[str, Meta(max_length=1200)]


class Saying(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag=snake):
    """What all commands share: the field ``type``."""


class Change(Saying, frozen=True):
    """A command that changes something and so has an id."""

    id: Id


class Hello(Saying, frozen=True):
    """The first message: the number of the last event seen. Too often, and the line is closed."""

    seen: Number = 0


class Sit(Change, frozen=True):
    """Take a free seat, or the first one."""

    seat: SeatNumber | None = None


class Leave(Change, frozen=True):
    """Give the seat up for good."""


class Act(Change, frozen=True):
    """Act, in the words of a record without the seat: ``play G5``, ``discard R5 G6``."""

    action: Annotated[str, Meta(min_length=1, max_length=300)]
    seen: Number = 0


class Start(Change, frozen=True):
    """Host: begin the match; bots take the seats that are empty."""


class Arrange(Change, frozen=True):
    """Host, before the match: seat i goes to whoever sits on seat ``seats[i]``."""

    seats: Annotated[list[SeatNumber], Meta(max_length=8)]


class Bot(Change, frozen=True):
    """Host: put a bot on an empty or a bot's seat; without a name, remove it."""

    seat: SeatNumber
    bot: BotName | None


class Replace(Change, frozen=True):
    """Host: a bot for a player who is away; outside a match, for any other player."""

    seat: SeatNumber
    bot: BotName | None = None


class Host(Change, frozen=True):
    """Host: hand the powers over."""

    seat: SeatNumber


class Rematch(Change, frozen=True):
    """Host, after the match: again."""


class Table(Change, frozen=True):
    """Host: change settings; what is not named stays. A `clock` of 0 is none."""

    title: Text | None = None
    open: bool | None = None
    pace: PaceName | None = None
    clock: Annotated[int, Meta(ge=0, le=3600)] | None = None


class Undo(Change, frozen=True):
    """Take my last act back."""


class Claim(Change, frozen=True):
    """The rest is mine."""


class Vote(Change, frozen=True):
    """Answer what is asked."""

    yes: bool


class Challenge(Change, frozen=True):
    """Accuse a seat of a revoke; in vain at most once a trick, and everybody is told."""

    seat: SeatNumber


class Next(Change, frozen=True):
    """I have seen the score; deal."""


class Contribute(Change, frozen=True):
    """Add my own chance to the deal of that number: 16 bytes in hexadecimal."""

    number: Number
    share: Annotated[str, Meta(pattern=r"^[0-9a-f]{32}\Z")]


class Chat(Change, frozen=True):
    """Table talk: a text, or a quick phrase."""

    text: Text | None = None
    phrase: Annotated[str, Meta(max_length=32)] | None = None


class Report(Change, frozen=True):
    """Report the player of a seat to whoever runs this server."""

    seat: SeatNumber
    reason: Text = ""


class Block(Change, frozen=True):
    """Hear nothing from the player of a seat any more."""

    seat: SeatNumber


class Hint(Saying, frozen=True):
    """What would you do?"""


class Ping(Saying, frozen=True):
    """Are you there? With the number of the last event seen."""

    seen: Number = 0


Changing: TypeAlias = (
    Sit
    | Leave
    | Act
    | Start
    | Arrange
    | Bot
    | Replace
    | Host
    | Rematch
    | Table
    | Undo
    | Claim
    | Vote
    | Challenge
    | Next
    | Contribute
    | Chat
    | Report
    | Block
)
Command: TypeAlias = Changing | Hello | Hint | Ping

_COMMANDS: Final[msgspec.json.Decoder[Command]] = msgspec.json.Decoder(Command)


def read(data: str | bytes) -> Command | Refused:
    """Return the command that a text frame holds; codes ``too-long`` and ``bad-message``.

    >>> read('{"type": "sit", "id": "a1"}')
    Sit(id='a1', seat=None)
    >>> read('{"type": "sit", "id": "a1", "seat": 9}').code
    'bad-message'
    """
    if len(data) > LONGEST:
        return Refused("too-long", f"a message has at most {LONGEST} bytes")
    try:
        command = _COMMANDS.decode(data)
        json.loads(data, object_pairs_hook=_once)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        return Refused("bad-message", f"not understood: {str(error)[:200]}")
    return command


def _once(pairs: Sequence[tuple[str, Any]]) -> None:
    keys = [key for key, _ in pairs]
    if len(set(keys)) < len(keys):
        raise ValueError("a field stands twice")
