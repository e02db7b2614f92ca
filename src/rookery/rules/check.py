"""Whether the options of one rule set fit together: a hand can be dealt, bid, played and scored."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Final, TypeAlias

from rookery.cards import COLOURS, ROOK, UnknownCard, parse_card
from rookery.rules.discards import discard_problems, permanent_trumps
from rookery.rules.errors import Problem
from rookery.rules.options import Options
from rookery.rules.values import Cap

BID_LEVELS: Final = 128
COUNTER_VALUES: Final = 8
Check: TypeAlias = Callable[[Options], Iterator[Problem]]


def problems(rules: Options) -> list[Problem]:
    """Return everything that does not fit in `rules`; an empty list for a playable game."""
    # A deck that cannot be told is not worth counting in: its names are looked at first.
    return [p for check in _NAMES for p in check(rules)] or [
        p for check in _CHECKS for p in check(rules)
    ]


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
            yield Problem(option, f"{twice[0]} stands there twice; once is enough")
    if list(rules.ranks) != sorted(rules.ranks):
        yield Problem("ranks", "the ranks are out of order; write them rising, the 1 first")
    if rules.pack == "standard" and rules.ranks[-1] > 13:
        yield Problem("ranks", "a standard pack has no 14; its ranks go from 1 (ace) to 13 (king)")


def _card_names(rules: Options) -> Iterator[Problem]:
    for name in rules.extra_cards:
        try:
            card = parse_card(name, rules.pack)
        except UnknownCard as error:
            yield Problem("extra_cards", str(error))
            continue
        if card == ROOK:
            yield Problem("extra_cards", f"{name} is not extra; write rook_in_deck = true")
        elif card // 4 + 1 in rules.ranks:
            yield Problem("extra_cards", f"{name} is in the deck by its rank; leave it out here")
    for key in rules.counters:
        if key.isdecimal() and 1 <= int(key) <= 14 and key == str(int(key)):
            continue
        try:
            card = parse_card(key, rules.pack)
        except UnknownCard as error:
            yield Problem("counters", f"{error}, or a rank from 1 to 14")
            continue
        if card == ROOK:
            yield Problem("counters", f"the value of {key} stands in rook_value; leave it out here")


def _special_cards(rules: Options) -> Iterator[Problem]:
    if 1 in rules.ranks and rules.ones == "absent":
        yield Problem("ones", 'the 1s are in the ranks; write "high" or "low"')
    ordinary = set(rules.deck) - permanent_trumps(rules)
    if rules.ones != "absent" and not any(card < COLOURS for card in ordinary):
        yield Problem("ones", f'"{rules.ones}", but no 1 is in the ranks; write "absent"')
    named = (("red_1", "R1"), ("black_2", "B2"), ("red_2", "R2"))
    for option, name in named:
        if getattr(rules, option) == "off":
            continue
        if rules.pack != "rook":
            yield Problem(option, 'a standard pack has no such card; "off" with this pack')
        elif parse_card(name) not in rules.deck:
            yield Problem(option, f"{name} is not in the deck; add its rank or an extra card")
    if rules.rook_in_deck:
        return
    if rules.black_2 == "beats_rook":
        yield Problem("black_2", 'there is no Rook to beat; "off" or "top_trump" without a Rook')
    if rules.rook_rank == "declared":
        yield Problem("rook_rank", 'there is no Rook to rank; anything but "declared" without one')


def _deal(rules: Options) -> Iterator[Problem]:
    hands, size = rules.hands, rules.hand_size
    held = hands * size + rules.nest_size
    if held != rules.cards:
        rest = rules.cards - hands * size
        fit = (
            f"nest_size = {rest} would fit" if rest >= 0 else f"at most {rules.cards // hands} each"
        )
        yield Problem(
            "hand_size",
            f"{hands} hands of {size} and a nest of {rules.nest_size} take {held} cards, the deck "
            f"has {rules.cards}; {fit}",
        )
    if rules.redeal == "auto" and len(rules.card_points) < rules.seats:
        yield Problem(
            "redeal",
            f"{len(rules.card_points)} counters can never give each of {rules.seats} players one; "
            'anything but "auto"',
        )


def _people(rules: Options) -> Iterator[Problem]:
    seats, partnership = rules.seats, rules.partnership
    if partnership == "fixed_opposite" and (seats < 4 or seats % 2):
        yield Problem(
            "partnership", f"{seats} cannot sit in pairs across the table; 4, 6 or 8 seats"
        )
    if partnership == "fixed_alternate_3" and seats != 6:
        yield Problem("partnership", f"{seats} players are not two teams of three; 6 seats")
    if partnership == "called":
        yield from _called(rules)
    elif rules.called_cards:
        yield Problem("called_cards", 'a card is called, but partnership is not "called"; 0')
    if not rules.partner_shares_set and partnership != "called":
        yield Problem("partner_shares_set", "no partner is called; true")
    if rules.dummy == "partner" and (partnership != "fixed_opposite" or seats != 4):
        yield Problem(
            "dummy",
            'nobody sits opposite to lay a hand open; 4 seats and "fixed_opposite" partners',
        )
    if rules.blind and partnership == "called":
        yield Problem("dummy", 'a blind hand cannot be a called partner; "none"')
    if rules.rotation != "deal_left" and partnership not in ("fixed_opposite", "fixed_alternate_3"):
        yield Problem("rotation", 'there are no fixed partners to draw; "deal_left"')


def _called(rules: Options) -> Iterator[Problem]:
    if not rules.called_cards:
        yield Problem("called_cards", "a partner is called by a card; 1 or 2")
    if rules.seats < 3:
        yield Problem("partnership", f"{rules.seats} players have no partner to call; 3 to 8 seats")
    elif rules.called_cards > rules.seats - 2:
        yield Problem(
            "called_cards",
            f"{rules.called_cards} partners leave no defender; at most {rules.seats - 2}",
        )
    if rules.totals != "player":
        yield Problem("totals", 'partners change with every hand; "player"')


def _auction(rules: Options) -> Iterator[Problem]:
    low, high, step = rules.bid_minimum, rules.bid_maximum, rules.bid_step
    for option, bid in (("bid_minimum", low), ("bid_maximum", high)):
        if bid % step:
            near = max(step, bid // step * step)
            yield Problem(option, f"{bid} is not a multiple of the step {step}; {near} is")
    if low > high:
        yield Problem("bid_minimum", f"{low} is above the maximum; at most {high}")
    elif (high - low) // step + 1 > BID_LEVELS:
        yield Problem(
            "bid_step", f"{(high - low) // step + 1} different bids; at most {BID_LEVELS}"
        )
    if high > rules.total_points:
        yield Problem(
            "bid_maximum", f"{high} is more than a hand is worth; at most {rules.total_points}"
        )
    if isinstance(rules.first_bidder, int) and rules.first_bidder >= rules.seats:
        yield Problem(
            "first_bidder", f"there is no seat {rules.first_bidder}; 0 to {rules.seats - 1}"
        )
    if rules.auction_form in ("dealer_opens", "dealer_must_bid") and rules.first_bidder != "dealer":
        yield Problem(
            "first_bidder", f'with "{rules.auction_form}" the dealer speaks first; "dealer"'
        )


def _declaration(rules: Options) -> Iterator[Problem]:
    missing = [step for step in rules.needed_steps if step not in rules.declaration_order]
    for step in missing:
        yield Problem("declaration_order", f'the step "{step}" is missing; add it where it belongs')
    if rules.trump_calls == ("circus",):
        yield Problem("trump_calls", '"circus" alone leaves nothing to call; add "suits"')
    if not missing and rules.callable == "no_trumps" and not _before(rules, "trump", "call"):
        yield Problem(
            "callable", '"no_trumps" needs trump before the call; put "trump" before "call"'
        )
    if (
        rules.calls_partner
        and rules.callable != "any"
        and rules.nest_exchange != "all"
        and not missing
        and not _before(rules, "discard", "call")
    ):
        yield Problem(
            "callable",
            f'"{rules.callable}" would give away a nest that is not turned up yet; "any", or '
            '"discard" before "call"',
        )
    if rules.rook_at_no_trump == "red_10_5" and (rules.pack != "rook" or not rules.rook_in_deck):
        yield Problem(
            "rook_at_no_trump",
            '"red_10_5" needs a Rook deck with its Rook; "sole_trump" or "loser"',
        )
    if "circus" in rules.trump_calls:
        if rules.seats != 4 or rules.partnership != "fixed_opposite":
            yield Problem(
                "trump_calls",
                '"circus" is played by two pairs; 4 seats and "fixed_opposite" partners',
            )
        if not missing and not _before(rules, "discard", "trump"):
            yield Problem(
                "declaration_order", '"circus" comes after the discard; "discard" before "trump"'
            )


def _before(rules: Options, first: str, second: str) -> bool:
    steps: tuple[str, ...] = rules.steps
    return first not in steps or second not in steps or steps.index(first) < steps.index(second)


def _nest(rules: Options) -> Iterator[Problem]:
    if rules.nest_face_up > rules.nest_size:
        yield Problem(
            "nest_face_up", f"{rules.nest_face_up} cards of a nest of {rules.nest_size}; no more"
        )
    if not rules.nest_size:
        idle = (("nest_shown", "never"), ("nest_statement", "none"), ("nest_exchange", "all"))
        for option, plain in idle:
            if getattr(rules, option) != plain:
                yield Problem(option, f'there is no nest; "{plain}" without one')


def _score(rules: Options) -> Iterator[Problem]:
    values = len(set(rules.card_points.values()))
    if values > COUNTER_VALUES:
        yield Problem("counters", f"{values} different values; at most {COUNTER_VALUES}")
    if rules.trick_bonus == "first_to_six" and rules.hand_size < 6:
        yield Problem(
            "trick_bonus", f"nobody can take six of {rules.hand_size} tricks; at least 6 tricks"
        )
    if (
        rules.trick_bonus == "majority"
        and rules.tied_majority == "split"
        and rules.trick_bonus_value % 2
    ):
        yield Problem(
            "tied_majority", f"{rules.trick_bonus_value} points cannot be halved; an even bonus"
        )
    cap = rules.own_contract_to_go_out
    if isinstance(cap, Cap) and cap.cap >= rules.target:
        yield Problem(
            "own_contract_to_go_out", f"a cap of {cap.cap} reaches the target; below {rules.target}"
        )


_NAMES: Final[tuple[Check, ...]] = (_lists, _card_names)
_CHECKS: Final[tuple[Check, ...]] = (
    _deal,
    _special_cards,
    _people,
    _auction,
    _declaration,
    _nest,
    discard_problems,
    _score,
)
