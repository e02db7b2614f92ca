"""`deploy/aws/up` with a command line of AWS that only writes down what it is asked to do."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from tests.deploy.stacks import AWS, DIGEST, IMAGE, REPOSITORY, STACKS

UP = AWS / "up"
CERTIFICATE = "arn:aws:acm:us-east-1:123456789012:certificate/1"
GIVEN = (IMAGE, "rook.example", CERTIFICATE)
NOTE = f"""#!/bin/sh
for word; do printf "%s\\n" "$word"; done >>"$ASKED"; echo >>"$ASKED"
case "$1 $2" in
  "ecr describe-images") echo "${{DIGEST:-{DIGEST}}}" ;;
  "cloudformation describe-stacks") echo an-output ;;
  "ecs run-task") echo a-task ;;
  "ecs describe-tasks") echo "${{ENDED:-0}}" ;;
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


@pytest.mark.parametrize("ended", ["1", "None"])
def test_where_it_is_not_servers_stay_as_they_are(ended: str, tmp_path: Path) -> None:
    calls, said = up(tmp_path, *GIVEN, ENDED=ended)
    assert "the database is not of this version" in said
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
    calls, _ = up(tmp_path, *GIVEN, NAME="club", REGION="us-east-2")
    assert {option(call, "--region") for call in calls} == {"us-east-2"}
    placed = [option(call, "--stack-name") or option(call, "--cluster") for call in calls]
    assert all(place == "club" or place.startswith("club-") for place in placed)
    assert all("Name=club" in call for call in calls if call[1] == "deploy")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("rook.example",), "expected IMAGE DOMAIN CERTIFICATE"),
        ((*GIVEN, "Moist=4"), "no stack has a parameter Moist"),
        ((*GIVEN, "Outputs=4"), "no stack has a parameter Outputs"),
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


def test_it_stops_where_aws_does(tmp_path: Path) -> None:
    calls, _ = up(tmp_path, *GIVEN, fails=True)
    assert len(calls) == 1
