"""Boards on a GPU: in the simulator, compiled without one, and on one where there is one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache

import pytest

from rookery.bots.names import bots
from rookery.lab.duplicate.job import Boards
from rookery.lab.duplicate.match import Match
from rookery.rules import load

pytestmark = pytest.mark.cuda
pytest.importorskip("numba_cuda", reason="needs rookery-cards[gpu]")

LINEUPS = {  # partners, a dummy, a called partner, a 57-card game of four different bots
    "kd_tournament": "papa,random",
    "display": "club,random",
    "call_partner_5": "random,club",
    "kd_full_57": "papa,hog,rabbit,random",
}


def boards(name: str, count: int) -> Boards:
    return Match(load(name), name, bots(LINEUPS[name]), count, 1906, target="python").job("all")


def run(program: str, simulated: bool) -> subprocess.CompletedProcess[str]:
    """Run a program in a process of its own: the switch is read when numba is imported."""
    return subprocess.run(
        [sys.executable, "-c", program],
        env={
            **os.environ,
            "NUMBA_ENABLE_CUDASIM": str(int(simulated)),
            "PYTHONPATH": os.pathsep.join(sys.path),
        },
        capture_output=True,
        text=True,
        check=False,
    )


SIMULATION = """
import json
from dataclasses import replace
from tests.lab.test_boards_cuda import boards
job = replace(boards(NAME, 5), target="cuda")
print(json.dumps([job.count(0, 5).tolist(), job.count(2, 3).tolist()]))
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", LINEUPS)
def test_the_simulated_gpu_notes_what_the_processor_notes(name: str) -> None:
    done = run(SIMULATION.replace("NAME", repr(name)), simulated=True)
    assert done.returncode == 0, done.stderr
    job = boards(name, 5)
    assert json.loads(done.stdout) == [job.count(0, 5).tolist(), job.count(2, 3).tolist()]


def test_the_games_of_this_page_are_of_different_kinds() -> None:
    tables = [load(name) for name in LINEUPS]
    assert any(rules.dummy == "partner" for rules in tables)
    assert any(rules.partnership == "called" for rules in tables)


# Device functions ask the present GPU for its kind; here somebody else answers.
COMPILATION = """
import types
import numba.cuda.dispatcher as dispatcher
from numba.cuda import types as t
from numba.cuda.np.numpy_support import from_dtype
from rookery.engine.targets.cuda import cuda
from rookery.engine.records import dtype_of
from rookery.lab.duplicate.boards_gpu import boards_kernel
from rookery.rules import variant
from rookery.rules.table import RuleTable
dispatcher.get_current_device = lambda: types.SimpleNamespace(compute_capability=(9, 0))
table = t.Array(from_dtype(dtype_of(RuleTable)), 1, "C")
row, square = t.Array(t.int64, 1, "C"), t.Array(t.int64, 2, "C")
kernel = boards_kernel(variant("kd_tournament"), frozenset([0, 1]))
signature = t.void(table, row, *[t.int64] * 6, square)
text, _ = cuda.compile_ptx(kernel.py_func, signature, cc=(9, 0))
print(text)
"""


@pytest.mark.slow
def test_it_compiles_to_ptx_without_a_gpu() -> None:
    done = run(COMPILATION, simulated=False)
    assert done.returncode == 0, done.stderr
    assert ".target sm_90" in done.stdout
    assert ".visible .entry" in done.stdout
    assert "__local_depot" in done.stdout


@cache
def gpu() -> str:
    """Return "" where a GPU can be used, else why not."""
    done = run("from rookery.engine.targets.cuda import cuda\nprint(cuda.is_available())", False)
    return "" if done.stdout.strip() == "True" else "this machine has no usable CUDA device"


ON_A_GPU = """
import json
from dataclasses import replace
from tests.lab.test_boards_cuda import boards
job = boards(NAME, 5000)
print(json.dumps([replace(job, target=t).count(7, 4990).tolist() for t in ("cuda", "numba")]))
"""


@pytest.mark.gpu
@pytest.mark.slow
@pytest.mark.parametrize("name", LINEUPS)
def test_a_gpu_notes_what_the_processor_notes(name: str) -> None:
    if reason := gpu():
        pytest.skip(reason)
    done = run(ON_A_GPU.replace("NAME", repr(name)), simulated=False)
    assert done.returncode == 0, done.stderr
    one, other = json.loads(done.stdout)
    assert one == other
