"""A rule set described to a reader: its own words in their language, and as JSON."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from rookery.cards import by_suit, card_name, pack_cards
from rookery.rules.language import Language, texts
from rookery.rules.model import Rules
from rookery.rules.options import option_groups
from rookery.rules.source import HOUSE_RULES, IDS, own_words, special


class Description(NamedTuple):
    """What a rule set says of itself: see the fields of `Rules` of the same names.

    Attributes:
        special: of a variant of the catalogue, what is special about it, in a sentence.
    """

    name: str
    origin: str
    reconstructed: str | None
    notes: str
    special: str | None


def describe(rules: Rules, language: Language = "en") -> Description:
    """Return what `rules` say of themselves, in a language as far as the catalogue has the words.

    >>> from rookery.rules import load
    >>> describe(load("red_1"), "es").name
    'El 1 rojo'
    """
    words = own_words(language)
    why = rules.reconstructed
    sentence = special(rules.id) if rules.id in IDS else None
    return Description(
        translate_name(rules.name, language),
        words.get(rules.origin, rules.origin),
        why and words.get(why, why),
        words.get(rules.notes, rules.notes),
        sentence and words.get(sentence, sentence),
    )


def translate_name(name: str, language: Language) -> str:
    """Return the name of a game in a language; a name that is not the catalogue's as it is.

    >>> translate_name("Kentucky Rook, house rules", "es")
    'Rook de Kentucky, reglas de la casa'
    >>> translate_name("Grandmother's game", "es")
    "Grandmother's game"
    """
    words = own_words(language)
    if name in words or language == "en":
        return words.get(name, name)
    if name == UNNAMED:
        return texts(language).text("house_rules.unnamed")
    base = name.removesuffix(HOUSE_RULES.format(name=""))
    if base == name or base not in words:
        return name
    return texts(language).text("house_rules.named", name=words[base])


def list_entry(rules: Rules, language: Language = "en") -> dict[str, Any]:
    """Return a line of the catalogue, ready for JSON, as ``rules list --json`` prints it.

    >>> from rookery.rules import load
    >>> list_entry(load("kd_tournament"))["seats"]
    4
    """
    own = describe(rules, language)
    return {
        "id": rules.id,
        "name": own.name,
        "seats": rules.seats,
        "cards": rules.cards,
        "origin": own.origin,
        "reconstructed": own.reconstructed,
        "special": own.special,
    }


def full_entry(rules: Rules, language: Language = "en") -> dict[str, Any]:
    """Return rules with all their options, ready for JSON, as ``rules show --json`` prints them.

    >>> from rookery.rules import load
    >>> len(full_entry(load("kd_tournament"))["cards"])
    41
    """
    own = describe(rules, language)
    deck = by_suit(pack_cards(rules.deck))
    return {
        "id": rules.id,
        "name": own.name,
        "seats": rules.seats,
        "cards": [card_name(card, rules.pack) for card in deck],
        "hand_size": rules.hand_size,
        "nest_size": rules.nest_size,
        "bid_minimum": rules.bid_minimum,
        "bid_maximum": rules.bid_maximum,
        "total_points": rules.total_points,
        "target": rules.target,
        "reconstructed": own.reconstructed,
        "special": own.special,
        "options": rules.options(),
    }


def rules_schema(language: Language = "en") -> dict[str, Any]:
    """Return the JSON schema of a rule set, with what a form of it needs to be read by people.

    Every option has, beside the schema's own keys, ``words``: its ``name``, what it means
    (``help``) and ``values``, a text for each word it may be; and the ``group`` it belongs to.

    >>> words = rules_schema("es")["properties"]["seats"]["words"]
    >>> words["name"], words["help"]
    ('Asientos', 'Cuántas personas juegan.')
    """
    schema = Rules.model_json_schema()
    words = texts(language).texts
    for option, group in option_groups().items():
        form = schema["properties"][option]
        head = f"option.{option}."
        values = f"{head}values."
        form["group"] = group
        form["words"] = {
            "name": words[f"{head}name"],
            "help": words[f"{head}help"],
            "values": {
                key.removeprefix(values): text
                for key, text in words.items()
                if key.startswith(values)
            },
        }
    return schema


UNNAMED: Final[str] = Rules.model_fields["name"].default
