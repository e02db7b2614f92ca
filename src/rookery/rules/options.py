"""Every option of a game of Rook and the values it may take; the defaults are Kentucky's game."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, cached_property
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from rookery.cards import COLOURS, ROOK, Pack, card_at, parse_card, rank_of
from rookery.rules.values import (
    Cap,
    CardName,
    CircusPassing,
    Count,
    CounterKey,
    DiscardBan,
    ExactlyOrNone,
    Flag,
    NegativePoints,
    Points,
    PositiveCount,
    PositivePoints,
    Rank,
    SeatNumber,
    SpecialBid,
    Step,
    SweepAdds,
    SweepReplaces,
    TrumpCall,
    UpTo,
)

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


class Options(BaseModel):
    """The options alone, each with its default, in the order in which a hand meets them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    seats: int = Field(4, strict=True, ge=2, le=8, description="How many people play.")
    partnership: Literal["fixed_opposite", "fixed_alternate_3", "called", "alone"] = Field(
        "fixed_opposite",
        description="Who plays with whom: partners opposite each other, two teams of three seated "
        "alternately, whoever holds the card that the declarer calls, or everybody alone.",
    )
    pack: Pack = Field("rook", description="The cards used: a Rook deck, or a standard pack.")
    ranks: tuple[Rank, ...] = Field(
        (5, 6, 7, 8, 9, 10, 11, 12, 13, 14),
        min_length=1,
        description="The ranks in the deck, in all four suits; in a standard pack 1 is the ace "
        "and 11, 12, 13 are jack, queen and king.",
    )
    rook_in_deck: Flag = Field(True, description="Whether the Rook (or joker) is in the deck.")
    extra_cards: tuple[CardName, ...] = Field(
        (), description="Single cards added to the deck, such as the red 1."
    )
    hand_size: PositiveCount = Field(9, description="How many cards each player is dealt.")
    nest_size: Count = Field(5, description="How many cards are dealt to the nest.")
    nest_dealing: Literal["spread", "end"] = Field(
        "spread",
        description="Whether nest cards are dealt one after each of the first rounds, or last.",
    )
    nest_face_up: Count = Field(0, description="How many nest cards are dealt face up.")
    nest_shown: Literal["never", "after_auction"] = Field(
        "never",
        description="Whether everybody sees the nest before the declarer takes it.",
    )
    redeal: Literal["any_time_no_counters", "none", "own_turn_no_counters", "auto"] = Field(
        "any_time_no_counters",
        description="When a player without a counter may ask for a new deal during the auction, "
        "or whether the cards are then always dealt again automatically.",
    )
    first_bidder: Literal["left_of_dealer", "dealer"] | SeatNumber = Field(
        "left_of_dealer", description="Who bids first."
    )
    auction_form: Literal["multi_round", "one_call_each", "dealer_opens", "dealer_must_bid"] = (
        Field(
            "multi_round",
            description="How the auction goes: round after round, one call each, opened for the "
            "dealer automatically at the minimum, or opened by a bid that the dealer has to make.",
        )
    )
    bid_minimum: PositivePoints = Field(70, description="The lowest bid, in points.")
    bid_maximum: PositivePoints = Field(120, description="The highest bid, in points.")
    bid_step: PositivePoints = Field(5, description="Bids are multiples of this many points.")
    all_pass: Literal["dealer", "last_player", "redeal", "no_contract"] = Field(
        "dealer",
        description="What happens when nobody bids: the dealer or the last player takes the "
        "contract at the minimum, a new deal, or a hand without trump and contract.",
    )
    special_bids: tuple[SpecialBid, ...] = Field(
        (),
        description="Additional bids: the sun (above the maximum, every trick and counter must be "
        "taken) and the moon (the maximum, worth more than its points when made).",
    )
    return_after_pass: Flag = Field(
        False, description="Whether a player who has passed may bid again later."
    )
    nest_exchange: Literal["all"] | UpTo | ExactlyOrNone = Field(
        "all",
        description="Whether the declarer takes the whole nest, or swaps some cards with it.",
    )
    discard_ban: tuple[DiscardBan, ...] = Field(
        (), description="Cards that the new nest may not contain."
    )
    nest_statement: Literal["none", "yes_no", "amount"] = Field(
        "none",
        description="Whether it is announced that the new nest contains counters, or how many "
        "points it contains.",
    )
    declaration_order: tuple[Step, ...] = Field(
        ("discard", "trump"),
        description="The declarer's steps in order; steps the game does not have are skipped.",
    )
    trump_calls: tuple[TrumpCall, ...] = Field(
        ("suits",),
        min_length=1,
        description="What the declarer may call: a suit, a suit with low cards best, no trump, "
        "no trump with low cards best, or circus.",
    )
    low_order_one: Literal["worst", "best"] = Field(
        "worst",
        description="The place of the 1 (or ace) when low cards are best.",
    )
    rook_at_no_trump: Literal["sole_trump", "red_10_5", "loser"] = Field(
        "sole_trump",
        description="What the Rook is when there is no trump: the only trump, a red card between "
        "10 and 11, or a card that never wins unless led.",
    )
    rook_rank: Literal["top", "bottom", "10.5", "12.5", "declared"] = Field(
        "top",
        description="The Rook's place among the trumps.",
    )
    rook_any_time: Flag = Field(
        True, description="Whether the Rook may be played even by a player who could follow suit."
    )
    rook_value: Points = Field(20, description="What the Rook is worth, in points.")
    red_1: Literal["off", "top_trump", "top_trump_any_time"] = Field(
        "off",
        description="Whether the red 1 is always the highest trump, and may be played any time.",
    )
    black_2: Literal["off", "beats_rook", "top_trump"] = Field(
        "off",
        description="Whether the black 2 beats the Rook in the same trick, or is the top trump.",
    )
    red_2: Literal["off", "second_trump"] = Field(
        "off", description="Whether the red 2 is always a trump, next below the Rook."
    )
    ones: Literal["absent", "high", "low"] = Field(
        "absent",
        description="The place of the 1s (aces): above the 14 (king), below the 2, or not in the "
        "deck.",
    )
    counters: dict[CounterKey, Points] = Field(
        {"5": 5, "10": 10, "14": 10},
        description="The cards that are worth points: a rank, or one card by its name.",
    )
    nest_points_to: Literal["last_trick", "declarer", "nobody"] = Field(
        "last_trick",
        description="Who gets the counters in the new nest.",
    )
    trick_bonus: Literal["none", "majority", "last_trick", "first_to_six", "per_trick"] = Field(
        "none", description="Which tricks earn a bonus."
    )
    trick_bonus_value: PositivePoints = Field(20, description="How many points the bonus is worth.")
    tied_majority: Literal["nobody", "split"] = Field(
        "nobody", description="Who gets the bonus for most tricks when sides are level."
    )
    first_lead: Literal[
        "left_of_dealer", "declarer", "left_of_declarer", "declarer_chooses", "caller"
    ] = Field("left_of_dealer", description="Who leads to the first trick.")
    trump_lead: Literal["free", "when_broken"] = Field(
        "free",
        description="Whether trump may be led at once, or only after one has been played.",
    )
    void_duty: Literal["none", "must_trump", "must_beat"] = Field(
        "none",
        description="What a player who cannot follow suit has to do.",
    )
    dummy: Literal["none", "partner", "blind"] = Field(
        "none",
        description="Whether the declarer's partner lays their hand open, or a blind hand is "
        "played too.",
    )
    dummy_exposed: Literal["after_lead", "before_lead"] = Field(
        "after_lead",
        description="When the open hand is laid open.",
    )
    called_cards: int = Field(
        0, strict=True, ge=0, le=2, description="How many partner cards the declarer may call."
    )
    callable: Literal["unheld", "any", "no_trumps"] = Field(
        "unheld",
        description="Which cards may be called: those that the declarer has not seen, any card, "
        "or those not seen that are no trumps.",
    )
    partner_revealed: Literal["when_played", "at_once"] = Field(
        "when_played", description="When the called partner becomes known."
    )
    defenders_score: Flag = Field(
        True, description="Whether the defenders score when the contract is made."
    )
    set_penalty: Literal["contract", "double"] = Field(
        "contract",
        description="What a failed contract costs: the bid, or twice the bid.",
    )
    partner_shares_set: Flag = Field(
        True, description="Whether a called partner loses the bid too when the contract fails."
    )
    sweep_value: Literal["none"] | SweepReplaces | SweepAdds = Field(
        "none",
        description="What a sweep scores: nothing special, a value instead of the points, or "
        "a value on top of them.",
    )
    sweep_test: Literal["all_tricks", "all_points", "either_side_all_points"] = Field(
        "all_tricks", description="What counts as a sweep."
    )
    target: PositivePoints = Field(300, description="The total that ends the match.")
    tie: Literal["another_hand", "shared", "declarer"] = Field(
        "another_hand",
        description="What happens when the best totals are equal at the end.",
    )
    several_over_target: Literal["highest"] = Field(
        "highest", description="Who wins when several reach the target in the same hand."
    )
    negative_end: Literal["none"] | NegativePoints = Field(
        "none",
        description="A negative total that ends the match.",
    )
    own_contract_to_go_out: Literal["no", "yes"] | Cap = Field(
        "no",
        description="Whether a side can reach the target only by making a contract of its own.",
    )
    renege: Literal["prevented", "penalised"] = Field(
        "prevented",
        description="Whether a card against the rules cannot be played, or is punished when "
        "challenged.",
    )
    circus_passing: CircusPassing = Field(
        CircusPassing(),
        title="Circus Passing",
        description="Whether the best and the worst card must be given after a call of circus.",
    )
    totals: Literal["team", "player"] = Field(
        "team",
        description="Whether a total is kept for each team, or for each player.",
    )
    rotation: Literal["deal_left", "deal_left_partners_redrawn"] = Field(
        "deal_left",
        description="How the deal moves, and whether new partners are drawn after each match.",
    )

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
