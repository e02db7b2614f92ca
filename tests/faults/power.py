"""A power cut: what was not synced is gone, or is there in part."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

from rookery.server.store.sqlite import FILE

SHIM = Path(__file__).with_name("shim.c")
_PAGE = 4096
_KEPT = (FILE, f"{FILE}-wal", f"{FILE}-journal", "rookery.commits")


def compiler() -> str | None:
    """Return the C compiler; None where there is none, or no LD_PRELOAD to use it for."""
    return shutil.which("gcc") if sys.platform == "linux" else None


def absent() -> bool:
    """Return whether tests that need the compiler are left out; in CI they fail instead."""
    return compiler() is None and not os.environ.get("CI")


def shim(folder: Path) -> Path:
    """Compile the library that notes what is synced; return where it is."""
    return compiled(SHIM, folder)


def compiled(source: Path, folder: Path, *libraries: str) -> Path:
    """Compile a library for LD_PRELOAD; return where it is."""
    gcc, built = compiler(), folder / f"{source.stem}.so"
    assert gcc is not None
    flags = ("-O2", "-Wall", "-Werror", "-shared", "-fPIC", "-pthread")
    command = [gcc, *flags, "-o", str(built), str(source), *libraries]
    subprocess.run(command, check=True, timeout=600)
    return built


def environment(library: Path, data: Path | None, milliseconds: int = 0) -> dict[str, str]:
    """Return what a server's environment needs for its disk to fail, or to be slow."""
    found = {"LD_PRELOAD": str(library)}
    if data is not None:
        found["ROOKERY_DURABLE"] = str(data.resolve())
    if milliseconds:
        found["ROOKERY_SYNC_MS"] = str(milliseconds)
    return found


def cut(data: Path, rng: Random, *, torn: bool) -> None:
    """Leave of a killed server's files what a power cut leaves.

    Nothing stays that was not synced; but where the cut is `torn`, each page that was written since
    stays or not, by chance, as a disk may have got round to it.
    """
    for name in _KEPT:
        live, durable = data / name, data / f"{name}.durable"
        if not live.exists():
            # Deleted before the cut. That it is gone may not be on disk, but nothing hangs on it.
            durable.unlink(missing_ok=True)
        elif not durable.exists():
            live.unlink()
        else:
            kept = durable.read_bytes()
            live.write_bytes(_torn(kept, live.read_bytes(), rng) if torn else kept)
    (data / f"{FILE}-shm").unlink(missing_ok=True)


def on(data: Path) -> None:
    """Take what is on disk now for durable: the machine has started again since."""
    for name in _KEPT:
        live, durable = data / name, data / f"{name}.durable"
        durable.unlink(missing_ok=True)
        if live.exists():
            shutil.copyfile(live, durable)


def _torn(old: bytes, new: bytes, rng: Random) -> bytes:
    length = len(old) if rng.random() < 0.5 else max(len(old), len(new))
    pages = []
    for at in range(0, length, _PAGE):
        before, after = old[at : at + _PAGE], new[at : at + _PAGE]
        chosen = after if after and rng.random() < 0.5 else before
        # A page that was never written, inside a file that has grown, is all zeros.
        pages.append(chosen.ljust(min(_PAGE, length - at), b"\0"))
    return b"".join(pages)
