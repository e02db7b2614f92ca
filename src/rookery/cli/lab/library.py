"""`rookery library`: the native library, its C header and rule tables, for other programs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Final

import typer

from rookery.bots.dispatch import decide
from rookery.cli.arguments import Refused, check_folder
from rookery.cli.output import write_files
from rookery.engine.actions import apply
from rookery.engine.records import Allocator
from rookery.engine.targets import MissingTarget, native
from rookery.rules import Rules, RulesError, load
from rookery.rules.table import compile_rules

# As linkers look for a library called rookery.
NAME: Final = {"win32": "rookery.dll", "darwin": "librookery.dylib"}.get(
    sys.platform, "librookery.so"
)


def table_of(rules: Rules) -> bytes:
    """Return a rule set as the bytes of ``rookery_rule_table``, in this machine's order."""
    return bytes(Allocator("native").record(compile_rules(rules)))


def command(
    folder: Annotated[Path, typer.Argument(help="Where the files go; it is made.")],
    rules: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ID", help="A variant's id, or a house-rule file; may be given again."
        ),
    ] = None,
) -> None:
    """Write the native library and its C header into a folder, for programs in other languages.

    Each rule set goes into a file of its own, ID.table, which such a program reads whole. The
    functions and records are described in rookery.h.
    """
    files: dict[str, bytes] = {}
    for name in rules or ["kd_tournament"]:
        try:
            found = load(name)
        except RulesError as error:
            raise Refused(error.details[0].line()) from None
        file, table = f"{found.id or Path(name).stem}.table", table_of(found)
        if files.setdefault(file, table) != table:
            raise Refused(f"--rules {name}: other rules go to {file}; expected different names")
    try:
        native.check(apply, decide)
    except MissingTarget as error:
        raise Refused(f"library: {error}") from None
    check_folder("FOLDER", folder)
    files["rookery.h"] = native.HEADER.read_bytes()
    files[NAME] = native.LIBRARY.read_bytes()
    write_files(folder, files)
