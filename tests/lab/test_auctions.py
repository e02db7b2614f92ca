"""What hands are worth: values that were planted are found, and stops follow from the scores."""

from dataclasses import replace
from functools import partial

import numpy as np
import polars as pl
import pytest

from rookery.bots.club.calls import best_call
from rookery.bots.dispatch import KERNELS, kind_of, play_out
from rookery.bots.seat_info import SeatInfo, clear_notes
from rookery.cards import CARDS, parse_card
from rookery.engine.auction import force
from rookery.engine.deal import deal
from rookery.engine.state import Hidden, State
from rookery.engine.targets import Target
from rookery.lab.duplicate.boards import draw_board
from rookery.lab.run.programs import program
from rookery.lab.studies.question import CannotAsk, Plan, Setting
from rookery.lab.studies.questions import auctions, hand_worth
from rookery.lab.studies.questions import hand_value as at
from rookery.lab.studies.questions.hand_worth import HandValues, Worth
from rookery.rules import catalog, load
from rookery.rules.table import PLACES, RuleTable, compile_rules

CLUB = kind_of("club")


def job(name: str, units: int = 24) -> HandValues:
    return HandValues(name, load(name), units, CLUB, 3, target="python")


def taken(table: RuleTable, kind: int, contract: int) -> list[int]:
    s, h = State(), Hidden()
    mine = [SeatInfo() for _ in range(PLACES)]
    dice, order = [0] * PLACES, [0] * CARDS
    found = []
    for board in range(4):
        draw_board(table, s, h, dice, order, 3, board)
        deal(table, s, h, order, board % table.seats)
        for seat in range(table.seats):
            mine[seat].rng = dice[seat]
            clear_notes(mine[seat])
        force(table, s, h, 1)
        s.high = s.contract = contract
        play_out(table, s, h, mine, [kind] * PLACES)
        found.append(s.points[1])
    return found


@pytest.mark.parametrize("kind", range(len(KERNELS)))
@pytest.mark.parametrize("name", ["kd_tournament", "call_partner_5"])
def test_no_bot_looks_at_the_contract_while_it_plays(name: str, kind: int) -> None:
    """One played hand tells of all contracts only because this is so."""
    table = compile_rules(load(name))
    assert taken(table, kind, table.bid_minimum) == taken(table, kind, table.bid_maximum)


def test_a_row_names_the_places_of_the_cards() -> None:
    table = compile_rules(load("kd_tournament"))
    row = [0] * at.ROW
    hand = sum(1 << parse_card(card) for card in ("RK", "R14", "R5", "G14", "G13", "B14"))
    at.fill_row(table, hand, 0, row)
    held = {i: count for i, count in enumerate(row) if count}
    assert held == {
        at.ONE: 1,
        at.TRUMPS: 1,
        at.TRUMPS + 1: 1,
        at.TRUMPS + 10: 1,
        at.SIDE: 2,
        at.SIDE + 1: 1,
    }
    names = job("kd_tournament").worth(job("kd_tournament").count(0, 0)).place_names
    assert [names[place] for place in held] == ["start", "RK", "14", "5", "14", "13"]


def test_planted_card_values_are_found() -> None:
    rng = np.random.default_rng(2)
    places = [at.TRUMPS, at.TRUMPS + 1, at.SIDE, at.SIDE + 1, at.SIDE + 2]
    truth = [23, 11, 6, 2, 0]
    products = np.zeros((40, at.ROW, at.ROW), np.int64)
    for block in products:
        for _ in range(200):
            row = np.zeros(at.ROW, np.int64)
            row[at.ONE] = 1
            row[places] = rng.multinomial(9, [0.1, 0.1, 0.2, 0.2, 0.4])
            row[at.TAKEN] = 40 + row[places] @ truth + rng.integers(-30, 31)
            block += np.triu(np.outer(row, row))
    sums = np.zeros((at.STRENGTHS, at.CELLS), np.int64)
    stops = np.zeros((40, at.STRENGTHS, at.STOPS), np.int64)
    worth = Worth("planted", load("kd_tournament"), products, stops, sums)
    assert worth.places == [at.ONE, *places[:-1]]
    for place, value in zip(worth.places, [40, *truth], strict=False):
        found = worth.values[place]
        assert abs(found.mean - value) < 2 * found.ci95
        assert found.ci95 < 3
    variance = np.var(np.arange(-30, 31))
    cards = rng.multinomial(9, [0.1, 0.1, 0.2, 0.2, 0.4], 100_000) @ truth
    assert worth.explained == pytest.approx(cards.var() / (cards.var() + variance), abs=0.03)


def planted_stops(margins: list[list[int]]) -> Worth:
    """Return one strength whose hands, a block each, score these margins by where one stops."""
    rules = load("kd_tournament")
    stops = np.zeros((len(margins), at.STRENGTHS, at.STOPS), np.int64)
    for block, row in zip(stops, margins, strict=True):
        block[10, at.HANDS] = 100
        block[10, at.STOPPED : at.STOPPED + len(row)] = np.array(row) * 100
    sums = np.zeros((at.STRENGTHS, at.CELLS), np.int64)
    sums[10, at.HANDS] = 100 * len(margins)
    return Worth("planted", rules, np.zeros((len(margins), at.ROW, at.ROW), np.int64), stops, sums)


def test_the_best_stop_and_what_may_be_as_good() -> None:
    bids = 11  # 70 to 120
    margins = [[0, *[10] * 3, 30, 33 - 7 * (n % 2), *[5] * (bids - 5)] for n in range(40)]
    (one,) = planted_stops(margins).strengths
    assert [stop.bid for stop in one.stops] == [None, *range(70, 125, 5)]
    low, high = one.as_good
    assert (one.best.bid, low.bid, high.bid) == (85, 85, 90)
    assert one.best.gain.mean == 30
    assert one.stops[0].gain == (0, 0)
    assert one.best.short == (0, 0)


@pytest.mark.parametrize("name", ["kd_tournament", "buckeye", "call_partner_4"])
def test_half_of_the_hands_took_less_than_the_middle_and_none_more_than_all(name: str) -> None:
    rules = load(name)
    sums = np.zeros((at.STRENGTHS, at.CELLS), np.int64)
    for points in range(0, rules.total_points + 5, 5):  # each as often
        sums[10, at.TOOK + points * at.PARTS // rules.total_points] += 100
    sums[10, at.HANDS] = sums[10, at.TOOK :].sum()
    sums[11, [at.HANDS, at.TOOK + at.PARTS]] = 100  # always all
    stops = np.zeros((40, at.STRENGTHS, at.STOPS), np.int64)
    stops[:, 10:12, at.HANDS] = 1
    products = np.zeros((40, at.ROW, at.ROW), np.int64)
    even, all_of_them = Worth("planted", rules, products, stops, sums).strengths
    assert even.quantiles[2] == pytest.approx(rules.total_points / 2, abs=2)
    assert even.quantiles[0] + even.quantiles[-1] == pytest.approx(rules.total_points, abs=3)
    assert all_of_them.quantiles[2:] == (rules.total_points,) * 3


def test_passing_may_be_best() -> None:
    (one,) = planted_stops([[0, *[-10] * 11] for _ in range(40)]).strengths
    assert one.best.bid is None
    assert one.as_good == (one.best, one.best)


@pytest.mark.parametrize("name", ["kd_tournament", "rook_1906_8", "call_partner_5"])
def test_what_is_counted_adds_up(name: str) -> None:
    one = job(name)
    sums = one.count(0, one.units)
    worth = one.worth(sums)
    assert worth.hands == one.units
    assert worth.stops[:, :, at.HANDS].sum() == one.units
    assert worth.sums[:, at.TOOK : at.TOOK + at.PARTS + 1].sum() == one.units
    made = worth.sums[:, at.MADE :]
    assert (np.diff(made, axis=1) <= 0).all()  # whoever makes a bid makes the lower ones too
    whole = worth.products.sum(axis=0)
    assert whole[at.ONE, at.ONE] == one.units
    held = whole[at.ONE, at.TRUMPS : at.TAKEN].sum()
    assert held == one.units * load(name).hand_size
    assert whole[at.ONE, at.TAKEN] == worth.sums[:, at.POINTS].sum()
    assert (one.count(0, 9) + one.count(9, one.units - 9) == sums).all()


def test_the_limit_of_a_rival_is_asked_of_the_bot_itself() -> None:
    table = compile_rules(load("kd_tournament"))
    s, h, m = State(), Hidden(), SeatInfo()
    dice, order = [0] * PLACES, [0] * CARDS
    limits = []
    for board in range(30):
        draw_board(table, s, h, dice, order, 3, board)
        deal(table, s, h, order, 0)
        hope = best_call(table, h.hand[1], table.calls, 1) >> 4
        limits.append((hope, at.limit_of(table, s, h, m, CLUB, 1, 0)))
        assert at.limit_of(table, s, h, m, CLUB, 1, 0) == limits[-1][1]
    limits.sort()
    assert [limit for _, limit in limits] == sorted(limit for _, limit in limits)
    assert len({limit for _, limit in limits}) > 2


@pytest.mark.slow
def test_the_answer_of_a_small_run() -> None:
    plan = Plan((Setting("kd_tournament", load("kd_tournament")),), ("club",), 700, 1, "python")
    (one,) = auctions.jobs(plan)
    sums = one.count(0, plan.boards)
    worth = replace(job("kd_tournament", plan.boards), seed=1).worth(sums)
    answer = auctions.answer(plan, {one.name: sums})
    assert max(map(len, answer.text.splitlines())) <= 80
    values = answer.tables["card-values"]
    rook = values.row(by_predicate=pl.col("card") == "RK", named=True)
    assert 10 < rook["points"] < 35
    kinds = {kind: own["place"].to_list() for (kind,), own in values.group_by("kind")}
    assert set(kinds) == {"start", "trump", "other"}
    assert kinds.pop("start") == [0]
    assert all(places == [*range(1, len(places) + 1)] for places in kinds.values())
    assert rook["points_ci95"] > 0
    assert set(answer.tables) == {"card-values", "strengths", "stops"}
    strengths = answer.tables["strengths"]
    assert strengths["hands"].to_list() == [one.hands for one in worth.strengths] != []
    assert strengths["taken"].is_sorted()
    assert all(picture.startswith(b"\x89PNG") for picture in answer.draw().values())


def test_few_boards_say_that_they_are_few() -> None:
    plan = Plan((Setting("kd_tournament", load("kd_tournament")),), ("club",), 3, 1, "python")
    (one,) = auctions.jobs(plan)
    answer = auctions.answer(plan, {one.name: one.count(0, plan.boards)})
    assert "too few boards to say up to where to bid" in answer.text
    assert answer.draw()["stopping-bids.png"].startswith(b"\x89PNG")


def test_one_bot_plays_all_seats() -> None:
    plan = Plan((Setting("kd_tournament", load("kd_tournament")),), ("club", "papa"), 10, 1)
    with pytest.raises(CannotAsk, match="2 bots; expected 1"):
        auctions.jobs(plan)
    with pytest.raises(CannotAsk, match="target cuda"):
        auctions.jobs(replace(plan, bots=("club",), target="cuda"))


@pytest.mark.slow
def test_the_library_counts_the_same_under_every_rule_set(library: Target) -> None:
    for name in catalog():
        one = replace(job(name, units=3), target=library)
        assert (one.count(0, 3) == replace(one, target="python").count(0, 3)).all(), name


@pytest.mark.numba
@pytest.mark.slow
def test_numba_counts_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    # For these rules and this bot alone: code for all of them takes minutes to compile.
    monkeypatch.setattr(hand_worth, "program", partial(program, kinds=frozenset([CLUB])))
    one = replace(job("call_partner_5"), target="numba")
    assert (one.count(0, 24) == replace(one, target="python").count(0, 24)).all()
