"""From settings to a registry: which store, shared with whom, and how others hear of changes."""

from __future__ import annotations

import signal
import socket
from typing import Final

from rookery.server.cluster.pubsub import PubSub
from rookery.server.registry.tables import TableRegistry
from rookery.server.settings import Settings
from rookery.server.store.base import Store, StoreError
from rookery.server.store.memory import MemoryStore

_ANY: Final = ("0.0.0.0", "::", "")  # noqa: S104  (compared, not bound)


def store_of(settings: Settings) -> Store:
    """Return the store of the settings' folder, or one in memory where there is none.

    Raises:
        StoreError: it cannot be opened.
    """
    if settings.data is None:
        return MemoryStore()
    from rookery.server.store.sqlite import FILE, SqliteStore

    return SqliteStore(settings.data / FILE)


def registry_of(settings: Settings) -> TableRegistry:
    """Return the registry that the settings describe; with a database url, one of several.

    Raises:
        StoreError: its store cannot be opened.
    """
    if settings.database is None:
        return TableRegistry(store_of(settings), settings)
    from rookery.server.cluster.postgres_leases import PostgresLeases
    from rookery.server.store.postgres import PostgresStore

    pubsub = PubSub()
    if settings.hints is not None:
        from rookery.server.cluster.redis_pubsub import RedisPubSub

        pubsub = RedisPubSub(settings.hints)
    store = PostgresStore(settings.database)
    leases = PostgresLeases(store, peer_address(settings), _make_room)
    return TableRegistry(store, settings, leases=leases, pubsub=pubsub)


def peer_address(settings: Settings) -> str:
    """Return where other servers find this one: as told, as bound, or as the database sees it.

    Raises:
        StoreError: the database's host has no address.
    """
    if settings.peer is not None:
        return settings.peer
    host = settings.host
    if host in _ANY:
        host = _seen_by(settings.database or "")
    return f"[{host}]:{settings.port}" if ":" in host else f"{host}:{settings.port}"


def _seen_by(url: str) -> str:
    from rookery.server.store.postgres import address

    there = address(url)
    try:
        found = socket.getaddrinfo(there.host or "127.0.0.1", there.port or 5432)
        family, _, _, _, place = found[0]
        # Nothing is sent: the system only chooses by which of its addresses it would be.
        with socket.socket(family, socket.SOCK_DGRAM) as way:
            way.connect(place)
            return str(way.getsockname()[0])
    except OSError:
        raise StoreError(f"the host of the database has no address: {there.host}") from None


def _make_room() -> None:
    """End this server, in whose place another has come."""
    signal.raise_signal(signal.SIGTERM)
