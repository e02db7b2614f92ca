"""`deploy/aws/up` with a command line of AWS that only writes down what it is asked to do."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from tests.deploy.stacks import AWS, IMAGE, STACKS

UP = AWS / "up"
CERTIFICATE = "arn:aws:acm:us-east-1:123456789012:certificate/1"
GIVEN = (IMAGE, "rook.example", CERTIFICATE)
NOTE = '#!/bin/sh\nfor word; do printf "%s\\n" "$word"; done >>"$ASKED"; echo >>"$ASKED"\n'


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
    assert (done.returncode == 0) == (not fails and len(words) >= 3 and bool(calls))
    return calls, done.stderr


def option(call: list[str], name: str) -> str:
    return call[call.index(name) + 1]


def test_stacks_come_in_order_each_with_the_parameters_it_asks_for(tmp_path: Path) -> None:
    calls, _ = up(tmp_path, *GIVEN, "Email=ann@rook.example", "Most=4")
    deployed = [call for call in calls if call[1] == "deploy"]
    names = [option(call, "--template-file").removesuffix(".yaml") for call in deployed]
    assert names == ["network", "data", "app", "alarms"]
    for name, call in zip(names, deployed, strict=True):
        assert option(call, "--stack-name") == f"rookery-{name}"
        assert option(call, "--region") == "us-east-1"
        words = call[call.index("--parameter-overrides") + 1 :]
        given = dict(word.split("=", 1) for word in words)
        asked = STACKS[name]["Parameters"]
        assert given.keys() <= asked.keys()
        assert {key for key, one in asked.items() if "Default" not in one} <= given.keys()
    assert "Most=4" in deployed[2]
    assert "Email=ann@rook.example" in deployed[3]


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
    assert all(option(call, "--stack-name").startswith("club-") for call in calls)
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
