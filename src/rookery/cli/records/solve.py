"""`rookery solve`: the best play with all hands open, from a record's last position."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Annotated

import typer

from rookery.cli.arguments import AsJson, Refused
from rookery.cli.output import WIDTH, print_answer, printable, wrapped
from rookery.cli.records.replay import hand_tricks, replayed, seat_names
from rookery.game import Hand, Match
from rookery.solver.solution import CardValue, Solution, Unsolvable, solve

SECONDS = 10.0


def command(
    file: Annotated[str, typer.Argument(help="The record; - reads standard input.")],
    seconds: Annotated[
        float,
        typer.Option("--time", metavar="S", help="Print bounds instead after so many seconds."),
    ] = SECONDS,
    as_json: AsJson = False,
) -> None:
    """Best play with all hands open, from the record's last position.

    Prints how many points the declarer's side gets when everybody plays their best. Then come the
    value of each card that may be played, and how the play would go.
    """
    if not seconds > 0:
        raise Refused(f"--time is {seconds:g}; expected more than 0 seconds")
    match = replayed(file)
    hand = match.hand
    if hand is None:
        raise Refused(f"{file}: the record has no hand; expected one in its play")
    try:
        solution = solve(hand, seconds=seconds)
    except Unsolvable as error:
        raise Refused(f"{file}: hand {len(match.hands) - 1}: {error}") from None
    print_answer(solution.model_dump, story(match, hand, solution), as_json)


def story(match: Match, hand: Hand, found: Solution) -> Iterator[str]:
    """Yield the lines of a solution for a person."""
    names = seat_names(match)
    call = f", {hand.call}" if hand.call else ""
    yield printable(match.rules.name, 80)
    if hand.declarer is None:
        yield f"No contract{call}"
    else:
        yield f"{names[hand.declarer]} plays {hand.bid}{call}"
    yield ""
    for place, held in enumerate(hand.cards_held):
        yield wrapped(names[place], " ".join(hand.names(held)), hang=18)
    if hand.trick and hand.leader is not None:
        order = hand.order_from(hand.leader)
        laid = zip(order, hand.names(hand.trick), strict=False)
        yield wrapped("On the table", ", ".join(f"{names[p]} {c}" for p, c in laid), hang=18)
    yield ""
    side = " and ".join(names[seat] for seat in found.side)
    verb = "takes" if len(found.side) == 1 else "take"
    points = f"{found.low} to {found.high} points; time ran out"
    if found.points is not None:
        points = f"{found.points} points"
    contract = ""
    if found.made is not None and found.contract is not None:
        contract = f", and the contract is {'made' if found.made else 'set'}"
    yield from textwrap.wrap(f"With all hands open {side} {verb} {points}{contract}.", WIDTH)
    yield ""
    dummy = f" from {names[found.turn]}'s hand" if found.turn != found.to_act else ""
    yield f"{names[found.to_act]} to play{dummy}"
    groups: dict[tuple[int, int], list[CardValue]] = {}
    for card in found.cards:
        groups.setdefault((card.low, card.high), []).append(card)
    for (low, high), cards in groups.items():
        worth = str(low) if low == high else f"{low} to {high}"
        mark = "*" if low == high and any(card.best for card in cards) else " "
        yield wrapped(f"{mark} {worth}", " ".join(card.card for card in cards), hang=14)
    if found.line:
        after = hand
        for action in found.line:
            after = after.act(action)
        yield ""
        yield "Best play from here"
        yield from hand_tricks(after, names, len(hand.tricks))
    yield ""
    yield f"{found.nodes} cards tried in {found.ms:.0f} ms"
