"""The library from LLVM's intermediate code: linked, pruned, optimised as a whole, and written."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, NamedTuple

import llvmlite.binding as llvm
from scripts.native.machine import CPU, TRIPLE

CONTENTS: Final = "rookery_contents"  # the function that returns what the library says of itself
# No kernel allocates, so Numba's counts of references count nothing.
_RUNTIME: Final = """
define void @NRT_incref(ptr %0) alwaysinline { ret void }
define void @NRT_decref(ptr %0) alwaysinline { ret void }
"""
# Nothing that a kernel computed would be right where Numba raised one of these.
_NEVER_RAISED: Final = (b"tuple index out of range", b"range() arg 3 must not be zero")
_PICKLED: Final = re.compile(r'^@\.const\.pickledata\.[\w.]+ = .* c"(.*)"', re.MULTILINE)
_BYTE: Final = re.compile(rb"\\([0-9A-F]{2})")
_RAISING: Final = re.compile(
    r"^ +store ptr @\.const\.picklebuf\..*!numba_exception_output", re.MULTILINE
)


class Piece(NamedTuple):
    """The code of one exported kernel and of all that it calls.

    Attributes:
        exported: its name in the library.
        name: its name in the code.
        code: LLVM's intermediate code, as text.
    """

    exported: str
    name: str
    code: str


def linked(pieces: Iterable[Piece], contents: Mapping[str, Any]) -> Any:  # noqa: ANN401
    """Return one module of all pieces, in which only the exported names can be seen.

    Args:
        pieces: each exported kernel.
        contents: what the library says of itself, as JSON.
    """
    text = json.dumps(contents, separators=(",", ":")).encode() + b"\0"
    written = "".join(f"\\{byte:02x}" for byte in text)
    module = llvm.parse_assembly(
        f'target triple = "{TRIPLE}"\n{_RUNTIME}\n'
        f'@contents = private constant [{len(text)} x i8] c"{written}"\n'
        f"define ptr @{CONTENTS}() {{ ret ptr @contents }}\n"
    )
    names = {CONTENTS}
    for piece in pieces:
        module.link_in(llvm.parse_assembly(without_errors(piece.code)))
        module.get_function(piece.name).name = piece.exported
        names.add(piece.exported)
    for one in (*module.functions, *module.global_variables):
        if not one.is_declaration and one.name not in names:
            one.linkage = "internal"
    return module


def without_errors(code: str) -> str:
    """Return code in which LLVM is told that no error is ever raised.

    Raises:
        ValueError: a kernel may raise another error than those.
    """
    for literal in _PICKLED.findall(code):
        data = _BYTE.sub(lambda found: bytes([int(found[1], 16)]), literal.encode())
        if data.startswith(b"\x80") and not any(words in data for words in _NEVER_RAISED):
            raise ValueError(f"a kernel may raise {data!r}")
    told = _RAISING.sub(lambda found: f"  call void @llvm.assume(i1 false)\n{found[0]}", code)
    known = "declare void @llvm.assume(" in code
    return told if known else f"{told}\ndeclare void @llvm.assume(i1)\n"


def object_code(module: Any) -> bytes:  # noqa: ANN401
    """Optimise a module as a whole and return its object file."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(
        cpu=CPU, opt=3, reloc="pic", codemodel="default"
    )
    passes = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=3))
    passes.getModulePassManager().run(module, passes)
    return bytes(machine.emit_object(module))


def linker() -> list[str] | None:
    """Return the command that links here: ``$CC``, cc, or ziglang's; None where there is none."""
    for name in (os.environ.get("CC"), "cc", "gcc", "clang"):
        if name and shutil.which(name):
            return [name]
    return [sys.executable, "-m", "ziglang", "cc"] if find_spec("ziglang") else None


def write_library(code: bytes, path: Path, command: list[str]) -> None:
    """Link object code into a shared library, which is there whole or not at all.

    Raises:
        subprocess.CalledProcessError: the linker failed.
    """
    with tempfile.TemporaryDirectory(prefix=".native-", dir=path.parent) as folder:
        source, made = Path(folder, "rookery.o"), Path(folder, path.name)
        source.write_bytes(code)
        subprocess.run(  # noqa: S603  (the user's own compiler)
            [*command, "-shared", "-Wl,--gc-sections", "-Wl,-s", "-o", made, source], check=True
        )
        made.replace(path)
