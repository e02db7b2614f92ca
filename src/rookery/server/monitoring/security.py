"""Security events: what somebody does who means harm, told in the log but not who they are.

No line has an address. In its place stands a hash of it, under a key that is drawn anew each day
(UTC) and is kept nowhere but in memory. So whoever reads the log sees what came from one address in
a day, and nobody can find out which address that was.

Nobody can fill a disk with events, or slow the server down by them. The first of a kind from an
address is told at once; those of the next minute are counted, and told once with their number. In
a minute a kind has only so many addresses that are told apart.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import secrets
from collections import deque
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from rookery.server.counters import Tally
from rookery.server.live.connection import TOO_SLOW
from rookery.server.live.sockets import NO_HELLO, NO_TABLE, OTHER_TAB, TOO_FAST
from rookery.server.settings import DAY
from rookery.server.table import commands as cm

log = logging.getLogger("rookery.security")

WINDOW: Final = 60.0  # seconds in which events of one kind from one address are told together
APART: Final = 8  # addresses that are told apart in it, of each kind
LATEST: Final = 50  # lines that are kept for the admin page
INSIDE: Final = "inside"  # this machine, or a host whose socket another server passes on
OTHERS: Final = "others"  # the addresses beyond `APART`, together
KINDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "other-site": "a page of another site asked",
        "other-name": "this server was asked for under another name",
        "code-guess": "a table was asked for that does not exist",
        "token-guess": "a cookie was sent that is nobody's",
        "link-guess": "a return link was tried that is not good",
        "passkey-guess": "a passkey was shown that is not good",
        "secret-guess": "the admin page was asked for with a wrong secret",
        "flood": "more was asked for than the limits allow",
        "cut-fast": "a connection was closed, because too much came on it",
        "cut-slow": "a connection was closed, because it sent or read too slowly",
        "put-out": "a connection was closed, because there were too many",
        "seat-taken": "a host gave a person's seat to a bot",
        "muted": "a host muted somebody who watches",
        "sent-away": "a host sent somebody away who watches",
    }
)
_REFUSALS: Final[Mapping[str, str]] = {
    "bad-origin": "other-site",
    "bad-host": "other-name",
    "no-table": "code-guess",
    "bad-link": "link-guess",
    "bad-passkey": "passkey-guess",
    "too-many": "flood",
    "too-slow": "cut-slow",
}
_CLOSINGS: Final[Mapping[int, str]] = {
    NO_TABLE: "code-guess",
    TOO_FAST: "cut-fast",
    TOO_SLOW: "cut-slow",
    NO_HELLO: "cut-slow",
    OTHER_TAB: "put-out",
}


class Told(NamedTuple):
    """A line of the log.

    Attributes:
        at: when it was written, milliseconds since 1970.
        kind: one of `KINDS`.
        who: the hash of an address, `INSIDE` or `OTHERS`.
        times: how many events it stands for.
    """

    at: int
    kind: str
    who: str
    times: int


def kind_of_act(command: cm.Change) -> str | None:
    """Return the kind of a command by which a host does something to others; None for any other.

    >>> kind_of_act(cm.Mute("a", 9)), kind_of_act(cm.Mute("b", 9, on=False))
    ('muted', None)
    """
    match command:
        case cm.Replace():
            return "seat-taken"
        case cm.SendAway():
            return "sent-away"
        case cm.Mute(on=True):
            return "muted"
        case _:
            return None


def _later(seconds: float, call: Callable[[], None]) -> None:
    asyncio.get_running_loop().call_later(seconds, call)


class SecurityLog:
    """The security events of one server. Only the event loop's thread may use it.

    Attributes:
        latest: the last lines, the newest at the end.
    """

    def __init__(
        self,
        tally: Tally,
        clock: Callable[[], int],
        later: Callable[[float, Callable[[], None]], None] = _later,
    ) -> None:
        """Count with `tally`; `clock` returns milliseconds since 1970, `later` calls later."""
        self._tally, self._clock, self._later = tally, clock, later
        tally.counts["security_events"].update(dict.fromkeys(KINDS, 0))
        self.latest: deque[Told] = deque(maxlen=LATEST)
        # Of each kind and each who: the events since the last line.
        self._counted: dict[str, dict[str, int]] = {kind: {} for kind in KINDS}
        self._waits = False
        self._day, self._key = -1, b""

    def note(self, kind: str, household: str | None) -> None:
        """Take an event of one of `KINDS`, from an address; None stands for `INSIDE`."""
        self._tally.count("security_events", kind)
        counted, who = self._counted[kind], self._who(household)
        if who not in counted and len(counted) < APART:
            counted[who] = 0
            self._tell(kind, who, 1)
        else:
            who = who if who in counted else OTHERS
            counted[who] = counted.get(who, 0) + 1
        self._wait()

    def refused(self, code: str, household: str | None) -> None:
        """Take the refusal of a request, by its code, if it is an event."""
        if (kind := _REFUSALS.get(code)) is not None:
            self.note(kind, household)

    def closed(self, code: int, household: str | None) -> None:
        """Take the end of a socket, by its code, if it is an event."""
        if (kind := _CLOSINGS.get(code)) is not None:
            self.note(kind, household)

    def tell(self) -> None:
        """Tell what was only counted until now."""
        for kind, counted in self._counted.items():
            found = {who: times for who, times in counted.items() if times}
            for who, times in found.items():
                self._tell(kind, who, times)
            # Whoever goes on is counted for another minute.
            self._counted[kind] = dict.fromkeys(found.keys() - {OTHERS}, 0)

    def _wait(self) -> None:
        if not self._waits:
            self._waits = True
            self._later(WINDOW, self._over)

    def _over(self) -> None:
        self._waits = False
        self.tell()
        if any(self._counted.values()):
            self._wait()

    def _tell(self, kind: str, who: str, times: int) -> None:
        self.latest.append(Told(self._clock(), kind, who, times))
        fields = {"kind": kind, "who": who, "times": times}
        told = kind, who, times, KINDS[kind]
        log.warning("%s by %s, times %d: %s", *told, extra={"fields": fields})

    def _who(self, household: str | None) -> str:
        if household is None:
            return INSIDE
        day = self._clock() // DAY
        if day != self._day:
            self._day, self._key = day, secrets.token_bytes(32)
        return hmac.digest(self._key, household.encode("utf-8", "replace"), "sha256").hex()[:12]
