"""`Rules` compiled into the integers that the engine reads.

`RuleTable` has one flat list of fields. The plain engine reads the dataclass, a compiled one a
NumPy record of the same fields, and a specialised one has the scalars folded in as constants. Yes
and no are 1 and 0; a choice among words is its place in the list of words beside the field, counted
from 0.

Tables over trump calls have a *row* for each of the ten calls (`red` to `black` 0 to 3, the same
low 4 to 7, `notrump` 8, `notrump-low` 9), and the same ten again for a Rook that its declarer
ranked low.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import lru_cache

from rookery.cards import CARDS, ROOK, card_at, colour_of, pack_cards, rank_of
from rookery.rules.chances import likely_count
from rookery.rules.fields import cells, from_option
from rookery.rules.model import Rules
from rookery.rules.order import (
    BLACK_2,
    CALLS,
    LONE,
    NOTRUMP,
    RED_1,
    RED_2,
    ROOK_LOW,
    ROWS,
    SUITS,
    TRUMP,
)

PLACES = 9  # seats, and a blind hand behind them
HAND_MAX = 29

# The words of the options that the engine asks about, each with the names of their places.
REDEAL = ("none", "any_time_no_counters", "own_turn_no_counters", "auto")
REDEAL_NEVER, REDEAL_ANY_TIME, REDEAL_OWN_TURN, REDEAL_AUTO = range(len(REDEAL))
AUCTION = ("multi_round", "one_call_each", "dealer_opens", "dealer_must_bid")
_, ONE_CALL_EACH, DEALER_OPENS, DEALER_MUST_BID = range(len(AUCTION))
ALL_PASS = ("dealer", "last_player", "redeal", "no_contract")
ALL_PASS_DEALER, ALL_PASS_LAST_PLAYER, ALL_PASS_REDEAL, ALL_PASS_NO_CONTRACT = range(len(ALL_PASS))
EXCHANGE = ("all", "up_to", "exactly_or_none")
_, EXCHANGE_UP_TO, EXCHANGE_EXACTLY = range(len(EXCHANGE))
STATEMENT = ("none", "yes_no", "amount")
_, STATEMENT_YES_NO, STATEMENT_AMOUNT = range(len(STATEMENT))
STEPS = ("discard", "trump", "rook", "call")
STEP_DISCARD, STEP_TRUMP, STEP_ROOK, STEP_CALL = range(len(STEPS))
NEST_TO = ("last_trick", "declarer", "nobody")
NEST_TO_LAST_TRICK, NEST_TO_DECLARER, NEST_TO_NOBODY = range(len(NEST_TO))
BONUS = ("none", "majority", "last_trick", "first_to_six", "per_trick")
_, BONUS_MAJORITY, BONUS_LAST_TRICK, BONUS_FIRST_TO_SIX, BONUS_PER_TRICK = range(len(BONUS))
FIRST_LEAD = ("left_of_dealer", "declarer", "left_of_declarer", "declarer_chooses", "caller")
_, LEAD_DECLARER, LEAD_LEFT_OF_DECLARER, LEAD_DECLARER_CHOOSES, LEAD_CALLER = range(len(FIRST_LEAD))
VOID_DUTY = ("none", "must_trump", "must_beat")
_, MUST_TRUMP, MUST_BEAT = range(len(VOID_DUTY))
CALLABLE = ("unheld", "any", "no_trumps")
CALLABLE_UNHELD, CALLABLE_ANY, CALLABLE_NO_TRUMPS = range(len(CALLABLE))
SWEEP = ("none", "replace", "add")
_, SWEEP_REPLACE, SWEEP_ADD = range(len(SWEEP))
SWEEP_TEST = ("all_tricks", "all_points", "either_side_all_points")
SWEEP_ALL_TRICKS, SWEEP_ALL_POINTS, SWEEP_EITHER_SIDE = range(len(SWEEP_TEST))
TIE = ("another_hand", "shared", "declarer")
_, TIE_SHARED, TIE_DECLARER = range(len(TIE))
OWN_CONTRACT = ("no", "yes", "cap")
_, OWN_ONLY, OWN_CAPPED = range(len(OWN_CONTRACT))
LEFT_BIDS_FIRST, DEALER_BIDS_FIRST = -1, -2
FIRST_BIDDER = {"left_of_dealer": LEFT_BIDS_FIRST, "dealer": DEALER_BIDS_FIRST}


# Strengths: a card of rank r weighs 4r, so that 10.5 has a whole number; a trump weighs 128 more.
_TRUMP_BASE = 128
_TURN = 64
_ROOK_TOP = _TRUMP_BASE + 80
_PERMANENT = {RED_2: _TRUMP_BASE + 72, RED_1: _TRUMP_BASE + 88, BLACK_2: _TRUMP_BASE + 96}
_HALF = {"10.5": 42, "12.5": 50}
_ABOVE_ALL = 64  # a place in the order across colours above every numbered card


@dataclass(slots=True)
class RuleTable:
    """One rule set as integers: card numbers 0 to 56, 57-bit card sets, game points."""

    seats: int = from_option("seats")
    blind: int = from_option("blind")  # 1: a blind hand sits behind the last seat
    cards: int = from_option("cards")  # in the deck
    hand_size: int = from_option("hand_size")
    nest_size: int = from_option("nest_size")
    nest_face_up: int = from_option("nest_face_up")  # cards of the nest that are dealt face up
    # 1: everybody sees the nest after the auction
    nest_shown: int = from_option("nest_shown", "never", "after_auction")
    redeal: int = from_option("redeal", *REDEAL)
    first_bidder: int = 0  # FIRST_BIDDER, or a seat
    auction: int = from_option("auction_form", *AUCTION)
    bid_minimum: int = from_option("bid_minimum")
    bid_maximum: int = from_option("bid_maximum")
    bid_step: int = from_option("bid_step")
    bid_levels: int = 0  # how many different bids there are
    all_pass: int = from_option("all_pass", *ALL_PASS)
    sun: int = 0  # 1: the Sun may be bid
    sun_value: int = 0
    moon: int = 0  # 1: the maximum is a shot at the moon
    moon_value: int = 0
    return_after_pass: int = from_option("return_after_pass")  # 1: who has passed may bid again
    exchange: int = 0  # EXCHANGE
    exchange_count: int = 0
    ban_counters: int = 0  # 1: counters may not be discarded
    ban_forced: int = 0  # 1: counters may be discarded only where nothing else is left
    ban_trumps: int = 0
    ban_rook: int = 0
    statement: int = from_option("nest_statement", *STATEMENT)
    steps: int = 0  # how many steps the declaration has
    calls: int = 0  # bit k: call k is allowed; bit 10: circus
    black_2_beats_rook: int = 0
    nest_to: int = from_option("nest_points_to", *NEST_TO)
    bonus: int = from_option("trick_bonus", *BONUS)
    bonus_value: int = from_option("trick_bonus_value")
    # 1: sides with as many tricks share the bonus for most
    split_tie: int = from_option("tied_majority", "nobody", "split")
    first_lead: int = from_option("first_lead", *FIRST_LEAD)
    # 1: trumps may not be led before one has been played
    trump_when_broken: int = from_option("trump_lead", "free", "when_broken")
    void_duty: int = from_option("void_duty", *VOID_DUTY)
    dummy: int = 0  # 1: the declarer's partner is an open dummy
    dummy_before_lead: int = from_option("dummy_exposed", "after_lead", "before_lead")
    called: int = from_option("calls_partner")  # 1: the declarer calls a partner
    called_cards: int = from_option("called_cards")  # how many cards may be called
    callable: int = from_option("callable", *CALLABLE)
    # 1: partners say who they are when called
    reveal_at_once: int = from_option("partner_revealed", "when_played", "at_once")
    defenders_score: int = from_option("defenders_score")
    set_factor: int = 0  # times the contract is lost, 1 or 2
    partner_shares_set: int = from_option("partner_shares_set")
    sweep: int = 0  # SWEEP
    sweep_value: int = 0
    sweep_test: int = from_option("sweep_test", *SWEEP_TEST)
    target: int = from_option("target")
    tie: int = from_option("tie", *TIE)
    ends_negative: int = 0  # 1: a total of `negative_end` or less ends the match
    negative_end: int = 0
    own_contract: int = 0  # OWN_CONTRACT
    cap: int = 0
    # 1: a revoke is possible and punished
    penalised: int = from_option("renege", "prevented", "penalised")
    circus_best: int = 0  # 1: opponents of the declarer's side must pass their best card
    circus_worst: int = 0  # 1: the declarer's side must pass its worst
    rook_value: int = from_option("rook_value")
    counters: int = 0  # set of the cards that are worth points
    card_points: int = 0  # points of all cards together
    groups: int = 0  # how many different card values there are
    # 1: card numbers compare ranks, across colours and within trumps, in every allowed call.
    natural: int = 0
    step: list[int] = cells(4)  # STEPS, in the order of declaration
    deck: list[int] = cells(CARDS)
    value: list[int] = cells(CARDS)  # points of each card
    group_value: list[int] = cells(8)  # a card value
    group_mask: list[int] = cells(8)  # the cards that have it
    # Of fixed partners: the seats on the side of each seat.
    partners: list[int] = cells(PLACES)
    # [row * 57 + card]: effective suit, 0 to 5, where 4 is trump; and strength. The stronger card
    # of one suit wins, and any trump is stronger than any other card.
    suit: list[int] = cells(ROWS * CARDS)
    strength: list[int] = cells(ROWS * CARDS)
    mask: list[int] = cells(ROWS * SUITS)  # [row * 6 + suit]: the cards of an effective suit
    any_time: list[int] = cells(ROWS)  # the cards that need not follow
    falling: list[int] = cells(ROWS)  # 1: small cards beat large ones
    ones_high: list[int] = cells(ROWS)  # 1: the 1 stands above the 14, before ranks are turned
    rook_at: list[int] = cells(ROWS)  # the Rook stands below the cards from this number on
    # [colour * 29 + held]: how many trumps a partner holds at least half the time.
    likely: list[int] = cells(4 * HAND_MAX)


@lru_cache(maxsize=64)
def compile_rules(rules: Rules) -> RuleTable:
    """Return `rules` as the engine's integers. The table is shared: do not change it."""
    t = RuleTable()
    for field in fields(t):
        if option := field.metadata.get("option"):
            value, words = getattr(rules, option), field.metadata["words"]
            setattr(t, field.name, words.index(value) if words else int(value))
    _deal(t, rules)
    _auction(t, rules)
    _nest(t, rules)
    _play(t, rules)
    _score(t, rules)
    for row in range(ROWS):
        _row(t, rules, row)
    allowed = [row for row in range(ROWS) if t.calls >> row % ROOK_LOW & 1 or row == NOTRUMP]
    t.natural = int(
        not any(t.falling[row] or t.ones_high[row] for row in allowed)
        and rules.red_1 == rules.red_2 == rules.black_2 == "off"
        and (not rules.rook_in_deck or all(t.rook_at[row] == _ABOVE_ALL for row in allowed))
    )
    _chances(t)
    return t


def _deal(t: RuleTable, rules: Rules) -> None:
    for i, card in enumerate(rules.deck):
        t.deck[i] = card
    for side in rules.fixed_sides or [(seat,) for seat in range(t.seats)]:
        for seat in side:
            t.partners[seat] = sum(1 << partner for partner in side)
    if t.blind:
        t.partners[t.seats] = 1 << t.seats


def _auction(t: RuleTable, rules: Rules) -> None:
    first = rules.first_bidder
    t.first_bidder = first if isinstance(first, int) else FIRST_BIDDER[first]
    t.bid_levels = (rules.bid_maximum - rules.bid_minimum) // rules.bid_step + 1
    for bid in rules.special_bids:
        worth = rules.target if bid.value == "game" else int(bid.value)
        if bid.name == "sun":
            t.sun, t.sun_value = 1, worth
        else:
            t.moon, t.moon_value = 1, worth


def _nest(t: RuleTable, rules: Rules) -> None:
    exchange = rules.nest_exchange
    if not isinstance(exchange, str):
        (kind, count), *_ = exchange.model_dump().items()
        t.exchange, t.exchange_count = EXCHANGE.index(kind), count
    t.ban_counters = int("counters" in rules.discard_ban)
    t.ban_forced = int("counters_unless_forced" in rules.discard_ban)
    t.ban_trumps = int("trumps" in rules.discard_ban)
    t.ban_rook = int("rook" in rules.discard_ban)
    t.steps = len(rules.steps)
    for i, step in enumerate(rules.steps):
        t.step[i] = STEPS.index(step)
    for word in rules.trump_calls:
        t.calls |= CALLS[word]


def _play(t: RuleTable, rules: Rules) -> None:
    t.black_2_beats_rook = int(rules.black_2 == "beats_rook")
    t.dummy = int(rules.dummy == "partner")
    t.circus_best = int(rules.circus_passing.best == "enforced")
    t.circus_worst = int(rules.circus_passing.worst == "enforced")


def _score(t: RuleTable, rules: Rules) -> None:
    t.set_factor = 2 if rules.set_penalty == "double" else 1
    if not isinstance(rules.sweep_value, str):
        (kind, worth), *_ = rules.sweep_value.model_dump().items()
        t.sweep, t.sweep_value = SWEEP.index(kind), worth
    if rules.negative_end != "none":
        t.ends_negative, t.negative_end = 1, int(rules.negative_end)
    own = rules.own_contract_to_go_out
    if isinstance(own, str):
        t.own_contract = OWN_CONTRACT.index(own)
    else:
        t.own_contract, t.cap = OWN_CONTRACT.index("cap"), own.cap
    points = rules.card_points
    for card, worth in points.items():
        t.value[card] = worth
    t.counters = pack_cards(points)
    t.card_points = sum(points.values())
    for worth in sorted(set(points.values())):
        t.group_value[t.groups] = worth
        t.group_mask[t.groups] = pack_cards(c for c, v in points.items() if v == worth)
        t.groups += 1


def _row(t: RuleTable, rules: Rules, row: int) -> None:
    """Fill in the suits and strengths of a row (B.5, B.6)."""
    call = row % ROOK_LOW
    falling = 4 <= call < NOTRUMP or call == NOTRUMP + 1
    ones_high = rules.low_order_one == "worst" if falling else rules.ones == "high"
    t.falling[row], t.ones_high[row] = int(falling), int(ones_high)
    trump = call % 4 if call < NOTRUMP else None
    at = row * CARDS
    for card in range(ROOK):
        colour, rank = colour_of(card), rank_of(card)
        weight = 4 * (15 if rank == 1 and ones_high else rank)
        t.suit[at + card] = TRUMP if colour == trump else colour
        t.strength[at + card] = _turned(weight, falling) + _TRUMP_BASE * (colour == trump)
    for card in rules.permanent_trumps:
        t.suit[at + card] = TRUMP
        t.strength[at + card] = _PERMANENT[card]
    if rules.red_1 == "top_trump_any_time":
        t.any_time[row] |= 1 << RED_1
    _rook(t, rules, row, falling=falling, at_no_trump=trump is None)
    for card in rules.deck:
        t.mask[row * SUITS + t.suit[at + card]] |= 1 << card


def _turned(weight: int, falling: bool) -> int:
    return _TURN - weight if falling else weight


def _rook(t: RuleTable, rules: Rules, row: int, *, falling: bool, at_no_trump: bool) -> None:
    rank: str = rules.rook_rank
    if rank == "declared":
        rank = "bottom" if row >= ROOK_LOW else "top"
    suit = TRUMP
    if at_no_trump and rules.rook_at_no_trump != "sole_trump":
        rank = {"red_10_5": "10.5", "loser": "bottom"}[rules.rook_at_no_trump]
        suit = {"red_10_5": 0, "loser": LONE}[rules.rook_at_no_trump]
    if rank in _HALF:
        strength = _turned(_HALF[rank], falling) + _TRUMP_BASE * (suit == TRUMP)
        t.rook_at[row] = card_at(0, 11 if rank == "10.5" else 13)
    else:
        strength = _ROOK_TOP if rank == "top" else _TRUMP_BASE
        t.rook_at[row] = _ABOVE_ALL if (rank == "top") != falling else 0
    if at_no_trump and suit == TRUMP:
        # Its rank counts only against the red 1 and the like; against the colours it is a trump.
        t.rook_at[row] = 0 if falling else _ABOVE_ALL
    if rules.rook_any_time and suit == TRUMP:
        t.any_time[row] |= 1 << ROOK
    t.suit[row * CARDS + ROOK] = suit
    t.strength[row * CARDS + ROOK] = strength


def _chances(t: RuleTable) -> None:
    unseen = t.cards - t.hand_size
    for colour in range(4):
        trumps = t.mask[colour * SUITS + TRUMP].bit_count()
        for held in range(min(t.hand_size, trumps) + 1):
            t.likely[colour * HAND_MAX + held] = likely_count(unseen, trumps - held, t.hand_size)
