"""Tables on a GPU: in the simulator, compiled without one, and on one where there is one.

The simulator plays until all that is in `KINDS` was come across. For longer, three times as long:
`SIMULATED_STEPS=300 .venv/bin/pytest tests/envs/test_gpu.py -k simulated`
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from typing import Any

import pytest

pytestmark = pytest.mark.cuda
pytest.importorskip("numba_cuda", reason="needs rookery-cards[gpu]")
pytest.importorskip("gymnasium", reason="needs rookery-cards[rl]")

from tests.envs.on_gpu import RULES  # noqa: E402  (needs both)

# Steps of three tables where `FEW` are not enough, and what they come across: phases and actions.
STEPS = {"kd_tournament": 180}
FEW = int(os.environ.get("SIMULATED_STEPS", "100"))
KINDS = {
    "kd_tournament": {"redeal", "nest", "trump", "pass"},
    "display": {"trump", "bid", "card", "pass"},
    "call_partner_pagat": {"call", "nest", "pass"},
    "circus": {"circus", "nest", "pass"},
    "rook_two_1914": {"nest", "trump", "pass"},
}


def run(*words: str, simulated: bool, **more: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a process of its own: the switch is read when numba is imported."""
    return subprocess.run(
        [sys.executable, *words],
        env={
            **os.environ,
            "NUMBA_ENABLE_CUDASIM": str(int(simulated)),
            "PYTHONPATH": os.pathsep.join(sys.path),
            **more,
        },
        capture_output=True,
        text=True,
        check=False,
    )


def told(*words: str, simulated: bool = True) -> Any:  # noqa: ANN401
    """Return what a program prints as JSON."""
    done = run(*words, simulated=simulated)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def played(name: str, steps: int, tables: int, *more: str, simulated: bool = True) -> Any:  # noqa: ANN401
    given = (name, str(steps), str(tables), *more)
    return told("-m", "tests.envs.on_gpu", *given, simulated=simulated)


@pytest.mark.slow
@pytest.mark.parametrize("name", RULES)
def test_the_simulated_gpu_shows_what_the_processor_shows(name: str) -> None:
    difference, ended, seen = played(name, max(FEW, STEPS.get(name, 0)), 3)
    assert difference == ""
    assert ended > (2 if "match" in RULES[name] else 10)
    assert KINDS[name] | {"auction", "play"} <= set(seen)


def test_sets_of_cards_that_are_written_wrongly_are_found() -> None:
    """The control of the one above."""
    difference, *_ = played("circus", 3, 2, "plant")
    assert difference == "observation after 0"


ARRAYS = """
import copy
import json
import pickle
import gymnasium
import numpy as np
from tests.envs.on_gpu import pair
from rookery.envs.gpu.arrays import DeviceArray

def error(call, *given):
    try:
        call(*given)
    except Exception as raised:
        return f"{type(raised).__name__}: {raised}"

device, host = pair("circus", 3)
found = {"early": error(device.step, np.zeros(3, np.int64))}
seen, _ = device.reset(seed=5)
host.reset(seed=5)
good = np.asarray(device.sample_actions())
found["kinds"] = {key: type(array).__name__ for key, array in seen.items()}
found["shapes"] = {
    key: [seen[key].shape, str(seen[key].dtype)] == [array.shape, str(array.dtype)]
    for key, array in host.rows.seen.items()
}
shared = {key: np.from_dlpack(array) for key, array in seen.items()}
copies = {key: np.asarray(array) for key, array in seen.items()}
for name, wrong in {
    "illegal": np.where(np.arange(3) == 1, 217, good),
    "floats": good.astype(float),
    "short": good[:2],
}.items():
    found[name] = error(device.step, wrong)
found["untouched"] = all((shared[key] == copies[key]).all() for key in shared)
again, rewards, ended, cut, infos = device.step(good.astype(np.int32))
host.step(good)
found["same"] = all(again[key] is seen[key] for key in seen)
found["written"] = {key: bool((shared[key] != copies[key]).any()) for key in shared}
found["right"] = all((shared[key] == host.rows.seen[key]).all() for key in shared)
found["numpy"] = [type(array).__name__ for array in (rewards, ended, cut)]
while not ended.any():
    _, rewards, ended, _, infos = device.step(device.sample_actions())
on_device = [np.from_dlpack(a) for a in (device.rows.device_rewards, device.rows.device_ended)]
found["worth"] = [rewards.tolist(), ended.tolist()] == [a.tolist() for a in on_device]
found["copied"] = error(lambda: np.array(seen["observation"], copy=False))
found["twice"] = [error(copy.deepcopy, device), error(pickle.dumps, device)]
found["space"] = device.observation_space.contains(copies)
print(json.dumps(found))
"""


def test_arrays_are_the_gpus_own_and_errors_name_the_table() -> None:
    found = told("-c", ARRAYS)
    assert found["early"] == "ResetNeeded: nothing is dealt yet: call reset() first"
    assert set(found["kinds"].values()) == {"DeviceArray"}
    assert set(found["kinds"]) == {"observation", "action_mask"}
    assert all(found["shapes"].values())
    assert found["illegal"] == (
        "InvalidAction: table 1: action 217 is not legal, see its action_mask"
    )
    assert found["floats"] == "TypeError: actions of float64; expected whole numbers, such as int64"
    assert found["short"] == "ValueError: actions of shape (2,); expected (3,), one a table"
    assert found["untouched"]
    assert found["same"]
    assert found["written"]["observation"]
    assert found["right"]
    assert found["numpy"] == ["ndarray"] * 3
    assert found["worth"]
    assert found["copied"] == "ValueError: an array on a GPU; NumPy can have a copy of it only"
    assert found["twice"] == ["TypeError: tables on a GPU cannot be copied or pickled"] * 2
    assert found["space"]


# Device functions ask the present GPU for its kind; here somebody else answers.
COMPILATION = """
import types
import numba.cuda.dispatcher as dispatcher
from numba.cuda import types as t
from numba.cuda.np.numpy_support import from_dtype
from rookery.bots.seat_info import SeatInfo
from rookery.engine.records import dtype_of
from rookery.engine.state import Hidden, State
from rookery.engine.targets.cuda import cuda
from rookery.envs.gpu.kernels import programs
from rookery.envs.observations.masks import Dice
from rookery.rules import variant
from rookery.rules.table import RuleTable
dispatcher.get_current_device = lambda: types.SimpleNamespace(compute_capability=(9, 0))
def records(kind):
    return t.Array(from_dtype(dtype_of(kind)), 1, "C")
row, number = t.Array(t.int64, 1, "C"), t.int64
given = [*map(records, (RuleTable, State, Hidden, SeatInfo)), row, row, number, *[row] * 8]
kernels = programs(
    variant("kd_tournament"), (("SEATED", 1), ("TELLS", TELLS), ("SHOWS", 1), ("MATCHES", 1))
)
signatures = {
    "begin": [*given, row, records(Dice)],
    "check": [row] * 5,
    "step": [*given, number, *[row] * 4],
    "draw": [records(Dice), row, row],
    "tell": [number, *[row] * 3, *(t.Array(kind, 1, "C") for kind in (t.float64, t.boolean,
             t.boolean, t.int32))],
}
for name, signature in signatures.items():
    kernel = getattr(kernels, name)
    print(cuda.compile_ptx(kernel.py_func, t.void(*signature), cc=(9, 0))[0])
"""


@pytest.mark.slow
def test_all_of_it_compiles_to_ptx_without_a_gpu() -> None:
    done = run("-c", COMPILATION.replace("TELLS)", "1)"), simulated=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(".visible .entry") == 5
    assert done.stdout.count(".target sm_90") == 5
    # Each thread has room of its own, and the least table of all is looked for by all at once.
    assert "__local_depot" in done.stdout
    assert "atom.global.min" in done.stdout or "atom.min" in done.stdout


NOWHERE = """
from rookery.envs.vector import RookVectorEnv
try:
    RookVectorEnv(2, target="cuda")
except ValueError as error:
    print(f"{type(error).__name__}: {error}")
"""


def test_a_gpu_that_is_not_here_is_one_clear_line() -> None:
    done = run("-c", NOWHERE, simulated=False, CUDA_VISIBLE_DEVICES="-1")
    line = "MissingTarget: target cuda: no NVIDIA GPU was found here; "
    line += "leave it out to use the cores\n"
    assert (done.stdout, done.stderr) == (line, "")
    hidden = "import sys; sys.modules['numba.cuda'] = None\n"
    done = run("-c", hidden + NOWHERE, simulated=False)
    assert done.stdout.startswith("MissingTarget: target cuda: needs numba.cuda, which is not")
    assert done.stderr == ""


def test_one_table_is_for_the_processor() -> None:
    from rookery.engine.targets import MissingTarget
    from rookery.envs.single import RookEnv

    with pytest.raises(MissingTarget, match="target cuda: expected many tables for one seat"):
        RookEnv(target="cuda")


@cache
def gpu() -> str:
    """Return "" where a GPU can be used, else why not."""
    words = "from rookery.engine.targets.cuda import cuda\nprint(cuda.is_available())"
    done = run("-c", words, simulated=False)
    return "" if done.stdout.strip() == "True" else "this machine has no usable CUDA device"


@pytest.mark.gpu
@pytest.mark.slow
@pytest.mark.parametrize("name", RULES)
def test_a_gpu_shows_what_the_processor_shows(name: str) -> None:
    if reason := gpu():
        pytest.skip(reason)
    difference, ended, _ = played(name, 300, 1000, simulated=False)
    assert difference == ""
    assert ended > 1000
