"""What rules do to a hand: each quantity against a second, plainer count, and against its laws."""

import pickle
from dataclasses import replace
from functools import partial
from math import isnan

import numpy as np
import pytest

from rookery.bots.dispatch import kind_of, play_out
from rookery.bots.seat_info import SeatInfo, clear_notes
from rookery.cards import CARDS, ROOK
from rookery.engine.deal import deal
from rookery.engine.state import DONE, PLAY, Hidden, State
from rookery.engine.targets import Target
from rookery.lab.duplicate.boards import draw_board, sides_of
from rookery.lab.run.programs import program
from rookery.lab.studies.questions import measure as at
from rookery.lab.studies.questions import rule_sets
from rookery.lab.studies.questions.quantities import QUANTITIES
from rookery.lab.studies.questions.rule_sets import RuleSets
from rookery.rules import catalog, load
from rookery.rules.table import PLACES, RuleTable, compile_rules

CLUB, PAPA, HOG, RABBIT = map(kind_of, ("club", "papa", "hog", "rabbit"))
BOARDS = 12


def job(*names: str, boards: int = BOARDS, bots: tuple[int, int] = (CLUB, PAPA)) -> RuleSets:
    return RuleSets("job", tuple(map(load, names)), boards, bots, 5, target="python")


def totals(one: RuleSets) -> list[int]:
    sums = one.count(0, one.units).reshape(-1, at.WIDTH)
    return [int(number) for number in sums.sum(axis=0)]


def margins(table: RuleTable, scores: list[int]) -> list[int]:
    """Return every seat's margin, by sides and nothing else."""
    sides = sorted({table.partners[seat] for seat in range(table.seats)})
    of_side = {side: scores[(side & -side).bit_length() - 1] for side in sides}
    whole = sum(of_side.values())
    return [
        len(sides) * of_side[table.partners[seat]] - whole for seat in range(table.seats)
    ]  # fmt: skip


def played(table: RuleTable, board: int, dealer: int, kinds: list[int]) -> tuple[State, Hidden]:
    """Return a hand of the board, and the cards as they were dealt."""
    s, h = State(), Hidden()
    mine = [SeatInfo() for _ in range(PLACES)]
    dice, order = [0] * PLACES, [0] * CARDS
    draw_board(table, s, h, dice, order, 5, board)
    deal(table, s, h, order, dealer)
    dealt = Hidden(hand=list(h.hand), nest=h.nest)
    for seat in range(table.seats):
        mine[seat].rng = dice[seat]
        clear_notes(mine[seat])
    play_out(table, s, h, mine, kinds)
    return s, dealt


@pytest.mark.parametrize("name", ["kd_tournament", "call_partner_5", "rook_three_1914", "dixie_6"])
def test_a_row_is_what_the_hands_themselves_say(name: str) -> None:
    table = compile_rules(load(name))
    expected = [0] * at.WIDTH
    for board in range(BOARDS):
        expected[at.BOARDS] += 1
        for dealer in range(table.seats):
            s, dealt = played(table, board, dealer, [CLUB] * PLACES)
            assert s.phase == DONE
            expected[at.ROOMS] += 1
            expected[at.CONTRACTS] += 1
            expected[at.MADE] += s.made
            expected[at.BID] += s.contract
            expected[at.TAKEN] += s.points[s.declarer]
            for seat, margin in enumerate(margins(table, s.score)):
                expected[at.SQUARES] += margin**2
                expected[at.SEAT_MARGIN + (seat - dealer - 1) % table.seats] += margin
                if dealt.hand[seat] >> ROOK & 1:
                    expected[at.ROOK_HELD] += 1
                    expected[at.ROOK_MARGIN] += margin
        rooms = []
        for side in dict.fromkeys(table.partners[seat] for seat in range(table.seats)):
            kinds = [CLUB if side >> seat & 1 else PAPA for seat in range(PLACES)]
            s, _ = played(table, board, board % table.seats, kinds)
            rooms.append(margins(table, s.score))
            expected[at.DUEL_ROOMS] += 1
            expected[at.DUEL_MARGIN] += rooms[-1][(side & -side).bit_length() - 1]
        for seat in range(table.seats):
            own = [room[seat] for room in rooms]
            expected[at.DUEL_SQUARES] += sum(x * x for x in own)
            expected[at.DUEL_SHARED] += sum(own) ** 2 - sum(x * x for x in own)
    found = totals(job(name))
    for place in range(at.LEADS, at.DUEL_ROOMS):
        expected[place] = found[place]  # the special rooms have tests of their own
    assert found == expected


def declared(table: RuleTable, room: int) -> tuple[State, Hidden, Hidden]:
    s, h = State(), Hidden()
    mine = [SeatInfo() for _ in range(PLACES)]
    dice, order = [0] * PLACES, [0] * CARDS
    draw_board(table, s, h, dice, order, 5, 3)
    deal(table, s, h, order, 1)
    dealt = Hidden(hand=list(h.hand), nest=h.nest)
    at.declare(table, s, h, mine, [CLUB] * PLACES, room)
    assert s.phase == PLAY
    return s, h, dealt


@pytest.mark.parametrize("name", ["kd_tournament", "one_low_180", "rook_three_1914", "display"])
def test_the_lead_is_passed_on_and_nothing_else(name: str) -> None:
    table = compile_rules(load(name))
    s, h, _ = declared(table, at.PLAIN)
    moved, same, _ = declared(table, at.LEAD_ON)
    assert moved.turn == moved.leader == (s.turn + 1) % table.seats
    assert (same.hand, same.nest, moved.row) == (h.hand, h.nest, s.row)


@pytest.mark.parametrize("name", ["kd_tournament", "one_low_180", "rook_three_1914", "circus"])
def test_the_nest_is_left_as_it_was_dealt(name: str) -> None:
    table = compile_rules(load(name))
    s, h, dealt = declared(table, at.NEST_LEFT)
    assert h.nest == dealt.nest
    assert h.hand[s.declarer] == dealt.hand[s.declarer]
    taken, _, _ = declared(table, at.PLAIN)
    assert (taken.declarer, taken.contract) == (s.declarer, s.contract)


@pytest.mark.parametrize("name", catalog())
def test_margins_of_all_seats_cancel(name: str) -> None:
    found = totals(job(name, boards=2))
    assert sum(found[at.SEAT_MARGIN : at.SEAT_MARGIN + 8]) == 0
    assert found[at.BOARDS] == 2
    seats = load(name).seats
    assert found[at.ROOMS] + found[at.UNSCORED] == 2 * seats


def test_what_the_rules_do_not_have_has_no_value() -> None:
    one = job("kd_original", "regular_partnership", "kd_tournament")
    original, regular, tournament = one.measured(one.count(0, BOARDS))
    assert isnan(original.figure(QUANTITIES["rook"]).mean)
    assert isnan(regular.figure(QUANTITIES["nest"]).mean)
    assert isnan(tournament.figure(QUANTITIES["seat_5"]).mean)
    assert tournament.figure(QUANTITIES["rook"]).known


def test_equal_bots_are_level_on_every_board() -> None:
    found = totals(job("kd_tournament", bots=(CLUB, CLUB)))
    # Both rooms of a board are then the same hand, seen from either side.
    assert found[at.DUEL_MARGIN] == 0
    assert found[at.DUEL_SHARED] == found[at.DUEL_SQUARES] > 0
    one = job("kd_tournament", bots=(CLUB, CLUB))
    (measured,) = one.measured(one.count(0, BOARDS))
    assert measured.figure(QUANTITIES["luck"]).mean == pytest.approx(100)
    assert measured.figure(QUANTITIES["skill"]).mean == 0


def test_luck_is_the_share_of_the_deal() -> None:
    """Hands made up of a deal's part, the better bot's edge and noise, for any number of sides."""
    rng = np.random.default_rng(1)
    for sides in (2, 3, 5):
        boards, edge = 40_000, 30.0
        luck = rng.normal(0, 60, (boards, sides))
        luck -= luck.mean(axis=1, keepdims=True)
        rows = np.zeros(at.WIDTH)
        summed = np.zeros((boards, sides))
        squares = 0.0
        for strong in range(sides):
            noise = rng.normal(0, 40, (boards, sides))
            y = luck + noise - noise.mean(axis=1, keepdims=True) - edge / (sides - 1)
            y[:, strong] += edge + edge / (sides - 1)
            rows[at.DUEL_MARGIN] += y[:, strong].sum()
            squares += float((y**2).sum())
            summed += y
        rows[at.DUEL_ROOMS] = boards * sides
        rows[at.DUEL_SQUARES] = squares
        rows[at.DUEL_SHARED] = (summed**2).sum() - squares
        partners = [1 << seat for seat in range(PLACES)]
        table = replace(compile_rules(load("kd_tournament")), seats=sides, partners=partners)
        share = 3600 * (sides - 1) / sides
        mean_square = share + 1600 * (sides - 1) / sides + edge**2 / (sides - 1)
        found = QUANTITIES["luck"].formula(table, rows)
        assert found == pytest.approx(100 * share / mean_square, abs=1.0)


@pytest.mark.parametrize(("name", "others"), [("kd_tournament", 1), ("rook_three_1914", 2)])
def test_each_quantity_is_the_mean_or_the_share_that_it_says(name: str, others: int) -> None:
    """Sums of planted hands; margins are counted times the number of the others."""
    table, rng = compile_rules(load(name)), np.random.default_rng(2)
    margins = rng.integers(-90, 90, (50, table.seats)).astype(float)
    made, bids, taken = rng.random(40) < 0.6, rng.integers(70, 120, 40), rng.integers(0, 120, 40)
    rows = np.zeros(at.WIDTH)
    rows[[at.ROOMS, at.UNSCORED, at.CONTRACTS]] = 50, 7, 40
    rows[[at.MADE, at.BID, at.TAKEN]] = made.sum(), bids.sum(), taken.sum()
    rows[at.SQUARES] = (margins**2).sum() * others**2
    rows[at.SEAT_MARGIN : at.SEAT_MARGIN + table.seats] = margins.sum(axis=0) * others
    rows[[at.ROOK_MARGIN, at.ROOK_HELD]] = 330 * others, 30
    rows[[at.LEAD_GAIN, at.LEADS]] = -480 * others, 40
    rows[[at.NEST_TAKEN, at.NEST_GAIN, at.NESTS]] = 900, 1500 * others, 30
    rows[[at.DUEL_MARGIN, at.DUEL_ROOMS]] = margins[:, 0].sum() * others, 50
    rows[at.DUEL_SQUARES] = (margins**2).sum() * others**2
    expected = {
        **{"made": 100 * made.mean(), "contract": bids.mean(), "taken": taken.mean()},
        **{"passed_out": 100 * 7 / 57, "spread": (margins**2).mean() ** 0.5},
        **{"rook": 11, "lead": -12, "nest": 30, "nest_score": 50},
        **{f"seat_{seat + 1}": margins[:, seat].mean() for seat in range(table.seats)},
        **{"ahead": margins[:, 0].mean()},
        **{"skill": margins[:, 0].mean() / (margins**2).mean() ** 0.5},
    }
    found = {key: float(QUANTITIES[key].formula(table, rows)) for key in expected}
    assert found == pytest.approx(expected)


def test_boards_may_be_counted_in_parts_and_further_on() -> None:
    one = job("kd_tournament", "kd_full_57")
    whole = one.count(0, BOARDS)
    assert (one.count(0, 5) + one.count(5, BOARDS - 5) == whole).all()
    assert not one.count(0, 0).any()
    later = replace(one, skip=7)
    rows = one.count(7, 1).reshape(2, BOARDS, at.WIDTH)[:, 7]
    assert (later.count(0, 1).reshape(2, BOARDS, at.WIDTH)[:, 0] == rows).all()


def test_a_job_travels() -> None:
    one = job("kd_tournament", "call_partner_5", boards=2)
    assert one.count(0, 2).any()
    away = pickle.loads(pickle.dumps(one))  # noqa: S301  (our own)
    assert (away.count(0, 2) == one.count(0, 2)).all()


def test_the_number_of_sides_is_the_unit() -> None:
    for name in ("kd_tournament", "call_partner_5", "rook_1906_8"):
        table = compile_rules(load(name))
        assert at.unit(table) == sides_of(table) - 1


def test_the_library_counts_the_same_under_every_rule_set(library: Target) -> None:
    one = RuleSets("all", tuple(map(load, catalog())), 2, (CLUB, HOG), 9, target=library)
    assert (one.count(0, 2) == replace(one, target="python").count(0, 2)).all()


@pytest.mark.numba
@pytest.mark.slow
def test_numba_counts_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    # For these rules and bots alone: code for all of them takes minutes to compile.
    monkeypatch.setattr(rule_sets, "program", partial(program, kinds=frozenset([RABBIT, HOG])))
    one = RuleSets("one", (load("call_partner_5"),), 20, (RABBIT, HOG), 9)
    assert (one.count(0, 20) == replace(one, target="python").count(0, 20)).all()
