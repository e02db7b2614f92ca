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
| observation | ``action_mask``, int8, 218, and what `observations` names: `observations.parts` |
| episode | one hand, or with `match` a match. Deals that the rules cancel are dealt again |
| reward | points at the end of a hand, else 0: see `rookery.envs.tables.Tables.rewards` |

An agent often acts several times in a row (discards, a dummy): ask `agent_selection`. The mask is
all 0 unless it is the agent's turn; `RookAECEnv.sample_action` draws a legal action. Nobody ever
acts at the same time as somebody else, so there is no parallel environment.
An action that is not in the mask ends the episode for all, at a cost of `ILLEGAL` points.

What PettingZoo's usual wrappers do (`TerminateIllegalWrapper`, `AssertOutOfBoundsWrapper`,
`OrderEnforcingWrapper`), `env` does itself: around a step of a few microseconds they take most of
the time.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat
from sys import maxsize
from typing import Any, Final

import gymnasium
import numpy as np
from pettingzoo import AECEnv
from pettingzoo.utils.env_logger import EnvLogger

from rookery.engine.actions import ACTIONS
from rookery.engine.targets import Target
from rookery.envs.picture import drawn, written
from rookery.envs.spaces import WORTH, Seen, asks_of, check_mode, space_of
from rookery.envs.tables import IllegalAgentAction, Tables
from rookery.rules import Rules

ILLEGAL: Final = -200.0  # points


def env(
    rules: Rules | str = "kd_tournament",
    render_mode: str | None = None,
    observations: str | list[str] = "compact",
    *,
    match: bool = False,
) -> RookAECEnv:
    """Return the environment, which ends an episode at an illegal action.

    Args:
        rules: a variant's id, the path of a rule file, or rules.
        render_mode: ``ansi``, ``rgb_array``, ``human`` or None.
        observations: what an agent sees of `rookery.envs.observations.parts`, by name.
        match: an episode is a whole match, to the target of the rules, and not a hand.

    Raises:
        RulesError: the rules cannot be read.
        ValueError: there are no such observations, or there is no such render mode.
    """
    return RookAECEnv(rules, render_mode, observations, match=match, illegal=ILLEGAL)


class RookAECEnv(AECEnv[str, Seen, int]):
    """All seats of a table as agents; see the module."""

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
        observations: str | list[str] = "compact",
        *,
        match: bool = False,
        illegal: float | None = None,
        target: Target | None = None,
    ) -> None:
        """Set up the table; see `env` and `Tables` for what it takes and raises.

        An illegal action ends the episode at a cost of `illegal` points; None makes it an error.
        """
        super().__init__()
        check_mode(render_mode, self.metadata["render_modes"])
        self.tables = Tables(
            rules, observations=observations, match=match, target=target, bound=False
        )
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in self.tables.agents]
        self.observation_spaces = {agent: space_of(self.tables) for agent in self.possible_agents}
        self.action_spaces = {
            agent: gymnasium.spaces.Discrete(ACTIONS) for agent in self.possible_agents
        }
        self._illegal = illegal
        self._match = match
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._seat = -1  # who is to act; -1 where the hand is over, or nothing is dealt yet
        self._random = np.random.default_rng()
        self._dealer = 0
        self._look()

    def _look(self) -> None:
        """Note what makes each part of what a seat sees, where it is to act and where it is not."""
        mask, nothing = self.tables.masks[0].copy, np.zeros(ACTIONS, np.int8).copy
        seats = range(len(self.possible_agents))
        own = [asks_of(self.tables, seat, to_act=True) for seat in seats]
        others = [asks_of(self.tables, seat) for seat in seats]
        self._own = [[*asks.items(), ("action_mask", mask)] for asks in own]
        self._others = [[*asks.items(), ("action_mask", nothing)] for asks in others]

    def __getstate__(self) -> dict[str, Any]:
        """Return what a copy has, without the views of memory that it has to look at anew."""
        views = ("_own", "_others")
        return {name: value for name, value in self.__dict__.items() if name not in views}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._look()

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
        self._agents = list(self.possible_agents)
        self._rewards = dict.fromkeys(self._agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self._agents, 0.0)
        self._terminations = dict.fromkeys(self._agents, False)
        self._truncations = dict.fromkeys(self._agents, False)
        self._infos: dict[str, dict[str, Any]] = {agent: {} for agent in self._agents}
        self._seat = int(self.tables.seats[0])
        self._agent_selection = self.possible_agents[self._seat]
        self._show()

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:
        """Yield `agent_selection` as long as there are agents, at most `max_iter` times."""
        if self.agents:
            for _ in repeat(None, min(max_iter, maxsize)):
                yield self._agent_selection
                if not self._agents:
                    return

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Return what `agent_selection` sees, its reward so far, whether it is over, and nothing.

        Where `observe` is False, None stands in place of what it sees.
        """
        try:
            agent = self._agent_selection
        except AttributeError:
            agent = self.agent_selection  # which says that nothing is dealt
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self._terminations[agent],
            self._truncations[agent],
            self._infos[agent],
        )

    def observe(self, agent: str) -> Seen:
        """Return what an agent sees now, and what it may do if it is its turn.

        Raises:
            KeyError: there is no such agent.
        """
        try:
            seat = self._seats[agent]
        except KeyError:
            known = ", ".join(self._seats)
            raise KeyError(f"observe: no agent {agent!r}; expected one of {known}") from None
        parts = self._own[seat]
        if seat != self._seat:
            self._check_begun("observe")
            parts = self._others[seat]
        seen: Seen = {}
        for key, part in parts:
            seen[key] = part()
        return seen

    def sample_action(self) -> int:
        """Return a legal action of `agent_selection`, each equally likely, drawn by compiled code.

        What is drawn follows from the seed of `reset`, as the cards do.

        Raises:
            AssertionError: nothing is dealt yet.
            ValueError: the hand is over, so nothing is left to do but to step with None.
        """
        if self._seat < 0:
            self._check_begun("sample_action")
            raise ValueError("the hand is over: the only valid action is None")
        return self.tables.draw_one()

    def step(self, action: int | None) -> None:
        """Do the action of `agent_selection`; None for one whose hand is over.

        Raises:
            AssertionError: nothing is dealt yet, or the action is not in the action space: no whole
                number, or too large.
            ValueError: there is an action for an agent whose hand is over.
            gymnasium.error.InvalidAction: the action is not in the mask, where that does not end
                the episode; nothing was done then.
        """
        if self._seat < 0:
            self._check_begun("step")
            if self._agents:
                self._leave(action)
            else:
                EnvLogger.warn_step_after_terminated_truncated()
            return
        try:
            self._seat = seat = self.tables.act(action)
        except (IllegalAgentAction, TypeError) as error:
            self._refuse(error)
            return
        if seat < 0 or self._match:
            self._give_rewards()
        if seat >= 0:
            self._agent_selection = self.possible_agents[seat]
        if self.render_mode is not None:
            self._show()

    def _give_rewards(self) -> None:
        """Note what a hand that has just ended was worth, 0 where none has, and the end of all.

        Without matches there is nothing to add up before the end, so a step does nothing for it.
        """
        self._cumulative_rewards[self._agent_selection] = 0.0
        rewards = map(float, self.tables.rewards[0].tolist())
        self._rewards = dict(zip(self._agents, rewards, strict=True))
        self._accumulate_rewards()
        if self._seat < 0:
            self._terminations = dict.fromkeys(self._agents, True)

    def _refuse(self, error: IllegalAgentAction | TypeError) -> None:
        """End the episode for all, or raise, because of an action that is not in the mask."""
        agent = self._agent_selection
        if isinstance(error, TypeError) or not 0 <= error.action < ACTIONS:
            said = error if isinstance(error, TypeError) else error.action
            raise AssertionError(
                f"action is not in action space: {said}, 0 to {ACTIONS - 1}"
            ) from None
        if self._illegal is None:
            raise gymnasium.error.InvalidAction(f"{agent}: {error}") from None
        EnvLogger.warn_on_illegal_move()
        self._seat = -1
        self._terminations = dict.fromkeys(self._agents, True)
        self._truncations = dict.fromkeys(self._agents, True)
        self._rewards = dict.fromkeys(self._agents, 0.0)
        self._rewards[agent] = self._cumulative_rewards[agent] = self._illegal
        self._agent_selection = self._agents[0]

    def _leave(self, action: int | None) -> None:
        """Let `agent_selection` leave a hand that is over, as PettingZoo's `_was_dead_step` does.

        All leave together, so it need not look for somebody who plays on.
        """
        if action is not None:
            raise ValueError("when an agent is dead, the only valid action is None")
        agent = self._agent_selection
        self._agents.remove(agent)
        for told in (self._cumulative_rewards, self._terminations, self._truncations, self._infos):
            del told[agent]
        self._rewards = dict.fromkeys(self._agents, 0.0)
        if self._agents:
            self._agent_selection = self._agents[0]

    def _check_begun(self, what: str) -> None:
        if not hasattr(self, "agents"):
            raise AssertionError(f"reset() needs to be called before {what}.")

    def render(self) -> Any:  # noqa: ANN401  (PettingZoo's own type)
        """Return the table as a text (``ansi``) or as pixels (``rgb_array``), all cards open."""
        self._check_begun("render")
        if self.render_mode == "rgb_array":
            return drawn(self.tables)
        if self.render_mode == "ansi":
            return written(self.tables)
        if self.render_mode is None:
            gymnasium.logger.warn("render() does nothing without a render_mode")
        return None

    def close(self) -> None:
        """Do nothing: there is nothing to close. PettingZoo wants it where there is `render`."""

    def _show(self) -> None:
        if self.render_mode == "human":
            print(written(self.tables))


def _of_a_hand(name: str) -> property:
    """Return what is not there before the first `reset`, and says so as PettingZoo's wrapper does.

    It stands under a name with a ``_`` in front, which the class lacks: Python 3.11 reads such an
    attribute in a fraction of the time that it needs where there is a `__getattr__`.
    """
    own = f"_{name}"

    def read(env: RookAECEnv) -> Any:  # noqa: ANN401  (of several types)
        try:
            return getattr(env, own)
        except AttributeError:
            raise AttributeError(f"{name} cannot be accessed before reset") from None

    return property(read, lambda env, value: setattr(env, own, value))


raw_env = RookAECEnv  # an illegal action is an error there, and nothing is done
for _name in ("rewards", "terminations", "truncations", "infos", "agent_selection", "agents"):
    setattr(RookAECEnv, _name, _of_a_hand(_name))
