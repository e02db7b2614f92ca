"""House rules for the laws: changes to a variant, kept as far as they fit it."""

from __future__ import annotations

from typing import Any, Final

from rookery.rules import Rules, RulesError, load

Change = dict[str, Any]

CALLED: Final = {"partnership": "called", "totals": "player"}
ORDER: Final = ["discard", "trump", "call", "rook"]

CHANGES: Final[list[Change]] = [
    *(
        {"redeal": word}
        for word in ("any_time_no_counters", "none", "own_turn_no_counters", "auto")
    ),
    *({"first_bidder": who} for who in ("left_of_dealer", "dealer", 1)),
    *({"auction_form": form} for form in ("multi_round", "one_call_each")),
    {"auction_form": "dealer_opens", "first_bidder": "dealer"},
    {"auction_form": "dealer_must_bid", "first_bidder": "dealer"},
    *({"all_pass": word} for word in ("dealer", "last_player", "redeal", "no_contract")),
    {"special_bids": [{"name": "sun", "value": 180}]},
    {"special_bids": [{"name": "moon", "value": 250}]},
    {"special_bids": [{"name": "sun", "value": "game"}]},
    {"return_after_pass": True},
    *({"nest_exchange": {"up_to": n}} for n in (1, 2, 5)),
    *({"nest_exchange": {"exactly_or_none": n}} for n in (1, 2, 3)),
    *({"discard_ban": [ban]} for ban in ("counters", "counters_unless_forced", "rook")),
    {"discard_ban": ["counters_unless_forced", "rook"]},
    {"discard_ban": ["trumps"], "declaration_order": ["trump", "discard", "call", "rook"]},
    {"discard_ban": ["trumps", "counters_unless_forced"]},
    *({"nest_statement": word} for word in ("none", "yes_no", "amount")),
    {"declaration_order": ["discard", "call", "rook", "trump"]},
    {"declaration_order": ["rook", "trump", "call", "discard"]},
    {"declaration_order": ["trump", "rook", "discard", "call"]},
    {"trump_calls": ["suits", "suits-low", "notrump", "notrump-low"]},
    {"trump_calls": ["notrump", "circus"], "first_lead": "caller"},
    {"trump_calls": ["suits", "suits-low", "circus"]},
    {"circus_passing": {"best": "free", "worst": "enforced"}},
    {"circus_passing": {"best": "enforced", "worst": "enforced"}},
    {"low_order_one": "best"},
    *({"rook_at_no_trump": word} for word in ("sole_trump", "red_10_5", "loser")),
    *({"rook_rank": word} for word in ("top", "bottom", "10.5", "12.5")),
    {"rook_rank": "declared", "declaration_order": ORDER},
    {"rook_any_time": True},
    {"rook_any_time": False},
    {"rook_value": 0},
    {"red_1": "top_trump"},
    {"red_1": "top_trump_any_time"},
    {"black_2": "beats_rook"},
    {"black_2": "top_trump"},
    {"red_2": "second_trump"},
    {"ones": "low"},
    {"ones": "high"},
    *({"nest_points_to": word} for word in ("last_trick", "declarer", "nobody")),
    *({"trick_bonus": w} for w in ("none", "majority", "last_trick", "first_to_six", "per_trick")),
    {"trick_bonus": "majority", "tied_majority": "split"},
    *({"first_lead": who} for who in ("declarer", "left_of_declarer", "declarer_chooses")),
    {"trump_lead": "when_broken"},
    {"void_duty": "must_trump"},
    {"void_duty": "must_beat"},
    {"void_duty": "must_beat", "black_2": "beats_rook"},
    {"dummy": "partner"},
    {"dummy": "partner", "dummy_exposed": "before_lead"},
    {"dummy": "partner", "first_lead": "declarer_chooses"},
    {**CALLED, "called_cards": 1, "declaration_order": ORDER},
    {**CALLED, "called_cards": 2, "declaration_order": ORDER},
    {"callable": "any"},
    {"callable": "no_trumps"},
    {"partner_revealed": "at_once"},
    {"partner_shares_set": False},
    {"defenders_score": False},
    {"set_penalty": "double"},
    {"sweep_value": {"replace": 200}},
    {"sweep_value": {"add": 20}, "sweep_test": "all_points"},
    {"sweep_value": {"add": 20}, "sweep_test": "either_side_all_points"},
    {"renege": "penalised"},
    {"nest_face_up": 1},
    {"nest_shown": "after_auction"},
    {"partnership": "alone"},
    *({"hand_size": n, "nest_size": 41 - 4 * n} for n in (4, 6)),  # all that is left of the deck
    *({"tie": word} for word in ("another_hand", "shared", "declarer")),
    {"negative_end": -100},
    {"own_contract_to_go_out": "yes"},
    {"own_contract_to_go_out": {"cap": 100}},
    {"bid_minimum": 5},
    {"bid_step": 10, "bid_minimum": 50, "bid_maximum": 100},
    {
        "bid_maximum": 50,
        "bid_minimum": 50,
        "auction_form": "dealer_opens",
        "first_bidder": "dealer",
    },
]


def with_changes(base: str, changes: list[Change]) -> Rules:
    """Return the variant `base` with those of `changes`, one after another, that fit it."""
    kept: Change = {}
    for change in changes:
        try:
            load({"base": base, **kept, **change})
        except RulesError:
            continue
        kept |= change
    return load({"base": base, **kept})
