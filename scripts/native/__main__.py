"""Build the native library where it is missing or stale; ``--force`` builds it anew."""

from __future__ import annotations

import ctypes
import hashlib
import json
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from scripts.native import machine

from rookery.engine.targets.native import API, LIBRARY, hash_of, symbol_of


def contents() -> dict[str, Any]:
    """Return what a library that is built now says of itself."""
    import llvmlite
    import numba
    from scripts.native.kernels import EXPORTED, signature_of

    kernels = {}
    for kernel in EXPORTED:
        takes, returns = signature_of(kernel)
        made_from = hash_of(kernel, takes)
        kernels[symbol_of(kernel)] = {"hash": made_from, "takes": takes, "returns": returns}
    builder = hashlib.sha256(f"{numba.__version__} {llvmlite.__version__}".encode())
    for file in sorted(Path(__file__).parent.glob("*.py")):
        builder.update(file.read_bytes())
    return {"api": API, "builder": builder.hexdigest()[:16], "kernels": kernels}


def told() -> dict[str, Any] | None:
    """Return what the library that is here says of itself; None where there is none."""
    try:
        library = ctypes.CDLL(str(LIBRARY))
        library.rookery_contents.restype = ctypes.c_char_p
        found: dict[str, Any] = json.loads(library.rookery_contents())
    except (OSError, AttributeError):
        return None
    return found


def main(*arguments: str) -> None:
    """Build the library, or say in one line why there will be none."""
    if not machine.is_this():
        print(f"native: built for {machine.TRIPLE} alone; Numba serves here", file=sys.stderr)
        return
    if find_spec("numba") is None:
        print("native: numba is not installed, so nothing is built", file=sys.stderr)
        return
    wanted = contents()
    if told() == wanted and "--force" not in arguments:
        return
    from scripts.native.link import linked, linker, object_code, write_library

    command = linker()
    if command is None:
        print("native: no C compiler, nor ziglang, so Numba serves here", file=sys.stderr)
        return
    print("Building the native library (about a minute) ...", file=sys.stderr)
    began = time.perf_counter()
    from scripts.native.kernels import EXPORTED
    from scripts.native.lower import lowered

    write_library(object_code(linked(lowered(EXPORTED), wanted)), LIBRARY, command)
    took, size = time.perf_counter() - began, LIBRARY.stat().st_size
    print(f"{LIBRARY.name}: {size // 1000} kB in {took:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])
