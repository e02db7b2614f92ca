"""What the declarer does before play, in plain words: nest, trump call, called partner, circus."""

from __future__ import annotations

from collections.abc import Iterator

from rookery.rules.model import Rules
from rookery.rules.terms import Terms
from rookery.rules.values import UpTo

CALLS = ("suits", "suits-low", "notrump", "notrump-low", "circus")


def nest(rules: Rules, terms: Terms) -> Iterator[str]:
    """Yield what happens to the nest, from the end of the bidding to the end of the hand."""
    if not rules.nest_size:
        return
    if rules.nest_shown == "after_auction":
        yield terms.say("nest.shown")
    exchange = rules.nest_exchange
    if exchange == "all":
        yield terms.say("nest.all", cards=terms.counted(rules.nest_size))
    elif isinstance(exchange, UpTo):
        yield terms.say("nest.up_to", cards=terms.counted(exchange.up_to))
    else:
        swapped = terms.counted(exchange.exactly_or_none)
        yield terms.say("nest.exactly_or_none", cards=swapped)
    if "counters" in rules.discard_ban:
        yield terms.say("nest.ban.counters")
    if "counters_unless_forced" in rules.discard_ban:
        yield terms.say("nest.ban.counters_unless_forced")
        if rules.steps.index("trump") < rules.steps.index("discard"):
            yield terms.say("nest.ban.trumps_first")
    if "trumps" in rules.discard_ban:
        yield terms.say("nest.ban.trumps")
    if "rook" in rules.discard_ban and rules.rook_in_deck:
        yield terms.say("nest.ban.rook")
    if rules.nest_statement != "none":
        yield terms.say(f"nest.said.{rules.nest_statement}")
    yield terms.say(f"nest.points.{rules.nest_points_to}")


def trump(rules: Rules, terms: Terms) -> Iterator[str]:
    """Yield what the declarer calls, and what the special cards are under each call."""
    if len(rules.steps) > 1:
        steps = [terms.say(f"trump.step.{step}") for step in rules.steps]
        yield terms.say("trump.steps", steps=terms.listed(steps))
    allowed = [terms.say(f"trump.call.{call}") for call in CALLS if call in rules.trump_calls]
    yield terms.say("trump.calls", calls=terms.listed(allowed, "or"))
    if any(call.endswith("-low") for call in rules.trump_calls):
        falling = terms.best_first(
            rules.ranks, ones_high=rules.low_order_one == "worst", falling=True
        )
        yield terms.say("trump.low_order", order=falling)
        if 1 not in rules.ranks and any(card < 4 for card in rules.deck):
            yield terms.say(f"trump.low_one.{rules.low_order_one}")
    yield from _special_cards(rules, terms)
    if "circus" in rules.trump_calls:
        yield terms.say("circus.pass")
        yield terms.say(f"circus.best.{rules.circus_passing.best}")
        yield terms.say(f"circus.worst.{rules.circus_passing.worst}")
    if rules.calls_partner:
        many = terms.number(rules.called_cards)
        yield terms.say("called.cards", rules.called_cards, n=many)
        yield terms.say(f"called.callable.{rules.callable}")
        yield terms.say(f"called.revealed.{rules.partner_revealed}")


def _special_cards(rules: Rules, terms: Terms) -> Iterator[str]:
    if rules.rook_in_deck:
        yield _rook(rules, terms)
        if without_trump(rules):
            yield terms.say(f"trump.no_trump.{rules.rook_at_no_trump}")
    if rules.red_1 != "off":
        yield terms.say("trump.red_1")
    if rules.red_2 != "off":
        yield terms.say("trump.red_2")
    if rules.black_2 != "off":
        yield terms.say(f"trump.black_2.{rules.black_2}")


def _rook(rules: Rules, terms: Terms) -> str:
    below = {"10.5": (11, 10), "12.5": (13, 12)}
    if rules.rook_rank in below:
        high, low = map(terms.the_rank, below[rules.rook_rank])
        return terms.say("trump.rook.between", high=high, low=low)
    higher = (("the_black_2", rules.black_2 == "top_trump"), ("the_red_1", rules.red_1 != "off"))
    above = [terms.say(f"trump.{name}") for name, on in higher if on]
    if rules.rook_rank == "top" and above:
        return terms.say("trump.rook.top_but", cards=terms.listed(above))
    return terms.say(f"trump.rook.{rules.rook_rank}")


def without_trump(rules: Rules) -> bool:
    """Return whether a hand may be played in which no suit is trump."""
    if {"notrump", "notrump-low"} & set(rules.trump_calls):
        return True
    somebody_bids = rules.auction_form in ("dealer_opens", "dealer_must_bid")
    return not somebody_bids and rules.all_pass == "no_contract"  # noqa: S105
