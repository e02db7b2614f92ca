"""The measurements are of the work they say, and the table of them fits a terminal."""

from __future__ import annotations

import platform
import subprocess
from pathlib import Path
from typing import Any

import pytest

from rookery.bots.dispatch import kind_of
from rookery.lab.bench import (
    Bench,
    Machine,
    Speed,
    Start,
    Work,
    cast_of,
    here,
    machine,
    report,
    speed_of,
    speeds_of_targets,
    starts,
    timed,
)
from rookery.lab.menagerie.study import Mode
from rookery.lab.run.streams import play_plain
from rookery.rules import variant
from rookery.rules.table import compile_rules


def speed(work: Work = "random", rules: str = "kd_tournament", **more: object) -> Speed:
    fields = {"mode": None, "engine": "numba", "cores": 1, "hands_per_second": 1234567.0}
    return Speed.model_validate(
        {"work": work, "rules": rules, "slowest": 1.0, "fastest": 2e6, "runs": 3} | fields | more
    )


def bench(*speeds: Speed, peak: float | None = 200.0) -> Bench:
    return Bench(
        machine=Machine(
            processor="A processor with a very long name indeed, version 12, at 3.4 GHz",
            system="Linux x86_64",
            cores=2,
            python="3.11.7",
            numba="0.68.1",
            numpy="2.4.6",
        ),
        engine="0123456789abcdef",
        speeds=list(speeds),
        start=Start(
            cold_seconds=12.3,
            warm_seconds=1.2,
            plain_seconds=0.3,
            cold_peak_mib=peak,
            warm_peak_mib=peak,
        ),
    )


def test_a_speed_is_the_median_of_its_runs_and_the_amount_fills_the_time() -> None:
    amounts: list[int] = []
    slowness = iter([1.0, 4.0, 2.0])  # of the three runs that count

    def work(amount: int) -> tuple[int, float]:
        amounts.append(amount)
        slow = next(slowness) if amount == 1000 else 1.0
        return 10 * amount, 0.001 * amount * slow

    assert timed(work, seconds=1.0, runs=3) == (5000.0, 2500.0, 10000.0)
    assert amounts == [1, 1, 2, 4, 8, 16, 32, 64, 1000, 1000, 1000]


def test_the_plain_engine_is_measured_on_hands_that_are_played_out() -> None:
    table = compile_rules(variant("kd_tournament"))
    measured = speed_of(0.02, 3, "random", "kd_tournament", engine="python")
    assert (measured.engine, measured.cores, measured.runs) == ("python", 1, 3)
    assert 0 < measured.slowest <= measured.hands_per_second <= measured.fastest
    scores, cancelled = play_plain(table, cast_of("random", 4), 1, 0, 20)
    assert any(scores)
    assert cancelled >= 0


def test_random_play_is_random_and_characters_are_characters() -> None:
    assert set(cast_of("random", 8)) == {kind_of("random")}
    assert cast_of("characters", 4) == [kind_of(n) for n in ("karapet", "papa", "hog", "rabbit")]


@pytest.mark.parametrize("width", [80, 120])
def test_the_table_fits_and_no_figure_is_cut(width: int) -> None:
    text = report(
        bench(
            speed("study", mode=Mode.PUBLISHED, hands_per_second=1.5e6),
            speed("study", mode=Mode.PUBLISHED, cores=2, hands_per_second=3.0e6),
            speed("random", "a/house/rule/file/with/quite/a/long/path/and/a/long/name.toml"),
            speed(
                "random", "a/house/rule/file/with/quite/a/long/path/and/a/long/name.toml", cores=2
            ),
            speed("characters", engine="python", hands_per_second=5432.1),
        ),
        width,
    )
    lines = text.splitlines()
    assert max(map(len, lines)) <= width
    assert [line.split()[-2:] for line in lines if line.startswith("random")] == [["1.235", "M"]]
    assert any(line.endswith("5,432") for line in lines)
    assert any("1.500 M" in line and "3.000 M" in line for line in lines)
    assert "12.3 s compiling" in text


def test_one_core_needs_no_second_column_and_unknown_memory_is_not_told() -> None:
    text = report(bench(speed(), peak=None), 80)
    assert "2 cores" not in text.split("hands a second")[1]
    assert "memory" not in text


def test_a_machine_is_its_processor_and_its_versions() -> None:
    ours = machine()
    assert ours.cores >= 1
    assert ours.processor
    assert ours.python == platform.python_version()


def test_every_target_of_this_machine_is_measured_and_the_absent_are_named() -> None:
    speeds = speeds_of_targets(0.05, runs=1)
    assert list(speeds) == here()
    assert "python" in speeds
    assert min(speeds.values()) > 0
    text = report(bench(speed()).model_copy(update={"targets": {"python": 2000.0}}), 80)
    assert "plain Python 2,000. Not here: Numba and the native library." in " ".join(text.split())


def test_a_machine_without_numba_says_so() -> None:
    figures = bench(speed())
    bare = figures.machine.model_copy(update={"numba": None})
    start = Start(
        cold_seconds=None, warm_seconds=None, plain_seconds=0.3, native_seconds=0.4,
        cold_peak_mib=None, warm_peak_mib=None,
    )  # fmt: skip
    text = report(figures.model_copy(update={"machine": bare, "start": start}), 80)
    assert "Numba absent, NumPy 2.4.6" in " ".join(text.split())
    assert "first hand: 0.4 s with the native library, 0.3 s in plain Python." in " ".join(
        text.split()
    )


@pytest.mark.numba
@pytest.mark.slow
def test_starting_is_timed_in_processes_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first compiles, the second finds what it compiled, the third needs neither."""
    plain_run, made = subprocess.run, []

    def watched(command: list[str], **more: Any) -> Any:  # noqa: ANN401  (as the original)
        folder = Path(more["env"]["ROOKERY_CACHE"])
        before = set(folder.rglob("*.nb?"))
        done = plain_run(command, **more)
        made.append((command[-2], bool(before), bool(set(folder.rglob("*.nb?")) - before)))
        return done

    monkeypatch.setattr(subprocess, "run", watched)
    start = starts("kd_tournament", ["numba"])
    assert made == [("numba", False, True), ("numba", True, False), ("python", True, False)]
    assert start.cold_seconds is not None
    assert start.warm_seconds is not None
    assert min(start.plain_seconds, start.warm_seconds, start.cold_seconds) > 0
    assert start.native_seconds is None
    assert start.warm_peak_mib is None or start.warm_peak_mib > 20
