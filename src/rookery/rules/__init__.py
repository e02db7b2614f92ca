"""What a game of Rook is, as data: every option, the catalogue, and house rules made from it."""

from rookery.rules.check import unprepared
from rookery.rules.description import describe, full_entry, list_entry, rules_schema, translate_name
from rookery.rules.errors import RulesError, RulesUnreadable, UnknownRules, quoted
from rookery.rules.language import LANGUAGES, Language, Terms, Texts, capital, texts
from rookery.rules.model import METADATA, OPTIONS, Rules
from rookery.rules.source import (
    HOUSE_RULES,
    base_of,
    catalog,
    is_nested,
    json_number,
    load,
    names_a_file,
    parse,
    parse_json,
    parse_toml,
    stored,
    variant,
)
from rookery.rules.summary import sections, summary

__all__ = [
    "HOUSE_RULES",
    "LANGUAGES",
    "METADATA",
    "OPTIONS",
    "Language",
    "Rules",
    "RulesError",
    "RulesUnreadable",
    "Terms",
    "Texts",
    "UnknownRules",
    "base_of",
    "capital",
    "catalog",
    "describe",
    "full_entry",
    "is_nested",
    "json_number",
    "list_entry",
    "load",
    "names_a_file",
    "parse",
    "parse_json",
    "parse_toml",
    "quoted",
    "rules_schema",
    "sections",
    "stored",
    "summary",
    "texts",
    "translate_name",
    "unprepared",
    "variant",
]
