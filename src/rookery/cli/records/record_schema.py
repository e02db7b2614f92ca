"""What a game record is as JSON, for whoever writes one: ``rookery schema record`` prints it.

`rookery.record` reads records, and says more exactly what is wrong with one.
"""

from __future__ import annotations

from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

# A field left out is not the same as an empty one, except for `actions`. So a factory makes the
# others: the schema names no default then.

# Cards or the number that deals them, and not both.
_DEALT: Final = {"required": ["deal"], "not": {"required": ["seed"]}}
_SEEDED: Final = {
    "required": ["seed"],
    "not": {"anyOf": [{"required": ["deal"]}, {"required": ["nest"]}]},
}
_ONE_OF: Final[dict[str, Any]] = {"oneOf": [_DEALT, _SEEDED]}


class HandDocument(BaseModel):
    """One hand as a record has it. It may stop anywhere; fields that are not named are kept."""

    model_config = ConfigDict(extra="allow", json_schema_extra=_ONE_OF)

    dealer: int = Field(description="The seat that deals, from 0 on.")
    deal: list[list[str]] = Field(
        default_factory=list, description="The cards of each seat, a blind hand last."
    )
    nest: list[str] = Field(default_factory=list, description="The cards of the nest.")
    seed: int = Field(
        default_factory=int, description="In place of deal and nest: a number of rookery-rng-1."
    )
    actions: list[str] = Field([], description="What was done, such as `1 bid 75`, in order.")


class RecordDocument(BaseModel, extra="allow"):
    """A match, or any part of one, as a record has it. Fields that are not named are kept."""

    format: Literal["rookery/1"]
    rules: str | dict[str, Any] = Field(
        description="A variant's id, or house rules: a base and the options that differ."
    )
    players: list[str] = Field(default_factory=list, description="A name for each seat, from 0 on.")
    hands: list[HandDocument] = Field(description="The hands, in order.")
