"""An episode that is a whole match: totals and winners are those that the game's own match has."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

from tests.envs.following import dealt_at

from rookery.envs import rook_v0
from rookery.envs.single import RookEnv
from rookery.envs.tables import Tables
from rookery.envs.vector import RookVectorEnv
from rookery.game import Match
from rookery.rules import load

SHORT = {"kd_tournament": 150, "call_partner_5": 150, "rook_1906_8": 100}


def short(name: str) -> Any:  # noqa: ANN401  (rules)
    """Return a variant that is over sooner, whoever plays."""
    return load({"base": name, "target": SHORT[name], "negative_end": -200})


@pytest.mark.parametrize("name", SHORT)
def test_a_match_is_played_as_the_games_own(name: str) -> None:
    tables = Tables(short(name), match=True, target="python")
    tables.begin(5)
    match, hand, scored = Match(tables.rules), dealt_at(tables), 0
    while match.winners is None:
        assert tables.totals[0].tolist() == list(match.totals)
        number = int(tables.draw()[0])
        hand = hand.do(number)
        tables.step([number])
        if not hand.over:
            assert not tables.rewards[0].any()
            continue
        match = match.begin(hand)
        if hand.score is not None:
            ours, theirs = hand.score[0], [s for s in hand.score if s != hand.score[0]]
            assert tables.rewards[0].any() == bool(theirs), ours
            scored += 1
        if match.winners is None:
            assert tables.ended[0] == 0
            hand = dealt_at(tables)
    assert scored > 1
    assert tables.seats[0] == -1
    assert tables.ended[0] == sum(1 << seat for seat in match.winners)
    assert tables.totals[0].tolist() == list(match.totals)


def test_another_match_begins_in_the_same_step() -> None:
    env = RookVectorEnv(6, short("kd_tournament"), opponents="random", match=True, target="python")
    seen, _ = env.reset(seed=2)
    wins = ends = hands = 0
    for _ in range(700):
        seen, rewards, ended, _, infos = env.step(env.sample_actions())
        hands += int((rewards != 0).sum())
        assert env.single_observation_space["totals"].contains(seen["totals"][0])
        for table in np.flatnonzero(ended):
            ends += 1
            wins += int(infos["won"][table])
            last = infos["final_obs"]["totals"][table]
            assert bool(infos["won"][table]) == (last[0] == last.max())
            assert not seen["totals"][table].any()
        assert ("won" in infos) == bool(ended.any())
    assert 0 < wins < ends
    assert hands > 2 * ends


def test_whatever_is_true_asks_for_a_match() -> None:
    rules: Any = short("kd_tournament")
    for given in (2, "yes", np.True_, 0, None):
        match: Any = given
        env = RookVectorEnv(2, rules, opponents="random", match=match, target="python")
        seen, _ = env.reset(seed=2)
        assert ("totals" in seen) == bool(given)


def test_gymnasium_and_pettingzoo_agree_on_a_match() -> None:
    one = RookEnv(short("kd_tournament"), opponents="random", match=True, seat=1, target="python")
    seen, _ = one.reset(seed=3)
    ended, points = False, 0.0
    while not ended:
        assert one.observation_space.contains(seen)
        seen, reward, ended, _, info = one.step(np.flatnonzero(seen["action_mask"])[0])
        assert ended == ("won" in info)
        points += float(reward)
    assert points == sum(seen["totals"] * [1, -1, 1, -1]) / 2
    zoo = rook_v0.raw_env(short("kd_tournament"), match=True, target="python")
    zoo.reset(seed=3)
    got = dict.fromkeys(zoo.possible_agents, 0.0)
    for agent in zoo.agent_iter():
        seen, reward, over, _, _ = zoo.last()
        got[agent] += reward
        zoo.step(None if over else int(np.flatnonzero(seen["action_mask"])[0]))
    totals = zoo.tables.totals[0]
    assert got["player_0"] == totals[0] - totals[1] == -got["player_1"] == got["player_2"]


# The declarer plays their partner's hand too, who may never have had a turn in the auction.
UNASKED = "display"


def margin_of(totals: Any, seat: int) -> int:  # noqa: ANN401
    """Return what totals of four in two sides are worth to a seat."""
    return int(totals[seat] - totals[(seat + 1) % 4])


@pytest.mark.parametrize("asked", [False, True])
@pytest.mark.parametrize("seat", [0, 3])
def test_hands_in_which_the_agent_decides_nothing_count_in_a_match(
    asked: bool, seat: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if asked:  # as where a program sits among them
        monkeypatch.setattr(
            "rookery.envs.single.bot_or_level", lambda _: SimpleNamespace(kernel=None)
        )
    bots = ["papa", "random"]
    env = RookEnv(UNASKED, opponents=bots, seat=seat, match=True, target="python")
    unasked = 0
    for number in range(8):
        env.reset(seed=number)
        assert not env.tables.totals.any()
        ended, points, dealer = False, 0.0, int(env.tables.states[0].dealer)
        while not ended:
            before = env.tables.totals[0].tolist()
            _, reward, ended, _, info = env.step(np.flatnonzero(env.action_masks())[0])
            points += float(reward)
            assert points == margin_of(env.tables.totals[0], seat)
            assert env.tables.totals.any() or not any(before)
            now = int(env.tables.states[0].dealer)
            unasked += (now - dealer) % 4 > 1
            dealer = now
        top = env.tables.totals[0].max()
        assert info["won"] == (env.tables.totals[0][seat] == top)
    assert unasked > 0


def test_a_match_that_ends_unasked_begins_anew_in_the_same_step() -> None:
    bots = ["papa", "random"]
    tables = Tables(UNASKED, 4, agents=[0], opponents=bots, match=True, target="python")
    tables.begin(6)
    points, ends = np.zeros(4, np.int64), 0
    for _ in range(600):
        tables.step(tables.draw(), again=True)
        points += tables.rewards[:, 0]
        assert (tables.seats == 0).all()
        for table in range(4):
            totals = tables.totals[table]
            if tables.ended[table]:
                assert not totals.any()
                totals = tables.last.totals[table]
            assert points[table] == margin_of(totals, 0)
            if tables.ended[table]:
                points[table], ends = 0, ends + 1
    assert ends > 3


def test_searching_bots_play_matches_too() -> None:
    env = RookEnv(
        short("kd_tournament"), opponents="expert:rollouts=8:ms=60000", match=True, target="native"
    )
    seen, _ = env.reset(seed=1)
    hands = 0
    for _ in range(40):
        seen, reward, ended, _, _ = env.step(np.flatnonzero(seen["action_mask"])[0])
        hands += reward != 0
        if ended:
            seen, _ = env.reset()
    assert hands > 1
