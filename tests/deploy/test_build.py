"""`deploy/build`, the steps of the container image, in a folder that was empty."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.deploy.stacks import ROOT

BUILD = ROOT / "deploy" / "build"
PLAIN = {"PATH": os.environ["PATH"], "PYTHON": getattr(sys, "_base_executable", sys.executable)}
# What the build reads, as Dockerfile.dockerignore has it.
GIVEN = (
    *("CHANGELOG.md", "LICENSE", "README.md", "hatch_build.py", "pyproject.toml"),
    *("requirements.lock", "scripts/native", "src"),
)
CERTIFICATES = b"-----BEGIN CERTIFICATE-----\n"
BROKEN = """#!{python}
import signal, sys
{fault}
"""


def build(*words: str, program: Path = BUILD) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(program), *words], env=PLAIN, capture_output=True, text=True)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build with the dependencies of the Python that runs the tests; return the folder.

    It is built of a copy of the project, in which certificates have been pinned. Its path has a
    space, as that of a checkout may.
    """
    project = tmp_path_factory.mktemp("my project")
    (project / "scripts").mkdir()
    for name in (*GIVEN, "deploy"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, project / name)
    (project / "deploy" / "rds.pem").write_bytes(CERTIFICATES)
    (project / "deploy" / "rds.pem").chmod(0o600)
    pin = f"RDS_SHA256={hashlib.sha256(CERTIFICATES).hexdigest()}\n"
    (project / "deploy" / "pins.env").write_text(pin, "utf-8")
    folder = tmp_path_factory.mktemp("root") / "rookery"
    done = build(str(folder), sys.prefix, program=project / "deploy" / "build")
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    assert f"{folder} works: " in done.stdout
    assert "bots that search run by native" in done.stdout
    return folder


def smoke(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(folder / "bin" / "python"), str(ROOT / "deploy" / "smoke.py"), *words],
        capture_output=True,
        text=True,
    )


@pytest.mark.slow
def test_it_works_and_holds_all_of_the_package(built: Path) -> None:
    package = next((built / "lib").glob("python3*/site-packages/rookery"))
    sources = {
        path.relative_to(ROOT / "src" / "rookery")
        for path in (ROOT / "src" / "rookery").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {path for path in sources if not (package / path).is_file()} == set()
    # With its modules compiled, for where it runs nothing can be written.
    compiled = {path.name.partition(".")[0] for path in package.rglob("*.pyc")}
    assert {path.stem for path in sources if path.suffix == ".py"} <= compiled


@pytest.mark.slow
def test_the_certificates_of_rds_are_where_servers_look_for_them(built: Path) -> None:
    """Servers go by /opt/rookery/rds.pem, whoever they run as."""
    assert (built / "rds.pem").read_bytes() == CERTIFICATES
    assert (built / "rds.pem").stat().st_mode & 0o777 == 0o644


@pytest.mark.slow
def test_a_folder_in_use_is_left_alone(built: Path) -> None:
    before = sorted(built.iterdir())
    done = build(str(built))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"build: {built} is not empty; name a new folder\n"
    assert sorted(built.iterdir()) == before


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("sys.exit('no such module')", "it does not start: no such module"),
        ("print('Rookery is at http://127.0.0.1:9/ '); sys.stdout.flush(); signal.pause()", ": "),
        (
            "open(sys.prefix + '/note', 'w').close(); from rookery.cli.main import app; app()",
            "note",
        ),
        (
            "import threading; from rookery.cli.main import app\n"
            "import atexit, os; atexit.register(lambda: os._exit(3)); app()",
            "it ends with 3",
        ),
    ],
    ids=["does not start", "does not answer", "writes into its folder", "does not end cleanly"],
)
def test_the_smoke_test_finds_a_planted_fault(fault: str, told: str, built: Path) -> None:
    program = built / "bin" / "rookery"
    sound = program.read_text("utf-8")
    try:
        program.write_text(BROKEN.format(python=built / "bin" / "python", fault=fault), "utf-8")
        done = smoke(built)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.startswith(f"smoke: {built}: ")
        assert told in done.stderr
    finally:
        program.write_text(sound, "utf-8")
        (built / "note").unlink(missing_ok=True)


@pytest.mark.slow
def test_a_library_that_is_gone_or_spoilt_is_found(built: Path) -> None:
    (library,) = built.glob("lib/python3*/site-packages/rookery/engine/targets/rookery_native.so")
    sound = library.read_bytes()
    assert smoke(built, "native").returncode == 0
    try:
        for spoilt in (b"no library", None):
            library.unlink()
            if spoilt:
                library.write_bytes(spoilt)
            done = smoke(built, "native")
            assert (done.returncode, done.stdout) == (1, "")
            assert "bots that search run by numba, not by native" in done.stderr
        assert "run by numba" in smoke(built).stdout
    finally:
        library.write_bytes(sound)
        library.chmod(0o755)


@pytest.mark.slow
def test_what_only_its_owner_may_read_is_found(built: Path) -> None:
    secret = built / "healthy.py"
    mode = secret.stat().st_mode
    try:
        secret.chmod(0o600)
        assert "not everybody may read healthy.py" in smoke(built).stderr
    finally:
        secret.chmod(mode)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "expected a folder"),
        (("/a", "/b", "/c"), "expected a folder"),
        (("new", "/nowhere/at/all"), "/nowhere/at/all is no Python environment"),
    ],
)
def test_it_refuses_in_one_line(words: tuple[str, ...], told: str, tmp_path: Path) -> None:
    done = build(*(str(tmp_path / word) if word == "new" else word for word in words))
    assert done.returncode == 2
    assert done.stderr.startswith(f"build: {told}")
    assert len(done.stderr.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "healthy: expected one address"),
        (("file:///etc/hostname",), "is no address"),
        (("http://127.0.0.1:9/readyz",), "healthy: http://127.0.0.1:9/readyz: "),
        (("tcp://127.0.0.1:9",), "healthy: tcp://127.0.0.1:9: "),
        (("tcp://127.0.0.1",), "is no address"),
    ],
)
def test_who_does_not_answer_is_not_healthy(words: tuple[str, ...], told: str) -> None:
    program = str(ROOT / "deploy" / "healthy.py")
    done = subprocess.run([sys.executable, program, *words], capture_output=True, text=True)
    assert done.returncode == 1
    assert told in done.stderr
    assert len(done.stderr.splitlines()) == 1
