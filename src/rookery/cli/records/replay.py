"""`rookery replay`: play a record again and show what happened."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from rookery import record
from rookery.cli.arguments import AsJson, Refused
from rookery.cli.output import print_answer, print_json, printable, wrapped
from rookery.fairness.check import proven
from rookery.game import Hand, Match, Verb
from rookery.record import Record, RecordError


def command(
    file: Annotated[str, typer.Argument(help="The record; - reads standard input.")],
    as_json: AsJson = False,
) -> None:
    """Play a record again: every deal, action, trick and score is checked."""
    with refused_records(file, as_json):
        written = record.loads(read_bytes(file))
        match = record.replay(written)
        fair = _fair_hands(written)
    print_answer(partial(record.document, match), _story(match, fair), as_json)


def read_bytes(file: str) -> bytes:
    """Return what a file holds, or standard input where its name is ``-``."""
    if not file:
        raise Refused("FILE: the name is empty; expected a record's, or - for standard input")
    return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()


@contextmanager
def refused_records(file: object, as_json: bool = False) -> Iterator[None]:
    """End the command where the record in a file is refused, with a line or a JSON document."""
    try:
        yield
    except RecordError as error:
        if not as_json:
            raise Refused(f"{file}: {error}") from None
        print_json(error.document())
        raise typer.Exit(2) from None


def replayed(file: str, as_json: bool = False) -> Match:
    """Return the match of the record in a file, played again; see `refused_records`."""
    with refused_records(file, as_json):
        return record.replay(record.loads(read_bytes(file)))


def _fair_hands(written: Record) -> set[int]:
    """Return the numbers of the hands whose proof leads to their cards.

    Raises:
        RecordError: a hand has a proof that does not; code ``bad-deal``.
    """
    found = set()
    for number, hand in enumerate(written.hands):
        good = proven(written.rules, hand)
        if good:
            found.add(number)
        elif good is not None:
            raise RecordError("bad-deal", "its proof does not lead to these cards", number)
    return found


def _story(match: Match, fair: set[int]) -> Iterator[str]:
    names = seat_names(match)
    yield printable(match.rules.name, 80)
    for number, hand in enumerate(match.hands):
        yield ""
        yield from hand_story(hand, number, names)
        if number in fair:
            yield wrapped("Dealt", "as promised: the cards follow from its proof")
    yield ""
    yield wrapped("Total", _each(names, match.totals), indent=0)
    if match.winners is not None:
        yield wrapped("Won by", " and ".join(names[seat] for seat in match.winners), indent=0)


def seat_names(match: Match) -> list[str]:
    """Return a name for each seat, and one for a blind hand behind them."""
    given = match.players or [f"Seat {seat}" for seat in range(match.rules.seats)]
    return [*(printable(name) or "?" for name in given), "Blind hand"]


def hand_story(hand: Hand, number: int, names: list[str]) -> Iterator[str]:
    """Yield the lines of one hand: the deal, the calls, the tricks, the score."""
    yield f"Hand {number}, dealt by {names[hand.dealer]}: {_outcome(hand, names)}"
    yield ""
    for name, cards in zip(names, hand.dealt, strict=False):
        yield wrapped(name, " ".join(hand.names(cards)), hang=18)
    if hand.nest_dealt:
        yield wrapped("Nest", " ".join(hand.names(hand.nest_dealt)), hang=18)
    yield ""
    calls = (a for a in hand.actions if a.verb not in (Verb.PLAY, Verb.CHALLENGE))
    yield wrapped("Calls", "; ".join(f"{names[call.seat]} {call.words}" for call in calls))
    if hand.nest_statement is not None:
        yield wrapped("Nest holds", str(hand.nest_statement))
    if hand.tricks:
        yield ""
        yield from hand_tricks(hand, names)
    if hand.points is not None and hand.score is not None and hand.sides is not None:
        sides = [" & ".join(names[seat] for seat in side) for side in hand.sides]
        yield ""
        yield wrapped("Points", _each(sides, hand.points))
        yield wrapped("Score", _each(names, hand.score))


def _outcome(hand: Hand, names: list[str]) -> str:
    if hand.phase == "redealt":
        return "dealt again"
    if hand.phase == "auction":
        return "auction"
    contract = "no contract"
    if hand.declarer is not None:
        contract = f"{names[hand.declarer]} plays {hand.bid}"
    return f"{contract}, {hand.call or 'trump not yet called'}"


def hand_tricks(hand: Hand, names: list[str], first: int = 0) -> Iterator[str]:
    """Yield a table of the tricks from number `first` on.

    A row is a trick, a column a place, the lead is in brackets and the winner starred.
    """
    places = len(hand.dealt)
    heads = [names[place][:6] for place in range(places)]
    yield "  Trick " + " ".join(f"{head:>6}" for head in heads) + "  Points"
    for number, trick in enumerate(hand.tricks[first:], first + 1):
        row = [""] * places
        for place, name in zip(hand.order_from(trick.leader), hand.names(trick.cards), strict=True):
            led = f"({name})" if place == trick.leader else name
            row[place] = f"{led}{'*' if place == trick.winner else ' '}"
        yield f"  {number:>5} " + " ".join(f"{cell:>6}" for cell in row) + f"  {trick.points:>6}"


def _each(names: list[str], numbers: list[int] | tuple[int, ...]) -> str:
    return ", ".join(f"{name} {number}" for name, number in zip(names, numbers, strict=False))
