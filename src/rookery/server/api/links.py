"""The addresses of this server: the links it hands out, its origins, and links as QR codes."""

from __future__ import annotations

import contextlib
import hashlib
import io
import ipaddress
import re
import socket
import threading
import time
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from rookery.server.registry.passkeys import Site
from rookery.server.settings import PORT, Settings

if TYPE_CHECKING:
    from segno import QRCode

ANY: Final = ("0.0.0.0", "::", "")  # noqa: S104  (compared, not bound)
_LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")
_PORTS: Final = {"http": 80, "https": 443}
_NAME: Final = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*")  # as browsers write it, IPv4 too
_FAR: Final = ("192.0.2.1", "10.255.255.255", "2001:db8::1")  # where nobody is
_FRESH: Final = 5.0  # seconds that this machine's address on its networks holds


class BadUrl(ValueError):
    """A public url that is none."""


class Links:
    """The addresses of one server.

    >>> links = Links(Settings(public_url="https://rook.example"))
    >>> links.table("ABCDEF2"), links.secure
    ('https://rook.example/t/ABCDEF2', True)
    >>> links.own("https://rook.example", "rook.example"), links.own("null", "rook.example")
    (True, False)
    """

    def __init__(self, settings: Settings) -> None:
        """Take the addresses from the settings.

        Raises:
            BadUrl: the public url is not ``http(s)://host[:port]``.
        """
        self._settings = settings
        self._public = None if settings.public_url is None else origin_of(settings.public_url)

    @property
    def secure(self) -> bool:
        """Whether browsers reach this server by https, so that cookies are for https alone."""
        return self._public is not None and self._public.startswith("https:")

    @property
    def proxied(self) -> bool:
        """Whether requests come through a proxy."""
        return self._public is not None

    @property
    def shares(self) -> bool:
        """Whether this server may share its people: by a database, or behind a public url."""
        return self._public is not None or self._settings.database is not None

    @property
    def mark(self) -> str | None:
        """What tells this server from others on the machine, whatever its port is next time.

        None for servers that share their people.
        """
        settings = self._settings
        if self.shares:
            return None
        if settings.data is not None:
            return hashlib.sha256(str(settings.data.resolve()).encode()).hexdigest()[:8]
        return None if settings.port == PORT else str(settings.port)

    @property
    def base(self) -> str:
        """What a link begins with: the public url, else an address that a friend can reach."""
        if self._public is not None:
            return self._public
        host, port = self._settings.host, self._settings.port
        if host in ANY:
            found = _LAN.address() if self._settings.lan else None
            host = found or "127.0.0.1"
        return _origin("http", host, port)

    @property
    def here(self) -> str:
        """The address for a browser on this machine."""
        host = self._settings.host
        return _origin("http", "127.0.0.1" if host in ANY else host, self._settings.port)

    def table(self, code: str) -> str:
        """Return the link that takes a friend to a table."""
        return f"{self.base}/t/{code}"

    def replay(self, code: str) -> str:
        """Return the link to the finished hands of a table."""
        return f"{self.base}/replay/{code}"

    def sheet(self, code: str, key: str | None = None) -> str:
        """Return the link to a score sheet; with its key, others write there too."""
        return f"{self.base}/s/{code}" + ("" if key is None else f"#{key}")

    def evening(self, code: str, key: str | None = None, table: int | None = None) -> str:
        """Return the link to an evening, or to a table of it; with a key, for whoever writes."""
        place = "" if table is None else f"/t/{table}"
        return f"{self.base}/e/{code}{place}" + ("" if key is None else f"#{key}")

    def returning(self, token: str) -> str:
        """Return the link that makes another browser the same person."""
        return f"{self.base}/return/{token}"

    def own(self, origin: str | None, host: str) -> bool:
        """Return whether a page of `origin`, asking for `host`, is one of this server's own.

        A missing origin is nobody's. On a local network the address may change while the server
        runs, so there any private address will do that is the very one that was asked for: a
        name could be pointed at this machine by anybody.
        """
        if origin is None:
            return False
        if origin in self._fixed:
            return True
        if not self._settings.lan or not origin.startswith("http://"):
            return False
        netloc = origin.removeprefix("http://")
        return netloc == host and is_local(netloc, self._settings.port)

    def serves(self, host: str) -> bool:
        """Return whether a request for `host`, with a port or without, may be for this server.

        A page of another site could have its own name point at this machine, and read what is
        meant for nobody but whoever sits there. No such name is without a dot, or a number. A
        request without a host comes from no browser.

        >>> links = Links(Settings(public_url="https://rook.example"))
        >>> hosts = ("rook.example", "[::1]:8000", "app:80", "evil.example")
        >>> [links.serves(host) for host in hosts]
        [True, True, True, False]
        """
        try:
            name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
        except ValueError:
            return False
        own = (self._settings.host.lower(), self._public_name)
        return "." not in name or name in own or _is_address(name)

    def site(self, host: str) -> Site | None:
        """Return for which pages passkeys are where `host` is asked for; None for none.

        Browsers have them on secure pages alone, and for names, not for addresses.

        >>> links = Links(Settings(public_url="https://rook.example"))
        >>> links.site("rook.example"), links.site("localhost:8000")
        (Site(name='rook.example', origin='https://rook.example'), None)
        >>> Links(Settings()).site("localhost:8000")
        Site(name='localhost', origin='http://localhost:8000')
        """
        name, origin = self._public_name or "localhost", self._public or f"http://{host}"
        good = origin in self._fixed and (self.secure or name == "localhost")
        asked = host.lower().rpartition(":")[0] if ":" in host else host.lower()
        return Site(name, origin) if good and asked == name and not _is_address(name) else None

    @cached_property
    def _public_name(self) -> str:
        return "" if self._public is None else urlsplit(self._public).hostname or ""

    @cached_property
    def _fixed(self) -> frozenset[str]:
        host, port = self._settings.host, self._settings.port
        hosts = [*_LOOPBACK] if host in (*ANY, *_LOOPBACK, "::1") else [host]
        own = [_origin("http", each, port) for each in hosts]
        return frozenset([*own, self._public] if self._public is not None else own)


def origin_of(url: str) -> str:
    """Return the origin of a url, as a browser writes it.

    Raises:
        BadUrl: it is not ``http(s)://host[:port]``.

    >>> origin_of("https://Rook.Example:443/")
    'https://rook.example'
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise BadUrl(f"{url!r} is no address") from None
    plain = parts.path in ("", "/") and not (parts.query or parts.fragment or parts.username)
    if parts.scheme not in _PORTS or not parts.hostname or not plain or port == 0:
        raise BadUrl(f"{url!r} is no address of the form https://rook.example")
    # A browser's Host and Origin would be another text, and nobody would be let in.
    if not (_NAME.fullmatch(parts.hostname) or _is_address(parts.hostname)):
        line = "is no address as browsers write it; expected https://rook.example, or xn--… for é"
        raise BadUrl(f"{url!r} {line}")
    return _origin(parts.scheme, parts.hostname, _PORTS[parts.scheme] if port is None else port)


def _origin(scheme: str, host: str, port: int) -> str:
    if ":" in host and not host.startswith("["):
        host = f"[{host}]"
    return f"{scheme}://{host}" if _PORTS[scheme] == port else f"{scheme}://{host}:{port}"


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


class Lan:
    """This machine's likeliest address on its networks, as of some seconds ago.

    It may get one after the start, or another one. To look up its own name may take long, so but
    for the first time that is done beside the event loop, and whoever asks meanwhile gets the last.
    """

    def __init__(self) -> None:
        self._found: str | None = None
        self._until: float | None = None

    def address(self) -> str | None:
        """Return the address; None where this machine is on no network."""
        is_first, now = self._until is None, time.monotonic()
        if self._until is None or now >= self._until:
            self._until = now + _FRESH
            if is_first:
                self._look()
            elif near := next(_ways_out(), None):
                self._found = near
            else:
                threading.Thread(target=self._look, name="address", daemon=True).start()
        return self._found

    def _look(self) -> None:
        self._found = next(iter(lan_addresses()), None)


_LAN: Final = Lan()  # of the machine, not of one of its servers


def _ways_out() -> Iterator[str]:
    for far in _FAR:
        with contextlib.suppress(OSError):
            if _useful(address := way_out(far, 9)):
                yield address


def lan_addresses() -> list[str]:
    """Return this machine's addresses on its networks, the likeliest first, without loopback.

    >>> all(not ipaddress.ip_address(found).is_loopback for found in lan_addresses())
    True
    """
    found = list(_ways_out())
    with contextlib.suppress(OSError):
        for family, _, _, _, where in socket.getaddrinfo(socket.gethostname(), None):
            if family in (socket.AF_INET, socket.AF_INET6):
                found.append(str(where[0]))
    return [address for address in dict.fromkeys(found) if _useful(address)]


def way_out(host: str, port: int) -> str:
    """Return this machine's address on the network by which it would reach a host.

    Raises:
        OSError: the host has no address, or there is no way to it.
    """
    family, _, _, _, place = socket.getaddrinfo(host, port)[0]
    # Nothing is sent: a UDP socket that is "connected" only picks its own address.
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect(place)
        return str(probe.getsockname()[0])


def is_local(netloc: str, port: int) -> bool:
    """Return whether `netloc` is an address of a private network or of this machine, at `port`.

    >>> is_local("192.168.1.20", 80), is_local("[fd00::1]:8000", 8000), is_local("8.8.8.8", 80)
    (True, True, False)
    >>> is_local("ann.lan", 80)  # a name
    False
    """
    try:
        parts = urlsplit(f"//{netloc}")
        address = ipaddress.ip_address(parts.hostname or "")
        is_there = (parts.port or _PORTS["http"]) == port
    except ValueError:
        return False
    return is_there and (address.is_private or address.is_link_local or address.is_loopback)


def _useful(text: str) -> bool:
    address = ipaddress.ip_address(text.partition("%")[0])
    return not (address.is_loopback or address.is_unspecified or address.is_link_local)


def mask_of(link: str) -> int:
    """Return the pattern over its code by which a link is read best, 0 to 7.

    To find it takes most of the time of a picture. Links that are much alike may share one: it
    stands in the code, and every reader takes it off again.
    """
    return int(_code(link, "m").mask)


def qr_svg(link: str, mask: int | None = None) -> bytes:
    """Return the code as an SVG picture, black on white, four modules of quiet around it.

    With `mask`, that pattern is laid over it, and the best one otherwise.

    >>> qr_svg("http://localhost:8000/t/ABCDEF2")[:4]
    b'<svg'
    """
    out = io.BytesIO()
    # White is drawn, not left out: on a dark page a scanner would find no edge.
    _code(link, "m", mask).save(
        out, kind="svg", border=4, scale=8, dark="#000", light="#fff", xmldecl=False, svgns=True
    )
    return out.getvalue()


def qr_text(link: str) -> str:
    """Return the code as text that a terminal shows, two modules a character cell.

    >>> "█" in qr_text("http://localhost:8000/")
    True
    """
    rows = [list(row) for row in _code(link, "l").matrix_iter(border=2)]
    if len(rows) % 2:
        rows.append([0] * len(rows[0]))
    # A module that is dark on paper is left dark here, and the light ones are drawn.
    blocks = {(0, 0): "█", (0, 1): "▀", (1, 0): "▄", (1, 1): " "}
    pairs = zip(rows[::2], rows[1::2], strict=True)
    lines = (
        "".join(blocks[int(a), int(b)] for a, b in zip(top, low, strict=True)) for top, low in pairs
    )
    # White on black, whatever the terminal's own colours are.
    return "\n".join(f"\x1b[97;40m{line}\x1b[0m" for line in lines)


def _code(link: str, error: str, mask: int | None = None) -> QRCode:
    from segno import make  # not before somebody wants a picture: a start does not wait for it

    return make(link, error=error, micro=False, mask=mask)
