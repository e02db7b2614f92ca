"""One seat among bots at many tables: a vector environment over compiled code."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from rookery.engine.actions import ACTIONS
from rookery.engine.targets import Target
from rookery.envs.observations.compact import places_of
from rookery.envs.spaces import WORTH, Seen, rows_of, space_of, turn_totals
from rookery.envs.tables import IllegalAgentAction, Numbers, Tables
from rookery.rules import Rules
from rookery.rules.table import compile_rules


class RookVectorEnv(VectorEnv[Seen, Numbers, npt.NDArray[Any]]):
    """Tables that an agent plays at with bots: ``gymnasium.make_vec("rookery/Rook-v0", ...)``.

    An episode is one hand, from the first decision of the agent to the score. Its reward comes at
    the end: the score of its side less the mean of the other sides, times the number of those, in
    points. Where a hand ends, the next is dealt in the same step; ``infos["final_obs"]`` then has
    what the agent saw at the end, and ``infos["_final_obs"]`` says where.

    With `match` an episode is a whole match: each hand's reward comes at its end, ``totals`` are
    shown, and ``infos["won"]`` says at the end whether the agent's seat has won.

    All arrays are written in place by the next step: copy what you keep. They share their memory
    with compiled code, and by `DLPack` with whoever asks for it.

    Attributes:
        places: where the numbers of each field stand in an observation.
    """

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012  (Gymnasium's)

    def __init__(
        self,
        num_envs: int = 1,
        rules: Rules | str = "kd_tournament",
        opponents: str | list[str] = "club",
        seat: int = 0,
        observations: str | list[str] = "compact",
        match: bool = False,
        render_mode: None = None,
        target: Target | None = None,
    ) -> None:
        """Set up the tables; see `Tables` for what it takes and raises."""
        self.tables = Tables(
            rules,
            num_envs,
            agents=[seat],
            opponents=opponents,
            observations=observations,
            match=match,
            target=target,
        )
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.single_observation_space = space_of(self.tables)
        self.single_action_space = spaces.Discrete(ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.places = places_of(compile_rules(self.tables.rules))
        self._seat = seat
        self._seen = {
            **rows_of(self.tables, self.tables, seat),
            "action_mask": self.tables.masks,
        }
        self._final = {
            **rows_of(self.tables, self.tables.last, seat),
            "action_mask": np.zeros_like(self.tables.masks),
        }
        self._rewards = np.zeros(num_envs)
        self._ended = np.zeros(num_envs, np.bool_)
        self._never = np.zeros(num_envs, np.bool_)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, Any]]:
        """Deal anew at every table; a seed settles all that follows.

        Raises:
            ValueError: a list of seeds, one a table, is not taken.
        """
        if isinstance(seed, list):
            raise ValueError("one seed is expected, for all tables together")
        super().reset(seed=seed, options=options)
        self.tables.begin(int(self.np_random.integers(WORTH)))
        turn_totals(self.tables, self.tables.totals, self._seat, self._seen)
        return self._seen, {}

    def step(
        self, actions: Numbers
    ) -> tuple[Seen, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], dict[str, Any]]:
        """Do each table's action; see the class for what comes back.

        Raises:
            gymnasium.error.ResetNeeded: nothing is dealt yet.
            gymnasium.error.InvalidAction: an action is not in the mask; nothing was done then.
        """
        if self.tables.seats[0] < 0:
            raise gymnasium.error.ResetNeeded("nothing is dealt yet: call reset() first")
        try:
            self.tables.step(actions, again=True)
        except IllegalAgentAction as error:
            raise gymnasium.error.InvalidAction(str(error)) from None
        self._rewards[:] = self.tables.rewards[:, self._seat]
        np.not_equal(self.tables.ended, 0, out=self._ended)
        turn_totals(self.tables, self.tables.totals, self._seat, self._seen)
        if not self._ended.any():
            return self._seen, self._rewards, self._ended, self._never, {}
        turn_totals(self.tables, self.tables.last.totals, self._seat, self._final)
        infos: dict[str, Any] = {"final_obs": self._final, "_final_obs": self._ended}
        if self.tables.match:
            infos["won"] = self.tables.ended >> self._seat & 1 != 0
            infos["_won"] = self._ended
        return self._seen, self._rewards, self._ended, self._never, infos

    def sample_actions(self) -> Numbers:
        """Return a legal action for each table, each equally likely, drawn by compiled code.

        Returns:
            int64, shape (num_envs,); always the same array.
        """
        return self.tables.draw()
