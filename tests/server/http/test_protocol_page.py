"""The page for programmers says what the code does, and its example plays."""

from __future__ import annotations

import ast
import asyncio
import json
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from scripts.docs import protocol
from tests.server.http.served import PATIENCE, QUICK, Here, Served, line, served, table_for

from rookery import cards
from rookery.game import Hand
from rookery.rules import load
from rookery.server.api.tables import socket_schemas
from rookery.server.table import commands as cm
from rookery.server.table import messages as ms
from rookery.server.table.projection import Snapshot
from rookery.view import view_of

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "reference" / "socket.md"
SOURCES = ROOT / "src" / "rookery"
# Where a refusal that goes out on a socket is made, and which argument is its code.
REFUSING = {"refused": 0, "Refused": 0, "ms.Refused": 1, "IllegalAction": 0, "BadAction": 0}


def test_the_tables_of_the_page_are_those_of_the_code() -> None:
    page = PAGE.read_text("utf-8")
    assert protocol.rewritten(page) == page, "python -m scripts.docs.protocol writes it again"
    for name in protocol.TABLES:
        assert f"<!-- {name} -->" in page


def test_a_message_that_the_page_does_not_tell_of_is_found() -> None:
    page = PAGE.read_text("utf-8")
    without = re.sub(r"^\| `undo` .*\n", "", page, flags=re.MULTILINE)
    assert without != page
    assert protocol.rewritten(without) == page


def raised() -> set[str]:
    """Return the codes of the refusals that a command can come to, read from the sources."""
    places = ("game/*.py", "server/table/*.py", "server/live/*.py", "server/bots/program.py")
    paths = [path for place in places for path in SOURCES.glob(place)]
    trees = [ast.parse(path.read_text()) for path in (*paths, SOURCES / "server/http/websocket.py")]
    calls = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]
    made = [(call, REFUSING.get(ast.unparse(call.func))) for call in calls]
    codes = {ast.unparse(call.args[at]) for call, at in made if at is not None}
    # The rules return a refusal as its code and its reason.
    rules = ast.walk(ast.parse((SOURCES / "game/legal.py").read_text()))
    tuples = [
        node.value.elts
        for node in rules
        if isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple)
    ]
    codes |= {ast.unparse(why[0]) for why in tuples if len(why) == 2}
    return {ast.literal_eval(code) for code in codes if code.startswith(("'", '"'))}


def test_the_page_lists_the_refusals_that_can_be_sent_and_no_others() -> None:
    table = PAGE.read_text("utf-8").partition("<!-- refusals -->")[2].partition("<!-- end -->")[0]
    rows = [line for line in table.splitlines() if line.startswith("| `")]
    listed = {code for row in rows for code in re.findall(r"`([a-z-]+)`", row.split("|")[1])}
    # The code of `UnknownCard`, which a bad action takes over.
    assert listed == raised() | {cards.UnknownCard.code}


def test_every_message_stands_in_the_tables() -> None:
    for kind in (*get_args(cm.Command), *get_args(ms.Message)):
        tag = kind.__struct_config__.tag
        assert f"| `{tag}` |" in protocol.commands_table() + protocol.messages_table()


def test_the_schemas_are_there_to_read() -> None:
    async def story() -> Any:  # noqa: ANN401  (JSON is anything)
        async with Here().browser() as browser:
            return (await browser.get("/api/protocol.json")).json()

    told = asyncio.run(story())
    assert set(told) == {"commands", "messages", "snapshot"}
    assert "Act" in json.dumps(told["commands"])


def patterns(told: object) -> list[str]:
    """Return all patterns in a schema."""
    inner = told.values() if isinstance(told, dict) else told if isinstance(told, list) else ()
    found = [one for part in inner for one in patterns(part)]
    own = told.get("pattern") if isinstance(told, dict) else None
    return [*found, own] if isinstance(own, str) else found


PYTHONS = re.compile(r"\\[AZz]|\(\?[P<#(]")  # and not ECMAScript's, as in JSON schemas


def test_the_patterns_of_the_schemas_are_those_of_any_language() -> None:
    told = patterns(socket_schemas())
    assert r"^[0-9a-f]{32}$" in told
    assert [one for one in told if PYTHONS.search(one)] == []
    # The control: what the messages are read by is Python's own.
    assert [one for one in patterns(msgspec.json.schema(cm.Command)) if PYTHONS.search(one)] != []


def test_what_is_shown_fits_the_schema() -> None:
    async def story(here: Served) -> dict[str, Any]:
        ann = here.browser("Ann")
        async with line(here, ann, table_for(ann, rules=QUICK)) as one:
            await one.do(type="start")
            while one.table["view"] is None:
                await one.hear_type("update")
            return one.table

    with served() as here:
        table = asyncio.run(story(here))
    assert msgspec.convert(table, Snapshot).code == table["code"]


def unnamed(page: str) -> list[str]:
    """Return the fields of a snapshot, those of its view apart, that the page does not name."""
    block = page.partition("## The snapshot")[2].partition("```")[2].partition("```")[0]
    kinds = msgspec.json.schema(Snapshot)["$defs"].items()
    apart = {"View", "Played", "TrickSeen", "LaidOpen"}
    there = {key for name, kind in kinds if name not in apart for key in kind["properties"]}
    return sorted(there - set(re.findall(r'"(\w+)"', block)))


def test_the_page_names_every_field_of_a_table() -> None:
    page = PAGE.read_text("utf-8")
    assert unnamed(page) == []
    assert unnamed(page.replace('"round"', "").replace('"halted"', "")) == ["halted", "round"]


@pytest.mark.parametrize("variant", ["rook_three_1914", "call_partner_4", "circus"])
def test_the_example_does_what_it_may_in_each_shape(variant: str) -> None:
    first = runpy.run_path(str(ROOT / "examples" / "socket_bot.py"))["first_legal"]
    for seed in range(8):
        hand = Hand.shuffled(load(variant), dealer=0, seed=seed)
        while not hand.over:
            view = view_of(hand, hand.to_act)
            hand = hand.act(f"{view.turn} {first(view.legal, view.nest_found)}")


@pytest.mark.slow
def test_the_example_sits_down_or_says_why_not_and_plays_to_the_end() -> None:
    async def story(here: Served) -> list[int]:
        ann = here.browser("Ann")
        code = table_for(ann, rules=QUICK, bots=["papa", "papa"])
        async with line(here, ann, code) as one:
            program, address = str(ROOT / "examples" / "socket_bot.py"), f"{here.url}/"
            command = [sys.executable, program, address, code]
            robin = await asyncio.create_subprocess_exec(
                *command, stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
            async with asyncio.timeout(PATIENCE):
                while one.table["seats"][3]["name"] != "Robin":
                    await one.hear()
            twin = await asyncio.create_subprocess_exec(*command, stderr=subprocess.PIPE)
            async with asyncio.timeout(PATIENCE):
                _, said = await twin.communicate()
            assert (twin.returncode, said[:9]) == (1, b"no seat: ")
            await one.do(type="start")
            await one.do(type="leave")
            while one.table["phase"] != "over":
                await one.hear_type("update")
            async with asyncio.timeout(PATIENCE):
                out, err = await robin.communicate()
        assert (robin.returncode, err) == (0, b"")
        assert b"done" in out
        return list(one.table["winners"])

    with served() as here:
        assert asyncio.run(story(here))
