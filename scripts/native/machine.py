"""The machines that the library is built for."""

from __future__ import annotations

import platform
import sys
from typing import Final, NamedTuple


class Machine(NamedTuple):
    """A machine, as each tool calls it.

    Attributes:
        name: what we call it.
        triple: LLVM's name.
        cpu: the least processor that will do, by LLVM's name.
        zig: ziglang's name.
        library: the name of the file.
        tag: of a wheel, as pip knows it.
    """

    name: str
    triple: str
    cpu: str
    zig: str
    library: str
    tag: str


MACHINES: Final = {
    one.name: one
    for one in (
        # All such processors since about 2009; they count bits in one instruction.
        Machine(
            "linux-x86_64",
            "x86_64-unknown-linux-gnu",
            "x86-64-v2",
            "x86_64-linux-gnu",
            "rookery_native.so",
            "manylinux_2_17_x86_64",
        ),
        Machine(
            "linux-aarch64",
            "aarch64-unknown-linux-gnu",
            "generic",
            "aarch64-linux-gnu",
            "rookery_native.so",
            "manylinux_2_17_aarch64",
        ),
        Machine(
            "macos-arm64",
            "arm64-apple-macosx11.0.0",
            "apple-m1",
            "aarch64-macos.11.0",
            "rookery_native.dylib",
            "macosx_11_0_arm64",
        ),
        Machine(
            "windows-x86_64",
            "x86_64-pc-windows-gnu",
            "x86-64-v2",
            "x86_64-windows-gnu",
            "rookery_native.dll",
            "win_amd64",
        ),
    )
}
_SYSTEMS: Final = {"linux": "linux", "darwin": "macos", "win32": "windows"}
_PROCESSORS: Final = {
    "amd64": "x86_64",
    "arm64": "arm64" if sys.platform == "darwin" else "aarch64",
}


def here() -> Machine | None:
    """Return the machine that builds; None where none is built for such a one."""
    processor = platform.machine().lower()
    system = _SYSTEMS.get(sys.platform, sys.platform)
    return MACHINES.get(f"{system}-{_PROCESSORS.get(processor, processor)}")
