"""Odds for players: the partner's trumps, how a suit splits, what the nest holds.

They are exact where counting is quick, else estimated from random deals; the answer says which.

>>> from rookery.rules import load
>>> rules = load("kd_tournament")
>>> hand = parse_cards("R14 R10 R5 G14 G13 G9 G6 Y8 B11", rules, "--hand")
>>> answer = partner_trumps(look(rules, hand, trump="green"))
>>> answer.method, answer.unseen_trumps, answer.chances[2].at_least.fraction
('exact', 7, '46087/70122')
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from rookery.cards import ROOK, Card, by_suit, card_name, unpack
from rookery.game.action import call_words
from rookery.lab.odds.answer import (
    CountChances,
    NestOdds,
    PlaceSize,
    PointChance,
    ShapeChance,
    SplitChance,
    SplitOdds,
    TrumpOdds,
)
from rookery.lab.odds.chances import Outcome, Question, Spread, Way, spread
from rookery.lab.odds.unseen import NEST, OddsError, Unseen, look, parse_cards
from rookery.rules import Terms

__all__ = ["OddsError", "Way", "look", "nest_odds", "parse_cards", "partner_trumps", "split_odds"]

COUNTED: Final = Way()
SPLITS: Final = 100


def partner_trumps(unseen: Unseen, called: Card | None = None, way: Way = COUNTED) -> TrumpOdds:
    """Return the chances of how many trumps the partner holds; two partners count together.

    Raises:
        OddsError: there is no trump call, no partner or no trump, or the cards cannot lie so.
    """
    trumps = unseen.suit("trump")
    if not trumps:
        raise OddsError("--trump: under this call there are no trumps")
    partners = _partners(unseen, called)
    worth = dict.fromkeys(unpack(trumps), 1)
    found = spread(Question(unseen, (partners,), worth, called), way)
    if called is None:
        partner = " and ".join(unseen.places[i].name for i in partners)
    else:
        partner = f"the holder of {card_name(called, unseen.rules.pack)}"
    return TrumpOdds(
        **_head(unseen, found, way),
        trump=_call(unseen),
        partner=partner,
        trumps=trumps.bit_count(),
        held_trumps=(trumps & unseen.hand).bit_count(),
        unseen_trumps=(trumps & unseen.cards).bit_count(),
        chances=_counts(found),
        average=found.average(_first),
    )


def _partners(unseen: Unseen, called: Card | None) -> tuple[int, ...]:
    rules, table = unseen.rules, unseen.table
    if rules.calls_partner:
        if called is None:
            raise OddsError("--called: missing; in this game the called card says who is partner")
        if not unseen.cards >> called & 1:
            name = card_name(called, rules.pack)
            raise OddsError(f"--called {name}: expected a card that you have not seen")
        return ()
    if called is not None:
        raise OddsError("--called: in this game nobody calls a partner's card")
    partners = tuple(
        i
        for i, place in enumerate(unseen.places)
        if place.seat is not None and table.partners[0] >> place.seat & 1
    )
    if not partners:
        raise OddsError("--rules: in this game everybody plays alone; nobody has a partner")
    return partners


def split_odds(unseen: Unseen, suit: str, way: Way = COUNTED) -> SplitOdds:
    """Return the chances of how the unseen cards of a suit lie.

    Raises:
        OddsError: there is no such suit, or the cards cannot lie so.
    """
    cards = unseen.suit(suit) & unseen.cards
    everywhere = tuple((i,) for i in range(len(unseen.places)))
    found = spread(Question(unseen, everywhere, dict.fromkeys(unpack(cards), 1)), way)
    hands = [i for i, place in enumerate(unseen.places) if place.name != NEST]
    nest = next((i for i, place in enumerate(unseen.places) if place.name == NEST), None)

    def shape(outcome: Outcome) -> tuple[tuple[int, ...], int | None]:
        longest = sorted((outcome[i] for i in hands), reverse=True)
        return tuple(longest), None if nest is None else outcome[nest]

    shapes = [
        ShapeChance(hands=list(longest), nest=away, chance=chance)
        for (longest, away), chance in found.by(shape).items()
    ]
    splits = [
        SplitChance(cards=list(outcome), chance=chance)
        for outcome, chance in found.by(lambda outcome: outcome).items()
    ]
    return SplitOdds(
        **_head(unseen, found, way),
        trump=_call(unseen),
        suit=suit.lower(),
        cards=[card_name(c, unseen.rules.pack) for c in by_suit(cards)],
        shapes=sorted(shapes, key=lambda row: (-row.chance.probability, row.hands)),
        splits=sorted(splits, key=lambda row: (-row.chance.probability, row.cards))[:SPLITS],
    )


def nest_odds(unseen: Unseen, way: Way = COUNTED) -> NestOdds:
    """Return the chances of what the unknown cards of the nest hold.

    Raises:
        OddsError: there is no nest, or it is no longer as it was dealt.
    """
    if not unseen.rules.nest_size:
        raise OddsError("--rules: in this game no nest is dealt")
    nest = next((i for i, place in enumerate(unseen.places) if place.name == NEST), None)
    if nest is None:
        raise OddsError("--nest: nothing in the nest is left to chance: it is known or taken up")
    table = unseen.table
    values = {card: table.value[card] for card in unpack(table.counters)}

    def of(worth: Mapping[Card, int]) -> Spread:
        return spread(Question(unseen, ((nest,),), worth), way)

    counters, points = of(dict.fromkeys(values, 1)), of(values)
    rook = of({ROOK: 1}) if unseen.rules.rook_in_deck else None
    drawn = (one for one in (counters, points, rook) if one and one.samples is not None)
    return NestOdds(
        **_head(unseen, next(drawn, counters), way),
        nest=unseen.places[nest].size,
        counter=counters.chance(_at_least(1)),
        rook=rook and rook.chance(_at_least(1)),
        rook_name=Terms(unseen.rules.pack).rook,
        counters=_counts(counters),
        points=[
            PointChance(points=worth, at_least=points.chance(_at_least(worth)))
            for (worth,) in points.by(lambda outcome: outcome)
        ],
        average=points.average(_first),
    )


def _first(outcome: Outcome) -> int:
    return outcome[0]


def _at_least(number: int) -> Callable[[Outcome], bool]:
    return lambda outcome: outcome[0] >= number


def _counts(found: Spread) -> list[CountChances]:
    return [
        CountChances(count=number, exactly=exactly, at_least=found.chance(_at_least(number)))
        for number, exactly in sorted(found.by(_first).items())
    ]


def _head(unseen: Unseen, found: Spread, way: Way) -> dict[str, Any]:
    exact = found.samples is None
    return {
        "rules": unseen.rules.id or unseen.rules.name,
        "method": "exact" if exact else "sampled",
        "samples": found.samples,
        "seed": None if exact else way.seed,
        "unseen": unseen.cards.bit_count(),
        "places": [PlaceSize(name=place.name, cards=place.size) for place in unseen.places],
    }


def _call(unseen: Unseen) -> str:
    return call_words(unseen.rules.pack)[unseen.trump_row]
