"""Which claims are certain, by what their claimer knows, and how a claim is played out."""

from __future__ import annotations

import pytest
from tests.golden.dealt import dealt, declared, house, played, ready

from rookery.rules import load
from rookery.server.table.voting import doubt, played_out

KENTUCKY = load("kd_tournament")


@pytest.mark.parametrize(
    ("trump", "played"),
    [
        ("red", ["RK R14 R13 R12 G14 Y14 G13 B9 B8", "R5 R6 R7 R8 G5 G6 R9 R10 R11"]),
        ("green", ["RK G14 G13 R14 Y14 R13 R12 B9 B8", "G5 G6 R5 R6 R7 R8 R9 R10 R11"]),
    ],
)
def test_a_claim_begins_with_the_highest_cards_and_others_play_their_lowest(
    trump: str, played: list[str]
) -> None:
    hand = ready(KENTUCKY, "R12-14 G13-14 Y14 B8-9 RK", trump=trump)
    assert doubt(hand, 0) == "B8"  # the weakest of those that may be beaten
    assert doubt(hand, 1) == "lead"
    acts = played_out(hand, 0).actions[len(hand.actions) :]
    for seat, names in enumerate(played):
        cards = [card for act in acts if act.seat == seat for card in act.cards]
        assert " ".join(hand.names(cards)) == names


def test_a_declarer_knows_that_what_they_discarded_beats_nothing() -> None:
    trumps = "R6-13 RK"
    assert doubt(ready(KENTUCKY, trumps, nest="R5 R14"), 0) is None
    assert doubt(ready(KENTUCKY, trumps, nest="R5"), 0) == "R6"  # the 14 is with somebody
    # While a trump is, no plain card is certain either.
    for nest, why in (("R5-7 R14", None), ("R5-6 R14", "G13")):
        assert doubt(ready(KENTUCKY, "R8-13 RK G13-14", nest=nest), 0) == why


@pytest.mark.parametrize("declarer", range(4))
def test_nothing_is_certain_where_a_hand_lies_open(declarer: int) -> None:
    hand = played(declared(dealt(load("display")), seat=declarer), "?")
    assert hand.dummy == (declarer + 2) % 4
    assert hand.to_act is not None
    assert doubt(hand, hand.to_act) == "dummy"


@pytest.mark.parametrize(
    ("black_2", "nest", "why"),
    [("beats_rook", "R2-3", "RK"), ("beats_rook", "R2-3 B2", None), ("off", "R2-3", None)],
)
def test_a_rook_that_the_black_2_may_beat_is_no_sure_trick(
    black_2: str, nest: str, why: str | None
) -> None:
    hand = ready(house("black_2", black_2=black_2), "R1 R4-14 RK", nest=nest)
    assert doubt(hand, 0) == why
