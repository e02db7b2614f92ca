"""The state of a table: the fold of its events."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec

from rookery.game import Hand, Match, ScoreLine
from rookery.rules import Rules, load
from rookery.server.settings import PaceName
from rookery.server.table import events as ev
from rookery.server.table.chairs import Chair
from rookery.server.table.evening import Row
from rookery.server.table.promise import Promise, Proof

Phase: TypeAlias = Literal["lobby", "playing", "over"]
CHAT_KEPT: Final = 50
UNPLAYED: Final = 50  # hands running that nobody plays, after which the host is asked
SHEET: Final = 100  # hands: of a match of more than twice as many, the last 100 to 199 are shown
_KENTUCKY: Final = load("kd_tournament")


class Who(NamedTuple):
    """A person: the public number and the chosen name."""

    id: str
    name: str


class Table(msgspec.Struct, frozen=True):
    """The whole state of a table. Nobody may see all of it.

    Attributes:
        code: the last part of its link.
        title: the name that its host gave it.
        open: whether it is listed for strangers.
        rules: the rules of the game.
        pace: how long each act stays on the screen before the next.
        clock: seconds for a turn; None for no limit.
        turn_clock: the same for this turn: as it was when the turn began, or what is left of it.
        chairs: the seats.
        host: the seat of the host; None while no person sits here.
        seq: the number of the last event.
        phase: before, during or after the match.
        match: the current match, with only its last hand; None before the first.
        proof: how that hand was dealt.
        matches_before: how many matches were played before it.
        hands_before: how many hands these had, which is the number of this match's first hand.
        finished_before: how many of these hands were finished.
        promise: the next deal.
        timeline: in which timeline of the database this is, see `rookery.server.store.timeline`.
        restored: whether a hand was thrown in because another timeline began, and nobody has acted
            since.
        unplayed: how many hands running were thrown in, or had no person play a card.
        pending: the open question, an undo or a claim.
        moved_at: when the cards or the turn last changed.
        dealt_seq: the number of the last event that dealt cards or took back an act.
        decided: the number of the last act of each seat, whoever decided for it.
        challenged: the seats that challenged wrongly, with the number of complete tricks then.
        denied: the questions that were answered no: of what kind, whose, and after how many acts.
        ready: the seats that have seen the score.
        halt: whether bots wait after the auction, until somebody who is alone with them goes on.
        seen_by: who holds or has held which seat in this hand.
        removed: whom a host has removed from the table.
        lines: the latest table talk.
        faces: the bird whose face somebody shows who sits here, or has sat; by the person.
        evening: of which evening it is a table; None where it is of none.
        rows: the points of each seat in the matches before this one, at a table of an evening.
        silenced: whom among those who watch a host has muted, let talk again, or sent away.
        made_at: when the table was made.
        touched_at: when something last happened.
    """

    code: str
    title: str = ""
    open: bool = False
    rules: Rules = _KENTUCKY
    pace: PaceName = "normal"
    clock: int | None = None
    turn_clock: int | None = None
    chairs: tuple[Chair, ...] = (Chair(),) * 4
    host: int | None = None
    seq: int = 0
    phase: Phase = "lobby"
    match: Match | None = None
    proof: Proof | None = None
    matches_before: int = 0
    hands_before: int = 0
    finished_before: int = 0
    promise: Promise | None = None
    timeline: str = ""
    restored: bool = False
    unplayed: int = 0
    pending: ev.Pending | None = None
    moved_at: int = 0
    dealt_seq: int = 0
    decided: dict[int, int] = {}
    challenged: frozenset[tuple[int, int]] = frozenset()
    denied: frozenset[tuple[ev.Kind, int, int]] = frozenset()
    ready: frozenset[int] = frozenset()
    halt: bool = False
    seen_by: frozenset[tuple[str, int]] = frozenset()
    removed: frozenset[str] = frozenset()
    lines: tuple[ev.Line, ...] = ()
    faces: dict[str, str] = {}
    silenced: dict[str, ev.Silence] = {}
    evening: ev.EveningJoined | None = None
    rows: tuple[Row, ...] = ()
    made_at: int = 0
    touched_at: int = 0

    @property
    def hand(self) -> Hand | None:
        """The last dealt hand; None before the match."""
        return None if self.match is None else self.match.hand

    @property
    def place(self) -> int:
        """The number of that hand in the match, from 0; -1 before the first."""
        return -1 if self.match is None else self.match.dealt - 1

    @property
    def scores(self) -> tuple[ScoreLine, ...]:
        """The score sheet of the match."""
        return () if self.match is None else self.match.lines

    @property
    def sheet_from(self) -> int:
        """With which hand, from 0, the score sheet that is shown begins; see `SHEET`."""
        return max(0, len(self.scores) // SHEET - 1) * SHEET

    @property
    def to_act(self) -> int | None:
        """The seat whose decision is due; None where none is."""
        if self.phase != "playing" or self.hand is None:
            return None
        return self.hand.to_act

    @property
    def between_hands(self) -> bool:
        """Whether the match continues and the next hand has to be dealt."""
        return self.phase == "playing" and self.hand is not None and self.hand.over

    @property
    def host_asked(self) -> bool:
        """Whether the next hand is dealt only if the host says so; an evening waits for long."""
        waited_for = self.evening and not self.people_here and self.place < 10 * UNPLAYED
        return self.between_hands and self.unplayed >= UNPLAYED and not waited_for

    @property
    def in_hand(self) -> bool:
        """Whether a hand is under way, in which cards are hidden."""
        return self.phase == "playing" and not self.between_hands

    @property
    def attended(self) -> bool:
        """Whether anything moves: somebody who sits here is there, or an evening waits for it."""
        return self.evening is not None or any(chair.here for chair in self.chairs)

    @property
    def bot(self) -> str | None:
        """The bot that an evening has play for whoever is not there; None without an evening."""
        return None if self.evening is None else self.evening.bot

    @property
    def people_here(self) -> tuple[int, ...]:
        """The seats of the people who are connected."""
        return tuple(seat for seat, chair in enumerate(self.chairs) if chair.here)

    @property
    def finished(self) -> int:
        """How many hands have been finished here, in all matches."""
        return self.finished_before + sum(line.score is not None for line in self.scores)

    def has_challenged(self, seat: int) -> bool:
        """Return whether a seat has challenged wrongly since the last complete trick."""
        return self.hand is not None and (seat, len(self.hand.tricks)) in self.challenged

    def seat_of(self, person: str | None) -> int | None:
        """Return the seat of a person; None for somebody who only watches."""
        for seat, chair in enumerate(self.chairs if person is not None else ()):
            if chair.person == person:
                return seat
        return None
