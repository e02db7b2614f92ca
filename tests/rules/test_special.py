"""What is special about each variant: a sentence in each language, and all that it says true."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import pytest

from rookery.cards import card_name
from rookery.rules import LANGUAGES, Language, Rules, catalog, describe, load, variant
from rookery.rules.options import Cap, SweepReplaces, UpTo

LONGEST: Final = 110  # characters, three lines on a phone

# What a number may stand for.
NUMBERS: Final[dict[str, Callable[[Rules, int], bool]]] = {
    "seats": lambda rules, n: rules.seats == n,
    "team": lambda rules, n: (rules.partnership, rules.seats) == ("fixed_alternate_3", 2 * n),
    "cards": lambda rules, n: rules.cards == n,
    "hand": lambda rules, n: rules.hand_size == n,
    "nest": lambda rules, n: rules.nest_size == n,
    "called": lambda rules, n: rules.called_cards == n,
    "swapped": lambda rules, n: rules.nest_exchange == UpTo(up_to=n),
    "total": lambda rules, n: rules.total_points == n,
    "worth": lambda rules, n: n in rules.card_points.values(),
    "bonus": lambda rules, n: rules.bonus_points == n,
    "trick": lambda rules, n: (rules.trick_bonus, rules.trick_bonus_value) == ("per_trick", n),
    "minimum": lambda rules, n: rules.bid_minimum == n,
    "target": lambda rules, n: rules.target == n,
    "sweep": lambda rules, n: rules.sweep_value == SweepReplaces(replace=n),
    "cap": lambda rules, n: rules.own_contract_to_go_out == Cap(cap=n),
    "rank": lambda rules, n: n in rules.ranks,
    "no rank": lambda rules, n: n not in rules.ranks,
    "played by the ace": lambda rules, n: rules.pack == "standard" and n == 14,
    "red card": lambda rules, n: f"R{n}" in names(rules),
    "black card": lambda rules, n: f"B{n}" in names(rules),
}
# The words about a number, the number as #; of several that fit the first is taken.
FIGURES: Final[dict[Language, dict[str, str]]] = {
    "en": {
        "two teams of #": "team",
        "# players": "seats",
        "nest of #": "nest",
        "# cards each": "hand",
        "# for each player": "hand",
        "call # cards": "called",
        "# called cards": "called",
        "up to # cards": "swapped",
        "# cards": "cards",
        "# points in every hand": "total",
        "# points in a hand": "total",
        "worth #": "worth",
        "gets # more": "bonus",
        "every trick counts #": "trick",
        "begins at #": "minimum",
        "begin at #": "minimum",
        "a game to #": "target",
        "scores #": "sweep",
        "past #": "cap",
        "no #, # or #": "no rank",
        "the #s": "rank",
        "the # of trump": "rank",
        "ace stands for the #": "played by the ace",
        "red #": "red card",
        "black #": "black card",
        "of the #": "total",
    },
    "es": {
        "dos equipos de #": "team",
        "# jugadores": "seats",
        "nido de #": "nest",
        "# cartas cada uno": "hand",
        "# para cada jugador": "hand",
        "pedir # cartas": "called",
        "# cartas pedidas": "called",
        "hasta # cartas": "swapped",
        "# cartas": "cards",
        "con # puntos cada uno": "worth",
        "# puntos en cada mano": "total",
        "cada baza vale #": "trick",
        "vale #": "worth",
        "valen #": "worth",
        "lleva # más": "bonus",
        "empieza en #": "minimum",
        "desde #": "minimum",
        "se juega a #": "target",
        "los puntos da #": "sweep",
        "pasa de #": "cap",
        "sin #, # ni #": "no rank",
        "los #": "rank",
        "# de triunfo": "rank",
        "as hace de #": "played by the ace",
        "el # rojo": "red card",
        "el # negro": "black card",
    },
}
COUNTED: Final[dict[Language, str]] = {
    "en": "two three four five six seven eight nine ten",
    "es": "dos tres cuatro cinco seis siete ocho nueve diez",
}
# What is there or not.
TRAITS: Final[dict[str, Callable[[Rules], bool]]] = {
    "without the Rook": lambda rules: not rules.rook_in_deck,
    "without a nest": lambda rules: rules.nest_size == 0,
    "a nest of one": lambda rules: rules.nest_size == 1,
    "standard cards": lambda rules: rules.pack == "standard",
    "the Rook on top": lambda rules: rules.rook_rank == "top",
    "the Rook below": lambda rules: rules.rook_rank == "bottom",
    "the Rook any time": lambda rules: rules.rook_any_time,
    "a called partner": lambda rules: rules.calls_partner,
    "pairs": lambda rules: rules.partnership == "fixed_opposite",
    "alone": lambda rules: rules.partnership == "alone",
    "1s high": lambda rules: rules.ones == "high",
    "1s low": lambda rules: rules.ones == "low",
    "low calls": lambda rules: {"suits-low", "notrump-low"} <= set(rules.trump_calls),
}
WORDS: Final[dict[Language, dict[str, str]]] = {
    "en": {
        "no rook|without the rook": "without the Rook",
        "no nest": "without a nest",
        "nest is a single card": "a nest of one",
        "standard pack|joker": "standard cards",
        "rook is (the )?highest|rook that beats all": "the Rook on top",
        "(rook|joker) is the lowest trump": "the Rook below",
        "at any time": "the Rook any time",
        "secret partner|called (card|partner)": "a called partner",
        "in pairs": "pairs",
        "each alone|plays alone|one against all": "alone",
        "1s are the highest|1s .*above|1s at the top": "1s high",
        "1s below|rank lowest": "1s low",
        "low cards|cards or low": "low calls",
    },
    "es": {
        "sin (el )?rook": "without the Rook",
        "sin nido|ni nido": "without a nest",
        "nido es una sola carta": "a nest of one",
        "baraja francesa|comodín": "standard cards",
        "rook es el (triunfo )?más alto|rook que gana": "the Rook on top",
        "triunfo más bajo|menor triunfo": "the Rook below",
        "jugar siempre": "the Rook any time",
        "compañeros? secreto|compañero pedido|carta pedida": "a called partner",
        "en parejas": "pairs",
        "cada uno solo|juegan solos|uno contra todos": "alone",
        "1 son las cartas más altas|los 1, por encima": "1s high",
        "1 por debajo|son los más bajos": "1s low",
        "cartas bajas|al revés": "low calls",
    },
}


def names(rules: Rules) -> set[str]:
    return {card_name(card, rules.pack) for card in rules.deck}


def sentence(name: str, lang: Language) -> str:
    return describe(variant(name), lang).special or ""


def wrong(text: str, rules: Rules, lang: Language) -> list[str]:
    """Return what a sentence says and the rules do not, and numbers that say nobody knows what."""
    words = COUNTED[lang].split()
    number = rf"(\d+|\b(?:{'|'.join(words)})\b)"
    found, rest = [], text.lower()
    for phrase, meant in FIGURES[lang].items():
        pattern = re.compile(phrase.replace("#", number))
        for match in pattern.finditer(rest):
            told = [int(n) if n.isdigit() else words.index(n) + 2 for n in match.groups()]
            found += [match[0] for n in told if not NUMBERS[meant](rules, n)]
        rest = pattern.sub(" - ", rest)
    found += re.findall(number, rest)
    for phrase, trait in WORDS[lang].items():
        if re.search(phrase, text.lower()) and not TRAITS[trait](rules):
            found.append(trait)
    return found


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_variant_has_a_sentence_of_its_own(lang: Language) -> None:
    told = [sentence(name, lang) for name in catalog()]
    assert len(set(told)) == len(catalog())
    for text in told:
        assert text.endswith(".")
        assert text.count(".") == 1
        assert text == " ".join(text.split())
        assert 40 <= len(text) <= LONGEST, (len(text), text)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", catalog())
def test_all_that_a_sentence_says_is_in_the_options(name: str, lang: Language) -> None:
    found = wrong(sentence(name, lang), load(name), lang)
    assert not found, "what a number or a word may stand for is in NUMBERS, FIGURES and WORDS"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_way_to_say_something_is_used(lang: Language) -> None:
    told = "\n".join(sentence(name, lang) for name in catalog()).lower()
    ways = [phrase.replace("#", r"\w+") for phrase in FIGURES[lang]] + list(WORDS[lang])
    assert not [way for way in ways if not re.search(way, told)]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_numbers_are_the_same_in_every_language(lang: Language) -> None:
    def numbers(name: str, lang: Language) -> list[str]:
        words = COUNTED[lang].split()
        spelt = {word: str(n) for n, word in enumerate(words, 2)}
        text = sentence(name, lang).lower()
        told = re.findall(rf"\d+|\b(?:{'|'.join(words)})\b", text)
        return sorted(spelt.get(n, n) for n in told)

    assert [name for name in catalog() if numbers(name, lang) != numbers(name, "en")] == []


@pytest.mark.parametrize(
    ("lang", "text", "rules", "expected"),
    [
        ("en", "Six players and a nest of four.", "dixie", ["six players"]),
        ("es", "Seis jugadores y un nido de cuatro.", "dixie", ["seis jugadores"]),
        ("en", "45 cards: no 2, 3 or 4.", "kd_full_57", ["45 cards", *["no 2, 3 or 4"] * 3]),
        ("en", "The 1s are fun, and so are 7 herons.", "kd_tournament", ["the 1s", "7"]),
        (
            "en",
            "No Rook, and a secret partner.",
            "buckeye",
            ["without the Rook", "a called partner"],
        ),
        ("es", "Sin Rook y en parejas.", "dixie_6", ["pairs"]),
        ("en", "The red 1 is worth 40.", "red_1", ["worth 40"]),
        ("es", "El 1 rojo vale 30.", "buckeye", ["vale 30"]),
    ],
)
def test_what_is_not_so_is_found(
    lang: Language, text: str, rules: str, expected: list[str]
) -> None:
    assert wrong(text, load(rules), lang) == expected


def test_rules_of_a_house_have_none() -> None:
    assert describe(load({"base": "red_1", "target": 500})).special is None
    assert describe(load({"id": "mine", "target": 500}), "es").special is None
