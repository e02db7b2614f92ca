"""What servers tell each other, so that nobody has to ask: it may come late, twice or never.

Nothing hangs on it. Whatever is told is in the store, where it is found a little later too: who has
a table, with the next sign of life; open tables, when the list is a second old; who has gone, the
same; a name, when the person's next line is opened.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol, TypeAlias

import msgspec

from rookery.server.store.leases import Lease
from rookery.server.table.events import snake


class Tagged(msgspec.Struct, frozen=True, tag_field="type", tag=snake):
    """A notice; on the wire its field ``type`` is its name."""


class Changed(Tagged, frozen=True):
    """A table has come to event `seq`, under this lease; it is `listed` for strangers."""

    code: str
    lease: Lease
    seq: int = 0
    listed: bool = False


class Gone(Tagged, frozen=True):
    """A person is to be forgotten, and has no lines any more."""

    person: str


class Renamed(Tagged, frozen=True):
    """A person goes by another name, which the store knows."""

    person: str


class Ended(Tagged, frozen=True):
    """A session is over: the hash of its token."""

    session: str


Notice: TypeAlias = Changed | Gone | Renamed | Ended
Subscriber: TypeAlias = Callable[[Notice], object]

_READER: Final[msgspec.json.Decoder[Notice]] = msgspec.json.Decoder(Notice)
_WRITER: Final = msgspec.json.Encoder()


class PubSub(Protocol):
    """The way to the other servers, for what may get lost."""

    @property
    def connected(self) -> bool:
        """Whether what others tell is heard at the moment, as far as anybody can know."""

    def publish(self, notice: Notice) -> None:
        """Have the others know, soon or never."""

    def subscribe(self, subscriber: Subscriber) -> None:
        """Begin to hear what the others tell."""

    async def close(self) -> None:
        """Hear and tell nothing any more."""


class NoPubSub:
    """No other servers, or no way to them."""

    connected = False

    def publish(self, notice: Notice) -> None:
        """Return; nobody hears it."""

    def subscribe(self, subscriber: Subscriber) -> None:
        """Return; nobody tells anything."""

    async def close(self) -> None:
        """Return."""


NO_PUBSUB: Final = NoPubSub()


def written(notice: Notice) -> bytes:
    """Return a notice as it is sent.

    >>> written(Gone("p1"))
    b'{"type":"gone","person":"p1"}'
    """
    return _WRITER.encode(notice)


def read(sent: bytes) -> Notice | None:
    """Return the notice that was sent; None for what is no notice of this version.

    >>> read(b'{"type":"gone","person":"p1"}'), read(b"?")
    (Gone(person='p1'), None)
    """
    try:
        return _READER.decode(sent)
    except (msgspec.MsgspecError, UnicodeError):
        return None
