"""`rookery bench`: what it measures when asked, what it refuses, what it prints."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from typer.testing import CliRunner

from rookery.cli.arguments import Refused
from rookery.cli.lab.bench import command
from rookery.cli.main import app
from rookery.engine.targets import native
from rookery.lab import bench as bench_module
from rookery.lab.bench import HANDFUL, Bench, Machine, Speed, Start
from rookery.rules import UnknownRules, catalog

FIGURES = Bench(
    machine=Machine(
        processor="a processor", system="Linux", cores=2, python="3", numba="0", numpy="2"
    ),
    engine="0123456789abcdef",
    speeds=[
        Speed(
            work="random",
            rules="circus",
            mode=None,
            engine="numba",
            cores=1,
            hands_per_second=2e6,
            slowest=1e6,
            fastest=3e6,
            runs=3,
        )
    ],
    start=Start(
        cold_seconds=9.0,
        warm_seconds=1.0,
        plain_seconds=0.5,
        cold_peak_mib=None,
        warm_peak_mib=None,
    ),
)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """Put a stand-in for the measurements; return what rules it was asked to measure."""
    found: list[tuple[str, ...]] = []

    def stand_in(
        rules: Sequence[str], *, cores: int, seconds: float, tell: Callable[[str], None]
    ) -> Bench:
        tell("nothing")
        found.append(tuple(rules))
        return FIGURES

    monkeypatch.setattr(bench_module, "run_bench", stand_in)
    return found


def run(
    variants: str | None = None,
    every: bool = False,
    seconds: float = 1.0,
    threads: int | None = 1,
    as_json: bool = False,
) -> None:
    command(variants, every, seconds, threads, as_json)


def test_it_measures_a_handful_the_chosen_or_all(asked: list[tuple[str, ...]]) -> None:
    run()
    run(variants="circus, dixie")
    run(every=True)
    assert asked == [HANDFUL, ("circus", "dixie"), catalog()]


def test_data_goes_to_standard_output_and_progress_to_standard_error(
    asked: list[tuple[str, ...]], capsys: pytest.CaptureFixture[str]
) -> None:
    run(as_json=True)
    told = capsys.readouterr()
    assert Bench.model_validate(json.loads(told.out)) == FIGURES
    assert told.err == "measuring nothing ...\n"
    run()
    table = capsys.readouterr().out
    assert "random play, circus" in table
    assert "2.000 M" in table


BARE = """
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ABSENT:
            raise ModuleNotFoundError(name, name=name)
sys.meta_path.insert(0, Absent())
from rookery.cli.main import app
app(["bench", "--json", "--seconds", "0.01", "--threads", "1", "--variants", "kd_tournament"])
"""


def measured(target: str) -> tuple[Bench, dict[str, Any]]:
    """Return what is measured where neither NumPy nor Numba can be imported."""
    absent = ("numpy", "numba", "llvmlite", "polars", "scipy")
    done = subprocess.run(
        [sys.executable, "-c", BARE.replace("ABSENT", repr(absent))],
        env={**os.environ, "ROOKERY_TARGET": target, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return Bench.model_validate_json(done.stdout), json.loads(done.stdout)


@pytest.mark.slow
def test_it_measures_without_numpy_what_this_machine_has() -> None:
    bench, told = measured("")
    assert (told["machine"]["numba"], told["machine"]["numpy"]) == (None, None)
    here = ["python", "native"] if native.LIBRARY.exists() else ["python"]
    assert list(told["targets"]) == here
    assert min(told["targets"].values()) > 0
    # All that there is is compared; the rest runs by the fastest, or by what is asked for.
    assert {one.engine for one in bench.speeds} == set(here)
    assert bench.start.cold_seconds is None
    bench, told = measured("python")
    assert list(told["targets"]) == here
    assert {one.engine for one in bench.speeds} == {"python"}
    assert {one.work for one in bench.speeds} == {"characters", "random"}


def test_wrong_options_are_refused_before_anything_is_measured(
    asked: list[tuple[str, ...]],
) -> None:
    with pytest.raises(Refused, match="--variants and --all: expected one of them"):
        run(variants="circus", every=True)
    with pytest.raises(Refused, match="--seconds 0: expected more than 0, at most 60"):
        run(seconds=0)
    refused = CliRunner().invoke(app, ["bench", "--threads", "0"])
    assert refused.stderr == "--threads 0: expected a number from 1 to 1024\n"
    with pytest.raises(Refused, match="--variants: expected ids"):
        run(variants=" ,")
    with pytest.raises(UnknownRules):
        run(variants="circus,cirkus")
    assert asked == []
