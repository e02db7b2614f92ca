"""A complete rule set: the options, what the game is called, and the check that they fit."""

from __future__ import annotations

from typing import Any, Final, Self

from pydantic import ConfigDict, Field, model_validator

from rookery.rules.check import problems
from rookery.rules.errors import RulesError
from rookery.rules.language import texts
from rookery.rules.options import Options

OPTIONS: tuple[str, ...] = tuple(Options.model_fields)
METADATA: tuple[str, ...] = ("id", "name", "origin", "reconstructed", "notes")

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
