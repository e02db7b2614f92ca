"""One seat among bots at one table."""

from __future__ import annotations

from typing import Any, SupportsFloat

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from rookery.bots.names import bot_or_level
from rookery.engine.actions import ACTIONS
from rookery.engine.targets import Target
from rookery.envs.opponents import Opponents
from rookery.envs.picture import drawn, written
from rookery.envs.spaces import (
    WORTH,
    Seen,
    check_mode,
    rows_of,
    seen_from,
    space_of,
    turn_totals,
)
from rookery.envs.tables import IllegalAgentAction, Tables
from rookery.rules import Rules


class RookEnv(gymnasium.Env[Seen, np.int64]):
    """A table that an agent plays at with bots: ``gymnasium.make("rookery/Rook-v0", ...)``.

    An episode is one hand; what it is worth and what the agent sees is as in `RookVectorEnv`, but
    every array is a copy. The seat on the left deals the next hand. Here opponents may be any bots,
    those that search too; then a decision takes as long as theirs do.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array", "human"], "render_fps": 2}  # noqa: RUF012  (Gymnasium's)

    def __init__(
        self,
        rules: Rules | str = "kd_tournament",
        opponents: str | list[str] = "club",
        seat: int = 0,
        observations: str | list[str] = "compact",
        match: bool = False,
        render_mode: str | None = None,
        target: Target | None = None,
    ) -> None:
        """Set up the table; see `Tables` for what it takes and raises.

        Raises:
            ValueError: there is no such seat, or no such render mode.
        """
        check_mode(render_mode, self.metadata["render_modes"])
        names = [opponents] if isinstance(opponents, str) else opponents
        asked = any(bot_or_level(name).kernel is None for name in names)
        self.tables = Tables(
            rules,
            agents=None if asked else [seat],
            opponents="random" if asked else names,
            observations=observations,
            match=match,
            target=target,
            bound=not asked,
        )
        if seat not in range(self.tables.rules.seats) or isinstance(seat, float):
            raise ValueError(f"seat {seat}: expected 0 to {self.tables.rules.seats - 1}")
        self._others = Opponents(self.tables, names, seat) if asked else None
        self.render_mode = render_mode
        self.observation_space: spaces.Space[Any] = space_of(self.tables)
        self.action_space: spaces.Discrete = spaces.Discrete(ACTIONS)
        self._seat = seat
        self._dealer = 0
        self._look()

    def _look(self) -> None:
        self._rows = rows_of(self.tables, self.tables, self._seat)

    def __getstate__(self) -> dict[str, Any]:
        """Return what a copy has, without the views of memory that it has to look at anew."""
        return {name: value for name, value in self.__dict__.items() if name != "_rows"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._look()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, Any]]:
        """Deal the next hand; a seed settles all that follows."""
        super().reset(seed=seed, options=options)
        if seed is not None:
            self._dealer = 0
        self.tables.begin(int(self.np_random.integers(WORTH)), self._dealer)
        if self._others is not None:
            self._others.begin(self.np_random)
        self._dealer = (self._dealer + 1) % self.tables.rules.seats
        self._show()
        return self._seen(), {}

    def step(self, action: np.int64) -> tuple[Seen, SupportsFloat, bool, bool, dict[str, Any]]:
        """Do an action, and let bots act until the agent has to again, or the hand is over.

        Raises:
            gymnasium.error.ResetNeeded: the hand is over, not begun, or a bot has failed.
            gymnasium.error.InvalidAction: the action is not in the mask; nothing was done then.
        """
        if self.tables.seats[0] != self._seat:
            raise gymnasium.error.ResetNeeded("no hand is under way: call reset() first")
        try:
            if self._others is None:
                self.tables.act(action)
            else:
                self._others.answer(action)
        except IllegalAgentAction as error:
            raise gymnasium.error.InvalidAction(str(error)) from None
        self._show()
        given = self.tables.rewards[0, self._seat] if self._others is None else self._others.reward
        reward = float(given)
        won = int(self.tables.ended[0])
        info = {"won": bool(won >> self._seat & 1)} if won and self.tables.match else {}
        return self._seen(), reward, won != 0, False, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return which actions are legal, shape (`ACTIONS`,); `MaskablePPO` asks for this."""
        legal: npt.NDArray[np.bool_] = self.tables.masks[0] != 0
        return legal

    def render(self) -> Any:  # noqa: ANN401  (Gymnasium's own type)
        """Return the table as a text (``ansi``) or as pixels (``rgb_array``), all cards open."""
        if self.render_mode == "rgb_array":
            return drawn(self.tables)
        return written(self.tables) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Let opponents leave that are programs of their own."""
        if self._others is not None:
            self._others.close()

    def _show(self) -> None:
        if self.render_mode == "human":
            print(written(self.tables))

    def _seen(self) -> Seen:
        mask = self.tables.masks[0].copy()
        turn_totals(self.tables, self.tables.totals, self._seat, self._rows)
        if self._others is None or self.tables.seats[0] == self._seat:
            return {**{key: row[0].copy() for key, row in self._rows.items()}, "action_mask": mask}
        return {**seen_from(self.tables, self._seat), "action_mask": mask}
