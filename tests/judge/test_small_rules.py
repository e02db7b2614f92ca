"""One rule at a time: who wins, what may be played, bid and laid aside."""

from typing import Any

import pytest

from .auction import Auction
from .games import rules
from .lawful import lawful_cards
from .nest import Exchange
from .order import Order, winner

MEETING = {"black_2": "beats_rook", "void_duty": "must_beat"}


@pytest.mark.parametrize(
    ("changes", "call", "cards", "best"),
    [
        ({}, "red", "G10 G13 G14 G6", "G14"),
        ({}, "red", "G10 B14 Y14 G6", "G10"),
        ({}, "red", "G10 R5 G14 R6", "R6"),
        ({}, "red", "R14 R5 RK R13", "RK"),
        ({"ones": "high"}, "red", "G14 G1 G13", "G1"),
        ({"ones": "low"}, "red", "G2 G1 B14", "G2"),
        ({"rook_rank": "bottom"}, "red", "R2 RK", "R2"),
        ({"rook_rank": "bottom"}, "red", "G14 RK", "RK"),
        ({"rook_rank": "bottom"}, "red-low", "R14 RK", "R14"),
        ({"rook_rank": "10.5"}, "red", "R10 RK R9", "RK"),
        ({"rook_rank": "10.5"}, "red", "R11 RK", "R11"),
        ({"rook_rank": "10.5"}, "red-low", "R11 RK", "RK"),
        ({"rook_rank": "10.5"}, "red-low", "R10 RK", "R10"),
        ({"rook_rank": "12.5"}, "red", "R12 RK", "RK"),
        ({"rook_rank": "12.5"}, "red", "R13 RK", "R13"),
        ({"ones": "high"}, "black-low", "G14 G1 G5 G6", "G5"),
        ({"ones": "high"}, "black-low", "G1 G14", "G14"),
        ({"ones": "low"}, "black-low", "G14 G1", "G14"),
        ({"ones": "high", "low_order_one": "best"}, "black-low", "G2 G1", "G1"),
        ({}, "notrump", "G14 RK", "RK"),
        ({"rook_at_no_trump": "red_10_5"}, "notrump", "G5 RK B14", "G5"),
        ({"rook_at_no_trump": "red_10_5"}, "notrump", "R10 RK", "RK"),
        ({"rook_at_no_trump": "red_10_5"}, "notrump-low", "R10 RK R11", "R10"),
        ({"rook_at_no_trump": "loser"}, "notrump", "G5 RK", "G5"),
        ({"rook_at_no_trump": "loser"}, "notrump", "RK G14", "RK"),
        ({"black_2": "beats_rook"}, "red", "G14 RK B2 R14", "B2"),
        ({"black_2": "beats_rook"}, "red", "G14 B2 R5", "R5"),
        ({"black_2": "top_trump"}, "green", "G14 RK B2", "B2"),
        ({"red_2": "second_trump", "ones": "high"}, "green", "G1 R2 G14", "R2"),
        ({"red_2": "second_trump"}, "green", "R2 RK", "RK"),
        ({"red_1": "top_trump"}, "green", "RK R1 G14", "R1"),
        ({"red_1": "top_trump"}, "notrump", "G14 R1", "R1"),
    ],
)
def test_who_wins(changes: dict[str, Any], call: str, cards: str, best: str) -> None:
    played = cards.split()
    assert played[winner(Order(rules(**changes), call), played)] == best


def test_a_declared_rook_lies_where_it_was_put() -> None:
    options = rules(rook_rank="declared")
    assert winner(Order(options, "red", "high"), ["R14", "RK"]) == 1
    assert winner(Order(options, "red", "low"), ["R5", "RK"]) == 0


@pytest.mark.parametrize(
    ("changes", "call", "hand", "trick", "expected"),
    [
        ({}, "red", "G5 B6 RK", "G14", "G5 RK"),
        ({"rook_any_time": False}, "red", "G5 B6 RK", "G14", "G5"),
        ({}, "red", "B6 Y5 RK", "G14", "B6 Y5 RK"),
        ({}, "red", "B6 Y5 RK", "R14", "RK"),
        ({}, "red", "R6 B6 RK", "R14", "R6 RK"),
        ({}, "red", "R6 G6 RK", "RK", "R6 RK"),
        ({}, "notrump", "R6 G6", "RK", "R6 G6"),
        ({"rook_at_no_trump": "red_10_5"}, "notrump", "RK G6", "R5", "RK"),
        ({"rook_at_no_trump": "red_10_5"}, "notrump", "RK G6", "G5", "G6"),
        ({"rook_at_no_trump": "loser"}, "notrump", "RK G6", "G5", "G6"),
        ({"red_1": "top_trump"}, "green", "R1 R5 B6", "R14", "R5"),
        ({"red_1": "top_trump_any_time"}, "green", "R1 R5 B6", "R14", "R1 R5"),
        ({"red_2": "second_trump"}, "green", "R2 B6", "G5", "R2"),
        ({"black_2": "beats_rook"}, "green", "B2 B6 G5", "B14", "B2 B6"),
        ({"trump_lead": "when_broken"}, "red", "R5 G6 RK", "", "G6"),
        ({"trump_lead": "when_broken"}, "red", "R5 RK", "", "R5 RK"),
        ({"void_duty": "must_trump"}, "red", "R5 B6", "G5", "R5"),
        ({"void_duty": "must_trump"}, "red", "Y5 B6", "G5", "Y5 B6"),
        ({"void_duty": "must_beat"}, "red", "R5 R9 B6", "G5 R7", "R9"),
        ({"void_duty": "must_beat"}, "red", "R5 R6 B6", "G5 R7", "R5 R6"),
        (MEETING, "red", "R5 R6 RK", "B2 R14", "R5 R6 RK"),
        (MEETING, "black", "B3 B2 Y3", "R7 RK R1", "B2"),
    ],
)
def test_what_may_be_played(
    changes: dict[str, Any], call: str, hand: str, trick: str, expected: str
) -> None:
    order = Order(rules(**changes), call)
    assert lawful_cards(order, hand.split(), trick.split(), broken=False) == expected.split()


@pytest.mark.parametrize(
    ("changes", "calls", "outcome"),
    [
        ({}, "p p p", ("contract", 3, 70)),
        ({"first_bidder": "dealer"}, "p p p p", ("contract", 3, 70)),
        ({"first_bidder": "dealer", "all_pass": "last_player"}, "p p p", ("contract", 2, 70)),
        ({"all_pass": "redeal"}, "p p p p", ("redeal", None, None)),
        ({"all_pass": "no_contract"}, "p p p p", ("no_contract", None, None)),
        ({"all_pass": "redeal"}, "p p p 90", ("contract", 3, 90)),
        ({}, "70 75 p p p", ("contract", 1, 75)),
        ({}, "120", ("contract", 0, 120)),
        ({"special_bids": [{"name": "sun", "value": 180}]}, "120 p sun", ("contract", 2, "sun")),
        ({"special_bids": [{"name": "sun", "value": 180}]}, "120 p p p", ("contract", 0, 120)),
        ({"auction_form": "one_call_each"}, "70 75 p 80", ("contract", 3, 80)),
        ({"auction_form": "one_call_each"}, "p p p", ("contract", 3, 70)),
        ({"auction_form": "dealer_opens"}, "p p p", ("contract", 3, 70)),
        ({"auction_form": "dealer_opens"}, "75 p p p", ("contract", 0, 75)),
        ({"auction_form": "dealer_must_bid"}, "70 p p p", ("contract", 3, 70)),
        ({"return_after_pass": True}, "p 70 p p 75 p p p", ("contract", 0, 75)),
        ({"return_after_pass": True}, "p p p", ("contract", 3, 70)),
    ],
)
def test_auctions(changes: dict[str, Any], calls: str, outcome: tuple[Any, ...]) -> None:
    auction = Auction(rules(**changes), dealer=3)
    for call in calls.split():
        assert auction.outcome is None
        assert auction.turn is not None
        if call == "p":
            auction.pass_(auction.turn)
        else:
            auction.bid(auction.turn, call if call == "sun" else int(call))
    assert (auction.outcome, auction.bidder, auction.high) == outcome


@pytest.mark.parametrize(
    ("changes", "call", "hand", "nest", "may", "must", "swaps"),
    [
        ({}, None, "R5 R6", "RK", "R5 R6 RK", "", [0, 1]),
        ({"discard_ban": ["counters"]}, None, "R5 R6 R7", "RK", "R6 R7", "", [1]),
        ({"discard_ban": ["rook", "trumps"]}, "red", "R6 G6 G5", "RK", "G6 G5", "", [1]),
        ({"discard_ban": ["counters_unless_forced"]}, None, "R5 G6", "G5", "G6", "G6", [1]),
        (
            {"discard_ban": ["counters_unless_forced"]},
            "red",
            "R5 R10 G5",
            "G6 Y5",
            "R5 R10 G6",
            "G6",
            [1],
        ),
        (
            {"nest_exchange": {"up_to": 2}, "discard_ban": ["counters"]},
            "red",
            "R6 R7 R8 R5",
            "G6 G7 G5",
            "R6 R7 R8 G6 G7",
            "",
            [1, 2],
        ),
        (
            {"nest_exchange": {"exactly_or_none": 2}},
            "red",
            "R6 R7 R8",
            "G6 G7 G8",
            "R6 R7 R8 G6 G7 G8",
            "",
            [0, 2],
        ),
    ],
)
def test_the_new_nest(
    changes: dict[str, Any],
    call: str | None,
    hand: str,
    nest: str,
    may: str,
    must: str,
    swaps: list[int],
) -> None:
    exchange = Exchange(rules(**changes), hand.split(), nest.split(), call)
    assert exchange.may_go() == may.split()
    assert exchange.must_go() == must.split()
    assert exchange.swaps() == swaps
