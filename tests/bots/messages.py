"""Whether messages of `rookery-bot/1` are what their published schema says, no more and no less."""

from __future__ import annotations

from functools import cache
from typing import Any

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from pydantic import TypeAdapter, ValidationError

from rookery.bots.protocol import Answer, Message


@cache
def _schema(kind: Any) -> tuple[Any, Any]:  # noqa: ANN401
    adapter: Any = TypeAdapter(kind)
    return adapter, Draft202012Validator(adapter.json_schema())


def faults_of(told: dict[str, Any], kind: Any = Message) -> list[str]:  # noqa: ANN401
    """Return what is wrong with a message to a bot; fields that the schema lacks are a fault."""
    adapter, validator = _schema(kind)
    faults = [error.message for error in validator.iter_errors(told)]
    try:
        known = adapter.dump_python(
            adapter.validate_python(told), mode="json", by_alias=True, exclude_unset=True
        )
    except ValidationError as error:
        return [*faults, str(error)]
    return faults if known == told else [*faults, f"{told} has fields that are not in the schema"]


def faults_of_answer(told: dict[str, Any]) -> list[str]:
    """Return what is wrong with a message of a bot, likewise."""
    return faults_of(told, Answer)
