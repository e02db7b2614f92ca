"""Tables whose cards lie on a GPU from the first deal on, and what an agent gets of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np

from rookery.engine.actions import ACTIONS
from rookery.engine.targets import Target
from rookery.engine.targets.choice import check
from rookery.engine.targets.cuda import SIMULATED, cuda
from rookery.envs.gpu.arrays import DeviceArray, borrowed, lies_on_gpu
from rookery.envs.gpu.kernels import programs
from rookery.envs.observations.parts import PARTS
from rookery.envs.tables import SEEDS, IllegalAgentAction, Tables
from rookery.rules import Rules

# A warp a block: of few tables, as many multiprocessors as there are get some.
THREADS: Final = 1 if SIMULATED else 32
ROOM: Final = 6  # where the scratch stands among what kernels take: a thread has its own


class _Laid(Tables):
    """The same arrays on the host, on which nothing plays: what they hold is where a GPU begins."""

    def _bind(self, target: Target) -> None:
        pass


class DeviceTables:
    """Tables on a GPU that all wait for an agent, or whose episode is over; as `Tables`.

    The same seeds and actions give the same numbers as on the processor, and the same actions are
    drawn. All arrays stay on the GPU and are written in place.

    Attributes:
        now: what stands at each table now, by the name of a part: what `Tables` calls
            `observations` (``compact``), `histories`, `oracles` and `totals`, in its shapes; what
            nobody asked for is not there, but ``compact`` always is.
        last: the same at the end of an episode, where the next one began at once.
        masks: as in `Tables`, and `seats`, `rewards` and `ended` likewise.
    """

    def __init__(
        self,
        rules: Rules | str,
        tables: int,
        *,
        agents: Iterable[int] | None = None,
        opponents: str | Sequence[str] = "club",
        observations: str | Sequence[str] = "compact",
        match: bool = False,
    ) -> None:
        """Set up tables, on which nothing is dealt yet; see `Tables` for what it takes and raises.

        Raises:
            MissingTarget: there is no GPU here.
        """
        check("cuda", "target cuda")
        laid = _Laid(
            rules, tables, agents=agents, opponents=opponents, observations=observations,
            match=match, target="cuda",
        )  # fmt: skip
        self.rules, self.agents, self.parts = laid.rules, laid.agents, laid.parts
        self.match = laid.match
        self._tables = tables
        self._programs = programs(laid.rules, laid._constants)
        shared = [_on_gpu(one) for one in laid._shared]
        del shared[ROOM]
        self._shared = shared
        *_, seats, words, masks, choices, oracles, told, _, self._totals = shared
        self._choices = choices
        self._dice, self._first = _on_gpu(laid._dice), _on_gpu(laid._first)
        self._seats, self._ended = seats, _on_gpu(laid.ended)
        self._actions, self._rewards = _on_gpu(laid._actions), _on_gpu(laid._rewards)
        self._wrong = cuda.to_device(np.array([tables]))
        places = self.rules.seats
        halves = {
            "compact": (words, np.int8, laid.observations),
            "history": (told, np.int16, laid.histories),
            "oracle": (oracles, np.int8, laid.oracles),
            "totals": (self._totals, np.int64, laid.totals),
        }
        self.now: dict[str, DeviceArray] = {}
        self.last: dict[str, DeviceArray] = {}
        for name, (flat, dtype, like) in halves.items():
            if like.size:
                both = flat.view(dtype).reshape(2, *like.shape)
                self.now[name], self.last[name] = DeviceArray(both[0]), DeviceArray(both[1])
        self.masks = DeviceArray(masks.view(np.int8).reshape(tables, masks.nbytes // tables))
        self.masks = self.masks[:, :ACTIONS]
        self.seats, self.ended = DeviceArray(seats), DeviceArray(self._ended)
        self.rewards = DeviceArray(self._rewards.reshape(tables, places))

    def __reduce__(self) -> str | tuple[Any, ...]:
        """Raise a TypeError: nothing copies what lies on a GPU."""
        raise TypeError("tables on a GPU cannot be copied or pickled")

    def begin(self, seed: int, dealer: int = 0) -> None:
        """Deal a first hand at each table, as `Tables.begin` does."""
        if not 0 <= seed < SEEDS:
            raise ValueError(f"seed {seed}: expected 0 to 2^63 - 1")
        for array in (self._ended, self._rewards):
            array.copy_to_device(np.zeros(array.shape, np.int64))
        self._first.copy_to_device(np.array([seed, dealer]))
        self._run(self._programs.begin, *self._shared, self._first, self._dice)

    def step(self, actions: Any, *, again: bool | None = False) -> None:  # noqa: ANN401
        """Do each table's action, as `Tables.step` does; what it wrote is there when it returns.

        Actions may also lie on a GPU; then they come by DLPack or CUDA's array interface.
        """
        given = self._given(actions)
        doing = self._programs
        self._run(doing.check, self._seats, self._choices, given, self._actions, self._wrong)
        number = {False: 0, True: 1, None: -1}[again]
        written = (self._actions, self._rewards, self._ended)
        self._run(doing.step, *self._shared, number, *written, self._wrong)
        wrong = int(self._wrong.copy_to_host()[0])  # waits until all of it is done
        if wrong < self._tables:
            self._wrong.copy_to_device(np.array([self._tables]))
            raise IllegalAgentAction(wrong, int(self._actions.copy_to_host()[wrong]))

    def draw(self) -> DeviceArray:
        """Return a legal action for each table, each equally likely; always the same array."""
        self._run(self._programs.draw, self._dice, self._choices, self._actions)
        return DeviceArray(self._actions)

    def _given(self, actions: Any) -> Any:  # noqa: ANN401
        """Return actions as an array of Numba's on the GPU."""
        if isinstance(actions, DeviceArray):
            actions = actions.array
        elif lies_on_gpu(actions):
            actions = borrowed(actions)
        else:
            actions = np.asarray(actions)
        if actions.dtype.kind not in "iu":
            raise TypeError(f"actions of {actions.dtype}; expected whole numbers, such as int64")
        if tuple(actions.shape) != (self._tables,):
            shape = tuple(actions.shape)
            raise ValueError(f"actions of shape {shape}; expected {(self._tables,)}, one a table")
        return _on_gpu(actions) if isinstance(actions, np.ndarray) else actions

    def _run(self, kernel: Any, *given: Any) -> None:  # noqa: ANN401
        """Run a kernel with a thread for each table."""
        kernel[-(-self._tables // THREADS), THREADS](*given)


class DeviceRows:
    """What one seat gets of each table after a step; as `rookery.envs.vector.Rows`.

    What it sees lies on the GPU. Rewards and ends are copied to the host, for Gymnasium's own code
    computes with them; `device_rewards` and `device_ended` are the same on the GPU.
    """

    def __init__(self, tables: DeviceTables, seat: int) -> None:
        self._tables, self._seat = tables, seat
        number, places = tables._tables, tables.rules.seats
        self._turned = cuda.to_device(np.zeros(2 * number * places, np.int32))
        turned = self._turned.reshape(2, number, places)
        none = DeviceArray(cuda.to_device(np.zeros((number, ACTIONS), np.int8)))
        self.seen = {**self._parts(tables.now, turned[0]), "action_mask": tables.masks}
        self.final = {**self._parts(tables.last, turned[1]), "action_mask": none}
        self._written = [
            cuda.to_device(np.zeros(number, kind)) for kind in (np.float64, np.bool_, np.bool_)
        ]
        self.device_rewards, self.device_ended = map(DeviceArray, self._written[:2])
        # Memory that is pinned is copied to at twice the speed.
        self.rewards, self.ended, self.won = (
            cuda.pinned_array(number, kind) for kind in (np.float64, np.bool_, np.bool_)
        )

    def tell(self) -> bool:
        """Write down what the last step was worth, and return whether any episode has ended."""
        tables = self._tables
        known = (tables._rewards, tables._ended, tables._totals)
        tables._run(tables._programs.tell, self._seat, *known, *self._written, self._turned)
        kept = (self.rewards, self.ended, self.won)
        for device, host in list(zip(self._written, kept, strict=True))[: 2 + tables.match]:
            device.copy_to_host(host)
        return bool(self.ended.any())

    def _parts(self, rows: dict[str, DeviceArray], turned: Any) -> dict[str, Any]:  # noqa: ANN401
        """Return rows by the keys that they have in an observation."""
        found = {**rows, "totals": DeviceArray(turned)}
        if "history" in found:
            found["history"] = found["history"][:, self._seat]
        return {PARTS[name].key: found[name] for name in self._tables.parts}


def _on_gpu(host: Any) -> Any:  # noqa: ANN401
    """Return a copy of an array or record on the GPU; a number as it is, an empty array of one."""
    if isinstance(host, int):
        return host
    array = np.ascontiguousarray(host)
    array = array.reshape(1) if not array.ndim else array
    return cuda.to_device(array if array.size else np.zeros(1, array.dtype))
