"""Put what a browser needs to play without a network beside the client: Python and the program.

Python is Pyodide's, from its package on npm. pydantic and msgspec are those of `requirements.lock`,
in their wheels for it. Everything is pinned by its hash, and nothing of it is kept in git. Needs
npm, pip and node; says in one line what is missing.
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
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
FOLDER: Final = ROOT / "src" / "rookery" / "web" / "kit"
PYODIDE: Final = "314.0.7"
INTEGRITY: Final = "sha512-0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
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
PROGRAM: Final = "rookery.zip"
# What no table in a browser needs, by its path in the package.
LEFT_OUT: Final = re.compile(
    r"(cli|lab|learn|lessons|puzzles/(making|second_judge|proof|shipped)|web/(?!static/i18n/)"
    r"|server/(http|app|serving|cluster/(postgres_leases|relay)|monitoring/(logs|metrics))"
    r"|server/store/(backup|folder|marks|migrat|postgres|roles|rows|schema|sql|writer)"
    r"|server/store/people/\w+_sql|server/bots/(pool|transport|worker|searching|wire|program)"
    r"|engine/targets/(cuda|numba)|show/notebook)"
)


def main() -> None:
    """Fill the folder anew; what was there stays until all is ready."""
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        fetched = {**pyodide(work), **wheels(work), PROGRAM: program()}
        packed = work / "kit"
        packed.mkdir()
        files = [write(packed, name, plain) for name, plain in fetched.items()]
        names = [
            name for name in fetched if name.endswith((".whl", ".zip")) and name not in OF_PYODIDE
        ]
        contents = {"wheels": names, "files": files}
        (packed / "kit.json").write_text(json.dumps(contents, indent=1), "utf-8")
        shutil.rmtree(FOLDER, ignore_errors=True)
        shutil.move(packed, FOLDER)
    sent = sum(int(str(file["packed"])) for file in files)
    print(f"{FOLDER.relative_to(ROOT)}: {len(files)} files, {sent / 1e6:.1f} MB as they are sent")


def pyodide(work: Path) -> dict[str, bytes]:
    """Return the files of Pyodide's package by their names."""
    run("npm", "pack", f"pyodide@{PYODIDE}", "--silent", "--pack-destination", str(work))
    whole = (work / f"pyodide-{PYODIDE}.tgz").read_bytes()
    digest = "sha512-" + base64.b64encode(hashlib.sha512(whole).digest()).decode()
    if digest != INTEGRITY:
        sys.exit(f"offline: pyodide {PYODIDE} is another one: {digest}")
    found = {}
    with tarfile.open(fileobj=io.BytesIO(whole)) as package:
        for name in OF_PYODIDE:
            file = package.extractfile(f"package/{name}")
            found[name] = b"" if file is None else file.read()
        file = package.extractfile("package/pyodide-lock.json")
        lock = json.loads(b"" if file is None else file.read())
    # Of its list of packages nothing is used.
    found["pyodide-lock.json"] = json.dumps({**lock, "packages": {}}).encode()
    return found


def wheels(work: Path) -> dict[str, bytes]:
    """Return the wheels of the locked packages by their names, in the order of `PACKAGES`."""
    lock = (ROOT / "requirements.lock").read_text("utf-8").replace("\\\n", " ")
    lines = {line.partition("==")[0]: line for line in lock.splitlines() if "==" in line}
    wanted = work / "wanted.txt"
    wanted.write_text("\n".join(lines[name] for name in PACKAGES), "utf-8")
    where = work / "wheels"
    command = ("pip", "download", "--quiet", "--no-deps", "--only-binary=:all:")
    run(
        *(python(), "-m", *command, "--require-hashes", *PLATFORM),
        *("--disable-pip-version-check", "--dest", str(where), "--requirement", str(wanted)),
    )
    files = {path.name.partition("-")[0].replace("_", "-"): path for path in where.glob("*.whl")}
    return {files[name].name: files[name].read_bytes() for name in PACKAGES}


def program() -> bytes:
    """Return the part of the package that runs in a browser, as a zip file."""
    package, made = ROOT / "src" / "rookery", io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as packed:
        for path in sorted(package.rglob("*.*")):
            name = path.relative_to(package).as_posix()
            kept = path.suffix in (".py", ".toml", ".txt", ".json") and not LEFT_OUT.match(name)
            if kept and "__pycache__" not in name:
                about = zipfile.ZipInfo(
                    f"rookery/{name}"
                )  # of no time: the same from the same files
                packed.writestr(about, path.read_bytes())
    return made.getvalue()


def write(folder: Path, name: str, plain: bytes) -> dict[str, object]:
    """Write a file, packed, and return its line of the contents."""
    packed = gzip.compress(plain, 9, mtime=0)
    (folder / f"{name}.gz").write_bytes(packed)
    kind = OF_PYODIDE.get(name) or (
        "application/json" if name.endswith(".json") else "application/zip"
    )
    digest = hashlib.sha256(plain).hexdigest()
    return {
        **{"name": name, "type": kind, "bytes": len(plain)},
        **{"packed": len(packed), "hash": digest},
    }


def python() -> str:
    """Return a Python that has pip: this one may have none, but that from which it was made has."""
    for found in (sys.executable, getattr(sys, "_base_executable", "python3"), "python3"):
        if not subprocess.run([found, "-c", "import pip"], capture_output=True).returncode:
            return str(found)
    sys.exit("offline: there is no pip here")


def run(*command: str) -> None:
    """Run a command, and end with its words where it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        sys.exit(f"offline: {command[0]} cannot be run: {error}")
    if done.returncode:
        sys.exit(f"offline: {' '.join(command[:3])}: {done.stderr.strip().splitlines()[-1:]}")


if __name__ == "__main__":
    main()
