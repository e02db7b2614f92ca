"""A validation error put into the words of the options: what was written, and what may be."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from types import UnionType
from typing import Annotated, Literal, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from rookery.rules.errors import Problem, RulesError, shown
from rookery.rules.model import Rules
from rookery.rules.values import CardName, CounterKey


def rules_error(error: ValidationError, data: Mapping[str, object]) -> RulesError:
    """Return `error`, which came of checking `data`, as one line for each option at fault."""
    return RulesError(_problems(error, data))


def allowed(option: str) -> str:
    """Return what may be written for `option`, in words.

    >>> allowed("callable")
    '"unheld", "any" or "no_trumps"'
    >>> allowed("seats")
    'a whole number from 2 to 8'
    """
    field = Rules.model_fields[option]
    return _either(list(_choices(field.annotation, field.metadata)))


def _problems(error: ValidationError, data: Mapping[str, object]) -> Iterator[Problem]:
    told: set[str] = set()
    for fault in error.errors():
        together = fault.get("ctx", {}).get("error")
        if isinstance(together, RulesError):
            yield from together.found
            continue
        option = str(fault["loc"][0])
        if option in told:
            continue
        told.add(option)
        if option not in Rules.model_fields:
            near = get_close_matches(option, Rules.model_fields, n=1)
            hint = f'did you mean "{near[0]}"?' if near else "`rookery rules show` lists them all"
            yield Problem(option, f"there is no such option; {hint}")
        else:
            yield Problem(option, f"{shown(data[option])} will not do; allowed: {allowed(option)}")


def _either(choices: list[str]) -> str:
    return " or ".join(filter(None, (", ".join(choices[:-1]), choices[-1])))


def _choices(kind: object, limits: Sequence[object]) -> Iterator[str]:
    origin, parts = get_origin(kind), get_args(kind)
    if kind == CardName:
        yield "the name of a card"
    elif kind == CounterKey:
        yield "a rank or the name of a card"
    elif origin is Annotated:
        yield from _choices(parts[0], [*limits, *_flat(parts[1:])])
    elif origin is Literal:
        yield from (json.dumps(part) for part in parts)
    elif origin in (Union, UnionType):
        for part in parts:
            if part is not type(None):
                yield from _choices(part, [])
    elif origin is tuple:
        yield f"a list of {_either(list(_choices(parts[0], [])))}"
    elif origin is dict:
        key, value = (_either(list(_choices(part, []))) for part in parts)
        yield f"a table with {key} = {value}"
    elif isinstance(kind, type) and issubclass(kind, BaseModel):
        fields = (
            f"{name} = {_either(list(_choices(field.annotation, field.metadata)))}"
            for name, field in kind.model_fields.items()
        )
        yield f"{{ {', '.join(fields)} }}"
    elif kind is bool:
        yield "true or false"
    elif kind is int:
        yield _number(limits)
    else:
        yield "a text"


def _flat(limits: Sequence[object]) -> Iterator[object]:
    for limit in limits:
        if isinstance(limit, FieldInfo):
            yield from limit.metadata
        else:
            yield limit


def _number(limits: Sequence[object]) -> str:
    low = next((limit.ge for limit in limits if hasattr(limit, "ge")), None)
    high = next((limit.le for limit in limits if hasattr(limit, "le")), None)
    if low is None or high is None:
        return "a whole number"
    return f"a whole number from {low} to {high}"
