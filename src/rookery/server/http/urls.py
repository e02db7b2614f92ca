"""What this server is called: the links it hands out, and the origins that are its own."""

from __future__ import annotations

from functools import cached_property
from typing import Final
from urllib.parse import urlsplit

from rookery.server.http import lan
from rookery.server.settings import Settings

_ANY: Final = ("0.0.0.0", "::", "")  # noqa: S104  (compared, not bound)
_LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")
_PORTS: Final = {"http": 80, "https": 443}


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

    @cached_property
    def base(self) -> str:
        """What a link begins with: the public url, else an address that a friend can reach."""
        if self._public is not None:
            return self._public
        host, port = self._settings.host, self._settings.port
        if host in _ANY:
            found = lan.addresses() if self._settings.lan else []
            host = found[0] if found else "127.0.0.1"
        return _origin("http", host, port)

    @property
    def here(self) -> str:
        """The address for a browser on this machine."""
        host = self._settings.host
        return _origin("http", "127.0.0.1" if host in _ANY else host, self._settings.port)

    def table(self, code: str) -> str:
        """Return the link that takes a friend to a table."""
        return f"{self.base}/t/{code}"

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
        asked = origin.removeprefix("http://")
        return asked == host and _is_local(asked, self._settings.port)

    @cached_property
    def _fixed(self) -> frozenset[str]:
        host, port = self._settings.host, self._settings.port
        hosts = [*_LOOPBACK] if host in (*_ANY, *_LOOPBACK, "::1") else [host]
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
    if parts.scheme not in _PORTS or not parts.hostname or not plain:
        raise BadUrl(f"{url!r} is no address of the form https://rook.example")
    return _origin(parts.scheme, parts.hostname, _PORTS[parts.scheme] if port is None else port)


def _origin(scheme: str, host: str, port: int) -> str:
    if ":" in host and not host.startswith("["):
        host = f"[{host}]"
    return f"{scheme}://{host}" if _PORTS[scheme] == port else f"{scheme}://{host}:{port}"


def _is_local(netloc: str, port: int) -> bool:
    try:
        parts = urlsplit(f"//{netloc}")
        return lan.is_local(parts.hostname or "") and (parts.port or _PORTS["http"]) == port
    except ValueError:
        return False
