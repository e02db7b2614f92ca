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
from rookery.cli.errors import Refused
from rookery.cli.rules import show
from rookery.rules import (
    LANGUAGES,
    OPTIONS,
    Language,
    Rules,
    RulesError,
    catalog,
    described,
    load,
    sections,
    summary,
    told,
    variant,
)
from rookery.rules.described import HOUSE, name_in, texts
from rookery.rules.errors import Problem
from rookery.rules.faults import allowed
from rookery.rules.told import in_pieces, templates
from rookery.rules.tongue import tongue, written
from rookery.rules.variants import special

HERE = Path(rookery.rules.__file__).parent
OTHERS: tuple[Language, ...] = tuple(lang for lang in LANGUAGES if lang != "en")
LEAKS = re.compile(r"\b(the|and|of|is|are|or|may|not|which|player|trick|bid|hand)\b", re.IGNORECASE)
# Where the lines of a problem are written.
TOLD_OF = ("check.py", "discards.py", "faults.py", "source.py", "variants.py")


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("lang", OTHERS)
def test_every_text_of_the_rules_is_there_in_every_language(lang: Language) -> None:
    english, other = tongue("en").texts, tongue(lang).texts
    # A language may have a case more: in Spanish a queen is a lady.
    assert english.keys() <= other.keys()
    for key in other.keys() - english.keys():
        assert f"{key.rpartition('.')[0]}.other" in english
    own = {"suit", "rook", "Rook", "one"}  # a sentence may name them where another says "it"
    for key, text in english.items():
        assert other[key].strip()
        assert places(text) - own == places(other[key]) - own, key


@pytest.mark.parametrize("name", catalog())
def test_every_language_tells_the_same_sections(name: str) -> None:
    rules = load(name)
    english = sections(rules)
    titles = {text: key for key, text in tongue("en").texts.items() if key.startswith("title.")}
    for lang in OTHERS:
        other = sections(rules, lang)
        assert list(other) == [tongue(lang).texts[titles[title]] for title in english]
        for title, text in english.items():
            told_of = other[_other(title, lang)]
            assert set(re.findall(r"\d+", text)) == set(re.findall(r"\d+", told_of)), title
        assert not LEAKS.search(summary(rules, lang))


def _other(title: str, lang: Language) -> str:
    key = next(key for key, text in tongue("en").texts.items() if text == title)
    return tongue(lang).texts[key]


@pytest.mark.parametrize("lang", OTHERS)
def test_every_text_of_the_catalogue_is_told(lang: Language) -> None:
    games = [variant(name) for name in catalog()]
    found = texts(lang)
    assert set(found["name"]) == {rules.name for rules in games} | {"House rules", HOUSE}
    assert set(found["origin"]) == {rules.origin for rules in games}
    reasons = {rules.reconstructed for rules in games if rules.reconstructed}
    assert set(found["reconstructed"]) == reasons
    assert set(found["notes"]) == {rules.notes for rules in games if rules.notes}
    assert set(found["special"]) == {special(name) for name in catalog()}
    assert not [text for kind in found.values() for text in kind.values() if LEAKS.search(text)]
    names = [described(rules, lang).name for rules in games]
    assert len(set(names)) == len(names)


def test_house_rules_keep_what_their_base_says_and_their_own_words() -> None:
    ours = load({"base": "red_1", "target": 500})
    assert described(ours, "es").name == "El 1 rojo, reglas de la casa"
    assert described(ours, "es").reconstructed == described(load("red_1"), "es").reconstructed
    named = load({"base": "red_1", "target": 500, "name": "The Red 1, house rules, mine"})
    assert described(named, "es").name == named.name
    assert name_in("House rules", "es") == "Reglas de la casa"


@pytest.mark.parametrize("name", catalog())
def test_english_is_what_the_catalogue_says(name: str) -> None:
    rules = load(name)
    own = (rules.name, rules.origin, rules.reconstructed, rules.notes, special(name))
    assert described(rules) == described(rules, "en") == own


def lines() -> Iterator[str]:
    """Yield every line that a problem may be told with, a 7 in every place."""
    for name in TOLD_OF:
        tree = ast.parse((HERE / name).read_text("utf-8"))
        names = {
            node.targets[0].id: node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Problem":
                yield from _filled(node.args[1], names)


def _filled(text: ast.expr, names: dict[str, ast.expr]) -> Iterator[str]:
    if isinstance(text, ast.Constant):
        yield str(text.value)
    elif isinstance(text, ast.IfExp):
        yield from _filled(text.body, names)
        yield from _filled(text.orelse, names)
    elif isinstance(text, ast.JoinedStr):
        heads = [""]
        for part in text.values:
            tails = list(_filled(part, names))
            heads = [head + tail for head in heads for tail in tails]
        yield from heads
    elif isinstance(text, ast.FormattedValue):
        held = names.get(getattr(text.value, "id", ""))
        sentence = isinstance(held, ast.IfExp | ast.JoinedStr)
        yield from _filled(held, names) if held is not None and sentence else ["7"]


# What follows the error of a card's name, which is told with it below.
AFTER_A_CARD = "7, or a rank from 1 to 14"


@pytest.mark.parametrize("lang", OTHERS)
def test_every_line_about_what_does_not_fit_is_told(lang: Language) -> None:
    found = set(lines()) - {AFTER_A_CARD}
    assert len(found) > 50
    assert [line for line in found if told(Problem("seats", line), lang) == line] == []
    kept = {line for line in found for pattern, _ in templates(lang) if pattern.fullmatch(line)}
    assert kept == found
    idle = [
        text
        for pattern, text in templates(lang)
        if not any(pattern.fullmatch(line) for line in found) and "{cards}" not in text
    ]
    assert not idle


@pytest.mark.parametrize("lang", OTHERS)
def test_what_does_not_fit_keeps_its_values(lang: Language) -> None:
    for line, text in written(f"problems.{lang}.toml")["problem"].items():
        assert places(line) == places(text), line
        # Values of options are quoted, and stand as they are.
        assert set(re.findall(r'"\w+"', line)) == set(re.findall(r'"\w+"', text)), line
        assert not LEAKS.search(re.sub(r'"[^"]*"|`[^`]*`|\{\w+\}', "", text)), text


WRONG: list[object] = ["x", -1, 10**9, [], ["XX"], [["XX"]], {"XX": 5}, {"up_to": 0}, None, 1.5]


@pytest.mark.parametrize("lang", OTHERS)
@pytest.mark.parametrize("option", [*OPTIONS, "base", "seat", "xyzzy"])
def test_a_value_that_will_not_do_is_told(option: str, lang: Language) -> None:
    found: list[Problem] = []
    for value in WRONG:
        try:
            load({option: value})
        except RulesError as error:
            found += error.found
    assert found
    for problem in found:
        line = told(problem, lang)
        assert told(problem, "en") == problem.text != line
        assert not LEAKS.search(re.sub(r'"[^"]*"|`[^`]*`', "", line)), line
        assert re.findall(r"\d+", line) == re.findall(r"\d+", problem.text) or "{" in line


@pytest.mark.parametrize("lang", OTHERS)
@pytest.mark.parametrize("option", OPTIONS)
def test_what_an_option_allows_is_told(option: str, lang: Language) -> None:
    plain = re.sub(r'"[^"]*"|\w+ =', "", in_pieces(allowed(option), lang))
    assert not re.search(r"\b(or|to|of|from|with|number|text|table|list|card|name)\b", plain)


def test_a_card_that_is_none_is_told() -> None:
    with pytest.raises(RulesError) as caught:
        load({"counters": {"XX": 5}, "extra_cards": ["YY"]})
    assert [told(problem, "es") for problem in caught.value.found] == [
        "'YY' no es ninguna carta de esta baraja; se esperaba una como R14, G1 o RK",
        "'XX' no es ninguna carta de esta baraja; se esperaba una como R14, G1 o RK, o un valor de "
        "1 a 14",
    ]


def test_the_tournament_game_in_spanish() -> None:
    found = sections(load("kd_tournament"), "es")
    assert found["Cartas"] == (
        "41 cartas: de 5 a 14 en rojo, verde, amarillo y negro junto con el Rook. En cada color, "
        "de mejor a peor: de 14 a 5. Cartas con puntos: 5 por cada 5, 10 por cada 10 y cada 14, 20 "
        "por el Rook; 120 puntos en total."
    )


def test_articles_flow_together() -> None:
    calling = load("call_partner_4")
    assert "el rango del Rook" in summary(calling, "es").replace("\n  ", " ")
    for name in catalog():
        assert not re.search(r"\b(de|a) el\b", summary(load(name), "es").replace("\n  ", " "))


def test_a_language_that_there_is_not() -> None:
    with pytest.raises(ValueError, match='"en" or "es"'):
        summary(load("kd_tournament"), "fr")  # type: ignore[arg-type]


def test_texts_are_read_when_they_are_asked_for() -> None:
    program = (
        "from rookery.rules import load, summary\n"
        "from rookery.rules.tongue import written\n"
        "rules = load('red_1')\n"
        "assert written.cache_info().currsize == 0\n"
        "summary(rules)\n"
        "assert written.cache_info().currsize == 1\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


@pytest.mark.parametrize("lang", OTHERS)
def test_texts_do_not_change_the_rules(lang: Language) -> None:
    rules = load("red_1")
    before = (rules.options(), rules.model_dump())
    summary(rules, lang)
    described(rules, lang)
    assert (rules.options(), rules.model_dump()) == before
    assert Rules.model_fields.keys() == {*OPTIONS, *rookery.rules.METADATA}


def test_the_command_line_shows_them(capsys: pytest.CaptureFixture[str]) -> None:
    show("red_1", lang="ES", as_json=False)
    shown = capsys.readouterr().out
    assert shown.startswith("El 1 rojo (red_1)\n\nSe añade el 1 rojo: siempre es triunfo")
    assert "\n\nReconstruido: Cómo se reparten" in shown
    assert max(map(len, shown.splitlines())) <= 80
    assert summary(load("red_1"), "es") in shown
    with pytest.raises(Refused, match="expected en or es"):
        show("red_1", lang="fr", as_json=False)
