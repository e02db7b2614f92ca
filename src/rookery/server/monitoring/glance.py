"""What a server holds at the moment, in a few numbers."""

from __future__ import annotations

from typing import NamedTuple

from rookery.server.registry.tables import TableRegistry


class Glance(NamedTuple):
    """What is in memory, and who is there.

    Attributes:
        tables: tables in memory.
        playing: of these, those where a match is on.
        people: people connected to them, each once.
        connections: their connections.
        watchers: people at a table without a seat there, once for each table.
        bots: seats that bots play.
        relayed: sockets that are passed on to another server.
    """

    tables: int
    playing: int
    people: int
    connections: int
    watchers: int
    bots: int
    relayed: int


def glance(registry: TableRegistry) -> Glance:
    """Return what a registry holds; this may be called from any thread."""
    actors = registry.actors
    chairs = [chair for actor in actors for chair in actor.table.chairs]
    return Glance(
        tables=len(actors),
        playing=sum(actor.table.phase == "playing" for actor in actors),
        people=len(set().union(*(actor.people for actor in actors))),
        connections=registry.connected,
        watchers=sum(actor.watchers for actor in actors),
        bots=sum(chair.player is not None for chair in chairs),
        relayed=registry.relayed,
    )
