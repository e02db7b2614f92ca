"""What programs are sent in matches, and what they answer, is what the schema says."""

from __future__ import annotations

import json
import queue
import sys
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from tests.bots.messages import faults_of, faults_of_answer

from rookery.bots import external
from rookery.bots.names import Bot, bot
from rookery.bots.player import NoAnswer
from rookery.game import Hand
from rookery.lab.duplicate.match import Match, play_match
from rookery.lab.run.jobs import Threads
from rookery.rules import load

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "stdio_bot.py"
# The example, which bids as high as it may here; all that it hears and says is written down.
NOTED = f"""
import os, runpy, sys
notes = open(sys.argv[1] + str(os.getpid()), "w", encoding="utf-8")
def noted(line, way):
    notes.write(way + line)
    notes.flush()
    return line
class Out:
    def write(self, text):
        noted(text.strip() and text + chr(10), ">" if text.strip() else "")
        sys.__stdout__.write(text)
    def flush(self):
        sys.__stdout__.flush()
sys.stdin = (noted(line, "<") for line in sys.__stdin__)
sys.stdout = Out()
example = runpy.run_path({str(EXAMPLE)!r})
usual = example["first_legal"]
def bold(legal, nest):
    bids = [one for one in legal if one.startswith("bid ")] if isinstance(legal, list) else []
    return bids[-1] if bids else usual(legal, nest)
example["main"].__globals__["first_legal"] = bold
example["main"]()
"""


def conversation(tmp_path: Path, variant: str) -> list[tuple[str, dict[str, Any]]]:
    """Return all that programs hear (``<``) and say (``>``) on a board against `papa`."""
    script = tmp_path / "bot.py"
    script.write_text(NOTED)
    talker = Bot("exec", command=(sys.executable, str(script), str(tmp_path / "notes")))
    match = Match(load(variant), variant, (talker, bot("papa")), 1, deadline_ms=120_000)
    play_match(match, executor=Threads(1))
    lines = [
        line for path in tmp_path.glob("notes*") for line in path.read_text("utf-8").splitlines()
    ]
    return [(line[0], json.loads(line[1:])) for line in lines]


# A whole discard; partner cards; a part of the nest.
@pytest.mark.parametrize(
    ("variant", "asked"),
    [("kd_tournament", "discard"), ("call_partner_4", "call"), ("rook_two_1914", "swap")],
)
def test_a_conversation_is_as_the_schema_says(variant: str, asked: str, tmp_path: Path) -> None:
    told = conversation(tmp_path, variant)
    assert {one["type"] for way, one in told if way == "<"} == {
        "hello", "hand", "event", "act", "result", "bye"
    }  # fmt: skip
    for way, one in told:
        assert (faults_of if way == "<" else faults_of_answer)(one) == []
    acts = [one for way, one in told if way == "<" and one["type"] == "act"]
    assert len(acts) == sum(way == ">" for way, _ in told) > 10
    assert asked in {key for one in acts if isinstance(one["legal"], dict) for key in one["legal"]}
    # The control: each of these is found in a question.
    changes: list[Callable[[Any], Any]] = [
        lambda one: one.pop("view"),
        lambda one: one["view"].pop("dealer"),
        lambda one: one["view"].update(dealer="0"),
        lambda one: one["view"].update(unknown=1),
        lambda one: one.update(type="ask"),
        lambda one: one.update(unknown=1),
    ]
    for change in changes:
        wrong = deepcopy(acts[-1])
        change(wrong)
        assert faults_of(wrong) != []


def test_a_wrong_answer_is_none() -> None:
    assert faults_of_answer({"id": 1, "action": "pass"}) == []
    for wrong in ({"id": 1}, {"id": "x", "action": "pass"}, {"id": 1, "action": None}, {}):
        assert faults_of_answer(wrong) != []


@pytest.mark.parametrize(
    ("number", "said"),
    [
        ([], "no answer within 5000 ms$"),
        ([6], "no answer within 5000 ms; its id was '6', not '7'$"),
        ([5, 6, 9 * 10**80], r"; its id was '900000000000000000000\.\.\.', not '7'$"),
        ([True], r'no answer but .*; expected one such as {"id": 7, "action": "play R5"}$'),
    ],
)
def test_an_answer_by_another_number_is_said_so(
    number: list[int], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As of a program that counts by itself, from another number on."""
    lines = [json.dumps({"id": one, "action": "pass"}).encode() for one in number]

    class Lines:
        def get(self, timeout: float) -> bytes:
            if not lines:
                raise queue.Empty
            return lines.pop(0)

    process = external.ExternalProcess([sys.executable, "-c", ""])
    process.end()
    monkeypatch.setattr(process, "_from", Lines())
    with pytest.raises(NoAnswer, match=said):
        process.answer(7, 5)


def test_a_program_that_was_shown_no_hand_says_what_it_lacks() -> None:
    hand = Hand.shuffled(load("kd_tournament"), dealer=0, seed=7)
    player = bot("exec:no-such-program").seated(hand.rules, 1)
    with pytest.raises(NoAnswer, match=r"no hand has begun; expected begin\(hand, dice\) first"):
        player.act(hand)
