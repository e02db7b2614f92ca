"""`rookery bench`: what it measures when asked, what it refuses, what it prints."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import pytest
from typer.testing import CliRunner

from rookery.cli.arguments import Refused
from rookery.cli.lab.bench import command
from rookery.cli.main import app
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
