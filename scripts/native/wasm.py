"""The kernels as WebAssembly; ``python -m scripts.native.wasm`` builds what is missing or stale.

Two files of the same code: one for JavaScript, with a memory of its own, and one that Pyodide loads
as it loads a C library, on the memory that it has already. docs/design/wasm.md.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, NamedTuple

from scripts.native.__main__ import contents as of_the_library
from scripts.native.__main__ import kernels, told_by
from scripts.native.machine import MACHINES, here

import rookery
from rookery.rules.fields import layout

_PACKAGE: Final = Path(rookery.__file__).parent
# What browsers have had since 2021 (Safari 15): copying memory, and no detours for signs.
FEATURES: Final = "+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals"
_STACK: Final = 1 << 18  # bytes; before the data, so that to run over it traps


class Form(NamedTuple):
    """One of the files.

    Attributes:
        path: where it lies, outside git.
        triple: what LLVM calls it.
        reloc: whether its code may lie anywhere in a memory.
        options: the linker's.
    """

    path: Path
    triple: str
    reloc: str
    options: tuple[str, ...]


ALONE: Final = Form(
    _PACKAGE / "web" / "static" / "core" / "rookery.wasm",
    "wasm32-unknown-unknown",
    "static",
    ("--export=__heap_base", "--stack-first", "-z", f"stack-size={_STACK}"),
)
PYODIDE: Final = Form(
    _PACKAGE / "engine" / "targets" / "rookery_native.wasm.so",
    "wasm32-unknown-emscripten",
    "pic",
    ("--experimental-pic", "-shared"),
)
FORMS: Final = (ALONE, PYODIDE)


def contents() -> dict[str, Any]:
    """Return what a file that is built now says of itself: the library's contents, and records.

    A record is a list of its fields: the name, the number of cells, 0 for a single integer, and
    what they are at first. All cells are int64 and follow each other.
    """
    from scripts.native.kernels import EXPORTED, signature_of

    records = {}
    for kernel in EXPORTED:
        for word in signature_of(kernel)[0]:
            name = word.removesuffix("[]")
            if name not in ("int", "float"):
                records[name] = _fields(kernel.__globals__[name])
    told = of_the_library()
    told["builder"] = (
        told["builder"][:8] + hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:8]
    )
    return json.loads(json.dumps({**told, "records": records}))  # type: ignore[no-any-return]


def _fields(record: type[Any]) -> list[tuple[str, int, int]]:
    starts = (field.metadata.get("start", field.default) for field in dataclasses.fields(record))
    return [(*one, start) for one, start in zip(layout(record), starts, strict=True)]


def linker() -> list[str] | None:
    """Return the command that links WebAssembly; None where ziglang is not installed."""
    return [sys.executable, "-m", "ziglang", "wasm-ld"] if find_spec("ziglang") else None


def _for(form: Form, bitcode: bytes) -> tuple[Any, Any]:
    """Return what writes machine code of a form, and a module of this bitcode for it."""
    import llvmlite.binding as llvm
    from scripts.native.link import module_for

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(form.triple).create_target_machine(
        cpu="generic", features=FEATURES, opt=3, reloc=form.reloc, codemodel="default"
    )
    return target, module_for(target, bitcode)


def optimised(bitcode: bytes) -> bytes:
    """Return the bitcode of a module, of whatever machine, optimised as a whole for this one."""
    import llvmlite.binding as llvm

    target, module = _for(ALONE, bitcode)
    passes = llvm.create_pass_builder(target, llvm.create_pipeline_tuning_options(speed_level=3))
    passes.getModulePassManager().run(module, passes)
    return bytes(module.as_bitcode())


def object_code(bitcode: bytes, form: Form) -> bytes:
    """Return the object file of an optimised module."""
    target, module = _for(form, bitcode)
    return bytes(target.emit_object(module))


def write(code: bytes, form: Form, names: Iterable[str], command: list[str]) -> None:
    """Link object code into a file, which is there whole or not at all.

    Raises:
        subprocess.CalledProcessError: the linker failed.
    """
    with tempfile.TemporaryDirectory(prefix=".wasm-", dir=form.path.parent) as folder:
        source, made = Path(folder, "rookery.o"), Path(folder, form.path.name)
        source.write_bytes(code)
        exports = [f"--export={name}" for name in names]
        options = [*form.options, "--no-entry", "--gc-sections", "--strip-all", *exports]
        subprocess.run([*command, *options, "-o", made, source], check=True)  # noqa: S603
        made.replace(form.path)


def main(*arguments: str) -> None:
    """Build what is missing or stale, or say in one line why nothing is built."""
    machine = here()
    if machine is None:
        print(f"wasm: built on {', '.join(MACHINES)} alone", file=sys.stderr)
        return
    missing = [name for name in ("numba", "ziglang") if find_spec(name) is None]
    if missing:
        print(f"wasm: {' and '.join(missing)} not installed, so nothing is built", file=sys.stderr)
        return
    wanted = contents()
    stale = [one for one in FORMS if told_by(one.path) != wanted or "--force" in arguments]
    command = linker()
    if not stale or command is None:
        return
    print("Building the kernels as WebAssembly ...", file=sys.stderr)
    began = time.perf_counter()
    from scripts.native.link import CONTENTS, VERSION, linked

    made = kernels(of_the_library(), force="--force" in arguments)
    code = optimised(linked(made, wanted))
    for form in stale:
        write(object_code(code, form), form, (CONTENTS, VERSION, *wanted["kernels"]), command)
        print(f"{form.path.name}: {form.path.stat().st_size // 1000} kB", file=sys.stderr)
    print(f"built in {time.perf_counter() - began:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])
