"""A match that was played on a device, against bots: its record, and the events that it makes.

The device is one of those that play without a server. What it says is done again here: each deal
follows from its key, each act is legal, somebody has won. Only one seat may be a person's, which is
that of whoever hands the match in: so nobody writes down what others have done.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from rookery import record
from rookery.bots.names import table_bot
from rookery.bots.register import UnknownBot
from rookery.fairness.check import checked
from rookery.fairness.deal import SCHEME, secret
from rookery.game import Match
from rookery.record import HandRecord, Record
from rookery.server.names import is_code, place_of
from rookery.server.table import events as ev
from rookery.server.table import seating
from rookery.server.table.dealing import frozen_rules, promised
from rookery.server.table.fold import evolve
from rookery.server.table.state import Table, Who

Bots: TypeAlias = tuple[str | None, ...]
LAST: Final = (1 << 53) - 1  # the largest number that browsers can read: the next deal's at most


class BadMatch(ValueError):
    """What is handed in is no match that a device has played; its text says where and why."""


class Handed(NamedTuple):
    """A match that was played on a device.

    Attributes:
        code: the code of its table there.
        seat: the seat of its person.
        bots: the bot at each other seat when it began, None at that one.
        seated: the same for each hand, when that ended.
    """

    code: str
    seat: int
    bots: Bots
    seated: tuple[Bots, ...]
    kept: Record
    match: Match

    def proof(self, hand: int) -> Mapping[str, Any]:
        """Return the proof of a deal, as the record has it."""
        found: Mapping[str, Any] = self.kept.hands[hand].extra["proof"]
        return found


def read(document: Mapping[str, Any]) -> Handed:
    """Return the match of a ``rookery/1`` record.

    Raises:
        BadMatch: it cannot be read or played, is not over, or was not played by one person.
    """
    try:
        kept = record.loads(json.dumps(document))
        for at, written in enumerate(kept.hands):
            if _is_of_a_set(written):  # whose deals may take long to find: none is dealt here
                raise BadMatch(f"hand {at}: this deal is of no table")
        found = checked(kept)
        for at, hand in enumerate(found.hands):
            if hand.problems:
                raise BadMatch(f"hand {at}: {hand.problems[0].reason}")
        if not found.good:
            raise BadMatch(found.problems[0].reason)
        match = record.replay(kept)
    except record.RecordError as error:
        raise BadMatch(str(error)) from None
    code = found.hands[0].table
    if code is None or not is_code(code) or place_of(code):
        raise BadMatch("hand 0: this deal is of no table")
    numbers = [hand.extra["proof"]["number"] for hand in kept.hands]
    if not all(type(one) is int and 0 <= one < LAST for one in numbers):
        raise BadMatch(f"the number of a deal: expected a whole number from 0 to {LAST - 1}")
    if match.winners is None:
        raise BadMatch("the match is not over: nobody has won")
    bots = _bots(kept.extra.get("bots"), kept.rules.seats)
    seat, seated = bots.index(None), list[Bots]()
    for at, written in enumerate(kept.hands):
        # A hand says who sat there only if that is not as the match began.
        told = written.extra.get("bots", bots)
        seated.append(bots if told is bots else _bots(told, len(bots), f"hand {at}: "))
        if seated[-1][seat] is not None:
            raise BadMatch(f"hand {at}: bots: expected the player at seat {seat}, as before")
    return Handed(code, seat, bots, tuple(seated), kept, match)


def _bots(told: object, seats: int, where: str = "") -> Bots:
    """Return the bots that a record names, one at each seat but one."""
    if not isinstance(told, list) or len(told) != seats or told.count(None) != 1:
        raise BadMatch(f"{where}bots: expected a bot at each seat but one")
    try:
        return tuple(None if bot is None else table_bot(str(bot)).name for bot in told)
    except UnknownBot as error:
        raise BadMatch(f"{where}bots: {error}") from None


def _is_of_a_set(written: HandRecord) -> bool:
    proof = written.extra.get("proof")
    return isinstance(proof, dict) and proof.get("scheme") != SCHEME


def begun(handed: Handed, who: Who) -> list[ev.Event]:
    """Return the events of a table where nothing was played yet, with its one person."""
    rules = frozen_rules(handed.kept.rules)
    made = ev.TableMade(handed.code, "", False, rules, "normal", None)
    return [made, ev.Sat(handed.seat, who.id, who.name)]


def check(table: Table, handed: Handed, who: Who) -> int:
    """Return the seat of its person at a table where the match may be added.

    Raises:
        BadMatch: it may not: others have been there, or a match is under way.
    """
    seat = table.seat_of(who.id)
    others = [chair for at, chair in enumerate(table.chairs) if at != seat]
    if seat is None or any(chair.person for chair in others) or table.evening is not None:
        raise BadMatch(f"table {table.code} of this server is another one")
    if len(table.chairs) != len(handed.bots):
        raise BadMatch(f"table {table.code} has {len(table.chairs)} seats on this server")
    if table.phase == "playing":
        raise BadMatch(f"at table {table.code} of this server another match is under way")
    return seat


def added(table: Table, handed: Handed, who: Who) -> list[ev.Event]:
    """Return the events of the match at a table of its person, who sits there with bots alone.

    Raises:
        BadMatch: see `check`.
    """
    seat = check(table, handed, who)
    events: list[ev.Event] = []
    if seat != handed.seat:
        seats = list(range(len(handed.bots)))
        seats[seat], seats[handed.seat] = seats[handed.seat], seats[seat]
        events.append(ev.Arranged(seats))
    sits = _after(table, events)
    bots = [
        ev.BotSeated(at, bot)
        for at, bot in enumerate(handed.bots)
        if bot is not None and sits.chairs[at].bot != bot
    ]
    events += seating.seated(sits, bots)
    sits = _after(table, events)
    names = [chair.name for chair in sits.chairs]
    number = table.matches_before + (table.match is not None)
    events.append(ev.MatchBegun(number, frozen_rules(handed.kept.rules), names, True))
    for at, (written, hand) in enumerate(zip(handed.kept.hands, handed.match.hands, strict=True)):
        for place, bot in enumerate(handed.seated[at]):
            if bot is not None and bot != sits.chairs[place].bot:
                instead = seating.instead(sits, place, bot)
                events += instead
                sits = _after(sits, instead)
        proof = handed.proof(at)
        key, shares = str(proof["key"]), [str(share) for share in proof["shares"]]
        events.append(ev.DealPromised(proof["number"], SCHEME, proof["commitment"], key))
        deal = written.deal or []
        events.append(ev.HandDealt(at, written.dealer, deal, written.nest, shares))
        for action, text in zip(hand.actions, written.actions, strict=True):
            by: ev.By = "person" if action.seat == handed.seat else "bot"
            events.append(ev.Acted(action.seat, text, by))
    last = handed.proof(len(handed.kept.hands) - 1)
    events.append(promised(table.code, last["number"] + 1, secret))
    return events


def _after(table: Table, events: list[ev.Event]) -> Table:
    for entry in ev.entered(events, table.seq + 1, table.touched_at):
        table = evolve(table, entry)
    return table
