"""What is a person's in the events of a table, taken out of them, piece by piece.

No card is looked at: only who sits where, and what was said. So it takes a tenth of the time that
it takes to fold the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any, Final

from msgspec.structs import replace

from rookery.game import Match
from rookery.rules import Rules
from rookery.server.store.base import Unreadable
from rookery.server.table import events as ev
from rookery.server.table.fold import evolve
from rookery.server.table.state import Table

SOMEBODY: Final = "Somebody"
UNSAID: Final = "..."
# What rules of one's own say of themselves; of the catalogue's nobody here is the author.
_RULES_SAY: Final = {
    name: Rules.model_fields[name].default
    for name in ("id", "name", "origin", "reconstructed", "notes")
}
# The events that tell of people: all but those of the cards, and of who is ready for the next.
_OF_PEOPLE: Final[frozenset[type]] = frozenset(
    {
        *(ev.TableMade, ev.SettingsChanged, ev.EveningJoined, ev.MatchBegun, ev.Rematched),
        *(ev.Sat, ev.Left, ev.BotSeated, ev.BotRemoved, ev.Arranged, ev.HostPassed),
        *(ev.Renamed, ev.FaceChosen, ev.Away, ev.Back, ev.StoodIn),
        *(ev.VoteAsked, ev.VoteClosed, ev.Chatted, ev.Silenced, ev.Reported),
    }
)


class Wiping:
    """A table's events as they are read, in order, and those that hold something of a person's.

    That is the name, the face, what the person said at the table or in a report, the title and the
    name of house rules if they are the person's, and the ids that the person's program made up.
    Every card stays where it was played: without it the events fold to the same table but for these
    words.

    >>> wiping = Wiping("p")
    >>> wiping.take([ev.Entry(1, 0, ev.Sat(0, "p", "Ann")), ev.Entry(2, 0, ev.Sat(1, "q", "Bob"))])
    >>> [entry.event.name for entry in wiping.words.values()]
    ['Somebody']

    Attributes:
        seq: the number of the last event that was read.
        words: the events that held something, without it, by number.
    """

    def __init__(self, person: str) -> None:
        self.seq = 0
        self.words: dict[int, ev.Entry] = {}
        self._person, self._table = person, Table("")
        self._made = self._titled = False
        self._title = ""  # as it was called, whoever's that is

    def take(self, entries: Sequence[ev.Entry]) -> None:
        """Read on; the first piece has to tell who sat down first, if anybody did.

        Raises:
            Unreadable: the events do not follow one another.
        """
        if not self.seq:
            # Whoever makes a table sits down at once, but for that of an evening.
            made = [maker for maker in map(ev.maker_of, entries[:1]) if maker is not None]
            sat = [one.event.person for one in entries if isinstance(one.event, ev.Sat)]
            self._made = self._titled = next(iter(made + sat), None) == self._person
        for entry in entries:
            try:
                self._take(entry)
            except (ValueError, LookupError) as error:
                what = f"event {entry.seq} of table {self._table.code} has no place"
                raise Unreadable(f"{what}: {type(error).__name__}") from None
            self.seq = entry.seq

    def _take(self, entry: ev.Entry) -> None:
        if entry.seq != self.seq + 1:
            raise ValueError("events do not follow one another")
        event, table = entry.event, self._table
        theirs = entry.client is not None and entry.client.startswith(f"{self._person}:")
        of_people = type(event) in _OF_PEOPLE
        if of_people:
            event = self._without(event, theirs=theirs)
        if theirs or event != entry.event:
            entry = replace(entry, event=event, client=None if theirs else entry.client)
            self.words[entry.seq] = entry
        if of_people:
            self._table = evolve(replace(table, seq=entry.seq - 1), entry)
        elif table.pending and isinstance(event, ev.HandDealt | ev.TimelineBegun):
            self._table = replace(table, pending=None)

    def _without(self, event: ev.Event, *, theirs: bool) -> ev.Event:
        event = _nameless(self._table.seat_of(self._person), event, self._person)
        if isinstance(event, ev.SettingsChanged) and event.title != self._title:
            self._titled = theirs
        if isinstance(event, ev.TableMade | ev.SettingsChanged):
            self._title = event.title
            event = replace(event, title="") if self._titled else event
        if self._made and isinstance(event, ev.TableMade | ev.MatchBegun):
            event = replace(event, rules=_plain(event.rules))
        return event

    def told(self, phase: str) -> Table:
        """Return the table as far as it tells of people: no hand is dealt there."""
        return replace(self._table, seq=self.seq, phase=phase)

    def of(self, table: Table) -> Table:
        """Return the table that all these events make, without what was the person's.

        It is the same object where nothing was.
        """
        told, match = self._table, table.match
        chairs = zip(table.chairs, told.chairs, strict=True)
        wiped = replace(
            table,
            title=told.title,
            rules=told.rules,
            chairs=tuple(chair._replace(name=known.name) for chair, known in chairs),
            faces=told.faces,
            lines=tuple(map(self._said, table.lines)),
            match=match and told.match and _under(told.match, match),
        )
        return table if _of_people(wiped) == _of_people(table) else wiped

    def _said(self, line: ev.Line) -> ev.Line:
        word = self.words.get(line.seq)
        said = line.said if word is None else word.event
        return line._replace(said=said) if isinstance(said, ev.Chatted) else line


def _of_people(table: Table) -> tuple[object, ...]:
    match = table.match
    return replace(table, match=None), match and (match.rules, match.players)


def _under(told: Match, match: Match) -> Match:
    """Return a match with the players of another, and rules that say of themselves what its do."""
    match = copy(match)
    match.rules, match.players = told.rules, told.players
    match.hands = tuple(map(copy, match.hands))
    for hand in match.hands:
        hand.rules = told.rules
    return match


def _plain(rules: dict[str, Any]) -> dict[str, Any]:
    return rules if rules.get("id") is not None else {**rules, **_RULES_SAY}


def _nameless(seat: int | None, event: ev.Event, person: str) -> ev.Event:
    match event:
        case ev.Sat(person=who) if who == person:
            return replace(event, name=SOMEBODY)
        case ev.Renamed(seat=place) if place == seat:
            return replace(event, name=SOMEBODY)
        case ev.FaceChosen(seat=place) if place == seat:
            return replace(event, face="")
        case ev.MatchBegun() if seat is not None:
            names = [SOMEBODY if i == seat else name for i, name in enumerate(event.players)]
            return replace(event, players=names)
        case ev.Chatted(person=who) if who == person:
            text = event.text and UNSAID
            return replace(event, name=SOMEBODY, text=text)
        case ev.Reported(person=who) if who == person:
            return replace(event, reason="")
        case _:
            return event
