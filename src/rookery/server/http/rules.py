"""REST: the catalogue, a variant in words, the schema of a rule set, and whether rules fit."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import json
from functools import lru_cache
from math import isfinite
from typing import Annotated, Any, Final

import msgspec
from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from rookery.rules import (
    HOUSE_RULES,
    LANGUAGES,
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
    rules_schema,
    sections,
    summary,
    translate_name,
    translate_problem,
    variant,
)
from rookery.server import names as words
from rookery.server.http.errors import Problem
from rookery.server.http.middleware import stranger
from rookery.server.http.ratelimit import limited
from rookery.server.http.state import parts

router = APIRouter(prefix="/api", tags=["rules"])
MOST: Final = 100  # options that are looked at, and problems that are answered
FILE_MAX: Final = 24_000  # characters of a house-rule file; a whole rule set has 4,000
UNNAMED: Final[str] = Rules.model_fields["name"].default
In = Annotated[Language, Query(description="The language of the words.")]


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


class RulesWritten(BaseModel):
    """Rules to look at: a variant's id, or changes to a ``base``, as a house-rule file has them."""

    model_config = ConfigDict(extra="forbid")
    rules: Annotated[str, Field(max_length=64)] | dict[str, Any]


class RulesFile(BaseModel):
    """A house-rule file, TOML or JSON: its text, and its name where it has one."""

    model_config = ConfigDict(extra="forbid")
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


@router.get("/variants", response_model=list[Variant])
async def variants(request: Request, lang: In = "en") -> Response:
    """Return the catalogue."""
    return _kept(await asyncio.to_thread(_catalogue, lang), request)


@router.get("/variants/{variant_id}", response_model=VariantInFull)
async def one_variant(variant_id: str, request: Request, lang: In = "en") -> Response:
    """Return one variant in full."""
    if variant_id not in catalog():
        raise Problem("unknown-rules")
    return _kept(await asyncio.to_thread(_in_full, variant_id, lang), request)


@router.get("/rules/names", response_model=dict[str, str])
async def names(request: Request, lang: In = "en") -> Response:
    """Return the names of games in another language, by the name that a table has.

    House rules without a name of their own are called after their base, and are here too.
    """
    return _kept(await asyncio.to_thread(_names, lang), request)


@router.get("/rules/schema", response_model=dict[str, Any])
async def schema(request: Request, lang: In = "en") -> Response:
    """Return the JSON schema of a rule set, with the options in words."""
    return _kept(await asyncio.to_thread(_schema, lang), request)


@router.post("/rules/check", openapi_extra=limited("check"))
async def check(request: Request, written: RulesWritten, lang: In = "en") -> RulesChecked:
    """Return whether rules fit together, the problems, and the rules in words."""
    _take_check(request)
    return await asyncio.to_thread(_checked, written.rules, lang)


@router.post("/rules/parse", openapi_extra=limited("check"))
async def parse_file(request: Request, file: RulesFile, lang: In = "en") -> RulesParsed:
    """Return what a house-rule file holds: a base and options, which may not fit together."""
    _take_check(request)
    return await asyncio.to_thread(_parsed, file, lang)


def read_rules(written: str | dict[str, Any]) -> Rules:
    """Return the rules that a request names or writes down; a text is never a file's name.

    What somebody's own rules say of themselves is read by others, so it is made fit for that, and
    an id that is not the catalogue's leads nowhere.

    Raises:
        RulesError: they do not fit together, or there are none of that name.
    """
    if isinstance(written, str):
        return variant(written)
    if len(written) > MOST:
        raise Problem("bad-rules", f"{len(written)} options; a game has {len(OPTIONS)}")
    try:
        json.dumps(written, ensure_ascii=False).encode()
        rules = load(written)
    except RecursionError:
        raise Problem("bad-rules", "nested too deep; expected options") from None
    except UnicodeEncodeError:
        raise Problem("bad-rules", "half a character; expected text") from None
    shown = {
        "id": rules.id if rules.id in catalog() else None,
        "name": words.tidied(rules.name, words.RULES_NAME_MAX) or UNNAMED,
        "origin": words.tidied(rules.origin, words.RULES_NOTE_MAX),
        "reconstructed": rules.reconstructed
        and words.tidied(rules.reconstructed, words.RULES_NOTE_MAX),
        "notes": words.tidied(rules.notes, words.RULES_NOTE_MAX),
    }
    return rules.model_copy(update=shown)


def _take_check(request: Request) -> None:
    address = stranger(request.scope)
    if address is not None and not parts(request).buckets.take("check", address):
        raise Problem("too-many")


def _misfits(error: RulesError, lang: Language) -> list[Misfit]:
    return [
        Misfit(option=one.option, code=one.code, text=translate_problem(one, lang))
        for one in error.details[:MOST]
    ]


def _parsed(file: RulesFile, lang: Language) -> RulesParsed:
    try:
        rules = _plain(parse(_plain(file.text), _plain(file.name)))
    except RulesError as error:
        return RulesParsed(ok=False, problems=_misfits(error, lang), rules=None)
    except RecursionError:
        raise Problem("bad-rules", "nested too deep; expected options") from None
    return RulesParsed(ok=True, problems=[], rules=rules)


def _plain(value: Any) -> Any:  # noqa: ANN401  (whatever TOML and JSON can hold)
    """Return a value of a file as JSON can say it: what is not JSON, a date say, as a text."""
    if isinstance(value, dict):
        return {_plain(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_plain(one) for one in value]
    if value is None or isinstance(value, int) or (isinstance(value, float) and isfinite(value)):
        return value
    return str(value).encode("utf-8", "replace").decode()


def _checked(written: str | dict[str, Any], lang: Language) -> RulesChecked:
    try:
        rules = read_rules(written)
    except RulesError as error:
        return RulesChecked(
            ok=False,
            problems=_misfits(error, lang),
            summary=None,
            sections=None,
            options=None,
            name=None,
            seats=None,
        )
    return RulesChecked(
        ok=True,
        problems=[],
        summary=summary(rules, lang),
        sections=sections(rules, lang),
        options=rules.options(),
        name=describe(rules, lang).name,
        seats=rules.seats,
    )


@lru_cache(maxsize=len(LANGUAGES))
def _catalogue(lang: Language) -> bytes:
    games = [variant(name) for name in catalog()]
    lines = [{**list_entry(rules, lang), "summary": summary(rules, lang)} for rules in games]
    return msgspec.json.encode(lines)


@lru_cache(maxsize=64 * len(LANGUAGES))
def _in_full(name: str, lang: Language) -> bytes:
    rules = variant(name)
    words = {"summary": summary(rules, lang), "sections": sections(rules, lang)}
    return msgspec.json.encode({**full_entry(rules, lang), **words})


@lru_cache(maxsize=len(LANGUAGES))
def _names(lang: Language) -> bytes:
    names = [variant(name).name for name in catalog()]
    names += [HOUSE_RULES.format(name=name) for name in names]
    return msgspec.json.encode({name: translate_name(name, lang) for name in names})


@lru_cache(maxsize=len(LANGUAGES))
def _schema(lang: Language) -> bytes:
    return msgspec.json.encode(rules_schema(lang))


def _kept(body: bytes, request: Request) -> Response:
    tag, packed = _tagged(body)
    headers = {"etag": f'"{tag}"', "cache-control": "no-cache", "vary": "accept-encoding"}
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        body, headers["content-encoding"] = packed, "gzip"
    return Response(body, media_type="application/json", headers=headers)


@lru_cache(maxsize=64)
def _tagged(body: bytes) -> tuple[str, bytes]:
    return hashlib.sha256(body).hexdigest()[:20], gzip.compress(body, 6, mtime=0)
