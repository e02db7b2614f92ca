"""What the program is made of: pinned, few, listed, old enough, and looked up in advisories."""

from __future__ import annotations

import datetime
import json
import os
import re
import subprocess
import sys
import threading
import tomllib
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from deploy.audit import LOCKS, SERVER, list_packages, main

ROOT = Path(__file__).parents[2]
# Packages that the server asks for by itself. The latest is openskill, for ratings of strangers: it
# needs no other package, and a rating system of our own would be one more to keep.
MOST = 17
HOLE = {
    "id": "GHSA-aaaa-bbbb-cccc",
    "modified": "2026-01-01T00:00:00Z",
    "summary": "It believes what it is told.",
    "affected": [
        {
            "package": {"name": "h11", "ecosystem": "PyPI"},
            "ranges": [
                {"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "99.1"}]},
            ],
            "versions": ["0.16.0"],
        }
    ],
}


class Advisories(BaseHTTPRequestHandler):
    """Advisories of our own: one of h11 where the address says so, and none of anything else."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        bad = self.path == "/bad" and asked["package"]["name"] == "h11"
        body = json.dumps({"vulns": [HOLE]} if bad else {}).encode()
        self.send_response(200 if self.path != "/away" else 503)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def advisories() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Advisories)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    file = tmp_path / "some.lock"
    pins = re.findall(r"^(?:h11|idna)==.*?(?=^\S)", SERVER.read_text(), re.DOTALL | re.MULTILINE)
    assert len(pins) == 2
    file.write_text("".join(pins))
    return file


def test_a_sound_lock_passes(
    lock: Path, advisories: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--lock", str(lock), "--advisories", f"{advisories}/good"]) == 0
    assert capsys.readouterr().out == "some.lock: nothing is known against it\n"


def test_a_known_hole_fails(
    lock: Path, advisories: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--lock", str(lock), "--advisories", f"{advisories}/bad"]) == 1
    (told,) = capsys.readouterr().err.splitlines()
    assert re.fullmatch(r"some\.lock: h11==[\d.]+: GHSA-aaaa-bbbb-cccc; mended in 99\.1", told)


@pytest.mark.parametrize("where", ["/away", ""])
def test_where_nobody_can_be_asked_one_line_says_so(
    where: str, lock: Path, advisories: str, capsys: pytest.CaptureFixture[str]
) -> None:
    nobody = advisories + where if where else "http://127.0.0.1:9/v1/query"
    assert main(["--lock", str(lock), "--advisories", nobody]) == 3
    (told,) = capsys.readouterr().err.splitlines()
    assert told.startswith("some.lock: the advisories cannot be asked for: ")


def test_a_lock_that_is_not_there_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--lock", "none.lock"])
    assert ended.value.code == 2
    assert capsys.readouterr().err.splitlines()[-1].endswith("--lock: none.lock: no such file")


def pins(lock: Path) -> dict[str, str]:
    return dict(re.findall(r"^([\w.-]+)==([^\s;]+)", lock.read_text(), re.MULTILINE))


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: str(lock.name))
def test_every_package_is_pinned_with_its_hashes(lock: Path) -> None:
    entries = re.split(r"\n(?=\S)", lock.read_text().strip())
    assert len(entries) > 40
    for entry in entries:
        assert re.match(r"[\w.-]+==[\w.!+-]+( ;[^\\]+)? \\\n    --hash=sha256:[0-9a-f]{64}", entry)
    assert "://" not in lock.read_text()


def test_a_package_that_is_not_what_was_pinned_is_not_installed(tmp_path: Path) -> None:
    """The control of the hashes: pip itself refuses."""
    wheel = tmp_path / "wheels" / "rookery_nothing-1.0-py3-none-any.whl"
    wheel.parent.mkdir()
    wheel.write_bytes(b"not what it was")
    wanted = tmp_path / "wanted.lock"
    wanted.write_text(f"rookery-nothing==1.0 --hash=sha256:{'0' * 64}\n")
    base = getattr(sys, "_base_executable", sys.executable)
    command = [base, "-m", "pip", "install", "--require-hashes", "--no-index", "--no-deps"]
    command += ["--find-links", str(wheel.parent), "--target", str(tmp_path / "there")]
    done = subprocess.run(
        [*command, "--requirement", str(wanted)],
        capture_output=True,
        text=True,
        env={name: value for name, value in os.environ.items() if not name.startswith("PIP_")},
    )
    assert done.returncode != 0
    assert "DO NOT MATCH THE HASHES" in done.stderr


def test_the_server_is_made_of_few_packages() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    asked = [*project["dependencies"]]
    for extra in ("postgres", "redis", "metrics", "passkeys"):
        asked += extras[extra]
    names = {re.match(r"[\w-]+", one)[0] for one in asked}  # type: ignore[index]
    assert len(names) < MOST
    assert names <= pins(SERVER).keys()


def test_the_list_of_packages_is_the_same_again(tmp_path: Path, lock: Path) -> None:
    one, other = tmp_path / "one.json", tmp_path / "other.json"
    found = [list_packages(lock, file, check=False) for file in (one, other)]
    assert found == [2, 2]
    assert one.read_bytes() == other.read_bytes()


def test_every_package_is_listed_with_its_hashes(tmp_path: Path) -> None:
    file = tmp_path / "packages.json"
    count = len(re.findall(r"^\S+==", SERVER.read_text(), re.MULTILINE))
    assert list_packages(SERVER, file) == count
    told = json.loads(file.read_text())
    assert (told["bomFormat"], told["metadata"]["component"]["name"]) == (
        "CycloneDX",
        "rookery-cards",
    )
    for component in told["components"]:
        assert pins(SERVER)[component["name"]]
        assert component["purl"] == f"pkg:pypi/{component['name']}@{component['version']}"
        assert component["hashes"]
    assert "://" not in json.dumps(told["components"])


def test_a_new_version_waits_a_week(tmp_path: Path) -> None:
    """In the place of the resolver stands something that writes down what it is asked."""
    said = tmp_path / "said"
    uv = tmp_path / "uv"
    uv.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" >>{said}\n')
    uv.chmod(0o755)
    path = f"{tmp_path}:{os.environ['PATH']}"
    subprocess.run(
        [ROOT / "scripts" / "lock", "--upgrade"], env={**os.environ, "PATH": path}, check=True
    )
    asked = said.read_text().splitlines()
    moments = [asked[at + 1] for at, word in enumerate(asked) if word == "--exclude-newer"]
    assert len(moments) == 3
    now = datetime.datetime.now(datetime.UTC)
    for moment in moments:
        age = now - datetime.datetime.fromisoformat(moment)
        assert datetime.timedelta(days=7) <= age < datetime.timedelta(days=8)
    assert asked.count("--generate-hashes") == 3
    assert asked.count("--upgrade") == 2  # the small lock follows the big one
