"""Build the native library where it is missing or stale; ``--force`` builds it anew.

``--all`` builds it for every machine that is released, each in a folder of its name under
``build/native``, where it is missing or stale there. The kernels' code is kept in that folder too:
what is built next from the same kernels, such as WebAssembly, need not make it again.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from scripts.native.machine import MACHINES, Machine, here

from rookery.engine import targets
from rookery.engine.targets import MissingTarget
from rookery.engine.targets.native import API, LIBRARY, check, hash_of, symbol_of

ROOT: Final = Path(__file__).parents[2]
LIBRARIES: Final = ROOT / "build" / "native"  # for other machines too
KERNELS: Final = LIBRARIES / "kernels.bc"
_SUM: Final = 32  # bytes before the bitcode: of it, and of what it was made from
_OURS: Final = ("kernels", "link", "lower", "machine", "packed")
_BUILDER: Final = (
    *(Path(__file__).with_name(f"{name}.py") for name in _OURS),
    *(
        Path(targets.__path__[0], f"{name}.py")
        for name in ("network", "numba", "specialise", "whole")
    ),
)


def contents() -> dict[str, Any]:
    """Return what a library that is built now says of itself.

    Raises:
        ValueError: two kernels would have one name.
    """
    import llvmlite
    import numba
    from scripts.native.kernels import EXPORTED, signature_of

    kernels: dict[str, Any] = {}
    for kernel in EXPORTED:
        takes, returns = signature_of(kernel)
        made_from = hash_of(kernel, takes)
        if symbol_of(kernel) in kernels:
            raise ValueError(f"two kernels are called {kernel.__name__}")
        kernels[symbol_of(kernel)] = {"hash": made_from, "takes": takes, "returns": returns}
    builder = hashlib.sha256(f"{numba.__version__} {llvmlite.__version__}".encode())
    for path in _BUILDER:
        builder.update(path.read_bytes())
    return {"api": API, "builder": builder.hexdigest()[:16], "kernels": kernels}


def told_by(path: Path) -> dict[str, Any] | None:
    """Return what a library for any machine says of itself; None where there is none."""
    try:
        data = path.read_bytes()
        start = data.index(b'{"api":')
        found: dict[str, Any] = json.loads(data[start : data.index(b"\0", start)])
    except (OSError, ValueError):
        return None
    return found


def kernels(wanted: dict[str, Any], *, force: bool = False, kept: Path = KERNELS) -> bytes:
    """Return all exported kernels as bitcode, for a library that says `wanted` of itself.

    What `kept` has from an earlier build is taken if it was made from the same. It is made in
    another process: in that one Numba makes no machine code any more.
    """
    made_from = json.dumps([wanted, here()], sort_keys=True).encode()

    def make() -> bytes:
        print("Compiling the kernels (about half a minute) ...", file=sys.stderr)
        command = [sys.executable, "-m", "scripts.native.lower"]
        return subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout  # noqa: S603  (ours)

    return _kept(kept, made_from, make, force=force)


def _kept(path: Path, made_from: bytes, make: Callable[[], bytes], *, force: bool) -> bytes:
    """Return what an earlier build left in a file if it was made from the same, else make it."""
    try:
        told = b"" if force else path.read_bytes()
    except OSError:
        told = b""  # missing, or not ours to read: made anew
    if told[:_SUM] == hashlib.sha256(made_from + told[_SUM:]).digest():
        return told[_SUM:]
    made = make()
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as whole:
        whole.write(hashlib.sha256(made_from + made).digest() + made)
    Path(whole.name).replace(path)  # whole or not at all
    return made


def linked_kernels(wanted: dict[str, Any], *, force: bool) -> bytes:
    """Return the bitcode of a library that says `wanted` of itself, for any machine."""
    from scripts.native.link import linked
    from scripts.native.packed import packed

    return linked(kernels(wanted, force=force), wanted, packed(wanted["kernels"]))


def build(
    bitcode: bytes,
    machine: Machine,
    path: Path,
    command: list[str] | None = None,
    *,
    force: bool = False,
) -> None:
    """Build the library for a machine, with its C compiler or ziglang, and say how large it is."""
    from scripts.native.link import object_code, write_library

    # This machine's is linked twice: for the checkout by its own compiler, for a wheel by ziglang.
    code = _kept(
        LIBRARIES / machine.name / "rookery.o",
        bitcode + repr(machine).encode(),
        lambda: object_code(bitcode, machine),
        force=force,
    )
    write_library(code, path, machine, command)
    print(f"{machine.name}: {path.name}, {path.stat().st_size // 1000} kB", file=sys.stderr)


def build_all(*, force: bool = False) -> None:
    """Build it for every machine that is released: ``linux-aarch64/rookery_native.so``."""
    if find_spec("ziglang") is None:
        sys.exit("native: ziglang is not installed, and links for other machines")
    wanted = contents()
    paths = {one: LIBRARIES / one.name / one.library for one in MACHINES.values()}
    stale = {one: path for one, path in paths.items() if force or told_by(path) != wanted}
    if not stale:
        return
    made = linked_kernels(wanted, force=force)
    for machine, path in stale.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        build(made, machine, path, force=force)


def _loads() -> bool:
    """Return whether this machine can use the library, which may have come from another."""
    try:
        check()
    except MissingTarget:
        return False
    return True


def main(*arguments: str) -> None:
    """Build the library, or say in one line why there will be none."""
    if "--all" in arguments:
        build_all(force="--force" in arguments)
        return
    machine = here()
    if machine is None:
        print(f"native: built for {', '.join(MACHINES)} alone; Numba serves", file=sys.stderr)
        return
    if find_spec("numba") is None:
        print("native: numba is not installed, so nothing is built", file=sys.stderr)
        return
    wanted = contents()
    force = "--force" in arguments
    if told_by(LIBRARY) == wanted and _loads() and not force:
        return
    from scripts.native.link import linker

    command = linker()
    if command is None:
        print("native: no C compiler, nor ziglang, so Numba serves here", file=sys.stderr)
        return
    began = time.perf_counter()
    made = linked_kernels(wanted, force=force)
    build(made, machine, LIBRARY, None if "ziglang" in command else command, force=force)
    print(f"It took {time.perf_counter() - began:.0f} s.", file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])
