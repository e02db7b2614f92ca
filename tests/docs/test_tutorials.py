"""Every tutorial that needs no browser, done step by step; its figures are those of today.

Your first evening is done in ``tests/web/e2e/test_first_evening.py``.
"""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.docs.pages import DOCS
from tests.docs.tutorial import Tutorial
from tests.server.http.served import Served, first_legal, line, served, table_for

pytestmark = pytest.mark.slow
FIRST = re.compile(r"(?<=^def choose).*?(?=^def main)", re.DOTALL | re.MULTILINE)


def test_a_house_rule(tmp_path: Path) -> None:
    it = Tutorial("first-house-rule", tmp_path)
    it.save("ours.toml")
    listed = it.types("rookery rules list").splitlines()
    assert f"shows all {len(listed) - 1} variants" in it.text
    it.reads(it.types())
    assert "With `bid_minimun = 60` in the file" in it.text
    it.change("ours.toml", "bid_minimum", "bid_minimun")
    it.reads(it.types("rookery rules check ours.toml", status=1))
    it.change("ours.toml", "bid_minimun", "bid_minimum")
    shown = " ".join(it.types().split())
    quoted = re.findall(r'says\s+"([^"]+)"', it.text)
    assert len(quoted) == 2
    assert [words for words in quoted if " ".join(words.split()) not in shown] == []
    played = it.types(answers="?\nq\n")
    assert "\nOurs\n" in played
    assert played.endswith("Stopped.\n")
    it.reads(it.types())
    assert (tmp_path / "ours.png").read_bytes().startswith(b"\x89PNG")
    it.ends()


def test_a_study(tmp_path: Path) -> None:
    it = Tutorial("first-study", tmp_path)
    it.reads(it.types())
    it.save("nest.toml")
    it.reads(study := it.types())
    small, whole = re.findall(r"club - papa +\+(\d+\.\d+)", study)
    head, _, row, *_ = (tmp_path / "results" / "match.md").read_text("utf-8").splitlines()
    told = dict(zip(head.split(" | "), row.split(" | "), strict=True))
    said = "`papa` makes only {:.0%} of its contracts, and `club` makes {:.0%}"
    said = said.format(float(told["against_made"]), float(told["made"])).replace("%", " %")
    assert said in " ".join(it.text.split())
    limit = "bid_maximum = 75"
    assert limit in it.text
    it.change("nest.toml", "hand_size = 10 }", f"hand_size = 10, {limit} }}")
    it.change("nest.toml", '  "kd_tournament",\n', f'  {{ base = "kd_tournament", {limit} }},\n')
    again = it.types("rookery study nest.toml --out results", more="-again")
    it.reads(again)
    less, rest = re.findall(r"club - papa +\+(\d+\.\d+)", again)
    worth = [round(float(one) - float(other)) for one, other in ((small, whole), (less, rest))]
    assert "used to be worth {} points to `club`, and is now worth {}".format(*worth) in it.text
    it.ends()


def test_a_bot(tmp_path: Path) -> None:
    it = Tutorial("first-bot", tmp_path)
    it.save("mybot.py")
    it.reads(it.types())
    match = 'rookery match --seats "exec:python mybot.py,papa" --deals 100'
    it.reads(it.types(match))
    program = tmp_path / "mybot.py"
    better = it.block("python")
    assert "Replace `choose` by this" in it.text
    program.write_text(FIRST.sub("\0", program.read_text("utf-8")), "utf-8")
    it.change("mybot.py", "def choose\0", f"{better}\n\n")
    it.reads(it.types(match))
    assert "Change `>= 4` to `>= 3`" in it.text
    it.change("mybot.py", "len(strong) >= 4", "len(strong) >= 3")
    it.reads(it.types(match))
    it.save("seat.py")
    command = it.block("text")
    it.ends()
    with served() as here:
        ann = here.browser("Ann")
        code = table_for(ann, rules="kd_tournament", bots=["papa", "papa"])
        typed = command.replace("http://127.0.0.1:8000", f"{here.url}/")  # as `serve` says it
        typed = typed.replace("ABCDEF2", code)
        program_words = [sys.executable, *typed.split()[1:]]
        robin = subprocess.Popen(program_words, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
        try:
            played = asyncio.run(_hand(here, ann, code))
            twin = subprocess.run(
                program_words, cwd=tmp_path, capture_output=True, text=True, timeout=60
            )
        finally:
            robin.kill()
            _, wrong = robin.communicate()
    verbs = [event["verb"] for event in played]
    assert verbs.count("play") >= 9, wrong  # of one hand, or more where Ann was slow
    assert {"bid", "pass"} & set(verbs)
    assert {event["by"] for event in played} == {"person"}, wrong  # no bot played for it
    assert twin.stdout.startswith("somebody at this table has the name Robin"), twin.stderr


async def _hand(here: Served, ann: Any, code: str) -> Any:  # noqa: ANN401  (httpx's client)
    """Play a hand with whoever comes to the last seat; return what was done there."""
    async with line(here, ann, code) as one:
        while one.table["seats"][3]["name"] != "Robin":
            await one.hear()
        await one.do(type="start")
        while (view := one.table["view"]) is None or view["phase"] != "done":
            if view and view["to_act"] == 0 and view["legal"]:
                await one.do(type="act", action=first_legal(view), seen=one.table["seq"])
            else:
                await one.hear()
        events = [event for message in one.heard for event in message.get("events", ())]
        return [event for event in events if (event["type"], event.get("seat")) == ("acted", 3)]


def test_every_tutorial_is_done_somewhere() -> None:
    here = Path(__file__)
    tests = here.read_text("utf-8")
    tests += (here.parents[1] / "web" / "e2e" / "test_first_evening.py").read_text("utf-8")
    tests += (here.parents[1] / "envs" / "test_agents.py").read_text("utf-8")
    names = [path.stem for path in (DOCS / "tutorials").glob("*.md")]
    done = [name for name in names if f'Tutorial("{name}"' in tests or f'"{name}.md"' in tests]
    assert sorted(done) == sorted(names)


def test_a_tutorial_whose_figures_are_old_is_noticed(tmp_path: Path) -> None:
    it = Tutorial("first-house-rule", tmp_path)
    it.save("ours.toml")
    with pytest.raises(AssertionError):
        it.reads(it.types().replace("fit together", "fit"))
    with pytest.raises(AssertionError):
        it.ends()
