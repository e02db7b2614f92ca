"""What counts: points, or winning the match where its totals are known."""

from __future__ import annotations

import pytest

from rookery.bots.dispatch import SILENT_CLUB, play_tricks
from rookery.bots.seat_info import SeatInfo
from rookery.engine.actions import BID
from rookery.engine.state import DONE, Hidden, State
from rookery.game import Hand
from rookery.rules import load
from rookery.rules.table import PLACES, RuleTable, compile_rules
from rookery.search.kernels import play_to_the_lead
from rookery.search.outcome import WHOLE, margin, match_chance, outcome
from rookery.search.state import SearchState

TABLE = compile_rules(load("kd_tournament"))  # to 300, two sides


def ended(table: RuleTable, *scores: int) -> State:
    s = State(phase=DONE)
    s.score[: table.seats] = scores
    return s


def after_hands(*totals: int) -> SearchState:
    search = SearchState(match=1)
    search.before[: len(totals)] = totals
    return search


def test_the_margin_is_that_of_a_side() -> None:
    s = ended(TABLE, 90, 30, 90, 30)
    assert (margin(TABLE, s, 0), margin(TABLE, s, 1)) == (240, -240)
    alone = compile_rules(load("call_partner_5"))
    s = ended(alone, 100, 100, 20, 20, 20)
    assert margin(alone, s, 0) == 4 * 100 - 160


def test_without_totals_it_is_points_that_count() -> None:
    s = ended(TABLE, 90, 30, 90, 30)
    assert outcome(TABLE, s, 2, SearchState()) == margin(TABLE, s, 2)


def test_a_match_that_is_over_is_won_or_lost() -> None:
    search = after_hands(250, 280, 250, 280)
    s = ended(TABLE, 90, 0, 90, 0)
    assert [outcome(TABLE, s, seat, search) for seat in range(4)] == [WHOLE, 0, WHOLE, 0]


@pytest.mark.parametrize("name", ["kd_tournament", "call_partner_5", "one_high_partnership"])
def test_a_better_standing_is_worth_more(name: str) -> None:
    table = compile_rules(load(name))
    chances = []
    for own in range(0, table.target, table.target // 6):
        search = SearchState()
        for seat in range(table.seats):
            search.after[seat] = own if table.partners[0] >> seat & 1 else table.target // 2
        chances.append(match_chance(table, 0, search))
    assert chances == sorted(chances)
    assert 0 <= chances[0] < chances[-1] <= WHOLE


def test_a_draw_is_shared_alike_and_time_makes_a_lead_worth_less() -> None:
    level, early, late = SearchState(), SearchState(), SearchState()
    level.after[:4] = [100] * 4
    early.after[:4] = [60, 0, 60, 0]
    late.after[:4] = [280, 220, 280, 220]
    assert match_chance(TABLE, 0, level) == WHOLE // 2
    assert WHOLE // 2 < match_chance(TABLE, 0, early) < match_chance(TABLE, 0, late)


MOON = {"base": "kd_tournament", "special_bids": [{"name": "moon", "value": 300}], "bid_step": 1}


def test_a_rollout_pays_the_moon_to_those_who_have_bid_it() -> None:
    """Defenders are expected to take 4 points more, which makes 120 of a bid of 116."""
    table = compile_rules(load(MOON))
    scores: dict[int, set[int]] = {bid: set() for bid in (115, 116, 117, 120)}
    for seed in range(60):
        hand = Hand.shuffled(load(MOON), 0, seed)
        seat = hand.state.turn
        for bid, found in scores.items():
            trial, seats = State(), [SeatInfo() for _ in range(PLACES)]
            search = SearchState(bid_noise=0, kinds=[SILENT_CLUB] * PLACES)
            action = BID + bid - table.bid_minimum
            closed = Hidden()
            trial_bid = play_to_the_lead(
                table, hand.state, hand.hidden, seat, action, trial, closed, seats, search
            )
            play_tricks(table, trial, closed, seats, search.kinds)
            trial.contract = trial_bid
            assert trial.contract >= bid
            if trial.contract == bid and trial.made:
                assert trial.points[seat] == 120
                found.add(trial.score[seat])
    assert scores == {115: {120}, 116: {120}, 117: set(), 120: {300}}
