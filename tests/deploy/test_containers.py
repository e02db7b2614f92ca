"""Dockerfile, compose file and service unit: one server, told the same things everywhere.

No container engine is needed: what they do is in `deploy/build`, which test_build.py runs.
"""

from __future__ import annotations

import asyncio
import configparser
import ipaddress
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.deploy.stacks import ROOT, STACKS
from tests.server.http.served import Here
from typer.testing import CliRunner

DEPLOY = ROOT / "deploy"
DOCKERFILE = (DEPLOY / "Dockerfile").read_text("utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
UNIT = DEPLOY / "rookery.service"
TASK: dict[str, Any] = STACKS["app"]["Resources"]["Server"]["Properties"]
(SERVER,) = TASK["ContainerDefinitions"]
HEALTHY = ["CMD", "/opt/rookery/bin/python", "/opt/rookery/healthy.py"]
USER = "65532:65532"
STATE = "/var/lib/rookery"


def told(word: str) -> Any:  # noqa: ANN401  (JSON)
    """Return what stands after an instruction of the Dockerfile's last stage, as JSON."""
    joined = DOCKERFILE.replace("\\\n", "").rpartition("\nFROM ")[2]
    (found,) = re.findall(rf"^{word} (.+)$", joined, re.MULTILINE)
    return json.loads(found)


def unit() -> list[tuple[str, str]]:
    """Return the settings of the service unit, in order."""
    lines = UNIT.read_text("utf-8").splitlines()
    pairs = [line.partition("=") for line in lines if "=" in line and not line.startswith("#")]
    return [(key, value) for key, _, value in pairs]


def commands() -> dict[str, list[str]]:
    """Return how the server is started in each place, from the word ``serve`` on."""
    task = [word if isinstance(word, str) else flat(word) for word in SERVER["Command"]]
    start = shlex.split(dict(unit())["ExecStart"])
    return {
        "image": told("CMD"),
        "compose": SERVICES["app"]["command"],
        "Fargate": task,
        "systemd": start[start.index("serve") :],
    }


def flat(word: dict[str, Any]) -> str:
    """Return a word that CloudFormation puts together, with its gaps left open."""
    text = word["Fn::Sub"]
    return text if isinstance(text, str) else str(text[0])


@pytest.mark.parametrize("place", ["image", "compose", "Fargate", "systemd"])
def test_the_server_knows_what_it_is_told(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from rookery.cli.main import app

    monkeypatch.setenv("COLUMNS", "200")
    known = CliRunner().invoke(app, ["serve", "--help"]).output
    words = commands()[place]
    assert words[0] == "serve"
    options = [word.partition("=")[0] for word in words if word.startswith("--")]
    assert {"--no-open", "--host", "--port", "--data"} <= set(options)
    assert [option for option in options if f"{option} " not in known] == []
    assert any(word.removeprefix("--data=").startswith(STATE) for word in words)


def test_every_place_that_is_asked_after_health_answers() -> None:
    wanted = {
        *re.findall(r"http://127\.0\.0\.1:8000(/\w+)", DOCKERFILE),
        *re.findall(r"http://127\.0\.0\.1:8000(/\w+)", json.dumps([SERVICES, SERVER])),
        STACKS["app"]["Resources"]["Servers"]["Properties"]["HealthCheckPath"],
    }
    assert wanted == {"/healthz", "/readyz"}

    async def story() -> None:
        here = Here()
        async with here.running(), here.browser() as browser:
            for path in wanted:
                assert (await browser.get(path)).status_code == 200

    asyncio.run(story())
    # A program that is well stays, even where its database does not answer.
    assert SERVER["HealthCheck"]["Command"][-1].endswith("/healthz")


def test_the_image_has_no_root_no_shell_and_one_place_to_write() -> None:
    assert f"\nUSER {USER}\n" in DOCKERFILE
    assert "RUN_IMAGE gcr.io/distroless/" in (DEPLOY / "pin").read_text("utf-8")
    assert told("VOLUME") == [STATE]
    last = DOCKERFILE.rpartition("\nFROM ")[2]
    assert "\nRUN " not in last  # there is no shell to run it
    assert told("ENTRYPOINT") == ["/opt/rookery/bin/rookery"]
    (build,) = re.findall(r"RUN (/src/deploy/\S+) /opt/rookery", DOCKERFILE)
    assert (ROOT / build.removeprefix("/src/")).exists()
    assert f"ROOKERY_CACHE={STATE}/" in last


def test_what_the_build_needs_is_let_into_it_and_nothing_else() -> None:
    lines = (DEPLOY / "Dockerfile.dockerignore").read_text("utf-8").splitlines()
    kept = {line.removeprefix("!") for line in lines if line.startswith("!")}
    assert "*" in lines
    pinned = {"deploy/pins.env", "deploy/rds.pem"}  # what deploy/pin makes
    assert all((ROOT / name).exists() for name in kept - pinned)
    assert pinned <= kept
    script = (DEPLOY / "build").read_text("utf-8")
    used = set(re.findall(r"(?<![/\w])(deploy/\w+\.py|requirements\S*\.lock)", script))
    assert used <= kept
    # By these, and by a compiler, the native library is built.
    assert "-m scripts.native" in script
    assert "scripts/native" in kept
    assert {"gcc", "libc6-dev"} <= set(DOCKERFILE.partition("\nFROM ${RUN")[0].split())
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    assert {"README.md", "LICENSE", "pyproject.toml", "src"} <= kept
    assert 'readme = "README.md"' in project


def test_nothing_that_git_ignores_comes_in_with_the_sources() -> None:
    """What a checkout has built may be of any age, and of another machine."""
    lines = (DEPLOY / "Dockerfile.dockerignore").read_text("utf-8").splitlines()
    after = lines[lines.index("!src") + 1 :]
    assert not [line for line in after if line.startswith("!")]  # the last line that fits decides
    ignored = (ROOT / ".gitignore").read_text("utf-8").splitlines()
    names = [line.rstrip("/") for line in ignored if "/" not in line.rstrip("/")]
    assert {"__pycache__", "*.so", "*.wasm"} <= {*names}
    assert not [name for name in names if not {f"**/{name}", f"src/**/{name}"} & {*after}]
    paths = [line.rstrip("/") for line in ignored if line.startswith("src/")]
    assert {"src/rookery/web/kit", *paths} <= {*after}


@pytest.mark.parametrize("name", list(SERVICES))
def test_each_container_is_bounded_and_may_do_little(name: str) -> None:
    one = SERVICES[name]
    assert one["read_only"]
    assert one["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in one["security_opt"]
    assert not str(one["user"]).startswith(("0", "root"))
    assert one["mem_limit"]
    # What runs once says by its end how it went.
    assert name == "migrate" or one["healthcheck"]["test"][0] == "CMD"
    assert one["logging"]["options"]["max-size"]


def test_compose_shows_the_server_to_this_machine_alone_and_its_data_to_nobody() -> None:
    assert SERVICES["app"]["ports"] == ["127.0.0.1:8000:8000"]
    assert [name for name, one in SERVICES.items() if "ports" in one] == ["app"]
    assert COMPOSE["networks"]["back"] == {"internal": True}
    assert SERVICES["postgres"]["networks"] == SERVICES["valkey"]["networks"] == ["back"]
    assert SERVICES["bots"]["networks"] == SERVICES["migrate"]["networks"] == ["back"]
    (front,) = COMPOSE["networks"]["front"]["ipam"]["config"]
    assert ipaddress.ip_address(front["gateway"]) in ipaddress.ip_network(front["subnet"])
    assert f"--proxy={front['gateway']}" in commands()["compose"]
    waits = SERVICES["app"]["depends_on"]
    conditions = {name: one["condition"] for name, one in waits.items()}
    assert conditions.pop("migrate") == "service_completed_successfully"
    assert conditions == dict.fromkeys(("postgres", "valkey"), "service_healthy")
    # A secret that is not set is asked for, not left empty.
    text = (DEPLOY / "compose.yaml").read_text("utf-8")
    assert all(":?" in gap for gap in re.findall(r"\$\{\w+[^}]*\}", text))


def test_the_server_is_told_where_its_data_is_under_the_same_names_everywhere() -> None:
    settings = {"ROOKERY_DATABASE_URL", "ROOKERY_HINTS_URL"}
    bots = {"ROOKERY_BOTS_AT", "ROOKERY_BOTS_SECRET"}
    secrets = settings | {"ROOKERY_BOTS_SECRET", "ROOKERY_ADMIN_SECRET"}
    assert SERVICES["app"]["environment"].keys() == settings | bots | secrets
    assert {one["Name"] for one in SERVER["Secrets"]} == secrets
    assert "Environment" not in SERVER  # a password is never a plain setting
    assert SERVICES["app"]["build"]["dockerfile"] == "deploy/Dockerfile"


def test_figures_are_given_inside_and_at_no_door_for_players() -> None:
    for place in ("compose", "Fargate"):
        assert "--metrics=0.0.0.0:9100" in commands()[place]
    assert SERVICES["app"]["ports"] == ["127.0.0.1:8000:8000"]
    assert [one["ContainerPort"] for one in SERVER["PortMappings"]] == [8000]
    assert STACKS["app"]["Resources"]["Servers"]["Properties"]["Port"] == 8000


def test_fargate_runs_the_image_as_it_wants_to_be_run() -> None:
    assert SERVER["User"] == SERVICES["app"]["user"] == USER
    assert SERVER["ReadonlyRootFilesystem"]
    assert SERVER["LinuxParameters"]["Capabilities"] == {"Drop": ["ALL"]}
    (mounted,) = SERVER["MountPoints"]
    assert mounted["ContainerPath"] == STATE
    assert mounted["SourceVolume"] in {one["Name"] for one in TASK["Volumes"]}
    assert TASK["NetworkMode"] == "awsvpc"
    assert TASK["RequiresCompatibilities"] == ["FARGATE"]
    for check in (SERVER["HealthCheck"]["Command"], SERVICES["app"]["healthcheck"]["test"]):
        assert check[:3] == HEALTHY
    assert told("HEALTHCHECK .*CMD")[:2] == HEALTHY[1:]


def test_the_unit_writes_where_the_server_is_told_to() -> None:
    settings = dict(unit())
    assert settings["StateDirectory"] == settings["CacheDirectory"] == "rookery"
    assert ("Environment", "ROOKERY_CACHE=/var/cache/rookery") in unit()
    assert settings["DynamicUser"] == "yes"
    assert settings["ProtectSystem"] == "strict"
    assert settings["CapabilityBoundingSet"] == ""
    assert settings["Restart"] == "always"
    # It is a file of systemd's, whose sections are these.
    parsed = configparser.ConfigParser(strict=False, interpolation=None)
    parsed.optionxform = str  # type: ignore[assignment,method-assign]
    parsed.read(UNIT, "utf-8")
    assert parsed.sections() == ["Unit", "Service", "Install"]
    # Else a database that is away for ten seconds can end it for good.
    assert parsed.get("Unit", "StartLimitIntervalSec", fallback=None) == "0"


def test_to_be_stopped_while_it_begins_is_no_failure_of_the_unit() -> None:
    stopped = (
        "import signal; from rookery.cli import main\n"
        "main._check_target = lambda _: signal.raise_signal(signal.SIGTERM)\nmain.app(['serve'])"
    )
    done = subprocess.run([sys.executable, "-c", stopped], capture_output=True, check=False)
    assert dict(unit())["SuccessExitStatus"] == str(done.returncode)


def systemd(*words: str) -> subprocess.CompletedProcess[str]:
    if shutil.which("systemd-analyze") is None:
        if os.environ.get("CI"):
            pytest.fail("this test needs systemd-analyze; scripts/debian installs it")
        pytest.skip("no systemd-analyze here; scripts/debian installs it")
    done = subprocess.run(["systemd-analyze", *words], capture_output=True, text=True)
    if "Unknown command verb" in done.stderr or "unrecognized option" in done.stderr:
        pytest.skip("this systemd is older than 250")
    return done


def test_systemd_understands_the_unit_and_finds_it_closed(tmp_path: Path) -> None:
    # Where it will be installed nothing is yet.
    here = tmp_path / "rookery.service"
    here.write_text(UNIT.read_text("utf-8").replace("/opt/rookery/bin/rookery", "/bin/true"))
    found = systemd("verify", str(here))
    assert (found.returncode, found.stderr) == (0, "")
    # Of 100 points of exposure; a unit without any protection has 96.
    assert systemd("security", "--offline=true", "--threshold=15", str(here)).returncode == 0


def test_under_systemd_bots_may_give_way_to_the_server() -> None:
    filters = [value for key, value in unit() if key == "SystemCallFilter"]
    # The later line counts. By this call, the only one for it, a process takes a lower priority.
    taken = max(at for at, value in enumerate(filters) if value.startswith("~"))
    assert "@resources" in filters[taken]
    assert filters.index("setpriority") > taken


@pytest.mark.parametrize(
    ("line", "fault"),
    [("Restart=always", "Restart=perhaps"), ("UMask=0077", "UMaks=0077")],
)
def test_systemd_finds_a_planted_fault(line: str, fault: str, tmp_path: Path) -> None:
    here = tmp_path / "rookery.service"
    text = UNIT.read_text("utf-8").replace("/opt/rookery/bin/rookery", "/bin/true")
    here.write_text(text.replace(line, fault))
    assert systemd("verify", str(here)).stderr


def test_a_unit_without_protection_is_found_open(tmp_path: Path) -> None:
    here = tmp_path / "rookery.service"
    here.write_text("[Service]\nExecStart=/bin/true\n")
    assert systemd("security", "--offline=true", "--threshold=15", str(here)).returncode != 0
