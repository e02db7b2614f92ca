"""How much a server holds at the moment."""

from __future__ import annotations

from pydantic import BaseModel

from rookery.server.registry.tables import TableRegistry


class Now(BaseModel):
    """What this server holds at the moment: its tables in memory, and who is at them.

    ``playing`` are tables where a match is on; ``people`` are those connected, each once;
    ``watchers`` of them have no seat at that table; ``bots`` are seats that bots play,
    ``relayed`` sockets that are passed on to another server.
    """

    tables: int
    playing: int
    people: int
    connections: int
    watchers: int
    bots: int
    relayed: int


def load_of(registry: TableRegistry) -> Now:
    """Return how much a server holds; any thread may call this."""
    actors = registry.actors
    chairs = [chair for actor in actors for chair in actor.table.chairs]
    return Now(
        tables=len(actors),
        playing=sum(actor.table.phase == "playing" for actor in actors),
        people=len(set().union(*(actor.people for actor in actors))),
        connections=registry.connected,
        watchers=sum(actor.watchers for actor in actors),
        bots=sum(chair.player is not None for chair in chairs),
        relayed=registry.relayed,
    )
