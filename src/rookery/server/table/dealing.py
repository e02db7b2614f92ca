"""The events that begin a match and deal its hands."""

from __future__ import annotations

from typing import Any, Final

from rookery.cards import Seat
from rookery.fairness.deal import SCHEME, Secret, commitment, deal_cards, permuted
from rookery.game import Hand
from rookery.rules import Rules
from rookery.server.table import events as ev
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


def promised_anew(table: Table, timeline: str, secret: Secret) -> list[ev.Event]:
    """Return the events by which a table goes on in another timeline of the database.

    What a promise or a hand held may be known from the timeline before, so neither is used. The
    number of the deal stays: nothing is left out of a record.
    """
    number = 0 if table.promise is None else table.promise.number
    return [ev.TimelineBegun(timeline), promised(table.code, number, secret)]


def _next_hand(
    table: Table, number: int, dealer: Seat, before: int, secret: Secret
) -> list[ev.Event]:
    """Return the events of the next deal and of the commitment to the deal after it.

    A deal that the rules cancel is followed by the next one at once, a few times.
    """
    rules, code, promise = table.rules, table.code, table.promise
    if promise is None:
        raise ValueError("no deal is promised")
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


def begun(table: Table, names: list[str], secret: Secret) -> list[ev.Event]:
    """Return the events of a new match among these players and of its first hand."""
    number = table.matches_before + (table.match is not None)
    begins = ev.MatchBegun(number, frozen_rules(table.rules), names)
    return [begins, *_next_hand(table, 0, 0, 0, secret)]


def dealt(table: Table, secret: Secret) -> list[ev.Event]:
    """Return the events of the next hand of the match under way."""
    if table.match is None:
        raise ValueError("a hand is dealt outside a match")
    return _next_hand(table, table.place + 1, table.match.dealer, table.unplayed, secret)


def redrawn(table: Table, secret: Secret) -> list[int]:
    """Return the players' seats in the next match: as before, or drawn again by the rules."""
    seats = list(range(table.rules.seats))
    if table.rules.rotation != "deal_left_partners_redrawn":
        return seats
    return permuted(seats, secret())
