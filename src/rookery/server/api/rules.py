"""The catalogue, a variant in words, the schema of a rule set, and whether rules fit together."""

from __future__ import annotations

import json
from math import isfinite
from typing import Annotated, Any, Final

from pydantic import BaseModel, Field

from rookery.rules import (
    HOUSE_RULES,
    OPTIONS,
    Language,
    Rules,
    RulesError,
    catalog,
    describe,
    full_entry,
    list_entry,
    load,
    parse,
    sections,
    summary,
    translate_name,
    variant,
)
from rookery.server.api.problems import Problem
from rookery.server.names import RULES_NAME_MAX, RULES_NOTE_MAX, tidied

MOST: Final = 100  # options that are looked at, and problems that are answered
FILE_MAX: Final = 24_000  # characters of a house-rule file; a whole rule set has 4,000
UNNAMED: Final[str] = Rules.model_fields["name"].default


class Variant(BaseModel):
    """A line of the catalogue."""

    id: str
    name: str
    seats: int
    cards: int
    origin: str
    reconstructed: str | None
    special: str
    summary: str


class RulesOfSheet(BaseModel):
    """The rules of a sheet; ``id`` is null where they are somebody's own."""

    id: str | None
    name: str
    seats: int
    target: int | None


class VariantInFull(BaseModel):
    """A variant with all its options, and in words: whole, and under titles."""

    id: str
    name: str
    seats: int
    cards: list[str]
    hand_size: int
    nest_size: int
    bid_minimum: int
    bid_maximum: int | None
    total_points: int
    target: int | None
    reconstructed: str | None
    special: str
    options: dict[str, Any]
    summary: str
    sections: dict[str, str]


class RulesWritten(BaseModel, extra="forbid"):
    """Rules to look at: a variant's id, or changes to a ``base``, as a house-rule file has them."""

    rules: Annotated[str, Field(max_length=64)] | dict[str, Any]


class RulesFile(BaseModel, extra="forbid"):
    """A house-rule file, TOML or JSON: its text, and its name where it has one."""

    text: Annotated[str, Field(max_length=FILE_MAX)]
    name: Annotated[str, Field(max_length=255)] = "rules"


class Misfit(BaseModel):
    """What does not fit: the option or file it shows in, which problem it is, and why."""

    option: str
    code: str
    text: str


class RulesChecked(BaseModel):
    """Whether rules fit together; what they are in words where they do."""

    ok: bool
    problems: list[Misfit]
    summary: str | None
    sections: dict[str, str] | None
    options: dict[str, Any] | None
    name: str | None
    seats: int | None


class RulesParsed(BaseModel):
    """What a house-rule file holds, not yet looked at; null where it cannot be read."""

    ok: bool
    problems: list[Misfit]
    rules: dict[str, Any] | None


def catalogue(lang: Language) -> list[dict[str, Any]]:
    """Return the catalogue, a line a variant."""
    games = [variant(name) for name in catalog()]
    return [{**list_entry(rules, lang), "summary": summary(rules, lang)} for rules in games]


def in_full(variant_id: str, lang: Language) -> dict[str, Any]:
    """Return one variant in full.

    Raises:
        Problem: there is no such variant; code ``unknown-rules``.
    """
    if variant_id not in catalog():
        raise Problem("unknown-rules")
    rules = variant(variant_id)
    texts = {"summary": summary(rules, lang), "sections": sections(rules, lang)}
    return {**full_entry(rules, lang), **texts}


def translated_names(lang: Language) -> dict[str, str]:
    """Return the names of games, and of house rules after them, by the name that a table has."""
    own = [variant(name).name for name in catalog()]
    own += [HOUSE_RULES.format(name=name) for name in own]
    return {name: translate_name(name, lang) for name in own}


def check(written: str | dict[str, Any], lang: Language) -> RulesChecked:
    """Return whether rules fit together, the problems, and the rules in words."""
    try:
        rules = read_rules(written)
    except RulesError as error:
        unknown = dict.fromkeys(("summary", "sections", "options", "name", "seats"))
        return RulesChecked(ok=False, problems=_misfits(error, lang), **unknown)
    return RulesChecked(
        ok=True,
        problems=[],
        summary=summary(rules, lang),
        sections=sections(rules, lang),
        options=rules.options(),
        name=describe(rules, lang).name,
        seats=rules.seats,
    )


def parse_file(file: RulesFile, lang: Language) -> RulesParsed:
    """Return what a house-rule file holds: a base and options, which may not fit together."""
    try:
        rules = _plain(parse(file.text, file.name))
    except RulesError as error:
        return RulesParsed(ok=False, problems=_misfits(error, lang), rules=None)
    return RulesParsed(ok=True, problems=[], rules=rules)


def asked_rules(written: str | dict[str, Any]) -> Rules:
    """Return the rules that a request asks for; see `read_rules`.

    Raises:
        Problem: they cannot be; codes ``bad-rules unknown-rules``.
    """
    try:
        return read_rules(written)
    except RulesError as error:
        code = "unknown-rules" if error.code == "unknown-rules" else "bad-rules"
        raise Problem(code, "; ".join(error.problems[:5])[:600], 400) from None


def read_rules(written: str | dict[str, Any]) -> Rules:
    """Return the rules that a request names or writes down; a text is never a file's name.

    Others read what somebody's own rules say of themselves, so these texts are made fit to be
    shown. An id that is not the catalogue's is dropped.

    Raises:
        RulesError: they do not fit together, or there are none of that name.
        Problem: they are too many or too deep; code ``bad-rules``.
    """
    if isinstance(written, str):
        return variant(written)
    if len(written) > MOST:
        raise Problem("bad-rules", f"{len(written)} options; a game has {len(OPTIONS)}")
    try:
        json.dumps(written)
        rules = load(written)
    except RecursionError:
        raise Problem("bad-rules", "nested too deep; expected options") from None
    notes = {key: getattr(rules, key) for key in ("origin", "reconstructed", "notes")}
    shown = {
        "id": rules.id if rules.id in catalog() else None,
        "name": tidied(rules.name, RULES_NAME_MAX) or UNNAMED,
        **{key: text and tidied(text, RULES_NOTE_MAX) for key, text in notes.items()},
    }
    return rules.model_copy(update=shown)


def _misfits(error: RulesError, lang: Language) -> list[Misfit]:
    return [
        Misfit(option=one.option, code=one.code, text=one.text(lang))
        for one in error.details[:MOST]
    ]


def _plain(value: Any) -> Any:  # noqa: ANN401  (whatever TOML and JSON can hold)
    """Return a value of a file as JSON can say it: what is not JSON, a date say, as a text."""
    if isinstance(value, dict):
        return {_plain(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_plain(one) for one in value]
    if value is None or isinstance(value, int) or (isinstance(value, float) and isfinite(value)):
        return value
    return str(value)
