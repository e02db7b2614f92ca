"""One seat among bots at many tables: a vector environment over compiled code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from rookery.engine.actions import ACTIONS
from rookery.engine.targets import Target
from rookery.engine.targets.choice import check
from rookery.envs.observations.compact import places_of
from rookery.envs.spaces import (
    WORTH,
    Seen,
    check_mode,
    rows_of,
    space_of,
    turn_totals,
)
from rookery.envs.tables import IllegalAgentAction, Tables
from rookery.rules import Rules
from rookery.rules.table import compile_rules

if TYPE_CHECKING:
    from rookery.envs.gpu.tables import DeviceRows, DeviceTables


class Rows:
    """What one seat gets of each table after a step; all arrays are written in place.

    Attributes:
        seen: what it sees and may do.
        final: what it saw at the end of an episode, where the next one began at once.
        rewards: what a hand that ended was worth to it, points, float64.
        ended: where an episode has ended.
        won: where the seat has won that match.
    """

    def __init__(self, tables: Tables, seat: int) -> None:
        number = len(tables.seats)
        self._tables, self._seat = tables, seat
        self.seen: Seen = {**rows_of(tables, tables, seat), "action_mask": tables.masks}
        nothing = np.zeros_like(tables.masks)
        self.final: Seen = {**rows_of(tables, tables.last, seat), "action_mask": nothing}
        self.rewards = np.zeros(number)
        self.ended, self.won = np.zeros(number, np.bool_), np.zeros(number, np.bool_)

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what `copy` and `pickle` make the same rows from, over the tables' copy."""
        return type(self), (self._tables, self._seat), (self.rewards, self.ended, self.won)

    def __setstate__(self, told: tuple[npt.NDArray[Any], ...]) -> None:
        self.rewards[:], self.ended[:], self.won[:] = told
        tables = self._tables
        turn_totals(tables, tables.totals, self._seat, self.seen)
        turn_totals(tables, tables.last.totals, self._seat, self.final)

    def tell(self) -> bool:
        """Write down what the last step was worth, and return whether any episode has ended."""
        tables = self._tables
        self.rewards[:] = tables.rewards[:, self._seat]
        np.not_equal(tables.ended, 0, out=self.ended)
        turn_totals(tables, tables.totals, self._seat, self.seen)
        if not self.ended.any():
            return False
        turn_totals(tables, tables.last.totals, self._seat, self.final)
        if tables.match:
            np.not_equal(tables.ended >> self._seat & 1, 0, out=self.won)
        return True


class RookVectorEnv(VectorEnv[dict[str, Any], Any, npt.NDArray[Any]]):
    """Tables that an agent plays at with bots: ``gymnasium.make_vec("rookery/Rook-v0", ...)``.

    An episode is one hand, from the first decision of the agent to the score. Its reward comes at
    the end: the score of its side less the mean of the other sides, times the number of those, in
    points. Where a hand ends, the next is dealt in the same step; ``infos["final_obs"]`` then has
    what the agent saw at the end, and ``infos["_final_obs"]`` says where.

    With `match` an episode is a whole match: each hand's reward comes at its end, ``totals`` are
    shown, and ``infos["won"]`` says at the end whether the agent's seat has won.

    All arrays are written in place by the next step: copy what you keep. They share their memory
    with compiled code, and by `DLPack` with whoever asks for it.

    With ``target="cuda"`` all tables lie on a GPU, a thread each. Observations, masks and
    ``final_obs`` stay there (`rookery.envs.gpu.arrays.DeviceArray`: ``torch.from_dlpack`` takes
    them without a copy, ``numpy.asarray`` copies them), and actions may lie there.
    Rewards, terminations, truncations and the other ``infos`` are NumPy's, as Gymnasium's own code
    computes with them; `rows` has the first two on the GPU too. The same seeds and actions
    give the same numbers on every target.

    Attributes:
        rows: what the agent got of the last step.
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
        """Set up the tables; see `Tables` for what it takes and raises. Nothing is rendered."""
        check_mode(render_mode, self.metadata["render_modes"])
        given: dict[str, Any] = {
            "agents": [seat],
            "opponents": opponents,
            "observations": observations,
            "match": match,
        }
        self.tables: Tables | DeviceTables
        self.rows: Rows | DeviceRows
        if target == "cuda":
            check(target, "target cuda")
            from rookery.envs.gpu.tables import DeviceRows, DeviceTables

            self.tables = DeviceTables(rules, num_envs, **given)
            self.rows = DeviceRows(self.tables, seat)
        else:
            self.tables = Tables(rules, num_envs, target=target, **given)
            self.rows = Rows(self.tables, seat)
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.single_observation_space = space_of(self.tables)
        self.single_action_space = spaces.Discrete(ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.places = places_of(compile_rules(self.tables.rules))
        self._dealt = False
        self._never = np.zeros(num_envs, np.bool_)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Deal anew at every table; a seed settles all that follows.

        Raises:
            ValueError: a list of seeds, one a table, is not taken, nor are single tables.
        """
        if isinstance(seed, list):
            raise ValueError("one seed is expected, for all tables together")
        if options and options.get("reset_mask") is not None:
            raise ValueError("reset_mask: all tables are dealt anew together")
        super().reset(seed=seed, options=options)
        self.tables.begin(int(self.np_random.integers(WORTH)))
        self._dealt = True
        self.rows.tell()
        return self.rows.seen, {}

    def step(
        self,
        actions: Any,  # noqa: ANN401  (NumPy's, or on a GPU)
    ) -> tuple[
        dict[str, Any], npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], dict[str, Any]
    ]:
        """Do each table's action; see the class for what comes back.

        Raises:
            gymnasium.error.ResetNeeded: nothing is dealt yet.
            gymnasium.error.InvalidAction: an action is not in the mask; nothing was done then.
        """
        if not self._dealt:
            raise gymnasium.error.ResetNeeded("nothing is dealt yet: call reset() first")
        try:
            self.tables.step(actions, again=True)
        except IllegalAgentAction as error:
            raise gymnasium.error.InvalidAction(str(error)) from None
        infos: dict[str, Any] = {}
        rows = self.rows
        if rows.tell():
            infos = {"final_obs": rows.final, "_final_obs": rows.ended}
            if self.tables.match:
                infos |= {"won": rows.won, "_won": rows.ended}
        return rows.seen, rows.rewards, rows.ended, self._never, infos

    def sample_actions(self) -> Any:  # noqa: ANN401  (NumPy's, or on a GPU)
        """Return a legal action for each table, each equally likely, drawn by compiled code.

        Returns:
            int64, shape (num_envs,); always the same memory.
        """
        return self.tables.draw()
