"""Start the Rookery that this Python belongs to, as it will be run, and see whether it works.

FOLDER/bin/python deploy/smoke.py [native|numba]

The server is started away from the sources, with a new folder for its data and nothing else of
the environment. A page, a file of the client, the catalogue and both health routes have to come,
and the end has to be clean. Bots that search have to run by what is named. Then nothing in FOLDER
may have changed, so that it can be read-only, and everybody may read all of it, so that no user in
particular has to run it. The last line says how large it is. Exit status 1, with one line, where
something is wrong.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

PATIENCE = 120.0  # seconds
PATHS = ("/", "/static/app.js", "/api/variants")
HEALTH = ("/healthz", "/readyz")
THINKS = "from rookery.search.search import searching; print(searching())"


class Wrong(Exception):
    """What does not work."""


def held(folder: Path) -> dict[str, tuple[int, int, int]]:
    """Return mode, size and time of change of all that is in a folder, by path."""
    found = {}
    for at, folders, files in os.walk(folder):
        for path in (Path(at) / name for name in (*folders, *files)):
            seen = path.lstat()
            found[str(path.relative_to(folder))] = (seen.st_mode, seen.st_size, seen.st_mtime_ns)
    return found


def unreadable(folder: Path) -> list[str]:
    """Return what is in a folder and not everybody may read."""
    return [name for name, (mode, *_) in held(folder).items() if not mode & 0o004]


def changes(before: dict[str, tuple[int, int, int]], folder: Path) -> list[str]:
    """Return what in a folder is not as it was."""
    after = held(folder)
    return sorted(n for n in before.keys() | after.keys() if before.get(n) != after.get(n))


def surroundings(data: Path) -> dict[str, str]:
    """Return the environment: as in a container no home, and no word on where modules are kept."""
    return {"PATH": os.defpath, "ROOKERY_CACHE": str(data / "cache"), "HOME": "/nowhere"}


def thinks(data: Path) -> str:
    """Return what bots that search run by."""
    done = subprocess.run(  # noqa: S603  (the program that was just built)
        [sys.executable, "-B", "-c", THINKS],
        cwd=data,
        env=surroundings(data),
        capture_output=True,
        check=True,
        text=True,
        timeout=PATIENCE,
    )
    return done.stdout.strip()


def visited(folder: Path, data: Path) -> None:
    """Serve from `folder`, ask for what a first visitor needs, and end.

    Raises:
        Wrong: it does not start, an answer is missing, or it does not end cleanly.
    """
    command = [str(folder / "bin" / "rookery"), "serve", "--no-open", "--port", "0"]
    server = subprocess.Popen(  # noqa: S603  (the program that was just built)
        [*command, "--data", str(data / "tables")],
        cwd=data,
        env=surroundings(data),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        told, found = "", None
        for line in server.stdout or ():  # the first may be a warning
            told += line
            found = re.search(r"http://\S+(?=/ )", line)
            if found:
                break
        if found is None:
            raise Wrong(f"it does not start: {told}".rstrip())
        for path in PATHS:
            with urllib.request.urlopen(found[0] + path, timeout=PATIENCE) as answer:  # noqa: S310
                if answer.status != 200 or not answer.read():
                    raise Wrong(f"{path}: {answer.status}")
        for path in HEALTH:
            check = [sys.executable, str(folder / "healthy.py"), found[0] + path]
            subprocess.run(check, check=True, timeout=PATIENCE)  # noqa: S603
        server.send_signal(signal.SIGTERM)
        out, _ = server.communicate(timeout=PATIENCE)
        if server.returncode != 0:
            raise Wrong(f"it ends with {server.returncode}: {out}")
    finally:
        if server.poll() is None:
            server.kill()
            server.communicate(timeout=PATIENCE)


def main() -> None:
    """Try the installation that this Python belongs to."""
    folder = Path(sys.prefix)
    before = held(folder)
    try:
        if closed := unreadable(folder):
            raise Wrong(f"not everybody may read {closed[0]}, and {len(closed) - 1} more")
        with tempfile.TemporaryDirectory() as data:
            visited(folder, Path(data))
            target = thinks(Path(data))
        if target != (sys.argv[1:] or [target])[0]:
            raise Wrong(f"bots that search run by {target}, not by {sys.argv[1]}")
        if other := changes(before, folder):
            raise Wrong(f"serving changed {other[0]}, and {len(other) - 1} more")
    except (Wrong, OSError, subprocess.SubprocessError) as error:
        sys.exit(f"smoke: {folder}: {error}")
    size = sum(size for _, size, _ in before.values()) / 2**20
    print(f"{folder} works: {len(before)} files, {size:.0f} MiB; bots that search run by {target}")


if __name__ == "__main__":
    main()
