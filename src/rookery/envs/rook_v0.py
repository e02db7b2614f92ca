"""Rook for PettingZoo: `env` is an AEC environment with all seats as agents.

>>> from rookery.envs import rook_v0
>>> env = rook_v0.env(rules="kd_tournament")
>>> env.reset(seed=7)
>>> env.agent_selection, env.possible_agents
('player_1', ['player_0', 'player_1', 'player_2', 'player_3'])
>>> observation, reward, termination, truncation, info = env.last()
>>> observation["observation"].shape, int(observation["action_mask"].sum())
((912,), 12)

| | |
|---|---|
| agents | one a seat, ``player_0`` to ``player_3`` (as many as the rules seat), clockwise |
| actions | ``Discrete(218)``, one space for all rules; see `rookery.engine.actions` |
| observation | ``observation``, int8, see `rookery.envs.observation`; ``action_mask``, int8, 218 |
| episode | one hand. Deals that the rules cancel are dealt again |
| reward | 0 until the end, then points: see `rookery.envs.tables.Tables.rewards` |

An agent often acts several times in a row (discards, a dummy): ask `agent_selection`. The mask is
all 0 unless it is the agent's turn. Nobody ever acts at the same time as somebody else, so there is
no parallel environment.
An action that is not in the mask ends the episode for all, at a cost of `ILLEGAL` points.
"""

from __future__ import annotations

from typing import Any, Final

import gymnasium
import numpy as np
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from rookery.engine.actions import ACTIONS
from rookery.engine.targets import Target
from rookery.envs.picture import drawn, written
from rookery.envs.tables import IllegalAgentAction, Tables
from rookery.envs.vector import WORTH, Seen, observation_space
from rookery.rules import Rules

ILLEGAL: Final = -200.0  # points


def env(
    rules: Rules | str = "kd_tournament", render_mode: str | None = None
) -> AECEnv[str, Seen, int]:
    """Return the environment with PettingZoo's usual wrappers.

    Args:
        rules: a variant's id, the path of a rule file, or rules.
        render_mode: ``ansi``, ``rgb_array``, ``human`` or None.

    Raises:
        RulesError: the rules cannot be read.
    """
    made = raw_env(rules, render_mode)
    made = wrappers.TerminateIllegalWrapper(made, illegal_reward=ILLEGAL)
    made = wrappers.AssertOutOfBoundsWrapper(made)
    return wrappers.OrderEnforcingWrapper(made)


class raw_env(AECEnv[str, Seen, int]):
    """The environment without wrappers; see the module."""

    metadata: dict[str, Any] = {  # noqa: RUF012  (PettingZoo's)
        "name": "rook_v0",
        "render_modes": ["human", "ansi", "rgb_array"],
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        rules: Rules | str = "kd_tournament",
        render_mode: str | None = None,
        target: Target | None = None,
    ) -> None:
        """Set up the table; see `Tables` for what it takes and raises."""
        super().__init__()
        self.tables = Tables(rules, target=target, bound=False)
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in self.tables.agents]
        self.agents: list[str] = []
        size = self.tables.observations.shape[1]
        self.observation_spaces = {agent: observation_space(size) for agent in self.possible_agents}
        self.action_spaces = {
            agent: gymnasium.spaces.Discrete(ACTIONS) for agent in self.possible_agents
        }
        self._random = np.random.default_rng()
        self._dealer = 0

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """Return what an agent's observations are like; always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """Return what an agent's actions are like; always the same object."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal the next hand; a seed settles all that follows. No option is known."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
            self._dealer = 0
        self.tables.begin(int(self._random.integers(WORTH)), self._dealer)
        self._dealer = (self._dealer + 1) % len(self.possible_agents)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.tables.seats[0]]
        self._show()

    def observe(self, agent: str) -> Seen:
        """Return what an agent sees now, and what it may do if it is its turn."""
        seat = self.possible_agents.index(agent)
        mine = seat == self.tables.seats[0]
        mask = self.tables.masks[0].copy() if mine else np.zeros(ACTIONS, np.int8)
        return {"observation": self.tables.seen(0, seat), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Do the action of `agent_selection`; None for one whose hand is over.

        Raises:
            gymnasium.error.InvalidAction: the action is not in the mask; nothing was done then.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        try:
            self.tables.step(np.asarray(action)[None])
        except IllegalAgentAction as error:
            raise gymnasium.error.InvalidAction(f"{agent}: {error}") from None
        if self.tables.ended[0]:
            for seat, name in enumerate(self.possible_agents):
                self.rewards[name] = float(self.tables.rewards[0, seat])
                self.terminations[name] = True
        else:
            self.agent_selection = self.possible_agents[self.tables.seats[0]]
        self._accumulate_rewards()
        self._show()

    def render(self) -> Any:  # noqa: ANN401  (PettingZoo's own type)
        """Return the table as a text (``ansi``) or as pixels (``rgb_array``), all cards open."""
        if self.render_mode == "rgb_array":
            return drawn(self.tables)
        if self.render_mode == "ansi":
            return written(self.tables)
        if self.render_mode is None:
            gymnasium.logger.warn("render() does nothing without a render_mode")
        return None

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def _show(self) -> None:
        if self.render_mode == "human":
            print(written(self.tables))
