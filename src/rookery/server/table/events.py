"""What is stored of a table: everything that ever happened at it, one struct an event.

The state of a table is the fold of these (`table.evolve`), so each of them says all that has to be
known, and nothing is ever stored beside them. What a seat is told of an event is `public.told`.
"""

from __future__ import annotations

import re
from typing import Any, Final, Literal, TypeAlias

import msgspec

from rookery.server.settings import PaceName

By: TypeAlias = Literal["person", "bot", "auto", "claim"]
Kind: TypeAlias = Literal["undo", "claim"]


def snake(name: str) -> str:
    """Return the tag of a struct.

    >>> snake("HandDealt")
    'hand_dealt'
    """
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def tag(told: msgspec.Struct) -> str:
    """Return the ``type`` of an event, or of a message.

    >>> tag(Away(0))
    'away'
    """
    return str(told.__struct_config__.tag)


class Happening(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag=snake
):
    """What all events share: the field ``type``."""


class TableMade(Happening, frozen=True):
    """A table came to be; `rules` are complete, so that no later catalogue changes them."""

    code: str
    title: str
    open: bool
    rules: dict[str, Any]
    pace: PaceName
    clock: int | None


class Sat(Happening, frozen=True):
    """A person took a seat."""

    seat: int
    person: str
    name: str


class Left(Happening, frozen=True):
    """A person gave a seat up for good, or was removed from it."""

    seat: int
    removed: bool = False


class BotSeated(Happening, frozen=True):
    """A bot took a seat; a spare one makes room for any person who comes."""

    seat: int
    bot: str
    spare: bool = False


class BotRemoved(Happening, frozen=True):
    """A bot's seat was emptied."""

    seat: int


class Arranged(Happening, frozen=True):
    """The seats were arranged anew: seat i went to whoever sat on seat ``seats[i]``."""

    seats: list[int]


class HostPassed(Happening, frozen=True):
    """The host's powers went to another seat; to nobody where no person is left."""

    seat: int | None


class SettingsChanged(Happening, frozen=True):
    """The host changed the table's settings; all of them, as they are now."""

    title: str
    open: bool
    pace: PaceName
    clock: int | None


class Renamed(Happening, frozen=True):
    """A seated person goes by another name."""

    seat: int
    name: str


class DealPromised(Happening, frozen=True):
    """The server bound itself to a secret for the next deal; see `deals`."""

    number: int
    scheme: str
    commitment: str
    key: str


class Contributed(Happening, frozen=True):
    """A seat added its own chance to the next deal, 16 bytes in hexadecimal."""

    seat: int
    share: str


class MatchBegun(Happening, frozen=True):
    """A match began with these rules, which do not change any more."""

    number: int
    rules: dict[str, Any]
    players: list[str]


class HandDealt(Happening, frozen=True):
    """A hand was dealt: the cards of each seat by name, a blind hand last, and the nest."""

    number: int
    dealer: int
    deal: list[list[str]]
    nest: list[str]
    shares: list[str]


class Acted(Happening, frozen=True):
    """A seat acted, in the words of a record; `by` says who decided for it."""

    seat: int
    text: str
    by: By


class Challenged(Happening, frozen=True):
    """A seat accused another of a revoke, and there was none; it costs nothing but is told."""

    seat: int
    accused: int


class VoteAsked(Happening, frozen=True):
    """A seat wants its last act back, or claims the rest and shows these cards."""

    kind: Kind
    seat: int
    shown: list[str] = []
    voters: list[int] = []


class Voted(Happening, frozen=True):
    """A seat answered."""

    seat: int
    yes: bool


class VoteClosed(Happening, frozen=True):
    """The question was answered: with yes if all said so, else with no."""

    kind: Kind
    seat: int
    accepted: bool


class Undone(Happening, frozen=True):
    """The last act of the hand was taken back."""

    seat: int


class Ready(Happening, frozen=True):
    """A seat has seen the score and asks for the next hand."""

    seat: int


class Rematched(Happening, frozen=True):
    """The same people play again, seated as `Arranged` says."""

    seats: list[int]


class Chatted(Happening, frozen=True):
    """Table talk: a text, or one of the quick phrases."""

    person: str
    name: str
    seat: int | None
    text: str | None = None
    phrase: str | None = None


class Away(Happening, frozen=True):
    """A seated person has no connection any more."""

    seat: int


class Back(Happening, frozen=True):
    """A person is back, and has the seat back too."""

    seat: int


class StoodIn(Happening, frozen=True):
    """A bot plays for a person who is away."""

    seat: int
    bot: str


class Reported(Happening, frozen=True):
    """Somebody reported the player of a seat to whoever runs this server."""

    person: str
    accused: str
    reason: str


class Blocked(Happening, frozen=True):
    """Somebody does not want to hear from a person any more."""

    person: str
    blocked: str


Event: TypeAlias = (
    TableMade
    | Sat
    | Left
    | BotSeated
    | BotRemoved
    | Arranged
    | HostPassed
    | SettingsChanged
    | Renamed
    | DealPromised
    | Contributed
    | MatchBegun
    | HandDealt
    | Acted
    | Challenged
    | VoteAsked
    | Voted
    | VoteClosed
    | Undone
    | Ready
    | Rematched
    | Chatted
    | Away
    | Back
    | StoodIn
    | Reported
    | Blocked
)


class Entry(msgspec.Struct, frozen=True):
    """An event in a table's log.

    Attributes:
        seq: its number; a table's first is 1, and none is left out.
        at: when it happened, milliseconds since 1970, by the server's clock.
        event: what happened.
        client: the person and the id of the command behind it, on the first event of a command.
    """

    seq: int
    at: int
    event: Event
    client: str | None = None


_EVENTS: Final[msgspec.json.Decoder[Event]] = msgspec.json.Decoder(Event)
_WRITER: Final = msgspec.json.Encoder()


def written(event: Event) -> str:
    """Return an event as it is stored."""
    return _WRITER.encode(event).decode()


def read(text: str) -> Event:
    """Return the event that `text` stores.

    >>> read(written(Undone(2)))
    Undone(seat=2)
    """
    return _EVENTS.decode(text)
