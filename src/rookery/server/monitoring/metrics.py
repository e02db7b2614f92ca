"""Figures for Prometheus, at an address of their own that nobody else has to reach.

The registry's tally counts and times as things happen; what is in memory is read when Prometheus
asks. `deploy/grafana` shows the figures, `deploy/prometheus` has the alarms.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from importlib.metadata import version
from typing import Final

from prometheus_client import REGISTRY, CollectorRegistry, Counter, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from rookery.server.counters import COUNTED, TIMED
from rookery.server.monitoring.backups import age
from rookery.server.monitoring.bot_figures import BotFigures, buckets
from rookery.server.monitoring.fingerprint import same_hands
from rookery.server.monitoring.load import load_of
from rookery.server.registry.tables import TableRegistry

PREFIX: Final = "rookery_"


class Figures(Collector):
    """What a registry holds at the moment it is asked, and what it has counted until then."""

    def __init__(self, registry: TableRegistry) -> None:
        """Look into `registry`."""
        self._registry = registry

    def collect(self) -> Iterator[Metric]:
        """Yield the figures; this is called from Prometheus' own thread."""
        yield from self._held()
        yield from self._audited()
        tally = self._registry.tally
        for name, (sentence, label) in COUNTED.items():
            labels = [label] if label else []
            counter = CounterMetricFamily(PREFIX + name, sentence, labels=labels)
            # A copy, for the event loop goes on counting.
            for told, count in (dict(tally.counts[name]) or {"": 0}).items():
                if label == "" or told:
                    counter.add_metric([told] if label else [], count)
            yield counter
        for name, (sentence, _) in TIMED.items():
            took = tally.times[name]
            histogram = HistogramMetricFamily(f"{PREFIX}{name}_seconds", sentence)
            histogram.add_metric([], buckets(took), took.total)
            yield histogram

    def _held(self) -> Iterator[Metric]:
        registry = self._registry
        there = load_of(registry)
        found = {
            "tables": ("Tables in memory.", there.tables),
            "playing": ("Of these, those where a match is on.", there.playing),
            "connections": ("Connections to them.", there.connections),
            "people": ("People connected, each once.", there.people),
            "watchers": ("People at a table without a seat there.", there.watchers),
            "bots": ("Seats that bots play.", there.bots),
            "relayed": ("Sockets that are passed on to another server.", there.relayed),
            "alive": ("Whether other servers hear of this one.", registry.leases.alive),
            "leads": ("Whether this one clears up.", registry.leases.leads),
            "news": ("Whether it hears of the others by news.", registry.pubsub.connected),
        }
        for name, (told, value) in found.items():
            yield GaugeMetricFamily(PREFIX + name, told, value=float(value))
        backup = GaugeMetricFamily(
            f"{PREFIX}backup_age_seconds", "How old the newest backup is; none where there is none."
        )
        if (old := age(registry.settings.backups)) is not None:
            backup.add_metric([], old)
        yield backup
        about = GaugeMetricFamily(f"{PREFIX}version", "Which version runs; 1.", labels=["version"])
        about.add_metric([version("rookery")], 1)
        yield about

    def _audited(self) -> Iterator[Metric]:
        audits = CounterMetricFamily(
            f"{PREFIX}audits",
            "Looks at hands that are over, by the promise and whether it was kept.",
            labels=["promise", "found"],
        )
        for (promise, found), count in dict(self._registry.auditor.found).items():
            audits.add_metric([promise, found], count)
        yield audits
        same = GaugeMetricFamily(
            f"{PREFIX}same_match_info",
            "The hash of hands that every server of this version plays alike; 1.",
            labels=["sha256"],
        )
        same.add_metric([same_hands()], 1)
        yield same


class _Counted(logging.Handler):
    """Counts the lines of the log by their level, and by the part of the server they are from."""

    def __init__(self, counter: Counter) -> None:
        super().__init__(logging.WARNING)
        self._counter = counter

    def emit(self, record: logging.LogRecord) -> None:
        parts = record.name.removeprefix("rookery.").removeprefix("server.").split(".")
        self._counter.labels(record.levelname.lower(), parts[0]).inc()


def measured(registry: TableRegistry, collectors: CollectorRegistry) -> logging.Handler:
    """Register the figures of a server; return the handler that counts the lines of its log."""
    same_hands()  # before anybody plays here: it takes a moment
    collectors.register(Figures(registry))
    collectors.register(BotFigures(registry))
    said = Counter(
        "rookery_log_lines", "Warnings and errors.", ["level", "part"], registry=collectors
    )
    return _Counted(said)


def publish(host: str, port: int) -> Callable[[TableRegistry], None]:
    """Answer Prometheus at an address, from a thread of its own; return what adds a registry to it.

    Raises:
        OSError: the address is taken, or none of this machine's.
    """
    start_http_server(port, host)

    def add(registry: TableRegistry) -> None:
        logging.getLogger("rookery").addHandler(measured(registry, REGISTRY))

    return add
