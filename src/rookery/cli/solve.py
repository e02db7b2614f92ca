"""`rookery solve`: the best play with all hands open, from a record's last position."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Annotated

import typer

from rookery.cli.arguments import AsJson, Refused
from rookery.cli.output import WIDTH, print_json, printable, wrapped
from rookery.cli.replay import hand_tricks, replayed, seat_names
from rookery.game import Hand, Match
from rookery.solver import Solution, Unsolvable, solve

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
    if as_json:
        print_json(solution.model_dump())
    else:
        typer.echo("\n".join(story(match, hand, solution)))


def story(match: Match, hand: Hand, found: Solution) -> Iterator[str]:
    """Yield the lines of a solution for a person."""
    names = seat_names(match)
    side = " and ".join(names[seat] for seat in found.side)
    yield printable(match.rules.name, 80)
    yield _contract(hand, names)
    yield ""
    for place, held in enumerate(hand.cards_held):
        yield wrapped(names[place], " ".join(hand.names(held)), hang=18)
    if hand.trick and hand.leader is not None:
        order = hand.order_from(hand.leader)
        laid = zip(order, hand.names(hand.trick), strict=False)
        yield wrapped("On the table", ", ".join(f"{names[p]} {c}" for p, c in laid), hang=18)
    yield ""
    yield from textwrap.wrap(f"{_outcome(found, side)}{_kept(found)}.", WIDTH)
    yield ""
    dummy = f" from {names[found.turn]}'s hand" if found.turn != found.to_act else ""
    yield f"{names[found.to_act]} to play{dummy}"
    for (low, high), cards in _by_value(found).items():
        worth = str(low) if low == high else f"{low} to {high}"
        best = any(card.best for card in found.cards if (card.low, card.high) == (low, high))
        mark = "*" if best and low == high else " "
        yield wrapped(f"{mark} {worth}", " ".join(cards), hang=14)
    if found.line:
        after = hand
        for action in found.line:
            after = after.act(action)
        yield ""
        yield "Best play from here"
        yield from hand_tricks(after, names, len(hand.tricks))
    yield ""
    yield f"{found.nodes} cards tried in {found.ms:.0f} ms"


def _contract(hand: Hand, names: list[str]) -> str:
    call = f", {hand.call}" if hand.call else ""
    if hand.declarer is None:
        return f"No contract{call}"
    return f"{names[hand.declarer]} plays {hand.bid}{call}"


def _outcome(found: Solution, side: str) -> str:
    verb = "takes" if len(found.side) == 1 else "take"
    if found.points is not None:
        return f"With all hands open {side} {verb} {found.points} points"
    return f"With all hands open {side} {verb} {found.low} to {found.high} points; time ran out"


def _kept(found: Solution) -> str:
    if found.made is None or found.contract is None:
        return ""
    return ", and the contract is made" if found.made else ", and the contract is set"


def _by_value(found: Solution) -> dict[tuple[int, int], list[str]]:
    groups: dict[tuple[int, int], list[str]] = {}
    for card in found.cards:
        groups.setdefault((card.low, card.high), []).append(card.card)
    return groups
