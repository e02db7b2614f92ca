"""How long a lesson takes, by a model: words that are read, taps, looking, and motion.

Nobody was timed: the model says whether a lesson grows. Its figures:

- 200 words a minute. Adults read 238 words of English a minute, most of them 175 to 300, silently
  and what is no fiction (M. Brysbaert, "How many words do we read per minute? A review and
  meta-analysis of reading rate", Journal of Memory and Language 109, 2019, 104047). Whoever meets
  new words is on the slow side. In Spanish as many words are taken to need the same time.
- 2 seconds for a tap, and 3 to look at cards and table before each answer.
- The pauses of the page between cards, as ``lesson.js`` has them.
- One wrong answer: the one that takes longest.

For the first lesson as it was until 2026-11-23 that comes to about the four minutes that it took a
newcomer (``docs/design/first-visits.md``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tests.lessons.test_lessons import STATIC, frame_at

PAGE = STATIC / "pages" / "learn" / "lesson.js"
READS = 200 / 60  # words a second
TAP = 2.0  # seconds
LOOK = 3.0  # seconds
CARD = re.compile(r"\{(?:[RGYBSHDC](?:\d+|[AJQK])|card)\}")


@dataclass(frozen=True)
class Length:
    """What somebody does in a lesson, or in a part of it; `motion` in seconds."""

    words: int = 0
    taps: int = 0
    looks: int = 0
    motion: float = 0.0

    def __add__(self, other: Length) -> Length:
        return Length(
            self.words + other.words,
            self.taps + other.taps,
            self.looks + other.looks,
            self.motion + other.motion,
        )

    @property
    def seconds(self) -> float:
        """The time that it takes."""
        return self.words / READS + self.taps * TAP + self.looks * LOOK + self.motion


@dataclass(frozen=True)
class Stop:
    """A step on the author's way: what it takes, what each wrong answer takes, what is said."""

    right: Length
    wrong: tuple[Length, ...]
    said: tuple[str, ...]


def paces() -> dict[str, dict[str, float]]:
    """Return the seconds between two cards and after a trick: while asked, and for the rest."""
    text = PAGE.read_text("utf-8")
    found = {
        "asked": re.findall(r"(?m)^const (PAUSE|TRICK) = (\d+);", text),
        "rest": re.findall(r"(PAUSE|TRICK): (\d+)", text.split("const REST")[1].split(";")[0]),
    }
    return {
        when: {name: int(number) / 1000 for name, number in pairs} for when, pairs in found.items()
    }


def count(text: str) -> int:
    """Return how many words a text of the catalogue has; a card's name has two."""
    return len(CARD.sub("one two", text).split())


class Walk:
    """The way through a lesson that its author chose."""

    def __init__(self, tree: dict[str, Any], words: Mapping[str, str]) -> None:
        self.tree, self.words = tree, words
        self.paces = paces()
        self.shown = 0

    def stops(self) -> Iterator[Stop]:
        """Yield the steps, one after the other."""
        number: int | None = 0
        pressed = True  # what comes after something was pressed comes at once
        while number is not None:
            node = self.tree["nodes"][number]
            frames = node["frames"][1:] if number == 0 else node["frames"]
            pace = self.paces["rest" if "result" in node else "asked"]
            self.shown = node["frames"][0] if number == 0 else self.shown
            motion = self._run(frames, pace, pressed)
            way = self._way(node)
            right = self._text(node, "right")
            taps = len(str(node.get("own", "")).split()) if "stay" in node else 1
            wrong = tuple(self._wrong(node, taps))
            asks = int("ways" in node or "find" in node)
            motion += self._run(way.get("frames", []), self.paces["asked"], True)
            said = (self._text(node), *([right] if asks and right else []))
            done = Length(
                sum(count(one) for one in said) + (self._count("learn.right") if said[1:] else 0),
                taps + int(bool(said[1:])),
                asks,
                motion,
            )
            yield Stop(done, wrong, said)
            pressed = not asks or bool(said[1:])
            number = way.get("next", node.get("next"))

    def _way(self, node: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return where the author's choice leads."""
        ways: Mapping[str, Mapping[str, Any]] = node.get("ways", {})
        own = sorted(str(node.get("own")).split())
        return next((way for words, way in ways.items() if sorted(words.split()) == own), {})

    def _wrong(self, node: Mapping[str, Any], taps: int) -> Iterator[Length]:
        """Yield what each wrong answer takes until the same is asked again."""
        # Of a discard, all but the wrong card stay chosen: another one, and the button.
        again = Length(self._count("learn.wrong"), 1 + min(taps, 2), 1)
        if "find" in node:
            yield again + Length(count(self._text(node, "wrong")))
        shown = self.shown
        for way in node.get("ways", {}).values():
            if not way["good"]:
                said = count(self._text(node, f"wrong.{way['why']}", "wrong"))
                if way.get("costs"):
                    said += self._count("learn.costs.other")
                motion = self._run(way.get("frames", []), self.paces["asked"], True)
                yield again + Length(said, motion=motion)
                self.shown = shown
        for card, kind in node.get("stay", {}).items():
            said = count(self._text(node, f"wrong.{kind}", "wrong"))
            costs = self._count("learn.costs.other") if node.get("costs", {}).get(card) else 0
            yield again + Length(said + costs)

    def _run(self, frames: list[int], pace: Mapping[str, float], pressed: bool) -> float:
        """Show these frames; return the seconds that they take."""
        seconds = 0.0
        for i, number in enumerate(frames):
            if i or not pressed:
                seconds += pace["TRICK" if self._ends_trick(self.shown) else "PAUSE"]
            self.shown = number
        return seconds

    def _ends_trick(self, number: int) -> bool:
        before, changed = self.tree["frames"][number]
        if before < 0 or not changed.get("tricks"):
            return False
        return len(changed["tricks"]) > len(frame_at(self.tree, before)["tricks"])

    def _text(self, node: Mapping[str, Any], *more: str) -> str:
        """Return what a step says: its text, or the first of these answers that has words."""
        key = f"lesson.{self.tree['id']}.{self.tree['steps'][node['step']]}"
        how = node.get("result", {}).get("how")
        wanted = [f"{key}.{one}" for one in more] or [f"{key}.{how}", key]
        return next((self.words[one] for one in wanted if one in self.words), "")

    def _count(self, key: str) -> int:
        return count(self.words[key])


def walked(tree: dict[str, Any], words: Mapping[str, str]) -> list[Stop]:
    """Return the steps of a lesson."""
    return list(Walk(tree, words).stops())


def length_of(stops: list[Stop]) -> Length:
    """Return what a lesson takes whoever answers wrong once, where that takes longest."""
    right = sum((stop.right for stop in stops), Length())
    mistakes = [wrong for stop in stops for wrong in stop.wrong]
    return right + max(mistakes, key=lambda one: one.seconds)
