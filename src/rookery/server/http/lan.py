"""The addresses by which another device in the room reaches this machine."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
from typing import Final

# Nothing is sent to these: a UDP socket that is "connected" only picks the way out.
_ROADS: Final = (
    (socket.AF_INET, "192.0.2.1"),
    (socket.AF_INET, "10.255.255.255"),
    (socket.AF_INET6, "2001:db8::1"),
)


def addresses() -> list[str]:
    """Return this machine's addresses on its networks, the likeliest first; no loopback ones.

    >>> all(not ipaddress.ip_address(found).is_loopback for found in addresses())
    True
    """
    found: list[str] = []
    for family, far in _ROADS:
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((far, 9))
            found.append(str(probe.getsockname()[0]))
    with contextlib.suppress(OSError):
        for family, _, _, _, where in socket.getaddrinfo(socket.gethostname(), None):
            if family in (socket.AF_INET, socket.AF_INET6):
                found.append(str(where[0]))
    return [address for address in dict.fromkeys(found) if _useful(address)]


def is_local(host: str) -> bool:
    """Return whether `host` is an address of a private network or of this machine, not a name.

    >>> is_local("192.168.1.20"), is_local("[fd00::1]"), is_local("8.8.8.8"), is_local("ann.lan")
    (True, True, False, False)
    """
    try:
        address = ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    return address.is_private or address.is_link_local or address.is_loopback


def _useful(text: str) -> bool:
    address = ipaddress.ip_address(text.partition("%")[0])
    return not (address.is_loopback or address.is_unspecified or address.is_link_local)
