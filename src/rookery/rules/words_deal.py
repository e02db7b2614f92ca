"""Who plays, with which cards, how they are dealt and how the bidding goes, in plain words."""

from __future__ import annotations

from collections.abc import Iterator

from rookery.cards import COLOURS, ROOK, parse_card, rank_of
from rookery.rules.model import Rules
from rookery.rules.terms import Terms, capital


def players(rules: Rules, terms: Terms) -> Iterator[str]:
    """Yield who plays with whom, a sentence at a time."""
    case = {"fixed_opposite": rules.seats, "called": rules.called_cards}.get(rules.partnership)
    yield terms.say(
        f"players.{rules.partnership}",
        case,
        n=capital(terms.number(rules.seats)),
        pairs=terms.number(rules.seats // 2),
    )
    if rules.blind:
        yield terms.say("players.blind")
    if rules.partnership != "alone":
        yield terms.say(f"players.totals.{rules.totals}")


def cards(rules: Rules, terms: Terms) -> Iterator[str]:
    """Yield which cards there are, how they rank and what they are worth."""
    extras = [parse_card(name, rules.pack) for name in rules.extra_cards]
    added = [terms.card(card) for card in extras] + [terms.rook] * rules.rook_in_deck
    ranks, suits = terms.ranks(rules.ranks), terms.listed(terms.suits)
    yield terms.say("cards.deck", n=rules.cards, ranks=ranks, suits=suits)
    if added:
        yield terms.say("cards.added", cards=terms.listed(added))
    else:
        yield terms.say("cards.without")
    order = terms.best_first(rules.ranks, ones_high=rules.ones == "high")
    yield terms.say("cards.order", order=order)
    if 1 not in rules.ranks and any(card < COLOURS for card in extras) and rules.red_1 == "off":
        place = "high" if rules.ones == "high" else "low"
        yield terms.say(f"cards.single_one.{place}")
    points = sum(rules.card_points.values())
    yield terms.say("cards.counters", counters=_counters(rules, terms), n=points)


def _counters(rules: Rules, terms: Terms) -> str:
    worth: dict[int, list[str]] = {}
    for rank in dict.fromkeys(rank_of(card) for card in rules.deck if card != ROOK):
        held = [card for card in rules.deck if card != ROOK and rank_of(card) == rank]
        values = [rules.card_points.get(card, 0) for card in held]
        if len(held) == COLOURS and len(set(values)) == 1:
            each = terms.say("cards.each", rank=terms.rank(rank))
            worth.setdefault(values[0], []).append(each)
        else:
            for card, value in zip(held, values, strict=True):
                worth.setdefault(value, []).append(terms.card(card))
    if rules.rook_in_deck:
        worth.setdefault(rules.rook_value, []).append(terms.rook)
    return ", ".join(
        terms.say("cards.worth", value=value, cards=terms.listed(worth[value]))
        for value in sorted(worth)
        if value
    )


def deal(rules: Rules, terms: Terms) -> Iterator[str]:
    """Yield how the cards are dealt, and when a deal may be cancelled."""
    yield terms.say("deal.each", cards=capital(terms.counted(rules.hand_size)))
    if rules.blind:
        yield terms.say("deal.blind")
    if rules.nest_size:
        yield terms.say(f"deal.nest.{rules.nest_dealing}", n=terms.number(rules.nest_size))
        if rules.nest_face_up:
            many = capital(terms.number(rules.nest_face_up))
            yield terms.say("deal.face_up", rules.nest_face_up, n=many)
    else:
        yield terms.say("deal.no_nest")
    yield terms.say("deal.passes")
    if rules.redeal != "none":
        yield terms.say(f"deal.again.{rules.redeal}")


def bidding(rules: Rules, terms: Terms) -> Iterator[str]:
    """Yield who speaks first, what may be bid and what happens when nobody does."""
    low, high = rules.bid_minimum, rules.bid_maximum
    if rules.auction_form in ("dealer_opens", "dealer_must_bid"):
        yield terms.say(f"bidding.{rules.auction_form}", low=low)
    elif isinstance(rules.first_bidder, str):
        yield terms.say(f"bidding.first.{rules.first_bidder}")
    else:
        yield terms.say("bidding.first.seat", n=rules.first_bidder)
    if rules.auction_form == "one_call_each":
        yield terms.say("bidding.one_call_each")
    else:
        yield terms.say("bidding.returning" if rules.return_after_pass else "bidding.final")
    sun = any(bid.name == "sun" for bid in rules.special_bids)
    bids = "bidding.range_open" if sun else "bidding.range"
    yield terms.say(bids, low=low, high=high, step=rules.bid_step)
    for bid in rules.special_bids:
        game = bid.value == "game"
        worth = terms.say("bidding.worth.game" if game else "bidding.worth.points", n=bid.value)
        yield terms.say(f"bidding.{bid.name}", high=high, worth=worth)
    if rules.auction_form in ("multi_round", "one_call_each"):
        yield terms.say(f"bidding.all_pass.{rules.all_pass}", low=low)
