"""The library from LLVM's intermediate code: linked, optimised as a whole, pruned, and written."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, NamedTuple

import llvmlite.binding as llvm
from scripts.native.machine import Machine, here

from rookery.engine.targets.native import API

CONTENTS: Final = "rookery_contents"  # the function that returns what the library says of itself
VERSION: Final = "rookery_api_version"
# No kernel allocates, so Numba's counts of references count nothing.
_RUNTIME: Final = """
define void @NRT_incref(ptr %0) alwaysinline { ret void }
define void @NRT_decref(ptr %0) alwaysinline { ret void }
"""
# Nothing that a kernel computed would be right where Numba raised one of these.
_NEVER_RAISED: Final = (b"tuple index out of range", b"range() arg 3 must not be zero")
_ZIG: Final = (sys.executable, "-m", "ziglang")
# Of any machine with 64 bits; what is optimised has that of its own.
_LAYOUT: Final = "e-i64:64-i128:128-n8:16:32:64-S128"
_TARGET: Final = re.compile(r"^target (?:datalayout|triple) = .*\n", re.MULTILINE)
_OF_PROCESSOR: Final = re.compile(r' ?"(?:target-cpu|target-features|tune-cpu)"="[^"]*"')
_OPTIONS: Final = {
    ".so": ("-Wl,--gc-sections", "-Wl,-s"),
    # A program finds it where it is told to look, under the name that `rookery library` gives it.
    ".dylib": ("-Wl,-dead_strip", "-Wl,-install_name,@rpath/librookery.dylib"),
    ".dll": ("-Wl,-s",),
}
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


def joined(pieces: Iterable[Piece]) -> bytes:
    """Return one module of all pieces, as bitcode, in which only the exported names can be seen.

    It is for any machine: kernels know int64, float64, float32 and pointers alone, which are alike
    on all.
    """
    module = _parsed(_RUNTIME)
    names = set()
    for piece in pieces:
        module.link_in(_parsed(without_errors(_OF_PROCESSOR.sub("", piece.code))))
        module.get_function(piece.name).name = piece.exported
        names.add(piece.exported)
    for one in (*module.functions, *module.global_variables):
        if not one.is_declaration and one.name not in names:
            one.linkage = "internal"
    return bytes(module.as_bitcode())


def linked(kernels: bytes, contents: Mapping[str, Any], more: str = "") -> bytes:
    """Return the library's bitcode, for any machine.

    Args:
        kernels: the joined pieces.
        contents: what the library says of itself, as JSON.
        more: code that calls the kernels, all of which can be seen.
    """
    text = json.dumps(contents, separators=(",", ":")).encode() + b"\0"
    written = "".join(f"\\{byte:02x}" for byte in text)
    major, minor, patch = map(int, API.split("."))
    module = llvm.parse_bitcode(kernels)
    said = (
        f'@contents = private constant [{len(text)} x i8] c"{written}"\n'
        f"define ptr @{CONTENTS}() {{ ret ptr @contents }}\n"
        f"define i64 @{VERSION}() {{ ret i64 {(major * 1000 + minor) * 1000 + patch} }}\n"
    )
    module.link_in(_parsed(said + more))
    return bytes(module.as_bitcode())


def _parsed(code: str) -> Any:  # noqa: ANN401
    return llvm.parse_assembly(f'target datalayout = "{_LAYOUT}"\n{_TARGET.sub("", code)}')


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


@cache
def _llvm_machine(machine: Machine) -> Any:  # noqa: ANN401
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple(machine.triple).create_target_machine(
        cpu=machine.cpu, opt=3, reloc="pic", codemodel="default"
    )


def module_for(target: Any, bitcode: bytes) -> Any:  # noqa: ANN401
    """Return a module that was linked for any machine, for one of LLVM's target machines."""
    module = llvm.parse_bitcode(bitcode)
    module.triple, module.data_layout = target.triple, str(target.target_data)
    return module


def object_code(bitcode: bytes, machine: Machine) -> bytes:
    """Optimise a linked module as a whole for a machine and return its object file."""
    target = _llvm_machine(machine)
    module = module_for(target, bitcode)
    passes = llvm.create_pass_builder(target, llvm.create_pipeline_tuning_options(speed_level=3))
    passes.getModulePassManager().run(module, passes)
    return bytes(target.emit_object(module))


def linker(machine: Machine | None = None) -> list[str] | None:
    """Return the C compiler for a machine, this one if none is named; None where there is none.

    That is ``$CC`` or cc, or ziglang's, which compiles for all of them.
    """
    if machine is None:
        for name in (os.environ.get("CC"), "cc", "gcc", "clang"):
            if name and shutil.which(name):
                return [name]
        machine = here()
    if machine is None or find_spec("ziglang") is None:
        return None
    return [*_ZIG, "cc", "-target", machine.zig]


def write_library(code: bytes, path: Path, machine: Machine, command: list[str] | None) -> None:
    """Link object code into a shared library, which is there whole or not at all.

    Args:
        code: the object file.
        path: the library.
        machine: what it is for.
        command: the C compiler of this machine; without one ziglang links.

    Raises:
        subprocess.CalledProcessError: the linker failed.
    """
    with tempfile.TemporaryDirectory(prefix=".native-", dir=path.parent) as folder:
        source, made = Path(folder, "rookery.o"), Path(folder, path.name)
        source.write_bytes(code)
        if command is None:
            _link_by_zig(machine, source, made)
        else:
            _run(*command, "-shared", *_OPTIONS[path.suffix], "-o", made, source)
        made.replace(path)


def _link_by_zig(machine: Machine, source: Path, made: Path) -> None:
    """Link for any machine with nothing of it here, and with nothing of a C library inside."""
    if made.suffix == ".so":
        # Whoever loads it has a C library, which is found when it is loaded.
        _run(*_ZIG, "ld.lld", "-shared", "--gc-sections", "-s", "-o", made, source)
    elif made.suffix == ".dylib":
        options = ["-nostdlib", "-lSystem", "-Wl,-x", *_OPTIONS[made.suffix]]
        _run(*_ZIG, "cc", "-target", machine.zig, "-shared", *options, "-o", made, source)
    else:
        # The one C library that every Windows has.
        names, memory = made.with_name("memory.def"), made.with_name("memory.lib")
        names.write_text("LIBRARY msvcrt.dll\nEXPORTS\nmemcpy\nmemmove\nmemset\n", "utf-8")
        _run(*_ZIG, "dlltool", "-m", "i386:x86-64", "-d", names, "-l", memory)
        options = ["/dll", "/noentry", "/machine:x64", "/lldmingw", "/Brepro"]
        _run(*_ZIG, "lld-link", *options, f"/out:{made}", source, memory)


def _run(*command: str | Path) -> None:
    subprocess.run(command, check=True)  # noqa: S603  (the user's own compiler)
