"""`rookery.h` says what the library is, and programs in C and Lua play by it as Python does."""

from __future__ import annotations

import ctypes
import re
import shutil
from pathlib import Path

import pytest
from scripts.native.header import header, in_c, records
from scripts.native.kernels import EXPORTED, PUBLIC
from scripts.native.link import linker
from tests.engine.c_api import (
    EXAMPLES,
    ROOT,
    compiled,
    declarations,
    least_change,
    run,
    structure,
    totals,
    write_table,
)
from typer.testing import CliRunner

from rookery.cli.lab.library import NAME
from rookery.cli.main import app
from rookery.engine.targets import MissingTarget, native
from rookery.engine.targets.native import API, HEADER, symbol_of
from rookery.rules import catalog
from rookery.rules.table import RuleTable

KEPT = ROOT / "tests" / "kept" / "c"  # the header of each version
HANDS = 5
CAST = ("papa", "hog", "club", "rabbit", "karapet", "random")

pytestmark = pytest.mark.skipif(linker() is None, reason="no C compiler")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder as `rookery library` makes it, with all variants."""
    if HEADER.read_text("utf-8") != header():
        pytest.skip("rookery.h is out of date: the test of it says what to do")
    made = tmp_path_factory.mktemp("library") / "here"
    rules = [word for name in catalog() for word in ("--rules", name)]
    done = CliRunner().invoke(app, ["library", str(made), *rules])
    assert done.exit_code == 0, done.output
    return made


@pytest.fixture(scope="module")
def player(folder: Path) -> Path:
    """Return the example in C, compiled."""
    return compiled(EXAMPLES / "play.c", folder, folder.parent / "play")


def test_the_header_is_what_the_sources_say() -> None:
    assert HEADER.read_text("utf-8") == header(), "run: python -m scripts.native.header"


def test_all_names_differ_and_the_public_ones_are_declared() -> None:
    names = [symbol_of(kernel) for kernel in EXPORTED]
    assert len(names) == len(set(names))
    declared = declarations(header())
    assert {symbol_of(kernel) for kernel in PUBLIC} <= declared.keys()
    offered = {*names, "rookery_contents", "rookery_api_version"}
    assert {name for name, text in declared.items() if "(" in text} <= offered


def test_whatever_a_comment_names_is_declared() -> None:
    """A program is told of nothing that the library does not have."""
    code = re.sub(r"/\*.*?\*/", "", header(), flags=re.DOTALL)
    words = {word.removeprefix("rookery_") for word in re.findall(r"\w+", code)}
    comments = " ".join(re.findall(r"/\*.*?\*/", header(), re.DOTALL))
    named = set(re.findall(r"`([a-z][a-z0-9_]*)`", comments))
    assert "may_redeal" in named
    assert not named - words


LAYOUT = """
#include "rookery.h"
#include <stddef.h>
#include <stdio.h>
#define SIZE(record) printf(#record " %zu\\n", sizeof(record))
#define FIELD(record, field) printf(#record "." #field " %zu\\n", offsetof(record, field))
int main(void) {
"""


def layout_in_c(folder: Path, made: Path) -> list[str]:
    """Return size and places of all records and fields, as a C compiler lays them out."""
    lines = []
    for record, name in records().items():
        lines.append(f"SIZE({name});")
        lines += [f"FIELD({name}, {in_c(field[0])});" for field in structure(record)._fields_]
    source = made.with_suffix(".c")
    source.write_text(LAYOUT + "\n".join(lines) + "\nreturn 0;\n}\n")
    return run(compiled(source, folder, made)).lines


def layout_in_python() -> list[str]:
    lines = []
    for record, name in records().items():
        there = structure(record)
        lines.append(f"{name} {ctypes.sizeof(there)}")
        for field in there._fields_:
            lines.append(f"{name}.{in_c(field[0])} {getattr(there, field[0]).offset}")
    return lines


def test_records_lie_in_c_as_they_do_in_python(folder: Path, tmp_path: Path) -> None:
    assert layout_in_c(folder, tmp_path / "sound") == layout_in_python()
    # The control: two fields have changed places.
    wrong = tmp_path / "wrong"
    shutil.copytree(folder, wrong)
    text = (wrong / "rookery.h").read_text("utf-8")
    text = re.sub(r"(  int64_t turn;.*\n)(  int64_t dealer;.*\n)", r"\2\1", text)
    (wrong / "rookery.h").write_text(text, "utf-8")
    assert layout_in_c(wrong, tmp_path / "spoilt") != layout_in_python()


@pytest.mark.slow
@pytest.mark.parametrize("name", catalog())
def test_the_example_in_c_plays_as_python_does(name: str, folder: Path, player: Path) -> None:
    played = run(player, folder / f"{name}.table", str(HANDS), *CAST)
    assert played.lines == totals(name, HANDS, *CAST)


@pytest.mark.slow
def test_the_example_in_lua_plays_as_python_does(folder: Path) -> None:
    """It does by itself, action by action, what the library does for the other one."""
    program = shutil.which("luajit")
    if program is None:
        pytest.skip("no LuaJIT")
    for name in catalog():
        played = run(program, EXAMPLES / "play.lua", folder, name, str(HANDS), *CAST)
        assert played.lines == totals(name, HANDS, *CAST), name
    # The control: in the header, a bot has the number of another one.
    wrong = folder.parent / "wrong"
    shutil.copytree(folder, wrong)
    text = (wrong / "rookery.h").read_text("utf-8")
    (wrong / "rookery.h").write_text(text.replace("BOT_PAPA = 1,", "BOT_PAPA = 2,"), "utf-8")
    played = run(program, EXAMPLES / "play.lua", wrong, "kd_tournament", str(HANDS), *CAST)
    assert played.lines != totals("kd_tournament", HANDS, *CAST)


def test_a_wrong_number_in_a_table_file_is_found(
    folder: Path, player: Path, tmp_path: Path
) -> None:
    """The control of the tables: one number of one field, as bytes."""
    name = "kd_tournament"
    table = structure(RuleTable)
    data = table.from_buffer_copy((folder / f"{name}.table").read_bytes())
    data.bid_minimum += 5
    spoilt = tmp_path / "spoilt.table"
    spoilt.write_bytes(bytes(data))
    assert run(player, spoilt, str(HANDS), *CAST).lines != totals(name, HANDS, *CAST)


def test_what_the_example_cannot_use_is_one_line(
    folder: Path, player: Path, tmp_path: Path
) -> None:
    sound = write_table("kd_tournament", tmp_path)
    short = tmp_path / "short.table"
    short.write_bytes(sound.read_bytes()[:-8])
    long = tmp_path / "long.table"
    long.write_bytes(sound.read_bytes() + bytes(8))
    for words, told in (
        ((), "expected TABLE HANDS BOT..."),
        ((short, "1", "papa"), f"no rule table of this version: {short}"),
        ((long, "1", "papa"), f"no rule table of this version: {long}"),
        ((tmp_path / "none", "1", "papa"), f"cannot be opened: {tmp_path / 'none'}"),
        ((sound, "0", "papa"), "expected a number of hands, got 0"),
        ((sound, "1", "nobody"), "no such bot: nobody"),
    ):
        assert run(player, *words, status=2).told == f"play: {told}\n"


def number(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def test_the_version_grows_with_what_changes() -> None:
    """Each version's header is kept; the latest of them is the one that is compared."""
    kept = sorted(KEPT.glob("*.h"), key=lambda path: number(path.stem))
    before, text = kept[-1].stem, kept[-1].read_text("utf-8")
    change = least_change(text, header())
    if change == "none":
        assert before == API
        return
    was, now = number(before), number(API)
    wanted = {"major": (was[0] + 1, 0, 0), "minor": (was[0], was[1] + 1, 0)}[change]
    version = ".".join(map(str, wanted))
    assert now == wanted, f"the interface has changed: set API in targets/native.py to {version}"
    pytest.fail(f"run python -m scripts.native.header; copy {HEADER.name} to tests/kept/c/{API}.h")


def test_every_kind_of_change_is_seen() -> None:
    """The control of the version."""
    text = header()
    assert least_change(text, text) == "none"
    assert least_change(text, text.replace("/* a place", "/* some place")) == "none"
    for before, after in (
        ("  int64_t turn;", "  int64_t turned;"),
        ("  int64_t turn;", ""),
        ("[57];", "[58];"),
        ("ROOKERY_CARDS = 57", "ROOKERY_CARDS = 58"),
        ("int64_t rookery_actor(rookery_state *s)", "void rookery_actor(rookery_state *s)"),
        ("int64_t rookery_actor(rookery_state *s);", ""),
    ):
        assert before in text, before
        assert least_change(text, text.replace(before, after)) == "major", before
    more = text.replace(
        "int64_t rookery_actor(", "int64_t rookery_also(void);\nint64_t rookery_actor("
    )
    assert least_change(text, more) == "minor"


def test_the_library_says_its_version() -> None:
    library = ctypes.CDLL(str(native.LIBRARY))
    major, minor, patch = number(API)
    library.rookery_api_version.restype = ctypes.c_int64
    assert library.rookery_api_version() == (major * 1000 + minor) * 1000 + patch
    for name, value in zip(("MAJOR", "MINOR", "PATCH"), (major, minor, patch), strict=True):
        assert f"#define ROOKERY_API_{name} {value}\n" in header()


def test_the_command_writes_what_a_program_needs(tmp_path: Path) -> None:
    rules = tmp_path / "ours.toml"
    rules.write_text('base = "kd_tournament"\nbid_minimum = 80\n')
    made = tmp_path / "new" / "here"
    done = CliRunner().invoke(app, ["library", str(made), "--rules", str(rules)])
    assert done.exit_code == 0, done.output
    (table,) = made.glob("*.table")
    assert {path.name for path in made.iterdir()} == {NAME, "rookery.h", table.name}
    assert structure(RuleTable).from_buffer_copy(table.read_bytes()).bid_minimum == 80


def test_no_rules_are_lost_where_two_have_one_name(tmp_path: Path) -> None:
    files = [tmp_path / "dixie.toml", tmp_path / "dixie.json"]
    files[0].write_text("bid_minimum = 60")
    files[1].write_text('{"bid_minimum": 60}')
    made = tmp_path / "here"
    same = [word for file in files for word in ("--rules", str(file))]
    assert CliRunner().invoke(app, ["library", str(made), *same]).exit_code == 0
    shutil.rmtree(made)
    done = CliRunner().invoke(app, ["library", str(made), "--rules", "dixie", *same])
    assert (done.exit_code, done.output.count("\n")) == (2, 1)
    assert "other rules go to dixie.table" in done.output
    assert not made.exists()


def test_the_command_refuses_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    file.touch()
    for words in ((str(tmp_path / "a"), "--rules", "nothing_like_it"), (str(file),)):
        done = CliRunner().invoke(app, ["library", *words])
        assert (done.exit_code, len(done.stderr.splitlines())) == (2, 1)

    def check(*_: object) -> None:
        raise MissingTarget("the native library is not here")

    monkeypatch.setattr(native, "check", check)
    done = CliRunner().invoke(app, ["library", str(tmp_path / "b")])
    assert (done.exit_code, done.stderr) == (2, "library: the native library is not here\n")
    assert not (tmp_path / "b").exists()
