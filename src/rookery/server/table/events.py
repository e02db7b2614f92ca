"""The events of a table, one struct each: everything that is stored of it.

The state of a table is the fold of its events (`fold.evolve`), so nothing else is stored. What a
seat may see of an event is `projection.public_event`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import msgspec

from rookery.server.settings import PaceName

By: TypeAlias = Literal["person", "bot", "auto", "claim"]
Kind: TypeAlias = Literal["undo", "claim"]
Silence: TypeAlias = Literal["muted", "heard", "away"]


def snake(name: str) -> str:
    """Return the tag of a struct.

    >>> snake("HandDealt")
    'hand_dealt'
    """
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def tag(struct: msgspec.Struct) -> str:
    """Return the ``type`` of an event, or of a message.

    >>> tag(Away(0))
    'away'
    """
    return str(struct.__struct_config__.tag)


class Tagged(msgspec.Struct, frozen=True, tag_field="type", tag=snake):
    """Base of events, commands and messages: the field ``type`` is the struct's name."""


class EventBase(Tagged, frozen=True, forbid_unknown_fields=True):
    """Base of all events."""


class AtSeat(EventBase, frozen=True):
    """Base of the events of one seat."""

    seat: int


class TableMade(EventBase, frozen=True):
    """A table was made. `rules` are complete, so no later catalogue changes them."""

    code: str
    title: str
    open: bool
    rules: dict[str, Any]
    pace: PaceName
    clock: int | None


class Sat(AtSeat, frozen=True):
    """A person took a seat; `matched` with strangers, that is by quick match."""

    person: str
    name: str
    matched: bool = False


class Left(AtSeat, frozen=True):
    """A person gave a seat up for good, or was removed from it."""

    removed: bool = False


class BotSeated(AtSeat, frozen=True):
    """A bot took a seat; its name follows. A spare bot makes room for any person."""

    bot: str
    spare: bool = False


class BotRemoved(AtSeat, frozen=True):
    """A bot's seat was emptied."""


class Arranged(EventBase, frozen=True):
    """The seats were rearranged: whoever sat on ``seats[i]`` moved to seat i."""

    seats: list[int]


class HostPassed(EventBase, frozen=True):
    """Another seat became the host; none where no person is left."""

    seat: int | None


class SettingsChanged(EventBase, frozen=True):
    """The host changed the settings; these are all of them now."""

    title: str
    open: bool
    pace: PaceName
    clock: int | None


class Renamed(AtSeat, frozen=True):
    """A seated person, or a bot, goes by this name now."""

    name: str


class FaceChosen(AtSeat, frozen=True):
    """A seated person shows the face of this bird now, or the initial of their name."""

    face: str


class DealPromised(EventBase, frozen=True):
    """The server committed to a secret key for the next deal; see `rookery.fairness`."""

    number: int
    scheme: str
    commitment: str
    key: str


class Contributed(AtSeat, frozen=True):
    """A seat added randomness of its own to the next deal, 16 bytes in hexadecimal."""

    share: str


class MatchBegun(EventBase, frozen=True):
    """A match began with these rules; they stay until its end. One `handed` in is over already."""

    number: int
    rules: dict[str, Any]
    players: list[str]
    handed: bool = False


class HandDealt(EventBase, frozen=True):
    """A hand was dealt: the cards of each seat by name, a blind hand last, and the nest."""

    number: int
    dealer: int
    deal: list[list[str]]
    nest: list[str]
    shares: list[str]


class EveningJoined(EventBase, frozen=True):
    """The table is table `table` of a round of an evening, which says who sits here.

    `bot` plays for whoever is not there. `hands` are played, each a match of its own; 0 for a whole
    match. `deals` are the numbers of the evening's prepared deals, played instead of the table's.
    """

    evening: str
    round: int
    table: int
    bot: str
    hands: int = 0
    deals: list[int] = []


class TimelineBegun(EventBase, frozen=True):
    """The table goes on in this timeline of the database, see `rookery.server.store.timeline`.

    A hand under way is thrown in, and the next deal is promised anew.
    """

    timeline: str


class Acted(AtSeat, frozen=True):
    """A seat acted, as a record writes it; `by` says who decided for it."""

    text: str
    by: By


class Challenged(AtSeat, frozen=True):
    """A seat accused another of a revoke, wrongly. It costs nothing, but everybody sees it."""

    accused: int


class VoteAsked(EventBase, frozen=True):
    """A seat asks to take back its last act, or claims the rest and shows these cards."""

    kind: Kind
    seat: int
    shown: list[str] = []
    voters: list[int] = []


class Voted(AtSeat, frozen=True):
    """A seat answered."""

    yes: bool


class VoteClosed(EventBase, frozen=True):
    """The question was closed: accepted if everybody said yes."""

    kind: Kind
    seat: int
    accepted: bool


class Undone(AtSeat, frozen=True):
    """The last act of the hand was taken back."""


class Ready(AtSeat, frozen=True):
    """A seat has seen the score and asks for the next hand."""


class Halted(AtSeat, frozen=True):
    """A seat that is alone with bots has them wait once the auction is over, or go on."""

    on: bool


class Rematched(EventBase, frozen=True):
    """The same people play again, seated as `Arranged` says."""

    seats: list[int]


class Chatted(EventBase, frozen=True):
    """Table talk: a text, or one of the quick phrases."""

    person: str
    name: str
    seat: int | None
    text: str | None = None
    phrase: str | None = None


class Line(NamedTuple):
    """A line of table talk: the number and the time of its event, and that event."""

    seq: int
    at: int
    said: Chatted


class Pending(NamedTuple):
    """A question to the people at the table.

    Attributes:
        seat: who asks.
        since: when.
        shown: the cards that the claimer shows.
        voters: the seats that are asked.
        votes: who has said yes so far.
        seq: the number of the event that asked.
    """

    kind: Kind
    seat: int
    since: int
    shown: tuple[str, ...]
    voters: tuple[int, ...]
    votes: tuple[int, ...] = ()
    seq: int = 0


class Silenced(EventBase, frozen=True):
    """The host muted somebody who watches, lets them talk again, or sent them away."""

    person: str
    how: Silence


class Away(AtSeat, frozen=True):
    """A seated person has no connection any more."""


class Back(AtSeat, frozen=True):
    """A person is back at their seat."""


class StoodIn(AtSeat, frozen=True):
    """A bot plays for a person who is away; `called` where somebody did not wait any longer."""

    bot: str
    called: bool = False


class Reported(EventBase, frozen=True):
    """Somebody reported the player of a seat to whoever runs this server."""

    person: str
    accused: str
    reason: str


class Blocked(EventBase, frozen=True):
    """Somebody blocked a person's messages."""

    person: str
    blocked: str


Named: TypeAlias = Renamed | FaceChosen
SeatEvent: TypeAlias = Sat | Left | BotSeated | BotRemoved | Arranged | HostPassed | Named
PresenceEvent: TypeAlias = Away | Back | StoodIn
DealEvent: TypeAlias = (
    DealPromised | Contributed | EveningJoined | MatchBegun | HandDealt | Rematched | TimelineBegun
)
Pace: TypeAlias = Ready | Halted
PlayEvent: TypeAlias = Acted | Challenged | VoteAsked | Voted | VoteClosed | Undone | Pace
PersonEvent: TypeAlias = Chatted | Silenced | Reported | Blocked
Event: TypeAlias = (
    TableMade | SettingsChanged | SeatEvent | PresenceEvent | DealEvent | PlayEvent | PersonEvent
)


class Entry(msgspec.Struct, frozen=True):
    """An event in a table's log.

    Attributes:
        seq: its number, counted from 1 without gaps.
        at: when it happened, milliseconds since 1970, by the server's clock.
        event: what happened.
        client: the person and command id, on the first event of a command; see also `by_maker`.
    """

    seq: int
    at: int
    event: Event
    client: str | None = None


def entered(events: Sequence[Event], first: int, at: int, client: str | None = None) -> list[Entry]:
    """Return events as entries that begin with the number `first`; `client` goes to the first."""
    clients = (client, *(None,) * len(events))
    return [Entry(first + i, at, event, clients[i]) for i, event in enumerate(events)]


_OF_EVENING: Final = ":of evening"  # no command has this id


def by_maker(person: str) -> str:
    """Return the `client` of the first entry at a table of an evening that a person has made.

    Theirs are the title and the rules. Programs of 1.0 refuse an event with one field more, so the
    entry says it, in a way that they take for an id of the person's.
    """
    return f"{person}{_OF_EVENING}"


def maker_of(entry: Entry) -> str | None:
    """Return who has made the evening of a table; None where this entry does not say so.

    >>> maker_of(Entry(1, 0, Ready(0), by_maker("p"))), maker_of(Entry(1, 0, Ready(0), "p:c1"))
    ('p', None)
    """
    person, told, _ = (entry.client or "").partition(_OF_EVENING)
    return person if told else None


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
