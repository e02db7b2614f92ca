"""`rookery odds`: how likely cards are to lie here or there.

By itself it asks after a hand drawn from a deck; its commands ask what a player at the table asks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import partial
from textwrap import fill
from typing import Annotated, Any

import typer

from rookery.cli.arguments import AsJson, Refused, Seed, check_number, group, say_unused
from rookery.cli.output import WIDTH, print_answer, print_json
from rookery.lab.odds import hand as odds
from rookery.lab.odds.answer import Answer, Average, Chance, NestOdds, SplitOdds, TrumpOdds
from rookery.lab.odds.unseen import Unseen
from rookery.rules import Rules, load
from rookery.rules.chances import at_least, exactly

ROWS = 12
FEWEST_SAMPLES = 100
MOST_SAMPLES = 2_000_000
TINY = 0.00005  # a chance that two places would print as 0 or, as far from the other end, as 100
MOST = 10_000  # cards: beyond it the exact fractions get slow

app = group(
    "The odds of how the unseen cards lie.\n\n"
    "Without a command: the odds that a hand drawn from a deck holds certain cards."
)


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
    """Print how likely a hand drawn from a deck is to hold certain cards."""
    if ctx.invoked_subcommand is not None:
        say_unused(ctx, f"an option of {ctx.invoked_subcommand} goes behind that word")
        return
    if paper:
        if (targets, least, most, exact) != (None, None, None, None):
            raise Refused("--paper: takes no other numbers; its seven chances are its own")
        say_unused(ctx, "the seven chances of --paper are its own", "deck", "nest", "hand")
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
    fraction = str(chance) if len(str(chance)) <= 60 else "a fraction too long for a line"
    return (
        f"{exact_percent(chance)} %, or {fraction}\n"
        f"that {hand} of {deck} cards hold {many} of {targets}."
    )


def exact_percent(chance: Fraction) -> str:
    """Return a chance in percent, with two places or, near 0 and 100, up to 15.

    >>> exact_percent(Fraction(3, 4)), exact_percent(Fraction(1, 10**6)), exact_percent(Fraction(0))
    ('75.00', '0.0001', '0')
    >>> exact_percent(1 - Fraction(1, 10**18))
    '> 99.999999999999999'
    """
    if chance in (0, 1):
        return str(100 * chance)
    edge = min(chance, 1 - chance)
    if edge * 10**17 < 1:
        return "< 0.000000000000001" if chance == edge else "> 99.999999999999999"
    places = 2
    while edge * 10 ** (places + 2) < 1:
        places += 1
    # Of a float the last places would be wrong.
    whole, part = divmod(round(100 * chance * 10**places), 10**places)
    return f"{whole}.{part:0{places}}"


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


# What a player with a hand of cards asks.

RulesId = Annotated[
    str, typer.Option("--rules", metavar="ID", help="A variant's id, or a house-rule file.")
]
HandCards = Annotated[
    str, typer.Option("--hand", metavar="CARDS", help='Your cards now: "R14 G5 RK ...".')
]
Trump = Annotated[str, typer.Option("--trump", metavar="CALL", help="Trump: green, notrump, ...")]
Nest = Annotated[
    str,
    typer.Option("--nest", metavar="CARDS", help="Cards that you know in the nest, or discarded."),
]
Played = Annotated[
    str, typer.Option("--played", metavar="CARDS", help="All cards of the tricks that are over.")
]
Declarer = Annotated[
    str | None,
    typer.Option(metavar="WHO", help="Who has taken the nest, if not you: left, partner, ..."),
]
Voids = Annotated[
    list[str] | None,
    typer.Option("--void", metavar="WHO SUIT", help='Who lacks a suit: "left red". Repeatable.'),
]
Samples = Annotated[
    int,
    typer.Option(
        "--sample",
        metavar="N",
        help="Draw N deals instead of counting; 0: only if that takes too long.",
    ),
]


@app.command("partner-trumps", short_help="How many trumps your partner holds.")
def partner_trumps(
    hand: HandCards,
    trump: Trump,
    rules: RulesId = "kd_tournament",
    called: Annotated[
        str | None,
        typer.Option(metavar="CARD", help="The card that makes its holder your partner."),
    ] = None,
    nest: Nest = "",
    played: Played = "",
    declarer: Declarer = None,
    void: Voids = None,
    sample: Samples = 0,
    seed: Seed = 1,
    as_json: AsJson = False,
) -> None:
    """How many trumps your partner holds, given your hand."""
    way = _way(sample, seed)
    game = load(rules)
    cards = [] if called is None else odds.parse_cards(called, game, "--called")
    if called is not None and len(cards) != 1:
        raise Refused(f"--called {called!r}: expected one card")
    if called is not None and declarer is not None:
        raise Refused("--called: goes without --declarer; it is your own partner that you ask for")
    unseen = _unseen(game, hand, trump, nest, played, declarer, void)
    answer = odds.partner_trumps(unseen, cards[0] if cards else None, way)
    _print(answer, _trumps(answer), as_json)


@app.command("split", short_help="How a suit splits among the others.")
def split(
    suit: Annotated[str, typer.Argument(metavar="SUIT", help="A suit, or trump.")],
    hand: HandCards,
    trump: Trump,
    rules: RulesId = "kd_tournament",
    nest: Nest = "",
    played: Played = "",
    declarer: Declarer = None,
    void: Voids = None,
    sample: Samples = 0,
    seed: Seed = 1,
    as_json: AsJson = False,
) -> None:
    """How the cards of a suit that you have not seen lie among the others."""
    way = _way(sample, seed)
    unseen = _unseen(load(rules), hand, trump, nest, played, declarer, void)
    answer = odds.split_odds(unseen, suit, way)
    _print(answer, _split(answer), as_json)


@app.command("nest", short_help="What the nest holds.")
def nest(
    hand: HandCards,
    rules: RulesId = "kd_tournament",
    nest: Nest = "",
    sample: Samples = 0,
    seed: Seed = 1,
    as_json: AsJson = False,
) -> None:
    """What the nest holds before anybody has taken it: counters, points, the Rook."""
    answer = odds.nest_odds(_unseen(load(rules), hand, nest=nest), _way(sample, seed))
    _print(answer, _nest(answer), as_json)


def _way(samples: int, seed: int) -> odds.Way:
    check_number("--sample", samples or None, FEWEST_SAMPLES, MOST_SAMPLES)
    return odds.Way(samples, seed)


def _unseen(
    game: Rules,
    hand: str,
    trump: str | None = None,
    nest: str = "",
    played: str = "",
    declarer: str | None = None,
    voids: list[str] | None = None,
) -> Unseen:
    return odds.look(
        game,
        odds.parse_cards(hand, game, "--hand"),
        trump=trump,
        nest=odds.parse_cards(nest, game, "--nest"),
        played=odds.parse_cards(played, game, "--played"),
        declarer=declarer,
        voids=voids or (),
    )


def _print(answer: Answer, lines: Iterable[str], as_json: bool) -> None:
    print_answer(partial(answer.model_dump, mode="json"), [*lines, "", _method(answer)], as_json)


def percent(chance: Chance) -> str:
    """Return a chance in percent, with half of its interval where it was drawn.

    >>> percent(Chance(probability=0.25, fraction="1/4", ci95=None))
    '25.00 %'
    >>> percent(Chance(probability=0.99996, fraction="24999/25000", ci95=None))
    '> 99.99 %'
    >>> percent(Chance(probability=0.0003, fraction=None, ci95=(0.0001, 0.0006)))
    '0.03 ± 0.03 %'
    """
    low, high = chance.ci95 or (chance.probability, chance.probability)
    if 0 < high < TINY:
        return "< 0.01 %"
    if 1 - TINY < low < 1:
        return "> 99.99 %"
    if chance.ci95 is None:
        return f"{100 * chance.probability:.2f} %"
    half = 100 * max(high - chance.probability, chance.probability - low)
    places = 1 if half >= 0.05 else 2
    return f"{100 * chance.probability:.{places}f} ± {half:.{places}f} %"


def _average(average: Average, what: str) -> str:
    half = "" if average.ci95 is None else f" ± {(average.ci95[1] - average.ci95[0]) / 2:.2f}"
    return f"On average {average.mean:.2f}{half} {what}."


def _method(answer: Answer) -> str:
    places = ", ".join(f"{place.name} {place.cards}" for place in answer.places)
    if answer.method == "exact":
        text = f"Exact: every way counted in which the {answer.unseen} cards you have not seen"
        text += f" can lie ({places})."
    else:
        text = f"Sampled: {answer.samples:,} deals drawn, seed {answer.seed}, with 95 % intervals;"
        text += f" {answer.unseen} cards you have not seen ({places})."
    return fill(text, WIDTH - 1)


def _trumps(answer: TrumpOdds) -> Iterator[str]:
    yield (
        f"Trump is {answer.trump}: {answer.trumps} trumps, of which you hold "
        f"{answer.held_trumps} and have not seen {answer.unseen_trumps}."
    )
    yield ""
    yield f"With {'your ' * (answer.partner == 'partner')}{answer.partner}:"
    yield f"{'trumps':>8}{'exactly':>16}{'at least':>16}"
    for row in answer.chances:
        yield f"{row.count:>8}{percent(row.exactly):>16}{percent(row.at_least):>16}"
    yield ""
    yield _average(answer.average, "trumps")


def _split(answer: SplitOdds) -> Iterator[str]:
    yield fill(
        f"Trump is {answer.trump}. Of {answer.suit} you have not seen {len(answer.cards)}: "
        f"{' '.join(answer.cards) or 'none'}.",
        WIDTH - 1,
    )
    with_nest = any(shape.nest is not None for shape in answer.shapes)
    yield ""
    yield f"{'in the hands':<20}{'in the nest' if with_nest else '':<14}{'chance':>14}"
    for shape in answer.shapes[:ROWS]:
        hands = "-".join(map(str, shape.hands))
        nest = "" if shape.nest is None else str(shape.nest)
        yield f"{hands:<20}{nest:<14}{percent(shape.chance):>14}"
    if len(answer.shapes) > ROWS:
        yield f"and {len(answer.shapes) - ROWS} rarer ones; --json has them all"


def _nest(answer: NestOdds) -> Iterator[str]:
    cards = "card" if answer.nest == 1 else "cards"
    yield f"The nest, {answer.nest} {cards} you have not seen:"
    yield ""
    yield f"  {'a counter':<22}{percent(answer.counter):>14}"
    if answer.rook is not None:
        yield f"  {answer.rook_name:<22}{percent(answer.rook):>14}"
    for row in answer.counters:
        if row.count > 1:
            yield f"  {f'{row.count} counters or more':<22}{percent(row.at_least):>14}"
    yield ""
    for points in answer.points:
        if points.points and points.at_least.probability >= 0.0005:
            yield f"  {f'{points.points} points or more':<22}{percent(points.at_least):>14}"
    yield ""
    yield _average(answer.average, "points")
