"""OpenSpiel's own tests of a game, on every variant, and what is said of what it cannot be."""

from __future__ import annotations

import copy
import json
import pickle
from itertools import chain
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("pyspiel")

import pyspiel
from tests.envs.spiel import seen_by, walk

import rookery.envs.open_spiel
from rookery.engine.state import PHASES
from rookery.envs.observations.compact import places_of
from rookery.envs.open_spiel.setting import most_decisions, most_points, number_of_deals
from rookery.envs.open_spiel.state import RookState
from rookery.game import Hand
from rookery.rules import catalog, load
from rookery.rules.table import compile_rules

__all__ = ["rookery"]  # registers the games


@pytest.mark.parametrize(
    "name", [*(f"rook(deals=8,rules={name})" for name in catalog()), "mini_rook"]
)
def test_it_passes_openspiels_test_of_random_play(name: str) -> None:
    """Clones, histories, texts of states, masks, observations and sums, after every action."""
    game = pyspiel.load_game(name)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", catalog())
def test_a_game_is_a_hand_and_is_worth_its_margin(name: str) -> None:
    rules = load(name)
    game = pyspiel.load_game(f"rook(deals=50,rules={name},seed=7)")
    assert game.num_players() == rules.seats
    for seed in range(5):
        state = list(walk(game, seed))[-1]
        history = state.history()
        assert len(history) <= 1 + most_decisions(rules)
        assert state.returns() == state.rewards()
        assert sum(state.returns()) == 0
        assert max(map(abs, state.returns())) <= most_points(rules)
        hand = Hand.shuffled(rules, 0, 7 + seed)
        if hand.over:
            continue  # dealt again
        for action in history[1:]:
            hand = hand.do(action)
        assert hand.over
        if hand.score is None:
            assert not any(state.returns())
        else:
            scores = np.array(hand.score)
            others = len(set(compile_rules(rules).partners[: rules.seats])) - 1
            mine = compile_rules(rules).partners[0].bit_count()
            expected = scores * others - (scores.sum() - scores * mine) / mine
            assert state.returns() == pytest.approx(expected.tolist())


def test_a_state_can_be_copied_kept_and_made_again() -> None:
    game = pyspiel.load_game("rook(rules=circus)")
    assert pickle.loads(pickle.dumps(game)).setting.rules == game.setting.rules  # noqa: S301
    for state in walk(game, 3):
        again = game.new_initial_state()
        for action in state.history():
            again.apply_action(action)
        kept = pickle.loads(pickle.dumps(state))  # noqa: S301
        text = pyspiel.serialize_game_and_state(game, state)
        for other in (again, kept, state.clone(), copy.deepcopy(state),
                      pyspiel.deserialize_game_and_state(text)[1]):  # fmt: skip
            assert str(other) == str(state)
            assert other.history() == state.history()
            assert other.legal_actions() == state.legal_actions()
            assert seen_by(other, 2) == seen_by(state, 2)
    other = state.clone()
    assert other.position is state.position  # nothing is copied, since nothing can change


@pytest.mark.parametrize("name", [*(f"rook(rules={name})" for name in catalog()), "mini_rook"])
def test_lists_from_python_are_those_that_openspiel_makes(name: str) -> None:
    game = pyspiel.load_game(name)
    undealt, longest = game.new_initial_state(), 0
    for state in chain([undealt], walk(game, 3)):
        for player in range(game.num_players()):
            for ask in ("observation_tensor", "information_state_tensor"):
                mine, theirs = (getattr(one, ask) for one in (state, super(RookState, state)))
                assert mine(player) == theirs(player)
                assert {type(number) for number in mine(player)} == {float}
                mine(player)[:] = []  # the caller's own
            if state is not undealt:
                theirs = super(RookState, state).legal_actions_mask(player)
                assert state.legal_actions_mask(player) == theirs
                longest = max(longest, sum(theirs))
        if state.current_player() >= 0:
            assert state.observation_tensor() == state.observation_tensor(state.current_player())
            assert sum(state.legal_actions_mask()) == len(state.legal_actions()) > 0
    assert longest > 1


def test_a_mask_before_the_deal_has_no_room_for_the_deals() -> None:
    state = pyspiel.load_game("rook").new_initial_state()
    assert sum(state.legal_actions_mask()) == 1000
    assert state.legal_actions_mask(2) == [0] * 218
    with pytest.raises(pyspiel.SpielError, match=r"player 4: expected 0 to 3"):
        state.legal_actions_mask(4)


@pytest.mark.parametrize("ask", ["observation_tensor", "information_state_tensor"])
def test_nobody_else_is_shown_anything(ask: str) -> None:
    for state in walk(pyspiel.load_game("rook"), 3):
        for player in (4, -1, -4):
            with pytest.raises(pyspiel.SpielError, match=f"player = {player}"):
                getattr(state, ask)(player)
    with pytest.raises(pyspiel.SpielError, match="player = -4"):
        getattr(state, ask)()


def test_a_copy_goes_its_own_way() -> None:
    state = next(walk(pyspiel.load_game("rook"), 3))
    before, copied = str(state), state.clone()
    copied.apply_action(copied.legal_actions()[0])
    assert str(state) == before != str(copied)


def test_rules_are_named_or_written_in_a_file(tmp_path: Path) -> None:
    house = tmp_path / "house.toml"
    house.write_text('base = "kd_tournament"\nhand_size = 8\nnest_size = 9\n', "utf-8")
    game = pyspiel.load_game("rook", {"rules": str(house), "dealer": 2})
    assert game.setting.rules.nest_size == 9
    state = next(walk(game, 1))
    assert state.current_player() == 3
    assert pyspiel.load_game(str(game)).setting.rules == game.setting.rules


def test_deals_are_those_of_the_seeds_that_follow_the_first() -> None:
    one, other = (pyspiel.load_game(f"rook(deals=3,seed={seed})") for seed in (5, 6))
    states = [[next(walk(game, 0, deal)) for deal in range(3)] for game in (one, other)]
    assert [str(state) for state in states[0][1:]] == [str(state) for state in states[1][:2]]
    assert len({str(state) for state in states[0]}) == 3
    assert one.new_initial_state().chance_outcomes() == [(0, 1 / 3), (1, 1 / 3), (2, 1 / 3)]
    assert one.new_initial_state().action_to_string(1) == "seed 6"


def test_an_observer_has_the_same_numbers_by_name() -> None:
    game = pyspiel.load_game("rook(rules=call_partner_5)")
    kind = pyspiel.IIGObservationType(perfect_recall=True)
    observer = game.make_py_observer(kind)
    assert list(observer.dict)[:2] == ["player", "hand"]
    for state in walk(game, 3):
        player = max(0, state.current_player())
        observer.set_from(state, player)
        pieces = np.concatenate([piece.ravel() for piece in observer.dict.values()])
        assert (pieces == observer.tensor).all()
        assert (observer.tensor == state.information_state_tensor(player)).all()
        row = game.setting.positions.seen(state.position, player)
        for name, where in places_of(compile_rules(game.setting.rules)).items():
            assert (observer.dict[name] == row[where]).all()
        assert observer.dict["player"].argmax() == player
        acted = [one.player for one in state.full_history()[1:]]
        history = observer.dict["history"]
        assert [(player + place - 1) % 5 for place in history[: len(acted), 0]] == acted
        assert not history[len(acted) :].any()
        discards = history[history[:, 1] == 1 + PHASES.index("nest")]
        if len(discards):
            assert bool(discards[:, 2].all()) == ((player + discards[0, 0] - 1) % 5 == player)


def test_what_everybody_sees_is_told_apart_from_what_one_sees() -> None:
    game = pyspiel.load_game("rook")
    everybody = game.make_py_observer(
        pyspiel.IIGObservationType(
            perfect_recall=False, public_info=True, private_info=pyspiel.PrivateInfoType.NONE
        )
    )
    alone = game.make_py_observer(
        pyspiel.IIGObservationType(
            perfect_recall=False,
            public_info=False,
            private_info=pyspiel.PrivateInfoType.SINGLE_PLAYER,
        )
    )
    assert "hand" not in everybody.dict
    assert list(alone.dict) == ["player", "hand", "pickup", "discards"]
    for state in walk(game, 3):
        tensors = []
        for player in range(4):
            everybody.set_from(state, player)
            tensors.append(everybody.tensor.tolist())
        assert tensors == tensors[:1] * 4
        assert len({everybody.string_from(state, player) for player in range(4)}) == 1
        if not state.is_terminal():
            texts = {alone.string_from(state, player) for player in range(4)}
            assert len(texts) == 4


def test_the_examples_of_the_page_run() -> None:
    page = Path(__file__).parents[2] / "docs" / "how-to" / "open-spiel.md"
    blocks = page.read_text("utf-8").split("```python\n")[1:]
    assert len(blocks) == 3
    names: dict[str, object] = {}
    for block in blocks:
        exec(block.split("```")[0], names)  # noqa: S102  (our own page)
    assert names["bot"]


@pytest.mark.parametrize(
    ("game", "message"),
    [
        ("rook(rules=nonsense)", "rules=nonsense: .*nonsense"),
        ("rook(dealer=4)", "dealer=4: expected 0 to 3"),
        ("rook(seed=-1)", "seed=-1: expected 0 or more"),
        ("rook(deals=0)", "deals=0: expected 1 to 10000000"),
        ("rook(deals=10000001)", "deals=10000001: expected 1 to 10000000"),
        ("rook(chance=dice)", "chance=dice: expected sampled or explicit"),
        ("rook(chance=explicit)", "there are [0-9]+ deals, expected at most 20000"),
        ("rook(rule=circus)", "Unknown parameter 'rule'. Available parameters are"),
        ("mini_rook(dealer=2)", "dealer=2: expected 0 to 1"),
    ],
)
def test_a_game_that_cannot_be_is_refused(game: str, message: str) -> None:
    with pytest.raises(pyspiel.SpielError, match=message) as caught:
        pyspiel.load_game(game)
    assert len(str(caught.value).splitlines()) <= 2


def test_what_cannot_be_done_is_refused_and_nothing_is_done() -> None:
    game = pyspiel.load_game("rook")
    state = game.new_initial_state()
    with pytest.raises(pyspiel.SpielError, match="chance outcome 1000: expected 0 to 999"):
        state.apply_action(1000)
    *_, last = walk(game, 3)
    state = next(walk(game, 3))
    before, history = str(state), state.history()
    message = r"player 1: action 3 is not legal in the phase auction; expected one of \[57, .*mask"
    with pytest.raises(pyspiel.SpielError, match=message):
        state.apply_action(3)
    assert (str(state), state.history()) == (before, history)
    with pytest.raises(pyspiel.SpielError, match="action 3: the hand is over; begin another"):
        last.apply_action(3)
    with pytest.raises(ValueError, match=r"observation parameters .*; expected none"):
        game.make_py_observer(None, {"size": 3})
    everything = pyspiel.IIGObservationType(
        perfect_recall=False, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS
    )
    with pytest.raises(ValueError, match="private_info ALL_PLAYERS; expected SINGLE_PLAYER"):
        game.make_py_observer(everything)


@pytest.mark.parametrize("recall", [False, True])
def test_a_view_keeps_nothing_of_the_hand_that_it_showed_before(recall: bool) -> None:
    game = pyspiel.load_game("rook(deals=8)")
    view = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=recall))
    dealt = next(walk(game, 3))
    view.set_from(dealt, 2)
    fresh = game.new_initial_state()
    view.set_from(fresh, 2)
    asks = fresh.information_state_tensor if recall else fresh.observation_tensor
    assert view.tensor.tolist() == asks(2)


SMALL: dict[str, object] = {
    "base": "kd_tournament", "seats": 2, "partnership": "alone", "ranks": [10], "hand_size": 2,
    "nest_size": 1, "redeal": "none", "bid_minimum": 20, "bid_maximum": 40, "bid_step": 20,
    "counters": {"10": 10}, "totals": "player", "target": 100,
}  # fmt: skip


@pytest.mark.parametrize(
    ("change", "deals", "cancelled"),
    [
        ({}, 30, 0),
        ({"nest_face_up": 1}, 30, 0),
        ({"hand_size": 1, "nest_size": 3, "nest_face_up": 1}, 60, 0),
        # The Rook and two tens count: both players hold a counter.
        ({"redeal": "auto", "counters": {"R10": 10, "G10": 10}}, 30, 6),
        # A blind hand is dealt in the order in which it plays.
        ({"dummy": "blind", "hand_size": 1, "nest_size": 2}, 60, 0),
    ],
)
def test_every_deal_of_a_small_game_is_listed_once(
    change: dict[str, object], deals: int, cancelled: int, tmp_path: Path
) -> None:
    file = tmp_path / "small.json"
    file.write_text(json.dumps({**SMALL, **change}), "utf-8")
    game = pyspiel.load_game("rook", {"rules": str(file), "chance": "explicit"})
    assert number_of_deals(game.setting.rules) == deals
    listed = game.setting.deals
    assert len(set(listed)) == len(listed) == deals - cancelled
    assert all(tuple(sorted(deal)) == game.setting.rules.deck for deal in listed)
    states = {str(next(walk(game, 0, deal))) for deal in range(len(listed))}
    assert len(states) == len(listed)
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)
