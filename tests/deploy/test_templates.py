"""The stacks as they are written: read by AWS's own linter, and what moto cannot be asked."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from cfnlint.api import lint_file
from fastapi import FastAPI, Request
from sqlalchemy.exc import OperationalError
from tests.deploy.stacks import AWS, IGNORED, ORDER, STACKS, resources

from rookery.server.counters import Tally
from rookery.server.http import errors
from rookery.server.http.protocols import PROXY_KEEP
from rookery.server.monitoring.logs import JsonLine
from rookery.server.monitoring.security import SecurityLog
from rookery.server.store.base import StoreError, TableRow
from rookery.server.store.sqlite import SqliteStore
from rookery.server.store.writer import Writer
from rookery.server.table.events import Away, Entry

KEPT = {"Snapshot", "Retain"}


def problems(path: Path) -> list[str]:
    """Return what cfn-lint finds in a template."""
    return [f"{found.rule.id} {found.message}" for found in lint_file(path)]


def only(kind: str) -> dict[str, Any]:
    """Return the properties of the one resource of a type."""
    (found,) = resources(kind).values()
    properties: dict[str, Any] = found["Properties"]
    return properties


@pytest.mark.parametrize("name", ORDER)
def test_the_linter_finds_nothing(name: str) -> None:
    assert problems(AWS / f"{name}.yaml") == []


@pytest.mark.parametrize(
    ("line", "fault", "told"),
    [
        ("MultiAZ: true", "MultiAZ: perhaps", "E3012"),
        ("GroupName: !Ref DatabaseSubnets", "GroupName: !Ref DatabaseSubnet", "E1020"),
        ("StorageEncrypted: true", "StorageEncripted: true", "E3002"),
    ],
)
def test_the_linter_finds_a_planted_fault(line: str, fault: str, told: str, tmp_path: Path) -> None:
    text = (AWS / "data.yaml").read_text("utf-8")
    assert text.count(line) == 1
    (tmp_path / "data.yaml").write_text(text.replace(line, fault), "utf-8")
    assert any(found.startswith(told) for found in problems(tmp_path / "data.yaml"))


def test_what_is_kept_outlives_its_stack() -> None:
    for name in ("Database", "Vault", "DatabasePassword", "Images", "Key"):
        one = resources()[name]
        assert {one["DeletionPolicy"], one["UpdateReplacePolicy"]} <= KEPT, name
    assert resources()["Database"]["Properties"]["DeletionProtection"] is True
    assert resources()["Database"]["Properties"]["DeleteAutomatedBackups"] is False
    policy = json.loads((AWS / "stack-policy.json").read_text("utf-8"))
    (denied,) = [one for one in policy["Statement"] if one["Effect"] == "Deny"]
    assert denied["Action"] == ["Update:Replace", "Update:Delete"]
    kept = {one.removeprefix("LogicalResourceId/") for one in denied["Resource"]}
    assert (
        kept
        == {"Database", "Vault", "DatabasePassword", "Key"}
        <= STACKS["data"]["Resources"].keys()
    )


def test_the_database_tells_nobody_before_it_has_written_and_writes_no_words_down() -> None:
    settings = only("AWS::RDS::DBParameterGroup")["Parameters"]
    assert settings["synchronous_commit"] == "on"
    assert settings["rds.force_ssl"] == "1"
    assert settings["log_statement"] == "none"
    assert "EnableCloudwatchLogsExports" not in resources()["Database"]["Properties"]


def test_passwords_are_made_by_aws_and_stand_in_no_template() -> None:
    made = {n: one["Properties"] for n, one in resources("AWS::SecretsManager::Secret").items()}
    urls = {
        "DatabaseUrl": "ServerPassword",
        "OwnerUrl": "DatabasePassword",
        "HintsUrl": "HintsToken",
    }
    drawn = {"AdminSecret", "BotsSecret", *urls.values()}
    assert made.keys() == drawn | urls.keys()
    for name in drawn:
        wanted = made[name]["GenerateSecretString"]
        # In a URL every other character would have to be quoted.
        assert wanted == {"PasswordLength": 40, "ExcludePunctuation": True}
    for name, password in urls.items():
        text = made[name]["SecretString"]["Fn::Sub"]
        assert f"{{{{resolve:secretsmanager:${{{password}}}}}}}@" in text
    assert made["HintsUrl"]["SecretString"]["Fn::Sub"].startswith("rediss://")
    used = (resources()["Database"], "MasterUserPassword"), (resources()["Hints"], "AuthToken")
    for one, field in used:
        assert one["Properties"][field]["Fn::Sub"].startswith("{{resolve:secretsmanager:")


def test_hints_stand_in_two_zones_encrypted_and_are_never_written() -> None:
    hints = only("AWS::ElastiCache::ReplicationGroup")
    assert (hints["Engine"], hints["NumCacheClusters"]) == ("valkey", 2)
    assert hints["AutomaticFailoverEnabled"]
    assert hints["MultiAZEnabled"]
    assert hints["TransitEncryptionEnabled"]
    assert hints["AtRestEncryptionEnabled"]
    assert hints["SnapshotRetentionLimit"] == 0
    assert hints["CacheSubnetGroupName"] == {"Ref": "HintsSubnets"}
    assert hints["CacheParameterGroupName"] == {"Ref": "HintsSettings"}
    settings = only("AWS::ElastiCache::ParameterGroup")
    assert settings["Properties"] == {"maxmemory-policy": "allkeys-lru"}
    assert "data-subnets" in str(only("AWS::ElastiCache::SubnetGroup")["SubnetIds"])


def test_a_copy_of_the_database_is_made_every_day_and_kept_for_35() -> None:
    plan = only("AWS::Backup::BackupPlan")["BackupPlan"]
    (rule,) = plan["BackupPlanRule"]
    assert rule["TargetBackupVault"] == {"Ref": "Vault"}
    assert rule["Lifecycle"] == {"DeleteAfterDays": 35}
    assert re.fullmatch(r"cron\(\d+ \d+ \* \* \? \*\)", rule["ScheduleExpression"])
    chosen = only("AWS::Backup::BackupSelection")
    assert chosen["BackupPlanId"] == {"Ref": "BackupPlan"}
    assert [one["Fn::Sub"] for one in chosen["BackupSelection"]["Resources"]] == [
        "arn:aws:rds:${AWS::Region}:${AWS::AccountId}:db:${Database}"
    ]
    # Nobody deletes one earlier, and nobody keeps one for longer than players are promised.
    lock = only("AWS::Backup::BackupVault")["LockConfiguration"]
    assert (lock["MinRetentionDays"], lock["MaxRetentionDays"]) == (35, 35)
    days = STACKS["data"]["Parameters"]["LockForGoodAfterDays"]
    closing = ["LocksForGood", {"Ref": "LockForGoodAfterDays"}, {"Ref": "AWS::NoValue"}]
    assert lock["ChangeableForDays"] == {"Fn::If": closing}
    assert (days["Default"], days["MinValue"]) == (0, 0)


def test_a_second_copy_goes_to_a_vault_elsewhere_where_one_is_named() -> None:
    (rule,) = only("AWS::Backup::BackupPlan")["BackupPlan"]["BackupPlanRule"]
    condition, (copy,), otherwise = rule["CopyActions"]["Fn::If"]
    assert (condition, otherwise) == ("HasCopyVault", {"Ref": "AWS::NoValue"})
    assert copy == {
        "DestinationBackupVaultArn": {"Ref": "CopyVault"},
        "Lifecycle": {"DeleteAfterDays": 35},
    }
    pattern = STACKS["data"]["Parameters"]["CopyVault"]["AllowedPattern"]
    assert re.fullmatch(pattern, "arn:aws:backup:us-east-1:210987654321:backup-vault:rookery")
    assert re.fullmatch(pattern, "")
    assert not re.fullmatch(pattern, "rookery")
    # RDS's own key cannot be shared with another account; this one is, and with no other.
    key = {"Fn::GetAtt": ["Key", "Arn"]}
    assert resources()["Database"]["Properties"]["KmsKeyId"] == key
    assert only("AWS::Backup::BackupVault")["EncryptionKeyArn"] == key
    ours, *theirs = only("AWS::KMS::Key")["KeyPolicy"]["Statement"]
    assert ours["Principal"]["AWS"]["Fn::Sub"].endswith("${AWS::AccountId}:root")
    assert {one["Fn::If"][0] for one in theirs} == {"HasCopyVault"}
    for one in theirs:
        statement = one["Fn::If"][1]
        account = statement["Principal"]["AWS"]["Fn::Sub"][1]["Account"]
        assert account == {"Fn::Select": [4, {"Fn::Split": [":", {"Ref": "CopyVault"}]}]}
        assert "kms:*" not in statement["Action"]


CPU, MEMORY = "ECSServiceAverageCPUUtilization", "ECSServiceAverageMemoryUtilization"


@pytest.mark.parametrize(
    ("name", "service", "numbers", "by"),
    [
        ("Scaling", "Service", [2, 10], {CPU, MEMORY}),
        ("BotScaling", "BotService", [1, 4], {CPU}),
    ],
)
def test_servers_and_bots_come_and_go_each_with_their_own_load(
    name: str, service: str, numbers: list[int], by: set[str]
) -> None:
    scaling = resources("AWS::ApplicationAutoScaling::ScalableTarget")[name]["Properties"]
    assert scaling["ResourceId"]["Fn::Sub"][0] == f"service/${{Cluster}}/${{{service}.Name}}"
    assert scaling["ScalableDimension"] == "ecs:service:DesiredCount"
    bounds = scaling["MinCapacity"]["Ref"], scaling["MaxCapacity"]["Ref"]
    given = STACKS["app"]["Parameters"]
    assert [given[name]["Default"] for name in bounds] == numbers
    measured = {
        one["Properties"]["TargetTrackingScalingPolicyConfiguration"][
            "PredefinedMetricSpecification"
        ]["PredefinedMetricType"]
        for one in resources("AWS::ApplicationAutoScaling::ScalingPolicy").values()
        if one["Properties"]["ScalingTargetId"] == {"Ref": name}
    }
    assert measured == by


def test_an_update_takes_no_server_away_that_scaling_has_added() -> None:
    # A count in the template would be set again with each image. Without one a service begins with
    # one task, and its target brings it to the least of its own.
    scaled = {
        name
        for target in resources("AWS::ApplicationAutoScaling::ScalableTarget").values()
        for name in re.findall(r"\$\{(\w+)\.Name\}", str(target["Properties"]["ResourceId"]))
    }
    services = resources("AWS::ECS::Service")
    assert scaled == services.keys()
    assert [name for name in scaled if "DesiredCount" in services[name]["Properties"]] == []


def test_servers_find_the_bots_by_a_name_of_their_own_network() -> None:
    names = only("AWS::ServiceDiscovery::PrivateDnsNamespace")
    bots = only("AWS::ServiceDiscovery::Service")
    assert names["Vpc"]["Fn::ImportValue"]["Fn::Sub"] == "${Name}-vpc"
    assert bots["NamespaceId"] == {"Ref": "Names"}
    assert bots["DnsConfig"]["RoutingPolicy"] == "MULTIVALUE"  # every task, not one of them
    (server,) = resources()["Server"]["Properties"]["ContainerDefinitions"]
    (task,) = resources()["Bots"]["Properties"]["ContainerDefinitions"]
    name = f"{bots['Name']}.{names['Name']['Fn::Sub']}"
    assert {"Fn::Sub": f"--bots-at={name}:8700"} in server["Command"]
    assert "--listen=0.0.0.0:8700" in task["Command"]
    secret = {"Name": "ROOKERY_BOTS_SECRET", "ValueFrom": {"Ref": "BotsSecret"}}
    assert secret in server["Secrets"]
    assert task["Secrets"] == [secret]  # and not where the data is
    (migrate,) = resources()["Migrate"]["Properties"]["ContainerDefinitions"]
    assert all(server[k] == task[k] == migrate[k] for k in SHARED)
    service = resources()["BotService"]["Properties"]
    assert service["ServiceRegistries"] == [{"RegistryArn": {"Fn::GetAtt": ["BotsName", "Arn"]}}]


SHARED = ("Image", "User", "ReadonlyRootFilesystem", "LinuxParameters", "MountPoints")


@pytest.mark.parametrize("name", ["Service", "BotService"])
def test_a_new_version_comes_before_the_old_one_goes_or_not_at_all(name: str) -> None:
    service = resources("AWS::ECS::Service")[name]["Properties"]
    rolling = service["DeploymentConfiguration"]
    assert (rolling["MinimumHealthyPercent"], rolling["MaximumPercent"]) == (100, 200)
    assert rolling["DeploymentCircuitBreaker"] == {"Enable": True, "Rollback": True}
    assert service["NetworkConfiguration"]["AwsvpcConfiguration"]["AssignPublicIp"] == "DISABLED"
    assert service["EnableExecuteCommand"] is False


def test_every_alarm_rings_and_says_when_it_is_over() -> None:
    alarms = resources("AWS::CloudWatch::Alarm")
    bell = [{"Ref": "Bell"}]
    for name, alarm in alarms.items():
        told = alarm["Properties"]
        assert (told["AlarmActions"], told["OKActions"]) == (bell, bell), name
        assert told["AlarmDescription"], name
    watched = [str(alarm["Properties"]["Namespace"]) for alarm in alarms.values()]
    for part in ("ApplicationELB", "ECS", "RDS", "ElastiCache"):
        assert f"AWS/{part}" in watched
    somebody = only("AWS::SNS::Subscription")
    assert (somebody["TopicArn"], somebody["Protocol"]) == (bell[0], "email")


def test_the_alarm_for_unstored_moves_listens_for_what_the_server_says(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    listening = resources("AWS::Logs::MetricFilter")["Unstored"]["Properties"]
    phrase = listening["FilterPattern"].strip('"')
    (kept,) = listening["MetricTransformations"]
    alarm = resources()["NotStored"]["Properties"]
    assert (alarm["MetricName"], alarm["Namespace"]) == (
        kept["MetricName"],
        kept["MetricNamespace"],
    )
    app = FastAPI()
    errors.install(app)
    handle: Any = app.exception_handlers[StoreError]
    with caplog.at_level(logging.WARNING):
        asyncio.run(handle(Request({"type": "http"}), StoreError("disk full")))
    assert phrase in caplog.text
    caplog.clear()
    asyncio.run(_act_on_a_full_disk(SqliteStore(tmp_path / "tables.db")))
    assert phrase in caplog.text


async def _act_on_a_full_disk(store: SqliteStore) -> None:
    full = OperationalError("COMMIT", {}, Exception("database or disk is full"))
    try:
        with patch.object(Writer, "_commit", side_effect=full), pytest.raises(StoreError):
            await store.append(TableRow("ABCDEF2", False, "lobby", 1, 1), [Entry(1, 1, Away(0))])
    finally:
        await store.close()


def test_who_starts_something_may_fetch_what_that_needs_and_no_more() -> None:
    roles = {name: one["Properties"] for name, one in resources("AWS::IAM::Role").items()}
    assert "Policies" not in roles["ServerRole"]
    assert "ManagedPolicyArns" not in roles["ServerRole"]
    starters = set()
    for task in resources("AWS::ECS::TaskDefinition").values():
        (container,) = task["Properties"]["ContainerDefinitions"]
        starter = task["Properties"]["ExecutionRoleArn"]["Fn::GetAtt"][0]
        starters.add(starter)
        (policy,) = roles[starter]["Policies"]
        fetched: list[Any] = []
        for statement in policy["PolicyDocument"]["Statement"]:
            assert "*" not in str(statement["Action"])
            general = statement["Resource"] == "*"
            assert general == (statement["Action"] == "ecr:GetAuthorizationToken")
            if statement["Action"] == "secretsmanager:GetSecretValue":
                found = statement["Resource"]
                fetched += found if isinstance(found, list) else [found]
        # Whoever starts bots cannot read what leads to the database, or opens the admin page.
        needed = [one["ValueFrom"] for one in container["Secrets"]]
        assert sorted(map(str, fetched)) == sorted(map(str, needed))
    assert len(starters) == len(resources("AWS::ECS::TaskDefinition"))  # each has its own
    for role in roles.values():
        (trust,) = role["AssumeRolePolicyDocument"]["Statement"]
        assert trust["Condition"]["StringEquals"]["aws:SourceAccount"] == {"Ref": "AWS::AccountId"}


def test_by_no_door_to_aws_does_anything_reach_another_account() -> None:
    (layers, *doors) = resources("AWS::EC2::VPCEndpoint").values()
    (read,) = layers["Properties"]["PolicyDocument"]["Statement"]
    assert read["Action"] == "s3:GetObject"
    assert read["Resource"]["Fn::Sub"].startswith("arn:aws:s3:::prod-${AWS::Region}-starport")
    own = {"StringEquals": {"aws:PrincipalAccount": {"Ref": "AWS::AccountId"}}}
    let_by = {}
    for door in doors:
        (statement,) = door["Properties"]["PolicyDocument"]["Statement"]
        assert (statement["Effect"], statement["Condition"]) == ("Allow", own)
        let_by[door["Properties"]["ServiceName"]["Fn::Sub"]] = set(_listed(statement["Action"]))
    # What starts tasks asks for all this and for nothing else.
    asked: dict[str, set[str]] = {}
    for task in resources("AWS::ECS::TaskDefinition").values():
        starter = resources()[task["Properties"]["ExecutionRoleArn"]["Fn::GetAtt"][0]]
        (policy,) = starter["Properties"]["Policies"]
        for statement in policy["PolicyDocument"]["Statement"]:
            for action in _listed(statement["Action"]):
                asked.setdefault(action.partition(":")[0], set()).add(action)
    assert let_by == {
        f"com.amazonaws.${{AWS::Region}}.{end}": asked[end.partition(".")[0]]
        for end in ("ecr.api", "ecr.dkr", "logs", "secretsmanager")
    }


def _listed(one: str | list[str]) -> list[str]:
    return one if isinstance(one, list) else [one]


def test_each_type_that_moto_ignores_has_a_test_here() -> None:
    here = Path(__file__).read_text("utf-8")
    assert [kind for kind in sorted(IGNORED) if f'"{kind}"' not in here] == []


def test_every_stack_goes_by_the_same_name() -> None:
    names = {json.dumps(stack["Parameters"]["Name"], sort_keys=True) for stack in STACKS.values()}
    assert len(names) == 1
    assert sorted(path.stem for path in AWS.glob("*.yaml")) == sorted(ORDER)


def test_the_alarm_for_guesses_counts_what_the_server_says_of_them() -> None:
    listening = resources("AWS::Logs::MetricFilter")["Guessed"]["Properties"]
    (kept,) = listening["MetricTransformations"]
    alarm = resources()["AdminGuessed"]["Properties"]
    assert (alarm["MetricName"], alarm["Namespace"]) == (
        kept["MetricName"],
        kept["MetricNamespace"],
    )
    told: list[dict[str, Any]] = []

    class Lines(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            told.append(json.loads(JsonLine().format(record)))

    log, lines = logging.getLogger("rookery.security"), Lines()
    log.addHandler(lines)
    try:
        events = SecurityLog(Tally(), lambda: 0, lambda _seconds, _call: None)
        for _ in range(9):
            events.note("secret-guess", "203.0.113.9")
        events.tell()
    finally:
        log.removeHandler(lines)
    found = re.fullmatch(r'{ \$\.(\w+) = "([\w-]+)" }', listening["FilterPattern"])
    assert found is not None
    matched = [line for line in told if line[found[1]] == found[2]]
    assert sum(line[kept["MetricValue"].removeprefix("$.")] for line in matched) == 9


def test_the_balancer_ends_an_idle_connection_before_the_server_does() -> None:
    """A request that it sends into a connection which is being closed is answered 502."""
    told = only("AWS::ElasticLoadBalancingV2::LoadBalancer")["LoadBalancerAttributes"]
    idle = {each["Key"]: each["Value"] for each in told}["idle_timeout.timeout_seconds"]
    assert int(idle) < PROXY_KEEP
