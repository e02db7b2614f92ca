"""Who sat where, whose cards are whose and whose time it was: said once more, for P24."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

import msgspec

from rookery.server.table import events as ev
from rookery.server.table.state import Who

GRACE: Final = 60_000  # milliseconds in which whoever is away keeps the seat, whatever a host does
RELOADING: Final = 10_000  # milliseconds in which no bot plays for them
CLAIMS: Final = 3  # that may be refused to a seat in a hand


class ViewSeen(msgspec.Struct):
    """What is looked at of a view."""

    phase: str
    hand: list[str] | None = None


class TableSeen(msgspec.Struct):
    """What is looked at of a table that somebody was sent."""

    seq: int
    you: int | None
    hand_number: int | None
    view: ViewSeen | None


SEEN: Final[msgspec.json.Decoder[TableSeen]] = msgspec.json.Decoder(TableSeen)


def is_stranger(person: str | None) -> bool:
    """Return whether an id is one of the stranger's."""
    return person is not None and person.startswith("x")


class Witness:
    """Who sat where, whose cards are whose and whose time it was, out of the events alone."""

    def __init__(self, seats: int) -> None:
        """Begin before the first event."""
        self.sitting: list[str | None] = [None] * seats
        self.sat_at: dict[int, tuple[str | None, ...]] = {}
        self.dealt: dict[int, tuple[dict[str, int], tuple[str | None, ...]]] = {}
        self.gone: dict[str, int] = {}  # since when an owner has had no line
        self.leaving: set[str] = set()  # the ids of what people said in order to leave
        self.playing = False
        self._by = ""  # who did what happened last, with what command; it may be several events
        self._stood: set[int] = set()
        self._clock: int | None = None
        self._turn: tuple[int, int | None] = (0, None)  # since when, and with which clock
        self._asked = self._paused = self._turns = 0
        self._claimed: set[tuple[int, int]] = set()
        self._denied: Counter[int] = Counter()

    def learn(self, entry: ev.Entry) -> Iterator[str]:
        """Take in what happened next; yield what of it is not right."""
        event, at = entry.event, entry.at
        self._by = entry.client or self._by
        match event:
            case ev.Sat():
                self.sitting[event.seat] = event.person
            case ev.Left():
                yield from self._left(event, entry)
                self.sitting[event.seat] = None
                self._stood.discard(event.seat)
            case ev.Arranged() | ev.Rematched():
                self.sitting = [self.sitting[seat] for seat in event.seats]
            case ev.StoodIn():
                if self._keeps(self.sitting[event.seat], at, RELOADING):
                    yield f"a bot stands in for {self.sitting[event.seat]} too early"
                self._stood.add(event.seat)
            case ev.Back():
                self._stood.discard(event.seat)
            case ev.TableMade() | ev.SettingsChanged():
                self._clock = event.clock
                if self._turn[1] is None:  # a turn that had no clock has one from now on
                    self._turn, self._paused = (at, event.clock), 0
            case ev.MatchBegun():
                self.playing = True
            case ev.HandDealt():
                places = {card: seat for seat, held in enumerate(event.deal) for card in held}
                self.dealt[event.number] = places, tuple(self.sitting)
                self._denied.clear()
            case ev.Acted():
                yield from self._acted(event, at)
            case ev.VoteAsked() | ev.VoteClosed():
                yield from self._voted(event, at)
        if isinstance(event, ev.HandDealt | ev.Acted | ev.Undone):
            self._turn, self._paused, self._turns = (at, self._clock), 0, self._turns + 1
        self.sat_at[entry.seq] = tuple(self.sitting)

    def _keeps(self, person: str | None, at: int, away: int = GRACE) -> bool:
        """Return whether an owner is there, or has not been away for so long."""
        if not person or is_stranger(person):
            return False
        return person not in self.gone or at < self.gone[person] + away

    def _left(self, event: ev.Left, entry: ev.Entry) -> Iterator[str]:
        person, at = self.sitting[event.seat] or "", entry.at
        if self._by in self.leaving:
            self.leaving.remove(self._by)
            return
        if self.playing and self._keeps(person, at):
            away = f"gone for {at - self.gone[person]} ms" if person in self.gone else "there"
            who = f"event {entry.seq} by {entry.client}, removed: {event.removed}"
            yield f"{person} has lost seat {event.seat}, {away}; {who}"

    def _acted(self, event: ev.Acted, at: int) -> Iterator[str]:
        since, clock = self._turn
        person = self.sitting[event.seat]
        if event.by == "bot" and person is not None and event.seat not in self._stood:
            yield f"a bot acts for {person}"
        if event.by == "auto" and (clock is None or at - since - self._paused < 1000 * clock):
            yield f"the clock acts for {person} after {at - since} ms of {clock} s"

    def _voted(self, event: ev.VoteAsked | ev.VoteClosed, at: int) -> Iterator[str]:
        if isinstance(event, ev.VoteClosed):
            self._paused += at - max(self._asked, self._turn[0])
            if event.kind == "claim" and not event.accepted:
                self._denied[event.seat] += 1
            return
        self._asked = at
        if event.kind == "claim":
            if (event.seat, self._turns) in self._claimed or self._denied[event.seat] >= CLAIMS:
                yield f"seat {event.seat} claims again"
            self._claimed.add((event.seat, self._turns))

    def saw(self, who: Who, shown: TableSeen, seq: int) -> Iterator[str]:
        """Yield what somebody was sent that they may not see, or another seat than their own."""
        sitting = self.sat_at[seq]
        own = sitting.index(who.id) if who.id in sitting else None
        if shown.you != own:
            yield f"{who.id} is told seat {shown.you}, not {own}"
        view = shown.view
        if view is None or not view.hand or view.phase in ("done", "redealt"):
            return
        if not is_stranger(who.id) or all(p is None or is_stranger(p) for p in sitting):
            return  # where no owner sits, nobody is cheated
        places, owned = self.dealt[shown.hand_number or 0]
        for seat in {places[card] for card in view.hand if card in places}:
            if not is_stranger(owned[seat]):
                yield f"{who.id} is sent the hand of seat {seat}"
