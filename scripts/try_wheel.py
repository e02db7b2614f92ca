"""Install a wheel of a release as a player would, and see whether what they came for works.

    python scripts/try_wheel.py FOLDER [--pure] [--offline] [--borrow ENVIRONMENT]

FOLDER is what `scripts/wheels` built. pip chooses the wheel for this machine, in a new environment
that is gone afterwards; the packages that Rookery needs come from wherever pip finds packages, or
are borrowed from the Python of an ENVIRONMENT. Then, away from the sources: both commands say
their version, the first page comes, `expert` is ready and plays by the native library, and nothing
needs NumPy or Numba. With --pure the wheel without a library is tried. With --offline the wheel for
play without a network is installed too, and all that a browser is given then is what the list of it
says; without, nothing of it is offered, and the page says what to install. Exit status 1, with one
line, where something is wrong. Needs Python 3.11 or newer with pip, on any system.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any, Final

DISTRIBUTION: Final = "rookery-cards"
EXTRA: Final = f"{DISTRIBUTION}[offline]"
PATIENCE: Final = 180.0  # seconds
WINDOWS: Final = sys.platform == "win32"
PROGRAMS: Final = "Scripts" if WINDOWS else "bin"

# What may not be borrowed: what playing does without, and another Rookery.
NOT_LENT: Final = ("numpy", "numba", "llvmlite", "scipy", "polars", "rookery", "__editable__", "_")
EXPERT: Final = """
import time
began = time.perf_counter()
import json, sys
from rookery.engine.targets.choice import for_table
from rookery.game import Hand
from rookery.rules import load
from rookery.search.searcher import Searcher
rules = load("kd_tournament")
hand = Hand.shuffled(rules, dealer=0, seed=7)
target = for_table()
first = None
if target == "native":
    bots = [Searcher(rules, seat, {"rollouts": "60", "ms": "600000"}) for seat in range(4)]
    while hand.to_act is not None:
        hand = hand.act(bots[hand.turn].act(hand))
        first = first or time.perf_counter() - began
there = [name for name in ("numpy", "numba", "llvmlite") if name in sys.modules]
print(json.dumps({"target": target, "seconds": first, "there": there}))
"""


class Wrong(Exception):
    """What does not work."""


class Installed:
    """An environment with the wheel in it.

    Attributes:
        wheel: which one pip chose, ``any`` or a machine.
        seconds: how long pip took.
    """

    def __init__(
        self, folder: Path, wheels: Path, *, pure: bool, offline: bool, lender: Path | None
    ) -> None:
        """Make it in an empty folder."""
        self.folder = folder
        self.python = folder / PROGRAMS / ("python.exe" if WINDOWS else "python")
        wanted = self._wanted(wheels, pure, offline, lender)
        _run(sys.executable, "-m", "venv", "--without-pip", folder)
        if lender is not None:
            inside = _purelib(folder)
            for path in _purelib(lender).iterdir():
                if not path.name.startswith(NOT_LENT):
                    (inside / path.name).symlink_to(path)
        pip = [sys.executable, "-m", "pip", "--python", str(self.python)]
        pip += ["--disable-pip-version-check", "install", "--quiet"]
        options = ["--no-index", "--no-deps"] if lender is not None else []
        began = time.perf_counter()
        _run(*pip, *options, "--find-links", wheels, *wanted)
        self.seconds = time.perf_counter() - began
        (said,) = _purelib(folder).glob("rookery_cards-*.dist-info/WHEEL")
        self.wheel = re.findall(r"^Tag: py3-none-(\S+)", said.read_text("utf-8"), re.MULTILINE)[0]
        if pure != (self.wheel == "any"):
            raise Wrong(f"pip chose the wheel for {self.wheel}")

    def _wanted(self, wheels: Path, pure: bool, offline: bool, lender: Path | None) -> list[str]:
        found = sorted(wheels.glob("rookery_cards-*-py3-none-any.whl"))
        if len(found) != 1:
            raise Wrong(f"{wheels}: expected one pure wheel, found {len(found)}")
        version = found[0].name.split("-")[1]
        if pure:
            return [str(found[0])]
        if not offline:
            return [f"{DISTRIBUTION}=={version}"]
        # What is borrowed is not asked for, and neither is what an extra needs.
        more = [f"{DISTRIBUTION}-offline=={version}"] if lender is not None else []
        return [f"{EXTRA}=={version}", *more]

    def size(self) -> int:
        """Return how many bytes all its files have."""
        return sum(path.stat().st_size for path in self.folder.rglob("*") if path.is_file())

    def run(self, code: str, away: Path) -> str:
        """Run code in it, away from the sources, and return what it prints."""
        return _run(self.python, "-c", code, cwd=away, env=surroundings(away))

    def commands(self, away: Path) -> None:
        """Have both commands say their version, the same one.

        Raises:
            Wrong: they do not.
        """
        said = set()
        for name in ("rookery", DISTRIBUTION):
            program = self.folder / PROGRAMS / (f"{name}.exe" if WINDOWS else name)
            said.add(_run(program, "--version", cwd=away, env=surroundings(away)).strip())
        if len(said) != 1 or not re.fullmatch(r"rookery \d+\.\d+\.\d+\S*", next(iter(said))):
            raise Wrong(f"the commands say {sorted(said)}")

    def first_page(self, away: Path, *, offline: bool) -> tuple[float, list[str], int]:
        """Serve; return the seconds until the first page is there, and what else there is.

        Returns:
            These seconds, the bots, and how many bytes a browser fetches for play without a
            network, 0 where nothing is offered.

        Raises:
            Wrong: it does not start, or does not offer what it should.
        """
        words = ["serve", "--no-open", "--port", "0", "--data", str(away / "tables")]
        code = f"from rookery.cli.main import app\napp({words!r})"
        began = time.perf_counter()
        server = subprocess.Popen(  # noqa: S603
            [self.python, "-c", code],
            cwd=away,
            env=surroundings(away),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        try:
            lines = server.stdout or ()
            told = next(iter(lines), "")
            address = re.search(r"http://\S+(?=/ )", told)
            if address is None:
                server.terminate()
                raise Wrong(f"it does not start: {told}{''.join(lines)}".rstrip())
            page = _fetched(f"{address[0]}/")
            took = time.perf_counter() - began
            if b"<html" not in page:
                raise Wrong("the first page is no page")
            bots = json.loads(_fetched(f"{address[0]}/api/bots"))
            sent = _offered(address[0], offline=offline)
            # Those that search begin to think when somebody plays with them.
            return took, [one["id"] for one in bots if one["state"] != "absent"], sent
        finally:
            server.terminate()
            server.communicate(timeout=PATIENCE)


def surroundings(away: Path) -> dict[str, str]:
    """Return the environment that a program gets: nothing of ours but where the system is."""
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "TEMP") if name in os.environ}
    home = {name: str(away) for name in ("HOME", "USERPROFILE", "LOCALAPPDATA", "APPDATA")}
    return {**kept, **home, "ROOKERY_CACHE": str(away / "cache")}


def _run(*command: str | Path, **how: Any) -> str:  # noqa: ANN401  (subprocess's own)
    done = subprocess.run(  # noqa: S603
        command, capture_output=True, text=True, check=False, timeout=PATIENCE * 5, **how
    )
    if done.returncode != 0:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:] or ["nothing"]
        raise Wrong(f"{Path(command[0]).name} ends with {done.returncode}: {last[0]}")
    return str(done.stdout)


def _purelib(environment: Path) -> Path:
    python = environment / PROGRAMS / ("python.exe" if WINDOWS else "python")
    code = "import sysconfig; print(sysconfig.get_path('purelib'))"
    return Path(_run(python, "-c", code).strip())


def _fetched(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=PATIENCE) as answer:  # noqa: S310
        plain = bytes(answer.read())
        return gzip.decompress(plain) if answer.headers["content-encoding"] == "gzip" else plain


def _offered(address: str, *, offline: bool) -> int:
    """Return how many bytes a browser fetches to play without a network, 0 for none.

    Raises:
        Wrong: that is not what should be offered, or a file is not what the list says.
    """
    if b"<html" not in _fetched(f"{address}/offline"):
        raise Wrong("/offline is no page")
    try:
        told = json.loads(_fetched(f"{address}/kit/list.json"))
    except urllib.error.HTTPError as error:
        if offline or error.code != 404:
            raise Wrong(f"/kit/list.json: {error.code}") from None
        words = json.loads(_fetched(f"{address}/static/i18n/beside/offline.en.json"))
        if EXTRA not in words["offline.none_how"]:
            raise Wrong("/offline does not say what to install") from None
        return 0
    if not offline:
        raise Wrong("offline play is offered, though nothing was installed for it")
    paths = {file["path"] for file in told["files"]}
    if lacking := {"/", "/kit/pyodide.asm.wasm", "/kit/program.zip"} - paths:
        raise Wrong(f"the list for offline play lacks {min(lacking)}")
    for file in told["files"]:
        plain = _fetched(address + file["path"])
        if hashlib.sha256(plain).hexdigest() != file["hash"]:
            raise Wrong(f"{file['path']} is not what the list says")
    return int(told["bytes"])


def tried(wheels: Path, *, pure: bool, offline: bool, lender: Path | None) -> str:
    """Return in a line what was found.

    Raises:
        Wrong: something does not work.
    """
    with tempfile.TemporaryDirectory(prefix="rookery-") as made:
        away = Path(made) / "away"
        away.mkdir()
        place = Path(made) / "environment"
        one = Installed(place, wheels, pure=pure, offline=offline, lender=lender)
        size = one.size()
        one.commands(away)
        expert = json.loads(one.run(EXPERT, away))
        if expert["there"]:
            raise Wrong(f"playing imports {', '.join(expert['there'])}")
        if (expert["target"] == "native") == pure:
            raise Wrong(f"kernels run by {expert['target']}")
        page, bots, sent = one.first_page(away, offline=offline)
        if ("expert" in bots) == pure:
            raise Wrong(f"the bots are {', '.join(bots)}")
        line = f"the wheel for {one.wheel} works: installed in {one.seconds:.1f} s"
        line += f", {size / 1e6:.1f} MB, first page after {page:.2f} s"
        if not pure:
            line += f", expert's first decision after {expert['seconds']:.2f} s"
        if offline:
            line += f", offline play {sent / 1e6:.1f} MB"
        return line


def main() -> None:
    """Try a wheel."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pure", action="store_true", help="the wheel without a library")
    parser.add_argument("--offline", action="store_true", help="with offline play")
    parser.add_argument("--borrow", type=Path, help="an environment that has the other packages")
    chosen = parser.parse_args()
    if chosen.pure and chosen.offline:
        parser.error("--pure and --offline: expected one of them")
    try:
        folder = chosen.folder.resolve()
        how = {"pure": chosen.pure, "offline": chosen.offline, "lender": chosen.borrow}
        print(tried(folder, **how))
    except (Wrong, OSError, subprocess.SubprocessError) as error:
        sys.exit(f"try_wheel: {error}")


if __name__ == "__main__":
    main()
