"""The open sockets of this process, by person and by the session that opened them."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable
from typing import Final, NamedTuple

from rookery.server.counters import PerHousehold
from rookery.server.live.actor import MOVED, Actor
from rookery.server.live.connection import AWAY, SENT_AWAY, TOO_SLOW, Connection
from rookery.server.names import token_hash
from rookery.server.table.state import Who

# What a socket is closed with. From 4000 on a browser hands the number to the page.
OTHER_TAB: Final = 4001
NO_SESSION: Final = 4003
NO_TABLE: Final = 4004
NO_HELLO: Final = 4005
NO_PROTOCOL: Final = 4006
NOT_OVER: Final = 4016
TOO_FAST: Final = 4029
RESTARTS: Final = 1012
NO_STORE: Final = 1013
AT_THE_DOOR: Final = 2
CUT_LATELY: Final = 4096
SOCKETS_PER_PERSON: Final = 6
# A whole school may come by one address; a server holds 20,000 sockets.
SOCKETS_PER_HOUSEHOLD: Final = 256
CLOSINGS: Final = {
    OTHER_TAB: "this table is open in too many tabs; this one was the oldest",
    NO_SESSION: "choose a name first, or use a return link",
    NO_TABLE: "this table does not exist, or it has been deleted",
    NOT_OVER: "others may still play these deals; you can watch when the evening is over",
    NO_HELLO: "no hello came in time",
    NO_PROTOCOL: "no such protocol; there is rookery-bot/1, and the table's own without a name",
    SENT_AWAY: AWAY,
    TOO_SLOW: "the connection reads too slowly",
    TOO_FAST: "too many messages; wait a moment",
    MOVED: "the table is served elsewhere; come back",
    RESTARTS: "the server restarts; come back",
    NO_STORE: "the server cannot reach its disk; come back in a moment",
}


class _Socket(NamedTuple):
    session: str
    connection: Connection
    actor: Actor


class SocketRegistry:
    """The sockets that each person has open.

    Attributes:
        door: a queue for people who come all at once, and for those who send many messages at
            once. So nobody who plays has to wait for more than `AT_THE_DOOR` of them.
        households: how many sockets each household has, those that wait to open among them;
            somebody on this machine, and another server, have no limit.
    """

    def __init__(self) -> None:
        self.door = asyncio.Semaphore(AT_THE_DOOR)
        self._of: dict[str, list[_Socket]] = {}
        # Who was cut lately, person or session: a socket of theirs may just be opening.
        self._cut: dict[str, None] = {}
        self.households = PerHousehold(SOCKETS_PER_HOUSEHOLD)

    def opened(self, token: str, connection: Connection, actor: Actor) -> None:
        """Keep a socket; where a person has too many, close the oldest."""
        own, hashed = self._of.setdefault(connection.who.id, []), token_hash(token)
        if own:  # whom they block at one table they hear at none
            own[0].connection.blocked |= connection.blocked
            connection.blocked = own[0].connection.blocked
        own.append(_Socket(hashed, connection, actor))
        if not self._cut.keys().isdisjoint((hashed, connection.who.id)):
            connection.outbox.end(NO_SESSION, CLOSINGS[NO_SESSION])
        open_ones = [one.connection for one in own if not one.connection.outbox.ended]
        for oldest in open_ones[: max(0, len(open_ones) - SOCKETS_PER_PERSON)]:
            oldest.outbox.end(OTHER_TAB, CLOSINGS[OTHER_TAB])

    def closed(self, connection: Connection) -> None:
        """Forget a socket."""
        own = self._of.get(connection.who.id, [])
        own[:] = [one for one in own if one.connection is not connection]
        if not own:
            self._of.pop(connection.who.id, None)

    def sessions(self) -> set[str]:
        """Return the sessions that have a socket open, as the hashes of their tokens."""
        return {one.session for own in self._of.values() for one in own}

    def cut_sessions(self, hashes: Collection[str]) -> None:
        """Close the sockets of sessions that are over for good, by the hashes of their tokens."""
        self._note_cut(hashes)
        self.close_sessions(hashes)

    def close_sessions(self, hashes: Collection[str]) -> None:
        """Close the sockets of sessions that do not hold now, but may by another clock."""
        over = frozenset(hashes)  # of somebody's thousands
        self._end(one for own in self._of.values() for one in own if one.session in over)

    def cut_person(self, person: str) -> set[str]:
        """Close all the sockets of a person; return the codes of the tables they were to."""
        self._note_cut([person])
        own = self._of.get(person, ())
        self._end(own)
        return {one.actor.table.code for one in own}

    def _note_cut(self, whose: Iterable[str]) -> None:
        self._cut |= dict.fromkeys(whose)
        for oldest in list(self._cut)[: max(0, len(self._cut) - CUT_LATELY)]:
            del self._cut[oldest]

    def _end(self, sockets: Iterable[_Socket]) -> None:
        for one in sockets:
            one.connection.outbox.end(NO_SESSION, CLOSINGS[NO_SESSION])

    def sessions_of(self, person: str) -> set[str]:
        """Return the sessions by which a person has sockets open, as hashes of their tokens."""
        return {one.session for one in self._of.get(person, ())}

    def rename(self, who: Who) -> None:
        """Tell the tables where a person is connected of the new name."""
        for actor in {one.actor for one in self._of.get(who.id, ())}:
            actor.rename(who)
