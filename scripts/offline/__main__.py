"""Put what a browser needs to play without a network beside the client: Python and the program.

It is built where it is missing, spoilt or stale; ``--force`` builds it anew.

Python is Pyodide's, from its package on npm. pydantic and msgspec are those of `requirements.lock`,
in their wheels for it. Everything is pinned by its hash, and nothing of it is kept in git. What is
written in Python is compiled by that very Python, so that a browser need not do it at each start.
Needs npm, node and pip; says in one line what is missing.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
import zlib
from functools import cache
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[2]
FOLDER: Final = ROOT / "src" / "rookery" / "web" / "kit"
PYODIDE: Final = "314.0.7"
INTEGRITY: Final = (  # its SHA-512, as npm writes it
    "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
)
OF_PYODIDE: Final = {  # what a page loads of it
    "pyodide.mjs": "text/javascript; charset=utf-8",
    "pyodide.asm.mjs": "text/javascript; charset=utf-8",
    "pyodide.asm.wasm": "application/wasm",
    "python_stdlib.zip": "application/zip",
}
PLATFORM: Final = (
    *("--implementation", "cp", "--python-version", "3.14", "--abi", "cp314"),
    *("--platform", "pyemscripten_2026_0_wasm32"),
)
PACKAGES: Final = (
    *("annotated-types", "typing-extensions", "typing-inspection"),
    *("pydantic-core", "pydantic", "msgspec"),
)
PROGRAM: Final = "program.zip"
CONTENTS: Final = "kit.json"
LICENCES: Final = "licenses"
MPL: Final = Path(__file__).with_name("MPL-2.0.txt")  # Pyodide's package on npm has none
NOTICE: Final = f"""\
What a browser is given here, besides Rookery (MIT and Unicode-3.0):

- Pyodide {PYODIDE}, Mozilla Public License 2.0. Its source is free for all, at
  https://github.com/pyodide/pyodide/tree/{PYODIDE}. It holds Python 3.14 (Python Software
  Foundation License; docs.python.org/3.14/license.html names what Python is made of) and
  Emscripten's libraries (MIT).
- pydantic, pydantic-core, annotated-types, typing-inspection (MIT), typing-extensions (Python
  Software Foundation License) and msgspec (BSD 3-Clause).

Nothing of it has been changed; what was written in Python has been compiled. The texts of the
licences lie in {LICENCES}/: that of Pyodide in {MPL.name}, that of Python in typing-extensions.txt,
all others by their packages' names.
"""
KEPT: Final = (".py", ".toml", ".txt", ".json", ".npz", ".wasm.so")
OURS: Final = {
    "rookery.txt": ROOT / "LICENSE",
    "unicode.txt": ROOT / "src" / "rookery" / "unicode" / "LICENSE",
}
UNUSED: Final = ("pydantic/v1/", "pydantic/mypy")  # of other packages
# Their hash says whether the kernels in WebAssembly are these.
SOURCES: Final = tuple(
    f"rookery/{folder}/" for folder in ("engine", "bots", "search", "solver", "learn")
)
# What no table in a browser needs, by its path in the package.
LEFT_OUT: Final = re.compile(
    r"(cli|envs|lab/(?!__init__|odds/|stats)|learn/(course|examples|fit|net\.py|weights\.py)|lessons"
    r"|web/(?!static/i18n/)"
    r"|puzzles/(making|second_judge|proof|shipped)"
    r"|server/(http|app|serving|cluster/(postgres_leases|relay)|monitoring/(logs|metrics))"
    r"|server/store/(backup|folder|marks|migrat|postgres|roles|rows|schema|sql|writer)"
    r"|server/store/people/\w+_sql|server/bots/(transport|program)"
    r"|engine/targets/(cuda|numba)|show/notebook)"
)


# Run by node in a folder with Pyodide: compiles what is in one archive, and makes another of it.
COMPILE: Final = """
import fs from "node:fs";
const { loadPyodide } = await import(process.cwd() + "/package/pyodide.mjs");
const python = await loadPyodide({ lockFileContents: JSON.parse(fs.readFileSync("lock.json")) });
python.FS.mkdir("/kit");
python.unpackArchive(new Uint8Array(fs.readFileSync("sources.zip")), "zip", { extractDir: "/kit" });
python.runPython(`
import importlib.util, os, py_compile, zipfile
SOURCES = tuple("/kit/" + name for name in $SOURCES)
with zipfile.ZipFile("/made.zip", "w") as made:
    def put(path):
        with open(path, "rb") as file:
            made.writestr(zipfile.ZipInfo(path.removeprefix("/kit/")), file.read())
    for folder, _, names in sorted(os.walk("/kit")):
        for path in (os.path.join(folder, name) for name in sorted(names)):
            kept = path.startswith(SOURCES) or not path.endswith(".py")
            if kept:
                put(path)
            if path.endswith(".py"):
                compiled = importlib.util.cache_from_source(path) if kept else path + "c"
                how = py_compile.PycInvalidationMode.UNCHECKED_HASH
                where = path.removeprefix("/kit/")
                put(py_compile.compile(path, compiled, where, doraise=True, invalidation_mode=how))
`);
fs.writeFileSync("made.zip", python.FS.readFile("/made.zip"));
"""


def main(*arguments: str) -> None:
    """Fill the folder where it is not up to date; what was there stays until all is ready."""
    wanted = made_from()
    if "--force" not in arguments and is_whole(FOLDER, wanted):
        return
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        packed = work / "kit"
        (packed / LICENCES).mkdir(parents=True)
        fetched = pyodide(work)
        (work / "lock.json").write_bytes(fetched["pyodide-lock.json"])
        sources = dict(package())
        for wheel, plain in wheels(work).items():
            inside = unpacked(plain)
            (packed / LICENCES / f"{_called(wheel)}.txt").write_bytes(_licence_in(wheel, inside))
            if wheel.endswith("-none-any.whl"):
                sources |= inside
            else:
                fetched[wheel] = plain  # with a library, which is found by where it lies
        shutil.copy(MPL, packed / LICENCES)
        for one, path in OURS.items():
            shutil.copy(path, packed / LICENCES / one)
        (packed / "NOTICE").write_text(NOTICE, "utf-8")
        fetched[PROGRAM] = compiled(work, sources)
        files = [write(packed, name, plain) for name, plain in fetched.items()]
        archives = [name for name in fetched if name.endswith(".whl")] + [PROGRAM]
        contents = {"made_from": wanted, "wheels": archives, "files": files}
        (packed / CONTENTS).write_text(json.dumps(contents, indent=1), "utf-8")
        shutil.rmtree(FOLDER, ignore_errors=True)
        shutil.copytree(packed, FOLDER)
    sent = sum(int(str(file["packed"])) for file in files)
    print(f"{FOLDER.relative_to(ROOT)}: {len(files)} files, {sent / 1e6:.1f} MB as they are sent")


def made_from() -> str:
    """Return a hash of all that the folder is made from: whatever is pinned, and the program."""
    told = hashlib.sha256("\n".join(locked()).encode())
    for name, plain in package().items():
        told.update(f"{name} {hashlib.sha256(plain).hexdigest()}\n".encode())
    for path in (Path(__file__), MPL, *OURS.values()):
        told.update(path.read_bytes())
    return told.hexdigest()


def is_whole(folder: Path, wanted: str) -> bool:
    """Return whether a folder was made from what `wanted` is the hash of, and nothing is spoilt."""
    try:
        told: dict[str, Any] = json.loads((folder / CONTENTS).read_bytes())
        if told.get("made_from") != wanted or (folder / "NOTICE").read_text("utf-8") != NOTICE:
            return False
        texts = {path.stem for path in (folder / LICENCES).glob("*.txt") if path.stat().st_size}
        if texts != {*PACKAGES, MPL.stem, *(Path(name).stem for name in OURS)}:
            return False
        return all(
            hashlib.sha256(gzip.decompress((folder / f"{one['name']}.gz").read_bytes())).hexdigest()
            == one["hash"]
            for one in told["files"]
        )
    except (OSError, EOFError, ValueError, KeyError, zlib.error):
        return False


def pyodide(work: Path) -> dict[str, bytes]:
    """Return the files of Pyodide's package by their names; the package is unpacked in `work`."""
    run("npm", "pack", f"pyodide@{PYODIDE}", "--silent", "--pack-destination", str(work))
    whole = (work / f"pyodide-{PYODIDE}.tgz").read_bytes()
    digest = base64.b64encode(hashlib.sha512(whole).digest()).decode()
    if digest != INTEGRITY:
        sys.exit(f"offline: pyodide {PYODIDE} is another one: sha512-{digest}")
    with tarfile.open(fileobj=io.BytesIO(whole)) as packed:
        packed.extractall(work, filter="data")
    found = {name: (work / "package" / name).read_bytes() for name in OF_PYODIDE}
    lock = json.loads((work / "package" / "pyodide-lock.json").read_bytes())
    # Of its list of packages nothing is used.
    return {**found, "pyodide-lock.json": json.dumps({**lock, "packages": {}}).encode()}


def locked() -> list[str]:
    """Return the lines of the lock for the packages, each with its hashes."""
    lock = (ROOT / "requirements.lock").read_text("utf-8").replace("\\\n", " ")
    lines = {line.partition("==")[0]: line for line in lock.splitlines() if "==" in line}
    return [lines[name] for name in PACKAGES]


def wheels(work: Path) -> dict[str, bytes]:
    """Return the wheels of the locked packages by their names."""
    wanted, where = work / "wanted.txt", work / "wheels"
    wanted.write_text("\n".join(locked()), "utf-8")
    run(
        *(python(), "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"),
        *("--require-hashes", *PLATFORM, "--disable-pip-version-check"),
        *("--dest", str(where), "--requirement", str(wanted)),
    )
    return {path.name: path.read_bytes() for path in sorted(where.glob("*.whl"))}


def _called(wheel: str) -> str:
    """Return the name of a wheel's package.

    >>> _called("typing_extensions-4.16.0-py3-none-any.whl")
    'typing-extensions'
    """
    return wheel.partition("-")[0].replace("_", "-")


def _licence_in(wheel: str, files: dict[str, bytes]) -> bytes:
    """Return the text of the licence that comes in a wheel."""
    found = [plain for name, plain in files.items() if "/licenses/LICENSE" in name]
    return found[0] if len(found) == 1 else sys.exit(f"offline: {wheel} has no licence in it")


@cache
def package() -> dict[str, bytes]:
    """Return the part of this package that runs in a browser, by its paths."""
    folder = ROOT / "src" / "rookery"
    names = ((path, path.relative_to(folder).as_posix()) for path in sorted(folder.rglob("*.*")))
    return {
        f"rookery/{name}": path.read_bytes()
        for path, name in names
        if name.endswith(KEPT) and not LEFT_OUT.match(name)
    }


def unpacked(archive: bytes) -> dict[str, bytes]:
    """Return the files of an archive by their paths."""
    with zipfile.ZipFile(io.BytesIO(archive)) as found:
        names = (name for name in found.namelist() if not name.endswith("/"))
        return {name: found.read(name) for name in names if not name.startswith(UNUSED)}


def compiled(work: Path, sources: dict[str, bytes]) -> bytes:
    """Return an archive of these files, those in Python compiled by Pyodide."""
    with zipfile.ZipFile(work / "sources.zip", "w") as archive:
        for name, plain in sources.items():
            archive.writestr(zipfile.ZipInfo(name), plain)
    run(
        "node",
        "--input-type=module",
        "--eval",
        COMPILE.replace("$SOURCES", repr(SOURCES)),
        where=work,
    )
    return (work / "made.zip").read_bytes()


def write(folder: Path, name: str, plain: bytes) -> dict[str, object]:
    """Write a file, packed, and return its line of the contents."""
    packed = gzip.compress(plain, 9, mtime=0)
    (folder / f"{name}.gz").write_bytes(packed)
    other = "application/json" if name.endswith(".json") else "application/zip"
    digest = hashlib.sha256(plain).hexdigest()
    return {
        **{"name": name, "type": OF_PYODIDE.get(name, other), "bytes": len(plain)},
        **{"packed": len(packed), "hash": digest},
    }


def python() -> str:
    """Return a Python that has pip: this one may have none, but that from which it was made has."""
    for found in (sys.executable, getattr(sys, "_base_executable", ""), "python3"):
        command = (found, "-c", "import pip")
        if found and not subprocess.run(command, capture_output=True).returncode:  # noqa: S603
            return str(found)
    sys.exit("offline: there is no pip here")


def run(*command: str, where: Path = ROOT) -> None:
    """Run a command in a folder, and end with its last line where it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, cwd=where)  # noqa: S603
    except OSError as error:
        sys.exit(f"offline: {command[0]} cannot be run: {error}")
    if done.returncode:
        last = done.stderr.strip().rpartition("\n")[2][:300]
        sys.exit(f"offline: {' '.join(command[:2])}: {last}")


if __name__ == "__main__":
    main(*sys.argv[1:])
