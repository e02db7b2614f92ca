"""The events that begin a match and deal its hands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from rookery.cards import Seat
from rookery.fairness.day import SCHEME as PREPARED
from rookery.fairness.deal import SCHEME, Secret, commitment, deal_cards, permuted
from rookery.game import Hand
from rookery.rules import Rules
from rookery.server.table import events as ev
from rookery.server.table.evening import deals_of
from rookery.server.table.promise import Promise
from rookery.server.table.state import UNPLAYED, Table

AT_ONCE: Final = 4  # hands, if the rules cancel them; other tables wait meanwhile


def frozen_rules(rules: Rules) -> dict[str, Any]:
    """Return all options of the rules, so that no later catalogue changes them."""
    return rules.model_dump(mode="json")


def promised(code: str, number: int, secret: Secret) -> ev.DealPromised:
    """Return the event that commits the server to a fresh key for a deal."""
    key = secret()
    return ev.DealPromised(number, SCHEME, commitment(code, number, key), key.hex())


def prepared(joined: ev.EveningJoined, rules: Rules, place: int, key: str) -> list[ev.Event]:
    """Return the event that says which prepared deal comes next: number `place` of the table's."""
    if not place < len(joined.deals):
        return []
    bound = deals_of(joined, rules, key).commitment
    return [ev.DealPromised(joined.deals[place], PREPARED, bound, key)]


def promised_anew(table: Table, timeline: str, secret: Secret) -> list[ev.Event]:
    """Return the events by which a table goes on in another timeline of the database.

    What a promise or a hand held may be known from the timeline before, so neither is used. The
    number of the deal stays: nothing is left out of a record.
    """
    begins = ev.TimelineBegun(timeline)
    if table.evening is not None and table.evening.deals:
        return [begins]  # one promise covers the deals of all tables
    number = 0 if table.promise is None else table.promise.number
    return [begins, promised(table.code, number, secret)]


def _next_hand(
    table: Table, number: int, dealer: Seat, before: int, secret: Secret
) -> list[ev.Event]:
    """Return the events of the next deal and of the commitment to the deal after it.

    A deal that the rules cancel is followed by the next one at once, a few times.
    """
    rules, code, promise, joined = table.rules, table.code, table.promise, table.evening
    if promise is None:
        raise ValueError("no deal is promised")
    if joined is not None and joined.deals:
        hand = deals_of(joined, rules, promise.key).hand(promise.number)
        deal, nest = [hand.names(cards) for cards in hand.dealt], hand.names(hand.nest_dealt)
        next_one = prepared(joined, rules, joined.deals.index(promise.number) + 1, promise.key)
        return [ev.HandDealt(number, hand.dealer, deal, nest, [""] * rules.seats), *next_one]
    events: list[ev.Event] = []
    for again in range(min(AT_ONCE, UNPLAYED - before % UNPLAYED)):
        shares = [dict(promise.shares).get(seat, "") for seat in range(rules.seats)]
        key = bytes.fromhex(promise.key)
        cards = deal_cards(rules, code, promise.number, key, shares)
        promise_event = promised(code, promise.number + 1, secret)
        events.append(ev.HandDealt(number + again, dealer, cards.deal, cards.nest, shares))
        events.append(promise_event)
        if not Hand.deal(rules, dealer, cards.deal, cards.nest).over:
            break
        promise = Promise(promise_event.number, promise_event.commitment, promise_event.key)
    return events


def begun(table: Table, names: Sequence[str], secret: Secret, dealer: Seat = 0) -> list[ev.Event]:
    """Return the events of a new match among these players and of its first hand."""
    number = table.matches_before + (table.match is not None)
    begins = ev.MatchBegun(number, frozen_rules(table.rules), list(names))
    return [begins, *_next_hand(table, 0, dealer, 0, secret)]


def dealt(table: Table, secret: Secret) -> list[ev.Event]:
    """Return the events of the next hand of the match under way.

    Where an evening says how many hands are played, each that counts is a match of its own.
    """
    if table.match is None:
        raise ValueError("a hand is dealt outside a match")
    joined, last = table.evening, table.match.hand
    counts = last is not None and (last.phase == "done" or (joined is not None and joined.deals))
    if joined is not None and joined.hands and last is not None and counts:
        names = [chair.name for chair in table.chairs]
        return begun(table, names, secret, (last.dealer + 1) % table.rules.seats)
    return _next_hand(table, table.place + 1, table.match.dealer, table.unplayed, secret)


def redrawn(table: Table, secret: Secret) -> list[int]:
    """Return the players' seats in the next match: as before, or drawn again by the rules."""
    seats = range(table.rules.seats)
    drawn = table.rules.rotation == "deal_left_partners_redrawn"
    return permuted(seats, secret()) if drawn else list(seats)
