"""The wheel that `rookery-cards[offline]` brings: what browsers are given, licences and notices.

It is a distribution of its own, since most of it is not ours and few need it. A server takes it
only for its own version: the program in it is that server's.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import shutil
import tempfile
from email.parser import Parser
from pathlib import Path
from typing import Any, Final
from zipfile import ZipFile

from scripts.native.__main__ import told_by
from scripts.native.archive import hatch, spoilt
from scripts.native.wasm import PYODIDE, contents
from scripts.offline.__main__ import CONTENTS, FOLDER, LICENCES, PROGRAM, is_whole, made_from

from rookery.about import DISTRIBUTION, OFFLINE, version

PACKAGE: Final = "rookery_offline"
LICENCE: Final = "MPL-2.0 AND MIT AND Unicode-3.0 AND PSF-2.0 AND BSD-3-Clause"
KERNELS: Final = f"rookery/engine/targets/{PYODIDE.path.name}"
PROJECT: Final = """\
[build-system]
requires = ["hatchling>=1.27"]
build-backend = "hatchling.build"

[project]
name = "{name}"
version = "{version}"
description = "What a browser needs to play Rookery without a network."
readme = "README.md"
license = "{licence}"
license-files = ["NOTICE", "{licences}/*.txt"]
requires-python = ">=3.11"
dependencies = ["{of}=={version}"]

[tool.hatch.build]
ignore-vcs = true

[tool.hatch.build.targets.wheel]
packages = ["{package}"]
"""
README: Final = """\
# {name}

What the server of {of} gives to browsers, so that they can play
without a network: Pyodide, which is Python for browsers, and the program itself. Install it as
`{of}[offline]`; by itself it does nothing.

Pyodide is under the Mozilla Public License 2.0. NOTICE says what else is in here, under which
licence, and where the source is.
"""
MODULE: Final = '"""What browsers are given for play without a network; it lies in `kit`."""\n'


def build_offline(folder: Path, kit: Path = FOLDER) -> Path:
    """Build the wheel from what `scripts.offline` made, and return its path.

    Raises:
        subprocess.CalledProcessError: it could not be built.
        FileNotFoundError: `scripts.offline` has made nothing.
    """
    said = {"name": OFFLINE, "of": DISTRIBUTION, "version": version(), "licence": LICENCE}
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="rookery-offline-") as made:
        project = Path(made)
        shutil.copytree(kit, project / PACKAGE / "kit")
        (project / PACKAGE / "kit" / LICENCES).rename(project / LICENCES)
        (project / PACKAGE / "kit" / "NOTICE").rename(project / "NOTICE")
        (project / PACKAGE / "__init__.py").write_text(MODULE, "utf-8")
        (project / "README.md").write_text(README.format(**said), "utf-8")
        written = PROJECT.format(**said, licences=LICENCES, package=PACKAGE)
        (project / "pyproject.toml").write_text(written, "utf-8")
        hatch("wheel", project, project / "made", dict(os.environ))
        (wheel,) = (project / "made").glob("*.whl")
        return Path(shutil.move(wheel, folder / wheel.name))


def wrong_in_offline(wheel: Path) -> list[str]:
    """Return what is wrong with the wheel, by what these sources would make now."""
    wrong = []
    with ZipFile(wheel) as opened, tempfile.TemporaryDirectory() as folder:
        names = set(opened.namelist())
        info = next(name.partition("/")[0] for name in names if ".dist-info/" in name)
        about = Parser().parsestr(opened.read(f"{info}/METADATA").decode())
        said = {name: about[name] for name in ("Name", "Version", "License-Expression")}
        if [*said.values()] != [OFFLINE, version(), LICENCE]:
            wrong.append(f"{wheel.name} says that it is {said}")
        if about.get_all("Requires-Dist") != [f"{DISTRIBUTION}=={version()}"]:
            wrong.append(f"{wheel.name} is not for {DISTRIBUTION} {version()} alone")
        if not wheel.name.endswith("-py3-none-any.whl"):
            wrong.append(f"{wheel.name} is not for every machine")
        wrong += [f"{wheel.name}: {name} is not what RECORD says" for name in spoilt(opened, info)]
        # As `scripts.offline` made it: the notices lie where every wheel has them.
        opened.extractall(folder)
        kit = Path(folder, PACKAGE, "kit")
        for name in ("NOTICE", LICENCES):
            found = Path(folder, info, "licenses", name)
            if found.exists():
                found.rename(kit / name)
        if not is_whole(kit, made_from()):
            return [*wrong, f"{wheel.name} is not what scripts.offline makes now, notices and all"]
        told: dict[str, Any] = json.loads((kit / CONTENTS).read_bytes())
        listed = {f"{PACKAGE}/kit/{one['name']}.gz" for one in told["files"]}
        rest = {f"{PACKAGE}/kit/{CONTENTS}", f"{PACKAGE}/__init__.py"}
        if more := sorted(n for n in names - listed - rest if not n.startswith(info)):
            wrong.append(f"{wheel.name} has {more[0]} too")
        kernels = Path(folder, PYODIDE.path.name)
        with ZipFile(io.BytesIO(gzip.decompress((kit / f"{PROGRAM}.gz").read_bytes()))) as program:
            if KERNELS in program.namelist():
                kernels.write_bytes(program.read(KERNELS))
        if told_by(kernels) != contents():
            wrong.append(f"{wheel.name} has no kernels of these sources; run scripts.native.wasm")
    return wrong
