"""The published matrix runs what is here, trusts nobody else's steps, and believes no title."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import yaml
from tests.faults.whole import CAMPAIGNS

ROOT = Path(__file__).parents[2]
FILE = ROOT / ".github" / "workflows" / "ci.yml"
# What may be put into a script as it is: nobody outside writes it.
OURS = {
    *("github.token", "github.server_url", "github.repository", "github.sha"),
    *("github.run_number", "matrix.campaign"),
}


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


def test_every_campaign_has_a_night_of_its_own_that_its_job_does_not_cut_short() -> None:
    job = workflow()["jobs"]["promises"]
    assert job["strategy"]["matrix"]["campaign"] == list(CAMPAIGNS)
    (run,) = [step["run"] for step in job["steps"] if "scripts/promises" in step["run"]]
    words = shlex.split(run)
    assert words[words.index("--only") + 1] == "$CAMPAIGN"
    # With the seed of the results that are here it would find its work done.
    assert words[words.index("--seed") + 1] == "$SEED"
    assert int(words[words.index("--minutes") + 1]) <= job["timeout-minutes"] - 40


def test_only_a_campaign_is_given_the_history_that_it_may_need() -> None:
    told = workflow()
    assert told["env"]["HISTORY"] == "--depth=1"
    deep = {name for name, job in told["jobs"].items() if "HISTORY" in job.get("env", {})}
    assert deep == {"promises"}
    assert told["jobs"]["promises"]["env"]["HISTORY"] == "--tags"
    for job in told["jobs"].values():
        assert 'fetch --quiet "$HISTORY" "$FROM" "$COMMIT"' in job["steps"][0]["run"]


def test_every_change_takes_the_steps_of_the_image_in_a_clean_root() -> None:
    ran = (ROOT / ".ci" / "run").read_text("utf-8").splitlines()
    assert [line for line in ran if line.startswith("scripts/")] == [
        "scripts/debian",
        "scripts/test",
        "scripts/image",
    ]
    steps = (ROOT / "scripts" / "image").read_text("utf-8").splitlines()
    # Nothing is lent, nothing of the environment goes in.
    assert 'deploy/build "$made/rookery" | tee "$made/said"' in steps
    assert sum("env -i " in line for line in steps) == 1
    assert "--require-hashes" in (ROOT / "deploy" / "build").read_text("utf-8")


def test_it_may_read_and_nothing_else() -> None:
    told = workflow()
    assert told["permissions"] == {"contents": "read"}
    assert all("permissions" not in job for job in told["jobs"].values())
    assert all(job["timeout-minutes"] <= 350 for job in told["jobs"].values())
