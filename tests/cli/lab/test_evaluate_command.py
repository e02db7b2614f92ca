"""`rookery evaluate`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from rookery.cli.main import app

AGENT = """
import numpy as np

weights = [1, 2]

def policy(seen):
    return int(np.flatnonzero(seen["action_mask"])[0])

def many(seen):
    return seen["action_mask"].argmax(1)

def wrong(seen):
    return 217

def missing(seen):
    return seen["x"]

def leaving(seen):
    raise SystemExit(3)
"""
FAULTY = {
    "unfinished": "\ndef policy(seen)\n",
    "raising": "def sure():\n    raise RuntimeError('no weights')\n\nsure()\n",
    "leaving": "import sys\nsys.exit(3)\n",
    "relying": "import unfinished\n",
    "circular": "error = RuntimeError('round')\nraise error from error\n",
}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_own_agent.py").write_text(AGENT)
    (tmp_path / "needy.py").write_text("import not_there")
    for name, text in FAULTY.items():
        (tmp_path / f"{name}.py").write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", ["", *__import__("sys").path])
    monkeypatch.setenv("ROOKERY_TARGET", "python")


def evaluated(*options: str) -> Result:
    return CliRunner().invoke(app, ["evaluate", "--deals", "3", *options])


def test_a_table_and_a_document_say_the_same() -> None:
    options = ("my_own_agent:policy", "--opponents", "beginner", "--name", "first")
    text, document = evaluated(*options), evaluated(*options, "--json")
    assert (text.exit_code, document.exit_code) == (0, 0), text.output
    found = json.loads(document.stdout)
    assert text.stdout.startswith("first: kd_tournament, validation deals, seed 1\n")
    for one in found["meetings"]:
        assert f"{one['difference']['mean']:+.2f} ± " in text.stdout


def test_a_batched_policy_with_partners_of_choice() -> None:
    found = evaluated("my_own_agent:many", "--batched", "--partners", "unknown", "--json",
                      "--opponents", "beginner,casual", "--sprt", "0,5")  # fmt: skip
    assert found.exit_code == 0, found.output
    assert [one["partner"] for one in json.loads(found.stdout)["meetings"]] == ["unknown"] * 2


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("my_own_agent",), "my_own_agent: expected MODULE:NAME, like agent:policy"),
        (("./my_own_agent.py:policy",), "./my_own_agent.py:policy: expected MODULE:NAME, like"),
        (("needy:policy",), "needy:policy: needy needs not_there, which is not installed"),
        (("not_there:policy",), "not_there:policy: no module not_there is in this folder"),
        (("my_own_agent:nothing",), "has no such name; expected a function"),
        (("my_own_agent:weights",), "is list; expected a function"),
        (("my_own_agent:wrong",), "policy: action 217 is not legal here"),
        (("my_own_agent:wrong", "--name", "a"), "policy a: action 217 is not legal here"),
        (("my_own_agent:missing",), "policy: KeyError: 'x' (my_own_agent.py, line 16)"),
        (("my_own_agent:leaving",), "policy: SystemExit: 3 (my_own_agent.py, line 19)"),
        (("unfinished:policy",), "unfinished cannot be imported: SyntaxError: expected ':' (unf"),
        (("unfinished:policy",), "(unfinished.py, line 2)"),
        (("relying:policy",), "relying cannot be imported: SyntaxError: expected ':' (unfinished"),
        (("raising:policy",), "imported: RuntimeError: no weights (raising.py, line 2)"),
        (("leaving:policy",), "leaving cannot be imported: SystemExit: 3 (leaving.py, line 2)"),
        (("my_own_agent:policy", "--partners", "me"), "partners ['me']: expected a list of some"),
        (("my_own_agent:policy", "--ledger", "x"), "--ledger x: is for --family holdout"),
        (("my_own_agent:policy", "--sprt", "5"), "--sprt 5: expected two numbers"),
    ],
)
def test_what_cannot_be_is_told_in_one_line(options: tuple[str, ...], words: str) -> None:
    found = evaluated(*options)
    assert found.exit_code == 2
    assert found.stdout == ""
    assert words in found.stderr
    assert "policy policy" not in found.stderr
    assert "[lab]" not in found.stderr
    assert len(found.stderr.strip().splitlines()) == 1
