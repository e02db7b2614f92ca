"""The settings of a server: what the command line decides, with limits and periods."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias

PaceName: TypeAlias = Literal["instant", "brisk", "normal", "calm"]


DAY: Final = 86_400_000  # milliseconds
THIS_MACHINE: Final = ("127.0.0.1", "::1")
PORT: Final = 8000


class Pace(NamedTuple):
    """How long each thing that happens stays on the screen before the next, milliseconds.

    Attributes:
        move: after an action.
        trick: after a complete trick.
        hand: after a hand, unless everybody asks for the next one earlier.
    """

    move: int
    trick: int
    hand: int


PACES: Final[dict[PaceName, Pace]] = {
    "instant": Pace(0, 0, 0),
    "brisk": Pace(300, 800, 6_000),
    "normal": Pace(700, 1_500, 12_000),
    "calm": Pace(1_400, 3_000, 25_000),
}


@dataclass(frozen=True, slots=True)
class Settings:
    """How this server runs; times in milliseconds.

    Attributes:
        data: the folder of the database; None where `database` is given.
        database: the address of a PostgreSQL database, which several servers may share, in place
            of that folder.
        spread: further databases for tables, each by the letter that ends the codes there.
        drained: those of them that take no new tables.
        hints: the address of a Redis or Valkey through which they tell each other of changes.
        peer: where other servers find this one, ``host:port``; None for the bound address.
        host: the address that is bound.
        port: the port that is bound.
        lan: whether addresses of the local network are this server's own too.
        public_url: what links begin with, behind a proxy; None for the bound address.
        proxies: addresses and networks of proxies, which are trusted to say where a request comes
            from.
        log: the form of the server's log.
        metrics: the address where Prometheus finds the figures, ``host:port``; None for nowhere.
        backups: the folder of the backups, so that their age is known.
        admin_secret: the secret of the admin page; None for no such page.
        default_bot: the bot that takes an empty seat, or plays for somebody who is away.
        grace: how long a player may be away before a bot plays and another becomes host.
        unseen: how long a seat may lack a connection after a start before it counts as away.
        vote: how long a vote stays open; no answer is a no.
        lag: how long a turn's clock waits for a move beyond the time that it shows.
        bot_deadline: how long a bot may think; one that searches has its level's time besides.
        bot_threads: how many bots think at once.
        bot_workers: how many processes of this server think for bots that search.
        bot_slowest: how long such a process may take until it is ready, before it is given up.
        bots_at: the addresses of processes elsewhere that do so, ``host:port`` or ``unix:/path``.
        bots_secret: the secret that these ask for.
        outbox: how many messages may wait for one connection before it is closed; for their bytes
            see `connection.ROOM`.
        queue: how many commands may wait for one table before more are refused.
        idle: how long a table nobody is connected to stays in memory.
        keep_lobby: how long a table that never began is kept after something last happened there.
        keep_table: the same of one that did begin; its hands and the names at it go with it.
        keep_chat: how long what somebody has written at a table is kept, while the table lives on.
        keep_sheet: how long a score sheet is kept after somebody last wrote on it.
        keep_person: how long a browser stays the person it is; a name goes with the last of them.
            No browser keeps a cookie for longer than the 400 days that are set here.
    """

    data: Path | None = None
    database: str | None = None
    spread: tuple[tuple[str, str], ...] = ()
    drained: tuple[str, ...] = ()
    hints: str | None = None
    peer: str | None = None
    host: str = "127.0.0.1"
    port: int = PORT
    lan: bool = False
    public_url: str | None = None
    proxies: tuple[str, ...] = THIS_MACHINE
    log: Literal["text", "json"] = "text"
    metrics: str | None = None
    backups: Path | None = None
    admin_secret: str | None = field(default=None, repr=False)
    default_bot: str = "club"
    grace: int = 60_000
    unseen: int = 10_000
    vote: int = 30_000
    lag: int = 1_000
    bot_deadline: int = 300
    bot_threads: int = 2
    bot_workers: int = 0
    bot_slowest: int = 1_200_000
    bots_at: tuple[str, ...] = ()
    bots_secret: str | None = field(default=None, repr=False)
    outbox: int = 64
    queue: int = 256
    idle: int = 600_000
    keep_lobby: int = 8 * DAY
    keep_table: int = 365 * DAY
    keep_chat: int = 30 * DAY
    keep_sheet: int = 30 * DAY
    keep_person: int = 400 * DAY
