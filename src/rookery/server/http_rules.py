"""REST: the catalogue, a variant in words, the schema of a rule set, and whether rules fit."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
from functools import lru_cache
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from rookery.cards import by_suit, card_name, pack_cards
from rookery.rules import Rules, RulesError, catalog, load, sections, summary, variant
from rookery.server.answers import Problem

router = APIRouter(prefix="/api", tags=["rules"])


class Variant(BaseModel):
    """A line of the catalogue."""

    id: str
    name: str
    seats: int
    cards: int
    origin: str
    reconstructed: str | None
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
async def variants(request: Request) -> Response:
    """Return the catalogue."""
    return _kept(await asyncio.to_thread(_catalogue), request)


@router.get("/variants/{variant_id}", response_model=VariantInFull)
async def one_variant(variant_id: str, request: Request) -> Response:
    """Return one variant in full."""
    if variant_id not in catalog():
        raise Problem("unknown-rules")
    return _kept(await asyncio.to_thread(_in_full, variant_id), request)


@router.get("/rules/schema")
async def schema(request: Request) -> Response:
    """Return the JSON schema of a rule set."""
    return _kept(await asyncio.to_thread(_schema), request)


@router.post("/rules/check")
async def check(written: RulesWritten) -> RulesChecked:
    """Return whether rules fit together, every problem, and the rules in words."""
    return await asyncio.to_thread(_checked, written.rules)


def read_rules(written: str | dict[str, Any]) -> Rules:
    """Return the rules that a request names or writes down; a text is never a file's name.

    Raises:
        RulesError: they do not fit together, or there are none of that name.
    """
    try:
        return variant(written) if isinstance(written, str) else load(written)
    except RecursionError:
        raise Problem("bad-rules", "nested too deep; expected options") from None


def _checked(written: str | dict[str, Any]) -> RulesChecked:
    try:
        rules = read_rules(written)
    except RulesError as error:
        misfits = [Misfit(option=found.option, text=found.text) for found in error.found]
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
        summary=summary(rules),
        sections=sections(rules),
        options=rules.options(),
        name=rules.name,
        seats=rules.seats,
    )


@lru_cache(maxsize=1)
def _catalogue() -> bytes:
    return msgspec.json.encode([_entry(variant(name)) for name in catalog()])


def _entry(rules: Rules) -> dict[str, Any]:
    return {
        "id": rules.id,
        "name": rules.name,
        "seats": rules.seats,
        "cards": rules.cards,
        "origin": rules.origin,
        "reconstructed": rules.reconstructed,
        "summary": summary(rules),
    }


@lru_cache(maxsize=64)
def _in_full(name: str) -> bytes:
    rules = variant(name)
    deck = by_suit(pack_cards(rules.deck))
    return msgspec.json.encode(
        {
            "id": rules.id,
            "name": rules.name,
            "seats": rules.seats,
            "cards": [card_name(card, rules.pack) for card in deck],
            "hand_size": rules.hand_size,
            "nest_size": rules.nest_size,
            "bid_minimum": rules.bid_minimum,
            "bid_maximum": rules.bid_maximum,
            "total_points": rules.total_points,
            "target": rules.target,
            "reconstructed": rules.reconstructed,
            "options": rules.options(),
            "summary": summary(rules),
            "sections": sections(rules),
        }
    )


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
