"""Figures for Prometheus, at an address of their own that nobody else has to reach.

The registry's tallies count and time as things happen. What is in memory is read when Prometheus
asks. `deploy/grafana` shows the figures, and `deploy/prometheus` has the alarms.
"""

from __future__ import annotations

import logging
import math
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from hashlib import sha256
from itertools import accumulate
from typing import Any, Final

from prometheus_client import (
    PROCESS_COLLECTOR,
    REGISTRY,
    CollectorRegistry,
    Counter,
    ProcessCollector,
    start_http_server,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from rookery.about import version
from rookery.bots.names import LEVELS
from rookery.bots.player import KernelPlayer
from rookery.game import Hand
from rookery.rules import catalog, variant
from rookery.server.counters import COUNTED, STEPS, TIMED, Durations
from rookery.server.monitoring.health import backup_age, load_of
from rookery.server.registry.tables import TableRegistry

PREFIX: Final = "rookery_"
BEST: Final = list(LEVELS)[-1]
SEED: Final = 2026  # of the hands whose hash is compared among servers
CAST: Final = ("karapet", "papa", "hog", "rabbit")


class Figures(Collector):
    """What a registry has in memory when Prometheus asks, and what it has counted until then."""

    def __init__(self, registry: TableRegistry) -> None:
        self._registry = registry

    def collect(self) -> Iterator[Metric]:
        """Yield the figures; Prometheus calls this from its own thread."""
        yield from self._in_memory()
        tally = self._registry.tally
        for name, (sentence, label, alarms) in COUNTED.items():
            counts = tally.counts[name]
            if label:
                # From 0 on: Prometheus takes a figure that appears for no increase.
                yield _counter(name, sentence, {**dict.fromkeys(alarms, 0), **counts}, label)
            else:
                yield _counter(name, sentence, {(): sum(counts.values())})
        for name, about in TIMED.items():
            yield _histogram(f"{name}_seconds", about.sentence, {(): tally.times[name]})
        yield _counter(
            "audits",
            "Looks at hands that are over, by the promise and whether it was kept.",
            self._registry.auditor.found,
            *("promise", "found"),
        )
        alike = "The hash of hands that every server of this version plays alike; 1."
        yield _gauge("same_match_info", alike, 1, sha256=same_hands())
        yield from self._of_bots()

    def _in_memory(self) -> Iterator[Metric]:
        registry = self._registry
        load = load_of(registry)
        yield _gauge("tables", "Tables in memory.", load.tables)
        yield _gauge("playing", "Of these, those where a match is on.", load.playing)
        yield _gauge("connections", "Connections to them.", load.connections)
        yield _gauge("people", "People connected, each once.", load.people)
        yield _gauge("watchers", "People at a table without a seat there.", load.watchers)
        yield _gauge("bots", "Seats that bots play.", load.bots)
        yield _gauge("relayed", "Sockets that are passed on to another server.", load.relayed)
        yield _gauge("alive", "Whether other servers hear of this one.", registry.leases.alive)
        yield _gauge("leads", "Whether this one clears up.", registry.leases.leads)
        about = "Whether nothing expires, because the clock is in doubt."
        yield _gauge("clock_in_doubt", about, bool(registry.calendar.doubt))
        about = "Whether other servers tell this one of changes at once."
        news = registry.pubsub
        yield _gauge("news", about, news.connected if news.shared else None)
        about = "Whether this server does not reach a database of tables, by its letter."
        lost = {one: one in registry.leases.lost for one in registry.store.places if one}
        yield _gauges("database_lost", about, "database", lost)
        about = "How old the newest backup is; +Inf where the folder of backups has none."
        age = backup_age(registry.settings.backups)
        # No figure would be no alarm.
        never = None if registry.settings.backups is None else math.inf
        yield _gauge("backup_age_seconds", about, never if age is None else age)
        yield _gauge("version", "Which version runs; 1.", 1, version=version())

    def _of_bots(self) -> Iterator[Metric]:
        tally = self._registry.bot_tally
        yield _histogram("bot_seconds", "Until a bot had decided.", tally.times, "bot")
        about = "Decisions that the club player took for a bot that did not."
        yield _counter("bot_stand_ins", about, tally.stood_in, "bot", "why")
        yield _counter("hints", "Hints, by who gave them.", tally.hints, "by")
        yield _counter("reviews", "Matches reviewed, by how that ended.", tally.reviews, "ended")
        about = "Workers that were ended and begun again, by what they were doing too long."
        yield _counter("bot_workers_given_up", about, tally.given_up, "doing")
        ready = self._registry.thinker.state(BEST) == "ready"
        yield _gauge("bots_ready", "Whether bots that search can think.", ready)


class Process(ProcessCollector):
    """The figures of the process, also where ``/proc`` shows nothing but processes.

    `deploy/rookery.service` has it so, and Prometheus' own collector would give no figure at all.
    """

    def _boot_time(self) -> float:
        return time.time() - time.clock_gettime(time.CLOCK_BOOTTIME)


def _counter(name: str, sentence: str, counts: Mapping[Any, int], *labels: str) -> Metric:
    """Return a counter; a key of `counts` is the value of its label, or of each of its labels."""
    counter = CounterMetricFamily(PREFIX + name, sentence, labels=labels)
    # A copy, because the event loop goes on counting.
    for key, count in dict(counts).items():
        counter.add_metric([key] if isinstance(key, str) else key, count)
    return counter


def _histogram(name: str, sentence: str, times: Mapping[Any, Durations], *labels: str) -> Metric:
    histogram = HistogramMetricFamily(PREFIX + name, sentence, labels=labels)
    for key, took in dict(times).items():
        # Prometheus counts in each step all that are below it.
        below = map(float, accumulate(list(took.steps)))
        steps = list(zip((*map(str, STEPS), "+Inf"), below, strict=True))
        histogram.add_metric([key] if isinstance(key, str) else key, steps, took.total)
    return histogram


def _gauge(name: str, sentence: str, value: float | None, **labels: str) -> Metric:
    gauge = GaugeMetricFamily(PREFIX + name, sentence, labels=list(labels))
    if value is not None:
        gauge.add_metric(list(labels.values()), float(value))
    return gauge


def _gauges(name: str, sentence: str, label: str, values: Mapping[str, float]) -> Metric:
    gauge = GaugeMetricFamily(PREFIX + name, sentence, labels=[label])
    for key, value in values.items():
        gauge.add_metric([key], float(value))
    return gauge


@cache
def same_hands() -> str:
    """Return the hash of a hand of every variant, hexadecimal; it takes a tenth of a second, once.

    Four kernel bots play in plain Python, from one seed. Servers of one version that return two
    hashes do not play by the same rules, or their random numbers differ.
    """
    digest = sha256()
    for name in catalog():
        hand = _played(name)
        digest.update(repr((name, hand.dealt, tuple(map(str, hand.actions)), hand.score)).encode())
    return digest.hexdigest()


def _played(name: str) -> Hand:
    rules = variant(name)
    cast = [KernelPlayer(CAST[seat % len(CAST)], SEED, seat) for seat in range(rules.seats)]
    hand = Hand.shuffled(rules, dealer=0, seed=SEED)
    while hand.to_act is not None:
        hand = cast[hand.to_act].move(hand)
    return hand


class _LineCounter(logging.Handler):
    """Counts the lines of the log by their level, and by the part of the server they are from."""

    def __init__(self, lines: Counter, errors: Counter) -> None:
        super().__init__(logging.WARNING)
        self._lines, self._errors = lines, errors

    def emit(self, record: logging.LogRecord) -> None:
        parts = record.name.removeprefix("rookery.").removeprefix("server.").split(".")
        self._lines.labels(record.levelname.lower(), parts[0]).inc()
        if record.levelno >= logging.ERROR:
            self._errors.inc()


def measured(registry: TableRegistry, collectors: CollectorRegistry) -> logging.Handler:
    """Register the figures of a server; return the handler that counts the lines of its log."""
    same_hands()  # before anybody plays here: it takes a moment
    collectors.register(Figures(registry))
    labels = ["level", "part"]
    lines = Counter("rookery_log_lines", "Warnings and errors.", labels, registry=collectors)
    # Which parts there are nobody knows before they say something, and an alarm needs a 0.
    errors = Counter("rookery_errors", "Errors of all parts.", registry=collectors)
    return _LineCounter(lines, errors)


def publish(host: str, port: int) -> Callable[[TableRegistry], None]:
    """Answer Prometheus at an address, from a thread of its own; return what adds a registry to it.

    Raises:
        OSError: the address is taken, or is not one of this machine.
    """
    start_http_server(port, host)

    def add(registry: TableRegistry) -> None:
        if sys.platform == "linux":
            REGISTRY.unregister(PROCESS_COLLECTOR)
            REGISTRY.register(Process(registry=None))
        # At the root, since the gravest faults are told by asyncio and uvicorn.
        logging.getLogger().addHandler(measured(registry, REGISTRY))

    return add
