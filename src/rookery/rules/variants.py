"""The catalogue: one file a variant, read when it is asked for, each a few changes to its base.

A file also says in every language what the game is called, where it comes from and what is special
about it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Final

from rookery.rules.errors import Problem, UnknownRules, quoted
from rookery.rules.language import LANGUAGES, Language
from rookery.rules.model import METADATA, Rules
from rookery.rules.validation import validate

HOUSE_RULES: Final = "{name}, house rules"  # the name of rules that are changes to those of NAME
FOLDER: Final = Path(__file__).parent / "catalog"
NOT_OPTIONS: Final = ("base", "special", *METADATA, *LANGUAGES)

IDS: Final = (
    "kd_tournament",
    "kd_sim_paper",
    "kd_original",
    "red_1",
    "buckeye",
    "kd_full_57",
    "kd_standard_cards",
    "regular_partnership",
    "dixie",
    "dixie_6",
    "display",
    "boston",
    "one_high_partnership",
    "hoyle_standard",
    "partnership_180",
    "house_001",
    "wanamingo",
    "five_person_poker",
    "call_partner_4",
    "call_partner_4_short",
    "call_partner_5",
    "call_partner_5_short",
    "call_partner_6",
    "call_partner_6_short",
    "call_partner_5_plain",
    "low_card_no_trump",
    "circus",
    "black_2",
    "red_2",
    "kentucky_rook",
    "call_partner_pagat",
    "rook_two_1914",
    "rook_three_1914",
    "rook_1906",
    "rook_1906_7",
    "rook_1906_8",
    "pwinckles_57",
    "one_low_180",
)


def catalog() -> tuple[str, ...]:
    """Return the ids of all variants, in the order of the reference.

    >>> catalog()[0], len(catalog())
    ('kd_tournament', 38)
    """
    return IDS


def unknown(name: object, option: str = "rules") -> UnknownRules:
    """Return the error that says that no variant is called `name`, with the nearest one that is."""
    if near := get_close_matches(str(name).lower(), IDS, n=1, cutoff=0.4):
        return UnknownRules([Problem(option, "misspelt-variant", name=quoted(name), near=near[0])])
    return UnknownRules([Problem(option, "unknown-variant", name=quoted(name))])


@cache
def changes(name: str) -> Mapping[str, object]:
    """Return every option that the variant `name` or one of its bases sets, unchecked."""
    written = _written(name)
    base = written.get("base")
    inherited = changes(base) if isinstance(base, str) else {}
    own = {key: value for key, value in written.items() if key not in NOT_OPTIONS}
    return {**inherited, **own}


def parent(name: str) -> str | None:
    """Return the id of the variant that the variant `name` is written as changes to, if any.

    >>> parent("dixie_6"), parent("kd_tournament")
    ('dixie', None)
    """
    base = _written(name).get("base")
    return base if isinstance(base, str) else None


def special(name: str) -> str:
    """Return what is special about the variant `name`, one sentence for somebody who chooses.

    >>> special("red_2")
    'The red 2 is a little Rook: always a trump, and second only to the Rook itself.'
    """
    return str(_written(name)["special"])


@cache
def own_words(language: Language) -> Mapping[str, str]:
    """Return what the catalogue says of its games in a language, by its words in English.

    House rules take words over from their base, and tables and records keep them in English.
    """
    words: dict[str, str] = {}
    for written in map(_written, IDS):
        own = written.get(language)
        if isinstance(own, dict):
            words |= {str(written[field]): text for field, text in own.items()}
    return words


@cache
def variant(name: str) -> Rules:
    """Return the variant of the catalogue called `name`.

    Raises:
        UnknownRules: there is none; code ``unknown-rules``.

    >>> variant("buckeye").total_points
    180
    """
    if name not in IDS:
        raise unknown(name)
    written = _written(name)
    metadata = {key: written[key] for key in METADATA if key in written}
    return validate({**changes(name), **metadata, "id": name})


@cache
def _written(name: str) -> dict[str, object]:
    with (FOLDER / f"{name}.toml").open("rb") as file:
        return tomllib.load(file)
