"""Versions 3 and 4 of `expert`: a network plays their rollouts out, the same on every target."""

from __future__ import annotations

import copy
import json
import os
import pickle
import subprocess
import sys
from typing import Any

import pytest
from tests.learn.networks import any_net
from tests.search.positions import FEW, scripted
from tests.search.test_secrets import twins

from rookery.bots.club.calls import all_points
from rookery.bots.seat_info import SeatInfo
from rookery.engine.actions import ACTIONS
from rookery.engine.state import PLAY, Hidden, State
from rookery.engine.targets import MissingTarget, native
from rookery.engine.targets.choice import Cores
from rookery.game import Hand
from rookery.learn import network_search
from rookery.learn.net import numbers_of
from rookery.learn.network_search import KERNELS, NetworkSearch, search_for
from rookery.learn.pupil import Pupil
from rookery.learn.rollouts import note_scores
from rookery.learn.scoring import SCORES, WORK
from rookery.learn.shipped import rollout_numbers
from rookery.rules import load
from rookery.rules.table import compile_rules
from rookery.search.choice import Choice
from rookery.search.kernels import begin_search, rank, run_rollouts
from rookery.search.outcome import WHOLE, match_chances
from rookery.search.request import request_of
from rookery.search.search import Search, searching
from rookery.search.searcher import Searcher
from rookery.solver.constraints import Constraints
from rookery.solver.sample import ROOM

try:
    native.check(begin_search, run_rollouts, rank, *KERNELS)
    QUICK: Cores = "native"
except MissingTarget:
    QUICK = "python"  # thinks the same

SEED = 6
SURE = 1000  # so many times as sure of its scores


@pytest.fixture(autouse=True)
def _few_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the network play even where there is time for one rollout."""
    monkeypatch.setattr(network_search, "A_TRICK", 0)
    monkeypatch.setattr(network_search, "BEFORE", 0)


NET = numbers_of(any_net(3))


def thought(
    hand: Hand, search: Search, seat: int, rollouts: str = "96", *, even: bool = True
) -> list[Choice]:
    """Return the choices of a seat that searches in this way."""
    player = Searcher(hand.rules, seat, {**FEW, "rollouts": rollouts}, search)
    player.begin(hand, 11)
    return player.weigh(hand, even=even)


def played_out(hand: Hand, seat: int, net: list[int]) -> int:
    """Return by how much the seat's side is ahead after a network has played the hand out."""
    players = [Pupil(hand.rules, place, net, "python") for place in range(hand.rules.seats)]
    for player in players:
        player.begin(hand, 1)
    while (turn := hand.to_act) is not None:
        hand = hand.act(players[turn].act(hand))
    assert hand.score
    return hand.score[seat] - hand.score[(seat + 1) % hand.rules.seats]


@pytest.mark.parametrize(
    ("given", "net"), [({"net": NET}, NET), ({"version": 4}, rollout_numbers())], ids=["3", "4"]
)
def test_a_rollout_is_the_hand_played_out_by_the_network(
    given: dict[str, Any], net: list[int]
) -> None:
    looked_at = differs = 0
    for name in ("kd_tournament", "one_low_180"):
        table = compile_rules(load(name))
        search, script = NetworkSearch(table, QUICK, **given), Search(table, QUICK)
        for hand in [*scripted(Hand.shuffled(load(name), dealer=0, seed=SEED))][::2]:
            if hand.state.phase != PLAY:
                continue
            for one in (search, script):
                one.reveal(hand.hidden)
            seat = hand.to_act or 0
            choices = thought(hand, search, seat, "1")
            looked_at += len(choices) > 1
            for choice in choices:
                assert choice.margin == played_out(hand.do(choice.action), seat, net)
            differs += choices != thought(hand, script, seat, "1")
    assert looked_at > 10
    assert differs > 5  # the control: by the script the hands end otherwise


def sure_net() -> list[int]:
    """Return a network whose scores outweigh any rollout."""
    net = any_net(3)
    return numbers_of(net._replace(outer=net.outer * SURE))


def played_by_network(hand: Hand) -> int:
    """Return the card that the network plays, as the engine's number."""
    pupil = Pupil(hand.rules, hand.to_act or 0, sure_net(), "python")
    pupil.begin(hand, 1)
    (number,) = hand.numbers_of(pupil.act(hand))
    return number


@pytest.mark.parametrize("totals", [(), (80, 120, 80, 120)])
def test_the_score_of_a_card_counts_beside_its_rollouts(totals: tuple[int, ...]) -> None:
    rules = load("kd_tournament")
    table = compile_rules(rules)
    same = otherwise = 0
    for hand in scripted(Hand.shuffled(rules, dealer=0, seed=SEED)):
        if hand.state.phase != PLAY:
            continue
        seat = hand.to_act or 0
        player = Searcher(rules, seat, FEW, NetworkSearch(table, QUICK, net=sure_net()))
        player.begin(hand, 11, totals)
        choices = player.weigh(hand)
        best = player.choice_for(hand, choices, played_by_network(hand))
        assert best == choices[0]
        same += len(choices) > 1
        # What is said of a choice comes from its rollouts alone.
        assert sum(choice.rollouts for choice in choices) <= int(FEW["rollouts"])
        largest = 1.0 if totals else 2.0 * all_points(table)
        assert all(abs(choice.margin) <= largest for choice in choices)
        # The control: all in the same worlds, scores left aside.
        otherwise += player.weigh(hand, even=True)[0].action != choices[0].action
    assert same > 20
    assert otherwise > 5


@pytest.mark.parametrize("totals", [(), (80, 120, 80, 120)])
@pytest.mark.parametrize("name", ["kd_tournament", "one_low_180"])
def test_a_score_is_worth_so_many_points_or_what_they_are_worth_to_the_match(
    name: str, totals: tuple[int, ...]
) -> None:
    rules = load(name)
    table = compile_rules(rules)
    hand = next(one for one in scripted(Hand.shuffled(rules, 0, SEED)) if one.phase == "play")
    seat, whole = hand.to_act or 0, all_points(table)
    request = request_of(hand, SeatInfo(seat=seat), totals)
    search = NetworkSearch(table, QUICK, net=NET)
    search.tell(request)
    asked = table, request.state, request.mine
    begin_search(*asked, Constraints(), Hidden(), search.search_state, [0.0] * ROOM)
    work, scores = [0.0] * WORK, [0.0] * ACTIONS
    note_scores(*asked, search.search_state, NET, work, scores)
    worth = 4.0 * whole  # of two against two, as `margin` counts
    if totals:
        ahead = [
            total + (whole // 4 if place % 2 == seat % 2 else 0)
            for place, total in enumerate(totals)
        ]
        before, after = (match_chances(table, State(), now)[seat] for now in (totals, ahead))
        worth = 4.0 * (after - before) * WHOLE
    listed = search.search_state.action[: search.search_state.count]
    assert len(listed) > 2
    for i, card in enumerate(listed):
        assert scores[card] == pytest.approx(worth * work[SCORES + i], rel=0.01)


def test_the_script_plays_where_there_is_time_for_few(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = load("kd_tournament")
    table = compile_rules(rules)
    monkeypatch.setattr(network_search, "A_TRICK", 4)
    monkeypatch.setattr(network_search, "BEFORE", 13)
    network, script = NetworkSearch(table, QUICK, net=NET), Search(table, QUICK)
    alike: dict[str, set[bool]] = {}
    for hand in list(scripted(Hand.shuffled(rules, dealer=0, seed=SEED)))[::3]:
        one, other = (thought(hand, search, hand.to_act or 0) for search in (network, script))
        if len(one) > 1:
            left = table.hand_size - hand.state.tricks
            few = "last" if hand.state.phase == PLAY and left <= 3 else "by script"
            alike.setdefault(few, set()).add(one == other)
    assert alike["by script"] == {True}
    assert False in alike["last"]  # 12 rollouts by the network are enough for three tricks


def test_version_4_makes_a_third_of_the_rollouts_and_so_do_its_copies() -> None:
    table = compile_rules(load("kd_tournament"))
    third, eighth = (search_for(table, {"version": one}, QUICK) for one in ("4", "3"))
    student = NetworkSearch(table, QUICK, net=rollout_numbers())  # of an eighth of them
    looked_at = differs = 0
    for hand in list(scripted(Hand.shuffled(load("kd_tournament"), dealer=0, seed=SEED)))[::4]:
        if hand.state.phase == PLAY:
            seat = hand.to_act or 0
            copies = copy.deepcopy(third), pickle.loads(pickle.dumps(third))  # noqa: S301  (our own)
            found, *others = (thought(hand, one, seat, "24") for one in (third, *copies))
            assert others == [found, found]
            assert found == thought(hand, student, seat, "64")
            assert {choice.rollouts for choice in found} <= {0, 24 // 3 // len(found)}
            looked_at += len(found) > 1
            differs += found != thought(hand, eighth, seat, "64")  # the control: the teacher
    assert looked_at > 5
    assert differs > 2


def test_where_a_partner_is_called_version_4_takes_the_network_for_many_rollouts_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(network_search, "BEFORE", 9)
    rules = load("call_partner_5")
    table = compile_rules(rules)
    script = Search(table, QUICK)
    fourth, third = (NetworkSearch(table, QUICK, version=one) for one in (4, 3))
    many = differs = 0
    for hand in list(scripted(Hand.shuffled(rules, dealer=0, seed=SEED)))[::5]:
        if hand.state.phase == PLAY:
            seat = hand.to_act or 0
            plain = thought(hand, script, seat, "24")
            assert thought(hand, fourth, seat, "24") == plain
            differs += thought(hand, third, seat, "24") != plain  # an older version stays as it was
            with monkeypatch.context() as patch:
                patch.setattr(network_search, "BEFORE", 8)
                many += thought(hand, fourth, seat, "24") != plain
    assert differs > 2
    assert many > 2


def test_calls_are_made_by_so_many_rollouts_of_the_script_at_most(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(network_search, "CALLS", 24)
    rules = load("kd_tournament")
    table = compile_rules(rules)
    network, script = NetworkSearch(table, QUICK, net=NET), Search(table, QUICK)
    hand = Hand.shuffled(rules, dealer=0, seed=SEED)
    seat = hand.to_act or 0
    assert thought(hand, network, seat, "96") == thought(hand, script, seat, "24")
    assert thought(hand, network, seat, "96") != thought(hand, script, seat, "96")


def test_the_chance_of_a_contract_is_the_share_of_the_networks_rollouts() -> None:
    rules = load("kd_tournament")
    looked_at = 0
    for hand in scripted(Hand.shuffled(rules, dealer=0, seed=SEED)):
        if hand.state.phase == PLAY:
            search = NetworkSearch(compile_rules(rules), QUICK, net=NET)
            options = {**FEW, "rollouts": "96", "version": "3"}
            player = Searcher(rules, hand.to_act or 0, options, search)
            player.begin(hand, 11)
            for choice in player.weigh(hand, even=True):
                assert choice.making == choice.made / choice.contracts
                looked_at += 0 < choice.made < choice.contracts
    assert looked_at > 5


@pytest.mark.parametrize("name", ["kd_tournament", "call_partner_5"])
def test_it_thinks_the_same_on_every_target(name: str) -> None:
    table = compile_rules(load(name))
    targets: tuple[Cores, Cores] = ("python", searching(*KERNELS))
    assert targets[0] != targets[1]
    searches = [NetworkSearch(table, target, net=NET) for target in targets]
    hands = list(scripted(Hand.shuffled(load(name), dealer=0, seed=SEED)))
    looked_at = hands[::6]
    assert len({hand.phase for hand in looked_at}) > 2
    for hand in looked_at:
        for even in (True, False):
            one, other = (thought(hand, search, hand.to_act or 0, even=even) for search in searches)
            assert one == other


@pytest.mark.parametrize(("wide", "narrow"), [(64, 16), (24, 8), (40, 24)])
def test_scores_are_the_same_to_the_last_bit_on_every_target(wide: int, narrow: int) -> None:
    table, net = compile_rules(load("kd_tournament")), numbers_of(any_net(4, wide, narrow))
    targets: tuple[Cores, Cores] = ("python", searching(*KERNELS))
    searches = [NetworkSearch(table, target, net=net) for target in targets]
    told: list[list[float]] = [[], []]
    for hand in list(scripted(Hand.shuffled(load("kd_tournament"), dealer=0, seed=SEED)))[::3]:
        for search, scores in zip(searches, told, strict=True):
            if hand.state.phase == PLAY:
                thought(hand, search, hand.to_act or 0, "1", even=False)
                scores += map(float, search._scores)
    assert told[0] == told[1]
    assert len({*told[0]}) > 20


@pytest.mark.parametrize("name", ["kd_tournament", "call_partner_5"])
@pytest.mark.parametrize("even", [True, False])
def test_what_a_seat_cannot_see_changes_nothing(name: str, even: bool) -> None:
    table = compile_rules(load(name))
    search, open_hand = (NetworkSearch(table, QUICK, net=NET) for _ in range(2))
    pairs = list(twins(name, 1, 3))
    assert len(pairs) > 8
    caught = 0
    for hand, other in pairs:
        seat = hand.to_act or 0
        seen = [thought(one, search, seat, "12", even=even) for one in (hand, other)]
        assert seen[0] == seen[1]
        # The control: whoever sees the cards does not think the same.
        peeping = []
        for one in (hand, other):
            open_hand.reveal(one.hidden)
            peeping.append(thought(one, open_hand, seat, "12", even=even))
        caught += peeping[0] != peeping[1]
    assert caught


ALONE = """
import json, sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("numpy", "numba", "llvmlite"):
            raise ModuleNotFoundError(name, name=name)
sys.meta_path.insert(0, Absent())
from rookery.bots.names import bot
from rookery.game import Hand
from rookery.learn import network_search
from rookery.rules import load
network_search.A_TRICK = 0  # the network plays though there are few rollouts
rules = load("kd_tournament")
hand = Hand.shuffled(rules, dealer=0, seed=7)
names = ["pupil", "expert:version=3:rollouts=32:ms=600000"] * 2
players = [bot(name).seated(rules, seat) for seat, name in enumerate(names)]
for player in players:
    player.begin(hand, 5)
while hand.to_act is not None:
    hand = hand.act(players[hand.turn].act(hand))
print(json.dumps([str(action) for action in hand.actions]))
"""


@pytest.mark.skipif(not native.LIBRARY.exists(), reason="the native library is not built")
def test_they_need_neither_numpy_nor_numba() -> None:
    told = []
    for target in ("native", "python"):
        done = subprocess.run(
            [sys.executable, "-c", ALONE],
            env={**os.environ, "ROOKERY_TARGET": target, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        told.append(json.loads(done.stdout))
    assert told[0] == told[1]
    assert len(told[0]) > 40
