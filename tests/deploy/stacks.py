"""The stacks of the deployment, as data, and created in an AWS that is none."""

from __future__ import annotations

import contextlib
import copy
import json
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import boto3
from cfnlint.decode import cfn_yaml
from moto import mock_aws

ROOT = Path(__file__).resolve().parents[2]
AWS = ROOT / "deploy" / "aws"
ORDER = ("registry", "network", "data", "schema", "app", "alarms")
REGION = "us-east-1"
REPOSITORY = "123456789012.dkr.ecr.us-east-1.amazonaws.com/rookery"
DIGEST = f"sha256:{'1' * 64}"
IMAGE = f"{REPOSITORY}@{DIGEST}"

# moto passes these by; test_templates.py has an assertion for each of them.
IGNORED = {
    "AWS::ApplicationAutoScaling::ScalableTarget",
    "AWS::ApplicationAutoScaling::ScalingPolicy",
    "AWS::Backup::BackupPlan",
    "AWS::Backup::BackupSelection",
    "AWS::Backup::BackupVault",
    "AWS::CloudWatch::Alarm",
    "AWS::ElastiCache::ParameterGroup",
    "AWS::ElastiCache::ReplicationGroup",
    "AWS::ElastiCache::SubnetGroup",
    "AWS::Logs::MetricFilter",
    "AWS::SNS::Subscription",
    "AWS::SecretsManager::Secret",
    "AWS::ServiceDiscovery::PrivateDnsNamespace",
    "AWS::ServiceDiscovery::Service",
}

Template = dict[str, Any]


def read(name: str) -> Template:
    """Return a template, its short functions (``!Ref``) as long ones."""
    found: Template = json.loads(json.dumps(cfn_yaml.load(str(AWS / f"{name}.yaml"))))
    return found


STACKS: dict[str, Template] = {name: read(name) for name in ORDER}


def resources(*types: str) -> dict[str, Template]:
    """Return the resources of some types, or of all, in all stacks, by their names."""
    return {
        name: one
        for stack in STACKS.values()
        for name, one in stack["Resources"].items()
        if not types or one["Type"] in types
    }


def adapted() -> dict[str, Template]:
    """Return the stacks as moto 5.2 can create them.

    It has no name of a parameter group to refer to, does not know the full names of a load balancer
    and its targets, and keeps no names of a network's own. The tests look for these in the
    templates.
    """
    stacks = copy.deepcopy(STACKS)
    database = stacks["data"]["Resources"]["Database"]["Properties"]
    database["DBParameterGroupName"] = "default.postgres17"
    for output in ("BalancerName", "ServersName"):
        stacks["app"]["Outputs"][output]["Value"] = output
    del stacks["app"]["Resources"]["BotService"]["Properties"]["ServiceRegistries"]
    return stacks


def client(service: str) -> Any:  # noqa: ANN401  (boto3 makes its clients when they are asked for)
    """Return a client of one of AWS's services."""
    return boto3.client(service, region_name=REGION)


def _all(service: str, call: str, under: str, key: str | None = None) -> Callable[[], set[str]]:
    def listed() -> set[str]:
        found = getattr(client(service), call)()[under]
        return {one if key is None else one[key] for one in found}

    return listed


def _tables() -> list[Any]:
    found: list[Any] = client("ec2").describe_route_tables()["RouteTables"]
    return [t for t in found if not any(a.get("Main") for a in t["Associations"])]


def _listeners() -> set[str]:
    balancers = client("elbv2").describe_load_balancers()["LoadBalancers"]
    arns = [one["LoadBalancerArn"] for one in balancers]
    found = [client("elbv2").describe_listeners(LoadBalancerArn=arn)["Listeners"] for arn in arns]
    return {one["ListenerArn"] for listeners in found for one in listeners}


def _services() -> set[str]:
    clusters = client("ecs").list_clusters()["clusterArns"]
    found = [client("ecs").list_services(cluster=one)["serviceArns"] for one in clusters]
    return {arn for arns in found for arn in arns}


def _addresses() -> set[str]:
    zones = client("route53").list_hosted_zones()["HostedZones"]
    found = [client("route53").list_resource_record_sets(HostedZoneId=z["Id"]) for z in zones]
    return {r["Name"] + r["Type"] for one in found for r in one["ResourceRecordSets"]}


def _attached() -> set[str]:
    gateways = client("ec2").describe_internet_gateways()["InternetGateways"]
    return {a["VpcId"] for gateway in gateways for a in gateway["Attachments"]}


def _routes() -> set[str]:
    ways = ((t["RouteTableId"], r) for t in _tables() for r in t["Routes"])
    # An endpoint for S3 makes one of its own, towards a list of addresses.
    return {
        f"{table} {way['DestinationCidrBlock']}"
        for table, way in ways
        if way.get("GatewayId") != "local" and "DestinationCidrBlock" in way
    }


def _associations() -> set[str]:
    # moto keeps them where no call of EC2's shows them; CloudFormation's own list does.
    stacks = client("cloudformation").describe_stacks()["Stacks"]
    listed = client("cloudformation").describe_stack_resources
    found = [listed(StackName=one["StackName"])["StackResources"] for one in stacks]
    kind = "AWS::EC2::SubnetRouteTableAssociation"
    return {
        one["LogicalResourceId"]
        for all_ in found
        for one in all_
        if one.get("ResourceType") == kind
    }


def _groups() -> set[str]:
    found = client("ec2").describe_security_groups()["SecurityGroups"]
    return {one["GroupId"] for one in found if one["GroupName"] != "default"}


def _parameters() -> set[str]:
    found = client("rds").describe_db_parameter_groups()["DBParameterGroups"]
    names = {one["DBParameterGroupName"] for one in found}
    return {name for name in names if not name.startswith("default.")}


# What AWS itself lists of each type; what comes with every network is left out.
LISTED: dict[str, Callable[[], set[str]]] = {
    "AWS::EC2::InternetGateway": _all(
        "ec2", "describe_internet_gateways", "InternetGateways", "InternetGatewayId"
    ),
    "AWS::EC2::Route": _routes,
    "AWS::EC2::RouteTable": lambda: {t["RouteTableId"] for t in _tables()},
    "AWS::EC2::SecurityGroup": _groups,
    "AWS::EC2::Subnet": _all("ec2", "describe_subnets", "Subnets", "SubnetId"),
    "AWS::EC2::SubnetRouteTableAssociation": _associations,
    "AWS::EC2::VPC": _all("ec2", "describe_vpcs", "Vpcs", "VpcId"),
    "AWS::EC2::VPCEndpoint": _all("ec2", "describe_vpc_endpoints", "VpcEndpoints", "VpcEndpointId"),
    "AWS::EC2::VPCGatewayAttachment": _attached,
    "AWS::ECR::Repository": _all("ecr", "describe_repositories", "repositories", "repositoryName"),
    "AWS::ECS::Cluster": _all("ecs", "list_clusters", "clusterArns"),
    "AWS::ECS::Service": _services,
    "AWS::ECS::TaskDefinition": _all("ecs", "list_task_definitions", "taskDefinitionArns"),
    "AWS::ElasticLoadBalancingV2::Listener": _listeners,
    "AWS::ElasticLoadBalancingV2::LoadBalancer": _all(
        "elbv2", "describe_load_balancers", "LoadBalancers", "LoadBalancerArn"
    ),
    "AWS::ElasticLoadBalancingV2::TargetGroup": _all(
        "elbv2", "describe_target_groups", "TargetGroups", "TargetGroupArn"
    ),
    "AWS::IAM::Role": _all("iam", "list_roles", "Roles", "RoleName"),
    "AWS::KMS::Key": _all("kms", "list_keys", "Keys", "KeyId"),
    "AWS::Logs::LogGroup": _all("logs", "describe_log_groups", "logGroups", "logGroupName"),
    "AWS::RDS::DBInstance": _all(
        "rds", "describe_db_instances", "DBInstances", "DBInstanceIdentifier"
    ),
    "AWS::RDS::DBParameterGroup": _parameters,
    "AWS::RDS::DBSubnetGroup": _all(
        "rds", "describe_db_subnet_groups", "DBSubnetGroups", "DBSubnetGroupName"
    ),
    "AWS::Route53::RecordSet": _addresses,
    "AWS::SNS::Topic": _all("sns", "list_topics", "Topics", "TopicArn"),
}


def missing(
    wanted: Counter[str], before: dict[str, set[str]], now: dict[str, set[str]]
) -> dict[str, int]:
    """Return how many of which types are not there that should have come since `before`."""
    come = Counter({kind: len(now[kind] - before[kind]) for kind in now})
    return {kind: count - come[kind] for kind, count in wanted.items() if come[kind] != count}


class Cloud:
    """An account in which all stacks have been created.

    Attributes:
        before: what was there of each type; after: what is there now.
        said: what moto says it cannot create.
    """

    def __init__(self) -> None:
        certificate = client("acm").request_certificate(DomainName="rook.example")
        zone = client("route53").create_hosted_zone(Name="rook.example", CallerReference="1")
        given = {
            "app": {
                "Domain": "rook.example",
                "Certificate": certificate["CertificateArn"],
                "HostedZone": zone["HostedZone"]["Id"].rpartition("/")[2],
                "Image": IMAGE,
            },
            "schema": {"Image": IMAGE},
            "alarms": {"Email": "ann@rook.example"},
        }
        self.before = {kind: listed() for kind, listed in LISTED.items()}
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            for name, template in adapted().items():
                client("cloudformation").create_stack(
                    StackName=f"rookery-{name}",
                    TemplateBody=json.dumps(template),
                    Capabilities=["CAPABILITY_IAM"],
                    Parameters=[
                        {"ParameterKey": key, "ParameterValue": value}
                        for key, value in given.get(name, {}).items()
                    ],
                )
            self.after = {kind: listed() for kind, listed in LISTED.items()}
        self.said = [str(one.message) for one in said]


@contextlib.contextmanager
def cloud() -> Iterator[Cloud]:
    """Create all stacks, in order, in an account of this process."""
    with mock_aws():
        yield Cloud()
