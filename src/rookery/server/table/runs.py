"""Runs of events in a table's log that are folded at once: it takes a fraction of the time.

Such are the acts of a hand, of which only the position after them stays, and deals that the rules
cancelled as they were dealt. Of these nothing stays but their lines in the score sheet, and no hand
is made of them. A table made before there was a limit may have thousands.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from rookery.cards import card_name
from rookery.rules import Rules
from rookery.server.table import events as ev
from rookery.server.table.promise import Promise, Proof
from rookery.server.table.state import UNPLAYED, Table, acted, evolve


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
        after = acted(table, acts)
    except (ValueError, LookupError):
        return None
    seq = table.seq + len(acts)
    return replace(after, turn_clock=after.clock, seq=seq, touched_at=acts[-1][1]), len(acts)


class Cancelled(NamedTuple):
    """A run of cancelled deals, each followed by the promise of the next, and by that one.

    Attributes:
        deals: the deals.
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
