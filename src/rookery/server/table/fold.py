"""The fold of a table's events: the table after each, or at once after a run of them.

It takes a fraction of the time for a run. Such are the acts of a hand, of which only the position
after them stays, and deals that the rules cancelled as they were dealt. Of these nothing stays but
their lines in the score sheet, and no hand is made of them. A table made before there was a limit
may have thousands.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, assert_never

import msgspec
from msgspec.structs import replace

from rookery.cards import card_name
from rookery.game import Hand, Match
from rookery.rules import Rules
from rookery.server.table import events as ev
from rookery.server.table.chairs import Chair
from rookery.server.table.evening import is_over
from rookery.server.table.promise import Promise, Proof, reseated
from rookery.server.table.state import CHAT_KEPT, UNPLAYED, Phase, Table


def evolve(table: Table, entry: ev.Entry) -> Table:
    """Return the table after its next event."""
    if entry.seq != table.seq + 1:
        raise ValueError(f"event {entry.seq} does not follow event {table.seq}")
    after = _evolved(table, entry)
    promise = after.promise
    if after.chairs is not table.chairs:
        before, now = ([chair.person for chair in one.chairs] for one in (table, after))
        promise = reseated(promise, before, now)
    # A clock that is changed while somebody thinks holds from the next turn.
    begins = isinstance(entry.event, ev.HandDealt | ev.Acted | ev.Undone)
    clock = after.clock if begins else after.turn_clock
    return replace(after, promise=promise, turn_clock=clock, seq=entry.seq, touched_at=entry.at)


def _evolved(table: Table, entry: ev.Entry) -> Table:
    event = entry.event
    match event:
        case ev.Acted():  # first, as most events are acts
            return _acted(table, [(event, entry.at)])
        case ev.TableMade():
            return _made(event, entry.at)
        case ev.Sat():
            return _sat(table, event)
        case ev.Left():
            return _left(table, event)
        case ev.BotRemoved():
            return _chair(table, event.seat, Chair())
        case ev.Renamed():
            return _chair(table, event.seat, table.chairs[event.seat]._replace(name=event.name))
        case ev.Away():
            return _chair(table, event.seat, table.chairs[event.seat]._replace(away_since=entry.at))
        case ev.BotSeated() | ev.Back() | ev.StoodIn():
            return _played_by(table, event, entry.at)
        case ev.Arranged() | ev.Rematched():
            return _arranged(table, event.seats)
        case ev.HostPassed():
            return replace(table, host=event.seat)
        case ev.SettingsChanged():
            return replace(table, **_settings(table, event, entry.at))
        case ev.FaceChosen():
            person = table.chairs[event.seat].person or ""
            return replace(table, faces={**table.faces, person: event.face})
        case ev.DealPromised():
            promised = (event.number, event.commitment, event.key, (), table.promise is not None)
            return replace(table, promise=Promise(*promised))
        case ev.TimelineBegun():
            return _rejoined(table, event, entry.at)
        case ev.Contributed():
            return _contributed(table, event)
        case ev.EveningJoined():
            return replace(table, evening=event)
        case ev.MatchBegun():
            return _begun(table, event)
        case ev.HandDealt():
            return _dealt(table, event, entry)
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
    if not 0 <= seat < len(table.chairs):
        raise IndexError(f"there is no seat {seat}")  # the slices would add one
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


def _contributed(table: Table, event: ev.Contributed) -> Table:
    promise = table.promise
    if promise is None:
        raise ValueError("a share for a deal that is not promised")
    shares = (*promise.shares, (event.seat, event.share))
    return replace(table, promise=promise._replace(shares=shares))


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


def _acted(table: Table, acts: Sequence[tuple[ev.Acted, int]]) -> Table:
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
    clock = _time_left(table.turn_clock, table.moved_at, until)
    return replace(table, pending=None, denied=denied, moved_at=at, turn_clock=clock)


def _undone(table: Table, event: ev.Undone, entry: ev.Entry) -> Table:
    hand = table.hand
    if table.match is None or hand is None or hand.over:
        raise ValueError("an act is taken back that is none, or that counts")
    match = table.match.last_hand_only(hand.without_last())
    denied = frozenset(asked for asked in table.denied if asked[0] == "claim")
    if table.turn_clock is not None and not hand.actions[-1].verb.public:
        # What nobody else has seen goes back once: a new act begins the time anew.
        denied |= {("undo", event.seat, len(hand.actions))}
    return replace(table, match=match, moved_at=entry.at, dealt_seq=entry.seq, denied=denied)


def _played_by(table: Table, event: ev.BotSeated | ev.Back | ev.StoodIn, at: int) -> Table:
    """Return a table as somebody else plays a seat from now on.

    Only its own turn begins anew, and has no more time than was left. Otherwise whoever leaves and
    comes again would hold up a turn, or the next deal, for ever.
    """
    own, chair = table.to_act == event.seat, table.chairs[event.seat]
    if isinstance(event, ev.Back):
        back = chair._replace(away_since=None, stand_in=None, called=False)
        # Whoever was alone has read the result in peace until now.
        alone = table.between_hands and len(table.people_here) < 2 and not table.ready
        begins = (own and chair.player is not None) or alone or not table.attended
        after = _chair(table, event.seat, back)
        return replace(after, moved_at=at) if begins else after
    if isinstance(event, ev.BotSeated):
        chair = Chair("bot", event.bot, bot=event.bot, spare=event.spare)
    else:
        chair = chair._replace(stand_in=event.bot, called=event.called)
    # A second that has begun is over, or many short ones would cost nothing.
    clock = _time_left(table.turn_clock, table.moved_at, at + 999)
    after = _chair(table, event.seat, chair)
    return replace(after, moved_at=at, turn_clock=clock) if own and clock != 0 else after


def _settings(table: Table, event: ev.SettingsChanged, at: int) -> dict[str, Any]:
    """Return what changes of a table with its settings: a turn without a clock has the new one.

    Otherwise there is no help against somebody who is there and does nothing.
    """
    changed = msgspec.structs.asdict(event)
    if table.to_act is not None and table.turn_clock is None and event.clock is not None:
        changed.update(moved_at=at, turn_clock=event.clock)
    return changed


def _time_left(clock: int | None, since: int, until: int) -> int | None:
    """Return how many whole seconds of a turn's time are left; it goes on with these."""
    return None if clock is None else max(0, clock - max(0, until - since) // 1000)


def next_of(table: Table, entries: Sequence[ev.Entry], at: int) -> tuple[Table, int]:
    """Return the table after some entries from number `at` on, and how many: all acts of a run.

    Raises:
        ValueError: the entry does not follow.
        LookupError: the same.
    """
    return _acts_at(table, entries, at) or (evolve(table, entries[at]), 1)


def _acts_at(table: Table, entries: Sequence[ev.Entry], at: int) -> tuple[Table, int] | None:
    acts: list[tuple[ev.Acted, int]] = []
    while at + len(acts) < len(entries):
        entry = entries[at + len(acts)]
        if not isinstance(entry.event, ev.Acted) or entry.seq != table.seq + len(acts) + 1:
            break
        acts.append((entry.event, entry.at))
    if not acts:
        return None
    try:
        after = _acted(table, acts)
    except (ValueError, LookupError):
        return None
    seq = table.seq + len(acts)
    return replace(after, turn_clock=after.clock, seq=seq, touched_at=acts[-1][1]), len(acts)


class Cancelled(NamedTuple):
    """A run of cancelled deals, each followed by the promise of the next, and by that one.

    Attributes:
        proofs: how they were dealt.
        events: how many events of the log that was.
        table: the table after them, still with the hand before them.
    """

    deals: list[ev.HandDealt]
    proofs: list[Proof]
    events: int
    table: Table


def cancelled_at(table: Table, entries: Sequence[ev.Entry], at: int) -> Cancelled | None:
    """Return the run of cancelled deals that begins with entry number `at`, the next of `table`."""
    match, promise = table.match, table.promise
    if match is None or match.winners is not None or promise is None:
        return None
    deals: list[ev.HandDealt] = []
    proofs: list[Proof] = []
    for dealt, promised in _pairs(match.rules, table.seq + 1, entries, at):
        deals.append(dealt)
        shares = tuple(dealt.shares)
        proofs.append(Proof(promise.number, promise.key, shares, promise.renewed))
        promise = Promise(promised.number, promised.commitment, promised.key)
    if not deals:
        return None
    events = 2 * len(deals)
    after = replace(
        table,
        match=match.cancelled([dealt.dealer for dealt in deals]),
        promise=promise,
        unplayed=(table.unplayed % UNPLAYED + len(deals) - 1) % UNPLAYED + 1,
        seq=table.seq + events,
        touched_at=entries[at + events - 1].at,
    )
    return Cancelled(deals, proofs, events, after)


def _pairs(
    rules: Rules, seq: int, entries: Sequence[ev.Entry], at: int
) -> Iterator[tuple[ev.HandDealt, ev.DealPromised]]:
    if rules.redeal != "auto" or not isinstance(entries[at].event, ev.HandDealt):
        return
    deck = {card_name(card, rules.pack) for card in rules.deck}
    counters = {card_name(card, rules.pack) for card in rules.card_points}
    sizes = [*[rules.hand_size] * rules.hands, rules.nest_size]
    for first in range(at, len(entries) - 2, 2):
        three = entries[first : first + 3]
        dealt, promised, after = (entry.event for entry in three)
        if (
            not isinstance(dealt, ev.HandDealt)
            or not isinstance(promised, ev.DealPromised)
            or not isinstance(after, ev.HandDealt)
            or [entry.seq for entry in three] != list(range(seq + first - at, seq + first - at + 3))
        ):
            return
        # What is not such a deal is for the engine to judge.
        cards = [*dealt.deal, dealt.nest]
        whole = [len(hand) for hand in cards] == sizes and deck == set[str]().union(*cards)
        players = dealt.deal[: rules.seats]
        if not whole or all(not counters.isdisjoint(hand) for hand in players):
            return
        if not 0 <= dealt.dealer < rules.seats:
            return
        yield dealt, promised
