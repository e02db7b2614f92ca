"""A match in a cage: whole tables of the real application, and every byte that comes out of them.

People, bots, a program and somebody who watches play through the application's own routes and
sockets, without a network. Each card's name is a word that it has in this hand alone (`spoken`), so
a text that holds the word tells the card. Every text that goes to somebody is looked through for
words that this person may not know by then (`known`): frames of the socket and of the bots'
protocol, refusals, hints, lists of legal acts, pages, records, replays. The log, the metrics and
the admin page may hold no card at all. What an `update` tells is measured by the event that it
tells of, everything else by what has been stored when it leaves.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Iterator, MutableMapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

import msgspec
from prometheus_client import CollectorRegistry, generate_latest
from tests.faults.known import Known
from tests.faults.spoken import Book, spoken
from tests.server.core.tables import Chances
from tests.server.http.served import HOME, Here, no_limits
from tests.server.memory.store import MemoryStore

from rookery.server.bots.engine import BotThreads
from rookery.server.monitoring import metrics
from rookery.server.registry.tables import TableRegistry
from rookery.server.settings import Settings
from rookery.server.store.base import TableRow
from rookery.server.store.leases import UNOWNED, Lease
from rookery.server.table import events as ev

SECRET: Final = "s" * 32
_WORD: Final = re.compile("[0-9A-F]{16}")
# A card by its plain name, or a set of cards as the engine counts in it.
_PLAIN: Final = re.compile(
    r'[": ,\[](?:[RGYBSHDC](?:1[0-4]|[1-9])|[SHDC][AJQK]|RK|JK|\d{14,})[" ,\]}]'
)
_LIKE: Final = re.compile(r"expected one like [\w, ]+")  # a refusal's example
_AS_OF: Final = re.compile(r'\{"type":"(?:welcome|update|change)","seq":(\d+)')
_WHAT_TO_CALL: Final = '{"type":"hint","action":"call '


_PARTNERS: Final = re.compile('"(?:allies|partner|sides)":')


class _View(msgspec.Struct):
    """What is told of who plays with whom; of a change it has only what is new."""

    allies: list[int] = []
    partner: bool = False
    sides: list[list[int]] | None = None


class _Table(msgspec.Struct):
    view: _View | None = None


class _Told(msgspec.Struct):
    table: _Table | None = None
    view: _View | None = None


_TOLD: Final[msgspec.json.Decoder[_Told]] = msgspec.json.Decoder(_Told)


class Heard(MemoryStore):
    """A store that says aloud what has been stored."""

    def __init__(self) -> None:
        super().__init__()
        self.known: dict[str, Known] = {}

    async def append(
        self, row: TableRow, entries: Sequence[ev.Entry], lease: Lease = UNOWNED
    ) -> None:
        """Keep what happened, and what everybody may know by it."""
        await super().append(row, entries, lease)
        known = self.known.setdefault(row.code, Known())
        for entry in entries:
            known.learn(entry)


class Log(logging.Handler):
    """Looks through every line of the log, at the lowest level."""

    def __init__(self, cage: Cage) -> None:
        super().__init__(logging.DEBUG)
        self._cage = cage

    def emit(self, record: logging.LogRecord) -> None:
        self._cage.lines += 1
        self._cage.closed("the log", self.format(record))


class Cage:
    """An application, who comes to it, and what was told that should not have been.

    Attributes:
        seed: what the cards, the words and what people do follow from.
        found: each thing that came out and should not have.
        frames: how many texts were looked through that went over a socket.
        pages: ... that were answers to a request.
        lines: ... of the log.
        words: how many words of cards were in all of them.
        going: cleared while nobody at a table hears anything, so that nobody acts.
    """

    def __init__(self, seed: int, thinker: BotThreads) -> None:
        """Open an application; the cards, the words and what people do follow from `seed`."""
        self.seed = seed
        self.book = Book(seed)
        self.store = Heard()
        settings = Settings(admin_secret=SECRET)
        registry = TableRegistry(self.store, settings, thinker=thinker, chance=Chances(seed))
        self.here = Here(settings, buckets=no_limits(), registry=registry)
        self.going = asyncio.Event()
        self.going.set()
        self.found: list[str] = []
        self.frames = self.pages = self.lines = self.words = 0
        self.cookies: dict[str, tuple[str, str]] = {}  # a person's id and cookie, by name

    @contextmanager
    def shut(self) -> Iterator[None]:
        """Have the words spoken and the log heard for a while."""
        log, ours = Log(self), logging.getLogger("rookery")
        level = ours.level
        logging.getLogger().addHandler(log)
        ours.setLevel(logging.DEBUG)
        try:
            with spoken(self.book):
                yield
        finally:
            ours.setLevel(level)
            logging.getLogger().removeHandler(log)

    def told(self, person: str | None, code: str, text: str, what: str) -> None:
        """Look through a text that goes to a person at a table, or to anybody."""
        if text.startswith(_WHAT_TO_CALL):
            return  # a kind of card, whoever has it
        known = self.store.known[code]
        as_of = _AS_OF.match(text)
        seq = known.table.seq if as_of is None else int(as_of[1])
        for word in _WORD.findall(text):
            hand = self.book.of.get(word)
            if hand is None:
                continue
            self.words += 1
            if hand[0] != code or not known.may(person, word, seq):
                self.found.append(f"{what}: a card that is closed, at event {seq} of {code}")
        if what == "a page":
            return
        if '"rules":{' not in text and _PLAIN.search(_LIKE.sub("", text)):
            self.found.append(f"{what}: a card without its word, at event {seq} of {code}")
        if known.table.rules.called_cards and _PARTNERS.search(text):
            self._partners(known, person, seq, text, what)

    def _partners(self, known: Known, person: str | None, seq: int, text: str, what: str) -> None:
        told = _TOLD.decode(text)
        view = told.view if told.table is None else told.table.view
        if view is None:
            return
        own = known.was_called(known.seat_of(person, seq), seq)
        early = view.sides is not None and not known.parted(seq)
        if not known.named(seq).issuperset(view.allies) or early or (view.partner and not own):
            self.found.append(f"{what}: who was called, at event {seq} of {known.table.code}")

    def closed(self, where: str, text: str) -> None:
        """Look through a text that may hold no card at all."""
        if any(word in self.book.of for word in _WORD.findall(text.upper())):
            self.found.append(f"{where}: a card")

    def seen(self) -> dict[str, int]:
        """Return how much was looked through, by kind."""
        return {
            "hands": len(set(self.book.of.values())),
            "messages": self.frames,
            "pages": self.pages,
            "lines of the log": self.lines,
            "card names in them": self.words,
        }

    async def person(self, name: str) -> tuple[str, str]:
        """Return somebody's id and cookie; they come to the application once."""
        if name not in self.cookies:
            async with self.here.person(name) as browser:
                told = (await browser.get("/api/session")).json()
                self.cookies[name] = told["person"], f"rookery={browser.cookies['rookery']}"
        return self.cookies[name]

    async def page(self, path: str, cookie: str = "", secret: str = "") -> str:
        """Return an answer of the application, with its head."""
        headers = [(b"host", HOME.partition("//")[2].encode()), (b"cookie", cookie.encode())]
        if secret:
            headers.append((b"authorization", f"Bearer {secret}".encode()))
        path, _, query = path.partition("?")
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "GET",
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "query_string": query.encode(),
            "scheme": "http",
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 8000),
            "headers": headers,
        }
        parts: list[str] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: MutableMapping[str, Any]) -> None:
            parts.append(str(message.get("headers", "")))
            parts.append(message.get("body", b"").decode())

        await self.here.app(scope, receive, send)
        self.pages += 1
        return "\n".join(parts)

    async def looked_at(self, code: str, cookie: str, paths: Sequence[str]) -> None:
        """Look through pages of a table that somebody asks for."""
        for path in paths:
            self.told(None, code, await self.page(path, cookie), "a page")

    async def overseen(self) -> None:
        """Look through what whoever runs the server is told."""
        collectors = CollectorRegistry()
        metrics.measured(self.here.registry, collectors)
        self.closed("the metrics", generate_latest(collectors).decode())
        self.closed("the admin page", await self.page("/api/admin", secret=SECRET))
