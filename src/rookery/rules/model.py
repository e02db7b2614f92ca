"""A complete rule set: the options, what the game is called, and the check that they fit.

Every error of pydantic is put into the words of the options.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import cache
from typing import Any, Final, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from rookery.rules.check import problems
from rookery.rules.errors import Problem, RulesError, quoted, shortened
from rookery.rules.language import Phrase, texts
from rookery.rules.options import Options

OPTIONS: tuple[str, ...] = tuple(Options.model_fields)
METADATA: tuple[str, ...] = ("id", "name", "origin", "reconstructed", "notes")
_PLAIN: Final = frozenset((int, str, bool))  # nearly all values, and each is as it is to be

# The options of the first program that made a hash of rules. Nothing is ever added to this list.
_FIRST_OPTIONS: Final = """
    seats partnership pack ranks rook_in_deck extra_cards hand_size nest_size nest_dealing
    nest_face_up nest_shown redeal first_bidder auction_form bid_minimum bid_maximum bid_step
    all_pass special_bids return_after_pass nest_exchange discard_ban nest_statement
    declaration_order trump_calls low_order_one rook_at_no_trump rook_rank rook_any_time
    rook_value red_1 black_2 red_2 ones counters nest_points_to trick_bonus trick_bonus_value
    tied_majority first_lead trump_lead void_duty dummy dummy_exposed called_cards callable
    partner_revealed defenders_score set_penalty partner_shares_set sweep_value sweep_test
    target tie several_over_target negative_end own_contract_to_go_out renege circus_passing
    totals rotation
"""
FIRST_OPTIONS: Final = frozenset(_FIRST_OPTIONS.split())


def _explain_options(schema: dict[str, Any], rules: type[Options]) -> None:
    """Add what every option means, and mark those that a hash of the rules may leave out."""
    for key in OPTIONS:
        form = schema["properties"][key]
        form["description"] = texts("en").text(f"option.{key}.help")
        if key not in FIRST_OPTIONS:
            form["later"] = True


class Rules(Options):
    """One game of Rook, complete and checked; two with the same options are played alike.

    >>> from rookery.rules import load
    >>> rules = load("kd_tournament")
    >>> rules.cards, rules.total_points, rules.steps
    (41, 120, ('discard', 'trump'))
    """

    model_config = ConfigDict(json_schema_extra=_explain_options)

    id: str | None = Field(None, description="The variant's id in the catalogue, if it has one.")
    name: str = Field("House rules", min_length=1, description="What the game is called.")
    origin: str = Field("", description="Where the rules come from.")
    reconstructed: str | None = Field(
        None, description="Why part of the rules had to be filled in, where it had."
    )
    notes: str = Field("", description="Anything else worth knowing about the rules.")

    def __init__(self, /, **data: object) -> None:
        """Check the options and what the game is called; what is left out is at its default.

        Raises:
            RulesError: an unknown option, a value that is not allowed, or options that do not fit
                together.
        """
        data = {
            key: value if type(value) in _PLAIN else _whole(value) for key, value in data.items()
        }
        try:
            BaseModel.__init__(self, **data)
        except ValidationError as error:
            raise RulesError(_problems(error, data)) from None

    def __hash__(self) -> int:
        fields = (getattr(self, key) for key in (*OPTIONS, *METADATA) if key != "counters")
        return hash((tuple(fields), tuple(sorted(self.counters.items()))))

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if misfits := problems(self):
            raise RulesError(misfits)
        return self

    def options(self) -> dict[str, object]:
        """Return every option with a plain value, ready for JSON."""
        return self.model_dump(mode="json", exclude=set(METADATA))

    def hashed_options(self) -> dict[str, object]:
        """Return the options that a hash of the rules is made of, ready for JSON.

        An option that was added later counts only where it is not at its default. So a record, a
        table or a journal that is older than the option keeps its hash.
        """
        values = self.options()
        defaults = type(self).model_construct().options()
        return {
            key: value
            for key, value in values.items()
            if key in FIRST_OPTIONS or value != defaults[key]
        }

    def changes(self, base: Rules) -> dict[str, object]:
        """Return the options that differ from `base`, with this rule set's values."""
        before = base.options()
        return {key: value for key, value in self.options().items() if value != before[key]}


def whole(number: float) -> float:
    """Return a number as a whole one where nothing is behind its point, as in JSON schemas.

    Beyond 2^53 it might be another.

    >>> whole(60.0), whole(0.5), whole(1e16)
    (60, 0.5, 1e+16)
    """
    return int(number) if number.is_integer() and abs(number) <= 1 << 53 else number


def allowed(option: str) -> tuple[object, ...]:
    """Return what may be written for `option`, alternatives as values of a problem.

    >>> allowed("callable")
    ('"unheld"', '"any"', '"no_trumps"')
    >>> allowed("seats")
    (Phrase(key='allowed.range', values={'low': 2, 'high': 8}),)
    """
    return tuple(_choices(_schema()["properties"][option]))


@cache
def _schema() -> dict[str, Any]:
    return Rules.model_json_schema()


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
            value = data[option]
            if _has_gap(value):
                yield Problem(option, "no-value", allowed=allowed(option))
            else:
                yield Problem(option, "wrong-value", value=quoted(value), allowed=allowed(option))
        elif near := get_close_matches(option, Rules.model_fields, n=1):
            yield Problem(option, "misspelt-option", near=near[0])
        else:
            yield Problem(shortened(option), "unknown-option")


def _whole(value: object, deep: int = 2) -> object:
    """Return the value of an option, with all numbers in it `whole` that can be."""
    if isinstance(value, float):
        return whole(value)
    if deep and isinstance(value, Mapping):
        return {key: _whole(part, deep - 1) for key, part in value.items()}
    if deep and isinstance(value, list):
        return [_whole(part, deep - 1) for part in value]
    return value


def _has_gap(value: object, deep: int = 2) -> bool:
    """Return whether a value is null, or a part of it: a field that was left empty."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if not isinstance(value, list):
        return value is None
    return deep > 0 and any(_has_gap(part, deep - 1) for part in value)


def _choices(form: Mapping[str, Any]) -> Iterator[object]:
    """Yield the alternatives that a part of the JSON schema allows."""
    if "$ref" in form:
        parts = _schema()["$defs"][form["$ref"].rpartition("/")[2]]["properties"].items()
        fields = [
            Phrase("allowed.part", {"name": name, "value": tuple(_choices(part))})
            for name, part in parts
        ]
        yield Phrase("allowed.parts", {"parts": fields})
    elif alternatives := form.get("anyOf", form.get("oneOf")):
        for one in alternatives:
            yield from _choices(one)
    elif "enum" in form or "const" in form:
        yield from map(json.dumps, form.get("enum") or [form["const"]])
    elif form["type"] == "array":
        items = tuple(_choices(form["items"]))
        yield Phrase("allowed.list", {"most": form["maxItems"], "items": items})
    elif form["type"] == "object":
        key = (Phrase("allowed.rank"), Phrase("allowed.card"))
        value = tuple(_choices(form["additionalProperties"]))
        yield Phrase("allowed.table", {"most": form["maxProperties"], "key": key, "value": value})
    elif form["type"] == "boolean":
        yield from ("true", "false")
    elif form["type"] == "integer":
        yield Phrase("allowed.range", {"low": form["minimum"], "high": form["maximum"]})
    elif form["type"] == "string":  # of texts, only names of cards have a longest length
        yield Phrase("allowed.card" if "maxLength" in form else "allowed.text")
