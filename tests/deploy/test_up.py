"""`deploy/aws/up` with a command line of AWS that only writes down what it is asked to do."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import jmespath
import pytest
from tests.deploy.stacks import AWS, DIGEST, IMAGE, REPOSITORY, STACKS

UP = AWS / "up"
CERTIFICATE = "arn:aws:acm:us-east-1:123456789012:certificate/1"
GIVEN = (IMAGE, "rook.example", CERTIFICATE)
NOTE = f"""#!/bin/sh
for word; do printf "%s\\n" "$word"; done >>"$ASKED"; echo >>"$ASKED"
case "$1 $2" in
  "ecr describe-images") echo "${{DIGEST:-{DIGEST}}}" ;;
  "cloudformation describe-stacks")
    case "$*" in *--stack-name*) echo an-output ;; *) printf "${{STANDS:-}}" ;; esac ;;
  "ecs run-task") echo a-task ;;
  "ecs describe-tasks") printf "${{ENDED:-0}}\\t${{WHY:-it ended}}\\n" ;;
esac
"""


def up(folder: Path, *words: str, fails: bool = False, **more: str) -> tuple[list[list[str]], str]:
    """Run it; return what AWS was asked, call by call, and what it said itself."""
    aws, asked = folder / "aws", folder / "asked"
    aws.write_text(NOTE + ("exit 254\n" if fails else ""), "utf-8")
    aws.chmod(0o755)
    asked.write_text("", "utf-8")
    done = subprocess.run(
        [str(UP), *words],
        env={"PATH": f"{folder}:{os.environ['PATH']}", "ASKED": str(asked), **more},
        capture_output=True,
        text=True,
    )
    calls = [call.split("\n") for call in asked.read_text("utf-8").strip().split("\n\n") if call]
    whole = bool(calls) and option(calls[-1], "--template-file") == "alarms.yaml"
    assert (done.returncode == 0) == (whole and not fails)
    return calls, done.stderr


def option(call: list[str], name: str) -> str:
    return call[call.index(name) + 1] if name in call else ""


def test_stacks_come_in_order_each_with_the_parameters_it_asks_for(tmp_path: Path) -> None:
    calls, _ = up(tmp_path, *GIVEN, "Email=ann@rook.example", "Most=4")
    deployed = [call for call in calls if call[1] == "deploy"]
    names = [option(call, "--template-file").removesuffix(".yaml") for call in deployed]
    assert names == ["network", "data", "schema", "app", "alarms"]
    for name, call in zip(names, deployed, strict=True):
        assert option(call, "--stack-name") == f"rookery-{name}"
        assert option(call, "--region") == "us-east-1"
        words = call[call.index("--parameter-overrides") + 1 :]
        given = dict(word.split("=", 1) for word in words)
        asked = STACKS[name]["Parameters"]
        assert given.keys() <= asked.keys()
        assert {key for key, one in asked.items() if "Default" not in one} <= given.keys()
    assert "Most=4" in deployed[3]
    assert "Email=ann@rook.example" in deployed[4]
    assert f"Image={IMAGE}" in deployed[2]


def test_of_a_version_the_digest_is_looked_up_and_that_alone_runs(tmp_path: Path) -> None:
    calls, _ = up(tmp_path, f"{REPOSITORY}:0.1.0", *GIVEN[1:])
    asked = calls[0]
    assert asked[:2] == ["ecr", "describe-images"]
    assert option(asked, "--region") == "us-east-1"
    assert option(asked, "--repository-name") == "rookery"
    assert option(asked, "--image-ids") == "imageTag=0.1.0"
    images = {word for call in calls for word in call if word.startswith("Image=")}
    assert images == {f"Image={IMAGE}"}


@pytest.mark.parametrize("digest", ["None", "sha256:1", " "])
def test_without_a_digest_nothing_is_done(digest: str, tmp_path: Path) -> None:
    calls, said = up(tmp_path, f"{REPOSITORY}:0.1.0", *GIVEN[1:], DIGEST=digest)
    assert len(calls) == 1
    assert "its digest is not known" in said


def test_the_database_is_of_the_version_before_servers_come(tmp_path: Path) -> None:
    calls, _ = up(tmp_path, *GIVEN)
    done = [(call[1], option(call, "--stack-name")) for call in calls]
    order = [done.index(one) for one in (("deploy", "rookery-schema"), ("run-task", ""))]
    order += [done.index(("wait", "")), done.index(("deploy", "rookery-app"))]
    assert order == sorted(order)
    (ran,) = [call for call in calls if call[1] == "run-task"]
    assert option(ran, "--task-definition") == "an-output"
    assert "subnets=[an-output],securityGroups=[an-output]" in "".join(ran)


@pytest.mark.parametrize(
    ("ended", "told"),
    [
        ("1", "the database is not of this version, and servers stay as they are: see the log"),
        ("None", "did not start, and servers stay as they are: CannotPullContainerError: denied"),
    ],
)
def test_where_it_is_not_servers_stay_as_they_are(ended: str, told: str, tmp_path: Path) -> None:
    calls, said = up(tmp_path, *GIVEN, ENDED=ended, WHY="CannotPullContainerError: denied")
    assert told in said
    assert "rookery-app" not in {option(call, "--stack-name") for call in calls}


def test_what_is_kept_is_protected_before_servers_use_it(tmp_path: Path) -> None:
    calls, _ = up(tmp_path, *GIVEN)
    done = [(call[1], option(call, "--stack-name")) for call in calls]
    app = done.index(("deploy", "rookery-app"))
    for protection in ("set-stack-policy", "update-termination-protection"):
        assert done.index((protection, "rookery-data")) < app
    (policy,) = [option(c, "--stack-policy-body") for c in calls if "--stack-policy-body" in c]
    assert (AWS / policy.removeprefix("file://")).exists()


def test_name_and_region_can_be_others(tmp_path: Path) -> None:
    image = IMAGE.replace("us-east-1", "us-east-2").replace("/rookery@", "/club@")
    calls, _ = up(tmp_path, image, *GIVEN[1:], NAME="club", REGION="us-east-2")
    assert {option(call, "--region") for call in calls} == {"us-east-2"}
    placed = [option(call, "--stack-name") or option(call, "--cluster") for call in calls]
    assert all(place == "club" or place.startswith("club-") for place in placed if place)
    assert all("Name=club" in call for call in calls if call[1] == "deploy")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("rook.example",), "expected IMAGE DOMAIN CERTIFICATE"),
        ((*GIVEN, "Moist=4"), "no stack has a parameter Moist"),
        ((*GIVEN, "Outputs=4"), "no stack has a parameter Outputs"),
        ((*GIVEN, "Name=club"), "NAME in the environment"),
        ((REPOSITORY, *GIVEN[1:]), "/rookery:VERSION"),
        ((IMAGE.replace("/rookery@", "/other@"), *GIVEN[1:]), "/rookery:VERSION"),
        ((IMAGE.replace("/rookery@", "/my/rookery@"), *GIVEN[1:]), "/rookery:VERSION"),
        ((IMAGE.replace("us-east-1", "us-east-2"), *GIVEN[1:]), ".ecr.us-east-1.amazonaws.com/"),
    ],
)
def test_it_refuses_what_it_does_not_know_and_does_nothing(
    words: tuple[str, ...], told: str, tmp_path: Path
) -> None:
    calls, said = up(tmp_path, *words)
    assert calls == []
    assert said.startswith("up: ")
    assert told in said
    assert len(said.splitlines()) == 1


def allowed(name: str) -> list[int]:
    found: list[int] = STACKS["app"]["Parameters"][name]["AllowedValues"]
    return found


# What Fargate gives to so much of a core (1024 is one), in MiB.
FARGATE = {
    256: {512, 1024, 2048},
    512: set(range(1024, 4096 + 1, 1024)),
    1024: set(range(2048, 8192 + 1, 1024)),
    2048: set(range(4096, 16384 + 1, 1024)),
    4096: set(range(8192, 30720 + 1, 1024)),
}
PAIRS = [
    (of, cpu, memory)
    for of in ("", "Bots")
    for cpu in allowed(f"{of}Cpu")
    for memory in allowed(f"{of}Memory")
]


@pytest.mark.parametrize(("of", "cpu", "memory"), PAIRS)
def test_what_fargate_does_not_have_is_refused_before_anything_is_deployed(
    of: str, cpu: int, memory: int, tmp_path: Path
) -> None:
    calls, said = up(tmp_path, *GIVEN, f"{of}Cpu={cpu}", f"{of}Memory={memory}")
    refused = f"up: {of}Cpu={cpu} with {of}Memory={memory}: expected one of" in said
    assert refused == (memory not in FARGATE[cpu])
    assert refused == ("deploy" not in [call[1] for call in calls])


@pytest.mark.parametrize(
    ("given", "stands", "told"),
    [
        ("Cpu=2048", "", "Cpu=2048 with Memory=2048: expected one of"),
        ("BotsCpu=4096", "", "BotsCpu=4096 with BotsMemory=4096: expected one of"),
        ("Memory=2048", r"Cpu\t2048\nMemory\t4096\n", "Cpu=2048 with Memory=2048: expected one of"),
        ("Cpu=512", "", "Cpu=512 with Memory=2048: expected one of"),
        ("Least=12", "", "Least=12, Most=10: expected 2 or more"),
        ("Most=4", r"Least\t5\nMost\t20\n", "Least=5, Most=4: expected 2 or more"),
        ("Least=1", "", "Least=1, Most=10: expected 2 or more"),
        ("BotsLeast=5", "", "BotsLeast=5, BotsMost=4: expected 1 or more"),
        ("BotsMost=many", "", "BotsLeast=1, BotsMost=many: expected 1 or more"),
    ],
)
def test_what_does_not_go_with_what_stands_is_refused(
    given: str, stands: str, told: str, tmp_path: Path
) -> None:
    calls, said = up(tmp_path, *GIVEN, given, STANDS=stands)
    assert said.startswith(f"up: {told}")
    assert len(said.splitlines()) == 1
    assert "deploy" not in [call[1] for call in calls]


def test_what_goes_with_what_stands_is_deployed(tmp_path: Path) -> None:
    stands = r"Cpu\t2048\nMemory\t4096\nLeast\t2\nMost\t20\n"
    calls, _ = up(tmp_path, *GIVEN, "Least=12", STANDS=stands)
    (asked,) = [call for call in calls if call[1] == "describe-stacks" and "Stacks[?" in str(call)]
    here = {"ParameterKey": "a", "ParameterValue": "b"}
    rows = {"StackName": "rookery-app", "Parameters": [here]}
    found = jmespath.search(option(asked, "--query"), {"Stacks": [{"StackName": "other"}, rows]})
    assert found == [["a", "b"]]
    assert calls.index(asked) < min(i for i, call in enumerate(calls) if call[1] == "deploy")


def test_it_stops_where_aws_does(tmp_path: Path) -> None:
    calls, _ = up(tmp_path, *GIVEN, fails=True)
    assert len(calls) == 1
