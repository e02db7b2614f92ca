"""Records and house-rule files are read: the same hands, scores, proofs and options as before."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.kept.looks import V0_1, kept, missing
from typer.testing import CliRunner, Result

from rookery.cli.main import app

RECORDS = kept("records_replayed.json")
PROOFS = kept("records_verified.json")
RULES = kept("rules_shown.json")
# What rules are; what is said of them in words may be said better.
IS = ("id", "name", "seats", "cards", "hand_size", "nest_size", "bid_minimum", "bid_maximum")
ARE = (*IS, "total_points", "target", "options")


def run(*words: str | Path, said: str = "") -> Result:
    return CliRunner().invoke(app, [*map(str, words)], input=said)


def document(*words: str | Path) -> Any:  # noqa: ANN401  (JSON)
    done = run(*words, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_all_that_is_kept_is_read() -> None:
    assert {path.name for path in (V0_1 / "records").iterdir()} == RECORDS.keys()
    assert {path.name for path in (V0_1 / "rules").iterdir()} == RULES.keys()


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_is_replayed_to_the_same_tricks_and_scores(name: str) -> None:
    assert missing(RECORDS[name], document("replay", V0_1 / "records" / name)) == []


@pytest.mark.parametrize("name", PROOFS)
def test_a_tables_record_is_proven(name: str) -> None:
    """The proof holds a hash of all options, so that a new option must not change it."""
    now = document("verify-deal", V0_1 / "records" / name)
    assert now["good"] is True
    assert missing(PROOFS[name], now) == []


@pytest.mark.parametrize("name", [name for name in RECORDS if name.startswith("play_")])
def test_a_match_in_the_terminal_goes_on(name: str, tmp_path: Path) -> None:
    copy = Path(shutil.copy(V0_1 / "records" / name, tmp_path / "game.json"))
    before = json.loads(copy.read_text("utf-8"))
    left = run("play", "--record", copy, said="quit\n")
    assert left.exit_code == 0, left.output
    assert json.loads(copy.read_text("utf-8")) == before
    last = RECORDS[name]["hands"][-1]
    assert last["to_act"] == 0
    if isinstance(last["legal"], list):
        wanted = last["legal"][-1]
        acted = run("play", "--record", copy, said=f"{wanted}\nquit\n")
        assert acted.exit_code == 0, acted.output
        now = json.loads(copy.read_text("utf-8"))
        at = len(before["hands"]) - 1
        done = before["hands"][at].pop("actions")
        assert now["hands"][at].pop("actions")[: len(done) + 1] == [*done, f"0 {wanted}"]
        assert {**now, "hands": now["hands"][: at + 1]} == before


def test_the_bots_of_a_match_in_the_terminal_go_on_as_they_would_have(tmp_path: Path) -> None:
    """These three bots and their dice are those of a study, and stay as they are."""
    for name, hands in kept("records_continued.json").items():
        copy = Path(shutil.copy(V0_1 / "records" / name, tmp_path / name))
        (begun,) = json.loads(copy.read_text("utf-8"))["hands"]
        said = []
        for hand, done in zip(hands, (len(begun["actions"]), 0), strict=True):
            said += [one[2:] for one in hand["actions"][done:] if one.startswith("0 ")]
            said.append("")  # deals the next hand
        left = run("play", "--record", copy, said="\n".join([*said[:-1], "quit\n"]))
        assert left.exit_code == 0, left.output
        assert json.loads(copy.read_text("utf-8"))["hands"] == hands


@pytest.mark.parametrize("name", RULES)
def test_house_rules_have_the_same_options(name: str) -> None:
    path = V0_1 / "rules" / name
    checked = run("rules", "check", path)
    assert checked.exit_code == 0, checked.output
    before = {key: RULES[name][key] for key in ARE}
    assert missing(before, document("rules", "show", path)) == []
