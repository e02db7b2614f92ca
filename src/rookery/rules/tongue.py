"""The texts of one language, under keys: written in `lang/`, read when they are first asked for."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, get_args

Language: TypeAlias = Literal["en", "es"]

FOLDER: Final = Path(__file__).parent / "lang"
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)


class Tongue:
    """One language: texts with places for values, and which of its words flow together."""

    def __init__(self, texts: Mapping[str, Any]) -> None:
        self.contracted: Mapping[str, str] = texts.get("contracted", {})
        told = {key: text for key, text in texts.items() if key != "contracted"}
        self.texts: Mapping[str, str] = dict(_flat(told))

    def __contains__(self, key: str) -> bool:
        return key in self.texts

    def say(self, key: str, case: object = None, **values: object) -> str:
        """Return the text of `key` with its values, and where it has cases the one for `case`.

        >>> tongue("es").say("cards_counted", "one", n="una")
        'una carta'
        >>> tongue("es").say("trump.step.rook", rook="el Rook")
        'decide el rango del Rook'
        """
        if case is not None:
            key = f"{key}.{case}" if f"{key}.{case}" in self else f"{key}.other"
        text = self.texts[key].format_map(values)
        for apart, together in self.contracted.items():
            text = re.sub(rf"\b{apart}\b", together, text)
        return text


@cache
def tongue(lang: Language) -> Tongue:
    """Return the texts of a language.

    Raises:
        ValueError: there is none called so.
    """
    if lang not in LANGUAGES:
        known = " or ".join(f'"{name}"' for name in LANGUAGES)
        raise ValueError(f"no texts in {lang!r}; {known}")
    return Tongue(written(f"{lang}.toml"))


@cache
def written(name: str) -> dict[str, Any]:
    """Return what the file `name` of the folder of texts holds; do not change it."""
    with (FOLDER / name).open("rb") as file:
        return tomllib.load(file)


def _flat(texts: Mapping[str, Any], head: str = "") -> Iterator[tuple[str, str]]:
    for key, text in texts.items():
        if isinstance(text, str):
            yield f"{head}{key}", text
        else:
            yield from _flat(text, f"{head}{key}.")
