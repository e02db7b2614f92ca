"""What one seat or a watcher may see: the snapshot of a table, and each event."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter, is_
from typing import Any, Final, NamedTuple

import msgspec

from rookery.game import Hand, Match, Verb
from rookery.server.table import events as ev
from rookery.server.table.absence import AbsentSeen, absent
from rookery.server.table.chairs import SeatSeen, seat_seen
from rookery.server.table.evening import EveningSeen, evening_seen
from rookery.server.table.promise import PromiseSeen, ProofSeen, promise_seen, proof_seen
from rookery.server.table.state import Table
from rookery.server.table.timers import halted, pause
from rookery.server.table.voting import PendingSeen, asker, pending_seen
from rookery.view import (
    OwnView,
    RulesSeen,
    View,
    kept_views,
    led_suit,
    open_view,
    own_of,
    own_view,
    trumps_of,
)


class HandSeen(msgspec.Struct, frozen=True):
    """A line of the score sheet: ``number`` is the hand's at the table, ``hand`` in its match."""

    number: int
    hand: int
    dealer: int
    declarer: int | None
    bid: int | str | None
    call: str | None
    score: tuple[int, ...] | None
    totals: tuple[int, ...]


class SourceSeen(msgspec.Struct, frozen=True):
    """Where a side's points came from: its tricks, the nest, a bonus for tricks."""

    tricks: int
    nest: int
    bonus: int


class ResultSeen(msgspec.Struct, frozen=True):
    """What a hand came to: whether the contract was made, and where the points came from.

    `made` is null without a contract, and where a revoke has ended the hand. The sources are in the
    order of the sides.
    """

    made: bool | None
    sources: list[SourceSeen]


class Snapshot(msgspec.Struct, frozen=True):
    """A table as one seat sees it; docs/reference/socket.md describes the fields.

    ``rules`` is null in an `update`: the `welcome` has them. ``sides`` says who plays with whom by
    the rules. It is null where a card calls the partner; ``view`` has the sides once all know them.
    """

    code: str
    title: str
    open: bool
    phase: str
    host: int | None
    seq: int
    you: int | None
    rules: RulesSeen | None
    sides: list[list[int]] | None
    pace: str
    clock: int | None
    turn_clock: int | None
    turn_since: int
    seats: list[SeatSeen]
    match_number: int
    hand_number: int | None
    view: View | None
    names_at_table: list[str]
    silenced: dict[str, str]
    pending: PendingSeen | None
    may_undo: bool
    may_claim: bool
    ready: list[int]
    host_asked: bool
    hands: list[HandSeen]
    winners: list[int] | None
    deal: PromiseSeen | None
    proof: ProofSeen | None
    watchers: int
    trumps: list[str]
    led: str | None
    hands_from: int = 0
    restored: bool = False
    taken: list[int] = []
    result: ResultSeen | None = None
    pause: int | None = None
    absent: list[AbsentSeen] = []
    halted: bool = False
    evening: EveningSeen | None = None


def snapshot(table: Table, seat: int | None) -> Snapshot:
    """Return the snapshot for `seat`, or for a watcher where it is None."""
    return Showing(table).to(seat, rules=True)


class Own(NamedTuple):
    """What a seat is shown that not everybody is: fields of a `Snapshot`, and of the view in it."""

    you: int | None
    may_undo: bool
    may_claim: bool
    absent: list[AbsentSeen]
    view: OwnView | None


class Shown(NamedTuple):
    """What a seat is shown: the snapshot of a watcher, which is everybody's, and its own."""

    common: Snapshot
    own: Own

    def whole(self) -> Snapshot:
        """Return both as one, without the rules."""
        if self.own.you is None:
            return self.common
        own, view = self.own._asdict(), self.common.view
        if view is not None and self.own.view is not None:
            own["view"] = replace(view, **self.own.view._asdict())
        return msgspec.structs.replace(self.common, **own)


class _Made(NamedTuple):
    """What a table is shown as: to all, who may undo and claim, what is kept, and who has seen."""

    table: Table
    common: Snapshot
    undoes: int | None
    claims: int | None
    kept: dict[int | None, OwnView | None]
    shown: dict[int | None, Shown]


class Showing:
    """Shows a table; what all seats share is made once, and only when somebody is shown it."""

    def __init__(
        self,
        table: Table,
        watchers: int = 0,
        steps_in: Mapping[int, int] = {},
        before: Showing | None = None,
    ) -> None:
        """Show `table`, which `watchers` people watch; `steps_in` is from `absence.stand_ins`.

        What is still as it was shown `before` is not made again.
        """
        self.table, self._watchers, self._steps_in = table, watchers, steps_in
        # Not the other one itself, which has its own before it.
        self._before = None if before is None else before._made
        self._made: _Made | None = None

    def shown(self, seat: int | None) -> Shown:
        """Return what `seat` is shown, or a watcher where it is None."""
        if self._made is None:
            common = _for_all(self.table, self._watchers, self._steps_in, self._before)
            undoes, claims = asker(self.table, "undo"), asker(self.table, "claim")
            kept = {} if self._before is None else _kept_views(self._before, self.table)
            self._made = _Made(self.table, common, undoes, claims, kept, {})
        made = self._made
        if seat not in made.shown:
            made.shown[seat] = Shown(made.common, self._own(made, seat))
        return made.shown[seat]

    def forget(self) -> None:
        """Forget what was shown before this."""
        self._before = None

    def _own(self, made: _Made, seat: int | None) -> Own:
        table, common = self.table, made.common
        if seat is None:
            view = None if common.view is None else own_of(common.view)
            return Own(None, False, False, common.absent, view)
        away = absent(table, self._steps_in, seat) if self._steps_in else common.absent
        view = made.kept.get(seat) or _view(table, seat)
        return Own(seat, made.undoes == seat, made.claims == seat, away, view)

    def to(self, seat: int | None, *, rules: bool, hands_from: int = 0) -> Snapshot:
        """Return the snapshot for `seat`, a watcher where it is None, with the rules or not.

        The score sheet begins with the match's hand number `hands_from`.
        """
        whole, of = self.shown(seat).whole(), self.table.rules
        first = self.table.sheet_from
        return msgspec.structs.replace(
            whole,
            rules=RulesSeen(of.id, of.name, of.options()) if rules else None,
            hands=whole.hands[max(0, hands_from - first) :],
            hands_from=max(hands_from, first),
        )


# What an act alone changes of a table. Where the rest is the same and the hand goes on, so is all
# that is shown of it but what `_played_on` makes anew.
_BY_ACTS: Final = frozenset(
    ("match", "seq", "turn_clock", "moved_at", "touched_at", "decided", "halt", "unplayed")
)
_REST: Final[Callable[[Table], tuple[Any, ...]]] = attrgetter(
    *(name for name in Table.__struct_fields__ if name not in _BY_ACTS)
)


def _for_all(
    table: Table,
    watchers: int,
    steps_in: Mapping[int, int],
    before: _Made | None,
) -> Snapshot:
    hand, match = table.hand, table.match
    if before is not None and hand is not None and not hand.over and not steps_in:
        then, shown = before.table, before.common
        same = shown.watchers == watchers and not shown.absent
        if same and all(map(is_, _REST(then), _REST(table))):
            return _played_on(table, hand, then.hand, shown)
    totals = None if match is None else match.totals
    promise = None if table.evening is not None and table.evening.deals else table.promise
    done = hand is not None and hand.phase == "done"
    return Snapshot(
        code=table.code,
        title=table.title,
        open=table.open,
        phase=table.phase,
        host=table.host,
        seq=table.seq,
        you=None,
        rules=None,
        sides=fixed_sides(table),
        pace=table.pace,
        clock=table.clock,
        turn_clock=table.turn_clock,
        turn_since=table.moved_at,
        seats=_seats(table, totals),
        match_number=table.matches_before,
        hand_number=None if match is None else table.hands_before + table.place,
        view=None if hand is None else open_view(hand, totals),
        names_at_table=[chair.name for chair in table.chairs if chair.kind == "person"],
        silenced=_silenced(table),
        pending=pending_seen(table.pending),
        may_undo=False,
        may_claim=False,
        ready=sorted(table.ready),
        host_asked=table.host_asked,
        hands=[
            HandSeen(table.hands_before + line.number, *line)
            for line in table.scores[table.sheet_from :]
        ],
        winners=None if match is None else _winners(table, match),
        deal=promise_seen(promise),
        proof=proof_seen(table.code, table.rules, table.evening, table.proof, done=done),
        watchers=watchers,
        trumps=[] if hand is None else trumps_of(hand),
        led=None if hand is None else led_suit(hand),
        restored=table.restored,
        taken=[] if hand is None else hand.taken,
        result=None if hand is None else _result(hand),
        pause=pause(table),
        absent=absent(table, steps_in, None),
        halted=halted(table),
        evening=evening_seen(table.evening, table.rows, table.rules),
    )


def _played_on(table: Table, hand: Hand, then: Hand | None, shown: Snapshot) -> Snapshot:
    """Return what all are shown of a hand that goes on, as it was `shown` an act before."""
    totals = None if table.match is None else table.match.totals
    ranked = then is not None and (then.call, then.rook_low) == (hand.call, hand.rook_low)
    return msgspec.structs.replace(
        shown,
        seq=table.seq,
        turn_clock=table.turn_clock,
        turn_since=table.moved_at,
        view=open_view(hand, totals, then, shown.view),
        trumps=shown.trumps if ranked else trumps_of(hand),
        led=led_suit(hand),
        taken=hand.taken,
        halted=halted(table),
    )


def _winners(table: Table, match: Match) -> list[int] | None:
    if table.evening is not None and table.evening.hands:
        return None  # hands that are counted together have no winner at the table
    return None if match.winners is None else list(match.winners)


def _seats(table: Table, totals: Sequence[int] | None) -> list[SeatSeen]:
    faces = (table.faces.get(chair.person or "", "") for chair in table.chairs)
    return list(map(seat_seen, table.chairs, totals or (0,) * len(table.chairs), faces))


def _silenced(table: Table) -> dict[str, str]:
    lines = {line.said.person: line.seq for line in table.lines}
    # Sorted, as browsers have an object whose keys are numbers: `changes.check` depends on that.
    known = sorted((lines[who], how) for who, how in table.silenced.items() if who in lines)
    return {str(line): how for line, how in known}


def _result(hand: Hand) -> ResultSeen | None:
    sources = hand.sources
    if sources is None:
        return None
    return ResultSeen(hand.made, [SourceSeen(*source) for source in sources])


def _view(table: Table, seat: int) -> OwnView | None:
    if table.hand is None:
        return None
    own = own_view(table.hand, seat)
    if own.may_challenge and table.has_challenged(seat):
        own = own._replace(may_challenge=[])
    return own


def _kept_views(before: _Made, table: Table) -> dict[int | None, OwnView | None]:
    then, now = before.table.hand, table.hand
    if then is None or now is None or table.dealt_seq != before.table.dealt_seq:
        return {}
    return kept_views(then, now, {seat: shown.own.view for seat, shown in before.shown.items()})


# The fields of an event that everybody may see; of others they see only that there was one. An
# act has its own rule. Chat is a message of its own; reports and blocks concern one person.
PUBLIC: Final[Mapping[type[ev.Event], tuple[str, ...]]] = {
    ev.TableMade: ("code",),
    ev.Sat: ("seat", "name"),
    ev.Left: ("seat",),
    ev.BotSeated: ("seat", "bot"),
    ev.BotRemoved: ("seat",),
    ev.Arranged: ("seats",),
    ev.HostPassed: ("seat",),
    ev.SettingsChanged: (),
    ev.Renamed: ("seat", "name"),
    ev.FaceChosen: ("seat", "face"),
    ev.DealPromised: ("number", "scheme", "commitment"),
    ev.Contributed: ("seat",),
    ev.EveningJoined: ("evening", "round", "table"),
    ev.MatchBegun: ("number",),
    ev.TimelineBegun: (),
    ev.HandDealt: ("number", "dealer"),
    ev.Challenged: ("seat", "accused"),
    ev.VoteAsked: ("kind", "seat", "shown"),
    ev.Voted: ("seat", "yes"),
    ev.VoteClosed: ("kind", "seat", "accepted"),
    ev.Undone: ("seat",),
    ev.Ready: ("seat",),
    ev.Halted: ("seat", "on"),
    ev.Rematched: ("seats",),
    ev.Silenced: ("how",),
    ev.Away: ("seat",),
    ev.Back: ("seat",),
    ev.StoodIn: ("seat", "bot"),
}


def public_event(entry: ev.Entry, seat: int | None) -> dict[str, Any]:
    """Return what `seat` (a watcher where it is None) may see of an event, ready for JSON."""
    event = entry.event
    head = {"seq": entry.seq, "at": entry.at}
    if isinstance(event, ev.Acted):
        return {**head, **_acted(event, seat)}
    names = PUBLIC.get(type(event))
    if names is None:
        return {**head, "type": "noted"}
    return {**head, "type": ev.tag(event), **{name: getattr(event, name) for name in names}}


def _acted(event: ev.Acted, seat: int | None) -> dict[str, Any]:
    """Return an act; cards that go face down are shown to the actor alone."""
    verb = Verb.of(event.text)
    text = event.text if verb.public or seat == event.seat else None
    return {"type": "acted", "seat": event.seat, "verb": verb, "text": text, "by": event.by}


def fixed_sides(table: Table) -> list[list[int]] | None:
    """Return who plays with whom in every hand; None where a card calls the partner."""
    sides = table.rules.fixed_sides
    return None if sides is None else [list(side) for side in sides]
