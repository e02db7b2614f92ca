"""The routes of rules answer in the language that is asked for, and so does the client."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest
from tests.server.http.served import QUICK, Here
from tests.server.http.test_evenings import ROUND, done, made

import rookery
from rookery.rules import catalog, describe, load, sections, summary, variant
from rookery.server.api.bots import BOTS
from rookery.show.words import words

STATIC = Path(rookery.__file__).parent / "web" / "static"


def got(path: str, body: object = None) -> Any:  # noqa: ANN401  (JSON is anything)
    async def ask() -> Any:  # noqa: ANN401
        async with Here().browser() as browser:
            method = "GET" if body is None else "POST"
            return (await browser.request(method, path, json=body)).json()

    return asyncio.run(ask())


def test_the_catalogue_is_told_in_spanish() -> None:
    english, spanish = got("/api/variants"), got("/api/variants?lang=es")
    assert english == got("/api/variants?lang=en")
    assert [line["id"] for line in spanish] == [line["id"] for line in english] == list(catalog())
    for line in spanish:
        told = describe(variant(line["id"]), "es")
        assert (line["name"], line["origin"], line["reconstructed"]) == told[:3]
        assert line["special"] == told.special
        assert line["summary"] == summary(variant(line["id"]), "es")


def test_a_variant_is_told_in_spanish_and_plays_alike() -> None:
    english, spanish = got("/api/variants/red_1"), got("/api/variants/red_1?lang=es")
    assert spanish["name"] == "El 1 rojo"
    assert spanish["sections"] == sections(load("red_1"), "es")
    told = {"name", "reconstructed", "special", "summary", "sections"}
    assert {key for key in english if english[key] != spanish[key]} == told


def test_a_table_finds_the_name_of_its_rules_in_spanish() -> None:
    names = got("/api/rules/names?lang=es")
    for name in catalog():
        rules = variant(name)
        assert names[rules.name] == describe(rules, "es").name
        registry = load({"base": name, "target": rules.target + 60}).name
        assert names[registry] == f"{names[rules.name]}, reglas de la casa"
    assert len(names) == 2 * len(catalog())


def test_rules_are_checked_in_spanish() -> None:
    checked = got("/api/rules/check?lang=es", {"rules": QUICK})
    assert checked["sections"] == sections(load(QUICK), "es")
    assert checked["options"] == load(QUICK).options()
    wrong = got("/api/rules/check?lang=es", {"rules": {"seats": 9}})
    text = "9 no es válido; se espera un número entero de 2 a 8"
    assert wrong["problems"] == [{"option": "seats", "code": "wrong-value", "text": text}]


@pytest.mark.parametrize(
    "path", ["/api/variants", "/api/variants/circus", "/api/rules/names", "/api/rules/schema"]
)
def test_a_language_that_there_is_not_is_refused(path: str) -> None:
    assert got(f"{path}?lang=fr")["error"]["code"] == "bad-request"


@pytest.mark.parametrize("lang", ["en", "es"])
def test_every_bot_can_be_said(lang: str) -> None:
    known = words(language=lang)
    for name in BOTS:
        assert known[f"bot.name.{name}"]
        assert known[f"bot.seat.{name}"]
        assert known[f"bot.about.{name}"]


def test_nothing_on_a_page_is_marked_as_english() -> None:
    marked = [path.name for path in STATIC.rglob("*.js") if 'lang="en"' in path.read_text("utf-8")]
    assert not marked


def test_a_page_asks_for_words_in_its_language() -> None:
    asked = [
        (path.relative_to(STATIC).as_posix(), found)
        for path in STATIC.rglob("*.js")
        for found in re.findall(
            r'(\S*)\(["`]/api/(?:variants|rules/(?:check|parse|schema))', path.read_text("utf-8")
        )
    ]
    assert len(asked) > 5
    # The options of a base, and which ones a hash is made of, have no language.
    plain = {(name, how) for name, how in asked if not how.endswith("inWords")}
    assert plain == {
        ("pages/editor/state.js", "getOnce"),
        ("fairness/record_check.js", "getOnce"),
        ("table/dialogs/deal_dialog.js", "getOnce"),
    }


def test_an_evening_to_keep_is_written_in_spanish() -> None:
    async def story() -> None:
        here = Here()
        async with here.person("Ann") as ann, here.person("Robert") as bob:
            evening = await made(ann)
            at = f"/api/evenings/{evening['code']}/file"
            await done(ann, evening, ROUND)
            await done(bob, evening, {"do": "claim", "person": 1})
            await bob.delete("/api/session")  # their name goes, and their number stays
            forms = ("csv", "text", "json")
            english = [(await ann.get(f"{at}?form={form}")).text for form in forms]
            spanish = [(await ann.get(f"{at}?form={form}&lang=es")).text for form in forms]
            assert all("No. 2" in text and "N.º 2" not in text for text in english[:2])
            assert all("N.º 2" in text and "No. 2" not in text for text in spanish[:2])
            head = "ronda,mesa,asiento,persona,nombre,repartos,puntos\n"
            assert spanish[0].startswith(f"\ufeff{head}")  # a spreadsheet reads it as UTF-8
            assert all(said in spanish[1] for said in ("Ronda 1\n", "\nMesa 1: ", " contra "))
            assert spanish[2] == english[2]
            assert (await ann.get(f"{at}?lang=xx")).status_code == 400

    asyncio.run(story())
