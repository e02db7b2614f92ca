"""No lesson takes longer than it says; the first, from opening the page, three minutes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.lessons.length import Length, Stop, count, length_of, paces, walked
from tests.lessons.test_lessons import STATIC, lesson_of, tree_of

from rookery.lessons import IDS, made, read

# The first lesson until 2026-11-23: newcomers needed four to five minutes for it.
LONG = json.loads((Path(__file__).parent / "long.json").read_text("utf-8"))
LANGS = ("en", "es")
THREE_MINUTES = 180
# What is read on the start page before the lesson is asked for.
OFFER = ("home.title", "home.lead", "home.lesson")


def words(lang: str, what: str = "learn") -> dict[str, str]:
    text = (STATIC / "i18n" / f"{what}.{lang}.json").read_text("utf-8")
    loaded: dict[str, str] = json.loads(text)
    return loaded


def opening(lang: str) -> Length:
    texts = words(lang, "pages")
    return Length(sum(count(texts[key]) for key in OFFER), 1)


def steps(name: str, lang: str) -> list[Stop]:
    return walked(tree_of(name), words(lang))


def long_one(lang: str) -> tuple[dict[str, Any], dict[str, str]]:
    tree = made(read("first", json.dumps(LONG["record"])))
    said = {key: text for key, text in words(lang).items() if not key.startswith("lesson.first.")}
    return json.loads(json.dumps(tree)), said | LONG["words"][lang]


@pytest.mark.parametrize("lang", LANGS)
def test_the_first_lesson_ends_within_three_minutes_of_opening_the_page(lang: str) -> None:
    whole = opening(lang) + length_of(steps("first", lang))
    assert whole.seconds <= THREE_MINUTES, whole


@pytest.mark.parametrize("lang", LANGS)
def test_the_lesson_that_took_four_minutes_is_found_too_long(lang: str) -> None:
    stops = walked(*long_one(lang))
    assert sum((stop.right for stop in stops), Length()).seconds > THREE_MINUTES
    assert 3.5 * 60 < length_of(stops).seconds < 4.5 * 60


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", IDS)
def test_no_lesson_takes_longer_than_its_page_says(name: str, lang: str) -> None:
    whole = length_of(steps(name, lang))
    assert whole.seconds <= 60 * lesson_of(name).minutes, whole


def test_what_is_counted_is_what_is_done() -> None:
    tree = tree_of("first")
    stops = steps("first", "en")
    assert len(stops) == len(tree["steps"])
    by_id = dict(zip(tree["steps"], stops, strict=True))
    # A card is pointed at, and what is said of it read.
    assert by_id["counters"].right.taps == 2
    assert by_id["counters"].right.looks == 1
    # Five cards and the button; whoever is wrong tries again, with one other card and the button.
    assert by_id["nest"].right.taps == 6
    assert {wrong.taps for wrong in by_id["nest"].wrong} == {3}
    # Three cards lie when the learner is asked in the first trick, after their trump was named.
    pause = paces()["asked"]["PAUSE"]
    assert by_id["follow"].right.motion == 3 * pause
    # The last tricks run quicker, to the end.
    asked, rest = paces()["asked"], paces()["rest"]
    assert rest["PAUSE"] < asked["PAUSE"]
    assert rest["TRICK"] < asked["TRICK"]
    expected = 6 * (rest["TRICK"] + 3 * rest["PAUSE"])
    assert by_id["end"].right.motion == pytest.approx(expected)
    assert by_id["end"].right.taps == 1
    assert count("{p0} wins with {R14}.") == 5
