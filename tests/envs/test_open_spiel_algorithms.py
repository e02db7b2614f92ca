"""OpenSpiel's own algorithms run on Rook, and Mini-Rook is a game that they can solve."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pyspiel")

import pyspiel
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import ismcts, mcts
from tests.envs.spiel import walk

from benchmarks import spiel
from rookery.envs.open_spiel import resample

ENOUGH = {
    "CFR": 30,
    "CFR+": 30,
    "MCCFR, external sampling": 3000,
    "MCCFR, outcome sampling": 30_000,
}


def test_tree_search_chooses_a_legal_action() -> None:
    game = pyspiel.load_game("rook")
    rollouts = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = mcts.MCTSBot(game, 100, 30, rollouts, random_state=np.random.RandomState(1))
    for number, state in enumerate(walk(game, 2)):
        if not state.is_terminal() and number % 15 == 0:
            assert bot.step(state) in state.legal_actions()


def test_search_over_worlds_asks_for_worlds_and_chooses_a_legal_action() -> None:
    game = pyspiel.load_game("rook(rules=call_partner_5)")
    dice, asked = random.Random(1), []

    def another(state: Any, player: int) -> Any:  # noqa: ANN401
        asked.append(player)
        return resample(state, player, dice.random)

    rollouts = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = ismcts.ISMCTSBot(game, rollouts, 100, 20, random_state=np.random.RandomState(1))
    bot.set_resampler(another)
    for number, state in enumerate(walk(game, 2)):
        if not state.is_terminal() and number % 15 == 0:
            assert bot.step(state) in state.legal_actions()
    assert len(asked) >= 40


def test_a_policy_gradient_raises_what_a_player_gets() -> None:
    """REINFORCE in OpenSpiel's own loop, a softmax over a linear map, against random play."""
    environment = rl_environment.Environment(pyspiel.load_game("mini_rook"))
    environment.seed(3)
    dice = np.random.default_rng(3)
    size = environment.observation_spec()["info_state"][0]
    actions = environment.action_spec()["num_actions"]
    weights = np.zeros((actions, size))

    def chances(step: Any, player: int) -> tuple[Any, Any, Any]:  # noqa: ANN401
        seen = np.asarray(step.observations["info_state"][player]) / 10
        legal = step.observations["legal_actions"][player]
        logits = weights[legal] @ seen
        shares = np.exp(logits - logits.max())
        return seen, legal, shares / shares.sum()

    def episode(*, learning: bool) -> tuple[float, list[Any]]:
        step, taken = environment.reset(), []
        while not step.last():
            player = step.observations["current_player"]
            seen, legal, shares = chances(step, player)
            if player != 0 or not learning:
                shares = np.full(len(legal), 1 / len(legal)) if player else shares
            chosen = dice.choice(len(legal), p=shares)
            if player == 0:
                taken.append((seen, legal, shares, chosen))
            step = environment.step([legal[chosen]])
        return step.rewards[0], taken

    def mean(hands: int) -> float:
        return float(np.mean([episode(learning=False)[0] for _ in range(hands)]))

    before, baseline = mean(400), 0.0
    for _ in range(600):
        reward, taken = episode(learning=True)
        for seen, legal, shares, chosen in taken:
            towards = -shares
            towards[chosen] += 1
            weights[legal] += 0.02 * (reward - baseline) * np.outer(towards, seen)
        baseline += 0.05 * (reward - baseline)
    assert mean(400) > before + 8  # points, about three standard errors


@pytest.fixture(scope="module")
def tree() -> Any:  # noqa: ANN401
    return spiel.tree_of(pyspiel.load_game("mini_rook"))


@pytest.mark.slow
def test_mini_rook_is_solved_by_openspiels_algorithms(tree: Any) -> None:  # noqa: ANN401
    at_random = pyspiel.nash_conv(tree, pyspiel.UniformRandomPolicy(tree))
    assert at_random > 20  # points: there is something to learn
    solvers = spiel.solvers(tree)
    assert len(solvers) == 4
    for name, (iterate, policy) in solvers.items():
        for _ in range(ENOUGH[name]):
            iterate()
        assert 0 <= pyspiel.nash_conv(tree, policy(), True) < 0.5 * at_random, name


@pytest.mark.slow
def test_the_game_itself_is_as_exploitable_as_its_tree(tree: Any) -> None:  # noqa: ANN401
    game = pyspiel.load_game("mini_rook")
    found = []
    for one in (game, tree):
        solver = pyspiel.CFRPlusSolver(one)
        for _ in range(2):
            solver.evaluate_and_update_policy()
        found.append(pyspiel.nash_conv(one, solver.average_policy()))
    assert found[0] == pytest.approx(found[1])
    assert found[0] < pyspiel.nash_conv(tree, pyspiel.UniformRandomPolicy(tree))


def test_the_page_has_the_figures_that_were_kept() -> None:
    kept = json.loads(sorted(spiel.RESULTS.glob("*-spiel-exploitability.json"))[-1].read_text())
    page = spiel.PAGE.read_text("utf-8")
    table = spiel.exploitability_table(kept["figures"])
    assert table in page
    assert spiel.page_with(table, page) == page
    assert spiel.page_with("other", page) != page
    names = set(kept["figures"]) - {"at random"}
    assert len(names) >= 4
    last = {name: checks[-1]["nash_conv"] for name, checks in kept["figures"].items()}
    assert all(last[name] < last["at random"] for name in names)
