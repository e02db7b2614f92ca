"""Every option of a game of Rook and the values it may take; the defaults are Kentucky's game."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, cached_property
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, Field

from rookery.cards import COLOURS, ROOK, Pack, card_at, parse_card, rank_of
from rookery.rules.errors import Problem, RulesError, quoted

Flag: TypeAlias = Annotated[bool, Field(strict=True)]
SeatNumber: TypeAlias = Annotated[int, Field(strict=True, ge=0, le=7)]
Count: TypeAlias = Annotated[int, Field(strict=True, ge=0, le=57)]
PositiveCount: TypeAlias = Annotated[int, Field(strict=True, ge=1, le=57)]
Points: TypeAlias = Annotated[int, Field(strict=True, ge=0, le=100_000)]
PositivePoints: TypeAlias = Annotated[int, Field(strict=True, ge=1, le=100_000)]
NegativePoints: TypeAlias = Annotated[int, Field(strict=True, ge=-100_000, le=-1)]
Rank: TypeAlias = Annotated[int, Field(strict=True, ge=1, le=14)]
Step: TypeAlias = Literal["discard", "trump", "call", "rook"]
TrumpCall: TypeAlias = Literal["suits", "suits-low", "notrump", "notrump-low", "circus"]
DiscardBan: TypeAlias = Literal["counters", "counters_unless_forced", "trumps", "rook"]


def _upper(value: object) -> object:
    return value.strip().upper() if isinstance(value, str) else value


def _counter_key(value: object) -> object:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return _upper(value)


def _each_once(value: object) -> object:
    """Return counters as they are, where no two keys are the same in capital letters."""
    keys = [_counter_key(key) for key in value] if isinstance(value, Mapping) else []
    if len(set(keys)) < len(keys):
        twice = next(key for at, key in enumerate(keys) if key in keys[:at])
        raise RulesError([Problem("counters", "listed-twice", value=quoted(twice))])
    return value


CardName: TypeAlias = Annotated[str, BeforeValidator(_upper), Field(max_length=16)]
CounterKey: TypeAlias = Annotated[str, BeforeValidator(_counter_key), Field(max_length=16)]


class Value(BaseModel, frozen=True, extra="forbid"):
    """A value made of named parts, written as an inline table: ``{ replace = 200 }``."""


class UpTo(Value):
    """The declarer may swap up to this many cards with the nest."""

    up_to: PositiveCount


class ExactlyOrNone(Value):
    """The declarer swaps exactly this many cards with the nest, or none."""

    exactly_or_none: PositiveCount


class Sun(Value):
    """A bid above the maximum: every trick and every counter must be taken, for this value."""

    name: Literal["sun"]
    value: PositivePoints | Literal["game"]


class Moon(Value):
    """A bid of the maximum that, when made, scores this value instead of the points taken."""

    name: Literal["moon"]
    value: PositivePoints


class SweepReplaces(Value):
    """A sweep scores this instead of the points taken."""

    replace: PositivePoints


class SweepAdds(Value):
    """A sweep scores this on top of the points taken."""

    add: PositivePoints


class Cap(Value):
    """A side that makes no contract of its own stops at this total."""

    cap: PositivePoints


class CircusPassing(Value):
    """What is given after a call of circus: the best and the worst card, or any card."""

    best: Literal["enforced", "free"] = "enforced"
    worst: Literal["enforced", "free"] = "free"


SpecialBid: TypeAlias = Annotated[Sun | Moon, Field(discriminator="name")]

# The first option of every group, in the order in which a hand meets them.
_GROUPS: Final = {
    "seats": "players",
    "pack": "cards",
    "hand_size": "deal",
    "first_bidder": "auction",
    "nest_exchange": "nest",
    "declaration_order": "trump",
    "counters": "points",
    "first_lead": "play",
    "defenders_score": "scoring",
    "target": "end",
}


class Options(BaseModel, frozen=True, extra="forbid"):
    """The options alone, each with its default, in the order in which a hand meets them.

    What an option means stands in the file of each language, under ``option.KEY.help``.
    """

    seats: int = Field(4, strict=True, ge=2, le=8)
    partnership: Literal["fixed_opposite", "fixed_alternate_3", "called", "alone"] = (
        "fixed_opposite"
    )
    pack: Pack = "rook"
    ranks: tuple[Rank, ...] = Field(
        (5, 6, 7, 8, 9, 10, 11, 12, 13, 14), min_length=1, max_length=14
    )
    rook_in_deck: Flag = True
    extra_cards: tuple[CardName, ...] = Field((), max_length=56)
    hand_size: PositiveCount = 9
    nest_size: Count = 5
    nest_dealing: Literal["spread", "end"] = "spread"
    nest_face_up: Count = 0
    nest_shown: Literal["never", "after_auction"] = "never"
    redeal: Literal["any_time_no_counters", "none", "own_turn_no_counters", "auto"] = (
        "any_time_no_counters"
    )
    first_bidder: Literal["left_of_dealer", "dealer"] | SeatNumber = "left_of_dealer"
    auction_form: Literal["multi_round", "one_call_each", "dealer_opens", "dealer_must_bid"] = (
        "multi_round"
    )
    bid_minimum: PositivePoints = 70
    bid_maximum: PositivePoints = 120
    bid_step: PositivePoints = 5
    all_pass: Literal["dealer", "last_player", "redeal", "no_contract"] = "dealer"  # noqa: S105
    special_bids: tuple[SpecialBid, ...] = Field((), max_length=2)
    return_after_pass: Flag = False
    nest_exchange: Literal["all"] | UpTo | ExactlyOrNone = "all"
    discard_ban: tuple[DiscardBan, ...] = Field((), max_length=4)
    nest_statement: Literal["none", "yes_no", "amount"] = "none"
    declaration_order: tuple[Step, ...] = Field(("discard", "trump"), max_length=4)
    trump_calls: tuple[TrumpCall, ...] = Field(("suits",), min_length=1, max_length=5)
    low_order_one: Literal["worst", "best"] = "worst"
    rook_at_no_trump: Literal["sole_trump", "red_10_5", "loser"] = "sole_trump"
    rook_rank: Literal["top", "bottom", "10.5", "12.5", "declared"] = "top"
    rook_any_time: Flag = True
    rook_value: Points = 20
    red_1: Literal["off", "top_trump", "top_trump_any_time"] = "off"
    black_2: Literal["off", "beats_rook", "top_trump"] = "off"
    red_2: Literal["off", "second_trump"] = "off"
    ones: Literal["absent", "high", "low"] = "absent"
    counters: Annotated[dict[CounterKey, Points], BeforeValidator(_each_once)] = Field(
        {"5": 5, "10": 10, "14": 10}, max_length=70
    )
    nest_points_to: Literal["last_trick", "declarer", "nobody"] = "last_trick"
    trick_bonus: Literal["none", "majority", "last_trick", "first_to_six", "per_trick"] = "none"
    trick_bonus_value: PositivePoints = 20
    tied_majority: Literal["nobody", "split"] = "nobody"
    first_lead: Literal[
        "left_of_dealer", "declarer", "left_of_declarer", "declarer_chooses", "caller"
    ] = "left_of_dealer"
    trump_lead: Literal["free", "when_broken"] = "free"
    void_duty: Literal["none", "must_trump", "must_beat"] = "none"
    dummy: Literal["none", "partner", "blind"] = "none"
    dummy_exposed: Literal["after_lead", "before_lead"] = "after_lead"
    called_cards: int = Field(0, strict=True, ge=0, le=2)
    callable: Literal["unheld", "any", "no_trumps"] = "unheld"
    partner_revealed: Literal["when_played", "at_once"] = "when_played"
    defenders_score: Flag = True
    set_penalty: Literal["contract", "double"] = "contract"
    partner_shares_set: Flag = True
    sweep_value: Literal["none"] | SweepReplaces | SweepAdds = "none"
    sweep_test: Literal["all_tricks", "all_points", "either_side_all_points"] = "all_tricks"
    target: PositivePoints = 300
    tie: Literal["another_hand", "shared", "declarer"] = "another_hand"
    several_over_target: Literal["highest"] = "highest"
    negative_end: Literal["none"] | NegativePoints = "none"
    own_contract_to_go_out: Literal["no", "yes"] | Cap = "no"
    renege: Literal["prevented", "penalised"] = "prevented"
    circus_passing: CircusPassing = Field(CircusPassing(), title="Circus Passing")
    totals: Literal["team", "player"] = "team"
    rotation: Literal["deal_left", "deal_left_partners_redrawn"] = "deal_left"

    @cached_property
    def deck(self) -> tuple[int, ...]:
        """The numbers of the cards played with, ascending."""
        cards = {card_at(suit, rank) for rank in self.ranks for suit in range(COLOURS)}
        cards.update(parse_card(name, self.pack) for name in self.extra_cards)
        if self.rook_in_deck:
            cards.add(ROOK)
        return tuple(sorted(cards))

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

    @cached_property
    def permanent_trumps(self) -> tuple[int, ...]:
        """The numbers of the cards, the Rook apart, that are trumps whatever suit is called."""
        named = (
            ("R1", self.red_1 != "off"),
            ("R2", self.red_2 != "off"),
            ("B2", self.black_2 == "top_trump"),
        )
        return tuple(parse_card(name) for name, on in named if on)

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
    def dealer_bids(self) -> bool:
        """Whether the dealer has to bid first, so that there is a contract in every hand."""
        return self.auction_form in ("dealer_opens", "dealer_must_bid")

    @property
    def calls_partner(self) -> bool:
        """Whether the declarer calls a partner's card."""
        return self.partnership == "called"

    @cached_property
    def fixed_sides(self) -> tuple[tuple[int, ...], ...] | None:
        """Who plays with whom in every hand, the side of seat 0 first; None where a card calls.

        Players who each play alone are a side each.
        """
        if self.calls_partner:
            return None
        apart = {"fixed_opposite": self.seats // 2, "fixed_alternate_3": 2}.get(
            self.partnership, self.seats
        )
        return tuple(tuple(range(first, self.seats, apart)) for first in range(apart))

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


@cache
def option_groups() -> Mapping[str, str]:
    """Return the group that every option belongs to, in the order of the options.

    >>> option_groups()["nest_size"], option_groups()["rook_rank"]
    ('deal', 'trump')
    """
    groups: dict[str, str] = {}
    group = ""
    for key in Options.model_fields:
        group = groups[key] = _GROUPS.get(key, group)
    return groups
