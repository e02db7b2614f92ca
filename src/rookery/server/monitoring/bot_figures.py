"""What Prometheus is told of the bots: how long they took, and who stood in for whom."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from rookery.bots.levels import LEVELS
from rookery.server.counters import STEPS, Durations
from rookery.server.registry.tables import TableRegistry

BEST: Final = list(LEVELS)[-1]


class BotFigures(Collector):
    """What a registry's bots did until it is asked; only bots and reasons are told apart."""

    def __init__(self, registry: TableRegistry) -> None:
        """Look into `registry`."""
        self._registry = registry

    def collect(self) -> Iterator[Metric]:
        """Yield the figures; this is called from Prometheus' own thread."""
        tally = self._registry.bot_tally
        took = HistogramMetricFamily(
            "rookery_bot_seconds", "Until a bot had decided.", labels=["bot"]
        )
        # Copies, for the event loop goes on counting.
        for name, times in dict(tally.times).items():
            took.add_metric([name], buckets(times), times.total)
        yield took
        stood_in = CounterMetricFamily(
            "rookery_bot_stand_ins",
            "Decisions that the club player took for a bot that did not.",
            labels=["bot", "why"],
        )
        for (name, why), count in dict(tally.stood_in).items():
            stood_in.add_metric([name, why], count)
        yield stood_in
        hints = CounterMetricFamily("rookery_hints", "Hints, by who gave them.", labels=["by"])
        for name, count in dict(tally.hints).items():
            hints.add_metric([name], count)
        yield hints
        reviews = CounterMetricFamily(
            "rookery_reviews", "Matches looked at, by how that ended.", labels=["ended"]
        )
        for ended, count in dict(tally.reviews).items():
            reviews.add_metric([ended], count)
        yield reviews
        given_up = CounterMetricFamily(
            "rookery_bot_workers_given_up",
            "Workers that were ended and begun again, by what they were doing too long.",
            labels=["doing"],
        )
        for doing, count in dict(tally.given_up).items():
            given_up.add_metric([doing], count)
        yield given_up
        ready = self._registry.thinker.state(BEST) == "ready"
        yield GaugeMetricFamily(
            "rookery_bots_ready", "Whether bots that search can think.", value=float(ready)
        )


def buckets(times: Durations) -> list[tuple[str, float]]:
    """Return the steps of a histogram as Prometheus wants them, each with all below it."""
    found, below = [], 0
    for step, count in zip((*map(str, STEPS), "+Inf"), list(times.steps), strict=True):
        below += count
        found.append((step, float(below)))
    return found
