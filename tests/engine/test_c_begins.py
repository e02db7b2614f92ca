"""A program in C that does what `rookery.h` says, and no more, begins with sound records."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from scripts.native.header import INTRODUCTION, declaration, header, in_c, records
from scripts.native.kernels import PUBLIC, signature_of
from scripts.native.link import linker
from tests.engine.c_api import ROOT, compiled, run
from tests.solver.test_sample import positions
from typer.testing import CliRunner

from rookery.bots.dispatch import kind_of
from rookery.bots.seat_info import SeatInfo
from rookery.cards import CARDS
from rookery.cli.main import app
from rookery.engine.deal import deal, shuffle
from rookery.engine.records import copy_of
from rookery.engine.rng import seeded
from rookery.engine.state import PLAY, Hidden, State
from rookery.lab.run.streams import play_deal
from rookery.rules import catalog, load
from rookery.rules.fields import layout
from rookery.rules.table import RuleTable, compile_rules
from rookery.solver.answer import EVERY, solve_ending
from rookery.solver.ending import Ending
from rookery.solver.sample import ROOM
from rookery.solver.transpositions import BUCKET, ENTRY

VARIANTS = ("kd_tournament", "rook_1906", "circus")
BOTS = ("papa", "club", "rabbit", "random")
MEMORY = (BUCKET + (1 << 10)) * ENTRY

in_c_only = pytest.mark.skipif(linker() is None, reason="no C compiler")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder as `rookery library` makes it, with the program that begins with zeros."""
    made = tmp_path_factory.mktemp("begins") / "here"
    rules = [word for name in VARIANTS for word in ("--rules", name)]
    done = CliRunner().invoke(app, ["library", str(made), *rules])
    assert done.exit_code == 0, done.output
    compiled(ROOT / "tests" / "engine" / "zeros.c", made, made / "zeros")
    return made


def zeros(record: type[Any]) -> Any:  # noqa: ANN401  (one of the class)
    """Return a record as C has it at first."""
    made = record()
    for name, size in layout(record):
        setattr(made, name, [0] * size if size else 0)
    return made


def defaults(record: type[Any]) -> list[str]:
    """Return the fields of a record that begin as anything else in Python."""
    plain, other = record(), zeros(record)
    return [name for name, _ in layout(record) if getattr(plain, name) != getattr(other, name)]


@in_c_only
@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("name", VARIANTS)
def test_bots_play_a_hand_with_records_of_zeros(name: str, bot: str, folder: Path) -> None:
    kind = kind_of(bot)
    played = run(folder / "zeros", folder / f"{name}.table", "hand", str(kind))
    table, s, order = compile_rules(load(name)), State(), [0] * CARDS
    mine = [SeatInfo() for _ in range(table.seats)]
    play_deal(table, s, Hidden(), mine, [kind] * table.seats, order, 0)
    assert played.lines == [str(one) for one in s.score[: table.seats]]


@in_c_only
@pytest.mark.parametrize("room", [0, 1, 32, ROOM])
@pytest.mark.parametrize("name", VARIANTS)
def test_a_search_stays_in_its_list_of_ways(name: str, room: int, folder: Path) -> None:
    played = run(folder / "zeros", folder / f"{name}.table", "search", str(room))
    assert int(played.lines[0]) > 30


def test_the_header_says_how_long_a_list_of_ways_is() -> None:
    assert f"ROOKERY_WAYS = {ROOM}\n" in header()


def told(text: str, kernel: Any) -> str:  # noqa: ANN401  (a kernel)
    """Return the comment that stands at a function in the header."""
    before = text[: text.index(declaration(kernel))]
    return before[before.rindex("/*") :]


def test_every_list_is_named_where_its_function_is_declared() -> None:
    for kernel in PUBLIC:
        names = kernel.__code__.co_varnames
        lists = [
            in_c(name)
            for name, word in zip(names, signature_of(kernel)[0], strict=False)
            if word.endswith("[]")
        ]
        for name in lists:
            said = told(header(), kernel)
            assert f"`{name}`" in said or f" {name}: " in said, (kernel.__name__, name)


def test_the_header_says_that_the_memory_is_zeros_at_first() -> None:
    text = " ".join(header().replace("\n *", " ").split())
    at = text.index("ROOKERY_MEMORY_ENTRY")
    assert "all 0 before its first use" in text[at - 200 : at]
    assert "all 0 before its first use" in told(header(), solve_ending)


@pytest.mark.parametrize("name", catalog())
def test_a_deal_sets_the_defaults(name: str) -> None:
    table, order = compile_rules(load(name)), [0] * CARDS
    s, h = zeros(State), zeros(Hidden)
    h.rng = seeded(1, 0)
    shuffle(table, h, order)
    deal(table, s, h, order, 0)
    also, closed = State(), Hidden(rng=h.rng)
    deal(table, also, closed, order, 0)
    for one, other in ((s, also), (h, closed)):
        for field in fields(one):
            # Of a list, as many as the rules use.
            there, wanted = getattr(one, field.name), getattr(other, field.name)
            if "used" in field.metadata:
                used = eval(field.metadata["used"], {"table": table})  # noqa: S307  (ours)
                there, wanted = there[:used], wanted[:used]
            assert there == wanted, field.name


def test_the_solver_sets_the_defaults() -> None:
    seen = 0
    for table, s, h, _ in positions(load("kd_tournament"), range(3), "papa"):
        if s.phase == PLAY and s.tricks > 7:
            solved = []
            for w in (zeros(Ending), Ending()):
                solve_ending(table, copy_of(s), copy_of(h), w, [0] * MEMORY, EVERY)
                solved.append({name: getattr(w, name) for name in defaults(Ending)})
            assert solved[0] == solved[1]
            seen += 1
    assert seen > 5


def test_what_no_function_sets_is_named() -> None:
    """These are the caller's: a search and a bot take them as they are."""
    yours = {record: defaults(record) for record in records()}
    for record in (State, Ending, RuleTable):
        del yours[record]  # set by a deal, by the solver, and in the file
    yours[Hidden] = ["rng"]
    named = INTRODUCTION[INTRODUCTION.index("No function sets these") :]
    for record, names in yours.items():
        for name in names:
            assert f"`{name}`" in named, (record.__name__, name)
    # The control: there is something to name.
    assert sum(map(len, yours.values())) > 4
