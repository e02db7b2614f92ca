"""What a game of Rook is, as data: every option, the catalogue, and house rules made from it."""

from rookery.rules.described import described
from rookery.rules.errors import RulesError, RulesUnreadable, UnknownRules
from rookery.rules.model import METADATA, OPTIONS, Rules
from rookery.rules.source import load
from rookery.rules.told import told
from rookery.rules.tongue import LANGUAGES, Language
from rookery.rules.variants import catalog, variant
from rookery.rules.words import sections, summary

__all__ = [
    "LANGUAGES",
    "METADATA",
    "OPTIONS",
    "Language",
    "Rules",
    "RulesError",
    "RulesUnreadable",
    "UnknownRules",
    "catalog",
    "described",
    "load",
    "sections",
    "summary",
    "told",
    "variant",
]
