"""The published matrix runs what is here, trusts nobody else's steps, and believes no title."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
FILE = ROOT / ".github" / "workflows" / "ci.yml"
# What may be put into a script as it is: nobody outside writes it.
OURS = {"github.token", "github.server_url", "github.repository", "github.sha"}


def workflow() -> dict[str, Any]:
    return dict(yaml.safe_load(FILE.read_text("utf-8")))


def steps() -> list[dict[str, Any]]:
    return [step for job in workflow()["jobs"].values() for step in job["steps"]]


def test_every_version_that_is_promised_is_in_the_matrix_and_the_untried_say_so() -> None:
    cells = workflow()["jobs"]["tests"]["strategy"]["matrix"]["include"]
    assert {cell["python"]: cell["untried"] for cell in cells} == {
        "3.11": False,
        "3.12": True,
        "3.13": True,
        "3.14": True,
    }


def test_every_step_is_a_command_that_is_here() -> None:
    for step in steps():
        assert "uses" not in step, step
        for script in re.findall(r"(?:scripts|deploy|\.ci)/[\w./-]+", step["run"]):
            assert (ROOT / script).is_file(), script
            assert (ROOT / script).stat().st_mode & 0o100, script
    runs = [step["run"].split()[0] for step in steps()]
    assert {".ci/run", "scripts/audit", "scripts/promises"} <= set(runs)


def test_a_title_of_somebody_elses_is_never_a_command() -> None:
    for step in steps():
        assert "${{" not in step["run"]
        for value in step.get("env", {}).values():
            assert set(re.findall(r"\$\{\{ ([\w.]+) \}\}", value)) <= OURS


def test_it_may_read_and_nothing_else() -> None:
    told = workflow()
    assert told["permissions"] == {"contents": "read"}
    assert all("permissions" not in job for job in told["jobs"].values())
    assert all(job["timeout-minutes"] <= 350 for job in told["jobs"].values())
