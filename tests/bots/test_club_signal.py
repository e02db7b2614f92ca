"""What `club` says with its first lead, and what it makes of its partner's."""

import pytest
from tests.bots.test_club import BLACK, CLUB, cards

from rookery.bots.dispatch import decide_card, kind_of
from rookery.bots.names import bots
from rookery.bots.seat_info import SeatInfo, observe_trick
from rookery.cards import card_name, parse_card
from rookery.engine.state import PLAY, Hidden, State
from rookery.engine.trick import play
from rookery.lab.duplicate.boards import SQUARES
from rookery.lab.duplicate.match import Match, play_match
from rookery.lab.run.jobs import Threads
from rookery.rules import load
from rookery.rules.table import compile_rules

SILENT = kind_of("club:signals=off")


def first_lead(hand: str, kind: int = CLUB, declarer: int = 1) -> str:
    """Return what seat 2 leads first from a whole hand; black is trump."""
    table = compile_rules(load("wanamingo"))
    s = State(phase=PLAY, turn=2, leader=2, row=BLACK, declarer=declarer, contract=80)
    h, m = Hidden(), SeatInfo()
    h.hand[2] = cards(hand)
    observe_trick(table, s, h, m)
    return card_name(decide_card(table, s, m, kind))


INVITING = "R6 R7 G13 G12 G8 Y7 Y9 B6 B9"


def test_a_foe_of_the_declarer_leads_first_from_his_strongest_suit() -> None:
    assert first_lead(INVITING) == "G8"
    assert first_lead(INVITING, SILENT) == "R6"


def test_a_declarer_invites_nobody() -> None:
    assert first_lead(INVITING, declarer=2) == first_lead(INVITING, SILENT, declarer=2)


def led_back(first: str, kind: int = CLUB, leader: int = 0, declarer: int = 1) -> str:
    """Return what seat 2 leads to the second trick, having won the first, which `leader` led."""
    rules = load("wanamingo")
    table = compile_rules(rules)
    s = State(phase=PLAY, turn=leader, leader=leader, row=BLACK, declarer=declarer, contract=80)
    h, m = Hidden(), SeatInfo()
    h.hand[2] = cards("G14 G7 R7 R8 Y7 Y8 B6 B7 B8")
    for name in first.split():
        if s.turn == 2:
            observe_trick(table, s, h, m)
            decide_card(table, s, m, kind)
        h.hand[s.turn] |= 1 << parse_card(name)
        play(table, s, h, parse_card(name))
    observe_trick(table, s, h, m)
    return card_name(decide_card(table, s, m, kind))


def test_it_leads_back_what_its_partner_led_first() -> None:
    assert led_back("G6 G9 G14 G8") == "G7"
    assert led_back("G6 G9 G14 G8", SILENT) != "G7"


def test_only_a_partner_who_does_not_declare_has_invited() -> None:
    for kind in (CLUB, SILENT):
        assert led_back("G6 G9 G14 G8", kind, declarer=0) == led_back(
            "G6 G9 G14 G8", SILENT, declarer=0
        )
    assert led_back("G6 G14 G8 G9", leader=1, declarer=3) == led_back(
        "G6 G14 G8 G9", SILENT, leader=1, declarer=3
    )


@pytest.mark.parametrize(
    ("variant", "differ"),
    [("wanamingo", True), ("kd_tournament", False), ("call_partner_5_plain", False)],
)
def test_it_signals_where_partners_are_fixed_and_there_is_time(variant: str, differ: bool) -> None:
    lineup = bots("club,club:signals=off")
    found = play_match(
        Match(load(variant), variant, lineup, 8, 5, target="python"), executor=Threads(1)
    )
    assert (found.sums[SQUARES] > 0) == differ
