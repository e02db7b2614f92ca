"""REST: the catalogue, a variant in words, the schema of a rule set, and whether rules fit."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
from functools import lru_cache
from typing import Annotated, Any, Final

import msgspec
from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from rookery.rules import (
    LANGUAGES,
    OPTIONS,
    Language,
    Rules,
    RulesError,
    catalog,
    described,
    listing,
    load,
    sections,
    summary,
    told,
    variant,
)
from rookery.rules.described import HOUSE, name_in
from rookery.server import names as words
from rookery.server.http.errors import Problem
from rookery.server.http.middleware import stranger
from rookery.server.http.ratelimit import limited
from rookery.server.http.state import parts

router = APIRouter(prefix="/api", tags=["rules"])
MOST: Final = 100  # options that are looked at, and problems that are told
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


class Misfit(BaseModel):
    """What does not fit: the option it shows in, and why."""

    option: str
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
async def schema(request: Request) -> Response:
    """Return the JSON schema of a rule set."""
    return _kept(await asyncio.to_thread(_schema), request)


@router.post("/rules/check", openapi_extra=limited("check"))
async def check(request: Request, written: RulesWritten, lang: In = "en") -> RulesChecked:
    """Return whether rules fit together, the problems, and the rules in words."""
    address = stranger(request.scope)
    if address is not None and not parts(request).buckets.take("check", address):
        raise Problem("too-many")
    return await asyncio.to_thread(_checked, written.rules, lang)


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
        rules = load(written)
    except RecursionError:
        raise Problem("bad-rules", "nested too deep; expected options") from None
    shown = {
        "id": rules.id if rules.id in catalog() else None,
        "name": words.tidied(rules.name, words.RULES_NAME_MAX) or UNNAMED,
        "origin": words.tidied(rules.origin, words.RULES_NOTE_MAX),
        "reconstructed": rules.reconstructed
        and words.tidied(rules.reconstructed, words.RULES_NOTE_MAX),
        "notes": words.tidied(rules.notes, words.RULES_NOTE_MAX),
    }
    return rules.model_copy(update=shown)


def _checked(written: str | dict[str, Any], lang: Language) -> RulesChecked:
    try:
        rules = read_rules(written)
    except RulesError as error:
        misfits = [
            Misfit(option=found.option, text=told(found, lang)) for found in error.found[:MOST]
        ]
        return RulesChecked(
            ok=False,
            problems=misfits,
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
        name=described(rules, lang).name,
        seats=rules.seats,
    )


@lru_cache(maxsize=len(LANGUAGES))
def _catalogue(lang: Language) -> bytes:
    games = [variant(name) for name in catalog()]
    lines = [{**listing.line(rules, lang), "summary": summary(rules, lang)} for rules in games]
    return msgspec.json.encode(lines)


@lru_cache(maxsize=64 * len(LANGUAGES))
def _in_full(name: str, lang: Language) -> bytes:
    rules = variant(name)
    words = {"summary": summary(rules, lang), "sections": sections(rules, lang)}
    return msgspec.json.encode({**listing.in_full(rules, lang), **words})


@lru_cache(maxsize=len(LANGUAGES))
def _names(lang: Language) -> bytes:
    names = [variant(name).name for name in catalog()]
    names += [HOUSE.format(name=name) for name in names]
    return msgspec.json.encode({name: name_in(name, lang) for name in names})


@lru_cache(maxsize=1)
def _schema() -> bytes:
    return msgspec.json.encode(Rules.model_json_schema())


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
