"""Noticing a partner: what the bots that differ in it do, and how the difference is measured."""

from dataclasses import replace

import pytest

from rookery.bots.club.counting import ALONE, friends
from rookery.bots.dispatch import KERNELS, NUMBERS, decide_card, kind_of
from rookery.bots.menagerie import card_for_partner, leaves_it_to_partner
from rookery.bots.names import bot
from rookery.bots.seat_info import SeatInfo
from rookery.cards import parse_card
from rookery.engine.state import AUCTION, PLAY, State
from rookery.engine.targets import Target
from rookery.lab.duplicate.match import Match, Played
from rookery.lab.duplicate.result import difference_of, result_of
from rookery.lab.studies.question import CannotAsk, Plan, Setting
from rookery.lab.studies.questions import cooperation
from rookery.lab.studies.questions.cooperation import has_partners, meeting
from rookery.rules import catalog, load
from rookery.rules.table import compile_rules

TOURNAMENT = compile_rules(load("kd_tournament"))
OPTIONS = [name for name in NUMBERS if ":" in name]
PLAN = Plan((Setting("kd_tournament", load("kd_tournament")),), ("club",), 10, 1, "python")


def cards(*names: str) -> int:
    return sum(1 << parse_card(name) for name in names)


def third_hand(
    led_by_partner: str, second: str, *held: str, trump: int = 0
) -> tuple[State, SeatInfo]:
    """Return seat 3 on turn: seat 1, its partner, led; seat 2 has played."""
    table = TOURNAMENT
    s = State(phase=PLAY, turn=3, row=trump, call=trump, declarer=1, leader=1, trick_size=2)
    lead, other = parse_card(led_by_partner), parse_card(second)
    s.led = table.suit[trump * 57 + lead]
    s.trick[1], s.trick[2] = lead, other
    s.trick_cards = 1 << lead | 1 << other
    strengths = [table.strength[trump * 57 + card] for card in (lead, other)]
    s.best_place = 1 if strengths[0] > strengths[1] or other % 4 != lead % 4 else 2
    s.best = strengths[0 if s.best_place == 1 else 1]
    s.allies, s.sides_known = 0b1010, 1
    return s, SeatInfo(seat=3, hand=cards(*held), cards=cards(*held))


@pytest.mark.parametrize(
    ("held", "played", "expected"),
    [
        (("G6", "G14"), 2, "G6"),  # it does not beat its partner
        (("G14",), 2, None),  # it has to: nothing to be done
        (("G5", "G6", "G7"), 2, "G6"),  # no counter while a foe is still to play
        (("G5", "G7"), 3, "G5"),  # the last to play gives one
        (("G5", "G10", "Y14"), 3, "G10"),  # the one that is worth most
        (("G6", "G7"), 3, "G6"),
    ],
)
def test_a_card_to_a_partners_trick(
    held: tuple[str, ...], played: int, expected: str | None
) -> None:
    s, m = third_hand("G12", "G9", *held)
    s.trick_size = played
    m.cards = cards(*(card for card in held if card[0] == "G"))
    found = card_for_partner(TOURNAMENT, s, m)
    assert found == (-1 if expected is None else parse_card(expected))


def test_a_foes_trick_is_left_to_the_character() -> None:
    s, m = third_hand("G9", "G12", "G6", "G14")
    assert card_for_partner(TOURNAMENT, s, m) == -1
    noticing, plain = kind_of("papa:partner=noticed"), kind_of("papa")
    assert decide_card(TOURNAMENT, s, m, noticing) == decide_card(TOURNAMENT, s, m, plain)


def test_papa_beats_a_partner_unless_the_partner_is_noticed() -> None:
    s, m = third_hand("G12", "G9", "G6", "G14")
    assert decide_card(TOURNAMENT, s, m, kind_of("papa")) == parse_card("G14")
    assert decide_card(TOURNAMENT, s, m, kind_of("papa:partner=noticed")) == parse_card("G6")


@pytest.mark.parametrize(("bidder", "expected"), [(-1, False), (0, False), (1, True), (2, False)])
def test_a_partners_bid_is_left_alone(bidder: int, expected: bool) -> None:
    s = State(phase=AUCTION, turn=3, bidder=bidder, high=75, calls=3)
    assert leaves_it_to_partner(TOURNAMENT, s, SeatInfo(seat=3)) is expected


def test_who_ignores_a_partner_has_no_friends() -> None:
    s = State(phase=PLAY, turn=3, declarer=1, allies=0b1010, sides_known=1)
    m = SeatInfo(seat=3)
    assert friends(TOURNAMENT, s, m) == 0b1010
    m.memo[ALONE] = 1
    assert friends(TOURNAMENT, s, m) == 0b1000
    s.dummy, m.seat = 3, 1  # a dummy's cards are its own
    assert friends(TOURNAMENT, s, m) == 0b1010


def test_club_forgets_that_it_was_alone() -> None:
    """A seat's notes are wiped between hands; the next bot there must not inherit this one."""
    s, m = third_hand("G12", "G9", "G6", "G14")
    decide_card(TOURNAMENT, s, m, kind_of("club:partner=ignored"))
    assert m.memo[ALONE] == 1
    decide_card(TOURNAMENT, s, m, kind_of("club"))
    assert m.memo[ALONE] == 0


def test_the_bots_have_their_names() -> None:
    for name, kind in NUMBERS.items():
        assert bot(name).kernel == kind
        assert str(bot(name)) == name
    assert len(NUMBERS) == len(KERNELS) + 1  # a loner that gives no signals is a loner
    assert str(bot("papa:partner=ignored")) == "papa"
    assert bot("club:partner=noticed").kernel == kind_of("club")


def outcome(match: Match) -> Played:
    job = match.job("boards")
    return Played(match, tuple(int(n) for n in job.count(0, match.deals)), (), 0.0)


@pytest.mark.parametrize("name", catalog())
def test_all_of_them_play_by_the_rules(name: str) -> None:
    rules = load(name)
    for one in OPTIONS:
        lineup = (bot(one), bot("random"))
        assert result_of(outcome(Match(rules, name, lineup, 2, 6, target="python"))).illegal == 0


@pytest.mark.parametrize("name", OPTIONS)
def test_without_partners_there_is_nothing_to_notice(name: str) -> None:
    """`club` alone at the table is the one exception to be had, and it makes none."""
    rules = load("rook_1906")
    lineup = (bot(name), bot(name.partition(":")[0]))
    assert difference_of(outcome(Match(rules, "x", lineup, 12, 2, target="python"))) == (0, 0)
    assert not has_partners(rules)


def test_each_seat_of_a_pair_is_worth_a_part() -> None:
    plan = replace(PLAN, boards=60)
    (setting,) = plan.settings
    both = outcome(meeting(plan, setting, "hog", "both"))
    one = outcome(meeting(plan, setting, "hog", "one"))
    assert (both.match.rooms, one.match.rooms) == (2, 4)
    assert difference_of(both).mean > difference_of(one).mean > 0


def test_the_answer_of_a_small_run() -> None:
    settings = tuple(Setting(name, load(name)) for name in ("kd_tournament", "call_partner_5"))
    alone = Setting("rook_1906", load("rook_1906"))
    plan = replace(PLAN, settings=(*settings, alone), bots=("club", "papa"), boards=20)
    jobs = cooperation.jobs(plan)
    answer = cooperation.answer(plan, {job.name: job.count(0, 20) for job in jobs})
    table = answer.tables["cooperation"]
    assert table.select("rules", "bot", "noticing").rows() == [
        ("kd_tournament", "club", "both"),
        ("kd_tournament", "club", "one"),
        ("kd_tournament", "papa", "both"),
        ("kd_tournament", "papa", "one"),
        ("call_partner_5", "club", "one"),
        ("call_partner_5", "papa", "one"),
    ]
    assert max(map(len, answer.text.splitlines())) <= 80
    for row in table.iter_rows(named=True):
        mean, half = row["points_a_board"], row["points_a_board_ci95"]
        assert f" {mean:+.1f} \u00b1 {half:.1f}" in answer.text
    assert answer.draw()["cooperation.png"].startswith(b"\x89PNG")


def test_it_cannot_be_asked_of_everybody() -> None:
    with pytest.raises(CannotAsk, match="random cannot be told"):
        cooperation.jobs(replace(PLAN, bots=("random",)))
    with pytest.raises(CannotAsk, match="nobody has a partner"):
        cooperation.jobs(replace(PLAN, settings=(Setting("rook_1906", load("rook_1906")),)))


@pytest.mark.numba
@pytest.mark.slow
def test_compiled_code_plays_the_same() -> None:
    plays_the_same("numba", "rabbit")  # of all bots the one that is compiled soonest


@pytest.mark.parametrize("name", ["club", "rabbit"])
def test_the_library_plays_the_same(library: Target, name: str) -> None:
    plays_the_same(library, name)


def plays_the_same(target: Target, name: str) -> None:
    (setting,) = PLAN.settings
    job = meeting(PLAN, setting, name, "one").job("boards")
    assert (replace(job, target=target).count(0, 10) == job.count(0, 10)).all()
