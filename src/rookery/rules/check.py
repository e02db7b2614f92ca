"""Whether the options of one rule set fit together: a hand can be dealt, bid, played and scored."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from math import ceil
from typing import Final

from rookery.cards import COLOURS, EXAMPLES, ROOK, UnknownCard, colour_of, parse_card, rank_of
from rookery.rules.chances import each_holds
from rookery.rules.errors import Problem
from rookery.rules.options import Cap, ExactlyOrNone, Options, UpTo

BID_LEVELS: Final = 128
COUNTER_VALUES: Final = 8
DEALS: Final = 10  # one deal in so many has to be one that can be played


def problems(rules: Options) -> list[Problem]:
    """Return everything that does not fit in `rules`; an empty list for a playable game."""
    # A name that is not a card leaves no deck to count, so names are checked first.
    names = (_lists, _card_names)
    checks = (_deal, _special_cards, _people, _auction, _declaration, _nest, _discards, _score)
    return [p for check in names for p in check(rules)] or [
        p for check in checks for p in check(rules)
    ]


def excesses(rules: Options) -> list[Problem]:
    """Return why nobody may begin a game by `rules` that fit together.

    Rules that were stored before there was such a limit are read all the same.
    """
    return [*_redeals(rules), *_only_trumps_to_call(rules)]


def unprepared(rules: Options) -> list[Problem]:
    """Return why no deals are prepared by `rules`: those that may be thrown in are left out."""
    if rules.redeal == "none" or _played(rules) >= Fraction(1, DEALS):
        return []
    values = {"counters": len(rules.card_points), "seats": rules.seats}
    return [Problem("redeal", "none-to-prepare", **values)]


def _redeals(rules: Options) -> Iterator[Problem]:
    if rules.redeal == "auto" and (chance := _played(rules)) < Fraction(1, DEALS):
        counters, seats = len(rules.card_points), rules.seats
        values = {"counters": counters, "deals": ceil(1 / chance), "seats": seats, "most": DEALS}
        yield Problem("redeal", "too-many-redeals", **values)


def _played(rules: Options) -> Fraction:
    """Return the share of deals that nobody may throw in."""
    return each_holds(rules.cards, len(rules.card_points), rules.hand_size, rules.seats)


def _only_trumps_to_call(rules: Options) -> Iterator[Problem]:
    """Yield that all cards that a declarer has not seen may be trumps, so that none is callable."""
    unseen, trumps = rules.cards - rules.hand_size - rules.nest_size, _most_trumps(rules, set())
    if rules.calls_partner and rules.callable == "no_trumps" and trumps >= unseen:
        yield Problem("callable", "only-trumps-to-call", trumps=trumps, unseen=unseen)


def _lists(rules: Options) -> Iterator[Problem]:
    lists: tuple[tuple[str, Sequence[Hashable]], ...] = (
        ("ranks", rules.ranks),
        ("extra_cards", rules.extra_cards),
        ("discard_ban", rules.discard_ban),
        ("declaration_order", rules.declaration_order),
        ("trump_calls", rules.trump_calls),
        ("special_bids", [bid.name for bid in rules.special_bids]),
    )
    for option, values in lists:
        twice = [value for n, value in enumerate(values) if value in values[:n]]
        if twice:
            yield Problem(option, "listed-twice", value=twice[0])
    if list(rules.ranks) != sorted(rules.ranks):
        yield Problem("ranks", "ranks-out-of-order")
    if rules.pack == "standard" and rules.ranks[-1] > 13:
        yield Problem("ranks", "no-fourteen")


def _card_names(rules: Options) -> Iterator[Problem]:
    examples = EXAMPLES[rules.pack]
    for name in rules.extra_cards:
        try:
            card = parse_card(name, rules.pack)
        except UnknownCard:
            yield Problem("extra_cards", "unknown-card", name=repr(name), examples=examples)
            continue
        if card == ROOK:
            yield Problem("extra_cards", "rook-is-no-extra", name=name)
        elif rank_of(card) in rules.ranks:
            yield Problem("extra_cards", "already-in-deck", name=name)
    for key in rules.counters:
        if key.isdecimal() and 1 <= int(key) <= 14 and key == str(int(key)):
            continue
        try:
            card = parse_card(key, rules.pack)
        except UnknownCard:
            yield Problem("counters", "unknown-counter", name=repr(key), examples=examples)
            continue
        if card == ROOK:
            yield Problem("counters", "rook-has-own-value", name=key)


def _special_cards(rules: Options) -> Iterator[Problem]:
    if 1 in rules.ranks and rules.ones == "absent":
        yield Problem("ones", "ones-in-ranks")
    ordinary = set(rules.deck) - {ROOK, *rules.permanent_trumps}
    if rules.ones != "absent" and not any(card < COLOURS for card in ordinary):
        yield Problem("ones", "no-ones", ones=rules.ones)
    for option, name in (("red_1", "R1"), ("black_2", "B2"), ("red_2", "R2")):
        if getattr(rules, option) == "off":
            continue
        if rules.pack != "rook":
            yield Problem(option, "not-in-pack")
        elif parse_card(name) not in rules.deck:
            yield Problem(option, "not-in-deck", name=name)
    if rules.rook_in_deck:
        return
    if rules.black_2 == "beats_rook":
        yield Problem("black_2", "no-rook-to-beat")
    if rules.rook_rank == "declared":
        yield Problem("rook_rank", "no-rook-to-rank")


def _deal(rules: Options) -> Iterator[Problem]:
    hands, size = rules.hands, rules.hand_size
    dealt = hands * size + rules.nest_size
    if dealt != rules.cards:
        values = {"hands": hands, "size": size, "nest": rules.nest_size, "dealt": dealt}
        values["cards"] = rules.cards
        rest = rules.cards - hands * size
        if rest >= 0:
            yield Problem("hand_size", "deal-does-not-add-up", **values, rest=rest)
        else:
            yield Problem("hand_size", "too-many-dealt", **values, most=rules.cards // hands)
    if rules.redeal == "auto" and len(rules.card_points) < rules.seats:
        counters = len(rules.card_points)
        yield Problem("redeal", "too-few-counters", counters=counters, seats=rules.seats)


def _people(rules: Options) -> Iterator[Problem]:
    seats, partnership = rules.seats, rules.partnership
    if partnership == "fixed_opposite" and (seats < 4 or seats % 2):
        yield Problem("partnership", "no-pairs", seats=seats)
    if partnership == "fixed_alternate_3" and seats != 6:
        yield Problem("partnership", "no-threes", seats=seats)
    if partnership == "called":
        yield from _called(rules)
    elif rules.called_cards:
        yield Problem("called_cards", "partnership-not-called")
    if not rules.partner_shares_set and partnership != "called":
        yield Problem("partner_shares_set", "no-called-partner")
    if rules.dummy == "partner" and (partnership != "fixed_opposite" or seats != 4):
        yield Problem("dummy", "no-partner-opposite")
    if rules.blind and partnership == "called":
        yield Problem("dummy", "blind-hand-and-called-partner")
    if rules.rotation != "deal_left" and partnership not in ("fixed_opposite", "fixed_alternate_3"):
        yield Problem("rotation", "no-partners-to-draw")


def _called(rules: Options) -> Iterator[Problem]:
    if not rules.called_cards:
        yield Problem("called_cards", "no-card-to-call")
    if rules.seats < 3:
        yield Problem("partnership", "nobody-to-call", seats=rules.seats)
    elif rules.called_cards > rules.seats - 2:
        most = rules.seats - 2
        yield Problem("called_cards", "no-defender", partners=rules.called_cards, most=most)
    if rules.totals != "player":
        yield Problem("totals", "partners-change")


def _auction(rules: Options) -> Iterator[Problem]:
    low, high, step = rules.bid_minimum, rules.bid_maximum, rules.bid_step
    for option, bid in (("bid_minimum", low), ("bid_maximum", high)):
        if bid % step:
            near = max(step, bid // step * step)
            yield Problem(option, "not-a-step", bid=bid, step=step, near=near)
    if low > high:
        yield Problem("bid_minimum", "minimum-above-maximum", low=low, high=high)
    elif (high - low) // step + 1 > BID_LEVELS:
        bids = (high - low) // step + 1
        yield Problem("bid_step", "too-many-bids", bids=bids, most=BID_LEVELS)
    if high > rules.total_points:
        yield Problem("bid_maximum", "more-than-a-hand", high=high, most=rules.total_points)
    if isinstance(rules.first_bidder, int) and rules.first_bidder >= rules.seats:
        last = rules.seats - 1
        yield Problem("first_bidder", "no-such-seat", seat=rules.first_bidder, last=last)
    if rules.dealer_bids and rules.first_bidder != "dealer":
        yield Problem("first_bidder", "dealer-bids-first", form=rules.auction_form)


def _declaration(rules: Options) -> Iterator[Problem]:
    for step in rules.needed_steps:
        if step not in rules.declaration_order:
            yield Problem("declaration_order", "missing-step", step=step)
    if rules.trump_calls == ("circus",):
        yield Problem("trump_calls", "circus-alone")
    if rules.callable == "no_trumps" and not _before(rules, "trump", "call"):
        yield Problem("callable", "trump-after-call")
    if (
        rules.calls_partner
        and rules.callable != "any"
        and rules.nest_exchange != "all"
        and not _before(rules, "discard", "call")
    ):
        yield Problem("callable", "discard-after-call", callable=rules.callable)
    if rules.rook_at_no_trump == "red_10_5" and (rules.pack != "rook" or not rules.rook_in_deck):
        yield Problem("rook_at_no_trump", "no-red-rook")
    if "circus" in rules.trump_calls:
        if rules.seats != 4 or rules.partnership != "fixed_opposite":
            yield Problem("trump_calls", "circus-without-pairs")
        if not _before(rules, "discard", "trump"):
            yield Problem("declaration_order", "circus-before-discard")


def _before(rules: Options, first: str, second: str) -> bool:
    steps: tuple[str, ...] = rules.steps
    return first not in steps or second not in steps or steps.index(first) < steps.index(second)


def _nest(rules: Options) -> Iterator[Problem]:
    if rules.nest_face_up > rules.nest_size:
        yield Problem(
            "nest_face_up", "too-many-face-up", cards=rules.nest_face_up, nest=rules.nest_size
        )
    if not rules.nest_size:
        unused = (("nest_shown", "never"), ("nest_statement", "none"), ("nest_exchange", "all"))
        for option, plain in unused:
            if getattr(rules, option) != plain:
                yield Problem(option, "no-nest", plain=plain)


def _discards(rules: Options) -> Iterator[Problem]:
    """Yield what could leave a declarer without a legal discard."""
    bans = rules.discard_ban
    if {"counters", "counters_unless_forced"} <= set(bans):
        yield Problem("discard_ban", "contrary-bans")
    if not rules.nest_size:
        return
    if rules.nest_exchange != "all" and "counters_unless_forced" in bans:
        yield Problem("discard_ban", "force-unknown")
    known = {"trump", "discard"} <= set(rules.steps) and _before(rules, "trump", "discard")
    if "trumps" in bans and not known:
        yield Problem("discard_ban", "trumps-unknown")
    banned = _most_banned(rules)
    # Holding every banned card, the declarer still needs a nest of others out of hand and nest.
    if banned > rules.hand_size:
        yield Problem("discard_ban", "too-many-banned", banned=banned, most=rules.hand_size)
    elif rules.nest_exchange != "all":
        yield from _partial_exchange(rules, rules.nest_exchange, banned)


def _partial_exchange(
    rules: Options, exchange: UpTo | ExactlyOrNone, banned: int
) -> Iterator[Problem]:
    nest, hand = rules.nest_size, rules.hand_size
    if isinstance(exchange, UpTo):
        swapped, room = exchange.up_to, hand
    else:
        swapped = exchange.exactly_or_none
        room = hand - swapped + 1
        if swapped > min(nest, hand):
            values = {"swapped": swapped, "nest": nest, "hand": hand, "most": min(nest, hand)}
            yield Problem("nest_exchange", "swap-too-large", **values)
            return
    # Banned cards found in the nest have to come out, and others have to take their place.
    most = room if nest <= swapped else min(swapped, room)
    if banned > most:
        yield Problem("discard_ban", "swap-too-small", banned=banned, swapped=swapped, most=most)


def _most_banned(rules: Options) -> int:
    deck = set(rules.deck)
    banned: set[int] = set()
    if "counters" in rules.discard_ban:
        banned |= set(rules.card_points)
    if "rook" in rules.discard_ban:
        banned |= {ROOK} & deck
    return _most_trumps(rules, banned) if "trumps" in rules.discard_ban else len(banned)


def _most_trumps(rules: Options, others: set[int]) -> int:
    """Return how many cards are trumps or one of `others`, at most, after any trump call."""
    deck = set(rules.deck)
    suits = {"suits", "suits-low"} & set(rules.trump_calls)
    calls = (
        [{card for card in deck if card != ROOK and colour_of(card) == suit} for suit in range(4)]
        if suits
        else [set[int]()]
    )
    always = {ROOK, *rules.permanent_trumps} & deck
    return max(len(others | trumps | always) for trumps in calls)


def _score(rules: Options) -> Iterator[Problem]:
    values = len(set(rules.card_points.values()))
    if values > COUNTER_VALUES:
        yield Problem("counters", "too-many-values", values=values, most=COUNTER_VALUES)
    if rules.trick_bonus == "first_to_six" and rules.hand_size < 6:
        yield Problem("trick_bonus", "too-few-tricks", tricks=rules.hand_size)
    if (
        rules.trick_bonus == "majority"
        and rules.tied_majority == "split"
        and rules.trick_bonus_value % 2
        and len(rules.fixed_sides or ()) <= 2  # more share it without fractions
    ):
        yield Problem("tied_majority", "odd-bonus", points=rules.trick_bonus_value)
    cap = rules.own_contract_to_go_out
    if isinstance(cap, Cap) and cap.cap >= rules.target:
        yield Problem(
            "own_contract_to_go_out", "cap-reaches-target", cap=cap.cap, target=rules.target
        )
