"""What a rule set says of itself, in another language: its name, where it comes from, and why.

The catalogue is written in English. Another language has each of its texts under the English one,
so that it also finds those that house rules take over; what somebody wrote himself stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final, NamedTuple

from rookery.rules.model import Rules
from rookery.rules.tongue import Language, tongue, written
from rookery.rules.variants import IDS, special

HOUSE: Final = "{name}, house rules"


class Described(NamedTuple):
    """A rule set's own words: see the fields of `Rules` of the same names.

    Attributes:
        special: of a variant of the catalogue, what is special about it, in a sentence.
    """

    name: str
    origin: str
    reconstructed: str | None
    notes: str
    special: str | None


def described(rules: Rules, lang: Language = "en") -> Described:
    """Return what `rules` say of themselves in a language, as far as the catalogue wrote it.

    >>> from rookery.rules import load
    >>> described(load("red_1"), "es").name
    'El 1 rojo'
    """
    found = texts(lang)
    why = rules.reconstructed
    apart = special(rules.id) if rules.id in IDS else None
    return Described(
        name_in(rules.name, lang),
        found["origin"].get(rules.origin, rules.origin),
        why and found["reconstructed"].get(why, why),
        found["notes"].get(rules.notes, rules.notes),
        apart and found["special"].get(apart, apart),
    )


def name_in(name: str, lang: Language) -> str:
    """Return the name of a game in a language; one that is not the catalogue's as it is.

    >>> name_in("Kentucky Rook, house rules", "es")
    'Rook de Kentucky, reglas de la casa'
    >>> name_in("Grandmother's game", "es")
    "Grandmother's game"
    """
    names = texts(lang)["name"]
    base = name.removesuffix(HOUSE.format(name=""))
    if name in names or base == name or base not in names:
        return names.get(name, name)
    return names[HOUSE].format(name=names[base])


@cache
def texts(lang: Language) -> Mapping[str, Mapping[str, str]]:
    """Return the texts of the catalogue in a language, by kind and by the English text."""
    tongue(lang)
    kinds = {field: dict[str, str]() for field in Described._fields}
    return kinds if lang == "en" else {**kinds, **written(f"variants.{lang}.toml")}
