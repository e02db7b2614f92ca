"""Images and certificates are those that somebody has written down, or nothing is built."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.deploy.stacks import resources
from tests.deploy.test_build import PLAIN
from tests.deploy.test_containers import DEPLOY, DOCKERFILE, SERVICES

DOCKER = """#!/bin/sh
for word; do printf "%s\\n" "$word"; done >>"$SAID"
[ "$1" = buildx ] && printf "sha256:%s\\n" "$(printf %s "$4" | sha256sum | cut -c 1-64)"
exit 0
"""
CURL = """#!/bin/sh
while [ $# -gt 1 ]; do [ "$1" = --output ] && file=$2; shift; done
printf "%s\\n" "$1" >>"$SAID"
printf "%s\\n" "$BUNDLE" >"$file"
"""
BUNDLE = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"
PINNED = {"BUILD_IMAGE", "RUN_IMAGE", "POSTGRES_IMAGE", "VALKEY_IMAGE"}


def run(folder: Path, program: str, *words: str, **more: str) -> tuple[int, str, list[str]]:
    """Run a copy of one of the programs beside a docker and a curl that only note; and their notes.

    Returns:
        its exit status, what it said, and what the others were asked, word by word.
    """
    tools, deploy, said = folder / "tools", folder / "deploy", folder / "said"
    for place in (tools, deploy):
        place.mkdir(exist_ok=True)
    for name, text in (("docker", DOCKER), ("curl", CURL)):
        (tools / name).write_text(text, "utf-8")
        (tools / name).chmod(0o755)
    for name in ("pin", "image", "build"):
        shutil.copy(DEPLOY / name, deploy)
    said.write_text("", "utf-8")
    surroundings = PLAIN | {"PATH": f"{tools}:{os.environ['PATH']}", "SAID": str(said)}
    done = subprocess.run(
        [str(deploy / program), *words],
        env=surroundings | {"BUNDLE": BUNDLE} | more,
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stdout + done.stderr, said.read_text("utf-8").splitlines()


def pins(folder: Path) -> dict[str, str]:
    lines = (folder / "deploy" / "pins.env").read_text("utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines)


def test_what_is_found_is_written_down_with_its_digest(tmp_path: Path) -> None:
    status, said, asked = run(tmp_path, "pin")
    assert (status, said) == (0, "pin: deploy/pins.env and deploy/rds.pem are as of today\n")
    found = pins(tmp_path)
    assert found.keys() == PINNED | {"RDS_SHA256"}
    for name in PINNED:
        assert re.fullmatch(r"[a-z.]+/[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}", found[name])
        assert found[name].partition("@")[0] in asked
    assert "https://truststore.pki.rds.amazonaws.com/us-east-1/us-east-1-bundle.pem" in asked
    bundle = (tmp_path / "deploy" / "rds.pem").read_bytes()
    assert found["RDS_SHA256"] == hashlib.sha256(bundle).hexdigest()
    # Again nothing is new; with other certificates that is said.
    assert run(tmp_path, "pin")[1] == said
    assert "> RDS_SHA256=" in run(tmp_path, "pin", BUNDLE=f"{BUNDLE}\n{BUNDLE}")[1]


def test_what_is_no_certificate_changes_nothing(tmp_path: Path) -> None:
    run(tmp_path, "pin")
    before = {file: file.read_bytes() for file in (tmp_path / "deploy").iterdir()}
    status, said, _ = run(tmp_path, "pin", BUNDLE="<html>sign in</html>")
    assert status == 2
    assert said.endswith("it has no certificate\n")
    assert {file: file.read_bytes() for file in (tmp_path / "deploy").iterdir()} == before


def test_every_image_that_anything_uses_is_pinned() -> None:
    names = {one["image"] for one in SERVICES.values()} - {"rookery"}
    used = {name for image in names for name in re.findall(r"^\$\{(\w+):\?", image)}
    assert len(used) == len(names)
    wanted = dict.fromkeys(re.findall(r"^FROM \$\{(\w+)\}", DOCKERFILE, re.MULTILINE))
    assert used | wanted.keys() == PINNED
    # Nothing stands in for a pin that is missing.
    assert re.findall(r"^ARG (.+)$", DOCKERFILE, re.MULTILINE) == list(wanted)
    arguments = SERVICES["app"]["build"]["args"]
    assert arguments.keys() == wanted.keys()
    assert all(value.startswith(f"${{{name}:?") for name, value in arguments.items())
    script = (DEPLOY / "pin").read_text("utf-8")
    assert set(re.findall(r"^(\w+_IMAGE) ", script, re.MULTILINE)) == PINNED


def test_an_image_is_built_of_what_is_pinned_or_not_at_all(tmp_path: Path) -> None:
    status, said, asked = run(tmp_path, "image", "rookery")
    assert (status, asked) == (2, [])
    assert said == "image: nothing is pinned yet; run deploy/pin first\n"
    run(tmp_path, "pin")
    status, _, asked = run(tmp_path, "image", "rookery:0.1.0")
    assert status == 0
    found = pins(tmp_path)
    assert [word for word in asked if "IMAGE=" in word] == [
        f"{name}={found[name]}" for name in ("BUILD_IMAGE", "RUN_IMAGE")
    ]
    assert asked[asked.index("--tag") + 1] == "rookery:0.1.0"
    (tmp_path / "deploy" / "pins.env").write_text("BUILD_IMAGE=debian:12\n", "utf-8")
    status, said, asked = run(tmp_path, "image", "rookery")
    assert (status, asked) == (2, [])
    assert "has no digest for BUILD_IMAGE" in said


def test_certificates_that_were_exchanged_are_not_built_in(tmp_path: Path) -> None:
    run(tmp_path, "pin")
    (tmp_path / "deploy" / "rds.pem").write_text("another", "utf-8")
    status, said, _ = run(tmp_path, "build", str(tmp_path / "rookery"))
    assert status == 2
    assert said.startswith("build: deploy/rds.pem is not the one of deploy/pins.env")
    assert not (tmp_path / "rookery").exists()


@pytest.mark.parametrize("name", ["DatabaseUrl", "OwnerUrl"])
def test_who_answers_for_the_database_is_verified(name: str) -> None:
    url = resources()[name]["Properties"]["SecretString"]["Fn::Sub"]
    assert url.endswith("/rookery?sslmode=verify-full&sslrootcert=/opt/rookery/rds.pem")
    script = (DEPLOY / "build").read_text("utf-8")
    assert 'install -m 644 "$certificates" "$folder/rds.pem"' in script
    assert "/src/deploy/build /opt/rookery" in DOCKERFILE
