"""What a library offers and asks of others, read from its file, whatever machine it is for."""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple

import lief
from scripts.native.machine import Machine

lief.logging.disable()
_PROCESSORS: Final = {"AMD64": "x86_64"}  # as Windows says; the others say what we say
# What the kernels may ask of the C library, which on a Mac has more such functions.
FROM_C: Final = {"memcpy", "memmove", "memset", "bzero", "memset_pattern16"}
# What compilers and linkers add to a library by themselves: names that it asks for, and offers.
ADDED: Final = {
    *("_ITM_deregisterTMCloneTable", "_ITM_registerTMCloneTable", "__cxa_finalize"),
    *("__gmon_start__", "dyld_stub_binder", "__dso_handle", "_mh_dylib_header"),
}


class Symbols(NamedTuple):
    """What a library's file says.

    Attributes:
        machine: which machine it is for, by our name.
        offered: the names that it exports.
        asked: the names that it asks of other libraries.
        libraries: the libraries that it asks.
    """

    machine: str
    offered: frozenset[str]
    asked: frozenset[str]
    libraries: frozenset[str]


def symbols(path: Path) -> Symbols:
    """Return what a library's file says.

    Raises:
        ValueError: it is no library.
    """
    found = lief.parse(path)
    if isinstance(found, lief.ELF.Binary):
        return Symbols(
            f"linux-{_processor(found.header.machine_type.name)}",
            frozenset(str(one.name) for one in found.dynamic_symbols if one.name and one.shndx),
            frozenset(str(one.name) for one in found.dynamic_symbols if one.name and not one.shndx),
            frozenset(map(str, found.libraries)),
        )
    if isinstance(found, lief.MachO.Binary):
        libraries = [one for one in found.commands if isinstance(one, lief.MachO.DylibCommand)]
        own = lief.MachO.LoadCommand.TYPE.ID_DYLIB
        return Symbols(
            f"macos-{_processor(found.header.cpu_type.name)}",
            frozenset(str(one.name).removeprefix("_") for one in found.exported_symbols),
            frozenset(str(one.name).removeprefix("_") for one in found.imported_symbols),
            frozenset(str(one.name) for one in libraries if one.command != own),
        )
    if isinstance(found, lief.PE.Binary):
        exports = found.get_export()
        return Symbols(
            f"windows-{_processor(found.header.machine.name)}",
            frozenset(str(one.name) for one in exports.entries) if exports else frozenset(),
            frozenset(str(one.name) for library in found.imports for one in library.entries),
            frozenset(str(library.name).lower() for library in found.imports),
        )
    raise ValueError(f"{path.name} is no library")


def _processor(name: str) -> str:
    return _PROCESSORS.get(name, name.lower())


def too_much(path: Path, machine: Machine, offered: set[str]) -> list[str]:
    """Return what is wrong with a library that should be for a machine and offer these names."""
    found = symbols(path)
    wrong = []
    if found.machine != machine.name:
        wrong.append(f"{path.name} is for {found.machine}, not for {machine.name}")
    if found.offered - ADDED != offered:
        others = sorted((found.offered - ADDED) ^ offered)
        wrong.append(f"{path.name} has other names: {others}")
    more = found.asked - FROM_C - ADDED
    if more:
        wrong.append(f"{path.name} asks others for {sorted(more)}")
    return wrong
