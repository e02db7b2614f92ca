"""Whole hands on a GPU: in the simulator, compiled without one, and on one where there is one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache

import numpy as np
import pytest

from rookery.bots.seat_info import SeatInfo
from rookery.cards import CARDS
from rookery.engine.state import Hidden, State
from rookery.lab.run import streams
from rookery.lab.run import streams as cores
from rookery.rules import catalog, variant
from rookery.rules.fields import layout
from rookery.rules.table import RuleTable, compile_rules

pytestmark = pytest.mark.cuda
pytest.importorskip("numba_cuda", reason="needs rookery-cards[gpu]")

KINDS = (0, 1, 2, 3, 4)
SEED = 1906


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


def on_plain_python(
    table: RuleTable, first: int, count: int, hands: int, spoil: int = 0
) -> tuple[list[list[int]], list[int]]:
    """Play streams on the plain engine; with `spoil`, on records whose every field holds it."""
    scores, cancelled = [], []
    cast = [KINDS[seat % 5] for seat in range(table.seats)]
    for stream in range(first, first + count):
        s, h, mine = State(), Hidden(), [SeatInfo() for _ in range(table.seats)]
        for record in (s, h, *mine) if spoil else ():
            for name, size in layout(type(record)):
                setattr(record, name, [spoil] * size if size else spoil)
        total = [0] * table.seats
        order = [spoil] * CARDS
        cancelled.append(
            streams.play_stream(table, s, h, mine, cast, order, SEED, stream, hands, total)
        )
        scores.append(total)
    return scores, cancelled


@pytest.mark.parametrize("name", catalog())
def test_a_deal_does_not_depend_on_what_lay_in_memory(name: str) -> None:
    """A GPU thread's own records are not cleared before its first deal."""
    table = compile_rules(variant(name))
    assert on_plain_python(table, 0, 2, 3, spoil=0x5A5A5A) == on_plain_python(table, 0, 2, 3)


SIMULATION = """
import json
from tests.engine import streams_gpu as cuda
from rookery.rules import variant
from rookery.rules.table import compile_rules
table = compile_rules(variant(NAME))
cast = [seat % 5 for seat in range(table.seats)]
scores, cancelled = cuda.play_streams(table, cast, 1906, 3, 4, first=2)
print(json.dumps([scores.tolist(), cancelled.tolist()]))
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["kd_tournament", "rook_1906_8"])
def test_the_simulated_gpu_plays_the_streams_of_the_processor(name: str) -> None:
    done = run(SIMULATION.replace("NAME", repr(name)), simulated=True)
    assert done.returncode == 0, done.stderr
    expected = on_plain_python(compile_rules(variant(name)), 2, 3, 4)
    assert json.loads(done.stdout) == list(expected)
    assert any(map(any, expected[0]))


# Device functions ask the present GPU for its kind; here somebody else answers.
COMPILATION = """
import types
import numba.cuda.dispatcher as dispatcher
from numba.cuda import types as t
from numba.cuda.np.numpy_support import from_dtype
from rookery.engine.targets.cuda import cuda
from rookery.engine.records import dtype_of
from tests.engine.streams_gpu import streams_kernel
from rookery.rules import variant
from rookery.rules.table import RuleTable, compile_rules
dispatcher.get_current_device = lambda: types.SimpleNamespace(compute_capability=(9, 0))
table = t.Array(from_dtype(dtype_of(RuleTable)), 1, "C")
row, square = t.Array(t.int64, 1, "C"), t.Array(t.int64, 2, "C")
kernel = streams_kernel(compile_rules(variant("kd_tournament")))
signature = t.void(table, row, t.int64, t.int64, t.int64, t.int64, square, row)
text, _ = cuda.compile_ptx(kernel.py_func, signature, cc=(9, 0))
print(text)
"""


@pytest.mark.slow
def test_it_compiles_to_ptx_without_a_gpu() -> None:
    done = run(COMPILATION, simulated=False)
    assert done.returncode == 0, done.stderr
    assert ".target sm_90" in done.stdout
    assert ".visible .entry" in done.stdout
    assert "popc.b64" in done.stdout
    # The records of a hand lie in the thread's own memory.
    assert "__local_depot" in done.stdout


@cache
def gpu() -> str:
    """Return "" where a GPU can be used, else why not."""
    done = run("from rookery.engine.targets.cuda import cuda\nprint(cuda.is_available())", False)
    return "" if done.stdout.strip() == "True" else "this machine has no usable CUDA device"


@pytest.mark.gpu
@pytest.mark.slow
@pytest.mark.parametrize("name", ["kd_tournament", "rook_two_1914", "call_partner_6", "circus"])
def test_a_gpu_plays_the_streams_of_the_processor(name: str) -> None:
    if reason := gpu():
        pytest.skip(reason)
    from tests.engine import streams_gpu as cuda

    table = compile_rules(variant(name))
    cast = [KINDS[seat % 5] for seat in range(table.seats)]
    scores, cancelled = cuda.play_streams(table, cast, SEED, 5000, 10, first=7)
    expected, expected_cancelled = cores.play_streams(table, cast, SEED, 5000, 10, first=7)
    assert np.array_equal(scores, expected)
    assert np.array_equal(cancelled, expected_cancelled)


@pytest.mark.numba
def test_streams_are_the_same_on_any_number_of_cores() -> None:
    table = compile_rules(variant("kd_tournament"))
    one, two, rest = (
        cores.play_streams(table, KINDS[:4], SEED, 9, 50, cores=1),
        cores.play_streams(table, KINDS[:4], SEED, 9, 50, cores=2),
        cores.play_streams(table, KINDS[:4], SEED, 4, 50, first=5),
    )
    assert one == two
    assert one[0][5:] == rest[0]
    assert (one[0][3:5], one[1][3:5]) == on_plain_python(table, 3, 2, 50)
    assert len(set(map(tuple, one[0]))) == 9
