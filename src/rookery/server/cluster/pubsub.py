"""Notices between servers. They may arrive late, twice or never.

Nothing depends on them: each notice is about something in the store, where it is found a little
later anyway. Owners of tables and forgotten people are found with the next heartbeat, open tables
when the list is a second old, and a new name when the person next connects.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

import msgspec

from rookery.server.store.leases import Lease
from rookery.server.table.events import snake


class Tagged(msgspec.Struct, frozen=True, tag_field="type", tag=snake):
    """Base of all notices; the field ``type`` is the notice's name."""


class Changed(Tagged, frozen=True):
    """A table is at event `seq`, under this lease, and may be `listed` for strangers."""

    code: str
    lease: Lease
    seq: int = 0
    listed: bool = False


class Gone(Tagged, frozen=True):
    """A person is to be forgotten; close their connections."""

    person: str


class Renamed(Tagged, frozen=True):
    """A person has a new name; the store has it."""

    person: str


class Ended(Tagged, frozen=True):
    """A session has ended; this is the hash of its token."""

    session: str


Notice: TypeAlias = Changed | Gone | Renamed | Ended
Subscriber: TypeAlias = Callable[[Notice], object]

_READER: Final[msgspec.json.Decoder[Notice]] = msgspec.json.Decoder(Notice)
_WRITER: Final = msgspec.json.Encoder()


class PubSub:
    """Sends notices to other servers, and receives theirs. Any of them may get lost.

    This one is of a server that is alone: it sends and receives nothing.
    """

    @property
    def connected(self) -> bool:
        """Whether notices of other servers arrive at the moment, as far as is known."""
        return False

    def publish(self, notice: Notice) -> None:
        """Send a notice to the other servers, soon or never."""

    def subscribe(self, subscriber: Subscriber) -> None:
        """Begin to call `subscriber` with the notices of other servers."""

    async def close(self) -> None:
        """Stop sending and receiving."""


NO_PUBSUB: Final = PubSub()


def written(notice: Notice) -> bytes:
    """Return a notice as it is sent.

    >>> written(Gone("p1"))
    b'{"type":"gone","person":"p1"}'
    """
    return _WRITER.encode(notice)


def read(sent: bytes) -> Notice | None:
    """Return the notice that was sent; None where this version does not know it.

    >>> read(b'{"type":"gone","person":"p1"}'), read(b"?")
    (Gone(person='p1'), None)
    """
    try:
        return _READER.decode(sent)
    except (msgspec.MsgspecError, UnicodeError):
        return None
