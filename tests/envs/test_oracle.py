"""What critics are shown is what lies face down, and nobody gets it who has not asked by name."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("numpy")

from tests.envs.following import followed

from rookery.cards import unpack
from rookery.envs.observations.oracle import oracle_places
from rookery.envs.observations.parts import PARTS, named
from rookery.envs.tables import Tables
from rookery.rules import catalog
from rookery.rules.table import compile_rules

PARTS_ASKED = ["compact", "history", "oracle"]


@pytest.mark.parametrize("name", catalog())
def test_an_oracle_says_what_lies_face_down(name: str) -> None:
    tables = Tables(name, target="python", observations="oracle")
    where = oracle_places(compile_rules(tables.rules))
    rules, asked = tables.rules, 0
    for seed in range(2):
        tables.begin(seed)
        for hand in followed(tables, 120):
            if hand.over:
                break
            seat = int(tables.seats[0])
            row = tables.oracles[0]

            def shown(field: str) -> set[int]:
                return {i for i, number in enumerate(row[where[field]].tolist()) if number}  # noqa: B023

            for k in range(rules.hands):
                place = (seat + k) % rules.seats if k < rules.seats else k
                assert shown(f"hand[{k}]") == set(unpack(hand.hidden.hand[place]))
                gift = hand.hidden.gift[place]
                assert shown(f"gift[{k}]") == ({gift} if gift >= 0 else set())
                allied = hand.hidden.allies >> place & 1
                revoked = hand.hidden.revoked >> place & 1
                assert row[where[f"side[{k}]"]][:2].tolist() == [allied, revoked]
            assert shown("nest") == set(unpack(hand.hidden.nest))
            assert shown("pickup") == set(unpack(hand.hidden.pickup))
            left = hand.hidden.blind[hand.hidden.blind_at :][:1] if rules.blind else []
            assert shown("next") == {card for card in left if card >= 0}
            assert (tables.laid_open(0, seat) == row).all()
            asked += 1
    assert asked > 50


def test_parts_are_asked_for_by_name() -> None:
    assert named("compact") == ("compact",)
    assert named(["oracle", "history", "oracle"]) == ("history", "oracle")
    for wrong, said in (("oracles", "oracles"), (["compact", "all"], "all"), ([], "none")):
        with pytest.raises(ValueError, match=f"observations {said}: expected compact, history"):
            Tables("kd_tournament", target="python", observations=wrong)


def test_gymnasium_and_pettingzoo_show_what_was_asked_for_and_no_more() -> None:
    pytest.importorskip("gymnasium")
    pytest.importorskip("pettingzoo")
    from rookery.envs import rook_v0
    from rookery.envs.single import RookEnv
    from rookery.envs.vector import RookVectorEnv

    usual = {"observation", "action_mask"}
    for asked in ("compact", PARTS_ASKED, ["history"]):
        keys = {PARTS[name].key for name in named(asked)} | {"action_mask"}
        one = RookEnv(observations=asked, opponents="random", target="python")
        seen, _ = one.reset(seed=1)
        many = RookVectorEnv(3, observations=asked, opponents="random", target="python")
        rows, _ = many.reset(seed=1)
        zoo = rook_v0.raw_env(observations=asked, target="python")
        zoo.reset(seed=1)
        for agent in zoo.possible_agents:
            assert zoo.observation_space(agent).contains(zoo.observe(agent))
        assert one.observation_space.contains(seen)
        assert seen.keys() == rows.keys() == zoo.observe("player_0").keys() == keys
        assert asked != "compact" or keys == usual


def test_many_tables_keep_all_parts_of_the_end_of_a_hand() -> None:
    pytest.importorskip("gymnasium")
    from rookery.envs.vector import RookVectorEnv

    env = RookVectorEnv(5, observations=PARTS_ASKED, opponents="random", target="python", seat=2)
    seen, _ = env.reset(seed=4)
    ends = 0
    for _ in range(40):
        before = seen["history"].copy()
        seen, _, terminations, _, infos = env.step(env.sample_actions())
        for table in range(5):
            told = int((before[table] != 0).sum())
            row = seen["history"][table]
            if terminations[table]:
                ends += 1
                assert env_hands(seen["oracle"][table], env) > 30
                row = infos["final_obs"]["history"][table]
                assert env_hands(infos["final_obs"]["oracle"][table], env) == 0
            elif seen["history"][table, 0] != before[table, 0]:
                continue  # dealt again, as nobody wanted to bid
            assert (row[:told] == before[table, :told]).all()
            assert int((row != 0).sum()) > told
    assert ends > 5


def env_hands(row: Any, env: Any) -> int:  # noqa: ANN401
    """Return how many cards lie in all hands, by an oracle's row."""
    where = oracle_places(compile_rules(env.tables.rules))
    return sum(int(row[where[f"hand[{k}]"]].sum()) for k in range(4))
