"""An executor on a Ray cluster: the same chunks, counted by processes on any number of machines.

Ray's own retries are off. If a worker or machine is lost, this executor submits its chunk again,
and `rookery.lab.run.jobs` counts each chunk once. Needs ``rookery-cards[cluster]``.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

from rookery.about import code_version
from rookery.lab.run.jobs import Chunk, Job, Sums

TASK: Final = 0.5  # seconds that a task should take, far more than Ray's overhead
AHEAD: Final = 2  # tasks submitted for each core
TRIES: Final = 5  # workers that a chunk may lose
LOOK_AGAIN: Final = 2.0  # seconds between two looks at the size of the cluster
HELLO: Final = 5.0  # seconds that a cluster's address may take to answer


class NoCluster(ValueError):
    """Ray is missing, nothing answers, or its workers cannot do the work. Code: ``no-cluster``."""

    code = "no-cluster"


@dataclass(frozen=True)
class Cluster:
    """An executor on all cores of a Ray cluster: ``host:port``, or ``auto`` for this machine's."""

    address: str = "auto"

    def work(
        self, jobs: Mapping[str, Job], chunks: Iterator[Chunk]
    ) -> Iterator[tuple[Chunk, Sums]]:
        """Yield every chunk with its sums; chunks that follow each other may come as one.

        Raises:
            NoCluster: there is none, another version of Rookery is installed on it, or a chunk has
                lost several workers.
        """
        with _connected(self.address) as ray:
            yield from _hand_out(ray, jobs, chunks)


@contextmanager
def _connected(address: str) -> Iterator[Any]:
    """Yield Ray, an extra, connected to the cluster at an address."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    try:
        ray: Any = import_module("ray")
    except ModuleNotFoundError:
        line = "a cluster needs Ray, which is not installed; pip install 'rookery-cards[cluster]'"
        raise NoCluster(line) from None
    if ray.is_initialized():  # by the caller, who also shuts it down
        yield ray
        return
    if address != "auto":
        _check_address(address)
    try:
        ray.init(address=address, log_to_driver=False, logging_level="ERROR")
    except ConnectionError:
        where = "here" if address == "auto" else f"at {address}"
        raise NoCluster(f"no Ray cluster {where}; start one with `ray start --head`") from None
    try:
        yield ray
    finally:
        ray.shutdown()


def _check_address(address: str) -> None:
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 0xFFFF:
        raise NoCluster(f'{address!r} is no address of a cluster; expected "auto" or host:port')
    try:
        socket.create_connection((host, int(port)), HELLO).close()
    except OSError as error:
        line = f"no Ray cluster at {address}: {(error.strerror or str(error)).lower()}"
        raise NoCluster(line) from None


def _count(job: Job, first: int, size: int, version: str) -> tuple[Sums, float]:
    """Return a chunk's sums and the seconds they took; runs on the cluster."""
    if code_version() != version:
        raise NoCluster(
            f"{socket.gethostname()} has Rookery {code_version()}, here it is {version}"
        )
    began = time.monotonic()
    return job.count(first, size), time.monotonic() - began


def _hand_out(
    ray: Any,  # noqa: ANN401
    jobs: Mapping[str, Job],
    chunks: Iterator[Chunk],
) -> Iterator[tuple[Chunk, Sums]]:
    count = ray.remote(num_cpus=1, max_retries=0, scheduling_strategy="SPREAD")(_count)
    packed: dict[str, Any] = {}
    under_way: dict[Any, Chunk] = {}
    lost: dict[Chunk, int] = {}
    again: list[Chunk] = []
    queue = _Joined(chunks)
    cores, measured = _cores(ray), time.monotonic()
    try:
        while True:
            if time.monotonic() - measured > LOOK_AGAIN:
                cores, measured = _cores(ray), time.monotonic()
            while len(under_way) < AHEAD * cores:
                chunk = again.pop() if again else queue.next()
                if chunk is None:
                    break
                if chunk.job not in packed:
                    packed[chunk.job] = ray.put(jobs[chunk.job])
                ref = count.remote(packed[chunk.job], chunk.first, chunk.size, code_version())
                under_way[ref] = chunk
            if not under_way:
                return
            done, _ = ray.wait(list(under_way), timeout=LOOK_AGAIN)
            for ref in done:
                chunk = under_way.pop(ref)
                try:
                    sums, seconds = ray.get(ref)
                except ray.exceptions.RayTaskError as error:
                    raise error.cause from None
                except ray.exceptions.RayError as error:
                    lost[chunk] = lost.get(chunk, 0) + 1
                    if lost[chunk] == TRIES:
                        raise NoCluster(_ended(chunk, error)) from None
                    packed.pop(chunk.job, None)
                    again.append(chunk)
                    continue
                lost.pop(chunk, None)
                queue.took(chunk.size, seconds)
                yield chunk, sums
    finally:
        for ref in under_way:
            ray.cancel(ref, force=True)


def _cores(ray: Any) -> int:  # noqa: ANN401
    return max(1, int(ray.cluster_resources().get("CPU", 1)))


def _ended(chunk: Chunk, error: Exception) -> str:
    units = f"units {chunk.first} to {chunk.first + chunk.size - 1} of {chunk.job}"
    return f"{units} have ended {TRIES} workers; the last time: {type(error).__name__}"


class _Joined:
    """Chunks in order; consecutive ones are joined until a task takes long enough."""

    def __init__(self, chunks: Iterator[Chunk]) -> None:
        self._chunks = chunks
        self._kept: Chunk | None = None
        self._size = 1

    def took(self, size: int, seconds: float) -> None:
        """Adapt the size of the next tasks to how long one took; they grow twofold at most."""
        fitting = size * TASK / max(seconds, TASK / 2)
        self._size = max(1, round(fitting))

    def next(self) -> Chunk | None:
        """Return the next chunks as one; None when there are no more."""
        chunk = self._kept or next(self._chunks, None)
        self._kept = None
        while chunk is not None and chunk.size < self._size:
            more = next(self._chunks, None)
            if more is None:
                break
            if more.job != chunk.job or more.first != chunk.first + chunk.size:
                self._kept = more
                break
            chunk = chunk._replace(size=chunk.size + more.size)
        return chunk
