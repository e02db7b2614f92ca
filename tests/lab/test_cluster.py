"""The same study on a real cluster of two nodes, with workers and a node killed under it."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pytest
from typer.testing import CliRunner

from rookery.cli.main import app
from rookery.lab.menagerie.study import Mode, run_study
from rookery.lab.run.cluster import Cluster, NoCluster
from rookery.lab.run.jobs import Chunk, Counted, Job, Sums, run_jobs

ROOT = Path(__file__).parents[2]
UNITS = 2_000
ANSWER = [UNITS, sum(range(UNITS))]
TRAP = 700
STORE = 80 << 20  # bytes

pytestmark = [
    pytest.mark.slow,
    # Ray leaves what it holds open to the end of the process.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning:ray"),
]


class Nodes(Protocol):
    """What the tests use of Ray's own test cluster."""

    address: str
    worker_nodes: set[Any]

    def remove_node(self, node: object, allow_graceful: bool) -> None: ...


@pytest.fixture(scope="module")
def nodes() -> Iterator[Nodes]:
    """A cluster of two nodes with a core each, on this machine."""
    pytest.importorskip("ray")
    before = dict(os.environ)
    os.environ |= {
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
        "RAY_raylet_start_wait_time_s": "300",  # 30 are too few on a busy machine
        "PYTHONPATH": f"{ROOT}:{ROOT / 'src'}",
    }
    started: Any = import_module("ray.cluster_utils").Cluster
    node = {"num_cpus": 1, "object_store_memory": STORE, "include_dashboard": False}
    cluster = started(initialize_head=True, head_node_args=node)
    try:
        cluster.add_node(**node)
        yield cluster
    finally:
        cluster.shutdown()
        os.environ.clear()
        os.environ.update(before)


@pytest.fixture(scope="module")
def address(nodes: Nodes) -> Iterator[str]:
    """The cluster's address, with this process connected to it for all tests at once."""
    ray = import_module("ray")
    ray.init(address=nodes.address, log_to_driver=False, logging_level="ERROR")
    try:
        yield nodes.address
    finally:
        ray.shutdown()


@dataclass(frozen=True)
class Units:
    """Counts its units and sums them."""

    name: str = "units"
    units: int = UNITS
    chunk: int = 20

    def count(self, first: int, size: int) -> Sums:
        return np.array([size, sum(range(first, first + size))], dtype=np.int64)


@dataclass(frozen=True)
class Killing(Units):
    """Kills the worker that first comes to a certain unit, without a word."""

    mark: str = ""

    def count(self, first: int, size: int) -> Sums:
        if first <= TRAP < first + size and not Path(self.mark).exists():
            Path(self.mark).write_text("killed")
            os.kill(os.getpid(), signal.SIGKILL)
        return super().count(first, size)


@dataclass(frozen=True)
class Stuck(Units):
    """Says when it has come to a certain node, and never comes back; others wait for that."""

    node: str = ""
    mark: str = ""

    def count(self, first: int, size: int) -> Sums:
        import ray

        if size and ray.get_runtime_context().get_node_id() == self.node:
            Path(self.mark).write_text("here")
            time.sleep(600)
        while size and not Path(self.mark).exists():
            time.sleep(0.05)
        return super().count(first, size)


@dataclass(frozen=True)
class Deadly(Units):
    """Kills every worker."""

    def count(self, first: int, size: int) -> Sums:
        os.kill(os.getpid(), signal.SIGKILL)
        return super().count(first, size)


class Eager(Cluster):
    """Hands in what it counted for the lost worker, and then what that worker had counted."""

    def work(
        self, jobs: Mapping[str, Job], chunks: Iterator[Chunk]
    ) -> Iterator[tuple[Chunk, Sums]]:
        for chunk, sums in super().work(jobs, chunks):
            yield chunk, sums
            if chunk.first <= TRAP < chunk.first + chunk.size:
                yield chunk, sums


def test_a_study_comes_to_the_same_figures(nodes: Nodes) -> None:
    here = run_study(Mode.RULES, 60, seed=4, threads=2, target="python", chunk=9)
    there = run_study(
        Mode.RULES, 60, seed=4, executor=Cluster(nodes.address), target="python", chunk=7
    )
    assert there.sums.products == here.sums.products


def test_the_command_finds_the_cluster(
    nodes: Nodes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAY_ADDRESS", nodes.address)  # where `auto` looks first
    path = tmp_path / "our.toml"
    path.write_text('name="our"\nbots=["papa", "hog"]\nboards=60\nquestions=["match"]\n')
    study = ["study", str(path), "--json", "--target", "python"]
    here, there = (CliRunner().invoke(app, [*study, *more]) for more in ([], ["--cluster", "auto"]))
    assert there.exit_code == 0, there.output
    assert json.loads(there.stdout)["answers"] == json.loads(here.stdout)["answers"]


def test_a_killed_worker_loses_and_doubles_nothing(address: str, tmp_path: Path) -> None:
    jobs = [Killing(mark=str(tmp_path / "mark")), Units("other", 50)]
    found = run_jobs(jobs, Cluster(address))
    assert (tmp_path / "mark").exists()
    assert list(found["units"]) == ANSWER
    assert list(found["other"]) == [50, sum(range(50))]


def test_a_crew_that_hands_in_both_tries_is_counted_once(address: str, tmp_path: Path) -> None:
    found = run_jobs([Killing(mark=str(tmp_path / "mark"))], Eager(address))
    assert list(found["units"]) == ANSWER


def test_counting_both_tries_would_be_seen(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control for the tests above."""

    def forgetful(self: Counted, first: int, size: int, sums: Sums) -> bool:
        self.sums = sums if self.sums is None else self.sums + sums
        return True

    monkeypatch.setattr(Counted, "add", forgetful)
    found = run_jobs([Killing(mark=str(tmp_path / "mark"))], Eager(address))
    assert list(found["units"]) != ANSWER


def test_a_fault_in_a_job_comes_out(address: str) -> None:
    class Broken(Units):
        def count(self, first: int, size: int) -> Sums:
            raise ZeroDivisionError("in a unit")

    with pytest.raises(ZeroDivisionError, match="in a unit"):
        run_jobs([Broken()], Cluster(address))


def test_a_piece_that_ends_every_worker_is_named(address: str) -> None:
    with pytest.raises(NoCluster, match="units 0 to 19 of units have ended 5 workers"):
        run_jobs([Deadly(units=20)], Cluster(address))


def test_another_version_on_the_cluster_is_refused(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rookery.lab.run.cluster.code_version", lambda: "0.0.1+abc")
    with pytest.raises(NoCluster, match=r"has Rookery .*, here it is 0\.0\.1\+abc"):
        run_jobs([Units()], Cluster(address))


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("127.0.0.1:1", "no Ray cluster at 127.0.0.1:1: connection refused"),
        ("nowhere", "'nowhere' is no address"),
        ("here:port", "'here:port' is no address"),
    ],
)
def test_an_address_without_a_cluster_gets_one_line(
    address: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pytest.importorskip("ray"), "is_initialized", lambda: False)
    with pytest.raises(NoCluster, match=words):
        run_jobs([Units()], Cluster(address))


def test_no_cluster_on_this_machine_gets_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing_there(**_: object) -> None:
        raise ConnectionError("Could not find any running Ray instance.")

    monkeypatch.setattr(pytest.importorskip("ray"), "is_initialized", lambda: False)
    monkeypatch.setattr(pytest.importorskip("ray"), "init", nothing_there)
    with pytest.raises(NoCluster, match="no Ray cluster here; start one with `ray start"):
        run_jobs([Units()], Cluster())


def test_without_ray_one_line_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(NoCluster, match=r"pip install 'rookery-cards\[cluster\]'"):
        run_jobs([Units()], Cluster())


def test_a_killed_node_loses_and_doubles_nothing(
    nodes: Nodes, address: str, tmp_path: Path
) -> None:
    """The last of them: one node is left."""
    (node,) = nodes.worker_nodes
    mark = tmp_path / "mark"

    def kill() -> None:
        while not mark.exists():
            time.sleep(0.05)
        nodes.remove_node(node, allow_graceful=False)

    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    found = run_jobs([Stuck(node=node.node_id, mark=str(mark))], Cluster(address))
    killer.join()
    assert list(found["units"]) == ANSWER
