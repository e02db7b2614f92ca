"""The rules of a game in plain words, made from its options alone.

A section is written here where its sentences depend on one another. What a language says of a
single option, whatever the others are, stands with that option in the file of the language, under
``option.KEY.says``, and follows at the end of the option's section. An empty text says nothing: of
the default of a number, where ``other`` stands for all the rest.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from textwrap import fill
from typing import Final

from rookery.cards import COLOURS, ROOK, parse_card, rank_of
from rookery.rules.language import Language, Terms, capital
from rookery.rules.model import Rules
from rookery.rules.options import Cap, SweepReplaces, UpTo, option_groups
from rookery.rules.order import CALLS

WIDTH: Final = 80
INDENT: Final = "  "


def sections(rules: Rules, language: Language = "en") -> dict[str, str]:
    """Return the rules as short texts under their titles, in the order of a hand.

    >>> from rookery.rules import load
    >>> sections(load("kd_tournament"))["Players"].partition(";")[0]
    'Four players in two partnerships'
    >>> sections(load("kd_tournament"), "es")["Jugadores"].partition(";")[0]
    'Cuatro jugadores en dos parejas'
    """
    terms = Terms(rules.pack, language)
    words = {
        key: " ".join([*sentences(rules, terms), *_single_options(rules, terms, key)])
        for key, sentences in _SECTIONS.items()
    }
    return {terms.text(f"title.{key}"): text for key, text in words.items() if text}


def summary(rules: Rules, language: Language = "en") -> str:
    """Return the rules in plain words, a titled paragraph each, wrapped to 80 columns."""
    paragraphs = (
        f"{title}\n{fill(text, WIDTH, initial_indent=INDENT, subsequent_indent=INDENT)}"
        for title, text in sections(rules, language).items()
    )
    return "\n\n".join(paragraphs)


def _single_options(rules: Rules, terms: Terms, section: str) -> Iterator[str]:
    """Yield what a language says of a single option of this section, by the option's value."""
    for option, group in option_groups().items():
        if _SECTION_OF_GROUP.get(group, group) != section:
            continue
        value = getattr(rules, option)
        case = value if isinstance(value, str) else json.dumps(value, default=str)
        key = f"option.{option}.says"
        said = f"{key}.{case}" in terms or f"{key}.other" in terms
        if said and (text := terms.text(key, case, n=value)):
            yield text


def _players(rules: Rules, terms: Terms) -> Iterator[str]:
    """Yield who plays with whom, a sentence at a time."""
    case = {"fixed_opposite": rules.seats, "called": rules.called_cards}.get(rules.partnership)
    yield terms.text(
        f"players.{rules.partnership}",
        case,
        n=capital(terms.number(rules.seats)),
        pairs=terms.number(rules.seats // 2),
    )
    if rules.blind:
        yield terms.text("players.blind")
    if rules.partnership != "alone":
        yield terms.text(f"players.totals.{rules.totals}")


def _cards(rules: Rules, terms: Terms) -> Iterator[str]:
    """Yield which cards there are, how they rank and what they are worth."""
    extras = [parse_card(name, rules.pack) for name in rules.extra_cards]
    added = [terms.card(card) for card in extras] + [terms.rook] * rules.rook_in_deck
    ranks, suits = terms.ranks(rules.ranks), terms.listed(terms.suits)
    yield terms.text("cards.deck", n=rules.cards, ranks=ranks, suits=suits)
    if added:
        yield terms.text("cards.added", cards=terms.listed(added))
    else:
        yield terms.text("cards.without")
    order = terms.best_first(rules.ranks, ones_high=rules.ones == "high")
    yield terms.text("cards.order", order=order)
    if 1 not in rules.ranks and any(card < COLOURS for card in extras) and rules.red_1 == "off":
        place = "high" if rules.ones == "high" else "low"
        yield terms.text(f"cards.single_one.{place}")
    points = sum(rules.card_points.values())
    yield terms.text("cards.counters", counters=_counters(rules, terms), n=points)


def _counters(rules: Rules, terms: Terms) -> str:
    worth: dict[int, list[str]] = {}
    for rank in dict.fromkeys(rank_of(card) for card in rules.deck if card != ROOK):
        cards = [card for card in rules.deck if card != ROOK and rank_of(card) == rank]
        values = [rules.card_points.get(card, 0) for card in cards]
        if len(cards) == COLOURS and len(set(values)) == 1:
            each = terms.text("cards.each", rank=terms.rank(rank))
            worth.setdefault(values[0], []).append(each)
        else:
            for card, value in zip(cards, values, strict=True):
                worth.setdefault(value, []).append(terms.card(card))
    if rules.rook_in_deck:
        worth.setdefault(rules.rook_value, []).append(terms.rook)
    return ", ".join(
        terms.text("cards.worth", value=value, cards=terms.listed(worth[value]))
        for value in sorted(worth)
        if value
    )


def _deal(rules: Rules, terms: Terms) -> Iterator[str]:
    """Yield how the cards are dealt, and when a deal may be cancelled."""
    yield terms.text("deal.each", cards=capital(terms.counted(rules.hand_size)))
    if rules.blind:
        yield terms.text("deal.blind")
    if rules.nest_size:
        # A single card goes into the middle last; and there may be more cards than rounds.
        spread = rules.nest_dealing == "spread" and 1 < rules.nest_size <= rules.hand_size
        when = "spread" if spread else "end"
        yield terms.text(f"deal.nest.{when}", n=terms.number(rules.nest_size))
        if rules.nest_face_up:
            many = capital(terms.number(rules.nest_face_up))
            yield terms.text("deal.face_up", rules.nest_face_up, n=many)
    else:
        yield terms.text("deal.no_nest")
    yield terms.text("deal.passes")


def _bidding(rules: Rules, terms: Terms) -> Iterator[str]:
    """Yield who bids first, what may be bid and what happens when nobody does."""
    low, high = rules.bid_minimum, rules.bid_maximum
    if rules.dealer_bids:
        yield terms.text(f"bidding.{rules.auction_form}", low=low)
    elif isinstance(rules.first_bidder, str):
        yield terms.text(f"bidding.first.{rules.first_bidder}")
    else:
        yield terms.text("bidding.first.seat", n=rules.first_bidder)
    if rules.auction_form == "one_call_each":
        yield terms.text("bidding.one_call_each")
    else:
        yield terms.text("bidding.returning" if rules.return_after_pass else "bidding.final")
    sun = any(bid.name == "sun" for bid in rules.special_bids)
    bids = "bidding.range_open" if sun else "bidding.range"
    yield terms.text(bids, low=low, high=high, step=rules.bid_step)
    for bid in rules.special_bids:
        game = bid.value == "game"
        worth = terms.text("bidding.worth.game" if game else "bidding.worth.points", n=bid.value)
        case = rules.set_penalty if bid.name == "sun" else None
        yield terms.text(f"bidding.{bid.name}", case, high=high, worth=worth)
    if not rules.dealer_bids:
        then: str = rules.all_pass
        # A dealer who would speak last is not asked; where a seat bids first, that depends.
        if then == "dealer" and rules.first_bidder != "dealer":
            then += "_last" if rules.first_bidder == "left_of_dealer" else "_maybe_last"
        yield terms.text(f"bidding.all_pass.{then}", low=low)


def _nest(rules: Rules, terms: Terms) -> Iterator[str]:
    """Yield what happens to the nest, from the end of the bidding to the end of the hand."""
    if not rules.nest_size:
        return
    if rules.nest_shown == "after_auction":
        yield terms.text("nest.shown")
    exchange = rules.nest_exchange
    if exchange == "all":
        yield terms.text("nest.all", cards=terms.counted(rules.nest_size))
    elif isinstance(exchange, UpTo):
        yield terms.text("nest.up_to", cards=terms.counted(exchange.up_to))
    else:
        swapped = terms.counted(exchange.exactly_or_none)
        yield terms.text("nest.exactly_or_none", cards=swapped)
    if "counters" in rules.discard_ban:
        yield terms.text("nest.ban.counters")
    if "counters_unless_forced" in rules.discard_ban:
        yield terms.text("nest.ban.counters_unless_forced")
        trump_known = rules.steps.index("trump") < rules.steps.index("discard")
        if trump_known and "trumps" not in rules.discard_ban:
            yield terms.text("nest.ban.trumps_first")
    if "trumps" in rules.discard_ban:
        yield terms.text("nest.ban.trumps")
    if "rook" in rules.discard_ban and rules.rook_in_deck:
        yield terms.text("nest.ban.rook")
    if rules.nest_statement != "none":
        yield terms.text(f"nest.said.{rules.nest_statement}")
    yield terms.text(f"nest.points.{rules.nest_points_to}")


def _trump(rules: Rules, terms: Terms) -> Iterator[str]:
    """Yield what the declarer calls, and what the special cards are under each call."""
    if len(rules.steps) > 1:
        steps = [terms.text(f"trump.step.{step}") for step in rules.steps]
        yield terms.text("trump.steps", steps=terms.listed(steps, "then"))
    allowed = [terms.text(f"trump.call.{call}") for call in CALLS if call in rules.trump_calls]
    yield terms.text("trump.calls", calls=terms.listed(allowed, "or"))
    if any(call.endswith("-low") for call in rules.trump_calls):
        falling = terms.best_first(
            rules.ranks, ones_high=rules.low_order_one == "worst", falling=True
        )
        yield terms.text("trump.low_order", order=falling)
        ordinary = set(rules.deck) - {*rules.permanent_trumps}
        if 1 not in rules.ranks and any(card < COLOURS for card in ordinary):
            yield terms.text(f"trump.low_one.{rules.low_order_one}")
    yield from _special_cards(rules, terms)
    if "circus" in rules.trump_calls:
        yield terms.text("circus.pass")
        yield terms.text(f"circus.best.{rules.circus_passing.best}")
        yield terms.text(f"circus.worst.{rules.circus_passing.worst}")
    if rules.calls_partner:
        many = terms.number(rules.called_cards)
        yield terms.text("called.cards", rules.called_cards, n=many)
        yield terms.text(f"called.callable.{rules.callable}")
        yield terms.text(f"called.revealed.{rules.partner_revealed}")


def _special_cards(rules: Rules, terms: Terms) -> Iterator[str]:
    rank = rules.rook_rank if rules.rook_in_deck else None
    if rules.rook_in_deck:
        yield _rook(rules, terms)
        others = [terms.card(card) for card in rules.permanent_trumps]
        if _without_trump(rules) and others and rules.rook_at_no_trump == "sole_trump":
            yield terms.text("trump.no_trump.all", cards=terms.listed([terms.rook, *others]))
        elif _without_trump(rules):
            yield terms.text(f"trump.no_trump.{rules.rook_at_no_trump}")
    if rules.red_1 != "off":
        top = "top_trump" if rules.black_2 == "top_trump" else "off"
        yield terms.text("trump.red_1", "above_rook" if rank == "top" else top)
    if rules.red_2 != "off":
        yield terms.text("trump.red_2", rank or "other")
    if rules.black_2 != "off":
        yield terms.text(f"trump.black_2.{rules.black_2}")


def _rook(rules: Rules, terms: Terms) -> str:
    below = {"10.5": (11, 10), "12.5": (13, 12)}
    if rules.rook_rank in below:
        high, low = map(terms.the_rank, below[rules.rook_rank])
        return terms.text("trump.rook.between", high=high, low=low)
    higher = (("the_black_2", rules.black_2 == "top_trump"), ("the_red_1", rules.red_1 != "off"))
    above = [terms.text(f"trump.{name}") for name, on in higher if on]
    if rules.rook_rank in ("top", "declared") and above:
        return terms.text(f"trump.rook.{rules.rook_rank}_but", cards=terms.listed(above))
    return terms.text(f"trump.rook.{rules.rook_rank}")


def _without_trump(rules: Rules) -> bool:
    """Return whether a hand may be played in which no suit is trump."""
    if {"notrump", "notrump-low"} & set(rules.trump_calls):
        return True
    return not rules.dealer_bids and rules.all_pass == "no_contract"  # noqa: S105


def _play(rules: Rules, terms: Terms) -> Iterator[str]:
    """Yield who leads, what must be played and what wins, a sentence at a time."""
    yield terms.text(f"play.lead.{rules.first_lead}")
    if rules.dummy == "partner":
        yield terms.text(f"play.dummy.{rules.dummy_exposed}")
    yield terms.text("play.follow")
    yield terms.text(f"play.void.{rules.void_duty}")
    yield terms.text(f"play.trump_lead.{rules.trump_lead}")
    yield terms.text("play.wins")
    if rules.rook_in_deck and rules.rook_any_time:
        yield terms.text("play.rook.any_time")
    elif rules.rook_in_deck:
        at_no_trump = rules.rook_at_no_trump if _without_trump(rules) else "sole_trump"
        yield terms.text(f"play.rook.follows.{at_no_trump}")
    if rules.red_1 != "off":
        yield terms.text(f"play.red_1.{rules.red_1}")


def _scoring(rules: Rules, terms: Terms) -> Iterator[str]:
    """Yield what a hand is worth to whom, a sentence at a time."""
    if rules.trick_bonus == "majority":
        many = rules.tied_majority == "split" and len(rules.fixed_sides or ()) > 2
        tied = "split_many" if many else rules.tied_majority
        yield terms.text(f"scoring.majority.{tied}", n=rules.trick_bonus_value)
    elif rules.trick_bonus != "none":
        yield terms.text(f"scoring.bonus.{rules.trick_bonus}", n=rules.trick_bonus_value)
    if rules.trick_bonus != "none":
        yield terms.text("scoring.total", n=rules.total_points)
    yield terms.text("scoring.made")
    yield terms.text(f"scoring.set.{rules.set_penalty}")
    yield terms.text(f"scoring.defenders.{'always' if rules.defenders_score else 'when_set'}")
    if rules.totals == "player" and rules.partnership != "alone":
        yield terms.text("scoring.shared" if rules.partner_shares_set else "scoring.shared_but")
    value = rules.sweep_value
    if isinstance(value, SweepReplaces):
        yield terms.text(f"scoring.sweep.replace.{rules.sweep_test}", n=value.replace)
    elif value != "none":
        yield terms.text(f"scoring.sweep.add.{rules.sweep_test}", n=value.add)
    for bid in rules.special_bids if value != "none" else ():
        yield terms.text(f"scoring.no_sweep.{bid.name}")


def _end(rules: Rules, terms: Terms) -> Iterator[str]:
    """Yield when the match is over and who has won it."""
    yield terms.text("end.target", n=rules.target)
    yield terms.text(f"end.tie.{rules.tie}")
    own = rules.own_contract_to_go_out
    if isinstance(own, Cap):
        yield terms.text("end.own.cap", n=own.cap)
    elif own == "yes":
        yield terms.text("end.own.yes", n=rules.target)
    if rules.negative_end == "none":
        yield terms.text("end.below.none")
    else:
        yield terms.text("end.below.ends", n=rules.negative_end)


_SECTION_OF_GROUP: Final = {"auction": "bidding", "points": "scoring"}
_SECTIONS: Final = {
    "players": _players,
    "cards": _cards,
    "deal": _deal,
    "bidding": _bidding,
    "nest": _nest,
    "trump": _trump,
    "play": _play,
    "scoring": _scoring,
    "end": _end,
}
