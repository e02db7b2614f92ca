"""Who plays, with which cards, how they are dealt and how the bidding goes, in plain words."""

from __future__ import annotations

from collections.abc import Iterator

from rookery.cards import COLOURS, ROOK, parse_card, rank_of
from rookery.rules.model import Rules
from rookery.rules.terms import Terms, capital, counted, listed, number


def players(rules: Rules) -> Iterator[str]:
    """Yield who plays with whom, a sentence at a time."""
    many = capital(number(rules.seats))
    if rules.partnership == "fixed_opposite":
        pairs = "two partnerships" if rules.seats == 4 else f"{number(rules.seats // 2)} pairs"
        yield f"{many} players in {pairs}; partners sit opposite each other."
    elif rules.partnership == "fixed_alternate_3":
        yield f"{many} players in two teams of three, seated in turn."
    elif rules.partnership == "called":
        one = rules.called_cards == 1
        yield f"{many} players. In each hand the declarer calls"
        yield "a card; whoever holds it" if one else "up to two cards; whoever holds one of them"
        yield "is the declarer's partner, against all the others."
    else:
        yield f"{many} players, each alone."
    if rules.blind:
        yield "One more hand belongs to nobody. It lies closed on the dealer's right, its top card"
        yield "is turned in every trick, and a trick it wins counts for nobody."
    if rules.partnership != "alone":
        yield f"A total is kept for each {rules.totals}."


def cards(rules: Rules) -> Iterator[str]:
    """Yield which cards there are, how they rank and what they are worth."""
    terms = Terms(rules.pack)
    extras = [parse_card(name, rules.pack) for name in rules.extra_cards]
    added = [terms.card(card) for card in extras] + [terms.rook] * rules.rook_in_deck
    yield f"{rules.cards} cards: {terms.ranks(rules.ranks)} in {listed(terms.suits)}"
    yield f"together with {listed(added)}." if added else f"without {terms.rook}."
    order = terms.best_first(rules.ranks, ones_high=rules.ones == "high")
    yield f"In each {terms.suit}, best first: {order}."
    if 1 not in rules.ranks and any(card < COLOURS for card in extras) and rules.red_1 == "off":
        place = "highest" if rules.ones == "high" else "lowest"
        yield f"A single {terms.one} is the {place} of its {terms.suit}."
    yield f"Counters: {_counters(rules, terms)}; {sum(rules.card_points.values())} points in all."


def _counters(rules: Rules, terms: Terms) -> str:
    worth: dict[int, list[str]] = {}
    for rank in dict.fromkeys(rank_of(card) for card in rules.deck if card != ROOK):
        held = [card for card in rules.deck if card != ROOK and rank_of(card) == rank]
        values = [rules.card_points.get(card, 0) for card in held]
        if len(held) == COLOURS and len(set(values)) == 1:
            worth.setdefault(values[0], []).append(f"each {terms.rank(rank)}")
        else:
            for card, value in zip(held, values, strict=True):
                worth.setdefault(value, []).append(terms.card(card))
    if rules.rook_in_deck:
        worth.setdefault(rules.rook_value, []).append(terms.rook)
    return ", ".join(f"{value} for {listed(worth[value])}" for value in sorted(worth) if value)


def deal(rules: Rules) -> Iterator[str]:
    """Yield how the cards are dealt, and when a deal may be cancelled."""
    yield f"{capital(counted(rules.hand_size, 'card'))} to each player"
    if rules.blind:
        yield "and to the closed hand,"
    if rules.nest_size:
        how = "one after each of the first rounds" if rules.nest_dealing == "spread" else "the last"
        yield f"and {number(rules.nest_size)} to the nest, {how}."
        if rules.nest_face_up:
            faces = "lies" if rules.nest_face_up == 1 else "lie"
            yield f"{capital(number(rules.nest_face_up))} of the nest {faces} face up at once."
    else:
        yield "and no nest."
    yield "The deal passes to the left."
    if rules.redeal == "any_time_no_counters":
        yield "Until the bidding is over, a player without a counter may ask for a new deal."
    elif rules.redeal == "own_turn_no_counters":
        yield "A player without a counter may ask for a new deal instead of bidding."
    elif rules.redeal == "auto":
        yield "The cards are dealt again until every player holds a counter."


def bidding(rules: Rules) -> Iterator[str]:
    """Yield who speaks first, what may be bid and what happens when nobody does."""
    if rules.auction_form == "dealer_opens":
        yield f"The dealer's bid of {rules.bid_minimum} is made without asking, and the bidding"
        yield "goes on from the left."
    elif rules.auction_form == "dealer_must_bid":
        yield "The dealer speaks first and has to bid."
    elif rules.first_bidder == "dealer":
        yield "The dealer speaks first."
    elif rules.first_bidder == "left_of_dealer":
        yield "The player on the dealer's left speaks first."
    else:
        yield f"Seat {rules.first_bidder} speaks first in every hand, counting from 0."
    if rules.auction_form == "one_call_each":
        yield "Each player has one call, a higher bid or a pass; the highest bidder becomes the"
        yield "declarer."
    elif rules.return_after_pass:
        yield "Each in turn bids higher or passes, and may come back after a pass; the bidding ends"
        yield "when all the others pass in a row, and the highest bidder becomes the declarer."
    else:
        yield "Each in turn bids higher or passes; a pass is final, and the last player left"
        yield "becomes the declarer."
    low, high = rules.bid_minimum, rules.bid_maximum
    sun = any(bid.name == "sun" for bid in rules.special_bids)
    close = "" if sun else f"; {high} ends the bidding"
    yield f"Bids go from {low} to {high} points in steps of {rules.bid_step}{close}."
    yield from _special_bids(rules)
    if rules.auction_form in ("multi_round", "one_call_each"):
        yield {
            "dealer": f"If all pass, the dealer plays for {low}.",
            "last_player": f"If all but one pass, that one has to play for {low}.",
            "redeal": "If all pass, the same dealer deals again.",
            "no_contract": "If all pass, the hand is played without trump and without a contract: "
            "the dealer's left leads, and all score what they take.",
        }[rules.all_pass]


def _special_bids(rules: Rules) -> Iterator[str]:
    for bid in rules.special_bids:
        worth = "as much as the target" if bid.value == "game" else f"{bid.value} points"
        if bid.name == "sun":
            yield f"The sun is a bid above {rules.bid_maximum}: every trick and every counter must"
            yield f"be taken. It wins or costs {worth}."
        else:
            yield f"A bid of {rules.bid_maximum} is the moon: made, it scores {worth} in place of"
            yield "what was taken."
