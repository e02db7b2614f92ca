"""The state of a table: the fold of its events. No clock, no randomness, no I/O."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple, TypeAlias, assert_never

import msgspec
from msgspec.structs import replace

from rookery.game import Hand, Match, ScoreLine
from rookery.rules import Rules, load
from rookery.server.settings import PaceName
from rookery.server.table import events as ev
from rookery.server.table.chairs import Chair, denied_after, left, played_by, settings
from rookery.server.table.evening import Row, is_over
from rookery.server.table.promise import Promise, Proof, reseated, shared

Phase: TypeAlias = Literal["lobby", "playing", "over"]
CHAT_KEPT: Final = 50
UNPLAYED: Final = 50  # hands running that nobody plays, after which the host is asked
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
    def persons(self) -> list[str | None]:
        """The person of each seat."""
        return [chair.person for chair in self.chairs]

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


def evolve(table: Table, entry: ev.Entry) -> Table:
    """Return the table after its next event."""
    if entry.seq != table.seq + 1:
        raise ValueError(f"event {entry.seq} does not follow event {table.seq}")
    after = _evolved(table, entry)
    promise = after.promise
    if after.chairs is not table.chairs:
        promise = reseated(promise, table.persons, after.persons)
    # A clock that is changed while somebody thinks holds from the next turn.
    begins = isinstance(entry.event, ev.HandDealt | ev.Acted | ev.Undone)
    clock = after.clock if begins else after.turn_clock
    return replace(after, promise=promise, turn_clock=clock, seq=entry.seq, touched_at=entry.at)


def _evolved(table: Table, entry: ev.Entry) -> Table:
    event = entry.event
    match event:
        case ev.TableMade():
            return _made(event, entry.at)
        case ev.Sat():
            return _sat(table, event)
        case ev.Left():
            return _left(table, event)
        case ev.BotRemoved() | ev.Renamed() | ev.Away():
            return _chair(table, event.seat, table.chairs[event.seat].after(event, entry.at))
        case ev.BotSeated() | ev.Back() | ev.StoodIn():
            after = table.chairs[event.seat].after(event, entry.at)
            turn = played_by(table, event, entry.at)
            return replace(_chair(table, event.seat, after), **turn)
        case ev.Arranged() | ev.Rematched():
            return _arranged(table, event.seats)
        case ev.HostPassed():
            return replace(table, host=event.seat)
        case ev.SettingsChanged():
            return replace(table, **settings(table, event, entry.at))
        case ev.FaceChosen():
            person = table.chairs[event.seat].person or ""
            return replace(table, faces={**table.faces, person: event.face})
        case ev.DealPromised():
            promised = (event.number, event.commitment, event.key, (), table.promise is not None)
            return replace(table, promise=Promise(*promised))
        case ev.TimelineBegun():
            return _rejoined(table, event, entry.at)
        case ev.Contributed():
            return replace(table, promise=shared(table.promise, event))
        case ev.EveningJoined():
            return replace(table, evening=event)
        case ev.MatchBegun():
            return _begun(table, event)
        case ev.HandDealt():
            return _dealt(table, event, entry)
        case ev.Acted():
            return acted(table, [(event, entry.at)])
        case ev.Challenged():
            return _challenged(table, event)
        case ev.VoteAsked():
            shown, voters = tuple(event.shown), tuple(event.voters)
            asked = ev.Pending(event.kind, event.seat, entry.at, shown, voters, seq=entry.seq)
            return replace(table, pending=asked)
        case ev.Voted() if event.yes and table.pending is not None:
            votes = (*table.pending.votes, event.seat)
            return replace(table, pending=table.pending._replace(votes=votes))
        case ev.VoteClosed():
            return _closed(table, event, entry.at)
        case ev.Undone():
            return _undone(table, event, entry)
        case ev.Ready():
            return replace(table, ready=table.ready | {event.seat})
        case ev.Halted():
            return replace(table, halt=event.on, moved_at=entry.at)
        case ev.Chatted(text="", phrase=None):  # an old line whose words have been deleted
            return table
        case ev.Chatted():
            line = ev.Line(entry.seq, entry.at, event)
            return replace(table, lines=(*table.lines, line)[-CHAT_KEPT:])
        case ev.Silenced():
            return replace(table, silenced={**table.silenced, event.person: event.how})
        case ev.Voted() | ev.Reported() | ev.Blocked():
            return table
        case _:
            assert_never(event)


def _chair(table: Table, seat: int, chair: Chair) -> Table:
    return replace(table, chairs=(*table.chairs[:seat], chair, *table.chairs[seat + 1 :]))


def _made(event: ev.TableMade, at: int) -> Table:
    rules = Rules.model_validate(event.rules)
    fields = {**msgspec.structs.asdict(event), "rules": rules}
    return Table(**fields, chairs=(Chair(),) * rules.seats, made_at=at)


def _sat(table: Table, event: ev.Sat) -> Table:
    chair = Chair("person", event.name, event.person, matched=event.matched)
    seen = frozenset({(event.person, event.seat)})
    # Others may still come back to theirs, but where nobody sat there any more.
    seen = table.seen_by | seen if table.evening or seen <= table.seen_by else seen
    host = event.seat if table.host is None else table.host
    return replace(_chair(table, event.seat, chair), seen_by=seen, host=host)


def _left(table: Table, event: ev.Left) -> Table:
    person = table.chairs[event.seat].person
    gone = frozenset((person,)) if event.removed and person is not None else frozenset()
    after = _chair(table, event.seat, Chair())
    return replace(after, removed=table.removed | gone, ready=table.ready - {event.seat})


def _arranged(table: Table, seats: list[int]) -> Table:
    host = None if table.host is None else seats.index(table.host)
    return replace(table, chairs=tuple(table.chairs[seat] for seat in seats), host=host)


def _begun(table: Table, event: ev.MatchBegun) -> Table:
    rules = Rules.model_validate(event.rules)
    return replace(
        table,
        rules=rules,
        match=Match(rules, event.players),
        proof=None,
        unplayed=0,
        phase="playing",
        matches_before=table.matches_before + (table.match is not None),
        hands_before=table.hands_before + table.place + 1,
        finished_before=table.finished,
        rows=(*table.rows, table.match.totals) if table.evening and table.match else (),
    )


def _phase(table: Table, match: Match) -> Phase:
    return "over" if is_over(table.evening, len(table.rows), match) else "playing"


def _rejoined(table: Table, event: ev.TimelineBegun, at: int) -> Table:
    after = replace(table, timeline=event.timeline, pending=None)
    if table.match is None or not table.in_hand:
        return after
    after = replace(after, match=table.match.thrown_in(), restored=True, ready=frozenset())
    return replace(after, phase=_phase(table, after.match or table.match), moved_at=at)


def _dealt(table: Table, event: ev.HandDealt, entry: ev.Entry) -> Table:
    if table.match is None or table.promise is None:
        raise ValueError("a hand is dealt outside a match, or without a promise")
    hand = Hand.deal(table.match.rules, event.dealer, event.deal, event.nest)
    promise = table.promise
    proof = Proof(promise.number, promise.key, tuple(event.shares), promise.renewed)
    sitting = ((chair.person, seat) for seat, chair in enumerate(table.chairs))
    return replace(
        table,
        # A table may be used for ever, so it keeps one hand; the others are in its log.
        match=table.match.begin(hand).last_hand_only(),
        proof=proof,
        promise=None,
        unplayed=table.unplayed % UNPLAYED + 1,
        pending=None,
        moved_at=entry.at,
        dealt_seq=entry.seq,
        challenged=frozenset(),
        denied=frozenset(),
        ready=frozenset(),
        seen_by=frozenset((person, seat) for person, seat in sitting if person is not None),
    )


def acted(table: Table, acts: Sequence[tuple[ev.Acted, int]]) -> Table:
    """Return the table after its next events, acts, each with its time: as `evolve` does for one.

    Raises:
        ValueError: one of them is not legal.
    """
    if table.match is None:
        raise ValueError("an act outside a match")
    match = table.match.act_all(event.text for event, _ in acts)
    phase = _phase(table, match)
    done = match.hands[-1].actions[-len(acts) :]
    played = any(
        event.by == "person" and action.verb == "play"
        for (event, _), action in zip(acts, done, strict=True)
    )
    halt, unplayed = table.halt and not played, 0 if played else table.unplayed
    # A dummy's card counts for whoever decided.
    new = {event.seat: seq for seq, (event, _) in enumerate(acts, table.seq + 1)}
    decided = table.decided | new
    after = {"match": match, "phase": phase, "moved_at": acts[-1][1], "decided": decided}
    return replace(table, **after, halt=halt, unplayed=unplayed, restored=False)


def _challenged(table: Table, event: ev.Challenged) -> Table:
    if table.hand is None:
        raise ValueError("a challenge outside a match")
    return replace(table, challenged=table.challenged | {(event.seat, len(table.hand.tricks))})


def _closed(table: Table, event: ev.VoteClosed, at: int) -> Table:
    asked = (event.kind, event.seat, len(table.hand.actions) if table.hand is not None else -1)
    denied = table.denied if event.accepted else table.denied | {asked}
    until = table.moved_at if table.pending is None else table.pending.since
    clock = left(table.turn_clock, table.moved_at, until)
    return replace(table, pending=None, denied=denied, moved_at=at, turn_clock=clock)


def _undone(table: Table, event: ev.Undone, entry: ev.Entry) -> Table:
    hand = table.hand
    if table.match is None or hand is None or hand.over:
        raise ValueError("an act is taken back that is none, or that counts")
    match = table.match.last_hand_only(hand.without_last())
    denied = denied_after(table.denied, event.seat, hand, table.turn_clock)
    return replace(table, match=match, moved_at=entry.at, dealt_seq=entry.seq, denied=denied)
