"""The page on deployment knows the stacks as they are."""

from __future__ import annotations

import re
from typing import Any

import typer
from tests.deploy.stacks import IGNORED, ROOT, STACKS, resources

from rookery.cli.main import app
from rookery.cli.server.bots import SECRET as BOTS_SECRET

(SERVER,) = STACKS["app"]["Resources"]["Server"]["Properties"]["ContainerDefinitions"]


def test_the_page_on_deployment_knows_every_alarm_and_parameter() -> None:
    text = (ROOT / "docs/how-to/run-in-aws.md").read_text("utf-8")
    alarms = [n for n, r in STACKS["alarms"]["Resources"].items() if "Alarm" in r["Type"]]
    told = set(re.findall(r"`(\w+)`", text))
    assert {name.rstrip("12") for name in alarms} <= told
    asked = {name for stack in STACKS.values() for name in stack["Parameters"]}
    assert asked <= told
    secrets = resources("AWS::SecretsManager::Secret")
    assert f"| {len(alarms)} alarms, {len(secrets)} secrets" in text
    assert f"skips {len(IGNORED)} of the resource types" in text


def test_the_costs_add_up() -> None:
    text = (ROOT / "docs/how-to/run-in-aws.md").read_text("utf-8")
    rows = re.findall(r"^\|[^|]+\|[^|]*[LE][^|]*\| (\d+) \|$", text, re.MULTILINE)
    (together,) = re.findall(r"\*\*together\*\* \| \| \*\*(\d+)\*\*", text)
    assert len(rows) == 8
    assert sum(map(int, rows)) == int(together)


def test_the_server_reads_what_the_containers_are_told() -> None:
    root: Any = typer.main.get_command(app)  # of a type of Click's
    taken = {one.envvar for one in root.get_command(None, "serve").params if one.envvar}
    assert "ROOKERY_BOTS_AT" in taken
    text = (ROOT / "src/rookery/cli/server/serve.py").read_text("utf-8")
    assert 'os.environ.get("ROOKERY_ADMIN_SECRET")' in text
    read = {name for name in taken if name.endswith("_URL")}
    told = {one["Name"] for one in SERVER["Secrets"]}
    assert told == {*read, BOTS_SECRET, "ROOKERY_ADMIN_SECRET"}
