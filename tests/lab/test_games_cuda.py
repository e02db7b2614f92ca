"""Whole games on a GPU: in the simulator, compiled without one, and on one where there is one."""

from __future__ import annotations

import json

import pytest
from tests.lab.test_boards_cuda import gpu, run

from rookery.lab.menagerie.study import Mode, games_of

pytestmark = [pytest.mark.cuda, pytest.mark.slow]
pytest.importorskip("numba_cuda", reason="needs rookery-cards[gpu]")

SIMULATION = """
import json
from rookery.lab.menagerie.study import Mode, games_of
job = games_of(Mode(MODE), 4, 3, "cuda")
print(json.dumps([job.count(0, 3).tolist(), job.count(2, 1).tolist()]))
"""
# Device functions ask the present GPU for its kind; here somebody else answers.
COMPILATION = """
import types
import numba.cuda.dispatcher as dispatcher
from numba.cuda import types as t
from numba.cuda.np.numpy_support import from_dtype
from rookery.engine.targets.cuda import cuda
from rookery.engine.records import dtype_of
from rookery.lab.menagerie.games_gpu import games_kernel
from rookery.lab.menagerie.study import KERNELS, Mode
from rookery.rules import variant
from rookery.rules.table import RuleTable
dispatcher.get_current_device = lambda: types.SimpleNamespace(compute_capability=(9, 0))
table = t.Array(from_dtype(dtype_of(RuleTable)), 1, "C")
square = t.Array(t.int64, 2, "C")
kernel = games_kernel(KERNELS[Mode(MODE)], variant("kd_tournament"))
text, _ = cuda.compile_ptx(kernel.py_func, t.void(table, *[t.int64] * 4, square), cc=(9, 0))
print(text)
"""
ON_A_GPU = """
import json
from rookery.lab.menagerie.study import Mode, games_of
jobs = (games_of(Mode(MODE), 5000, 3, target) for target in ("cuda", "numba"))
print(json.dumps([job.count(7, 4990).tolist() for job in jobs]))
"""


@pytest.mark.parametrize("mode", Mode)
def test_the_simulated_gpu_notes_what_the_processor_notes(mode: Mode) -> None:
    done = run(SIMULATION.replace("MODE", repr(mode.value)), simulated=True)
    assert done.returncode == 0, done.stderr
    job = games_of(mode, 4, 3, "python")
    assert json.loads(done.stdout) == [job.count(0, 3).tolist(), job.count(2, 1).tolist()]


@pytest.mark.parametrize("mode", Mode)
def test_it_compiles_to_ptx_without_a_gpu(mode: Mode) -> None:
    done = run(COMPILATION.replace("MODE", repr(mode.value)), simulated=False)
    assert done.returncode == 0, done.stderr
    assert ".target sm_90" in done.stdout
    assert ".visible .entry" in done.stdout
    assert "__local_depot" in done.stdout


@pytest.mark.gpu
@pytest.mark.parametrize("mode", Mode)
def test_a_gpu_notes_what_the_processor_notes(mode: Mode) -> None:
    if reason := gpu():
        pytest.skip(reason)
    done = run(ON_A_GPU.replace("MODE", repr(mode.value)), simulated=False)
    assert done.returncode == 0, done.stderr
    one, other = json.loads(done.stdout)
    assert one == other
