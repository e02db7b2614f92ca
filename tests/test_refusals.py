"""Every way in which an action can be refused, by its code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.hands import (
    AUCTION,
    CALLED,
    CALLING,
    MIXED,
    OPEN,
    SMALL,
    after,
    dealt,
    refused,
    small,
    whole_hand,
)

from rookery.cards import by_suit
from rookery.engine import actions as kernels
from rookery.game import BadAction, Hand, IllegalAction, legal
from rookery.rules import load

NINE: dict[str, Any] = {"ranks": [5, 10, 14], "hand_size": 3}
RUFFS = [
    ["R10", "R14", "B5"],
    ["G10", "G14", "G5"],
    ["Y10", "B10", "B14"],
    ["Y5", "Y14", "R5"],
]
SUN: dict[str, Any] = {"special_bids": [{"name": "sun", "value": 100}]}
CIRCUS: dict[str, Any] = {"trump_calls": ["suits", "circus"]}
CIRCUS_DEAL = [["R10", "R14"], ["G10", "G14"], ["Y10", "Y14"], ["B10", "B14"]]
TO_CIRCUS = [*OPEN, "1 trump circus", "2 trump yellow"]
WITH_NEST: dict[str, Any] = {
    **SMALL,
    "seats": 3,
    "partnership": "alone",
    "nest_size": 2,
    "declaration_order": ["discard", "trump"],
}
THREE = [["R10", "R14"], ["G10", "G14"], ["Y14", "B10"]]
CHANGE = ["1 bid 20"]
FORCE = ["1 bid 5"]


def changing() -> Hand:
    """Two cards in the nest, of which one changes or none."""
    rules = load({**WITH_NEST, "nest_exchange": {"exactly_or_none": 1}})
    return Hand.deal(rules, 0, THREE, ["Y10", "B14"])


def forced() -> Hand:
    """The 14s are counters, and the declarer has one card that is not, which has to go."""
    rules = load(
        {
            **WITH_NEST,
            "discard_ban": ["counters_unless_forced"],
            "counters": {"14": 10},
            "bid_minimum": 5,
            "bid_maximum": 5,
        }
    )
    return Hand.deal(rules, 0, [["R10", "Y10"], ["G14", "R14"], ["G10", "Y14"]], ["B10", "B14"])


REFUSALS: list[tuple[str, Hand, str]] = [
    ("not-your-turn", dealt(), "2 pass"),
    ("not-your-turn", after(dealt(), *CALLED), "2 play G7"),
    (
        "not-your-turn",
        after(small(dummy="partner"), *OPEN, "1 trump black", "1 play G10", "2 play Y10"),
        "0 play R10",
    ),
    ("not-now", dealt(), "1 play G10"),
    ("not-now", after(dealt(), *CALLED), "1 bid 75"),
    ("not-held", after(dealt(), *CALLED), "1 play G9"),
    ("not-held", after(dealt(), *CALLED), "1 play R1"),
    ("not-held", after(dealt(), *AUCTION), "3 discard R5 R6 B8 B10 B11"),
    ("must-follow", after(dealt(), *CALLED, "1 play G10"), "2 play R7"),
    ("must-follow", after(dealt(), *CALLED, "1 play R9"), "2 play G6"),
    ("bid-too-low", dealt(), "1 bid 65"),
    ("bid-too-low", after(dealt(), "1 bid 80"), "2 bid 80"),
    ("bid-too-high", dealt(), "1 bid 125"),
    ("bid-too-high", dealt(), "1 bid 999999999"),
    ("bid-too-high", dealt(), "1 bid sun"),
    ("bid-too-low", after(small(**SUN), "1 bid 20"), "2 bid 20"),
    ("bid-step", dealt(), "1 bid 72"),
    ("already-passed", after(dealt(), "1 pass", "2 bid 70", "3 bid 75", "0 bid 80"), "1 bid 90"),
    ("discard-count", after(dealt(), *AUCTION), "3 discard R5 R11"),
    ("discard-count", after(dealt(), *AUCTION), "3 discard R5 R5 B8 B10 B11"),
    ("discard-ban", after(dealt(discard_ban=["rook"]), "1 bid 120"), "1 discard RK G5 R9 B6 B7"),
    ("call-not-allowed", after(dealt(), *CALLED[:-1]), "3 trump yellow-low"),
    ("call-not-allowed", after(dealt(), *CALLED[:-1]), "3 trump circus"),
    ("no-redeal", dealt(), "1 redeal"),
    ("no-redeal", dealt(redeal="none"), "1 redeal"),
    ("no-redeal", after(dealt(), *CALLED), "1 redeal"),
    ("no-revoke", after(dealt(renege="penalised"), *CALLED), "2 challenge 1"),
    ("no-revoke", after(dealt(renege="penalised"), *CALLED), "2 challenge 2"),
    ("not-now", after(dealt(), *CALLED), "2 challenge 1"),
    ("not-now", small(auction_form="dealer_must_bid", first_bidder="dealer"), "0 pass"),
    (
        "call-not-allowed",
        after(small(first_lead="declarer_chooses"), *OPEN, "1 trump red"),
        "1 leader 3",
    ),
    (
        "must-follow",
        after(small(MIXED, trump_lead="when_broken"), *OPEN, "1 trump green"),
        "1 play G10",
    ),
    (
        "must-follow",
        after(small(MIXED, void_duty="must_trump"), *OPEN, "1 trump yellow", "1 play G10"),
        "2 play R14",
    ),
    (
        "must-follow",
        after(
            Hand.deal(load({**SMALL, **NINE, "void_duty": "must_beat"}), 0, RUFFS),
            *OPEN,
            "1 trump yellow",
            "1 play G10",
            "2 play Y10",
        ),
        "3 play Y5",
    ),
    (
        "must-follow",
        after(
            Hand.deal(load({**SMALL, **NINE, "void_duty": "must_beat"}), 0, RUFFS),
            *OPEN,
            "1 trump yellow",
            "1 play G10",
            "2 play Y10",
        ),
        "3 play R5",
    ),
    ("must-follow", after(small(CIRCUS_DEAL, **CIRCUS), *TO_CIRCUS), "2 give Y10"),
    (
        "must-follow",
        after(
            small(CIRCUS_DEAL, **CIRCUS, circus_passing={"best": "free", "worst": "enforced"}),
            *TO_CIRCUS,
            "2 give Y10",
        ),
        "3 give B14",
    ),
    ("card-not-callable", after(small(MIXED, **CALLING), *OPEN, "1 trump red"), "1 call G10"),
    ("card-not-callable", after(small(MIXED, **CALLING), *OPEN, "1 trump red"), "1 call R5"),
    ("card-not-callable", after(small(MIXED, **CALLING), *OPEN, "1 trump red"), "1 call B10 R10"),
    ("discard-count", after(changing(), *CHANGE), "1 discard G10"),
    ("discard-count", after(changing(), *CHANGE), "1 discard G10 G14"),
    ("discard-ban", after(forced(), *FORCE), "1 discard R14 G14"),
]


SENTENCES = Path(__file__).parent / "golden/refusals.txt"


def test_a_refusal_says_what_was_expected() -> None:
    said = [f"{text}: {refused(hand, text).reason}" for _, hand, text in REFUSALS]
    assert said == SENTENCES.read_text("utf-8").splitlines()


@pytest.mark.parametrize(("code", "hand", "text"), REFUSALS)
def test_what_the_rules_forbid_is_refused_by_its_code(code: str, hand: Hand, text: str) -> None:
    before = hand.status()
    assert refused(hand, text).code == code
    assert hand.status() == before


CODES = """
not-your-turn not-now not-held must-follow bid-too-low bid-too-high bid-step already-passed
discard-count discard-ban call-not-allowed card-not-callable no-redeal no-revoke hand-over
"""


def test_every_code_is_tried() -> None:
    assert {code for code, *_ in REFUSALS} | {"hand-over"} == set(CODES.split())
    assert IllegalAction.__doc__ is not None
    told = IllegalAction.__doc__.replace("``", " ").replace(".", " ")
    assert set(CODES.split()) <= set(told.split())


PLAYED = after(dealt(), *CALLED)
UNFIT = after(small(), *OPEN, "1 trump black", "1 play G10")


@pytest.mark.parametrize(
    ("hand", "text", "reason"),
    [
        (PLAYED, "1 play B12", "B12 may not be led now; expected G5"),
        (after(PLAYED, "1 play G10"), "2 play G13", "G13 may not be played now; expected G6"),
        (after(PLAYED, "1 play G10"), "2 play R7", "R7 does not follow the suit led; expected G6"),
        (UNFIT, "2 play Y14", "Y14 may not be played now; expected Y10"),
    ],
)
def test_a_new_duty_is_given_no_reason_that_is_false(
    hand: Hand, text: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As of a rule that was added: play the lowest of the cards that could be played before."""
    lawful = kernels.legal_cards
    monkeypatch.setattr(kernels, "legal_cards", lambda *at: lawful(*at) & -lawful(*at))
    monkeypatch.setattr(legal, "legal_numbers", lambda *at: by_suit(kernels.legal_cards(*at)))
    assert refused(hand, text).reason == reason


NO_COUNTERS = [["R6", "G6"], ["G14", "R14"], ["Y14", "Y6"], ["B14", "B6"]]
NEVER, BY_ITSELF = "these rules have no redeal", "these rules cancel deals by themselves"
WITHOUT = "only a hand without counters may be redealt"
AUCTION_ONLY = "a redeal may be demanded during the auction only"


@pytest.mark.parametrize(
    ("redeal", "without", "holding", "later"),
    [
        ("none", NEVER, NEVER, NEVER),
        ("auto", BY_ITSELF, BY_ITSELF, BY_ITSELF),
        ("any_time_no_counters", None, WITHOUT, AUCTION_ONLY),
        ("own_turn_no_counters", "a redeal may be demanded on one's own turn only", WITHOUT,
         AUCTION_ONLY),
    ],
)  # fmt: skip
def test_a_redeal_is_refused_by_the_rule_that_these_rules_have(
    redeal: str, without: str | None, holding: str, later: str
) -> None:
    deal = NO_COUNTERS if redeal != "auto" else [["R6", "R14"], ["G14", "G6"], *NO_COUNTERS[2:]]
    rules = load({**SMALL, "ranks": [6, 14], "redeal": redeal})
    hand = Hand.deal(rules, 0, deal)
    if without is not None:
        assert refused(hand, "0 redeal").reason == without
    assert refused(hand, "1 redeal").reason == holding
    played = after(hand, "1 bid 20", "1 trump red")
    for seat in (0, 1):
        assert refused(played, f"{seat} redeal").reason == later


def test_a_passed_seat_of_one_call_each_has_had_its_call() -> None:
    hand = after(dealt(auction_form="one_call_each"), "1 pass", "2 bid 70")
    assert refused(hand, "1 bid 75").code == "not-your-turn"


def test_a_hand_that_is_over_takes_no_action() -> None:
    hand = whole_hand()
    assert hand.over
    for text in ("0 play R5", "1 redeal", "2 bid 70"):
        assert refused(hand, text).code == "hand-over"


MALFORMED = [
    ("", "bad-action"),
    ("play G5", "bad-action"),
    ("1", "bad-action"),
    ("1 fold", "bad-action"),
    ("4 pass", "bad-action"),
    ("-1 pass", "bad-action"),
    ("\u0661 pass", "bad-action"),
    ("1 pass now", "bad-action"),
    ("1 bid", "bad-action"),
    ("1 bid 7.5", "bad-action"),
    ("1 bid 70 75", "bad-action"),
    ("1 bid " + "9" * 5000, "bad-action"),
    ("1 play", "bad-action"),
    ("1 play R5 R6", "bad-action"),
    ("1 play Z9", "unknown-card"),
    ("1 play SA", "unknown-card"),
    ("1 discard R5 \u00df", "unknown-card"),
    ("1 discard", "bad-action"),
    ("1 trump", "bad-action"),
    ("1 trump spades", "bad-action"),
    ("1 rook middle", "bad-action"),
    ("1 leader", "bad-action"),
    ("1 leader 9", "bad-action"),
    ("1 challenge 4", "bad-action"),
]


@pytest.mark.parametrize(("text", "code"), MALFORMED)
def test_a_text_that_is_no_action_is_another_error(text: str, code: str) -> None:
    with pytest.raises(BadAction) as caught:
        dealt().act(text)
    assert caught.value.code == code
    assert not isinstance(caught.value, IllegalAction)
    assert len(caught.value.reason) < 250
