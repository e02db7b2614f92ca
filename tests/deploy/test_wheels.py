"""What a release is made of: wheels that hold the right library, and work once installed."""

from __future__ import annotations

import base64
import csv
import gzip
import hashlib
import io
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from zipfile import ZipFile

import pytest
from hatch_build import LIBRARY, TAG
from scripts.native.__main__ import contents
from scripts.native.machine import MACHINES, here
from scripts.native.wheels import INSIDE, SUMS, build, wrong_in
from scripts.offline.__main__ import FOLDER, is_whole, made_from
from scripts.offline.wheel import build_offline
from tests.engine.machines import libraries, needs_zig
from tests.web.kit import fresh_kit_or_skip

ROOT = Path(__file__).parents[2]
BASE = getattr(sys, "_base_executable", sys.executable)

pytestmark = [needs_zig, pytest.mark.slow]


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with all wheels, and that for offline play where it can be built."""
    libraries()
    folder = tmp_path_factory.mktemp("wheels")
    for machine in (None, *MACHINES.values()):
        build(folder, machine)
    if is_whole(FOLDER, made_from()):
        build_offline(folder)
    return folder


@pytest.fixture(scope="module", autouse=True)
def asked_once() -> Iterator[None]:
    """What a library of these sources says of itself takes long to find out, and stays the same."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("scripts.native.wheels.contents", cache(contents))
        yield


def wheel_for(wheels: Path, name: str | None) -> Path:
    tag = "any" if name is None else MACHINES[name].tag
    (found,) = wheels.glob(f"rookery_cards-*-{tag}.whl")
    return found


@pytest.mark.parametrize("name", [None, *MACHINES])
def test_a_wheel_is_for_its_machine(name: str | None, wheels: Path) -> None:
    machine = None if name is None else MACHINES[name]
    assert wrong_in(wheel_for(wheels, name), machine) == []


Files = dict[str, bytes]


def held(wheel: Path) -> Files:
    """Return what is in a wheel, by name."""
    with ZipFile(wheel) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def without(files: Files, end: str) -> Files:
    return {name: data for name, data in files.items() if not name.endswith(end)}


def replaced(files: Files, end: str, before: bytes, after: bytes) -> Files:
    assert any(name.endswith(end) and before in data for name, data in files.items())
    return {
        name: data.replace(before, after) if name.endswith(end) else data
        for name, data in files.items()
    }


FAULTS: list[tuple[str, Callable[[Files], Files]]] = [
    ("lacks rookery/cards.py", lambda files: without(files, "rookery/cards.py")),
    ("lacks rookery/web/static/app.js", lambda files: without(files, "static/app.js")),
    ("has the libraries []", lambda files: without(files, ".so")),
    ("says that it is for", lambda files: replaced(files, "WHEEL", b"x86_64", b"i686")),
    ("says Root-Is-Purelib", lambda files: replaced(files, "WHEEL", b"lib: false", b"lib: true")),
    ("of another distribution", lambda files: replaced(files, "METADATA", b"y-cards\n", b"y\n")),
    (
        "lacks the command rookery-cards",
        lambda files: replaced(files, "entry_points.txt", b"rookery-cards =", b"other ="),
    ),
    ("does not need", lambda files: replaced(files, "METADATA", b"offline==", b"offline>=")),
    ("is stale", lambda files: replaced(files, ".so", b'"api":"1', b'"api":"9')),
]


def packed(files: Files, path: Path, *, spoil: str | None = None) -> None:
    """Write a wheel whose RECORD is right, or wrong about one file."""
    rows = io.StringIO()
    (record,) = (name for name in files if name.endswith("/RECORD"))
    for name, data in files.items():
        if name != record:
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
            csv.writer(rows).writerow((name, f"sha256={digest}", len(data)))
    csv.writer(rows).writerow((record, "", ""))
    with ZipFile(path, "w") as made:
        for name, data in (files | {record: rows.getvalue().encode()}).items():
            made.writestr(name, data + b"\n" if name == spoil else data)


@pytest.mark.parametrize(("told", "fault"), FAULTS, ids=[told for told, _ in FAULTS])
def test_a_fault_in_a_wheel_is_found(
    told: str, fault: Callable[[Files], Files], wheels: Path, tmp_path: Path
) -> None:
    sound = wheel_for(wheels, "linux-x86_64")
    spoilt = tmp_path / sound.name
    packed(fault(held(sound)), spoilt)
    found = wrong_in(spoilt, MACHINES["linux-x86_64"])
    assert len(found) == 1, found
    assert told in found[0]


def test_a_wheel_for_another_machine_is_found(wheels: Path, tmp_path: Path) -> None:
    one, other = MACHINES["linux-x86_64"], MACHINES["linux-aarch64"]
    files = held(wheel_for(wheels, one.name))
    files[f"{INSIDE}/{one.library}"] = libraries()[other.name].read_bytes()
    spoilt = tmp_path / wheel_for(wheels, one.name).name
    packed(files, spoilt)
    assert f"is for {other.name}, not for {one.name}" in wrong_in(spoilt, one)[0]
    packed(files, spoilt, spoil="rookery/cards.py")
    assert "rookery/cards.py is not what RECORD says" in wrong_in(spoilt, one)[0]


def test_a_library_without_its_machine_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in ((LIBRARY, str(tmp_path / "none.so")), (TAG, "any")):
        monkeypatch.delenv(LIBRARY, raising=False)
        monkeypatch.delenv(TAG, raising=False)
        monkeypatch.setenv(name, value)
        done = subprocess.run(
            [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
            cwd=ROOT, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode != 0
        assert f"expected {LIBRARY}, a file, and {TAG}" in done.stderr


def attempt(wheels: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [BASE, str(ROOT / "scripts" / "try_wheel.py"), str(wheels), "--borrow", sys.prefix, *words],
        cwd="/", capture_output=True, text=True, check=False,
        env={name: value for name, value in os.environ.items() if not name.startswith("PIP_")},
    )  # fmt: skip


def test_pip_takes_the_wheel_for_this_machine_and_expert_plays_by_it(wheels: Path) -> None:
    """Beside it lies that for offline play; as nobody asks for it, nothing of it is offered."""
    machine = here()
    assert machine is not None
    done = attempt(wheels)
    assert done.returncode == 0, done.stderr
    assert f"the wheel for {machine.tag} works" in done.stdout


def test_the_pure_wheel_serves_without_a_library(wheels: Path) -> None:
    done = attempt(wheels, "--pure")
    assert done.returncode == 0, done.stderr
    assert "the wheel for any works" in done.stdout


def test_a_wheel_that_does_not_work_is_found(wheels: Path, tmp_path: Path) -> None:
    """The controls of the trial: no library for this machine, and a page that fails."""
    only = tmp_path / "only"
    only.mkdir()
    pure = wheel_for(wheels, None)
    (only / pure.name).write_bytes(pure.read_bytes())
    assert attempt(only).stderr == "try_wheel: pip chose the wheel for any\n"
    packed(replaced(held(pure), "server/serving.py", b"\n", b"\nimport numpy\n"), only / pure.name)
    done = attempt(only, "--pure")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("try_wheel: it does not start")
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "expected one pure wheel, found 0" in attempt(empty).stderr


def test_offline_play_is_brought_by_its_own_wheel(wheels: Path, tmp_path: Path) -> None:
    fresh_kit_or_skip()
    done = attempt(wheels, "--offline")
    assert done.returncode == 0, done.stderr
    assert ", offline play 1" in done.stdout
    release = tmp_path / "release"
    shutil.copytree(wheels, release)
    (offline,) = release.glob("rookery_cards_offline-*.whl")
    # The controls: a file that is not what the list says, and no such wheel.
    name = "rookery_offline/kit/program.zip.gz"
    packed({**held(offline), name: gzip.compress(b"cards")}, offline)
    assert attempt(release, "--offline").stderr == (
        "try_wheel: /kit/program.zip is not what the list says\n"
    )
    offline.unlink()
    none = attempt(release, "--offline")
    assert none.returncode == 1
    assert "No matching distribution" in none.stderr


def publish(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [ROOT / "scripts" / "publish", *words], capture_output=True, text=True, check=False
    )


def test_nothing_is_published_that_has_not_passed(wheels: Path, tmp_path: Path) -> None:
    folder = tmp_path / "release"
    folder.mkdir()
    assert "has no SHA256SUMS" in publish(str(folder), "any").stderr
    lines = []
    for wheel in wheels.glob("rookery_cards-*.whl"):
        data = wheel.read_bytes()
        (folder / wheel.name).write_bytes(data)
        lines.append(f"{hashlib.sha256(data).hexdigest()}  {wheel.name}\n")
    (folder / SUMS).write_text("".join(lines), "utf-8")
    for words, told in (
        (("linux-x86_64",), "any has not passed"),
        (("any", "macos-arm64"), "linux-x86_64 has not passed"),
        (("any", "linux-x86_64", "abacus"), "abacus is no machine"),
    ):
        done = publish("--dry-run", str(folder), *words)
        assert done.returncode == 1
        assert told in done.stderr
    done = publish("--dry-run", str(folder), "any", "linux-x86_64")
    assert "has no wheel for offline play" in done.stderr
    wheel_for(folder, None).write_bytes(b"another")
    assert "is not what scripts/wheels wrote" in publish(str(folder), "any").stderr
