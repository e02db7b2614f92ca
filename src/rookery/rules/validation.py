"""Rules made of data, with every error of pydantic put into the words of the options."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from types import UnionType
from typing import Annotated, Literal, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from rookery.rules.errors import Problem, RulesError, quoted
from rookery.rules.language import Phrase
from rookery.rules.model import Rules
from rookery.rules.values import CardName, CounterKey


def validate(data: Mapping[str, object]) -> Rules:
    """Return the rules that options and metadata make; what is left out is at its default.

    Raises:
        RulesError: an unknown option, a value that is not allowed, or options that do not fit
            together.
    """
    try:
        return Rules.model_validate(data)
    except ValidationError as error:
        raise RulesError(_problems(error, data)) from None


def allowed(option: str) -> tuple[object, ...]:
    """Return what may be written for `option`, alternatives as values of a problem.

    >>> allowed("callable")
    ('"unheld"', '"any"', '"no_trumps"')
    >>> allowed("seats")
    (Phrase(key='allowed.range', values={'low': 2, 'high': 8}),)
    """
    return _field(Rules.model_fields[option])


def _problems(error: ValidationError, data: Mapping[str, object]) -> Iterator[Problem]:
    options: set[str] = set()
    for fault in error.errors():
        together = fault.get("ctx", {}).get("error")
        if isinstance(together, RulesError):
            yield from together.details
            continue
        option = str(fault["loc"][0])
        if option in options:
            continue
        options.add(option)
        if option in Rules.model_fields:
            yield Problem(
                option, "wrong-value", value=quoted(data[option]), allowed=allowed(option)
            )
        elif near := get_close_matches(option, Rules.model_fields, n=1):
            yield Problem(option, "misspelt-option", near=near[0])
        else:
            yield Problem(option, "unknown-option")


def _field(field: FieldInfo) -> tuple[object, ...]:
    return tuple(_choices(field.annotation, field.metadata))


def _choices(kind: object, limits: Sequence[object] = ()) -> Iterator[object]:
    origin, parts = get_origin(kind), get_args(kind)
    if kind == CardName:
        yield Phrase("allowed.card")
    elif kind == CounterKey:
        yield from (Phrase("allowed.rank"), Phrase("allowed.card"))
    elif origin is Annotated:
        yield from _choices(parts[0], [*limits, *_flat(parts[1:])])
    elif origin is Literal:
        yield from (json.dumps(part) for part in parts)
    elif origin in (Union, UnionType):
        for part in parts:
            if part is not type(None):
                yield from _choices(part)
    elif origin is tuple:
        yield Phrase("allowed.list", {"items": tuple(_choices(parts[0]))})
    elif origin is dict:
        key, value = (tuple(_choices(part)) for part in parts)
        yield Phrase("allowed.table", {"key": key, "value": value})
    elif isinstance(kind, type) and issubclass(kind, BaseModel):
        fields = [
            Phrase("allowed.part", {"name": name, "value": _field(field)})
            for name, field in kind.model_fields.items()
        ]
        yield Phrase("allowed.parts", {"parts": fields})
    elif kind is bool:
        yield from ("true", "false")
    elif kind is int:
        yield _number(limits)
    else:
        yield Phrase("allowed.text")


def _flat(limits: Sequence[object]) -> Iterator[object]:
    for limit in limits:
        if isinstance(limit, FieldInfo):
            yield from limit.metadata
        else:
            yield limit


def _number(limits: Sequence[object]) -> Phrase:
    low = next((limit.ge for limit in limits if hasattr(limit, "ge")), None)
    high = next((limit.le for limit in limits if hasattr(limit, "le")), None)
    if low is None or high is None:
        return Phrase("allowed.integer")
    return Phrase("allowed.range", {"low": low, "high": high})
