"""Figures for Prometheus, at an address of their own that nobody else has to reach."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Final

from prometheus_client import REGISTRY, CollectorRegistry, Counter, Histogram, start_http_server
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from rookery.server.house import House
from rookery.server.sql import SqlStore

# P4 asks for 50 ms from a move to all screens; most of it is this.
STEPS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class Figures(Collector):
    """What a house holds at the moment it is asked."""

    def __init__(self, house: House) -> None:
        """Look into `house`."""
        self._house = house

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield the figures."""
        house = self._house
        found = {
            "rookery_tables": ("Tables in memory.", house.awake),
            "rookery_connections": ("Connections to them.", house.connected),
            "rookery_relayed": ("Sockets that are passed on to another server.", house.relayed),
            "rookery_alive": ("Whether other servers hear of this one.", house.leases.alive),
            "rookery_leads": ("Whether this one clears up.", house.leases.leads),
            "rookery_news": ("Whether it hears of the others by news.", house.news.flows),
        }
        for name, (told, value) in found.items():
            yield GaugeMetricFamily(name, told, value=float(value))


class _Counted(logging.Handler):
    """Counts what is written to the log, by how grave it is."""

    def __init__(self, counter: Counter) -> None:
        super().__init__(logging.WARNING)
        self._counter = counter

    def emit(self, record: logging.LogRecord) -> None:
        part = record.name.rpartition(".")[2]
        self._counter.labels(record.levelname.lower(), part).inc()


def measured(house: House, registry: CollectorRegistry) -> logging.Handler:
    """Have a registry know a house's figures; return what counts the lines of the log."""
    registry.register(Figures(house))
    durable = Histogram(
        "rookery_durable_seconds", "Until something was durable.", buckets=STEPS, registry=registry
    )
    if isinstance(house.store, SqlStore):
        house.store.took = durable.observe
    said = Counter(
        "rookery_log_lines", "Warnings and errors.", ["level", "part"], registry=registry
    )
    return _Counted(said)


def begin(house: House, host: str, port: int) -> None:
    """Answer Prometheus at an address, from a thread of its own.

    Raises:
        OSError: the address is taken, or none of this machine's.
    """
    logging.getLogger("rookery").addHandler(measured(house, REGISTRY))
    start_http_server(port, host)
