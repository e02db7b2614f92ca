"""The examples of agents that learn: each beats where it began, by more than chance gives."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from importlib import import_module
from math import hypot
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rookery
from rookery.engine.state import NEST
from rookery.envs.evaluation.report import read
from rookery.envs.hands import observation_of
from rookery.envs.observations.compact import places_of
from rookery.rules.table import compile_rules

ROOT = Path(__file__).resolve().parents[2]
AGENTS = ROOT / "examples" / "agents"
LONGEST = 200  # lines of an example
SURE = 2.0  # times both half intervals together: about four standard errors


@pytest.fixture(autouse=True)
def beside_the_examples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(AGENTS)


def python_of(page: str) -> list[str]:
    """Return the blocks of Python in a page."""
    return re.findall(r"^```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)


def gain(curve: list[dict[str, Any]], who: str) -> tuple[float, float]:
    """Return what a curve rose by, points a board, and half of the interval of that."""
    (before, one), (after, two) = (at["points"][who] for at in (curve[0], curve[-1]))
    return after - before, hypot(one, two)


@pytest.mark.slow
def test_ppo_learns_from_play_with_itself() -> None:
    ppo = import_module("ppo")
    _, curve = ppo.train("kd_tournament", rounds=4, every=4, deals=200, seed=1)
    rise, half = gain(curve, "beginner")
    assert rise > 60
    assert rise > SURE * half
    assert curve[-1]["hands"] == 4 * ppo.TABLES
    assert curve[-1]["decisions"] > 20 * curve[-1]["hands"]


@pytest.mark.slow
def test_the_command_of_the_tutorial_writes_what_it_promises(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "tutorials" / "first-agent.md").read_text("utf-8")
    assert "python ppo.py --minutes 4 --out ppo\n" in page
    (tmp_path / "ppo.py").write_text("\n\n".join(python_of(page)), "utf-8")
    done = subprocess.run(
        [sys.executable, "ppo.py", "--minutes", "0.02", "--deals", "20", "--out", "ppo"],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    files = {path.name for path in (tmp_path / "ppo").iterdir()}
    assert files == {"curve.json", "curve.svg", "report.json", "weights.npz"}
    assert str(read(tmp_path / "ppo" / "report.json")) in done.stdout
    curve = json.loads((tmp_path / "ppo" / "curve.json").read_text())
    assert gain(curve, "beginner")[0] > 0


@pytest.mark.slow
def test_ppo_that_takes_no_steps_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: with a rate of nothing the curve stays where it is."""
    ppo = import_module("ppo")
    monkeypatch.setattr(ppo, "RATE", 0.0)
    monkeypatch.setattr(ppo, "TABLES", 16)
    _, curve = ppo.train("kd_tournament", rounds=1, every=1, deals=50, seed=1)
    assert gain(curve, "beginner")[0] == 0


@pytest.mark.slow
def test_a_clone_learns_from_its_teacher() -> None:
    """`papa` teaches here: it needs no search, so there are positions in seconds."""
    clone = import_module("clone")
    found = clone.positions("kd_tournament", "papa", hands=60, seed=3)
    assert len(found["action"]) > 2500
    rows = np.arange(len(found["action"]))
    assert found["action_mask"][rows, found["action"]].all()
    _, curve = clone.train("kd_tournament", found, epochs=12, every=12, deals=300, seed=1)
    rise, half = gain(curve, "beginner")
    assert rise > 40
    assert rise > SURE * half
    assert curve[-1]["agreement"] > curve[0]["agreement"] + 0.1


def test_with_colours_exchanged_a_position_is_that_of_the_exchanged_cards() -> None:
    """A hand of other colours is played beside: what its seats see is what the clone learns."""
    clone, rules = import_module("clone"), rookery.load_rules("kd_tournament")
    ways = clone.recolourings("kd_tournament")
    assert (len(ways), len(clone.recolourings("red_1"))) == (24, 1)
    columns, actions = ways[9]
    moved = np.argsort(actions)  # where each action goes to
    hand = rookery.Hand.shuffled(rules, 0, 7)
    there = [[rookery.card_name(int(moved[card])) for card in held] for held in hand.dealt]
    nest = [rookery.card_name(int(moved[card])) for card in hand.nest_dealt]
    other = rookery.Hand.deal(rules, 0, there, nest)
    random, differ = np.random.default_rng(1), 0
    while not hand.over:
        seen, beside = observation_of(hand), observation_of(other)
        assert (seen["observation"][columns] == beside["observation"]).all()
        assert (seen["action_mask"][actions] == beside["action_mask"]).all()
        differ += bool((seen["observation"] != beside["observation"]).any())
        action = int(random.choice(np.flatnonzero(seen["action_mask"])))
        hand, other = hand.do(action), other.do(int(moved[action]))
    assert other.over
    assert hand.score == other.score
    assert differ > 40  # the control: unexchanged they are not the same


class Highest:
    """A teacher who does whatever has the highest number."""

    def begin(self, hand: rookery.Hand, dice: int) -> None:
        """Sit down."""

    def act(self, hand: rookery.Hand) -> rookery.Action:
        written = len(hand.actions)
        while len(hand.actions) == written:
            hand = hand.do(max(hand.legal_numbers()))
        return hand.actions[-1]


def test_what_is_learnt_is_the_teachers_also_where_a_seat_strayed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clone = import_module("clone")
    monkeypatch.setattr(rookery, "bot", lambda name: Taught())
    places = places_of(compile_rules(rookery.load_rules("kd_tournament")))
    found = []
    for stray in (0.0, 0.5):
        monkeypatch.setattr(clone, "STRAY", stray)
        found.append(clone.positions("kd_tournament", "highest", hands=3, seed=3))
        there = found[-1]
        nest = there["observation"][:, places["phase"]].argmax(1) == NEST  # cards in any order
        highest = there["action_mask"].shape[1] - 1 - there["action_mask"][:, ::-1].argmax(1)
        assert (there["action"] == highest)[~nest].all()
        assert there["hand"].tolist() == sorted(there["hand"].tolist())
    assert found[0]["observation"].tobytes() != found[1]["observation"].tobytes()


class Taught:
    """The bot whose players are `Highest`."""

    def seated(self, rules: rookery.Rules, seat: int) -> Highest:
        return Highest()


def test_pytorch_does_the_same_where_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch", reason="PyTorch is installed by hand")
    torch_ppo = import_module("ppo_torch")
    monkeypatch.setattr(torch_ppo, "BATCH", 1024)
    _, curve = torch_ppo.train("kd_tournament", rounds=8, every=8, tables=256, hidden=64, deals=200)
    rise, half = gain(curve, "beginner")
    assert rise > SURE * half > 0


@pytest.mark.parametrize("path", sorted(AGENTS.glob("*.py")), ids=lambda path: path.name)
def test_an_example_is_short_and_its_command_is_its_own(path: Path) -> None:
    text = path.read_text("utf-8")
    assert len(text.splitlines()) < LONGEST
    assert f"\npython {path.name} " in str(ast.get_docstring(ast.parse(text), clean=False))


@pytest.mark.parametrize(
    ("name", "across"), [("ppo-numpy", "hands"), ("clone-of-expert", "epochs")]
)
def test_a_curve_is_kept_as_data_and_as_a_picture(name: str, across: str) -> None:
    held = json.loads((ROOT / "docs" / "data" / f"curve-{name}.json").read_text("utf-8"))
    curve = held["curve"]
    assert [one[across] for one in curve] == sorted(one[across] for one in curve)
    rise, half = gain(curve, "club")
    assert rise > SURE * half
    picture = (ROOT / "docs" / "img" / f"{name}.svg").read_text("utf-8")
    assert re.search("<svg ", picture)
    assert held["machine"]


def test_the_tutorial_shows_the_program_as_it_is() -> None:
    page = (ROOT / "docs" / "tutorials" / "first-agent.md").read_text("utf-8")
    shown = "\n".join(python_of(page))
    kept = (AGENTS / "ppo.py").read_text("utf-8")
    assert re.sub(r"\n+", "\n", shown) == re.sub(r"\n+", "\n", kept)
