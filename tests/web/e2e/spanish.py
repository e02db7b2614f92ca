"""Somebody who reads Spanish, and what of a page is English for them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page
from tests.server.http.served import Served
from tests.web.e2e.people import Someone

import rookery
from rookery.rules import catalog, describe, load, sections, summary, variant

WORDS = Path(rookery.__file__).parent / "web" / "static" / "i18n"
HOLE = re.compile(r"\{\w+\}")
# Everything that a person or a screen reader reads, a text node a piece.
PIECES = """() => {
  const found = [document.title];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const { parentElement: box, textContent } = walk.currentNode;
    if (!box.closest("script, style, noscript")) found.push(textContent);
  }
  for (const name of ["aria-label", "title", "placeholder", "alt"]) {
    for (const box of document.querySelectorAll(`[${name}]`)) found.push(box.getAttribute(name));
  }
  return found.map((text) => text.replace(/\\s+/g, " ").trim()).filter(Boolean);
}"""


def catalogue(lang: str) -> dict[str, str]:
    """Return all words of a language by their keys."""
    files = [*sorted(WORDS.rglob(f"*.{lang}.json")), WORDS / f"{lang}.json"]
    return {key: text for file in files for key, text in json.loads(file.read_text()).items()}


ENGLISH, SPANISH = catalogue("en"), catalogue("es")


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(".+?".join(map(re.escape, HOLE.split(text))))


def _of_the_rules(lang: Literal["en", "es"]) -> Iterator[str]:
    """Yield what the server says of the games in a language, sentence by sentence."""
    for name in catalog():
        rules = variant(name)
        own = describe(rules, lang)
        texts = [own.name, own.origin, own.reconstructed, own.special, summary(rules, lang)]
        texts += sections(load(name), lang).values()
        for text in filter(None, texts):
            yield from (line.strip() for line in re.split(r"\n|(?<=[.;]) ", text))


class Reader:
    """Finds English in Spanish pages."""

    def __init__(self) -> None:
        spanish = {*SPANISH.values(), *_of_the_rules("es")}
        texts = {ENGLISH[key] for key in ENGLISH if ENGLISH[key] != SPANISH.get(key)} - spanish
        lettered = [text for text in texts if re.search(r"[A-Za-z]{3}", HOLE.sub("", text))]
        self.whole = {text for text in lettered if not HOLE.search(text)}
        self.whole |= {line for line in _of_the_rules("en") if line not in spanish}
        self.made = [_pattern(text) for text in lettered if HOLE.search(text)]
        self.allowed = [_pattern(text) for text in spanish if HOLE.search(text)]
        self.long = [text for text in self.whole if len(text.split()) > 3]

    def english(self, pieces: list[str]) -> list[str]:
        """Return the pieces that are English, or hold an English sentence."""
        return sorted({piece for piece in pieces if self._is_english(piece)})

    def _is_english(self, piece: str) -> bool:
        if piece in self.whole or any(text in piece for text in self.long):
            return True
        made = any(pattern.fullmatch(piece) for pattern in self.made)
        return made and not any(pattern.fullmatch(piece) for pattern in self.allowed)


def pieces(page: Page) -> list[str]:
    """Return all that is to be read on a page."""
    return list(page.evaluate(PIECES))


class Spaniard(Someone):
    """Somebody whose browser speaks Spanish; buttons are named by their English words."""

    def __init__(self, browser: Browser, here: Served, name: str, **device: object) -> None:
        super().__init__(browser, here, name, **device, locale="es-MX")

    def starts(self) -> None:
        """Begin the match, and return when there are cards."""
        self.press("Start", exact=False)
        self.page.wait_for_function("() => told.table.view")

    def press(self, name: str, *, exact: bool = True) -> None:
        """Press a button by what its English words are in Spanish."""
        key = next((key for key, text in ENGLISH.items() if text == name), None)
        super().press(name if key is None else SPANISH[key], exact=exact)
