"""`rookery odds partner-trumps`, `split`, `nest`: what a player with a hand of cards asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from rookery.cli.checks import check_number, check_seed
from rookery.cli.errors import Refused
from rookery.cli.options import AsJson
from rookery.cli.output import print_json

if TYPE_CHECKING:
    from rookery.lab.odds.answer import Answer
    from rookery.lab.odds.hand import Way
    from rookery.lab.odds.unseen import Unseen

FEWEST_SAMPLES = 100
MOST_SAMPLES = 2_000_000

RulesId = Annotated[
    str, typer.Option("--rules", metavar="ID", help="A variant's id, or a house-rule file.")
]
HandCards = Annotated[
    str, typer.Option("--hand", metavar="CARDS", help='Your cards now: "R14 G5 RK ...".')
]
Trump = Annotated[str, typer.Option("--trump", metavar="CALL", help="Trump: green, notrump, ...")]
Nest = Annotated[
    str,
    typer.Option("--nest", metavar="CARDS", help="Cards you know in the nest, or put away there."),
]
Played = Annotated[
    str, typer.Option("--played", metavar="CARDS", help="All cards of the tricks that are over.")
]
Declarer = Annotated[
    str | None,
    typer.Option(metavar="WHO", help="Who has taken the nest up, if not you: left, partner, ..."),
]
Voids = Annotated[
    list[str] | None,
    typer.Option("--void", metavar="WHO SUIT", help='Who lacks a suit: "left red". Repeatable.'),
]
Samples = Annotated[
    int,
    typer.Option("--sample", metavar="N", help="Draw N deals; 0: only if counting takes too long."),
]
Seed = Annotated[int, typer.Option(metavar="S", help="Of the deals drawn.")]


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
    from rookery.lab.odds import hand as odds
    from rookery.rules import load

    way = _way(sample, seed)
    game = load(rules)
    cards = [] if called is None else odds.parse_cards(called, game, "--called")
    if called is not None and len(cards) != 1:
        raise Refused(f"--called {called!r}: expected one card")
    if called is not None and declarer is not None:
        raise Refused("--called: goes without --declarer; it is your own partner that you ask for")
    unseen = _unseen(rules, hand, trump, nest, played, declarer, void)
    _print(odds.partner_trumps(unseen, cards[0] if cards else None, way), as_json)


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
    from rookery.lab.odds import hand as odds

    way = _way(sample, seed)
    unseen = _unseen(rules, hand, trump, nest, played, declarer, void)
    _print(odds.split_odds(unseen, suit, way), as_json)


def nest(
    hand: HandCards,
    rules: RulesId = "kd_tournament",
    nest: Nest = "",
    sample: Samples = 0,
    seed: Seed = 1,
    as_json: AsJson = False,
) -> None:
    """What the nest holds before anybody has taken it up: counters, points, the Rook."""
    from rookery.lab.odds import hand as odds

    way = _way(sample, seed)
    unseen = _unseen(rules, hand, None, nest, "", None, None)
    _print(odds.nest_odds(unseen, way), as_json)


def _way(samples: int, seed: int) -> Way:
    from rookery.lab.odds.hand import Way

    check_number("--sample", samples or None, FEWEST_SAMPLES, MOST_SAMPLES)
    check_seed(seed)
    return Way(samples, seed)


def _unseen(
    rules: str,
    hand: str,
    trump: str | None,
    nest: str,
    played: str,
    declarer: str | None,
    voids: list[str] | None,
) -> Unseen:
    from rookery.lab.odds.hand import look, parse_cards
    from rookery.rules import load

    game = load(rules)
    return look(
        game,
        parse_cards(hand, game, "--hand"),
        trump=trump,
        nest=parse_cards(nest, game, "--nest"),
        played=parse_cards(played, game, "--played"),
        declarer=declarer,
        voids=voids or (),
    )


def _print(answer: Answer, as_json: bool) -> None:
    if as_json:
        print_json(answer.model_dump(mode="json"))
        return
    from rookery.cli.odds_text import told

    typer.echo(told(answer))
