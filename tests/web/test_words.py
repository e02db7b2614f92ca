"""The sentences of the interface, as a reader sees them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import get_args

import pytest
from playwright.sync_api import Page
from tests.web.test_static import STATIC, all_words, code

from rookery.cards import SUIT_WORDS
from rookery.evening.movements.register import MOVEMENTS
from rookery.puzzles.puzzle import THEMES
from rookery.rules import LANGUAGES, Language, catalog, texts, variant
from rookery.rules.options import DiscardBan, option_groups
from rookery.server.api.bots import BOTS
from rookery.server.api.people import MINE, Me
from rookery.server.http.routes import statistics
from rookery.server.monitoring.security import KINDS
from rookery.server.registry.played import TABLES, Statistics
from rookery.server.settings import PACES


@pytest.mark.parametrize("lang", ["en", "es"])
def test_one_of_a_thing_is_said_in_the_singular(lang: str) -> None:
    words = all_words(lang)
    singles = {key for key in words if key.endswith(".one")}
    assert len(singles) > 20
    for key in singles:
        assert words[key] != words[f"{key.removesuffix('.one')}.other"], key


@pytest.mark.parametrize("lang", ["en", "es"])
def test_a_percent_sign_stays_in_the_line_of_its_number(lang: str) -> None:
    words = all_words(lang)
    assert any("\N{NO-BREAK SPACE}%" in text for text in words.values())
    assert not [key for key, text in words.items() if " %" in text]


OTHER_WORDS = {  # for what has a usual word: to take points, repartir
    "en": r"\bcaptur",
    "es": r"\bda primero|\b[Dd]a \{name\}\.|\bdan? boca arriba|\bdar las cartas|\bdan una tras",
}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_one_thing_has_one_word(lang: Language) -> None:
    for key, text in {**all_words(lang), **texts(lang).texts}.items():
        assert not re.search(OTHER_WORDS[lang], text), key


def test_statistics_say_how_many_tables_are_counted() -> None:
    pages = [all_words(lang)["stats.lead"] for lang in ("en", "es")]
    for text in (*pages, statistics.__doc__, Statistics.__doc__):
        assert re.findall(r"\d+", text or "") == [str(TABLES)]


def test_statistics_say_how_many_tables_are_listed() -> None:
    said = [all_words(lang)["stats.latest"] for lang in ("en", "es")]
    for text, many in zip((*said, Me.__doc__ or ""), ("eight", "ocho", "eight"), strict=True):
        assert many in text
    assert MINE == 8


@pytest.mark.parametrize("lang", ["en", "es"])
def test_a_word_in_a_sentence_means_one_thing(lang: str) -> None:
    words = all_words(lang)
    source = (STATIC / "components" / "terms.js").read_text("utf-8")
    block = source[source.index("const TERMS = [") : source.index("];")]
    explained = re.findall(r'"(\w+)"', block)
    assert {"counter", "nest", "set", "trump", "sweep"} <= set(explained)
    forms = [form.lower() for term in explained for form in words[f"term.{term}.as"].split("; ")]
    assert len(forms) == len(set(forms))


@pytest.mark.parametrize(
    ("lang", "points", "three"),
    [("en", "every point", "three"), ("es", "todos los puntos", "tres")],
)
def test_a_word_is_explained_as_all_games_use_it(lang: str, points: str, three: str) -> None:
    words, games = all_words(lang), [variant(name) for name in catalog()]
    assert {game.sweep_test for game in games if game.sweep_value != "none"} > {"all_tricks"}
    assert points in words["term.sweep"]
    assert "fixed_alternate_3" in {game.partnership for game in games}
    assert three in words["term.partner"]


@pytest.mark.parametrize("lang", ["en", "es"])
def test_suits_have_letters_of_their_own(lang: str) -> None:
    letters = {all_words(lang)[f"card.suit.{suit}"][0] for suit in SUIT_WORDS["rook"]}
    assert len(letters) == 4


@pytest.mark.parametrize(("lang", "counts"), [("en", "difference"), ("es", "diferencia")])
def test_a_swing_of_more_points_than_a_hand_has_says_what_it_counts(lang: str, counts: str) -> None:
    words = all_words(lang)
    assert counts in words["review.turning_how"]
    for why in ("blame", "luck"):
        said = words[f"review.swing_{why}"]
        assert not re.search(r"\b(lost|perdidos)\b", said)
        assert said.startswith(("a swing of {points}", "una diferencia de {points}"))


# Lists and numbers as the client writes them, and as the browser would with a real minus.
LISTS = """async ([chosen, lists, numbers]) => {
  const { language, list, number, wordsLoaded } = await import("/static/core/i18n.js");
  (await import("/static/core/settings.js")).change({ language: chosen });
  await null; // by now it is being loaded
  await wordsLoaded();
  const lang = language.get();
  const browsers = new Intl.ListFormat(lang, { type: "conjunction" });
  return {
    lang,
    ours: [...lists.map(list), ...numbers.map(number)],
    theirs: [
      ...lists.map((one) => browsers.format(one)),
      ...numbers.map((one) => new Intl.NumberFormat(lang).format(one).replace("-", "\u2212")),
    ],
  };
}"""
NUMBERS = [0, 7, -40, 999, -999, 1000, -1500, 9999, 10_000, 12_345, -123_456, 7_654_321, 0.5, 17.25]
NAMES = ["Heron", "Ibis", "Iago", "Hilda", "Hiedra", "Ines", "Jay", "{last}"]


def test_lists_and_numbers_are_those_of_the_language(bare: Page) -> None:
    lists = [[], ["Wren"], *(["Wren", name] for name in NAMES)]
    lists += [["Wren", "Egret", name] for name in NAMES]
    for lang in ("en", "es"):
        told = bare.evaluate(LISTS, [lang, lists, NUMBERS])
        assert told["lang"] == lang
        assert told["ours"] == told["theirs"], lang


# What the server has names for, and the keys of the words that a page shows for each.
NAMED: dict[str, Iterable[str]] = {
    "admin.security.{}": KINDS,
    "bot.about.{}": BOTS,
    "bot.name.{}": BOTS,
    "bot.seat.{}": BOTS,
    "editor.group.{}": option_groups().values(),
    "evening.movement.{}": MOVEMENTS,
    "evening.movement.{}.why": MOVEMENTS,
    "lobby.pace.{}": PACES,
    "nest.ban.{}": get_args(DiscardBan),
    "puzzles.theme.{}": THEMES,
}


@pytest.mark.parametrize("key", NAMED)
def test_whatever_the_server_has_a_name_for_can_be_said(key: str) -> None:
    known = all_words("en")
    assert [name for name in NAMED[key] if key.format(name) not in known] == []


def test_the_page_of_puzzles_offers_every_theme() -> None:
    source = code(STATIC / "pages" / "puzzles" / "puzzles.js")
    listed = re.search(r"const THEMES = (\[.*?\]);", source, re.DOTALL)
    assert listed
    assert json.loads(listed[1]) == [*THEMES]


# The language is chosen twice, and a page is opened meanwhile.
TWICE = """async (names) => {
  const { needWords, t, wordsLoaded } = await import("/static/core/i18n.js");
  const { settings } = await import("/static/core/settings.js");
  const choose = (language) => settings.set({ ...settings.get(), language });
  choose(names[0]);
  await null; // by now it is being loaded
  const needed = needWords("beside/admin");
  choose(names[1]);
  await needed;
  await wordsLoaded();
  return t("admin.title");
}"""


@pytest.mark.parametrize("names", [("es", "en"), ("en", "es")], ids=" then ".join)
def test_a_page_has_its_words_though_the_language_is_chosen_anew(
    bare: Page, names: tuple[str, str]
) -> None:
    assert bare.evaluate(TWICE, names) == all_words(names[1])["admin.title"]
