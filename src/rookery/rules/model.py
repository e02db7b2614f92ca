"""A game of Rook as data: its options, who it is, and what follows from them."""

from __future__ import annotations

from functools import cached_property
from typing import Self

from pydantic import Field, model_validator

from rookery.cards import COLOURS, ROOK, card_at, parse_card, rank_of
from rookery.rules.check import problems
from rookery.rules.errors import RulesError
from rookery.rules.options import Options
from rookery.rules.values import Step

OPTIONS: tuple[str, ...] = tuple(Options.model_fields)
METADATA: tuple[str, ...] = ("id", "name", "origin", "reconstructed", "notes")


class Rules(Options):
    """One game of Rook, complete and checked; two with the same options are played alike.

    >>> from rookery.rules import load
    >>> rules = load("kd_tournament")
    >>> rules.cards, rules.total_points, rules.steps
    (41, 120, ('discard', 'trump'))
    """

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
        found = problems(self)
        if found:
            raise RulesError(found)
        return self

    def options(self) -> dict[str, object]:
        """Return all 61 options with plain values, ready for JSON."""
        return self.model_dump(mode="json", include=set(OPTIONS))

    def changes(self, base: Rules) -> dict[str, object]:
        """Return the options that differ from `base`, with this rule set's values."""
        theirs = base.options()
        return {key: value for key, value in self.options().items() if value != theirs[key]}

    @cached_property
    def deck(self) -> tuple[int, ...]:
        """The numbers of the cards played with, ascending."""
        found = {card_at(suit, rank) for rank in self.ranks for suit in range(COLOURS)}
        found.update(parse_card(name, self.pack) for name in self.extra_cards)
        if self.rook_in_deck:
            found.add(ROOK)
        return tuple(sorted(found))

    @cached_property
    def card_points(self) -> dict[int, int]:
        """The points of every counter in the deck, by card number; other cards are absent."""
        single: dict[int, int] = {}
        for key, value in self.counters.items():
            if not key.isdecimal():
                single[parse_card(key, self.pack)] = value
        worth = {
            card: single.get(card, self.counters.get(str(rank_of(card)), 0))
            for card in self.deck
            if card != ROOK
        }
        if self.rook_in_deck:
            worth[ROOK] = self.rook_value
        return {card: value for card, value in worth.items() if value}

    @property
    def cards(self) -> int:
        """How many cards the deck has."""
        return len(self.deck)

    @property
    def blind(self) -> bool:
        """Whether a closed hand is dealt that plays its top card by itself."""
        return self.dummy == "blind"

    @property
    def hands(self) -> int:
        """How many hands are dealt: one a seat, and the blind one."""
        return self.seats + self.blind

    @property
    def bonus_points(self) -> int:
        """The points given for tricks in one hand, when all of them are awarded."""
        if self.trick_bonus == "none":
            return 0
        each = self.hand_size if self.trick_bonus == "per_trick" else 1
        return each * self.trick_bonus_value

    @property
    def total_points(self) -> int:
        """The points of one hand: all the counters, and the bonuses for tricks."""
        return sum(self.card_points.values()) + self.bonus_points

    @property
    def calls_partner(self) -> bool:
        """Whether the declarer calls a partner's card."""
        return self.partnership == "called"

    @cached_property
    def needed_steps(self) -> tuple[Step, ...]:
        """The steps that these rules ask of a declarer, in the usual order."""
        asked: tuple[tuple[Step, bool], ...] = (
            ("discard", self.nest_size > 0),
            ("trump", True),
            ("call", self.calls_partner),
            ("rook", self.rook_in_deck and self.rook_rank == "declared"),
        )
        return tuple(step for step, needed in asked if needed)

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The steps that the declarer takes, in order; listed ones the game lacks are skipped."""
        return tuple(step for step in self.declaration_order if step in self.needed_steps)
