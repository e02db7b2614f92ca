"""The wheels of a release: pure, with the native library for each machine, and for offline play.

    python -m scripts.native.wheels FOLDER

`scripts/wheels` builds what is in them first. Each wheel is looked over before it counts.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from email.parser import Parser
from pathlib import Path
from typing import Final
from zipfile import ZipFile

from hatch_build import LIBRARY, TAG
from scripts.native.__main__ import LIBRARIES, contents, told_by
from scripts.native.archive import ROOT, hatch, spoilt
from scripts.native.link import CONTENTS, VERSION
from scripts.native.machine import MACHINES, Machine
from scripts.native.symbols import too_much
from scripts.offline.wheel import build_offline, wrong_in_offline

from rookery.about import DISTRIBUTION, OFFLINE
from rookery.engine.targets.native import PACKED

INSIDE: Final = "rookery/engine/targets"  # where a wheel has its library
SUMS: Final = "SHA256SUMS"
COMMANDS: Final = ("rookery", DISTRIBUTION)


def build(folder: Path, machine: Machine | None, libraries: Path = LIBRARIES) -> Path:
    """Build the wheel for a machine, or the pure one, and return its path.

    Raises:
        subprocess.CalledProcessError: it could not be built.
    """
    surroundings = {name: value for name, value in os.environ.items() if name not in (LIBRARY, TAG)}
    if machine is not None:
        surroundings[LIBRARY] = str(libraries / machine.name / machine.library)
        surroundings[TAG] = machine.tag
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".wheel-", dir=folder) as beside:
        hatch("wheel", ROOT, Path(beside), surroundings)
        (made,) = Path(beside).glob("*.whl")
        return made.replace(folder / made.name)


def wrong_in(wheel: Path, machine: Machine | None) -> list[str]:
    """Return what is wrong with a wheel that should be for a machine, or pure."""
    tag = "py3-none-any" if machine is None else f"py3-none-{machine.tag}"
    wrong = [] if wheel.stem.endswith(f"-{tag}") else [f"{wheel.name} is not called {tag}"]
    with ZipFile(wheel) as opened:
        names = set(opened.namelist())
        info = next(iter({name.partition("/")[0] for name in names if ".dist-info/" in name}))

        def read(name: str) -> str:
            return opened.read(name).decode() if name in names else ""

        said = Parser().parsestr(read(f"{info}/WHEEL"))
        if said.get_all("Tag") != [tag]:
            wrong.append(f"{wheel.name} says that it is for {said.get_all('Tag')}")
        if (said["Root-Is-Purelib"] == "true") != (machine is None):
            wrong.append(f"{wheel.name} says Root-Is-Purelib: {said['Root-Is-Purelib']}")
        about = Parser().parsestr(read(f"{info}/METADATA"))
        if about["Name"] != DISTRIBUTION:
            wrong.append(f"{wheel.name} is of another distribution")
        needed = f"{OFFLINE}=={about['Version']}; extra == 'offline'"
        if needed not in about.get_all("Requires-Dist", []):
            wrong.append(f"{wheel.name} does not need {needed}")
        entries = read(f"{info}/entry_points.txt")
        wrong += [
            f"{wheel.name} lacks the command {c}" for c in COMMANDS if f"{c} = " not in entries
        ]
        wrong += [f"{wheel.name} lacks {name}" for name in sorted(_sources() - names)]
        wrong += [f"{wheel.name}: {name} is not what RECORD says" for name in spoilt(opened, info)]
        libraries = {one for one in names if one.endswith((".so", ".dylib", ".dll"))}
        wanted = set() if machine is None else {f"{INSIDE}/{machine.library}"}
        if libraries != wanted:
            return [*wrong, f"{wheel.name} has the libraries {sorted(libraries)}"]
        if machine is not None:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(opened.extract(f"{INSIDE}/{machine.library}", folder))
                wrong += _wrong_library(path, machine)
    return wrong


def _wrong_library(path: Path, machine: Machine) -> list[str]:
    now = contents()
    kernels = set(now["kernels"])
    entries = kernels | {f"{name}{PACKED}" for name in kernels}
    wrong = too_much(path, machine, {CONTENTS, VERSION, *entries})
    if told_by(path) != json.loads(json.dumps(now)):
        wrong.append(f"{path.name} for {machine.name} is stale")
    return wrong


def _sources() -> set[str]:
    """Return what every wheel holds: the package as git has it."""
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z", "src/rookery"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)  # noqa: S603
    names = (name for name in listed.stdout.split("\0") if name and (ROOT / name).exists())
    return {name.removeprefix("src/") for name in names}


def release(folder: Path) -> list[str]:
    """Build all wheels and the sources into a folder; return what is wrong with them."""
    wrong = []
    for machine in (None, *MACHINES.values()):
        wheel = build(folder, machine)
        wrong += wrong_in(wheel, machine)
        print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB")
    offline = build_offline(folder)
    wrong += wrong_in_offline(offline)
    print(f"{offline.name}: {offline.stat().st_size / 1e6:.1f} MB")
    hatch("sdist", ROOT, folder, dict(os.environ))
    files = sorted(path for path in folder.iterdir() if path.suffix in (".whl", ".gz"))
    sums = (f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files)
    (folder / SUMS).write_text("".join(sums), "utf-8")
    return wrong


if __name__ == "__main__":
    sys.exit("\n".join(f"wheels: {line}" for line in release(Path(sys.argv[1]))) or 0)
