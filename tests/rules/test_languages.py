"""Every language is complete: the rules, what the catalogue says, and what does not fit."""

from __future__ import annotations

import ast
import re
import string
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import rookery.rules
from rookery.cli.arguments import Refused
from rookery.cli.rules import show
from rookery.rules import (
    LANGUAGES,
    METADATA,
    OPTIONS,
    Language,
    Rules,
    RulesError,
    catalog,
    describe,
    load,
    rules_schema,
    sections,
    summary,
    texts,
    translate_name,
    variant,
)
from rookery.rules.errors import Problem
from rookery.rules.model import allowed
from rookery.rules.options import option_groups
from rookery.rules.source import own_words, special

HERE = Path(rookery.rules.__file__).parent
OTHERS: tuple[Language, ...] = tuple(lang for lang in LANGUAGES if lang != "en")
LEAKS = re.compile(r"\b(the|and|of|is|are|or|may|not|which|player|trick|bid|hand)\b", re.IGNORECASE)
# What another language says and English does not: the name that house rules get.
OWN = re.compile(r"house_rules\.\w+")


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("lang", OTHERS)
def test_every_text_of_the_rules_is_there_in_every_language(lang: Language) -> None:
    english, other = texts("en").texts, texts(lang).texts
    assert english.keys() <= other.keys()
    for key in other.keys() - english.keys():
        # A language may have a case more: in Spanish a queen is a lady.
        assert f"{key.rpartition('.')[0]}.other" in english or OWN.fullmatch(key), key
    # A sentence may name these where another says "it", or the place of an error in a file.
    own = {"suit", "rook", "Rook", "one", "line", "reason"}
    for key, text in english.items():
        assert text.strip() or ".says." in key, key  # an option may say nothing of a value
        assert bool(other[key].strip()) == bool(text.strip()), key
        assert places(text) - own == places(other[key]) - own, key


@pytest.mark.parametrize("name", catalog())
def test_every_language_has_the_same_sections(name: str) -> None:
    rules = load(name)
    english = sections(rules)
    titles = {text: key for key, text in texts("en").texts.items() if key.startswith("title.")}
    for lang in OTHERS:
        other = sections(rules, lang)
        assert list(other) == [texts(lang).texts[titles[title]] for title in english]
        for title, text in english.items():
            same = other[texts(lang).texts[titles[title]]]
            assert set(re.findall(r"\d+", text)) == set(re.findall(r"\d+", same)), title
        assert not LEAKS.search(summary(rules, lang))


@pytest.mark.parametrize("lang", OTHERS)
def test_the_catalogue_says_everything_in_every_language(lang: Language) -> None:
    games = [variant(name) for name in catalog()]
    words = own_words(lang)
    said = {text for rules in games for text in (rules.name, rules.origin, rules.notes) if text}
    said |= {rules.reconstructed for rules in games if rules.reconstructed}
    assert words.keys() == said | {special(name) for name in catalog()}
    assert not [text for text in words.values() if LEAKS.search(text)]
    names = [describe(rules, lang).name for rules in games]
    assert len(set(names)) == len(names)


def test_one_english_text_has_one_translation() -> None:
    for lang in OTHERS:
        for name in catalog():
            own = describe(variant(name), lang)
            for field in ("origin", "reconstructed", "notes"):
                text = getattr(variant(name), field)
                assert getattr(own, field) == own_words(lang).get(text, text)


def test_house_rules_keep_what_their_base_says_and_their_own_words() -> None:
    ours = load({"base": "red_1", "target": 500})
    assert describe(ours, "es").name == "El 1 rojo, reglas de la casa"
    assert describe(ours, "es").reconstructed == describe(load("red_1"), "es").reconstructed
    named = load({"base": "red_1", "target": 500, "name": "Martes"})
    assert describe(named, "es").name == named.name
    assert translate_name("House rules", "es") == "Reglas de la casa"
    assert translate_name("House rules", "en") == "House rules"


@pytest.mark.parametrize("name", catalog())
def test_english_is_what_the_catalogue_says(name: str) -> None:
    rules = load(name)
    own = (rules.name, rules.origin, rules.reconstructed, rules.notes, special(name))
    assert describe(rules) == describe(rules, "en") == own


def codes() -> Iterator[str]:
    """Yield the code of every problem that a module of the rules makes."""
    for path in HERE.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            name = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
            if name in ("Problem", "_unreadable"):
                assert isinstance(node, ast.Call)
                yield from _constants(node.args[1])


def _constants(code: ast.expr) -> Iterator[str]:
    if isinstance(code, ast.Constant):
        yield str(code.value)
    else:
        assert isinstance(code, ast.Name), ast.dump(code)
        assert code.id == "code"


CHOSEN = {"not-toml", "not-json"}  # by what a file is


def test_every_problem_has_its_text_and_every_text_its_problem() -> None:
    keys = {key for key in texts("en").texts if key.startswith("problem.")}
    assert keys == {f"problem.{code}" for code in {*codes(), *CHOSEN}}


@pytest.mark.parametrize("lang", OTHERS)
def test_a_problem_quotes_the_same_values_in_every_language(lang: Language) -> None:
    for key, text in texts("en").texts.items():
        if not key.startswith("problem."):
            continue
        other = texts(lang).texts[key]
        assert "; " in text, key
        assert "; " in other, key
        assert set(re.findall(r'"\w+"', text)) == set(re.findall(r'"\w+"', other)), key
        assert not LEAKS.search(re.sub(r'"[^"]*"|`[^`]*`|\{\w+\}', "", other)), other


WRONG: list[object] = ["x", -1, 10**9, [], ["XX"], [["XX"]], {"XX": 5}, {"up_to": 0}, None, 1.5]


@pytest.mark.parametrize("lang", OTHERS)
@pytest.mark.parametrize("option", [*OPTIONS, "base", "seat", "xyzzy"])
def test_a_wrong_value_is_explained_in_every_language(option: str, lang: Language) -> None:
    found: list[Problem] = []
    for value in WRONG:
        try:
            load({option: value})
        except RulesError as error:
            found += error.details
    assert found
    for problem in found:
        english, line = problem.text(), problem.text(lang)
        assert str(problem) == f"{problem.option}: {english}" != problem.line(lang)
        assert not LEAKS.search(re.sub(r'"[^"]*"|`[^`]*`', "", line)), line
        assert re.findall(r"\d+", line) == re.findall(r"\d+", english) or "{" in line


@pytest.mark.parametrize("lang", OTHERS)
@pytest.mark.parametrize("option", OPTIONS)
def test_what_an_option_allows_is_said_in_every_language(option: str, lang: Language) -> None:
    said = texts(lang).text("problem.wrong-value", value="", allowed=allowed(option))
    plain = re.sub(r'"[^"]*"|\w+ =', "", said)
    assert not re.search(r"\b(or|to|of|from|with|number|text|table|list|card|name)\b", plain)


def test_nothing_looks_for_an_english_sentence() -> None:
    # A text that a user gave may hold what a sentence of ours is made of.
    problem = Problem("name", "wrong-value", value='"1 to 2 or a text"', allowed=("a", "b"))
    assert problem.text("es") == '"1 to 2 or a text" no es válido; se espera a o b'


def test_a_text_that_names_no_card() -> None:
    with pytest.raises(RulesError) as caught:
        load({"counters": {"XX": 5}, "extra_cards": ["YY"]})
    assert [problem.text("es") for problem in caught.value.details] == [
        "'YY' no es una carta de esta baraja; se espera una como R14, G10 o RK",
        "'XX' no es una carta de esta baraja; se espera una como R14, G10 o RK, o un valor de 1 a "
        "14",
    ]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_option_and_value_has_words_for_a_form(lang: Language) -> None:
    schema, plain = rules_schema(lang), Rules.model_json_schema()
    for name, form in schema["properties"].items():
        words, group = form.pop("words", None), form.pop("group", None)
        if name in METADATA:
            assert words is None
            continue
        assert group == option_groups()[name]
        assert words["name"]
        assert (words["help"] == form["description"]) == (lang == "en")
        assert {*_values(form, schema["$defs"])} <= words["values"].keys()
    assert schema == plain


def _values(spec: dict[str, object], defs: dict[str, dict[str, object]]) -> Iterator[str]:
    """Yield every word that a form shows for a value of this shape."""
    if "$ref" in spec:
        properties = defs[str(spec["$ref"]).rpartition("/")[2]]["properties"]
        assert isinstance(properties, dict)
        yield from properties
        return
    for key in ("enum", "const"):
        value = spec.get(key, ())
        yield from [value] if isinstance(value, str) else value  # type: ignore[misc]
    for each in spec.get("anyOf", ()):  # type: ignore[attr-defined]
        yield from _values(each, defs) if each.get("type") != "integer" else ["number"]
    items = spec.get("items", {})
    assert isinstance(items, dict)
    yield from items.get("enum", ())
    yield from items.get("discriminator", {}).get("mapping", ())


def test_the_tournament_game_in_spanish() -> None:
    found = sections(load("kd_tournament"), "es")
    assert found["Cartas"] == (
        "41 cartas: de 5 a 14 en rojo, verde, amarillo y negro, más el Rook. En cada color, "
        "de mejor a peor: de 14 a 5. Cartas con puntos: 5 por cada 5, 10 por cada 10 y cada 14, 20 "
        "por el Rook; 120 puntos en total."
    )


def test_articles_flow_together() -> None:
    calling = load("call_partner_4")
    assert "el rango del Rook" in summary(calling, "es").replace("\n  ", " ")
    for name in catalog():
        assert not re.search(r"\b(de|a) el\b", summary(load(name), "es").replace("\n  ", " "))


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(ValueError, match='"en" or "es"'):
        summary(load("kd_tournament"), "fr")  # type: ignore[arg-type]


def test_texts_are_read_when_they_are_asked_for() -> None:
    program = (
        "from rookery.rules import load, summary, texts\n"
        "rules = load('red_1')\n"
        "assert texts.cache_info().currsize == 0\n"
        "summary(rules)\n"
        "assert texts.cache_info().currsize == 1\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


@pytest.mark.parametrize("lang", OTHERS)
def test_texts_do_not_change_the_rules(lang: Language) -> None:
    rules = load("red_1")
    before = (rules.options(), rules.model_dump())
    summary(rules, lang)
    describe(rules, lang)
    assert (rules.options(), rules.model_dump()) == before
    assert Rules.model_fields.keys() == {*OPTIONS, *METADATA}


def test_the_command_line_shows_them(capsys: pytest.CaptureFixture[str]) -> None:
    show("red_1", lang="ES", as_json=False)
    shown = capsys.readouterr().out
    assert shown.startswith("El 1 rojo (red_1)\n\nSe añade el 1 rojo: siempre es triunfo")
    assert "\n\nAlgunos detalles los hemos supuesto: Cómo" in shown
    assert max(map(len, shown.splitlines())) <= 80
    assert summary(load("red_1"), "es") in shown
    with pytest.raises(Refused, match="expected en or es"):
        show("red_1", lang="fr", as_json=False)
