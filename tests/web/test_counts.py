"""No sentence, of the interface or of the rules, says "1 points": every one is tried with a 1.

What is a number in a sentence, and what has more than one form, is decided here and not by the
catalogues: any place is filled with a 1, and any word in -s near it counts something, unless it is
listed here as one that does not.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator

import pytest
from tests.web.test_static import all_words

from rookery.rules import LANGUAGES, Language, Rules, load, summary, texts

COUNTED = re.compile(r"(?<![\w\d.,])1 (?:(?!(?:a|of|o|or|y|and|de|en|in) )\w+ )?(\w+s)\b")
AROUND = re.compile(r"\b(?:are|were) 1\b|\b1 (?:are|were|son|eran)\b")
# What ends in -s and counts nothing: verbs of people and cards, and small words.
APART: dict[Language, set[str]] = {
    "en": {
        *("always", "as", "has", "is", "its", "less", "this", "was"),
        *("asks", "beats", "begins", "belongs", "bids", "calls", "claims", "counts", "deals"),
        *("decides", "discards", "ends", "fits", "follows", "gives", "leads", "leaves", "lets"),
        *("names", "passes", "plays", "ranks", "reaches", "shows", "sits", "starts", "takes"),
        *("waits", "wants", "wins"),
    },
    "es": {
        *("dos", "después", "entonces", "es", "esos", "habrías", "los", "menos", "más", "queréis"),
        "apuntáis",
    },
}
# Of these there is never one: players, the cards of a deck, all decisions of a match, the longest
# suit, opinions of which one has to be chosen, hands tried by a bot, points in a lesson and of a
# whole hand. In the last three, what is filled in is a name.
NEVER_ONE = re.compile(
    r"""players\..* | cards\.deck | review\.decisions_done | reason\.trump-(most|shorter)
    | (evening|score)\.disputed_how | evening\.few | daily\.tries | own\.(counters|sampled)
    | hall\.missing_of | evening\.screens\.moving_said | lesson\..* | score\.wrong\.points
    | puzzles\.you | trump\.no_trump\.all | file\.(score|total)_of""",
    re.VERBOSE,
)

SEVERAL = {"seats", "deals"}  # players at a table, and deals of which one is the last


def sentences(lang: Language) -> Iterator[tuple[str, str]]:
    """Yield the key of each sentence, and how it reads with a 1 at every place."""
    for key, text in all_words(lang).items():
        if not key.endswith(".other"):
            yield key, re.sub(r"\{\w+\}", "1", text)
    rules = texts(lang)
    for key, text in rules.texts.items():
        head, _, case = key.rpartition(".")
        if case == "other" and {f"{head}.1", f"{head}.one"} & rules.texts.keys():
            continue
        places = {name for _, name, _, _ in string.Formatter().parse(text) if name}
        yield key, rules.text(key, **{place: 2 if place in SEVERAL else 1 for place in places})


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_sentence_says_1_and_several(lang: Language) -> None:
    wrong = {
        key: text
        for key, text in sentences(lang)
        if not NEVER_ONE.fullmatch(key)
        and ({*COUNTED.findall(text)} - APART[lang] or AROUND.search(text))
    }
    assert not wrong


@pytest.mark.parametrize(("lang", "none", "one", "many"), [
    ("en", "scores 0 points more", "scores 1 point more", "scores 200 points more"),
    ("es", "se anota 0 puntos más", "se anota 1 punto más", "se anota 200 puntos más"),
])  # fmt: skip
def test_rules_say_one_point(lang: Language, none: str, one: str, many: str) -> None:
    key = "scoring.sweep.add.all_tricks"
    for n, words in enumerate((none, one)):
        assert words in texts(lang).text(key, n=n)
    rules = load({"base": "kd_tournament", "sweep_value": {"add": 200}})
    assert isinstance(rules, Rules)
    assert many in " ".join(summary(rules, lang).split())
