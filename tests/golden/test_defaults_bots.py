"""Defaults of the study: how the paper's characters bid and discard, and what the study plays."""

from __future__ import annotations

from rookery.bots.dispatch import decide
from rookery.bots.menagerie import HOG, KARAPET, LIMIT, PAPA, SUIT, evaluate
from rookery.bots.seat_info import SeatInfo, observe
from rookery.cards import pack_cards, parse_card
from rookery.engine.state import Hidden, State
from rookery.lab.menagerie.published import book, private_maximum
from rookery.lab.menagerie.study import KERNELS, RULES, Mode
from rookery.lab.menagerie.tally import Tally
from rookery.rules import load
from rookery.rules.chances import at_least
from rookery.rules.table import compile_rules

from .dealt import bought, cards, dealt

KENTUCKY = load(RULES)

# Red is preferred (26 against 15, 14, 13). Five trumps are held with the Rook, six are unseen.
STRONG = "R5-8 G5 G10 Y14 B13 RK"
# Red is preferred (30 against 13, 13, 6). Four trumps are held, seven are unseen.
WEAK = "R6-9 G6 G7 Y6 Y7 B6"


def mask(hand: str) -> int:
    return pack_cards(map(parse_card, cards(hand, KENTUCKY)))


def limit(kind: int, hand: str) -> int:
    """Return how high a character bids on nine cards at the real game, points."""
    mine = SeatInfo(hand=mask(hand))
    evaluate(compile_rules(KENTUCKY), mine, kind)
    assert mine.memo[SUIT] == 0
    return mine.memo[LIMIT]


def played_one_game(mode: Mode) -> tuple[State, Tally]:
    """Return the last table and the totals of one whole game of the study."""
    s, t = State(), Tally()
    mine = [SeatInfo() for _ in range(4)]
    KERNELS[mode](compile_rules(KENTUCKY), s, Hidden(), mine, t, 1, 0, 1)
    return s, t


def test_d43_eleven_trumps_less_those_held_are_unseen() -> None:
    # Of six unseen trumps two are likelier than not in nine of 32 cards; of four (nine less five)
    # or five (ten less five) only one is.
    assert at_least(32, 6, 9, 2) > 0.5 > at_least(32, 5, 9, 2)
    assert limit(KARAPET, STRONG) == 25 + 20 + (10 + 10) + 5 + 5 * 2


def test_d44_the_partner_is_counted_on_for_the_most_that_is_at_least_an_even_chance() -> None:
    # Seven unseen: two or more in 66 %, three or more in 30 %; no exact number reaches 50 %.
    assert at_least(32, 7, 9, 2) > 0.5 > at_least(32, 7, 9, 3)
    assert limit(KARAPET, WEAK) == 25 + 5 * 2


def test_d44_as_published_the_partner_adds_nothing() -> None:
    lows = 5 * (4 // 2)
    assert private_maximum(Hidden(), KARAPET, mask(WEAK), 0) == 25 + lows


def test_d45_a_bid_starts_from_25() -> None:
    nothing_but_the_partner = limit(KARAPET, WEAK) - 5 * 2
    assert nothing_but_the_partner == 25
    assert private_maximum(Hidden(), KARAPET, mask("G6 G8 Y6 Y8 B6 B8 R6 G9 Y9"), 0) == 25


def test_d46_tens_and_fourteens_count_in_all_colours_low_cards_in_the_preferred_one() -> None:
    other_colours = limit(KARAPET, STRONG) - limit(KARAPET, "R5-8 G5 G6 Y6 B13 RK")
    assert other_colours == 10 + 10
    lows = 4  # R5 to R8; the G5 is none
    assert limit(HOG, STRONG) - limit(KARAPET, STRONG) == 5 * lows
    assert limit(PAPA, STRONG) - limit(KARAPET, STRONG) == 5 * (lows // 2)


def test_d47_as_published_nobody_names_trump_and_80_points_are_there() -> None:
    s, t = played_one_game(Mode.PUBLISHED)
    assert s.call == -1
    state, tally = State(), Tally()
    state.captured[0] = mask("R5-14 G5-14 Y5-14 B5-14 RK")
    book(state, Hidden(), tally, 0, 70)
    assert tally.total == [80, 0, 80, 0]
    assert max(t.total) >= 300


def test_d47_by_the_rules_trump_is_named_and_120_points_are_there() -> None:
    s, t = played_one_game(Mode.RULES)
    assert s.call in range(4)
    assert s.points[0] + s.points[1] == 120
    assert max(t.total) >= 300


def test_d48_with_too_few_plain_cards_the_lowest_trumps_fill_the_nest() -> None:
    hand = bought(dealt(KENTUCKY, "R6-14", nest="R5 RK G6 G7 G8"), 0)
    mine = SeatInfo()
    while hand.phase == "nest":
        observe(hand.table, hand.state, hand.hidden, mine)
        hand = hand.do(decide(hand.table, hand.state, mine, KARAPET))
    assert set(hand.names(hand.actions[-1].cards)) == {"G6", "G7", "G8", "R5", "R6"}
