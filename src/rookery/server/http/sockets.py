"""The open sockets of this process, by the session that opened them and by person."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple

from rookery.server.http.ratelimit import SOCKETS_PER_HOUSEHOLD, SOCKETS_PER_PERSON
from rookery.server.live.actor import MOVED, Actor
from rookery.server.live.connection import Connection
from rookery.server.names import token_hash
from rookery.server.table.pieces import Who

# What a socket is closed with. From 4000 on a browser hands the number to the page.
OTHER_TAB: Final = 4001
NO_SESSION: Final = 4003
NO_TABLE: Final = 4004
NO_HELLO: Final = 4005
NO_PROTOCOL: Final = 4006
TOO_SLOW: Final = 4008
TOO_FAST: Final = 4029
NO_STORE: Final = 1013
AT_THE_DOOR: Final = 2
CLOSINGS: Final = {
    OTHER_TAB: "too many tabs of yours are open; this one was the oldest",
    NO_SESSION: "choose a name first, or use a return link",
    NO_TABLE: "there is no such table, or it has been cleared away",
    NO_HELLO: "nothing was said in time",
    NO_PROTOCOL: "no such protocol; there is rookery-bot/1, and the table's own without a name",
    TOO_SLOW: "the connection reads too slowly",
    TOO_FAST: "too many messages; wait a moment",
    MOVED: "the table is served elsewhere; come back",
    NO_STORE: "the server cannot reach its disk; come back in a moment",
}


class _Line(NamedTuple):
    session: str
    connection: Connection
    actor: Actor


class SocketRegistry:
    """Who has which sockets open.

    Attributes:
        door: where a crowd that comes at once has to queue, and everybody who says many things at
            once: nobody who plays has to wait for more than `AT_THE_DOOR` of them.
    """

    def __init__(self) -> None:
        self.door = asyncio.Semaphore(AT_THE_DOOR)
        self._of: dict[str, list[_Line]] = {}
        self._households: Counter[str] = Counter()

    def enters(self, household: str | None) -> bool:
        """Count a socket of a household; return whether there was room for it.

        None is somebody on this machine, or another server; they have no limit.
        """
        if household is None:
            return True
        if self._households[household] >= SOCKETS_PER_HOUSEHOLD:
            return False
        self._households[household] += 1
        return True

    def leaves(self, household: str | None) -> None:
        """Count a socket that had entered no more."""
        if household is not None:
            self._households[household] -= 1
            if self._households[household] <= 0:
                del self._households[household]

    def opened(self, token: str, connection: Connection, actor: Actor) -> None:
        """Keep a socket; of too many the person's oldest is ended."""
        held = self._of.setdefault(connection.who.id, [])
        held.append(_Line(token_hash(token), connection, actor))
        going = [line.connection for line in held if not line.connection.outbox.ended]
        for oldest in going[: max(0, len(going) - SOCKETS_PER_PERSON)]:
            oldest.outbox.end(OTHER_TAB, CLOSINGS[OTHER_TAB])

    def closed(self, connection: Connection) -> None:
        """Forget a socket."""
        person = connection.who.id
        left = [line for line in self._of.get(person, ()) if line.connection is not connection]
        if left:
            self._of[person] = left
        else:
            self._of.pop(person, None)

    def cut(self, token: str) -> None:
        """End the sockets of a session that is over."""
        self.cut_session(token_hash(token))

    def cut_session(self, hashed: str) -> None:
        """End the sockets of a session, by the hash of its token."""
        for line in self._all():
            if line.session == hashed:
                line.connection.outbox.end(NO_SESSION, CLOSINGS[NO_SESSION])

    def cut_person(self, person: str) -> set[str]:
        """End all the sockets of a person; return the codes of the tables they were to."""
        held = self._of.get(person, ())
        for line in held:
            line.connection.outbox.end(NO_SESSION, CLOSINGS[NO_SESSION])
        return {line.actor.table.code for line in held}

    def session_of(self, person: str) -> str | None:
        """Return a session by which a person has a socket open here, the hash of its token."""
        return next((line.session for line in self._of.get(person, ())), None)

    def renamed(self, who: Who) -> None:
        """Have the tables where a person is connected learn of the new name."""
        for actor in {line.actor for line in self._of.get(who.id, ())}:
            actor.rename(who)

    def __len__(self) -> int:
        return sum(map(len, self._of.values()))

    def _all(self) -> Iterator[_Line]:
        for held in list(self._of.values()):
            yield from held
