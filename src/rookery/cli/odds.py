"""`rookery odds`: how likely cards are to lie here or there.

By itself it asks after a hand drawn from a deck; its commands ask what a player at the table asks.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any

import typer

from rookery.cli import odds_hand
from rookery.cli.arguments import AsJson, Refused, check_number, group
from rookery.cli.output import print_json
from rookery.rules.chances import at_least, exactly

MOST = 10_000  # cards: beyond it the exact fractions get slow

app = group("The odds of how the unseen cards lie.")
app.command("partner-trumps", short_help="How many trumps your partner holds.")(
    odds_hand.partner_trumps
)
app.command("split", short_help="How a suit splits among the others.")(odds_hand.split)
app.command("nest", short_help="What the nest holds.")(odds_hand.nest)


@app.callback(invoke_without_command=True)
def command(
    ctx: typer.Context,
    deck: Annotated[int, typer.Option(metavar="N", help="Cards in the deck.")] = 41,
    targets: Annotated[
        int | None, typer.Option(metavar="N", help="How many of them are the cards in question.")
    ] = None,
    nest: Annotated[
        int, typer.Option(metavar="N", help="Cards set aside unseen; they change nothing.")
    ] = 5,
    hand: Annotated[int, typer.Option(metavar="N", help="Cards in a hand.")] = 9,
    least: Annotated[
        int | None, typer.Option("--at-least", metavar="N", help="So many or more.")
    ] = None,
    most: Annotated[
        int | None, typer.Option("--at-most", metavar="N", help="So many or fewer.")
    ] = None,
    exact: Annotated[
        int | None, typer.Option("--exactly", metavar="N", help="So many, no more, no fewer.")
    ] = None,
    paper: Annotated[
        bool, typer.Option("--paper", help="The Menagerie paper's seven chances.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """How likely cards are to lie here or there.

    By itself: how likely a hand drawn from a deck is to hold certain cards. The commands below
    know your own hand and the rules you play by.
    """
    if ctx.invoked_subcommand is not None:
        return
    if paper:
        if (targets, least, most, exact) != (None, None, None, None):
            raise Refused("--paper: takes no other numbers; its seven chances are its own")
        _paper(as_json)
        return
    if targets is None:
        raise Refused(
            "--targets: missing; expected how many of the deck's cards are in question, "
            "or a command: partner-trumps, split, nest"
        )
    check_number("--deck", deck, 1, MOST)
    check_number("--targets", targets, 0, deck)
    check_number("--hand", hand, 0, deck)
    check_number("--nest", nest, 0, deck - hand)
    low, high = _bounds(least, most, exact, hand)
    # One tail is enough where the other end is open, and the shorter sum the quicker.
    if high == hand:
        chance = at_least(deck, targets, hand, low)
    elif low == 0:
        chance = 1 - at_least(deck, targets, hand, high + 1)
    else:
        chance = sum((exactly(deck, targets, hand, n) for n in range(low, high + 1)), Fraction(0))
    if as_json:
        print_json({"probability": float(chance)})
        return
    typer.echo(_sentence(deck, targets, hand, low, high, chance))
    if nest:
        typer.echo(
            "A nest set aside unseen says nothing about a hand: with or without it the chance\n"
            "is the same."
        )


def _bounds(least: int | None, most: int | None, exact: int | None, hand: int) -> tuple[int, int]:
    if exact is not None:
        if (least, most) != (None, None):
            raise Refused("--exactly: leaves no room for --at-least or --at-most")
        check_number("--exactly", exact, 0, hand)
        return exact, exact
    if least is None and most is None:
        raise Refused("how many? expected --at-least, --at-most or --exactly")
    low = 0 if least is None else least
    check_number("--at-least", low, 0, hand)
    high = hand if most is None else most
    check_number("--at-most", high, low, hand)
    return low, high


def _sentence(deck: int, targets: int, hand: int, low: int, high: int, chance: Fraction) -> str:
    if low == high:
        many = f"exactly {low}"
    elif high == hand:
        many = f"at least {low}"
    else:
        many = f"at most {high}" if low == 0 else f"{low} to {high}"
    return (
        f"{percent(chance)} %, or {fraction(chance)}\n"
        f"that {hand} of {deck} cards hold {many} of {targets}."
    )


def percent(chance: Fraction) -> str:
    """Return a chance in percent, with two places or, near 0 and 100, as many as it needs.

    >>> percent(Fraction(3, 4)), percent(Fraction(1, 10**6)), percent(Fraction(0))
    ('75.00', '0.0001', '0')
    """
    if chance in (0, 1):
        return str(100 * chance)
    places = 2
    edge = min(chance, 1 - chance)
    while edge * 10 ** (places + 2) < 1 and places < 15:
        places += 1
    return f"{float(100 * chance):.{places}f}"


def fraction(chance: Fraction) -> str:
    """Return a chance as a fraction where that fits a line.

    >>> fraction(Fraction(3, 4))
    '3/4'
    """
    text = str(chance)
    return text if len(text) <= 60 else "a fraction too long for a line"


def _paper(as_json: bool) -> None:
    from rookery.lab.menagerie.figures import CHANCES

    rows: list[dict[str, Any]] = [
        {
            "cards": what,
            "targets": targets,
            "at_least": least,
            "probability": float(at_least(41, targets, 9, least)),
            "paper": printed,
        }
        for what, targets, least, printed in CHANCES
    ]
    if as_json:
        print_json({"deck": 41, "nest": 5, "hand": 9, "chances": rows})
        return
    typer.echo("A hand of 9 from 41 cards, percent:\n")
    typer.echo(f"{'at least':>8}  {'of':34}{'exact':>10}{'paper':>9}")
    for row in rows:
        typer.echo(
            f"{row['at_least']:>8}  {row['targets']} {row['cards']:31}"
            f"{100 * row['probability']:10.4f}{row['paper']:9.2f}"
        )
    right = sum(round(100 * row["probability"], 2) == row["paper"] for row in rows)
    typer.echo(
        f"\n{right} of {len(rows)} agree to the last printed digit. The paper sums over what the\n"
        "nest may hold; a nest set aside unseen changes nothing: the plain tail will do."
    )
