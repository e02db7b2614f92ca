"""The release workflow publishes what has passed on its own machine, and only one job may publish.

It runs nowhere here, so it is read: against the machines, the scripts and what each job may do.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from scripts.native.machine import MACHINES

ROOT = Path(__file__).parents[2]
WORKFLOW = (ROOT / ".github" / "workflows" / "release.yml").read_text("utf-8")


def wrong(text: str) -> list[str]:
    """Return what is wrong with a release workflow."""
    flow: dict[Any, Any] = yaml.safe_load(text)
    jobs = flow["jobs"]
    found = []
    if flow["permissions"] != {"contents": "read"}:
        found.append("every job may do more than read")
    for name, job in jobs.items():
        if ("id-token" in job.get("permissions", {})) != (name == "publish"):
            found.append(f"{name}: who may say which workflow it is")
        for step in job["steps"]:
            if "uses" in step:
                found.append(f"{name}: an action of others, {step['uses']}")
            for script in re.findall(r"scripts/[\w-]+", step.get("run", "")):
                if not os.access(ROOT / script, os.X_OK):
                    found.append(f"{name}: no {script}")
    tests, wanted = jobs["tests"], {"any", *MACHINES}
    if {one["machine"] for one in tests["strategy"]["matrix"]["include"]} != wanted:
        found.append("tests: other machines than wheels are built for")
    if tests["outputs"].keys() != wanted:
        found.append("tests: some machine cannot say that it passed")
    order = [next((i for i, step in enumerate(tests["steps"]) if key in step.get("run", "")), -1)
             for key in ("scripts/try-release", "GITHUB_OUTPUT")]  # fmt: skip
    if not -1 < order[0] < order[1]:
        found.append("tests: it passes before it is tried")
    steps = [step.get("run", "") for step in jobs["wheels"]["steps"]]
    keys = (r"scripts/wheel", r"scripts/audit --sbom \"?dist/", r"release create .* dist/\*")
    order = [next((i for i, run in enumerate(steps) if re.search(key, run)), -1) for key in keys]
    if not -1 < order[0] < order[1] < order[2]:
        found.append("wheels: a release without a list of its packages")
    publish = jobs["publish"]
    if not {"wheels", "tests"} <= set(publish["needs"]) or publish["environment"] != "pypi":
        found.append("publish: waits for nobody")
    if "needs.tests.outputs" not in str(publish["steps"]):
        found.append("publish: takes what nobody has tried")
    return found


def test_the_workflow_publishes_what_has_passed() -> None:
    assert wrong(WORKFLOW) == []


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("  contents: read\n", "  contents: write\n", "every job may do more"),
        ("      contents: write # to", "      id-token: write # to", "tests: who may say"),
        ("          - { runner: macos-15, machine: macos-arm64 }\n", "", "tests: other machines"),
        ("      any: ${{ steps.passed.outputs.any }}\n", "", "tests: some machine cannot say"),
        ("scripts/try-release dist", "true dist", "tests: it passes before it is tried"),
        ("scripts/wheels dist", "scripts/wheel dist", "wheels: no scripts/wheel"),
        ("scripts/audit --sbom", "scripts/audit", "wheels: a release without a list"),
        ("needs: [wheels, tests]", "needs: [wheels]", "publish: waits for nobody"),
        ("join(needs.tests.outputs.*, ' ')", "'any'", "publish: takes what nobody has tried"),
        (
            "        run: scripts/setup",
            "        uses: a/b@v1\n        run: scripts/setup",
            "of others",
        ),
    ],
)
def test_a_fault_in_the_workflow_is_found(before: str, after: str, told: str) -> None:
    assert before in WORKFLOW
    found = wrong(WORKFLOW.replace(before, after, 1))
    assert len(found) == 1, found
    assert told in found[0]
