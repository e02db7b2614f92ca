"""The dashboard, the alarms and the page on both name figures that there are, and miss none."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client import (
    CollectorRegistry,
    GCCollector,
    PlatformCollector,
    ProcessCollector,
)
from prometheus_client.metrics_core import Metric
from tests.faults.promised import PROMISES
from tests.server.memory.store import MemoryStore

from rookery.server.counters import COUNTED
from rookery.server.monitoring.metrics import measured
from rookery.server.monitoring.security import SecurityLog
from rookery.server.registry.tables import TableRegistry
from rookery.server.settings import Settings

ROOT = Path(__file__).parents[2]
BOARD = ROOT / "deploy" / "grafana" / "rookery.json"
ALARMS = ROOT / "deploy" / "prometheus" / "alerts.yaml"
PAGE = ROOT / "docs/how-to/monitor-a-server.md"
FIGURE = re.compile(r"\b(?:rookery|process|python)_[a-z_]+")
# What Prometheus adds to the name of a counter or a histogram.
ENDINGS = re.compile(r"_(total|bucket|count|sum|created)$")


def figures() -> dict[str, Metric]:
    """Return what a server tells Prometheus, by name without what the kind adds."""
    collectors = CollectorRegistry()
    registry = TableRegistry(MemoryStore(), Settings())
    SecurityLog(registry.tally, registry.clock.now)
    # What tells bots apart has labels once a bot has done something.
    registry.bot_tally.times["club"].add(0.001)
    registry.bot_tally.stood_in["expert", "late"] += 1
    registry.bot_tally.hints["club"] += 1
    registry.bot_tally.reviews["done"] += 1
    registry.bot_tally.given_up["warming"] += 1
    measured(registry, collectors)
    for collector in (ProcessCollector, GCCollector, PlatformCollector):
        collector(registry=collectors)
    return {metric.name: metric for metric in collectors.collect()}


def named(text: str) -> set[str]:
    """Return the figures that a text names, as `figures` does."""
    return {ENDINGS.sub("", name) for name in FIGURE.findall(text)}


def board() -> dict[str, Any]:
    return dict(json.loads(BOARD.read_text("utf-8")))


def shown() -> str:
    panels = board()["panels"]
    return "\n".join(target["expr"] for panel in panels for target in panel.get("targets", ()))


def alarms() -> list[dict[str, Any]]:
    return [
        rule for group in yaml.safe_load(ALARMS.read_text())["groups"] for rule in group["rules"]
    ]


def section(name: str) -> str:
    return PAGE.read_text("utf-8").partition(f"<!-- {name} -->")[2].partition("<!-- end -->")[0]


def missing(shown: str, hidden: str) -> set[str]:
    """Return the figures that are neither shown nor said to be hidden."""
    return figures().keys() - named(shown) - named(hidden)


def test_every_figure_on_the_dashboard_and_in_an_alarm_is_there() -> None:
    there = figures().keys()
    assert named(shown()) <= there
    assert named("\n".join(rule["expr"] for rule in alarms())) <= there
    assert named(PAGE.read_text("utf-8")) <= there
    assert len(named(shown())) > 20


def test_every_figure_is_shown_or_is_said_not_to_be() -> None:
    assert not missing(shown(), section("hidden"))
    assert not named(shown()) & named(section("hidden"))
    # The control: one that nobody shows is missed.
    assert missing(shown().replace("rookery_cut", "rookery_acks"), "") >= {"rookery_cut"}


def test_what_a_kind_adds_to_a_name_is_as_prometheus_adds_it() -> None:
    kinds = {name: metric.type for name, metric in figures().items()}
    for name in FIGURE.findall(shown() + "\n".join(rule["expr"] for rule in alarms())):
        bare = ENDINGS.sub("", name)
        ending = name.removeprefix(bare)
        assert (kinds[bare], ending) in {
            ("counter", "_total"),
            ("histogram", "_bucket"),
            ("histogram", "_count"),
            ("gauge", ""),
        }, name


def test_labels_that_are_asked_for_are_there() -> None:
    labels: dict[str, set[str]] = {}
    for name, metric in figures().items():
        declared = getattr(metric, "_labelnames", ())  # also where nothing has been counted yet
        labels[name] = {label for sample in metric.samples for label in sample.labels}
        labels[name] |= set(declared)
    labels |= {f"rookery_{name}": {said.label} for name, said in COUNTED.items()}
    labels["rookery_log_lines"] = {"level", "part"}
    for expression in (*shown().splitlines(), *(rule["expr"] for rule in alarms())):
        for name, asked in re.findall(r"\b(rookery_[a-z_]+)\{([^}]*)\}", expression):
            told = set(re.findall(r"(\w+)=~?\"", asked)) - {"instance"}
            assert told <= labels[ENDINGS.sub("", name)], expression
        for by in re.findall(r"\bby \(([^)]*)\)", expression):
            told = {part.strip() for part in by.split(",")} - {"instance", "le"}
            for name in named(expression):
                assert told <= labels[name], expression


def test_what_an_alarm_counts_is_there_before_it_happens() -> None:
    """Prometheus takes a figure that appears for no increase, however high it begins."""
    there = [
        (sample.name, sample.labels, sample.value)
        for metric in figures().values()
        for sample in metric.samples
    ]
    expressions = "\n".join(rule["expr"] for rule in alarms())
    counted = re.findall(r"\b(increase|rate)\((\w+)(?:\{([^}]*)\})?\[", expressions)
    asked = [(name, labels) for how, name, labels in counted if how == "increase" or labels]
    assert len(asked) > 8
    for name, labels in asked:
        for label, values in re.findall(r"(\w+)=~?\"([^\"]*)\"", labels) or [("", "")]:
            for value in values.split("|"):
                found = [n for one, has, n in there if (one, has.get(label, "")) == (name, value)]
                assert found, f"{name} {label} {value}"
                assert not any(found), f"{name} {label} {value}"


def test_figures_that_other_programs_have_too_are_asked_of_servers_only() -> None:
    """Prometheus has its own `process_resident_memory_bytes`, and maybe that of many others."""
    (server,) = (one for one in board()["templating"]["list"] if one["name"] == "server")
    assert server["query"] == "label_values(rookery_alive, instance)"
    assert "allValue" not in server  # of anybody
    for expression in shown().splitlines():
        assert expression.count('{instance=~"$server"') == len(FIGURE.findall(expression))
    for expression in (rule["expr"] for rule in alarms()):
        if re.search(r"\b(process|python)_", expression):
            assert expression.endswith(" and on (instance, job) rookery_alive"), expression


def test_every_panel_can_be_drawn() -> None:
    panels = board()["panels"]
    numbers = [panel["id"] for panel in panels]
    assert len(numbers) == len(set(numbers))
    drawn = [panel for panel in panels if panel["type"] != "row"]
    for panel in drawn:
        place = panel["gridPos"]
        assert 0 <= place["x"] < place["x"] + place["w"] <= 24
        assert panel["targets"], panel["title"]
        assert all(target["refId"] and target["expr"] for target in panel["targets"])
    taken: set[tuple[int, int]] = set()
    for panel in panels:
        place = panel["gridPos"]
        for x in range(place["x"], place["x"] + place["w"]):
            for y in range(place["y"], place["y"] + place["h"]):
                assert (x, y) not in taken, panel["title"]
                taken.add((x, y))


def test_every_promise_says_what_shows_it() -> None:
    rows = re.findall(r"^\| (P\d+) \| (.*?) \|", section("promises"), re.MULTILINE)
    assert [promise for promise, _ in rows] == list(PROMISES)
    for promise, told in rows:
        assert named(told), promise
        assert named(told) <= named(shown()), promise


def test_every_alarm_says_what_to_do_and_the_page_no_other() -> None:
    told = re.findall(
        r"`(\w+)`", "".join(re.findall(r"^\| .*? \|", section("alarms"), re.MULTILINE))
    )
    assert sorted(told) == sorted(rule["alert"] for rule in alarms())
    for rule in alarms():
        assert rule["labels"]["severity"] in ("page", "look")
        assert rule["annotations"]["summary"]


@pytest.mark.parametrize("page", [PAGE, ROOT / "docs/how-to/use-the-admin-page.md"])
def test_the_pages_name_files_that_there_are(page: Path) -> None:
    for name in re.findall(r"`(deploy/[\w./-]+)`", page.read_text("utf-8")):
        assert (ROOT / name).exists(), name
