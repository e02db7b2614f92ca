"""The table bot: it plays by the rules of every game, it wins, and it is a decent partner."""

from collections.abc import Sequence

import pytest
from tests.engine.stepping import OVER, Plain, Recorded, difference, house_rules, step

from rookery.bots.club.calls import club_with_habits
from rookery.bots.club.play import club_card
from rookery.bots.dispatch import NUMBERS, decide, decide_card, kind_of
from rookery.bots.names import bots
from rookery.bots.seat_info import SeatInfo, clear_notes, observe, observe_trick
from rookery.cards import card_name, pack_cards, parse_card
from rookery.engine.actions import ACTIONS, BID, PASS, TRUMP_CALLS, actor, apply, legal
from rookery.engine.deal import deal, shuffle
from rookery.engine.rng import seeded
from rookery.engine.state import AUCTION, CALL, DONE, NEST, PLAY, TRUMP_CALL, Hidden, State
from rookery.engine.targets import load as compiled
from rookery.engine.trick import play
from rookery.lab.duplicate.match import Match, play_match
from rookery.lab.duplicate.result import Result, result_of
from rookery.lab.run.jobs import Threads
from rookery.rules import Rules, catalog, load
from rookery.rules.order import CALLS, NOTRUMP
from rookery.rules.table import PLACES, RuleTable, compile_rules

CLUB = kind_of("club")
BLACK = 3


def cards(text: str) -> int:
    return pack_cards(map(parse_card, text.split()))


def test_the_numbers_of_the_others_are_what_they_were() -> None:
    first = {"karapet": 0, "papa": 1, "hog": 2, "rabbit": 3, "random": 4, "club": 5}
    assert {name: NUMBERS[name] for name in first} == first


# It plays by the rules.


def play_legally(rules: Rules, seed: int, club_seats: int) -> None:
    """Play a hand with `club` in some seats and dice in the rest; check each of its actions."""
    table = compile_rules(rules)
    s, h, actions = State(), Hidden(rng=seeded(seed, 0)), [0] * ACTIONS
    mine = [SeatInfo(rng=seeded(seed, 1 + place)) for place in range(PLACES)]
    order = [0] * len(rules.deck)
    shuffle(table, h, order)
    deal(table, s, h, order, seed % table.seats)
    for m in mine:
        clear_notes(m)
    while s.phase < DONE:
        seat = actor(s)
        kind = CLUB if club_seats >> seat & 1 else kind_of("random")
        if s.phase == PLAY:
            observe_trick(table, s, h, mine[seat])
            action = decide_card(table, s, mine[seat], kind)
        else:
            observe(table, s, h, mine[seat])
            action = decide(table, s, mine[seat], kind)
        told = actions[: legal(table, s, h, actions)]
        assert action in told, f"{rules.name}, seed {seed}, seat {seat}, phase {s.phase}"
        apply(table, s, h, action)


@pytest.mark.parametrize("variant", catalog())
def test_it_plays_every_variant_by_its_rules(variant: str) -> None:
    rules = load(variant)
    for seed in range(10):
        play_legally(rules, seed, (0b1, 0b10101010, 0b11111111)[seed % 3])


def test_it_plays_house_rules_by_their_rules() -> None:
    for seed, rules in enumerate(house_rules(60)):
        play_legally(rules, seed, 0b11111111)
        play_legally(rules, seed, 0b10)


@pytest.mark.parametrize(
    ("seats", "size"), [(2, 5), (3, 7), (4, 3), (4, 6), (5, 4), (6, 3), (7, 3), (8, 2)]
)
def test_it_plays_by_the_rules_where_the_nest_is_larger_than_a_hand(seats: int, size: int) -> None:
    given = {"seats": seats, "hand_size": size, "nest_size": 41 - seats * size}
    alone = {"partnership": "alone", "totals": "player"}
    for calls in (["suits"], ["suits", "notrump"], ["notrump"]):
        rules = load({"base": "kd_tournament", **alone, **given, "trump_calls": calls})
        for seed in range(3):
            play_legally(rules, seed, 0b11111111)


def test_it_rolls_no_dice() -> None:
    table = compile_rules(load("kd_tournament"))
    one, other = (Plain(table, [CLUB] * 4) for _ in range(2))
    one.advance(5, 1)
    other.advance(5, 1)
    for m in other.mine:
        m.rng = 99
    while (action := one.advance(5)) != OVER:
        assert other.advance(5) == action
    assert all(m.rng == 99 for m in other.mine)


@pytest.mark.numba
def test_numba_finds_the_same_actions() -> None:
    for number, variant in enumerate(catalog()):
        table = compile_rules(load(variant))
        kinds = [CLUB] * table.seats
        plain, fast = Plain(table, kinds), Recorded(table, kinds, compiled("numba", step))
        dealer = number % table.seats
        while True:
            taken = plain.advance(number, dealer)
            assert fast.advance(number, dealer) == taken
            assert not difference(plain.image(), fast.image()), variant
            if taken == OVER:
                break
            dealer = -1


# It wins.


def met(variant: str, other: str, deals: int) -> Result:
    match = Match(load(variant), variant, bots(f"club,{other}"), deals, seed=41, target="python")
    return result_of(play_match(match, executor=Threads(1)))


@pytest.mark.parametrize("other", ["karapet", "papa", "hog", "rabbit", "random"])
def test_it_beats_the_characters_at_the_tournament_game(other: str) -> None:
    difference = met("kd_tournament", other, 150).difference
    assert difference.ci95 is not None
    assert difference.ci95[0] > 0
    assert difference.mean > 15


@pytest.mark.parametrize("variant", ["kd_tournament", "call_partner_5"])
def test_it_does_not_beat_itself(variant: str) -> None:
    result = met(variant, "club", 15)
    assert (result.difference.mean, result.difference.ci95) == (0, (0, 0))
    assert sum(result.contracts) >= 15


@pytest.mark.parametrize(
    "variant",
    ["dixie_6", "rook_1906_7", "five_person_poker", "display", "rook_two_1914", "circus"],
)
def test_it_is_ahead_of_papa_in_games_of_every_kind(variant: str) -> None:
    assert (met(variant, "papa", 40).difference.ci95 or (0, 0))[0] > 0


# Small situations. Seat 2 is to play, seat 0 is its partner, black is trump unless told otherwise.


def choice(
    hand: str,
    trick: str = "",
    out: str = "",
    *,
    variant: str = "kd_tournament",
    row: int = BLACK,
    declarer: int = 1,
    called: str = "",
    void: Sequence[tuple[int, int]] = (),
) -> str:
    """Return the card that `club` plays from `hand` in seat 2 behind the cards of `trick`.

    `out` are the cards that it has not seen; all others have been played. `void` are pairs of a
    seat and a suit that it has shown to lack.
    """
    rules = load(variant)
    table = compile_rules(rules)
    played = trick.split()
    leader = (2 - len(played)) % table.seats
    s = State(phase=PLAY, row=row, call=row, declarer=declarer, contract=100, turn=leader)
    h = Hidden()
    s.leader, s.allies, s.sides_known = leader, table.partners[declarer], int(not table.called)
    if called:
        s.called[0], s.called_count = parse_card(called), 1
    s.tricks = table.hand_size - len(hand.split())
    h.hand[2] = cards(hand)
    s.played_by[leader] = pack_cards(rules.deck) & ~cards(f"{hand} {trick} {out}")
    for seat, suit in void:
        s.void[seat] |= 1 << suit
    for name in played:
        h.hand[s.turn] |= 1 << parse_card(name)
        play(table, s, h, parse_card(name))
    m = SeatInfo()
    observe_trick(table, s, h, m)
    return card_name(club_card(table, s, m))


REDS_OUT = "R6 R8 R9 R11 R12 G6 G7 G8 Y6 Y7 Y8 B6 B7 B8 B9"


def test_it_gives_its_best_counter_to_a_partner_who_has_the_trick() -> None:
    assert choice("R5 R7 R10 G9", "R14 R6", REDS_OUT) == "R10"


def test_it_keeps_its_counters_from_a_foe_who_has_the_trick() -> None:
    assert choice("R5 R7 R10 G9", "R14", REDS_OUT) == "R7"


def test_it_does_not_trump_its_partner_but_gives_a_counter() -> None:
    assert choice("B7 B8 G10 G6", "R9 R14 R6", "R8 R11 Y6 Y7 G7 G8 G12 B6 B9") == "G10"


def test_it_does_not_trump_its_partner_for_want_of_a_counter_either() -> None:
    assert choice("B7 B8 G9 G6", "R9 R14 R6", "R8 R11 Y6 Y7 G7 G8 G12 B6 B9") == "G6"


def test_it_keeps_the_14_of_trumps_under_the_rook() -> None:
    assert choice("B14 B7 G6", "RK", "B6 B8 B9 G7 G8 Y6 Y7 Y8") == "B7"


def test_last_to_play_it_wins_with_no_more_than_it_needs() -> None:
    assert choice("B6 B13 G6 Y6", "R10 R8 R14", "B9 B12 G9 G8 Y8 Y9 B14 RK") == "B6"
    assert choice("R12 R7 RK G6", "R10 R5 R11", "R13 G9 G8 Y8 Y9 B14 B13") == "R12"


def test_it_does_not_waste_high_cards_on_a_trick_that_is_lost() -> None:
    assert choice("R13 R12 R6", "R14", "R8 R9 R11 G6 G7 Y6 Y7 B6") == "R6"


def test_it_lets_its_partner_win_the_trick_that_he_has_already() -> None:
    assert choice("R13 R7 G6 G7", "R8 R14 R6", "R9 G8 G9 Y6 Y7 B6 B7 B8 B9") == "R7"


def test_a_declarer_draws_trumps() -> None:
    hand = "RK B14 B13 B12 B9 R14 G9"
    out = "B6 B7 B8 B10 B11 R6 R7 R8 R9 R10 G6 G7 G8 G10 G14 Y6 Y7 Y8 Y9 Y14 Y10"
    assert choice(hand, "", out, declarer=2)[0] in "BR"
    assert choice(hand, "", out, declarer=2) in ("RK", "B14", "B13", "B12")


def test_it_leads_no_more_trumps_when_only_its_own_side_has_them() -> None:
    out = "R6 R7 R8 G6 G7 G8 G14 Y6 Y7"
    assert choice("B9 B6 R14", "", out, declarer=2) == "R14"


def test_it_does_not_lead_a_card_that_a_foe_is_known_to_trump() -> None:
    out = "R6 R7 R8 R9 R10 G6 G7 G8 Y6 Y7 Y8 B7"
    assert choice("R14 G12 Y9", "", out) == "R14"
    assert choice("R14 G12 Y9", "", out, void=[(1, 0), (3, 0)]) != "R14"


def test_it_leads_no_counter_that_others_can_take() -> None:
    out = "R14 R12 R13 R6 R7 G14 G13 G6 G7 Y14 Y12 Y6 Y7 B14 B13 B6 B7"
    assert choice("R10 G10 G8 Y10 R8", "", out) in ("G8", "R8")


def test_low_cards_win_where_the_order_is_turned() -> None:
    out = "R9 R8 R7 R11 G6 G7 G8 Y6 Y7 Y8 Y9 B7"
    low = CALLS["notrump-low"].bit_length() - 1
    options = {"variant": "low_card_no_trump", "row": low, "declarer": 2}
    assert choice("R5 R12 G9", "", out, **options) == "R5"  # type: ignore[arg-type]
    assert choice("R5 R12 G9", "", out, **{**options, "row": NOTRUMP}) != "R5"  # type: ignore[arg-type]


def test_a_called_partner_helps_the_declarer_and_others_do_not() -> None:
    trick = "R14 R6"  # seat 0 declares and leads
    options = {"variant": "call_partner_5_plain", "declarer": 0}
    out = "R2 R3 R4 R8 R9 R11 R12 R13 G6 G7 G8 Y6 Y7 Y8 B6 B7"
    assert choice("R5 R7 R10 G14", trick, out, called="G14", **options) == "R10"  # type: ignore[arg-type]
    assert choice("R5 R7 R10 G14", trick, out, called="B7", **options) == "R7"  # type: ignore[arg-type]


# Before the play.


def asked(hand: str, variant: str, **fields: int) -> tuple[RuleTable, State, Hidden, SeatInfo]:
    """Return what `club` in seat 2 sees of a position before the play."""
    table = compile_rules(load(variant))
    s, h, m = State(turn=2, dealer=1), Hidden(), SeatInfo()
    for name, number in fields.items():
        setattr(s, name, number)
    h.hand[2] = cards(hand)
    observe(table, s, h, m)
    return table, s, h, m


STRONG = "RK B14 B13 B12 B10 B9 R14 G14 Y14"
MIDDLING = "RK B14 B12 B9 B8 R14 R10 G14 Y8"
WEAK = "R5 R7 G6 G8 G9 Y7 Y8 B6 B9"


def bid_of(hand: str, **fields: int) -> int:
    table, s, _, m = asked(hand, "kd_tournament", phase=AUCTION, **fields)
    action = club_with_habits(table, s, m, 0, 0)
    return 0 if action == PASS else table.bid_minimum + (action - BID) * table.bid_step


def test_it_bids_with_a_good_hand_and_passes_with_a_bad_one() -> None:
    assert bid_of(STRONG) == 70
    assert bid_of(STRONG, bidder=1, high=95) == 100
    assert bid_of(WEAK, bidder=1, high=75) == 0


def test_it_bids_higher_over_a_foe_than_over_its_partner() -> None:
    spared = 0
    for hand in (
        STRONG,
        MIDDLING,
        "B14 B13 B12 B9 B8 R14 R10 G6 Y8",
        "RK R14 R13 R9 R8 G14 G6 B7 Y7",
    ):
        over_foe = {high for high in range(70, 120, 5) if bid_of(hand, bidder=1, high=high)}
        over_mate = {high for high in range(70, 120, 5) if bid_of(hand, bidder=0, high=high)}
        assert over_mate <= over_foe
        spared += len(over_foe - over_mate)
    assert spared >= 2


def test_it_calls_its_long_strong_suit() -> None:
    hand = "B14 B13 B9 B8 B7 R6 G7 G8 Y9"
    table, s, _, m = asked(hand, "kd_tournament", phase=TRUMP_CALL, declarer=2)
    assert club_with_habits(table, s, m, 0, 0) == TRUMP_CALLS + BLACK


def test_it_calls_the_left_hands_circus_trump_from_its_own_hand() -> None:
    hand = "R14 R13 R12 R11 R10 R9 G6 G7 Y6 Y7"
    table, s, _, m = asked(hand, "circus", phase=TRUMP_CALL, declarer=1, circus=1)
    assert club_with_habits(table, s, m, 0, 0) == TRUMP_CALLS


def laid_away(hand: str, variant: str) -> set[str]:
    table, s, h, m = asked(hand, variant, phase=NEST, declarer=2)
    s.step = [table.step[i] for i in range(table.steps)].index(0)
    gone = set()
    while s.phase == NEST:
        observe(table, s, h, m)
        card = club_with_habits(table, s, m, 0, 0)
        gone.add(card_name(card))
        apply(table, s, h, card)
    return gone


def test_it_lays_away_short_suits_and_no_trumps() -> None:
    hand = "RK B14 B13 B12 B10 B9 B8 R14 R13 G7 Y6 Y8 Y9 G8"
    assert laid_away(hand, "kd_tournament") == {"G7", "G8", "Y6", "Y8", "Y9"}


def test_it_buries_counters_where_the_declarer_keeps_them() -> None:
    hand = "RK B14 B13 B12 B10 B9 B8 B7 B6 R14 R13 R12 R11 G10 Y10 G5 Y8 Y9"
    assert {"G10", "Y10", "G5"} <= laid_away(hand, "house_001")


def test_it_calls_the_best_trump_that_another_holds() -> None:
    hand = "B1 B14 B13 B12 B10 B9 R14 G7 Y6 Y8 Y9 R3 R4"
    table, s, _, m = asked(hand, "call_partner_4", phase=CALL, declarer=2)
    assert card_name(club_with_habits(table, s, m, 0, 0)) == "RK"
    table, s, _, m = asked(hand, "call_partner_pagat", phase=CALL, declarer=2, call=3, row=3)
    m.cards &= ~cards("RK")
    assert card_name(club_with_habits(table, s, m, 0, 0)) == "B11"
