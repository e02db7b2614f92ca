"""The deployment, created in moto: what AWS would list afterwards, and how it is set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from tests.deploy.stacks import IGNORED, LISTED, STACKS, Cloud, client, cloud, missing, resources

ASSOCIATION = "AWS::EC2::SubnetRouteTableAssociation"
WANTED = Counter(one["Type"] for one in resources().values() if one["Type"] not in IGNORED)


@pytest.fixture(scope="module")
def created() -> Iterator[Cloud]:
    with cloud() as there:
        yield there


def test_every_resource_exists_or_is_of_a_type_that_moto_ignores(created: Cloud) -> None:
    assert missing(WANTED, created.before, created.after) == {}
    assert WANTED.keys() <= LISTED.keys()


def test_moto_ignores_what_the_list_names_and_nothing_else(created: Cloud) -> None:
    # It brings all that moto knows, and each of the tests' processes collects this module.
    from moto.cloudformation import parsing

    types = {one["Type"] for one in resources().values()}
    assert types - parsing.get_model_map().keys() == IGNORED
    assert all(any(kind in line for line in created.said) for kind in IGNORED)


def test_what_was_not_created_is_missed(created: Cloud) -> None:
    for kind in LISTED:
        fewer = created.after | {kind: created.before[kind]}
        assert missing(WANTED, created.before, fewer) == {kind: WANTED[kind]}


def test_players_come_by_tls_and_nothing_ties_them_to_a_server(created: Cloud) -> None:
    balancer = client("elbv2").describe_load_balancers()["LoadBalancers"][0]
    assert balancer["Scheme"] == "internet-facing"
    assert len({zone["ZoneName"] for zone in balancer["AvailabilityZones"]}) == 2
    listeners = client("elbv2").describe_listeners(LoadBalancerArn=balancer["LoadBalancerArn"])
    secure, plain = sorted(listeners["Listeners"], key=lambda one: -int(one["Port"]))
    assert (secure["Port"], secure["Protocol"]) == (443, "HTTPS")
    assert secure["SslPolicy"].startswith("ELBSecurityPolicy-TLS13-1-2")
    assert secure["Certificates"][0]["CertificateArn"].startswith("arn:aws:acm:us-east-1:")
    assert plain["DefaultActions"][0]["RedirectConfig"]["Protocol"] == "HTTPS"
    servers = client("elbv2").describe_target_groups()["TargetGroups"][0]
    assert (servers["HealthCheckPath"], servers["Port"]) == ("/readyz", 8000)
    assert secure["DefaultActions"][0]["TargetGroupArn"] == servers["TargetGroupArn"]
    told = client("elbv2").describe_target_group_attributes(
        TargetGroupArn=servers["TargetGroupArn"]
    )
    assert {"Key": "stickiness.enabled", "Value": "false"} in told["Attributes"]


def test_no_way_leads_out_from_the_servers_and_the_data(created: Cloud) -> None:
    tables = client("ec2").describe_route_tables()["RouteTables"]
    ways = [{r.get("GatewayId", "").split("-")[0] for r in one["Routes"]} for one in tables]
    assert sorted(map(sorted, ways)) == [["igw", "local"], ["local"], ["local"], ["local", "vpce"]]
    # Which network goes by which of them moto does not tell.
    pairs = [one["Properties"] for one in resources(ASSOCIATION).values()]
    chosen = {pair["SubnetId"]["Ref"]: pair["RouteTableId"]["Ref"] for pair in pairs}
    assert chosen.keys() == resources("AWS::EC2::Subnet").keys()
    for subnet, table in chosen.items():
        assert table == ("FrontRoutes" if subnet.startswith("Front") else "InnerRoutes")


def test_doors_open_only_towards_the_next_one(created: Cloud) -> None:
    groups = {g["GroupId"]: g for g in client("ec2").describe_security_groups()["SecurityGroups"]}
    place = {group["Description"].partition(" - ")[0]: key for key, group in groups.items()}

    def lets_in(name: str) -> set[tuple[int, str]]:
        found = groups[place[name]]["IpPermissions"]
        pairs = [
            (rule["FromPort"], pair["GroupId"])
            for rule in found
            for pair in rule["UserIdGroupPairs"]
        ]
        return {
            *pairs,
            *((rule["FromPort"], r["CidrIp"]) for rule in found for r in rule["IpRanges"]),
        }

    assert lets_in("The load balancer") == {(443, "0.0.0.0/0"), (80, "0.0.0.0/0")}
    inside = STACKS["network"]["Mappings"]["Addresses"]["App"]["Cidr"]
    assert lets_in("The servers") == {
        (8000, place["The load balancer"]),
        (8000, inside),
        (9100, place["Who reads figures"]),
    }
    assert lets_in("Who reads figures") == set()
    assert lets_in("The bots") == {(8700, place["The servers"])}
    assert lets_in("The database") == {(5432, place["The servers"])}
    assert lets_in("The hints") == {(6379, place["The servers"])}


def test_the_database_stands_in_two_zones_and_is_backed_up(created: Cloud) -> None:
    database = client("rds").describe_db_instances()["DBInstances"][0]
    assert database["MultiAZ"]
    assert database["StorageEncrypted"]
    assert not database["PubliclyAccessible"]
    assert database["BackupRetentionPeriod"] == 14
    assert database["Endpoint"]["Port"] == 5432
    zones = {s["SubnetAvailabilityZone"]["Name"] for s in database["DBSubnetGroup"]["Subnets"]}
    assert len(zones) == 2
    # moto cannot follow this one; see stacks.adapted.
    group = STACKS["data"]["Resources"]["Database"]["Properties"]["DBParameterGroupName"]
    assert group == {"Ref": "DatabaseSettings"}


def test_servers_are_told_where_their_data_is_and_who_asks(created: Cloud) -> None:
    task = client("ecs").describe_task_definition(taskDefinition="rookery")["taskDefinition"]
    server: dict[str, Any] = task["containerDefinitions"][0]
    assert "--public-url=https://rook.example" in server["command"]
    network = STACKS["network"]["Mappings"]["Addresses"]
    assert f"--proxy={network['Front']['Cidr']}" in server["command"]
    settings = {one["name"] for one in server["secrets"]}
    secret = {"ROOKERY_BOTS_SECRET", "ROOKERY_ADMIN_SECRET"}
    assert settings == {"ROOKERY_DATABASE_URL", "ROOKERY_HINTS_URL"} | secret
    assert server["readonlyRootFilesystem"]
    assert server["user"] == "65532:65532"


def test_a_server_may_do_nothing_in_aws(created: Cloud) -> None:
    iam = client("iam")
    roles = {role["RoleName"].split("-")[2]: role["RoleName"] for role in iam.list_roles()["Roles"]}
    assert roles.keys() == {
        *("BackupRole", "BotsStartRole", "MigrateRole", "MigrateStartRole"),
        *("ServerRole", "StartRole"),
    }
    for one in ("ServerRole", "MigrateRole"):
        assert iam.list_role_policies(RoleName=roles[one])["PolicyNames"] == []
        assert iam.list_attached_role_policies(RoleName=roles[one])["AttachedPolicies"] == []
    assert iam.list_role_policies(RoleName=roles["StartRole"])["PolicyNames"] == ["start"]


def test_the_names_that_alarms_go_by_are_those_of_the_load_balancer() -> None:
    outputs = STACKS["app"]["Outputs"]
    assert outputs["BalancerName"]["Value"] == {"Fn::GetAtt": ["Balancer", "LoadBalancerFullName"]}
    assert outputs["ServersName"]["Value"] == {"Fn::GetAtt": ["Servers", "TargetGroupFullName"]}


def test_lines_of_the_log_go_after_a_month(created: Cloud) -> None:
    group = client("logs").describe_log_groups()["logGroups"][0]
    assert group["retentionInDays"] == 30
