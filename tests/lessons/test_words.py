"""What a lesson says: in both languages, nothing left over, no card that is not there."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from tests.lessons.test_lessons import STATIC, frame_at, tree_of

from rookery.lessons import IDS, load

CARD = re.compile(r"^(?:[RGYBSHDC](?:\d+|[AJQK])|RK|JK)$")
# A card by its words could be one that nobody sees; in braces it is looked up.
SPELLED = re.compile(
    r"\b(?:Red|Green|Yellow|Black|Rojo|Verde|Amarillo|Negro) \d|"
    r"\bof (?:spades|hearts|diamonds|clubs)"
)
ALWAYS = {"bid", "ours", "theirs", "score", "card", *(f"p{seat}" for seat in range(8))}


def words(lang: str) -> dict[str, str]:
    loaded: dict[str, str] = json.loads((STATIC / "i18n" / f"learn.{lang}.json").read_text("utf-8"))
    return {key: text for key, text in loaded.items() if key.startswith("lesson.")}


def seen(frame: dict[str, Any]) -> set[str]:
    """Return the cards that the learner sees in a frame."""
    last = frame["tricks"][-1]["cards"] if frame["tricks"] else None
    lists = ("hand", "nest_found", "nest_face_up", "discards", "dummy_hand", "called")
    named = [card for key in lists for card in frame[key] or ()]
    laid = [one["card"] for one in (*frame["trick"], *(last or ()))]
    if frame["laid_open"]:
        named += [card for hand in frame["laid_open"]["deal"] for card in hand]
    return {*named, *laid}


def said(name: str) -> Iterator[tuple[str, bool, set[str]]]:
    """Yield each key that a lesson may show, whether it has to be there, and the cards in sight."""
    tree = tree_of(name)
    for node in tree["nodes"]:
        key = f"lesson.{name}.{tree['steps'][node['step']]}"
        here = seen(frame_at(tree, node["at"]))
        if "result" in node:
            yield f"{key}.{node['result']['how']}", False, here
        if node.get("good") is False:
            yield f"{key}.missed", True, here
        else:
            yield key, "result" not in node, here
        if "find" in node:
            yield from ((f"{key}.{how}", True, here) for how in ("right", "wrong"))
        for kind in node.get("stay", {}).values():
            yield f"{key}.wrong", True, here
            yield f"{key}.wrong.{kind}", False, here
        for words_, way in node.get("ways", {}).items():
            there = here | set(words_.split()[1:])
            if way.get("frames"):
                there = here | seen(frame_at(tree, way["frames"][-1]))
            if way["good"]:
                yield f"{key}.right", False, there
            else:
                yield f"{key}.wrong", True, there
                yield f"{key}.wrong.{way['why']}", False, there


@pytest.mark.parametrize("lang", ["en", "es"])
def test_everything_that_is_said_has_words_and_nothing_is_left_over(lang: str) -> None:
    known = set(words(lang))
    possible = {f"lesson.{name}.{what}" for name in IDS for what in ("title", "about")}
    needed = set(possible)
    for name in IDS:
        for key, must, _ in said(name):
            possible.add(key)
            if must:
                needed.add(key)
        for step in load(name).steps:
            key = f"lesson.{name}.{step.id}"
            # The end is told by how it came out, or in one text for all.
            assert any(one == key or one.startswith(f"{key}.") for one in known), key
    assert not needed - known
    assert not known - possible


@pytest.mark.parametrize("lang", ["en", "es"])
@pytest.mark.parametrize("name", IDS)
def test_no_text_names_a_card_that_is_not_there(name: str, lang: str) -> None:
    texts = words(lang)
    for key, _, cards in said(name):
        for hole in re.findall(r"\{(\w+)\}", texts.get(key, "")):
            assert hole in cards or hole in ALWAYS, f"{key}: {hole}"
            assert bool(CARD.match(hole)) != (hole in ALWAYS), f"{key}: {hole}"
    for key, text in texts.items():
        assert not SPELLED.search(text), key


def test_a_card_that_is_not_there_is_found() -> None:
    key, _, cards = next(one for one in said("first") if one[0].endswith(".follow"))
    assert "R12" in cards
    assert "R11" not in cards, f"{key}: the card is in another hand"
    assert SPELLED.search("Lead your Green 14")
    assert not SPELLED.search("Lead a green card")
