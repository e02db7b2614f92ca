"""What was played at a table, told from its events: a table itself keeps the last hand only."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from rookery.game import Hand, ScoreLine
from rookery.rules import Rules
from rookery.server.store.base import Store, StoreError
from rookery.server.table import events as ev
from rookery.server.table.state import Proof, Table, evolve

KEPT: Final = 2_000  # hands of all tables together that are remembered; one takes some 9 KB


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match of a table, as far as its hands are over.

    Attributes:
        rules: the rules it was played by.
        players: the name at each seat when it began.
        bots: which of them were bots; None for a person.
        hands: the hands that are over, thrown-in ones too.
        lines: the score sheet, a line for each of these.
        proofs: how each of these was dealt.
        winners: the seats that have won; None while it goes on.
    """

    rules: Rules
    players: tuple[str, ...]
    bots: tuple[str | None, ...]
    hands: tuple[Hand, ...] = ()
    lines: tuple[ScoreLine, ...] = ()
    proofs: tuple[Proof, ...] = ()
    winners: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Past:
    """A table, and every match that was begun there.

    Attributes:
        table: the table after the last event that was read.
        matches: its matches in order.
    """

    table: Table
    matches: tuple[PlayedMatch, ...]


NOTHING: Final = Past(Table(""), ())


def past_of(entries: Iterable[ev.Entry], since: Past = NOTHING) -> Past:
    """Return what was played, from a table's events; or, with more of them, from `since` on.

    Raises:
        StoreError: they make no table.
    """
    table, matches = since.table, list(since.matches)
    for entry in entries:
        table = after(table, entry)
        if isinstance(entry.event, ev.MatchBegun):
            bots = tuple(chair.bot for chair in table.chairs)
            matches.append(PlayedMatch(table.rules, tuple(entry.event.players), bots))
        elif table.hand is not None and table.hand.over and matches:
            matches[-1] = _with_hand(matches[-1], table, table.hand)
    return Past(table, tuple(matches))


def _with_hand(match: PlayedMatch, table: Table, hand: Hand) -> PlayedMatch:
    if len(match.hands) > table.place or table.proof is None or table.match is None:
        return match
    hands, proofs = (*match.hands, hand), (*match.proofs, table.proof)
    lines, winners = table.match.lines, table.match.winners
    return replace(match, hands=hands, lines=lines, proofs=proofs, winners=winners)


def after(table: Table, entry: ev.Entry) -> Table:
    """Return the table after one more of its events.

    Raises:
        StoreError: it cannot be the next one.
    """
    try:
        return evolve(table, entry)
    except (ValueError, LookupError) as error:
        what = f"event {entry.seq} of table {table.code} has no place: {type(error).__name__}"
        raise StoreError(what) from None


def folded(entries: Sequence[ev.Entry]) -> Table:
    """Return the table that its events make.

    Raises:
        StoreError: they make none.
    """
    table = Table("")
    for entry in entries:
        table = after(table, entry)
    return table


class Pasts:
    """What was last asked for; whoever asks again while the table plays on waits for the rest only.

    Not for two callers at once for the same table.
    """

    def __init__(self, store: Store, room: int = KEPT) -> None:
        """Begin with none; `room` is how many hands are remembered, or else one table alone."""
        self._store, self._room = store, room
        self._known: OrderedDict[str, tuple[Hashable, Past]] = OrderedDict()

    async def of(self, code: str, mark: Hashable) -> Past | None:
        """Return what was played at a table; None where there is no such table.

        Args:
            code: the table's code.
            mark: while it is the same, nothing that has been read changes in the log.

        Raises:
            StoreError: the store cannot be read.
        """
        known, since = self._known.pop(code, (mark, NOTHING))
        if known != mark:
            since = NOTHING
        entries = await self._store.read(code, since.table.seq)
        # Hundreds of events take long enough for everybody else to notice.
        past = await asyncio.to_thread(past_of, entries, since) if entries else since
        if not past.table.seq:
            return None
        self._known[code] = mark, past
        while len(self._known) > 1 and self.hands > self._room:
            self._known.popitem(last=False)
        return past

    def forget(self, code: str) -> None:
        """Read a table anew the next time."""
        self._known.pop(code, None)

    @property
    def hands(self) -> int:
        """How many hands are remembered."""
        matches = (match for _, past in self._known.values() for match in past.matches)
        return sum(len(match.hands) for match in matches)
