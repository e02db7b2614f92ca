"""Every lesson teaches what it says: played by the engine, reachable, and possible to get wrong."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import rookery
from rookery.game import Hand
from rookery.lessons import IDS, Lesson, load, made
from rookery.lessons.tree import dumped
from rookery.record import replay
from rookery.view import view_of

STATIC = Path(rookery.__file__).parent / "web" / "static"
MOST = 24_000  # bytes, compressed, of one lesson


@cache
def lesson_of(name: str) -> Lesson:
    return load(name)


@cache
def tree_of(name: str) -> dict[str, Any]:
    return json.loads(dumped(made(lesson_of(name))))  # type: ignore[no-any-return]


def frame_at(tree: dict[str, Any], number: int) -> dict[str, Any]:
    before, changed = tree["frames"][number]
    return changed if before < 0 else {**frame_at(tree, before), **changed}


def ways(name: str) -> Iterator[tuple[Hand, dict[str, Any]]]:
    """Yield each node of a lesson with the hand that leads to it, along the right choices."""
    lesson, tree = lesson_of(name), tree_of(name)
    whole = replay(lesson.record).hands[0]
    start = next(whole.positions()).act_all(whole.actions[: lesson.start])

    def walk(number: int, hand: Hand) -> Iterator[tuple[Hand, dict[str, Any]]]:
        node = tree["nodes"][number]
        hand = follow(tree, hand, node["frames"], name)
        yield hand, node
        for way in node.get("ways", {}).values():
            after = follow(tree, hand, way.get("frames", []), name)
            if way.get("next") is not None:
                yield from walk(way["next"], after)
        if node.get("next") is not None:
            yield from walk(node["next"], hand)

    yield from walk(0, start)


def follow(tree: dict[str, Any], hand: Hand, frames: list[int], name: str) -> Hand:
    """Return the hand after the actions that lead from frame to frame, each of them legal."""
    seat = lesson_of(name).seat
    for number in frames:
        wanted = frame_at(tree, number)
        shown = view_of(hand, seat).as_dict()
        if all(wanted[key] == value for key, value in shown.items() if key != "rules"):
            continue
        for action in hand.legal():
            after = hand.act(action)
            shown = json.loads(json.dumps(view_of(after, seat).as_dict()))
            if all(wanted[key] == value for key, value in shown.items() if key != "rules"):
                hand = after
                break
        else:
            raise AssertionError(f"{name}: no legal action leads to frame {number}")
    return hand


@pytest.mark.parametrize("name", IDS)
def test_the_file_that_the_page_fetches_is_what_the_engine_makes(name: str) -> None:
    kept = (STATIC / "lessons" / f"{name}.json").read_text("utf-8")
    assert kept == dumped(made(lesson_of(name))), (
        "run: rookery lessons make src/rookery/web/static/lessons"
    )
    assert len(gzip.compress(kept.encode(), 9)) < MOST


def test_every_lesson_is_offered_in_this_order_and_no_other() -> None:
    text = (STATIC / "pages" / "learn" / "lessons.js").read_text("utf-8")
    start = text.index("[", text.index("LESSONS ="))
    listed = text[start : text.index("];", start) + 1]
    for key in ("group", "lessons"):
        listed = listed.replace(f"{key}:", f'"{key}":')
    rows = [row for group in json.loads(_plain(listed)) for row in group["lessons"]]
    assert [name for name, _ in rows] == list(IDS)
    assert dict(rows) == {name: lesson_of(name).minutes for name in IDS}
    assert {path.stem for path in (STATIC / "lessons").iterdir()} == set(IDS)


def _plain(text: str) -> str:
    """Return a list of JavaScript as JSON: without the commas before a closing bracket."""
    return re.sub(r",(\s*[\]}])", r"\1", text)


@pytest.mark.parametrize("name", IDS)
def test_what_is_offered_is_just_what_the_rules_allow(name: str) -> None:
    for hand, node in ways(name):
        if "ways" not in node:
            continue
        shown = frame_at(tree_of(name), node["at"])
        assert shown["legal"] == json.loads(json.dumps(hand.legal(lesson_of(name).seat).as_json()))
        legal = hand.legal()
        if hand.phase == "nest":
            assert legal.choice is not None
            free = hand.names(legal.choice.cards)
            assert all(f"{hand.to_act} {way}" in legal for way in node["ways"])
            gone = {card for way in node["ways"] for card in way.split()[1:]}
            assert gone | set(node["stay"]) == set(free)
            assert not gone & set(node["stay"])
        else:
            assert set(node["ways"]) == {action.words for action in legal}
        if hand.phase == "play":
            assert hand.turn is not None
            held = {f"play {card}" for card in hand.names(hand.cards_held[hand.turn])}
            assert set(node["refused"]) == held - set(node["ways"])


@pytest.mark.parametrize("name", IDS)
def test_every_goal_can_be_reached_and_missed(name: str) -> None:
    asked = 0
    for _, node in ways(name):
        step = lesson_of(name).steps[node["step"]]
        if "find" in node:
            held = frame_at(tree_of(name), node["at"])["hand"]
            assert 0 < len(node["find"]) < len(held)
            asked += 1
        if "ways" in node and "any" not in (step.goal or {}):
            good = [way["good"] for way in node["ways"].values()]
            assert any(good)
            assert "stay" in node or not all(good)
            asked += 1
    assert asked >= 2


@pytest.mark.parametrize("name", IDS)
def test_every_way_of_right_choices_comes_to_the_last_step(name: str) -> None:
    steps = len(lesson_of(name).steps)
    for _, node in ways(name):
        ends = node.get("next") is None and "ways" not in node
        assert ends == (node["step"] == steps - 1)


@pytest.mark.parametrize("name", IDS)
def test_a_wrong_choice_costs_points_where_that_is_said(name: str) -> None:
    lesson = lesson_of(name)
    judged = [step.id for step in lesson.steps if step.judge is not None]
    assert judged or name == "first"
    for _, node in ways(name):
        if lesson.steps[node["step"]].judge is None:
            continue
        wrong = [way for way in node["ways"].values() if not way["good"]]
        costs = [way["costs"] for way in wrong] + list(node.get("costs", {}).values())
        assert costs
        assert min(costs) >= 5
