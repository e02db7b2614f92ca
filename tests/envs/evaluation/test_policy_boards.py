"""Boards with a policy score alike however they are played, and a policy sees its seat's alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial, wraps

import numpy as np
import pytest
from tests.envs.evaluation.policies import Watching, steady, steady_many
from tests.envs.following import followed
from tests.envs.test_observation import exchange

from rookery.bots.names import bot
from rookery.engine.actions import REDEAL_DEMAND
from rookery.engine.targets import MissingTarget, native
from rookery.envs.evaluation.boards import PolicyBoards
from rookery.envs.evaluation.dealing import begin_boards, note_rooms
from rookery.envs.evaluation.policy import DrawnBot, Policy, PolicyBot, PolicyError
from rookery.envs.hands import Seen, observation_of
from rookery.envs.stepping import step_tables
from rookery.envs.tables import Numbers, Tables
from rookery.lab.duplicate.boards import BOARDS, DECISIONS, UNSCORED
from rookery.rules import catalog, load

try:
    native.check(step_tables, begin_boards, note_rooms)
    LIBRARY = True
except MissingTarget:
    LIBRARY = False

POOL = (bot("papa"), bot("random"), bot("karapet"))


def job(
    variant: str, mine: PolicyBot, *, partner: str = "self", target: str = "python", boards: int = 4
) -> PolicyBoards:
    """Return boards of a policy against `papa`, with itself, `club` or a drawn one opposite."""
    rules = load(variant)
    friend = {"self": mine, "club": bot("club"), "drawn": DrawnBot("drawn", pool=POOL)}[partner]
    line = [mine, *(friend if 2 * seat == rules.seats > 2 else bot("papa")
                    for seat in range(1, rules.seats))]  # fmt: skip
    return PolicyBoards("all", boards, rules, tuple(line), 5, 70, target)  # type: ignore[arg-type]


def sums_of(what: PolicyBoards) -> list[int]:
    """Return the sums of boards but for the decisions, of which less is counted in one way."""
    sums = what.count(0, what.units)
    assert sums[BOARDS] == what.units
    assert sums[DECISIONS] > 0
    sums[DECISIONS] = 0
    return [int(one) for one in sums]


@pytest.mark.parametrize("partner", ["self", "club", "drawn"])
@pytest.mark.parametrize(
    "variant",
    ["kd_tournament", "call_partner_5", "circus", "rook_two_1914", "display", "wanamingo"],
)
def test_tables_at_once_score_as_the_laboratory_does_one_action_at_a_time(
    variant: str, partner: str
) -> None:
    at_once = job(variant, PolicyBot("mine", policy=steady), partner=partner)
    assert at_once.compiled
    assert sums_of(at_once) == sums_of(replace(at_once, by_hand=True))


def test_a_hand_that_a_policy_has_dealt_again_counts_as_in_the_laboratory() -> None:
    def demanding(seen: Seen) -> int:
        may = seen["action_mask"][REDEAL_DEMAND]
        return REDEAL_DEMAND if may else steady(seen)

    at_once = job("kd_tournament", PolicyBot("mine", policy=demanding), boards=80)
    sums = sums_of(at_once)
    assert sums[UNSCORED] > 0
    assert sums == sums_of(replace(at_once, by_hand=True))


def last(seen: Seen) -> int:
    """Do the last thing that is legal."""
    return int(np.flatnonzero(seen["action_mask"])[-1])


def test_another_policy_scores_otherwise() -> None:
    """The control of the one above."""
    one, two = (job("kd_tournament", PolicyBot("mine", policy=p)) for p in (steady, last))
    assert sums_of(one) != sums_of(two)


def test_whoever_revokes_pays_also_where_all_others_are_compiled() -> None:
    rules = load({"base": "kd_tournament", "renege": "penalised"})
    at_once = replace(job("kd_tournament", PolicyBot("mine", policy=last)), rules=rules)
    assert sums_of(at_once) == sums_of(replace(at_once, by_hand=True))


@pytest.mark.skipif(not LIBRARY, reason="needs the native library, built from these sources")
@pytest.mark.parametrize("variant", catalog())
def test_the_native_library_scores_as_plain_python_does(variant: str) -> None:
    plain = job(variant, PolicyBot("mine", policy=steady), partner="drawn", boards=3)
    assert sums_of(plain) == sums_of(
        replace(job(variant, PolicyBot("mine", policy=steady), partner="drawn", boards=3),
                target="native")
    )  # fmt: skip


def test_many_at_once_are_the_same_as_one_by_one() -> None:
    one = job("kd_tournament", PolicyBot("mine", policy=steady))
    many = job("kd_tournament", PolicyBot("mine", policy=steady_many, batched=True))
    assert sums_of(one) == sums_of(many)


def test_cut_into_other_pieces_the_sums_are_the_same() -> None:
    whole = job("kd_tournament", PolicyBot("mine", policy=steady), boards=6)
    parts = whole.count(0, 4) + whole.count(4, 1) + whole.count(5, 1)
    assert parts.tolist() == whole.count(0, 6).tolist()


# What a policy sees.


@pytest.mark.parametrize("by_hand", [False, True])
def test_a_policy_is_given_two_arrays_of_its_own(by_hand: bool) -> None:
    watching = Watching()
    what = replace(
        job("kd_tournament", PolicyBot("mine", policy=watching), boards=2), by_hand=by_hand
    )
    what.count(0, 2)
    assert len(watching.given) > 40
    for seen in watching.given:
        assert set(seen) == {"observation", "action_mask"}
        assert all(array.base is None and array.dtype == np.int8 for array in seen.values())
        assert (seen["observation"].shape, seen["action_mask"].shape) == ((912,), (218,))


@pytest.mark.parametrize("batched", [False, True])
def test_a_policy_that_takes_its_seat_is_told_it(batched: bool) -> None:
    """Of two players, nothing else says which of the two who may lead first one is oneself."""
    rules = load({"base": "rook_two_1914", "first_lead": "declarer_chooses"})
    honest = steady_many if batched else steady
    told: list[tuple[bytes, int]] = []

    def watching(seen: Seen, *, seat: int | Numbers) -> object:
        rows, seats = np.atleast_2d(seen["observation"]), np.atleast_1d(seat)
        told.extend((row.tobytes(), int(one)) for row, one in zip(rows, seats, strict=True))
        return honest(seen)

    found = []
    for policy, by_hand in ((honest, False), (watching, False), (watching, True)):
        mine = PolicyBot("mine", policy=policy, batched=batched)
        what = replace(job("rook_two_1914", mine), rules=rules, by_hand=by_hand)
        found.append((sums_of(what), sorted(told)))
        told.clear()
    assert found[0] == (found[1][0], [])
    assert found[1] == found[2]
    assert {seat for _, seat in found[1][1]} == {0, 1}


@pytest.mark.parametrize("batched", [False, True])
def test_what_it_writes_into_them_changes_nothing(batched: bool) -> None:
    honest = steady_many if batched else steady

    def vandal(seen: Seen) -> object:
        answer = honest(seen)
        for array in seen.values():
            array[...] = 1
        return answer

    boards = [
        job("kd_tournament", PolicyBot("mine", policy=policy, batched=batched))
        for policy in (honest, vandal)
    ]
    assert sums_of(boards[0]) == sums_of(boards[1])


@pytest.mark.parametrize("by_hand", [False, True])
@pytest.mark.parametrize("batched", [False, True])
def test_who_allows_itself_everything_is_refused_all_the_same(batched: bool, by_hand: bool) -> None:
    def bold(seen: Seen) -> object:
        seen["action_mask"][...] = 1
        return np.full(len(seen["action_mask"]), 217) if batched else 217

    mine = PolicyBot("mine", policy=bold, batched=batched)
    with pytest.raises(PolicyError, match="action 217 is not legal here; expected one that its"):
        replace(job("kd_tournament", mine), by_hand=by_hand).count(0, 4)


@pytest.mark.parametrize("variant", catalog())
def test_of_a_hand_it_sees_what_an_environment_shows_and_nothing_hidden(variant: str) -> None:
    """Cards that the seat cannot see are exchanged: what it is given stays the same."""
    tables = Tables(variant, target="python")
    compared = told = 0
    for seed in range(2):
        tables.begin(seed)
        for hand in followed(tables, 120):
            if hand.over:
                break
            seat, hidden = int(tables.seats[0]), hand._hidden
            seen = observation_of(hand)
            assert (seen["observation"] == tables.observations[0]).all()
            assert (seen["action_mask"] == tables.masks[0]).all()
            places = [p for p in range(hand.rules.seats) if p not in (seat, hand.state.dummy)]
            held = [hidden.hand[place] & ~hand.state.face_up for place in places]
            if len(held) < 2 or not held[0] or not held[-1]:
                continue
            cards = (held[0] & -held[0]) | (held[-1] & -held[-1])
            exchange(hidden, places, cards)
            other = observation_of(hand)
            assert all((seen[name] == other[name]).all() for name in seen)
            hidden.hand[seat] ^= cards  # the control: what it holds itself it does see
            told += bool((observation_of(hand)["observation"] != seen["observation"]).any())
            hidden.hand[seat] ^= cards
            exchange(hidden, places, cards)
            compared += 1
    assert told == compared > 10 or hand.rules.seats == 2


def test_nothing_is_shown_of_a_hand_that_is_over() -> None:
    tables = Tables("kd_tournament", target="python")
    tables.begin(1)
    *_, last = followed(tables, 200)
    with pytest.raises(ValueError, match="the hand is over; expected one in which somebody"):
        observation_of(last)


# What a policy may answer.


def crash(seen: object) -> int:
    raise ZeroDivisionError("no reason")


def filled(number: float) -> Policy:
    """Return a batched policy that answers the same everywhere."""
    return lambda seen: np.full(len(seen["action_mask"]), number)


NOT_LEGAL = "action {} is not legal here; expected one that its action_mask allows: "
WHOLE = "expected a whole number, an action that action_mask allows"
ROWS = r"of shape \(\d,\), an action for each row of action_mask"
WRONG: list[tuple[Policy, bool, str]] = [
    (lambda seen: 217, False, NOT_LEGAL.format(217)),
    (lambda seen: -1, False, NOT_LEGAL.format(-1)),
    (lambda seen: 10**30, False, NOT_LEGAL.format(10**30)),
    (lambda seen: "pass", False, rf"answered 'pass' \(str\); {WHOLE}"),
    (lambda seen: None, False, rf"answered None \(NoneType\); {WHOLE}"),
    (lambda seen: 57.0, False, rf"answered 57.0 \(float\); {WHOLE}"),
    (lambda seen: True, False, rf"answered True \(bool\); {WHOLE}"),
    (lambda seen: np.zeros(3), False, rf"answered array.* \(ndarray\); {WHOLE}"),
    (lambda seen: 58, True, rf"answered int64 of shape \(\); expected whole numbers {ROWS}"),
    (filled(57.0), True, rf"answered float64 of shape \(\d,\); expected whole numbers {ROWS}"),
    (lambda seen: [[57], [57, 58]], True, rf"answered object of shape \(\); expected .* {ROWS}"),
    (filled(217), True, NOT_LEGAL.format(217)),
    (crash, False, "ZeroDivisionError: no reason"),
    (crash, True, "ZeroDivisionError: no reason"),
]  # fmt: skip


@pytest.mark.parametrize("by_hand", [False, True])
@pytest.mark.parametrize(("policy", "batched", "words"), WRONG, ids=range(len(WRONG)))
def test_a_wrong_answer_is_one_error_that_names_the_mask(
    policy: Policy, batched: bool, words: str, by_hand: bool
) -> None:
    mine = PolicyBot("mine", policy=policy, batched=batched)
    with pytest.raises(PolicyError, match=f"^policy mine: {words}") as why:
        replace(job("kd_tournament", mine), by_hand=by_hand).count(0, 4)
    assert "\n" not in str(why.value)


@pytest.mark.parametrize("kind", [np.int64, np.uint8, np.array])
def test_numbers_of_numpy_are_numbers(kind: Callable[[int], object]) -> None:
    def wrapped(seen: Seen) -> object:
        return kind(steady(seen))

    made = job("kd_tournament", PolicyBot("mine", policy=wrapped))
    assert sums_of(made) == sums_of(job("kd_tournament", PolicyBot("mine", policy=steady)))


def _of_before() -> list[Policy]:
    """Return policies that 1.0.0 took as they are, though a `seat` is named somewhere in them."""

    def chosen(seen: Seen, seat: int = 2) -> object:
        assert seat == 2
        return steady(seen)

    @wraps(lambda seen, seat: steady(seen))
    def wrapped(seen: Seen) -> object:
        return steady(seen)

    def oddly(seat: Seen) -> object:
        return steady(seat)

    return [chosen, partial(chosen, seat=2), wrapped, oddly]


@pytest.mark.parametrize("number", range(4))
def test_a_policy_that_can_do_without_its_seat_is_asked_as_ever(number: int) -> None:
    plain, same = (PolicyBot("mine", policy=one) for one in (steady, _of_before()[number]))
    assert sums_of(job("rook_two_1914", same)) == sums_of(job("rook_two_1914", plain))
