"""The commands that a client may send: one struct a command, with its limits.

A command that changes something carries an ``id`` made by the client. It is stored with the events:
a command that is sent again does nothing and is acknowledged again.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Any, Final, TypeAlias, get_args

import msgspec
from msgspec import Meta

from rookery.server.settings import PaceName
from rookery.server.table.events import Tagged
from rookery.server.table.refusals import Refused

LONGEST: Final = 4096  # bytes

Id: TypeAlias = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,64}\Z")]
Number: TypeAlias = Annotated[int, Meta(ge=0, le=1 << 53)]
SeatNumber: TypeAlias = Annotated[int, Meta(ge=0, le=7)]
BotName: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64)]
Text: TypeAlias = Annotated[str, Meta(max_length=1200)]


class CommandBase(Tagged, frozen=True, forbid_unknown_fields=True):
    """Base of all commands."""


class Change(CommandBase, frozen=True):
    """A command that changes something and so has an id."""

    id: Id


class Hello(CommandBase, frozen=True):
    """The first message, with the last event's number. Sent too often, it closes the connection.

    With `parts`, an `update` has only the hands of the score sheet that are new. With `changes`, a
    `change` comes instead of each `update`. `mark` is the last one that a `welcome`, `update` or
    `change` had: so a server learns that its database was brought back.
    """

    seen: Number = 0
    parts: bool = False
    changes: bool = False
    mark: Annotated[str, Meta(max_length=64)] = ""


class Sit(Change, frozen=True):
    """Take this seat, or the first free one. With `wait` you sit down after the hand under way.

    The answer comes then. With `matched` nobody is seated beside people whom they have blocked, or
    who have blocked them.
    """

    seat: SeatNumber | None = None
    wait: bool = False
    matched: bool = False


class Leave(Change, frozen=True):
    """Give the seat up for good."""


class Act(Change, frozen=True):
    """Play, bid and so on: an action as a record writes it, without the seat: ``play G5``."""

    action: Annotated[str, Meta(min_length=1, max_length=300)]
    seen: Number = 0


class Start(Change, frozen=True):
    """Host: begin the match; a `bot`, or the usual one, takes each empty seat."""

    bot: BotName | None = None


class Arrange(Change, frozen=True):
    """Host, before the match: whoever sits on ``seats[i]`` moves to seat i."""

    seats: Annotated[list[SeatNumber], Meta(max_length=8)]


class Bot(Change, frozen=True):
    """Host: put a bot on an empty seat or replace one; without a name, remove it."""

    seat: SeatNumber
    bot: BotName | None


class Replace(Change, frozen=True):
    """Host: give a player's seat to a bot; during a match only where one stands in already."""

    seat: SeatNumber
    bot: BotName | None = None


class StandIn(Change, frozen=True):
    """Host, or anybody seated while the host is away: let a bot play for a person gone for 10 s."""

    seat: SeatNumber


class Host(Change, frozen=True):
    """Host: make another person host."""

    seat: SeatNumber


class Rematch(Change, frozen=True):
    """Host, or anybody seated while the host is away, after the match: play again."""


class Mute(Change, frozen=True):
    """Host: stop the watcher who said a line of talk from talking, or let them talk again."""

    line: Number
    on: bool = True


class SendAway(Change, frozen=True):
    """Host: send the watcher who said a line of talk away from the table for good."""

    line: Number


class Table(Change, frozen=True):
    """Host: change settings; those not named stay. A `clock` of 0 means no clock."""

    title: Text | None = None
    open: bool | None = None
    pace: PaceName | None = None
    clock: Annotated[int, Meta(ge=0, le=3600)] | None = None


class Undo(Change, frozen=True):
    """Take back the last action."""

    seen: Number | None = None


class Claim(Change, frozen=True):
    """Claim the remaining tricks."""

    seen: Number | None = None


class Vote(Change, frozen=True):
    """Answer an open question: an undo or a claim."""

    yes: bool
    seen: Number | None = None


class Challenge(Change, frozen=True):
    """Accuse an opponent of a revoke. One wrong accusation a trick; everybody sees it."""

    seat: SeatNumber


class Next(Change, frozen=True):
    """Ready for the next hand."""

    seen: Number | None = None


class Contribute(Change, frozen=True):
    """Add a share to a deal, a random number of 16 bytes, in hexadecimal."""

    number: Number
    share: Annotated[str, Meta(pattern=r"^[0-9a-f]{32}\Z")]


class Chat(Change, frozen=True):
    """Table talk: a text or a quick phrase."""

    text: Text | None = None
    phrase: Annotated[str, Meta(max_length=32)] | None = None


class Halt(Change, frozen=True):
    """Alone with bots: have them wait after the auction, or go on where `on` is false."""

    on: bool = True


class Face(Change, frozen=True):
    """Show this face at my seat: a bird's, by its name; without one, the initial of my name."""

    face: Annotated[str, Meta(max_length=16)] = ""


class Report(Change, frozen=True):
    """Report the player of a seat to whoever runs this server."""

    seat: SeatNumber
    reason: Text = ""


class Block(Change, frozen=True):
    """Hide all messages from the player of a seat."""

    seat: SeatNumber


class Hint(CommandBase, frozen=True):
    """Ask what a good bot would do."""


class Ping(CommandBase, frozen=True):
    """Keep the connection alive; carries the number of the last event."""

    seen: Number = 0


SeatCommand: TypeAlias = Sit | Leave | Face | StandIn | Halt | Rematch
PlayCommand: TypeAlias = Act | Undo | Claim | Vote | Challenge | Next | Contribute
HostCommand: TypeAlias = Start | Arrange | Bot | Replace | Host | Mute | SendAway | Table
TalkCommand: TypeAlias = Chat | Report | Block
Changing: TypeAlias = SeatCommand | PlayCommand | HostCommand | TalkCommand
Command: TypeAlias = Changing | Hello | Hint | Ping
PLAY: Final = get_args(PlayCommand)


class _Id(msgspec.Struct):
    """A message of which only the id could be read."""

    id: Id | None = None


_COMMANDS: Final[msgspec.json.Decoder[Command]] = msgspec.json.Decoder(Command)


def read(data: str | bytes) -> Command | Refused:
    """Return the command in a text frame; a refusal with code ``too-long`` or ``bad-message``.

    >>> read('{"type": "sit", "id": "a1"}')
    Sit(id='a1', seat=None, wait=False, matched=False)
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


def id_of(text: str) -> str | None:
    """Return the id in a message that is no command, so that its sender does not send it again."""
    try:
        return msgspec.json.decode(text, type=_Id).id
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
