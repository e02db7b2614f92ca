"""The libraries for other machines: what is in their files, and how one of them plays."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from scripts.native.__main__ import contents
from scripts.native.kernels import EXPORTED
from scripts.native.link import CONTENTS, VERSION, linker, write_library
from scripts.native.machine import MACHINES, here
from scripts.native.symbols import symbols, too_much
from tests.engine.c_api import EXAMPLES, compiled, run, totals, write_table
from tests.engine.machines import libraries, needs_zig

from rookery.engine.targets.native import HEADER, PACKED, symbol_of
from rookery.rules import catalog

KERNELS = {*map(symbol_of, EXPORTED)}
NAMES = {CONTENTS, VERSION, *KERNELS, *(f"{name}{PACKED}" for name in KERNELS)}
# Those that every such system has; on Linux a library finds what it needs where it is loaded.
LIBRARIES = {
    "linux": set[str](),
    "macos": {"/usr/lib/libSystem.B.dylib"},
    "windows": {"msvcrt.dll"},
}
HANDS = 3
CAST = ("papa", "hog", "club", "rabbit", "karapet", "random")
# Where Debian's libc6-arm64-cross puts the C library.
ARM: Path = Path("/usr/aarch64-linux-gnu")

pytestmark = [needs_zig, pytest.mark.slow]


@pytest.mark.parametrize("name", MACHINES)
def test_a_library_offers_the_kernels_and_asks_for_almost_nothing(name: str) -> None:
    path = libraries()[name]
    assert too_much(path, MACHINES[name], NAMES) == []
    assert symbols(path).libraries <= LIBRARIES[name.partition("-")[0]]


@pytest.mark.parametrize("name", MACHINES)
def test_what_is_wrong_with_a_library_is_found(name: str, tmp_path: Path) -> None:
    """The control: a library for that machine that asks for more, under another name."""
    machine = MACHINES[name]
    source, code = tmp_path / "more.c", tmp_path / "more.o"
    # On Windows, what is in no library that is linked is not even linked.
    asked = "memcpy" if name.startswith("windows") else "puts"
    source.write_text(
        f"extern void *{asked}(void *, const void *, __SIZE_TYPE__);\n"
        f"void *more(void *it) {{ return {asked}(it, it, (__SIZE_TYPE__)it); }}\n"
    )
    command = linker(machine)
    assert command is not None
    run(*command, "-w", "-O1", "-c", "-fPIC", "-o", code, source)
    made = tmp_path / machine.library
    write_library(code.read_bytes(), made, machine, None)
    found = too_much(made, machine, NAMES)
    assert "'more'" in found[0]
    assert found[1:] == ([] if asked == "memcpy" else [f"{made.name} asks others for ['puts']"])
    for other in MACHINES.values():
        told = f"{made.name} is for {name}, not for {other.name}"
        assert (told in too_much(made, other, {"more"})) == (other is not machine)
    if asked == "memcpy":
        source.write_text("extern int puts(const char *);\nint more(void) { return puts(0); }\n")
        run(*command, "-c", "-o", code, source)
        with pytest.raises(subprocess.CalledProcessError):
            write_library(code.read_bytes(), made, machine, None)


def test_this_machine_is_one_of_them_or_has_none() -> None:
    one = here()
    assert one is None or MACHINES[one.name] is one
    assert len({one.tag for one in MACHINES.values()}) == len(MACHINES)


def test_all_say_that_they_are_of_these_sources() -> None:
    wanted = contents()["kernels"]
    for path in libraries().values():
        data = path.read_bytes()
        assert all(one["hash"].encode() in data for one in wanted.values()), path


def test_an_aarch64_processor_plays_as_python_does(tmp_path: Path) -> None:
    """By emulation: the example in C, with the library that a wheel has."""
    emulator = shutil.which("qemu-aarch64") or shutil.which("qemu-aarch64-static")
    if emulator is None or not ARM.exists():
        pytest.skip("needs qemu-user and libc6-arm64-cross")
    machine = MACHINES["linux-aarch64"]
    shutil.copy(HEADER, tmp_path / HEADER.name)
    shutil.copy(libraries()[machine.name], tmp_path / "librookery.so")
    program = compiled(EXAMPLES / "play.c", tmp_path, tmp_path / "play", machine)
    for name in catalog():
        table = write_table(name, tmp_path)
        played = run(emulator, "-L", ARM, program, table, str(HANDS), *CAST)
        assert played.lines == totals(name, HANDS, *CAST), name


def test_who_has_the_code_made_in_another_process_keeps_their_settings_of_numba() -> None:
    """Numba reads them whenever it compiles: without optimisation no code of its can be kept."""
    asked = "import os, scripts.native.lower; print(*sorted(os.environ))"
    here_too = [one for one in sorted(os.environ) if "NUMBA" in one]
    there = run(sys.executable, "-c", asked).lines[0].split(" ")
    assert [one for one in there if "NUMBA" in one] == here_too
