"""What the declarer does before play, in plain words: nest, trump call, called partner, circus."""

from __future__ import annotations

from collections.abc import Iterator

from rookery.rules.model import Rules
from rookery.rules.terms import Terms, capital, counted, listed, number
from rookery.rules.values import UpTo

_STEPS = {
    "discard": "lays the new nest",
    "trump": "makes the trump call",
    "call": "calls a partner",
    "rook": "ranks {rook}",
}


def nest(rules: Rules) -> Iterator[str]:
    """Yield what happens to the nest, from the end of the bidding to the end of the hand."""
    if not rules.nest_size:
        return
    terms = Terms(rules.pack)
    if rules.nest_shown == "after_auction":
        yield "After the bidding the nest is turned up for everybody to see."
    exchange = rules.nest_exchange
    if exchange == "all":
        yield f"The declarer takes the nest and lays {counted(rules.nest_size, 'card')} face down"
        yield "as the new one."
    elif isinstance(exchange, UpTo):
        yield f"The declarer may swap up to {counted(exchange.up_to, 'card')} with the nest."
    else:
        yield f"The declarer swaps exactly {counted(exchange.exactly_or_none, 'card')} with the"
        yield "nest, or none."
    if "counters" in rules.discard_ban:
        yield "No counter may lie in the new nest."
    if "counters_unless_forced" in rules.discard_ban:
        yield "No counter may lie in the new nest unless there is nothing else to put there."
        if rules.steps.index("trump") < rules.steps.index("discard"):
            yield "Then those among the trumps go first."
    if "trumps" in rules.discard_ban:
        yield "No trump may lie in the new nest."
    if "rook" in rules.discard_ban and rules.rook_in_deck:
        yield f"{capital(terms.rook)} may not lie in the new nest."
    if rules.nest_statement == "yes_no":
        yield "Then it is said whether the new nest holds counters."
    elif rules.nest_statement == "amount":
        yield "Then it is said how many points the new nest holds."
    yield {
        "last_trick": "Counters in the new nest go to whoever wins the last trick.",
        "declarer": "Counters in the new nest go to the declarer's side.",
        "nobody": "Counters in the new nest go to nobody.",
    }[rules.nest_points_to]


def trump(rules: Rules) -> Iterator[str]:
    """Yield what the declarer calls, and what the special cards are under each call."""
    terms = Terms(rules.pack)
    if len(rules.steps) > 1:
        order = [_STEPS[step].format(rook=terms.rook) for step in rules.steps]
        yield f"In this order the declarer {listed(order)}."
    yield from _calls(rules, terms)
    if any(call.endswith("-low") for call in rules.trump_calls):
        falling = terms.best_first(
            rules.ranks, ones_high=rules.low_order_one == "worst", falling=True
        )
        yield f"With low cards best the order is {falling}."
        if 1 not in rules.ranks and any(card < 4 for card in rules.deck):
            yield f"The {terms.one} is then the {rules.low_order_one}."
    yield from _special_cards(rules, terms)
    if "circus" in rules.trump_calls:
        yield from _circus(rules)
    if rules.calls_partner:
        yield from _called(rules)


def _calls(rules: Rules, terms: Terms) -> Iterator[str]:
    names = {
        "suits": f"any {terms.suit}",
        "suits-low": f"any {terms.suit} with low cards best",
        "notrump": "no trump",
        "notrump-low": "no trump with low cards best",
        "circus": "circus",
    }
    allowed = [name for call, name in names.items() if call in rules.trump_calls]
    yield f"The trump call is {listed(allowed, 'or')}."


def _special_cards(rules: Rules, terms: Terms) -> Iterator[str]:
    if rules.rook_in_deck:
        rook = capital(terms.rook)
        below = {"10.5": (11, 10), "12.5": (13, 12)}
        if rules.rook_rank == "declared":
            yield f"{rook} is a trump; the declarer says whether the highest or the lowest."
        elif rules.rook_rank in below:
            high, low = (terms.rank(rank) for rank in below[rules.rook_rank])
            yield f"{rook} is a trump and stands between the {high} and the {low}."
        else:
            place = "highest" if rules.rook_rank == "top" else "lowest"
            above = [name for name, on in _above_the_rook(rules) if on and place == "highest"]
            but = f" but for {listed(above)}" if above else ""
            yield f"{rook} is always the {place} trump{but}."
        if without_trump(rules):
            yield {
                "sole_trump": f"Without trump {terms.rook} is the only trump there is; led, it "
                "lets the others play anything.",
                "red_10_5": f"Without trump {terms.rook} is a red card between the 11 and the 10.",
                "loser": f"Without trump {terms.rook} is of no {terms.suit} and loses every trick "
                "that it did not lead.",
            }[rules.rook_at_no_trump]
    if rules.red_1 != "off":
        yield "The red 1 is always a trump, above the Rook."
    if rules.red_2 != "off":
        yield "The red 2 is always a trump, next below the Rook."
    if rules.black_2 == "top_trump":
        yield "The black 2 is always a trump, above all the others."
    elif rules.black_2 == "beats_rook":
        yield "The black 2 wins a trick that also holds the Rook; else it is a plain black card."


def _above_the_rook(rules: Rules) -> tuple[tuple[str, bool], ...]:
    return (("the black 2", rules.black_2 == "top_trump"), ("the red 1", rules.red_1 != "off"))


def without_trump(rules: Rules) -> bool:
    """Return whether a hand may be played in which no suit is trump."""
    if {"notrump", "notrump-low"} & set(rules.trump_calls):
        return True
    somebody_bids = rules.auction_form in ("dealer_opens", "dealer_must_bid")
    return not somebody_bids and rules.all_pass == "no_contract"  # noqa: S105


def _circus(rules: Rules) -> Iterator[str]:
    yield "After circus the player on the declarer's left makes the call, and then everybody gives"
    yield "one card to the left, all at once."
    duties = (
        ("The declarer's opponents give their best card", rules.circus_passing.best),
        ("The declarer and the partner give their worst card", rules.circus_passing.worst),
    )
    for duty, kind in duties:
        yield f"{duty}." if kind == "enforced" else f"{duty}, or another if they like."


def _called(rules: Rules) -> Iterator[str]:
    cards = "one card" if rules.called_cards == 1 else f"up to {number(rules.called_cards)} cards"
    yield f"The declarer calls {cards}:"
    yield {
        "unheld": "any that is not in the declarer's hand or nest.",
        "any": "any at all; one in the declarer's own hand or nest brings no partner.",
        "no_trumps": "any that is no trump and not in the declarer's hand or nest.",
    }[rules.callable]
    if rules.partner_revealed == "at_once":
        yield "Who holds a called card says so at once."
    else:
        yield "Who holds a called card keeps it secret until it is played."
