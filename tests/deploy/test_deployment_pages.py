"""The page on deployment knows the stacks as they are."""

from __future__ import annotations

import re
import shlex
from typing import Any

import typer
from botocore import xform_name
from tests.deploy.stacks import IGNORED, ROOT, STACKS, client, resources

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


def test_a_database_that_went_back_in_time_stands_where_the_old_one_did() -> None:
    text = (ROOT / "docs/how-to/run-in-aws.md").read_text("utf-8").replace("\\\n", " ")
    (line,) = re.findall(r"^aws rds restore-db-instance-to-point-in-time .*$", text, re.MULTILINE)
    words = shlex.split(line)
    taken = client("rds").meta.service_model.operation_model("RestoreDBInstanceToPointInTime")
    names = {"--" + xform_name(one, "-") for one in taken.input_shape.members} | {"--region"}
    given = {one.replace("--no-", "--") for one in words if one.startswith("--")}
    assert given <= names
    # What AWS would give it by default: a place and settings that nobody chose, and no protection.
    assert {"--multi-az", "--deletion-protection", "--no-publicly-accessible"} <= set(words)
    old = STACKS["data"]["Resources"]["Database"]["Properties"]
    for option, place, stack, output in (
        ("--db-subnet-group-name", old["DBSubnetGroupName"], "data", "DatabaseSubnets"),
        ("--db-parameter-group-name", old["DBParameterGroupName"], "data", "DatabaseSettings"),
        ("--vpc-security-group-ids", {"Ref": "DatabaseDoor"}, "network", "DatabaseDoor"),
    ):
        assert words[words.index(option) + 1] == f"THE-{xform_name(output, '-').upper()}"
        assert STACKS[stack]["Outputs"][output]["Value"] == place
        assert f"`{output}`" in text
    # Alarms, daily copies and addresses go by the old one's name: it is given to the new one.
    assert "--new-db-instance-identifier THE-DATABASE --apply-immediately" in text
    assert STACKS["data"]["Outputs"]["Database"]["Value"] == {"Ref": "Database"}


def test_the_server_reads_what_the_containers_are_told() -> None:
    root: Any = typer.main.get_command(app)  # of a type of Click's
    taken = {one.envvar for one in root.get_command(None, "serve").params if one.envvar}
    assert "ROOKERY_BOTS_AT" in taken
    text = (ROOT / "src/rookery/cli/server/serve.py").read_text("utf-8")
    assert 'os.environ.get("ROOKERY_ADMIN_SECRET")' in text
    read = {name for name in taken if name.endswith("_URL")}
    told = {one["Name"] for one in SERVER["Secrets"]}
    assert told == {*read, BOTS_SECRET, "ROOKERY_ADMIN_SECRET"}
