"""Passwords: drawn into files that nobody else reads, and in no argument of a program."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.deploy.stacks import ROOT, resources
from tests.deploy.test_containers import DEPLOY, SERVICES, unit
from tests.docs.pages import commands
from tests.server.growth.engines import found
from tests.server.http.served import spare_port

URL = "https://rook.example"
SECRET = re.compile(r"PASSWORD|SECRET|TOKEN|AUTH", re.IGNORECASE)


def secrets(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a copy of the program where everybody may read what somebody makes."""
    program = folder / "deploy" / "secrets"
    program.parent.mkdir(exist_ok=True)
    shutil.copy(DEPLOY / "secrets", program)
    return subprocess.run(
        ["sh", "-c", 'umask 022; exec "$@"', "-", str(program), *words],
        capture_output=True,
        text=True,
    )


def values(file: Path) -> dict[str, str]:
    """Return the settings in a file of secrets."""
    lines = file.read_text("utf-8").splitlines()
    pairs = dict(line.split("=", 1) for line in lines)
    assert len(pairs) == len(lines)
    return pairs


def mode(file: Path) -> int:
    return file.stat().st_mode & 0o777


def test_what_compose_asks_for_is_drawn_and_its_owner_alone_reads_it(tmp_path: Path) -> None:
    done = secrets(tmp_path, URL)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    file = tmp_path / "deploy" / ".env"
    drawn = values(file)
    assert mode(file) == 0o600
    text = (DEPLOY / "compose.yaml").read_text("utf-8")
    asked = {gap for gap in re.findall(r"\$\{(\w+)", text) if not gap.endswith("IMAGE")}
    assert drawn.keys() == asked
    assert drawn.pop("ROOKERY_PUBLIC_URL") == URL
    assert len(set(drawn.values())) == len(drawn)
    assert all(re.fullmatch("[0-9a-f]{40}", value) for value in drawn.values())
    # Nobody shares it by mistake with the files that it lies beside.
    assert "deploy/.env" in (ROOT / ".gitignore").read_text("utf-8").splitlines()
    assert "!deploy/.env" not in (DEPLOY / "Dockerfile.dockerignore").read_text("utf-8")


def test_a_slash_at_the_end_of_the_address_is_left_out(tmp_path: Path) -> None:
    assert secrets(tmp_path, f"{URL}/").returncode == 0
    assert values(tmp_path / "deploy" / ".env")["ROOKERY_PUBLIC_URL"] == URL
    assert secrets(tmp_path, f"{URL}//").returncode == 2


def test_a_second_time_changes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "deploy" / ".env"
    secrets(tmp_path, URL)
    before = file.read_bytes()
    assert secrets(tmp_path, "https://other.example").returncode == 0
    assert file.read_bytes() == before


def test_what_is_there_stays_what_is_missing_comes_and_others_are_shut_out(tmp_path: Path) -> None:
    file = tmp_path / "rookery.env"
    file.write_text(f"ROOKERY_BOT_WORKERS=4\nROOKERY_PUBLIC_URL={URL}", "utf-8")
    file.chmod(0o644)
    done = secrets(tmp_path, URL, str(file))
    assert (done.returncode, done.stdout) == (0, "")
    assert f"secrets: others could read {file}" in done.stderr
    assert mode(file) == 0o600
    drawn = values(file)
    assert len(drawn.pop("ROOKERY_ADMIN_SECRET")) == 40
    assert drawn == {"ROOKERY_BOT_WORKERS": "4", "ROOKERY_PUBLIC_URL": URL}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "expected the address"),
        (("rook.example",), "'rook.example' is no address"),
        ((f"{URL}\nADMIN_SECRET=1",), "is no address"),
        ((URL, "link"), "is a link"),
        ((URL, "."), "is no file"),
    ],
)
def test_it_refuses_and_writes_nothing(words: tuple[str, ...], told: str, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    done = secrets(tmp_path, *words[:1], *(str(tmp_path / word) for word in words[1:]))
    assert done.returncode == 2
    assert done.stderr.startswith("secrets: ")
    assert told in done.stderr
    left = {path.name for path in tmp_path.rglob("*")}
    assert left == {"link", "deploy", "secrets"}


def test_the_unit_closes_its_file_whoever_made_it(tmp_path: Path) -> None:
    settings = dict(unit())
    file = tmp_path / "rookery.env"
    file.write_text("ROOKERY_ADMIN_SECRET=1\n", "utf-8")
    file.chmod(0o644)
    # As root and not as the server, which may not: that is what the sign says.
    step = settings["ExecStartPre"]
    assert step.startswith("+")
    words = shlex.split(step[1:])
    assert words[-1] == settings["EnvironmentFile"]
    subprocess.run([*words[:-1], str(file)], check=True)
    assert mode(file) == 0o600


@pytest.mark.parametrize("page", ["run-a-server", "run-in-aws", "use-the-admin-page"])
def test_no_command_of_a_page_makes_a_secret_that_others_read(page: str) -> None:
    text = (ROOT / "docs" / "how-to" / f"{page}.md").read_text("utf-8")
    for words in commands(text):
        writes = any(word.startswith(">") or word == "tee" for word in words)
        closed = Path(words[-1].lstrip(">")).name in _closed(text)
        secret = any(word.endswith((".env", ".secret")) for word in words)
        assert not (writes and secret) or closed, words


def _closed(text: str) -> set[str]:
    """Return the files that a page makes for their owner alone before it fills them."""
    made = [words for words in commands(text) if words[:3] == ["install", "-m", "600"]]
    return {words[-1] for words in made}


@pytest.mark.parametrize("name", list(SERVICES))
def test_no_container_has_a_secret_among_its_arguments(name: str) -> None:
    one = SERVICES[name]
    words = [
        *one.get("command", []),
        *one.get("entrypoint", []),
        *one.get("healthcheck", {"test": []})["test"],
    ]
    gaps = re.findall(r"(?<!\$)\$\{?(\w+)", " ".join(words))
    assert [gap for gap in gaps if SECRET.search(gap)] == []


def test_nor_has_a_task() -> None:
    for one in resources("AWS::ECS::TaskDefinition").values():
        (container,) = one["Properties"]["ContainerDefinitions"]
        words = json.dumps([container["Command"], container.get("HealthCheck")])
        assert "resolve:" not in words
        assert not SECRET.search(words)
        assert "Environment" not in container


def test_valkey_asks_for_its_password_and_shows_it_to_nobody(tmp_path: Path) -> None:
    """Run what the container runs, with a Redis under Valkey's name."""
    one, port = SERVICES["valkey"], spare_port()
    password = "0123456789abcdef"  # noqa: S105  (of this test)
    cli = found("redis-cli")
    (tmp_path / "valkey-server").symlink_to(found("redis-server"))
    (tmp_path / "redis-cli").symlink_to(cli)
    (setting,) = [name for name, value in one["environment"].items() if "VALKEY_PASSWORD" in value]
    surroundings = {"PATH": f"{tmp_path}:{os.environ['PATH']}", setting: password}
    *shell, script = [word.replace("$$", "$") for word in one["command"]]
    script = script.replace("save ", f"port {port}\nsave ", 1)
    assert (tmp_path / "valkey-server").exists()
    server = subprocess.Popen(
        [*shell, script], env=surroundings, cwd=tmp_path, stdout=subprocess.DEVNULL
    )

    def ask(*words: str, **more: str) -> str:
        command = [cli, "-p", str(port), *words]
        done = subprocess.run(command, env=more, capture_output=True, text=True)
        return (done.stdout + done.stderr).strip()

    try:
        until = time.monotonic() + 20
        while "refused" in ask("ping") and time.monotonic() < until:
            time.sleep(0.05)
        assert "NOAUTH" in ask("ping")
        # As the health check asks: the setting, and no word of it on the command line.
        assert one["healthcheck"]["test"] == ["CMD", "valkey-cli", "ping"]
        assert ask("ping", **{setting: password}) == "PONG"
        told = ask("config", "get", "maxmemory*", **{setting: password}).split()
        assert {"134217728", "allkeys-lru"} <= set(told)
        if sys.platform == "linux":
            shown = Path(f"/proc/{server.pid}/cmdline").read_bytes()
            assert b"valkey-server" in shown
            assert password.encode() not in shown
        assert list(tmp_path.glob("*.rdb")) == list(tmp_path.glob("*.conf")) == []
    finally:
        server.send_signal(signal.SIGTERM)
        assert server.wait(20) == 0
